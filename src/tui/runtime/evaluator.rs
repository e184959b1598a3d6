//! The thread that measures held-out coverage. It counts five times, which takes longer than any other question: it
//! begins once a setting has been left alone for a moment, and is given up where another one is asked about.

use std::{sync::Arc, time::Duration};

use super::worker::{self, Jobs, Post, Waiting};
use crate::tui::{catalog::Catalog, message::Message, model::tuning::HeldOut};
use apidisc::{
    control::Control,
    delivery::{evaluate::evaluate, profile::StubRequest},
};

/// A setting that is moved again within this time is not measured.
const MOMENT: Duration = Duration::from_millis(250);

/// What is to be measured.
pub(super) struct Job {
    pub(super) ticket: u64,
    pub(super) catalog: Arc<Catalog>,
    pub(super) cut: Box<StubRequest>,
}

/// Something to do instead of what is being done.
pub(super) enum StartTarget {
    Measure(Job),
    Stop,
}

/// Starts it.
pub(super) fn spawn(post: Post) -> std::io::Result<Jobs<StartTarget>> {
    worker::spawn("evaluator", post.clone(), move |start_target, queue| {
        let mut next = Some(start_target);
        while let Some(start_target) = next.take() {
            next = match (queue.take_within(MOMENT), start_target) {
                (None, StartTarget::Measure(job)) => measure(&post, &job, queue),
                (newer, _) => newer,
            };
        }
    })
}

/// Measures, unless something else is wanted by then: that.
fn measure(post: &Post, job: &Job, queue: &mut Waiting<StartTarget>) -> Option<StartTarget> {
    let mut newer = None;
    let mut observe = |done: usize, total: usize| {
        if let Some(start_target) = queue.take().last() {
            newer = Some(start_target);
            return Control::Cancel;
        }
        post.message(Message::HeldOut { ticket: job.ticket, held_out: HeldOut::Measuring(done, total) });
        Control::Continue
    };
    let result = match evaluate(&job.catalog.index, &job.cut, &[job.cut.strategy], &mut observe) {
        Ok(Some(evaluation)) => {
            let row = evaluation.rows.into_iter().next();
            row.map(|row| row.result.map_err(|why| why.to_string()))
        }
        Ok(None) => None,
        Err(why) => Some(Err(why.to_string())),
    };
    if let Some(result) = result {
        post.message(Message::HeldOut { ticket: job.ticket, held_out: HeldOut::Done(result) });
    }
    newer
}
