//! The text of one node, in the parts that are shown or not, and what they cost.

use std::sync::OnceLock;

use super::{needs::Need, renderer::Callable};
use crate::tokens::Tokenizer;

/// Whole lines. Their tokens are counted when they are first asked for: what is only written needs no count.
#[derive(Clone, Debug, Default)]
pub(crate) struct Piece {
    pub(crate) text: Box<str>,
    tokens: OnceLock<u32>,
}

impl Piece {
    pub(crate) fn new(text: String) -> Self {
        Self { text: text.into(), tokens: OnceLock::new() }
    }

    pub(crate) fn tokens(&self, tokenizer: &Tokenizer) -> usize {
        let count = || if self.text.is_empty() { 0 } else { tokenizer.count_line(&self.text) as u32 };
        *self.tokens.get_or_init(count) as usize
    }
}

/// The text of a node.
#[derive(Debug, Default)]
pub(crate) struct Pieces {
    /// Before everything else; of an attribute or constant, everything.
    pub(crate) head: Piece,
    pub(crate) docstring: Option<Piece>,
    /// After everything else.
    pub(crate) foot: Piece,
    /// The types that its head names; those of its body are the callable's.
    pub(crate) needs: Vec<Need>,
    /// Made when it is first asked for: the first line of a class is often all that is shown of it.
    pub(super) body: OnceLock<Body>,
}

/// How a node goes on after its head.
#[derive(Debug)]
pub(crate) enum Body {
    /// Not at all.
    None,
    /// With what is called.
    Callable(Box<Callable>),
    /// A class whose constructor is not known.
    Opaque(Piece),
}
