//! The thread of the tuning page. It traces a curve point by point. Between two points it does the shorter jobs that
//! wait. It cancels the curve if another curve or a stop is requested.

use std::io;

use super::worker::{JobQueue, OutputSender, Worker};
use crate::{
    live::PackerCache,
    tui::jobs::{self, CompareStubsJob, PriceNeighboursJob, TraceCurveJob},
};
use apidisc::control::Control;

/// A request to the thread.
pub(super) enum TuningRequest {
    TraceCurve(TraceCurveJob),
    PriceNeighbours(PriceNeighboursJob),
    CompareStubs(CompareStubsJob),
    /// Cancel all jobs.
    Stop,
}

/// Starts the thread.
pub(super) fn spawn(packers: PackerCache, output: OutputSender) -> io::Result<Worker<TuningRequest>> {
    Worker::spawn("tuning", output.clone(), move |request, queue| {
        let mut pending = PendingJobs::default();
        pending.add(request);
        loop {
            pending.take_requests(queue);
            pending.do_short_jobs(&packers, &output);
            let Some(job) = pending.trace.take() else { return };
            jobs::trace_curve(&packers, &job, &mut |message| {
                output.message(message);
                pending.take_requests(queue);
                if pending.is_stopped || pending.trace.is_some() {
                    return Control::Cancel;
                }
                pending.do_short_jobs(&packers, &output);
                Control::Continue
            });
        }
    })
}

/// The newest job of each kind.
#[derive(Default)]
struct PendingJobs {
    trace: Option<TraceCurveJob>,
    price: Option<PriceNeighboursJob>,
    compare: Option<CompareStubsJob>,
    /// True if one of the requests that were taken last is a stop.
    is_stopped: bool,
}

impl PendingJobs {
    fn add(&mut self, request: TuningRequest) {
        match request {
            TuningRequest::TraceCurve(job) => self.trace = Some(job),
            TuningRequest::PriceNeighbours(job) => self.price = Some(job),
            TuningRequest::CompareStubs(job) => self.compare = Some(job),
            TuningRequest::Stop => *self = Self { is_stopped: true, ..Self::default() },
        }
    }

    fn take_requests(&mut self, queue: &mut JobQueue<TuningRequest>) {
        self.is_stopped = false;
        for request in queue.take_all() {
            self.add(request);
        }
    }

    fn do_short_jobs(&mut self, packers: &PackerCache, output: &OutputSender) {
        if let Some(job) = self.price.take() {
            output.message(jobs::price_neighbours(packers, &job));
        }
        if let Some(job) = self.compare.take() {
            jobs::compare_stubs(packers, &job, &mut |message| output.message(message));
        }
    }
}
