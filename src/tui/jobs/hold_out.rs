//! Measures held-out coverage: the share of calls that a stub covers among calls that it was not made from.

use std::sync::Arc;

use apidisc::{
    control::Control,
    delivery::{StubRequest, evaluate::evaluate},
};

use crate::tui::{
    message::Message,
    model::{Catalog, tuning::HeldOut},
};

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

/// Answers with [`Message::HeldOut`]: first the progress, then the result, unless `send` cancels.
pub fn hold_out(job: &HoldOutJob, send: &mut dyn FnMut(Message) -> Control) {
    let answer = |held_out| Message::HeldOut { ticket: job.ticket, held_out };
    let mut observe = |done, total| send(answer(HeldOut::Measuring(done, total)));
    let result = match evaluate(&job.catalog.index, &job.stub, &[job.stub.strategy], &mut observe) {
        Ok(Some(evaluation)) => {
            let row = evaluation.strategies.into_iter().next();
            row.map(|row| row.result.map_err(|why| why.to_string()))
        }
        Ok(None) => None,
        Err(why) => Some(Err(why.to_string())),
    };
    if let Some(result) = result {
        send(answer(HeldOut::Done(result)));
    }
}
