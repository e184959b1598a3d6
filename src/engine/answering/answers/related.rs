//! The symbols that code often calls before and after a symbol.

use serde::Serialize;

use super::SymbolTable;
use crate::recipes;
use apidisc_base::unprintable::escaped_line;
use apidisc_facts::program::DefinitionId;

/// A symbol that code calls before or after another one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Related {
    /// `often_before` or `often_after`.
    pub relation: &'static str,
    /// The name of the symbol.
    pub name: String,
}

impl Related {
    /// The symbols that code often calls before and after a symbol.
    pub(crate) fn of(symbols: &SymbolTable, id: DefinitionId) -> Vec<Self> {
        let recipes::CallsAround { often_before, often_after } = recipes::related(symbols.index(), id);
        let named = |relation| move |id: DefinitionId| Self { relation, name: symbols.name_of(id).to_string() };
        let before = often_before.into_iter().map(named("often_before"));
        before.chain(often_after.into_iter().map(named("often_after"))).collect()
    }

    /// The relation and the name as words of a line: `often before net.Client`.
    pub fn words(&self) -> String {
        format!("{} {}", self.relation.replace('_', " "), escaped_line(&self.name))
    }
}
