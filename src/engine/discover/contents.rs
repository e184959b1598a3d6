//! The parts of a corpus that evaluations hold out.

/// The parts of a corpus. [`Contents::default`] is everything; an evaluation leaves out what its questions are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is a part of its own")]
pub struct Contents {
    /// What declarations say beside names: parameters, types, documentation.
    pub declarations: bool,
    /// The first sentence of each documentation.
    pub first_sentences: bool,
    /// The names of the functions and tests that call a symbol.
    pub callers: bool,
    /// The sections of documents.
    pub sections: bool,
    /// The recipes.
    pub recipes: bool,
}

impl Default for Contents {
    fn default() -> Self {
        Self { declarations: true, first_sentences: true, callers: true, sections: true, recipes: true }
    }
}
