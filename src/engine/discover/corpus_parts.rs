//! The parts of a corpus that an evaluation may hold out.

/// The parts that a corpus has. [`CorpusParts::default`] is all of them. An evaluation leaves out the part from which its
/// questions were made, or it would find its own questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is a part of its own")]
pub struct CorpusParts {
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

impl Default for CorpusParts {
    fn default() -> Self {
        Self { declarations: true, first_sentences: true, callers: true, sections: true, recipes: true }
    }
}
