//! Answers of an observer that steer long work, and the counter by which work on other threads learns of them.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering::Relaxed},
    mpsc::{Receiver, Sender, channel},
};

/// The answer of an observer to a progress report. The engine has no clock, so the observer decides when a snapshot is
/// due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// Continue.
    Continue,
    /// Index the files that have been parsed so far, report this index as
    /// `Progress::Partial`, and continue.
    Snapshot,
    /// Stop. `build` then returns `None`.
    Cancel,
}

/// The number of steps between two reports of a [`StepCounter`]: a few milliseconds of work.
const REPORT_INTERVAL: u64 = 4096;

/// Counts the steps of work on one thread, reports them to the observer's thread, and learns from there that the work
/// is cancelled. A step takes about constant time.
#[derive(Debug)]
pub struct StepCounter {
    is_cancelled: Arc<AtomicBool>,
    reports: Sender<u64>,
    steps: u64,
    /// The part of `steps` that has been reported.
    reported: u64,
}

impl StepCounter {
    /// Counts one step. Returns false if the work is cancelled: its result will not be used.
    #[inline]
    pub fn step(&mut self) -> bool {
        self.steps += 1;
        if self.steps.is_multiple_of(REPORT_INTERVAL) {
            self.report();
        }
        !self.is_cancelled()
    }

    /// True if the work is cancelled.
    #[inline]
    pub fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Relaxed)
    }

    fn report(&mut self) {
        // Sending fails only if the observer of the work has ended.
        let _ = self.reports.send(self.steps - self.reported);
        self.reported = self.steps;
    }
}

/// A counter of its own for another thread of the same work.
impl Clone for StepCounter {
    fn clone(&self) -> Self {
        Self { is_cancelled: Arc::clone(&self.is_cancelled), reports: self.reports.clone(), steps: 0, reported: 0 }
    }
}

impl Drop for StepCounter {
    fn drop(&mut self) {
        self.report();
    }
}

/// The observer's end of [`StepCounter`]s.
#[derive(Debug)]
pub struct StepReports {
    is_cancelled: Arc<AtomicBool>,
    reports: Receiver<u64>,
}

impl StepReports {
    /// A counter and its observer's end.
    pub fn new() -> (StepCounter, Self) {
        let is_cancelled = Arc::new(AtomicBool::new(false));
        let (sender, reports) = channel();
        let counter = StepCounter { is_cancelled: Arc::clone(&is_cancelled), reports: sender, steps: 0, reported: 0 };
        (counter, Self { is_cancelled, reports })
    }

    /// Passes the number of all steps to `observe`, again and again until every counter is dropped. Cancels the work
    /// when `observe` answers so. Returns false if the work was cancelled.
    pub fn follow(self, mut observe: impl FnMut(u64) -> Control) -> bool {
        let mut total = 0;
        for steps in &self.reports {
            total += steps;
            if !self.is_cancelled.load(Relaxed) && observe(total) == Control::Cancel {
                self.is_cancelled.store(true, Relaxed);
            }
        }
        !self.is_cancelled.load(Relaxed)
    }
}
