//! The thread that measures held-out coverage. It counts five times, which takes longer than any other question: it
//! begins once a setting has been left alone for a moment, and is given up where another one is asked about.

use std::{sync::Arc, time::Duration};

use super::worker::{self, Jobs, Post, Waiting};
use crate::tui::{
    message::Message,
    model::{Catalog, tuning::HeldOut},
};
use apidisc::{
    control::Control,
    delivery::{StubRequest, evaluate::evaluate},
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
pub(super) enum Wish {
    Measure(Job),
    Stop,
}

/// Starts it.
pub(super) fn spawn(post: Post) -> std::io::Result<Jobs<Wish>> {
    worker::spawn("evaluator", post.clone(), move |wish, queue| {
        let mut next = Some(wish);
        while let Some(wish) = next.take() {
            next = match (queue.take_within(MOMENT), wish) {
                (None, Wish::Measure(job)) => measure(&post, &job, queue),
                (newer, _) => newer,
            };
        }
    })
}

/// Measures, unless something else is wanted by then: that.
fn measure(post: &Post, job: &Job, queue: &mut Waiting<Wish>) -> Option<Wish> {
    let mut newer = None;
    let mut observe = |done: usize, total: usize| {
        if let Some(wish) = queue.take().last() {
            newer = Some(wish);
            return Control::Cancel;
        }
        post.message(Message::HeldOut { ticket: job.ticket, held_out: HeldOut::Measuring(done, total) });
        Control::Continue
    };
    let result = match evaluate(&job.catalog.index, &job.cut, &[job.cut.strategy], &mut observe) {
        Ok(Some(evaluation)) => {
            let row = evaluation.strategies.into_iter().next();
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
