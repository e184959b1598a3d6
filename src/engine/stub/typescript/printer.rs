//! Reads the tokens of a type and prints as it goes.

use arcstr::ArcStr;
use compact_str::CompactString;

use super::{
    generics::Bound,
    lexer::{Token, tokens},
    names::Names,
};
use crate::{program::DefinitionId, stub::needs::Need};

/// Longer text is not worth its tokens.
pub(super) const LONGEST: usize = 500;
/// Types nested deeper are refused.
const DEEPEST: usize = 24;

/// What the names in a text mean.
#[derive(Clone, Copy, Debug)]
pub(super) struct World<'a> {
    pub(super) names: &'a Names,
    /// Of the definition whose text it is.
    pub(super) type_names: &'a [(ArcStr, Option<DefinitionId>)],
    /// Type parameters around the text.
    pub(super) bound: &'a [Bound],
    /// Names of types in the namespaces around it: they hide those of the same name.
    pub(super) hidden: &'a [CompactString],
    /// `this` can be said.
    pub(super) has_this: bool,
    /// The alias whose right-hand side it is.
    pub(super) alias: Option<u32>,
}

/// A type as it is printed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Printed {
    pub(super) text: String,
    /// What must be declared for it.
    pub(super) needs: Vec<Need>,
    /// Which of the following it is.
    pub(super) shape: Shape,
    /// It names what may be declared with less than it has, or a type parameter that may have lost its constraint.
    pub(super) is_lossy: bool,
}

/// What matters of a type where something else is made of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Shape {
    /// An array or a tuple.
    Array,
    /// `any`, written or in the place of something else.
    Any,
    /// A type that every file knows, without arguments.
    Global,
    /// A type parameter that is as it was written.
    Bound,
    /// A type parameter whose constraint is gone.
    Loose,
    /// A definition of the sources.
    Named,
    /// Something else.
    #[default]
    Other,
}

/// Reads tokens and prints as it goes; what was printed of a part can be taken back.
pub(super) struct Printer<'a> {
    pub(super) world: World<'a>,
    pub(super) tokens: Vec<Token<'a>>,
    pub(super) at: usize,
    pub(super) out: String,
    pub(super) needs: Vec<Need>,
    pub(super) bound: Vec<Bound>,
    /// What `infer` has named in the clause that is read.
    pub(super) inferred: Vec<Bound>,
    /// Clauses after `extends` around the present place.
    pub(super) clauses: usize,
    pub(super) depth: usize,
    /// Braces, brackets and functions around the present place.
    pub(super) within: usize,
    /// Braces around it: there is no `this` in them.
    pub(super) literals: usize,
    /// Names of definitions that may be declared with less than they have.
    pub(super) pruned: usize,
    /// Names of type parameters whose constraint is gone.
    pub(super) loose: usize,
    /// Parts that became `any`.
    pub(super) replaced: usize,
    pub(super) shape: Shape,
}

/// A place to go back to.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    pub(super) out: usize,
    pub(super) needs: usize,
    pub(super) inferred: usize,
}

impl<'a> Printer<'a> {
    pub(super) fn new(text: &'a str, world: World<'a>) -> Option<Self> {
        Some(Self {
            tokens: tokens(text)?,
            at: 0,
            out: String::new(),
            needs: Vec::new(),
            bound: world.bound.to_vec(),
            inferred: Vec::new(),
            clauses: 0,
            depth: 0,
            within: 0,
            literals: 0,
            pruned: 0,
            loose: 0,
            replaced: 0,
            shape: Shape::Other,
            world,
        })
    }

    pub(super) fn finish(self) -> Option<Printed> {
        let is_whole = self.at == self.tokens.len() && !self.out.is_empty() && self.out.len() <= LONGEST;
        let is_lossy = self.pruned + self.loose > 0;
        is_whole.then_some(Printed { text: self.out, needs: self.needs, shape: self.shape, is_lossy })
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.at == self.tokens.len()
    }

    pub(super) fn peek(&self, ahead: usize) -> Option<Token<'a>> {
        self.tokens.get(self.at + ahead).copied()
    }

    pub(super) fn is_at(&self, sign: &str) -> bool {
        self.peek(0) == Some(Token::Sign(sign))
    }

    pub(super) fn is_at_word(&self, word: &str) -> bool {
        self.peek(0) == Some(Token::Word(word))
    }

    /// Passes a token.
    pub(super) fn at_next(&mut self) {
        self.at += 1;
    }

    /// Parts so far that became something else, and names of type parameters whose constraint is gone.
    pub(super) fn losses(&self) -> usize {
        self.replaced + self.loose
    }

    pub(super) fn skip(&mut self, sign: &str) -> bool {
        let skipped = self.is_at(sign);
        self.at += usize::from(skipped);
        skipped
    }

    pub(super) fn skip_word(&mut self, word: &str) -> bool {
        let skipped = self.is_at_word(word);
        self.at += usize::from(skipped);
        skipped
    }

    /// Takes a sign that must be there and prints it so.
    pub(super) fn expect(&mut self, sign: &str, printed: &str) -> Option<()> {
        self.skip(sign).then(|| self.out.push_str(printed))
    }

    pub(super) fn word(&mut self) -> Option<&'a str> {
        let Some(Token::Word(word)) = self.peek(0) else { return None };
        self.at += 1;
        Some(word)
    }

    /// One past the bracket that closes the one here.
    pub(super) fn after_brackets(&self) -> usize {
        let mut depth = 0_usize;
        for at in self.at..self.tokens.len() {
            match self.tokens[at] {
                Token::Sign("(" | "[" | "{") => depth += 1,
                Token::Sign(")" | "]" | "}") => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return at + 1;
            }
        }
        self.tokens.len()
    }

    pub(super) fn mark(&self) -> Mark {
        Mark { out: self.out.len(), needs: self.needs.len(), inferred: self.inferred.len() }
    }

    /// Takes back what was printed since, and prints `instead`.
    pub(super) fn take_back(&mut self, mark: Mark, instead: &str) {
        self.out.truncate(mark.out);
        self.needs.truncate(mark.needs);
        self.inferred.truncate(mark.inferred);
        self.out.push_str(instead);
        self.replaced += 1;
        self.shape = if instead == "any" { Shape::Any } else { Shape::Other };
    }

    pub(super) fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        self.depth += 1;
        let result = if self.depth <= DEEPEST && self.out.len() <= LONGEST { inner(self) } else { None };
        self.depth -= 1;
        result
    }
}
