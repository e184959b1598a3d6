//! Finds out what one notch less and one notch more of the present setting would change.

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

/// A setting whose neighbours are wanted. A newer job replaces it.
#[derive(Clone, Debug)]
pub struct PriceNeighboursJob {
    /// Comes back with the answer.
    pub ticket: u64,
    /// The index.
    pub catalog: Arc<Catalog>,
    /// The part of the index, and how it is counted.
    pub ground: CurveRequest,
    /// What is pinned and banned.
    pub overrides: Arc<Overrides>,
    /// The present setting.
    pub settings: Settings,
}

/// Answers with [`Message::NeighboursPriced`]; without neighbours where the scope cannot be packed.
pub fn price_neighbours(packers: &PackerCache, job: &PriceNeighboursJob) -> Message {
    let index = &job.catalog.index;
    let packer = packers.packer(index, packer_key(job.ground), &job.overrides);
    let neighbours = packer.map(|packer| Neighbours::of(&packer, index, &job.settings)).unwrap_or_default();
    Message::NeighboursPriced { ticket: job.ticket, neighbours: Box::new(neighbours) }
}
