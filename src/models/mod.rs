//! Models of word vectors that a user brings, for searches by intent.
//!
//! | file | content |
//! | --- | --- |
//! | `model2vec` | a model in the form of Model2Vec: a vector for each token of a tokenizer |
//! | `float` | numbers of a tensor |

mod float;
mod model2vec;
#[cfg(test)]
mod tests;

use std::{path::Path, sync::Arc};

use anyhow::Context as _;
use apidisc::discover::{WordModel, built_in_model};

use self::model2vec::Model2Vec;

/// The model in a folder; without a folder, the model that is part of the program.
///
/// # Errors
/// If the folder has no usable model. The message describes the mistake and its remedy, and names `--model`.
pub fn open(folder: Option<&Path>) -> anyhow::Result<Arc<dyn WordModel>> {
    let Some(folder) = folder else { return Ok(built_in_model()) };
    read(folder).with_context(|| format!("--model {}", folder.display()))
}

/// The model in a folder.
///
/// # Errors
/// If the folder has no model that can be used. The message does not name the folder.
pub fn read(folder: &Path) -> anyhow::Result<Arc<dyn WordModel>> {
    Ok(Arc::new(Model2Vec::open(folder)?))
}
