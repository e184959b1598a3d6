//! Compares the exhaustive stub with the present one.

use std::sync::Arc;

use apidisc::overrides::Overrides;

use super::packer_key;
use crate::{
    live::PackerCache,
    tui::{
        highlight::Highlighter,
        message::Message,
        model::{
            Catalog, PreviewRequest,
            tuning::{CurveRequest, StubComparison},
        },
    },
};

/// A request to compare stubs. While this job waits, a newer one replaces it.
#[derive(Clone, Debug)]
pub struct CompareStubsJob {
    /// The number of the request. Every answer contains it.
    pub ticket: u64,
    /// The index.
    pub catalog: Arc<Catalog>,
    /// The part of the index, and the settings.
    pub request: PreviewRequest,
    /// The pins and bans.
    pub overrides: Arc<Overrides>,
}

/// Answers with [`Message::Compared`]: first without colours, then with them.
pub fn compare_stubs(packers: &PackerCache, job: &CompareStubsJob, send: &mut dyn FnMut(Message)) {
    let CompareStubsJob { ticket, catalog, request, overrides } = job;
    let curve_request = CurveRequest::from(*request);
    // The exhaustive stub shows banned definitions too, so it is made without overrides.
    let without_overrides = CurveRequest { revision: 0, ..curve_request };
    let comparison = packers
        .packer(&catalog.index, packer_key(without_overrides), &Overrides::default())
        .and_then(|all| Ok((all, packers.packer(&catalog.index, packer_key(curve_request), overrides)?)))
        .and_then(|(all, packer)| StubComparison::of(&all, &packer, request.style, request.strategy));
    send(Message::Compared { ticket: *ticket, comparison: comparison.clone() });
    if let Ok(mut comparison) = comparison {
        Highlighter::shared().colour(&mut comparison);
        send(Message::Compared { ticket: *ticket, comparison: Ok(comparison) });
    }
}
