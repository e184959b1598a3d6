//! Compares another stub with the present one.

use std::sync::Arc;

use apidisc::{
    delivery::{Delivery, Format, StubRequest},
    overrides::Overrides,
    strategy::Strategy,
};

use super::{Answer, BackgroundJob, JobHost, JobTools, Lane, packer_key};
use crate::{
    live::{PackerCache, PackerKey},
    tui::{
        highlight::Highlighter,
        model::{
            ActiveOverrides, Catalog, PreviewRequest,
            tuning::{Baseline, CurveRequest, StubComparison},
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
    /// The stub with which the present one is compared.
    pub baseline: Baseline,
    /// The part of the index, and the settings.
    pub request: PreviewRequest,
    /// The pins and bans.
    pub overrides: Arc<Overrides>,
}

impl BackgroundJob for CompareStubsJob {
    fn lane(&self) -> Lane {
        Lane::Tuning
    }

    fn place(&self) -> u8 {
        1
    }

    /// Answers with [`Answer::Compared`]: first without colours, then with them.
    fn run(&self, tools: &JobTools, host: &mut dyn JobHost) {
        let Self { ticket, catalog, baseline, request, overrides } = self;
        let packers = &tools.packers;
        let curve_request = CurveRequest::from(*request);
        let before = if let Some(request) = &baseline.request {
            deliver(packers, baseline.other.as_ref().unwrap_or(catalog), request)
        } else {
            // The exhaustive stub shows banned definitions too, so it is made without overrides.
            let key = packer_key(CurveRequest { revision: 0, ..curve_request });
            let packer = packers.packer(&catalog.index, key, &Overrides::default());
            let all = packer.and_then(|packer| packer.deliver_in(request.style, &Strategy::Exhaustive, Format::Stub));
            all.map_err(|why| why.to_string())
        };
        let after = packers
            .packer(&catalog.index, packer_key(curve_request), overrides)
            .and_then(|packer| packer.deliver_in(request.style, &request.strategy, Format::Stub))
            .map_err(|why| why.to_string());
        let comparison = before.and_then(|before| {
            Ok(Box::new(match baseline.other {
                Some(_) => StubComparison::of_versions(&before, &after?),
                None => StubComparison::of(&catalog.index, &before, &after?),
            }))
        });
        host.send(Answer::Compared { ticket: *ticket, comparison: comparison.clone() });
        if let Ok(mut comparison) = comparison {
            Highlighter::shared().colour(&mut comparison);
            host.send(Answer::Compared { ticket: *ticket, comparison: Ok(comparison) });
        }
    }
}

/// The stub of a request, without its envelope. Its packer is kept if the calls count as in the present index and no
/// intent says more.
fn deliver(packers: &PackerCache, catalog: &Catalog, request: &StubRequest) -> Result<Delivery, String> {
    let index = &catalog.index;
    if request.weights != index.weights || request.intent.is_some() {
        let plain = StubRequest { format: Format::Stub, ..request.clone() };
        return plain.deliver(index).map_err(|why| why.to_string());
    }
    let scope = index.scope_meant(request.module.as_deref(), request.symbol.as_deref());
    let (scope, _) = scope.map_err(|why| why.to_string())?;
    let revision = ActiveOverrides::new(request.overrides.clone()).revision();
    let key = PackerKey { generation: catalog.generation, scope, encoding: request.encoding, revision };
    let packer = packers.packer(index, key, &request.overrides);
    let delivery = packer.and_then(|packer| packer.deliver_in(request.style(), &request.strategy, Format::Stub));
    delivery.map_err(|why| why.to_string())
}
