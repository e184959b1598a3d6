//! The settings beside the present one: what they cost, and how their stubs differ from the present one.

use crate::tui::model::Settings;
use apidisc::{
    delivery::{Delivery, DeliveryError, Difference, Format, Packer, difference},
    index::Index,
    strategy::Strategy,
};

/// What a stub takes and gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StubSize {
    /// Tokens of the delivery.
    pub tokens: usize,
    /// Calls that can be written from it.
    pub covered: u32,
}

/// A setting beside the present one.
#[derive(Clone, Debug, PartialEq)]
pub struct Neighbour {
    /// Which.
    pub strategy: Strategy,
    /// Its stub, or why there is none.
    pub result: Result<StubSize, DeliveryError>,
    /// What the present stub has and its own lacks. A smaller one may bring something, too: what fits better now.
    pub loses: Difference,
    /// What its stub has and the present one lacks.
    pub gains: Difference,
}

/// The settings beside the present one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Neighbours {
    /// The present stub; nothing where there is none.
    pub here: Option<StubSize>,
    /// A notch that shows less; nothing at the end of the scale.
    pub less: Option<Neighbour>,
    /// A notch that shows more; nothing at the end of the scale.
    pub more: Option<Neighbour>,
}

impl Neighbours {
    /// Cuts the three stubs. That takes as long as three deliveries: do it off the drawing thread.
    pub fn of(packer: &Packer, index: &Index, settings: &Settings) -> Self {
        let cut = |strategy: Strategy| packer.deliver(&strategy, Format::Stub);
        let here = cut(settings.strategy).ok();
        let step = |is_more: bool| {
            let strategy = settings.neighbour(is_more)?;
            let there = cut(strategy);
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
    StubSize { tokens: delivery.tokens, covered: delivery.covered_calls }
}
