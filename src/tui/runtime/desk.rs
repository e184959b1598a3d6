//! What has been counted for the scopes that a person looks at, shared by the threads that cut stubs, so that a notch
//! of the budget costs milliseconds.

use std::sync::{Arc, Mutex, PoisonError};

use crate::tui::{catalog::Catalog, model::tuning::CurveRequest};
use apidisc::{
    delivery::{DeliveryError, Packer},
    overrides::Overrides,
    tokens::Tokenizer,
};

/// Scopes that are kept: going back and forth between a module and its symbols costs nothing.
const KEPT: usize = 8;
/// Definitions in them, beside those of the last: a large scope takes some hundred bytes each.
const DEFINITIONS: usize = 40_000;

/// What is prepared, the last used at the end.
#[derive(Clone, Default)]
pub(super) struct Desk(Arc<Mutex<Vec<Prepared>>>);

type Prepared = (CurveRequest, Arc<Packer>);

impl Desk {
    /// What cuts the stubs of a scope; made where it is not there yet, once, whoever asks.
    pub(super) fn packer(
        &self,
        catalog: &Catalog,
        ground: CurveRequest,
        overrides: &Overrides,
    ) -> Result<Arc<Packer>, DeliveryError> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // What belongs to an older index would only keep that in memory.
        kept.retain(|(other, _)| other.generation == ground.generation);
        let packer = if let Some(place) = kept.iter().position(|(other, _)| *other == ground) {
            kept.remove(place).1
        } else {
            let tokenizer = Tokenizer::load(ground.encoding);
            Arc::new(Packer::tuned(&catalog.index, ground.scope, overrides, &tokenizer)?)
        };
        let definitions = |kept: &[Prepared]| kept.iter().map(|(_, packer)| packer.definitions()).sum::<usize>();
        while kept.len() == KEPT || definitions(&kept) > DEFINITIONS {
            kept.remove(0);
        }
        kept.push((ground, Arc::clone(&packer)));
        Ok(packer)
    }
}
