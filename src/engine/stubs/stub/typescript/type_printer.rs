//! The state of the type printer: a recursive-descent parser that prints each type as it parses it.

use arcstr::ArcStr;
use compact_str::CompactString;

use super::{
    generics::TypeParameter,
    lexer::{TypeToken, tokens},
    stub_names::StubNames,
};
use crate::stub::node_text::TypeReference;
use apidisc_facts::program::DefinitionId;

/// The greatest length of a printed type in bytes. Longer types are refused: they are not worth their tokens.
const MAX_LENGTH: usize = 500;
/// The greatest nesting depth of types. Types with deeper nesting are refused.
const MAX_NESTING: usize = 24;

/// The scope in which the names of a text are resolved.
#[derive(Clone, Copy, Debug)]
pub(super) struct TypeScope<'a> {
    pub(super) names: &'a StubNames,
    /// The names that the indexer resolved in the texts of the definition.
    pub(super) type_names: &'a [(ArcStr, Option<DefinitionId>)],
    /// The modules from which the sources import the first parts of these names.
    pub(super) type_imports: &'a [(ArcStr, ArcStr)],
    /// The type parameters in scope.
    pub(super) type_parameters: &'a [TypeParameter],
    /// The names of types that the enclosing namespaces declare: they shadow top-level names.
    pub(super) shadowed_names: &'a [CompactString],
    /// True if the type `this` is valid.
    pub(super) allows_this: bool,
    /// The number of the type alias, if the text is its right-hand side.
    pub(super) alias: Option<u32>,
}

/// A printed type.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PrintedType {
    pub(super) text: String,
    /// The types that must be declared for it.
    pub(super) references: Vec<TypeReference>,
    pub(super) shape: TypeShape,
    /// True if the text names a type that may be declared without some members, or a type parameter without its
    /// constraint.
    pub(super) is_lossy: bool,
}

/// The form of a printed type, as far as it decides where another type may contain it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum TypeShape {
    /// An array or a tuple.
    Array,
    /// `any`, written in the sources or in place of another type.
    Any,
    /// A global type without type arguments.
    Global,
    /// A type parameter with its constraint.
    TypeParameter,
    /// A type parameter without its constraint, or `this`.
    UnconstrainedParameter,
    /// A reference to a definition of the sources.
    Definition,
    /// A reference to a type from outside of the sources.
    Outside,
    /// Any other type.
    #[default]
    Other,
}

/// Parses tokens and prints them. The printed text of a part can be rolled back and replaced.
pub(super) struct TypePrinter<'a> {
    pub(super) scope: TypeScope<'a>,
    pub(super) tokens: Vec<TypeToken<'a>>,
    pub(super) position: usize,
    pub(super) output: String,
    pub(super) references: Vec<TypeReference>,
    pub(super) type_parameters: Vec<TypeParameter>,
    /// The type parameters that `infer` declares in the current `extends` clause.
    pub(super) inferred: Vec<TypeParameter>,
    /// Number of `extends` clauses of conditional types around the current position.
    pub(super) extends_depth: usize,
    pub(super) nesting: usize,
    /// Number of object types, tuples and function types around the current position.
    pub(super) enclosing_constructs: usize,
    /// Number of object types around the current position. The type `this` is not valid in an object type.
    pub(super) enclosing_braces: usize,
    /// Number of names of definitions that may be declared without some members.
    pub(super) pruned_references: usize,
    /// Number of names of type parameters without their constraint.
    pub(super) unconstrained_references: usize,
    /// Number of parts that were rolled back and replaced.
    pub(super) replaced_parts: usize,
    pub(super) shape: TypeShape,
}

/// A state of the output to roll back to.
#[derive(Clone, Copy)]
pub(super) struct Checkpoint {
    pub(super) output: usize,
    pub(super) references: usize,
    pub(super) inferred: usize,
    pruned_references: usize,
    unconstrained_references: usize,
}

