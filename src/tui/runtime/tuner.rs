//! The thread that finds out what notches cost. A curve is traced point by point; between two of them the next notch
//! is weighed, and the curve is given up where another one is wanted.

use std::sync::Arc;

use super::{
    desk::Desk,
    worker::{self, Jobs, Post, Waiting},
};
use crate::tui::{
    catalog::Catalog,
    highlight::Highlighter,
    message::Message,
    model::{
        Settings,
        tuning::{CurveRequest, Neighbours, StubComparison},
    },
};
use apidisc::{
    control::Control,
    delivery::{Format, curve::Curve},
    overrides::Overrides,
    strategy::Strategy,
};

/// What the work is for.
pub(super) struct Job {
    pub(super) ticket: u64,
    pub(super) catalog: Arc<Catalog>,
    pub(super) ground: CurveRequest,
    pub(super) overrides: Arc<Overrides>,
}

/// Something to be found out.
pub(super) enum Question {
    Trace(Job),
    Weigh(Job, Settings),
    Compare(Job, Strategy),
    Stop,
}

/// Starts it.
pub(super) fn spawn(desk: Desk, post: Post) -> std::io::Result<Jobs<Question>> {
    worker::spawn("tuner", post.clone(), move |question, queue| {
        let mut next = Newest::default();
        next.add(question);
        loop {
            next.take_in(queue);
            next.answer(&desk, &post);
            if let Some(job) = next.trace.take() {
                trace(&desk, &post, &job, queue, &mut next);
            } else {
                return;
            }
        }
    })
}

/// The newest of each kind.
#[derive(Default)]
struct Newest {
    trace: Option<Job>,
    weigh: Option<(Job, Settings)>,
    compare: Option<(Job, Strategy)>,
    is_stopped: bool,
}

impl Newest {
    fn add(&mut self, question: Question) {
        match question {
            Question::Trace(job) => self.trace = Some(job),
            Question::Weigh(job, settings) => self.weigh = Some((job, settings)),
            Question::Compare(job, strategy) => self.compare = Some((job, strategy)),
            Question::Stop => *self = Self { is_stopped: true, ..Self::default() },
        }
    }

    fn take_in(&mut self, queue: &mut Waiting<Question>) {
        self.is_stopped = false;
        for question in queue.take() {
            self.add(question);
        }
    }

    /// Answers what takes a moment only.
    fn answer(&mut self, desk: &Desk, post: &Post) {
        if let Some((job, settings)) = self.weigh.take() {
            weigh(desk, post, job, settings);
        }
        if let Some((job, strategy)) = self.compare.take() {
            compare(desk, post, job, strategy);
        }
    }
}

fn trace(desk: &Desk, post: &Post, job: &Job, queue: &mut Waiting<Question>, next: &mut Newest) {
    let Job { ticket, catalog, ground, overrides } = job;
    // Why there is none stands where the stub would be.
    let Ok(packer) = desk.packer(catalog, *ground, overrides) else { return };
    let mut observe = |curve: &Curve| {
        post.message(Message::Traced { ticket: *ticket, curve: curve.clone() });
        next.take_in(queue);
        if next.is_stopped || next.trace.is_some() {
            return Control::Cancel;
        }
        next.answer(desk, post);
        Control::Continue
    };
    if let Some(curve) = Curve::trace(&packer, Format::Stub, &mut observe) {
        post.message(Message::Traced { ticket: *ticket, curve });
    }
}

fn weigh(desk: &Desk, post: &Post, job: Job, settings: Settings) {
    let Job { ticket, catalog, ground, overrides } = job;
    let steps =
        desk.packer(&catalog, ground, &overrides).map(|packer| Neighbours::of(&packer, &catalog.index, &settings));
    post.message(Message::Weighed { ticket, steps: Box::new(steps.unwrap_or_default()) });
}

/// What is banned is part of what there is: the exhaustive stub is cut without wishes.
fn compare(desk: &Desk, post: &Post, job: Job, strategy: Strategy) {
    let Job { ticket, catalog, ground, overrides } = job;
    let bare = CurveRequest { revision: 0, ..ground };
    let packers = desk
        .packer(&catalog, bare, &Overrides::default())
        .and_then(|all| Ok((all, desk.packer(&catalog, ground, &overrides)?)));
    let comparison = packers.and_then(|(all, packer)| StubComparison::of(&all, &packer, strategy));
    post.message(Message::Compared { ticket, comparison: comparison.clone() });
    if let Ok(mut comparison) = comparison {
        Highlighter::shared().colour(&mut comparison);
        post.message(Message::Compared { ticket, comparison: Ok(comparison) });
    }
}
