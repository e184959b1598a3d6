//! Computes how the stub would change if the present setting moved by one notch.

use std::sync::Arc;

use apidisc::overrides::Overrides;

use super::{Answer, BackgroundJob, JobHost, JobTools, Lane, packer_key};
use crate::tui::model::{
    Catalog, Settings,
    tuning::{CurveRequest, Neighbours},
};

/// A request for the neighbours of a setting: the settings one notch away. While this job waits, a newer one replaces
/// it.
#[derive(Clone, Debug)]
pub struct PriceNeighboursJob {
    /// The number of the request. The answer contains it.
    pub ticket: u64,
    /// The index.
    pub catalog: Arc<Catalog>,
    /// The scope, the tokenizer and the revision of the overrides.
    pub curve_request: CurveRequest,
    /// The pins and bans.
    pub overrides: Arc<Overrides>,
    /// The present setting.
    pub settings: Settings,
}

impl BackgroundJob for PriceNeighboursJob {
    fn lane(&self) -> Lane {
        Lane::Tuning
    }

    /// Answers with [`Answer::NeighboursPriced`]. The answer has no neighbours if the packer of the scope cannot be
    /// made.
    fn run(&self, tools: &JobTools, host: &mut dyn JobHost) {
        let index = &self.catalog.index;
        let packer = tools.packers.packer(index, packer_key(self.curve_request), &self.overrides);
        let neighbours = packer.map(|packer| Neighbours::of(&packer, index, &self.settings)).unwrap_or_default();
        host.send(Answer::NeighboursPriced { ticket: self.ticket, neighbours: Box::new(neighbours) });
    }
}
