//! The code in an answer, checked against an index: modules, attributes and parameters that the sources do not have.
//!
//! ```
//! use std::sync::Arc;
//! use apidisc::{answers::{Context, SymbolTable}, code_check::check_code, control::Control, indexer, source::{Source, reread}};
//!
//! let files = [("library.py".to_owned(), b"def colour(name, *, shade=0): ...\n".to_vec().into())].into_iter().collect();
//! let source = Source::Memory { name: "library".to_owned(), files };
//! let index = indexer::build(&source, &mut |_| Control::Continue)?.expect("nobody cancels");
//! let symbols = SymbolTable::new(Arc::new(index));
//! let read = |path: &str| reread(&source, path);
//!
//! let answer = "```python\nfrom library import colour\ncolour('red', tint=1)\n```\n";
//! let unknown = check_code(&Context::new(&symbols, &read), answer);
//! assert_eq!(unknown[0].words(), "`library.colour` has no parameter `tint`");
//! # Ok::<(), apidisc::indexer::BuildError>(())
//! ```
//!
//! | file | content |
//! | --- | --- |
//! | `blocks` | a text → its code: fenced blocks, and inline code that is a call |
//! | `words` | whole words in the text of a file |
//! | `known` | an index → what its modules hold |
//! | `classes` | the members of classes, and whether the sources have all of them |
//! | `callables` | the parameters of a callable, and the value that it returns |
//! | `python`, `typescript` | the code of a language → the names that its sources do not have |
//!
//! **Guarantee.** A name is reported only if the sources decide it. Nothing is said of names from outside the sources, of
//! values whose class is not certain, of classes with a base, decorator or metaclass from outside, of callables that take
//! `**kwargs` or have a decorator, and of modules or classes whose text contains the name at all.

mod blocks;
mod callables;
mod classes;
mod known;
mod python;
#[cfg(test)]
mod tests;
mod typescript;
mod words;

use std::collections::BTreeSet;

use serde::Serialize;

use crate::{
    answers::Context,
    delivery::{Format, Packer},
    index::{Scope, nearest},
    indexer::QuotedFacts,
    program::DefinitionId,
    strategy::Strategy,
    tokens::Tokenizer,
    unprintable::escaped_line,
};
use known::Known;

/// A name in the code of a text that the sources do not have.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct UnknownName {
    /// The line of the text, from 1.
    pub line: u32,
    /// The kind of name.
    pub kind: UnknownKind,
    /// The name as the code writes it.
    pub name: String,
    /// The module, class or callable that does not have the name.
    pub owner: String,
    /// The definition of the owner; `None` for a module.
    #[serde(skip)]
    pub definition: Option<DefinitionId>,
}

/// The kind of an unknown name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum UnknownKind {
    /// A name in a module.
    Name,
    /// An attribute or method of a class.
    Attribute,
    /// A parameter of a callable.
    Parameter,
}

impl UnknownName {
    /// The finding in words, on one printable line.
    pub fn words(&self) -> String {
        let kind = match self.kind {
            UnknownKind::Name => "",
            UnknownKind::Attribute => "attribute ",
            UnknownKind::Parameter => "parameter ",
        };
        format!("`{}` has no {kind}`{}`", escaped_line(&self.owner), escaped_line(&self.name))
    }
}

/// The names in the code of a text that the sources do not have, in the order of lines, each once for its line.
pub fn check_code(context: &Context<'_>, text: &str) -> Vec<UnknownName> {
    let known = Known::new(context.symbols.index(), context.read);
    let mut found = BTreeSet::new();
    for page in blocks::pages(context.symbols.index(), text) {
        let unknown = match &page.facts {
            QuotedFacts::Python(facts, places) => python::unknown(&known, facts, places),
            QuotedFacts::TypeScript(facts) => typescript::unknown(&known, facts),
        };
        found.extend(unknown.into_iter().map(|name| UnknownName { line: page.line(name.line), ..name }));
    }
    found.into_iter().collect()
}

/// The stub of the callable or class that does not have the name, in at most `max_tokens` tokens, or the nearest names of
/// the module; empty if there is nothing to say.
pub fn signature(context: &Context<'_>, unknown: &UnknownName, max_tokens: usize) -> String {
    let index = context.symbols.index();
    if let Some(id) = unknown.definition {
        let tokenizer = Tokenizer::load(context.encoding);
        let packer = Packer::new(index, Scope::Definition(id), &tokenizer).ok();
        let delivery =
            packer.and_then(|packer| packer.deliver(&Strategy::TokenBudget { max_tokens }, Format::Stub).ok());
        return delivery.map(|delivery| delivery.text).unwrap_or_default();
    }
    let Some(&module) = index.module_names.get(unknown.owner.as_str()) else { return String::new() };
    let exports = index.module(module).exports.iter().map(|(name, id)| (name.as_str(), index.usage(*id).uses()));
    let names = nearest(&unknown.name, exports);
    if names.is_empty() { String::new() } else { format!("The nearest names: {}\n", names.join(", ")) }
}
