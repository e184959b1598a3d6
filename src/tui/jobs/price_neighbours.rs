//! Computes how the stub would change if the present setting moved by one notch.

use std::sync::Arc;

use apidisc::overrides::Overrides;

use super::packer_key;
use crate::{
    live::PackerCache,
    tui::{
        message::Message,
        model::{
            Catalog, Settings,
            tuning::{CurveRequest, Neighbours},
        },
    },
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

/// Answers with [`Message::NeighboursPriced`]. The answer has no neighbours if the packer of the scope cannot be made.
pub fn price_neighbours(packers: &PackerCache, job: &PriceNeighboursJob) -> Message {
    let index = &job.catalog.index;
    let packer = packers.packer(index, packer_key(job.curve_request), &job.overrides);
    let neighbours = packer.map(|packer| Neighbours::of(&packer, index, &job.settings)).unwrap_or_default();
    Message::NeighboursPriced { ticket: job.ticket, neighbours: Box::new(neighbours) }
}
