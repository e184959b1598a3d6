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
    /// The number of the request; every answer contains it.
    pub ticket: u64,
    /// The index.
    pub catalog: Arc<Catalog>,
    /// The numbers of the index and of the overrides, the scope and the tokenizer, on which the curve depends.
    pub curve_request: CurveRequest,
    /// The pins and bans.
    pub overrides: Arc<Overrides>,
}

/// Answers with [`Message::Traced`] after every point, until `send` cancels. There is no answer if no stub of the scope
/// can be made; the answer of [`super::deliver`] gives the reason.
pub fn trace_curve(packers: &PackerCache, job: &TraceCurveJob, send: &mut dyn FnMut(Message) -> Control) {
    let TraceCurveJob { ticket, catalog, curve_request, overrides } = job;
    let Ok(packer) = packers.packer(&catalog.index, packer_key(*curve_request), overrides) else { return };
    let traced = |curve: Curve| Message::Traced { ticket: *ticket, curve };
    if let Some(curve) =
        Curve::trace(&packer, curve_request.style, Format::Stub, &mut |curve| send(traced(curve.clone())))
    {
        send(traced(curve));
    }
}