impl<'a> TypePrinter<'a> {
    pub(super) fn new(text: &'a str, scope: TypeScope<'a>) -> Option<Self> {
        Some(Self {
            tokens: tokens(text)?,
            position: 0,
            output: String::new(),
            references: Vec::new(),
            type_parameters: scope.type_parameters.to_vec(),
            inferred: Vec::new(),
            extends_depth: 0,
            nesting: 0,
            enclosing_constructs: 0,
            enclosing_braces: 0,
            pruned_references: 0,
            unconstrained_references: 0,
            replaced_parts: 0,
            shape: TypeShape::Other,
            scope,
        })
    }

    /// The printed type; `None` unless all tokens were consumed.
    pub(super) fn finish(self) -> Option<PrintedType> {
        let is_whole = self.position == self.tokens.len() && !self.output.is_empty() && self.output.len() <= MAX_LENGTH;
        let is_lossy = self.pruned_references + self.unconstrained_references > 0;
        is_whole.then_some(PrintedType { text: self.output, references: self.references, shape: self.shape, is_lossy })
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.position == self.tokens.len()
    }

    /// The token `ahead` positions after the current one.
    pub(super) fn peek(&self, ahead: usize) -> Option<TypeToken<'a>> {
        self.tokens.get(self.position + ahead).copied()
    }

    pub(super) fn is_at(&self, punctuator: &str) -> bool {
        self.peek(0) == Some(TypeToken::Punctuator(punctuator))
    }

    pub(super) fn is_at_word(&self, word: &str) -> bool {
        self.peek(0) == Some(TypeToken::Word(word))
    }

    /// Consumes a token.
    pub(super) fn advance(&mut self) {
        self.position += 1;
    }

    /// Number of replaced parts and of type parameters without their constraint, so far.
    pub(super) fn losses(&self) -> usize {
        self.replaced_parts + self.unconstrained_references
    }

    /// Consumes a punctuator if it is next. Returns true if it was.
    pub(super) fn accept(&mut self, punctuator: &str) -> bool {
        let is_next = self.is_at(punctuator);
        self.position += usize::from(is_next);
        is_next
    }

    pub(super) fn accept_word(&mut self, word: &str) -> bool {
        let is_next = self.is_at_word(word);
        self.position += usize::from(is_next);
        is_next
    }

    /// Consumes a punctuator that must be next, and prints `printed`.
    pub(super) fn expect(&mut self, punctuator: &str, printed: &str) -> Option<()> {
        self.accept(punctuator).then(|| self.output.push_str(printed))
    }

    pub(super) fn next_word(&mut self) -> Option<&'a str> {
        let Some(TypeToken::Word(word)) = self.peek(0) else { return None };
        self.position += 1;
        Some(word)
    }

    /// The position after the bracket that closes the one at the current position.
    pub(super) fn position_after_brackets(&self) -> usize {
        let mut depth = 0_usize;
        for at in self.position..self.tokens.len() {
            match self.tokens[at] {
                TypeToken::Punctuator("(" | "[" | "{") => depth += 1,
                TypeToken::Punctuator(")" | "]" | "}") => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return at + 1;
            }
        }
        self.tokens.len()
    }

    pub(super) fn checkpoint(&self) -> Checkpoint {
        Checkpoint {
            output: self.output.len(),
            references: self.references.len(),
            inferred: self.inferred.len(),
            pruned_references: self.pruned_references,
            unconstrained_references: self.unconstrained_references,
        }
    }

    /// Removes the text that was printed since the checkpoint, and prints `replacement`.
    pub(super) fn roll_back(&mut self, checkpoint: Checkpoint, replacement: &str) {
        self.output.truncate(checkpoint.output);
        self.references.truncate(checkpoint.references);
        self.inferred.truncate(checkpoint.inferred);
        self.pruned_references = checkpoint.pruned_references;
        self.unconstrained_references = checkpoint.unconstrained_references;
        self.output.push_str(replacement);
        self.replaced_parts += 1;
        self.shape = if replacement == "any" { TypeShape::Any } else { TypeShape::Other };
    }

    /// Runs `inner` one nesting level deeper; `None` if that is too deep or the output too long.
    pub(super) fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        self.nesting += 1;
        let result = if self.nesting <= MAX_NESTING && self.output.len() <= MAX_LENGTH { inner(self) } else { None };
        self.nesting -= 1;
        result
    }
}
