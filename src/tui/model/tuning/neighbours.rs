//! The neighbours of the present setting: their costs, and the differences between their stubs and the present one.

use crate::tui::model::Settings;
use apidisc::{
    delivery::{Delivery, DeliveryError, Difference, Format, Packer, difference},
    index::Index,
    strategy::Strategy,
    usage::Uses,
};

/// The size of a stub.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StubSize {
    /// The tokens of its delivery.
    pub tokens: usize,
    /// The calls and reads that the stub covers.
    pub covered: Uses,
}

/// A setting one notch away.
#[derive(Clone, Debug, PartialEq)]
pub struct Neighbour {
    /// The strategy with its parameter.
    pub strategy: Strategy,
    /// The size of the neighbour's stub, or the reason why it cannot be made.
    pub result: Result<StubSize, DeliveryError>,
    /// The content of the present stub that the neighbour's stub lacks. Even a larger stub may lack something, since
    /// another selection may fill the budget better.
    pub loses: Difference,
    /// The content of the neighbour's stub that the present stub lacks.
    pub gains: Difference,
}

/// Both neighbours.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Neighbours {
    /// The size of the present stub; `None` if it cannot be made.
    pub here: Option<StubSize>,
    /// The neighbour that shows less; `None` at the end of the scale.
    pub less: Option<Neighbour>,
    /// The neighbour that shows more; `None` at the end of the scale.
    pub more: Option<Neighbour>,
}

impl Neighbours {
    /// Makes the three stubs and compares them. This takes as long as three deliveries, so it runs on a worker.
    pub fn of(packer: &Packer, index: &Index, settings: &Settings) -> Self {
        let deliver = |strategy: Strategy| packer.deliver_in(settings.style(), &strategy, Format::Stub);
        let here = deliver(settings.strategy).ok();
        let step = |is_more: bool| {
            let strategy = settings.neighbour(is_more)?;
            let there = deliver(strategy);
            let between = |with: &Delivery, without: &Delivery| difference(index, with, without);
            let (loses, gains) = match (&here, &there) {
                (Some(here), Ok(there)) => (between(here, there), between(there, here)),
                _ => Default::default(),
            };
            Some(Neighbour { strategy, result: there.map(|there| size(&there)), loses, gains })
        };
        Self { here: here.as_ref().map(size), less: step(false), more: step(true) }
    }
}

fn size(delivery: &Delivery) -> StubSize {
    StubSize { tokens: delivery.tokens, covered: delivery.covered() }
}
