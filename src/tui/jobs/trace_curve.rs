//! Traces the curve of coverage against tokens.

use std::sync::Arc;

use apidisc::{
    control::Control,
    delivery::{Format, curve::Curve},
    overrides::Overrides,
};

use super::{Answer, BackgroundJob, JobHost, JobTools, Lane, packer_key};
use crate::tui::model::{Catalog, tuning::CurveRequest};

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

impl BackgroundJob for TraceCurveJob {
    fn lane(&self) -> Lane {
        Lane::Tuning
    }

    fn place(&self) -> u8 {
        2
    }

    /// Answers with [`Answer::Traced`] after every point, until a newer job replaces this one. Shorter jobs are done
    /// between two points. There is no answer if no stub of the scope can be made; the answer of [`super::DeliverJob`]
    /// gives the reason.
    fn run(&self, tools: &JobTools, host: &mut dyn JobHost) {
        let Self { ticket, catalog, curve_request, overrides } = self;
        let packer = tools.packers.packer(&catalog.index, packer_key(*curve_request), overrides);
        let Ok(packer) = packer else { return };
        let mut send = |curve: Curve| {
            host.send(Answer::Traced { ticket: *ticket, curve });
            if host.is_superseded() {
                return Control::Cancel;
            }
            host.do_waiting_jobs();
            Control::Continue
        };
        let traced = Curve::trace(&packer, curve_request.style, Format::Stub, &mut |curve| send(curve.clone()));
        if let Some(curve) = traced {
            send(curve);
        }
    }
}
