//! The thread that measures held-out coverage. A measurement counts the calls twice for each of five folds, which takes
//! longer than any other job. It therefore begins only when no other request has followed for a moment, and a newer
//! request cancels it.

use std::{io, time::Duration};

use super::worker::{JobQueue, OutputSender, Worker};
use crate::tui::jobs::{self, HoldOutJob};
use apidisc::control::Control;

/// A request is not carried out if another one follows within this time.
const SETTLED: Duration = Duration::from_millis(250);

/// A request to the thread. A newer request replaces an older one.
pub(super) enum HeldOutRequest {
    Measure(HoldOutJob),
    /// Drop the present job.
    Stop,
}

/// Starts the thread.
pub(super) fn spawn(output: OutputSender) -> io::Result<Worker<HeldOutRequest>> {
    Worker::spawn("held-out", output.clone(), move |request, queue| {
        let mut next = Some(request);
        while let Some(request) = next.take() {
            next = match (queue.take_within(SETTLED), request) {
                (None, HeldOutRequest::Measure(job)) => measure(&output, &job, queue),
                (newer, _) => newer,
            };
        }
    })
}

/// Measures until the measurement is complete or a newer request arrives; returns the newer request.
fn measure(output: &OutputSender, job: &HoldOutJob, queue: &mut JobQueue<HeldOutRequest>) -> Option<HeldOutRequest> {
    let mut newer = None;
    jobs::hold_out(job, &mut |message| {
        newer = queue.take_all().last();
        if newer.is_some() {
            return Control::Cancel;
        }
        output.message(message);
        Control::Continue
    });
    newer
}
