//! Models of word vectors: the trait [`WordModel`], and the built-in model.

use std::{
    fmt::Debug,
    sync::{Arc, LazyLock},
};

use super::word_vectors::WordVectors;
use apidisc_base::hash::ContentHash;

/// A table or function with a vector for each word that it knows. Words of similar meaning have vectors of similar
/// directions (word embeddings).
pub trait WordModel: Debug + Send + Sync {
    /// The number of values of a vector, at least 1.
    fn dimensions(&self) -> usize;

    /// A hash that differs between two models that give a word different vectors.
    fn id(&self) -> ContentHash;

    /// Adds `factor` times the vector of a word in lower case to `sum`, which has as many values as the model has
    /// dimensions. The length of a vector is the weight of the word in a text. Returns false if the model does not know
    /// the word.
    fn add(&self, word: &str, factor: f32, sum: &mut [f32]) -> bool;
}

/// The model that comes with the program: the table `words.table`.
pub fn built_in_model() -> Arc<dyn WordModel> {
    static MODEL: LazyLock<Arc<WordVectors>> = LazyLock::new(|| {
        let bytes = include_bytes!("words.table");
        match WordVectors::parse(bytes) {
            Ok(table) => Arc::new(table),
            Err(why) => unreachable!("the build has read the table of words: {why}"),
        }
    });
    Arc::<WordVectors>::clone(&MODEL)
}
