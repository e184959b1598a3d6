//! Measures held-out coverage: the share of calls that a stub covers among calls that it was not made from.

use std::sync::Arc;

use apidisc::{
    control::Control,
    delivery::{StubRequest, evaluate::evaluate},
};

use super::{Answer, BackgroundJob, JobHost, JobTools, Lane};
use crate::tui::model::{Catalog, tuning::HeldOut};

/// A request to measure a setting. A newer job replaces this one, even if this one is already running.
#[derive(Clone, Debug)]
pub struct HoldOutJob {
    /// The number of the request. Every answer contains it.
    pub ticket: u64,
    /// The index.
    pub catalog: Arc<Catalog>,
    /// The stub to measure.
    pub stub: Box<StubRequest>,
}

impl BackgroundJob for HoldOutJob {
    fn lane(&self) -> Lane {
        Lane::HeldOut
    }

    /// Answers with [`Answer::HeldOut`]: first the progress, then the result, unless a newer job replaces this one.
    fn run(&self, _: &JobTools, host: &mut dyn JobHost) {
        let mut send = |held_out| {
            if host.is_superseded() {
                return Control::Cancel;
            }
            host.send(Answer::HeldOut { ticket: self.ticket, held_out });
            Control::Continue
        };
        let mut observe = |done, total| send(HeldOut::Measuring(done, total));
        let result = match evaluate(&self.catalog.index, &self.stub, &[self.stub.strategy], &mut observe) {
            Ok(Some(evaluation)) => {
                let row = evaluation.strategies.into_iter().next();
                row.map(|row| row.result.map_err(|why| why.to_string()))
            }
            Ok(None) => None,
            Err(why) => Some(Err(why.to_string())),
        };
        if let Some(result) = result {
            send(HeldOut::Done(result));
        }
    }
}
