//! Traces the curve of coverage against tokens.

use std::sync::Arc;

use apidisc::{
    control::Control,
    delivery::{Format, curve::Curve},
    overrides::Overrides,
};

use super::packer_key;
use crate::{
    live::PackerCache,
    tui::{
        message::Message,
        model::{Catalog, tuning::CurveRequest},
    },
};

/// A request to trace a curve. A newer job replaces this one, even while it runs.
#[derive(Clone, Debug)]
pub struct TraceCurveJob {
    /// Comes back with the answers.
    pub ticket: u64,
    /// The index.
    pub catalog: Arc<Catalog>,
    /// The scope, the tokenizer and the revision of the overrides.
    pub curve_request: CurveRequest,
    /// What is pinned and banned.
    pub overrides: Arc<Overrides>,
}

/// Answers with [`Message::Traced`] after every point, until `send` cancels. There is no answer if the scope cannot be
/// packed: the answer to [`super::deliver`] contains the reason.
pub fn trace_curve(packers: &PackerCache, job: &TraceCurveJob, send: &mut dyn FnMut(Message) -> Control) {
    let TraceCurveJob { ticket, catalog, curve_request, overrides } = job;
    let Ok(packer) = packers.packer(&catalog.index, packer_key(*curve_request), overrides) else { return };
    let traced = |curve: Curve| Message::Traced { ticket: *ticket, curve };
    if let Some(curve) = Curve::trace(&packer, Format::Stub, &mut |curve| send(traced(curve.clone()))) {
        send(traced(curve));
    }
}
