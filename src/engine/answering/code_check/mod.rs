//! The code in an answer, checked against an index: modules, attributes and parameters that the sources do not have,
//! and arguments that do not fit the parameters.
//!
//! ```
//! use std::sync::Arc;
//! use apidisc::{answers::{Context, SymbolTable}, code_check::check_code, control::Control, indexer};
//! use apidisc::source::{Source, reread};
//!
//! let text = b"def colour(name, *, shade=0): ...\n".to_vec();
//! let files = [("library.py".to_owned(), text.into())].into_iter().collect();
//! let source = Source::Memory { name: "library".to_owned(), files };
//! let index = indexer::build(&source, &mut |_| Control::Continue)?.expect("nobody cancels");
//! let symbols = SymbolTable::new(Arc::new(index));
//! let read = |path: &str| reread(&source, path);
//!
//! let answer = "```python\nfrom library import colour\ncolour('red', tint=1)\n```\n";
//! let mistakes = check_code(&Context::new(&symbols, &read), answer);
//! assert_eq!(mistakes[0].words(), "`library.colour` has no parameter `tint`");
//! # Ok::<(), apidisc::indexer::BuildError>(())
//! ```
//!
//! | file | content |
//! | --- | --- |
//! | `blocks` | a text → its code: fenced blocks, and inline code that is a call |
//! | `words` | whole words in the text of a file |
//! | `checked_index` | an index → what its modules hold |
//! | `classes` | the members of classes, and whether the sources have all of them |
//! | `value` | values in the code of an answer |
//! | `annotations` | an annotation → the objects that it stands for |
//! | `callables` | the parameters of a callable, and the value that it returns |
//! | `calls` | the number and the names of the arguments of a call |
//! | `python`, `typescript` | the code of a language → its mistakes |
//!
//! **Guarantee.** A mistake is reported only if the sources decide it. Nothing is said of names from outside the
//! sources, of values whose class is not certain, of classes with a base, decorator or metaclass from outside, of
//! callables that take `**kwargs` or have a decorator, and of modules or classes whose text contains the name at all. A
//! value of several types has a name if one of them has. Arguments are not counted in inline code, which may be the
//! mere mention of a callable, nor in calls with `...`. A name that several blocks bind, such as the tabs of a page,
//! has in any other block the values of all of them.

mod annotations;
mod blocks;
mod callables;
mod calls;
mod checked_index;
mod classes;
mod python;
#[cfg(test)]
mod tests;
mod typescript;
mod value;
mod words;

use std::collections::BTreeSet;

use serde::Serialize;

use crate::answers::Context;
use apidisc_base::unprintable::escaped_line;
use apidisc_facts::program::DefinitionId;
use apidisc_indexing::{
    index::{Scope, nearest},
    indexer::QuotedFacts,
};
use apidisc_stubs::{
    delivery::{Format, Packer},
    strategy::Strategy,
};
use apidisc_tokens::Tokenizer;
use checked_index::CheckedIndex;

/// A mistake in the code of a text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Mistake {
    /// The line of the text, from 1.
    pub line: u32,
    /// The kind of mistake.
    pub kind: MistakeKind,
    /// The name that is unknown, missing or given twice; for too many arguments, how many there may be.
    pub name: String,
    /// The module, class or callable; several with ` | ` between them, if the value may be any of them.
    pub owner: String,
    /// The definition of the (first) owner; `None` for a module.
    #[serde(skip)]
    pub definition: Option<DefinitionId>,
}

/// The kind of a mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MistakeKind {
    /// A module does not have the name.
    Name,
    /// A class does not have the attribute or method.
    Attribute,
    /// A callable does not have the parameter.
    Parameter,
    /// A call passes more arguments by position than the callable takes.
    TooMany,
    /// A call does not pass a required parameter.
    Missing,
    /// A call passes a parameter by position and by name.
    Twice,
}

impl Mistake {
    /// The mistake in words, on one printable line.
    pub fn words(&self) -> String {
        let (owner, name) = (escaped_line(&self.owner), escaped_line(&self.name));
        match self.kind {
            MistakeKind::Name => format!("`{owner}` has no `{name}`"),
            MistakeKind::Attribute => format!("`{owner}` has no attribute `{name}`"),
            MistakeKind::Parameter => format!("`{owner}` has no parameter `{name}`"),
            MistakeKind::TooMany => format!("`{owner}` takes {name}"),
            MistakeKind::Missing => format!("`{owner}` needs `{name}`"),
            MistakeKind::Twice => format!("`{owner}` gets `{name}` by position and by name"),
        }
    }

    /// True for a mistake in the number of arguments.
    fn is_about_count(&self) -> bool {
        matches!(self.kind, MistakeKind::TooMany | MistakeKind::Missing)
    }
}

/// The mistakes in the code of a text, in the order of lines, each once for its line.
pub fn check_code(context: &Context<'_>, text: &str) -> Vec<Mistake> {
    let known = CheckedIndex::new(context.symbols.index(), context.read);
    let mut found = BTreeSet::new();
    for code in blocks::code_by_language(context.symbols.index(), text) {
        let mistakes = match &code.facts {
            QuotedFacts::Python(facts, places) => python::mistakes(&known, facts, places, &code.starts),
            QuotedFacts::TypeScript(facts) => typescript::mistakes(&known, facts, &code.starts),
        };
        let mistakes = mistakes.into_iter().filter(|it| !it.is_about_count() || !code.is_inline(it.line));
        found.extend(mistakes.map(|it| Mistake { line: code.line(it.line), ..it }));
    }
    found.into_iter().collect()
}

/// The stub of the callable or class of a mistake, in at most `max_tokens` tokens, or the nearest names of
/// the module; empty if there is nothing to say.
pub fn signature(context: &Context<'_>, mistake: &Mistake, max_tokens: usize) -> String {
    let index = context.symbols.index();
    if let Some(id) = mistake.definition {
        let tokenizer = Tokenizer::load(context.encoding);
        let packer = Packer::new(index, Scope::Definition(id), &tokenizer).ok();
        let delivery =
            packer.and_then(|packer| packer.deliver(&Strategy::TokenBudget { max_tokens }, Format::Stub).ok());
        return delivery.map(|delivery| delivery.text).unwrap_or_default();
    }
    let Some(&module) = index.module_names.get(mistake.owner.as_str()) else { return String::new() };
    let exports = index.module(module).exports.iter().map(|(name, id)| (name.as_str(), index.usage(*id).uses()));
    let names = nearest(&mistake.name, exports);
    if names.is_empty() { String::new() } else { format!("The nearest names: {}\n", names.join(", ")) }
}
