//! The threads that do background jobs, one for each lane.

use std::{
    io,
    mem::{Discriminant, discriminant, take},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
        mpsc,
    },
    thread,
    time::{Duration, Instant},
};

use rustc_hash::FxHashMap;

use super::worker::OutputSender;
use crate::{
    threads,
    tui::{
        jobs::{Answer, Job, JobHost, JobTools, Lane},
        message::Message,
    },
};

/// The threads of all lanes.
pub(super) struct Lanes {
    /// The queues of the threads, by [`Lane::position`].
    queues: Vec<mpsc::Sender<QueuedJob>>,
    /// The number of the newest job of each slot.
    newest: FxHashMap<Slot, Arc<AtomicU64>>,
    output: OutputSender,
}

/// The lane and the kind of a job, and its [`slot`](crate::tui::jobs::BackgroundJob::slot).
type Slot = (Lane, Discriminant<Job>, usize);

/// The number of a job in its slot.
#[derive(Clone)]
struct Turn {
    number: u64,
    /// The number of the newest job of the slot.
    newest: Arc<AtomicU64>,
}

impl Turn {
    /// True if a newer job has the slot.
    fn is_superseded(&self) -> bool {
        self.newest.load(Ordering::Relaxed) != self.number
    }

    /// True if both jobs have the same slot.
    fn has_slot_of(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.newest, &other.newest)
    }
}

/// A job on its way to its thread.
struct QueuedJob {
    job: Job,
    /// `None` if no other job replaces it.
    turn: Option<Turn>,
}

impl Lanes {
    /// Starts the threads.
    pub(super) fn start(tools: &Arc<JobTools>, output: &OutputSender) -> io::Result<Self> {
        let start = |lane: Lane| {
            let (queue, receiver) = mpsc::channel();
            let (tools, output) = (Arc::clone(tools), output.clone());
            let thread =
                LaneThread { settling_time: lane.settling_time(), receiver, waiting: Vec::new(), tools, output };
            thread::Builder::new().name(lane.name().to_owned()).spawn(move || thread.run())?;
            Ok(queue)
        };
        let queues = Lane::ALL.into_iter().map(start).collect::<io::Result<_>>()?;
        Ok(Self { queues, newest: FxHashMap::default(), output: output.clone() })
    }

    /// Sends a job to its thread. The job replaces the earlier ones of its slot.
    pub(super) fn send(&mut self, job: Job) {
        let lane = job.background().lane();
        let turn = job.background().slot().map(|slot| {
            let newest = self.newest.entry((lane, discriminant(&job), slot)).or_default();
            Turn { number: newest.fetch_add(1, Ordering::Relaxed) + 1, newest: Arc::clone(newest) }
        });
        self.output.job_is_sent();
        // A thread survives panics, so its queue is closed only at the end of the program.
        let _ = self.queues[lane.position()].send(QueuedJob { job, turn });
    }

    /// Cancels the jobs of a lane that have slots.
    pub(super) fn cancel(&self, lane: Lane) {
        for (_, newest) in self.newest.iter().filter(|((other, ..), _)| *other == lane) {
            newest.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// The thread of a lane.
struct LaneThread {
    /// See [`Lane::settling_time`].
    settling_time: Option<Duration>,
    receiver: mpsc::Receiver<QueuedJob>,
    /// Jobs that were taken from the queue and not begun.
    waiting: Vec<QueuedJob>,
    tools: Arc<JobTools>,
    output: OutputSender,
}

impl LaneThread {
    fn run(mut self) {
        threads::lower_priority();
        while self.wait() {
            let jobs = take(&mut self.waiting);
            self.do_jobs(jobs);
        }
    }

    /// Takes all jobs from the queue; waits for one if there is none. False at the end of the program.
    fn wait(&mut self) -> bool {
        if self.waiting.is_empty() {
            let Ok(job) = self.receiver.recv() else { return false };
            self.waiting.push(job);
        }
        while let Some(time) = self.settling_time
            && let Ok(job) = self.receiver.recv_timeout(time)
        {
            self.waiting.push(job);
        }
        self.waiting.extend(self.receiver.try_iter());
        true
    }

    /// Does the jobs that no newer one replaces, by their [`place`](crate::tui::jobs::BackgroundJob::place). A panic in
    /// a job is a bug: it is reported, and the thread continues with the next job.
    fn do_jobs(&mut self, mut jobs: Vec<QueuedJob>) {
        jobs.sort_by_key(|queued| queued.job.background().place());
        for QueuedJob { job, turn } in jobs {
            if !turn.as_ref().is_some_and(Turn::is_superseded) {
                let (tools, output) = (Arc::clone(&self.tools), self.output.clone());
                let mut host = RunningJob { thread: self, turn, began: Instant::now() };
                output.catch_panic(|| job.background().run(&tools, &mut host));
            }
            drop(job);
            self.output.job_is_done();
        }
    }
}

/// A job that its thread is doing.
struct RunningJob<'a> {
    thread: &'a mut LaneThread,
    turn: Option<Turn>,
    began: Instant,
}

impl JobHost for RunningJob<'_> {
    fn send(&mut self, answer: Answer) {
        self.thread.output.message(Message::Answered(answer));
    }

    fn is_superseded(&self) -> bool {
        self.turn.as_ref().is_some_and(Turn::is_superseded)
    }

    fn do_waiting_jobs(&mut self) {
        let waiting = take(&mut self.thread.waiting);
        let jobs = waiting.into_iter().chain(self.thread.receiver.try_iter());
        let replaces_this = |queued: &QueuedJob| match (&queued.turn, &self.turn) {
            (Some(other), Some(turn)) => other.has_slot_of(turn),
            _ => false,
        };
        // The jobs that replace this one wait until this one has ended.
        let (kept, others) = jobs.partition(replaces_this);
        self.thread.waiting = kept;
        self.thread.do_jobs(others);
    }

    fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_ends_when_its_slot_has_a_newer_job() {
        let newest = Arc::new(AtomicU64::new(1));
        let [old, new] = [1, 2].map(|number| Turn { number, newest: Arc::clone(&newest) });
        assert!(!old.is_superseded() && old.has_slot_of(&new));
        newest.store(2, Ordering::Relaxed);
        assert!(old.is_superseded() && !new.is_superseded());
        assert!(!old.has_slot_of(&Turn { number: 1, newest: Arc::default() }));
    }
}
