//! A symbol in a list, as data and as a line of text.

use std::fmt::Write as _;

use serde::Serialize;

use super::{SymbolTable, ranking::RankedSymbol, symbol_hash};
use apidisc_base::{language::QualifiedName, shorten, unprintable::escaped_line};
use apidisc_facts::program::DefinitionId;
use apidisc_indexing::usage::Uses;
use apidisc_stubs::stub::uses_in_words;

/// The greatest number of characters of a summary in a line.
const MAX_SUMMARY_CHARS: usize = 100;

/// A symbol in the answer of a search or of a list.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SymbolHit {
    /// The hash of the symbol.
    pub hash: String,
    /// The fully qualified name.
    pub fqn: String,
    /// The shortest public name.
    pub alias: String,
    /// The kind, such as `class`.
    pub kind: &'static str,
    /// The path of the file; `None` if the index does not have it, and for what calls show of a package that cannot be
    /// read.
    pub path: Option<String>,
    /// The line of the name, from 1.
    pub line: u32,
    /// The number of calls.
    pub calls: u32,
    /// The number of reads.
    pub reads: u32,
    /// The first line of the documentation.
    pub summary: Option<String>,
    /// The score from 0 to 1, relative to the best hit: for a query by match and use, in a list by use alone.
    pub score: f64,
    /// The last part of the FQN, if the last part of `name` differs.
    #[serde(skip)]
    defined_as: Option<String>,
    /// The shortest name by which [`SymbolTable::find`] finds the symbol.
    #[serde(skip)]
    pub(super) name: String,
}

impl SymbolHit {
    pub(super) fn new(table: &SymbolTable, RankedSymbol { id, score }: RankedSymbol) -> Self {
        let index = table.index();
        let definition = index.definition(id);
        let path = index.source_of(definition).map(|file| file.path.to_string());
        let name = table.name_of(id);
        let public_name = QualifiedName::new(name, definition.language).container_and_name().1;
        Self {
            hash: symbol_hash(&definition.fqn),
            fqn: definition.fqn.to_string(),
            alias: definition.alias.to_string(),
            kind: definition.kind.word(),
            path,
            line: definition.place.line,
            calls: definition.usage.total_calls,
            reads: definition.usage.total_reads,
            summary: definition.summary.as_ref().map(ToString::to_string),
            score: (score * 1_000.0).round() / 1_000.0,
            defined_as: (public_name != definition.name).then(|| definition.name.to_string()),
            name: name.to_string(),
        }
    }

    /// The symbol with a score, as in the hits of a search.
    pub(crate) fn with_score(table: &SymbolTable, id: DefinitionId, score: f64) -> Self {
        Self::new(table, RankedSymbol { id, score })
    }

    /// The line of a symbol, without a line break: name, kind, place, uses and summary.
    pub(crate) fn line(&self) -> String {
        let mut line = self.title();
        if let Some(summary) = self.summary.as_deref().map(shortened).filter(|summary| !summary.is_empty()) {
            let _ = write!(line, ": {}", escaped_line(&summary));
        }
        line
    }

    /// Name, kind, place and uses.
    pub(super) fn title(&self) -> String {
        let mut line = escaped_line(&self.name).into_owned();
        if let Some(name) = &self.defined_as {
            let _ = write!(line, " ({})", escaped_line(name));
        }
        let _ = write!(line, " {}", self.kind);
        if let Some(path) = &self.path {
            let _ = write!(line, " {}:{}", escaped_line(path), self.line);
        }
        let uses = Uses { calls: self.calls, reads: self.reads };
        if uses.total() > 0 {
            let _ = write!(line, ", {}", uses_in_words(uses));
        }
        line
    }
}

/// The first sentence of a summary, cut at a word if it is long.
fn shortened(summary: &str) -> String {
    let sentence = summary.split_once(". ").map_or(summary, |(sentence, _)| sentence).trim_end_matches('.');
    shorten::to_words(sentence, MAX_SUMMARY_CHARS, "...")
}
