//! The parts of a corpus, of which an evaluation leaves some out.

/// The parts that a corpus has. [`CorpusParts::default`] is all of them. An evaluation whose questions were made from
/// one part, such as the headings of documents, leaves that part out: otherwise each question would find the text it
/// was made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is a part of its own")]
pub struct CorpusParts {
    /// The parameters, types and documentation of declarations.
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
