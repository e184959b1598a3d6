//! The words of `discover` for searches in other things than an index: one vocabulary of stems and synonyms for all.

use super::{intent::Intent, stems::Stems};
use crate::terms::{Alternative, words};

/// Calls `search` with the words of a query, each with its synonyms.
pub(crate) fn with_query<T>(query: &str, search: impl FnOnce(&[Vec<Alternative<'_>>]) -> T) -> T {
    search(&Intent::new(query).query())
}

/// The letters and digits of a text in lower case, as names are compared.
pub(crate) fn folded_name(text: &str) -> String {
    super::intent::folded(text)
}

/// Makes stems of the words of texts.
#[derive(Default)]
pub(crate) struct TextStems(Stems);

impl TextStems {
    /// Calls `add` with the stem of each word of a text.
    pub(crate) fn of(&mut self, text: &str, mut add: impl FnMut(&str)) {
        words(text).for_each(|word| add(self.0.of(&word)));
    }
}
