//! The filters of lists of symbols: by kind and by module.

use super::{AnswerError, SymbolTable};
use apidisc_base::language::QualifiedName;
use apidisc_facts::program::{DefinitionId, DefinitionKind};
use apidisc_indexing::index::Scope;

/// A filter by kind and module.
#[derive(Debug)]
pub(super) struct SymbolFilter {
    kind: Option<DefinitionKind>,
    /// The FQN of the module or definition that contains the symbols.
    within: Option<String>,
}

impl SymbolFilter {
    /// The filter for a kind and a module as a request names them. `None` filters nothing.
    ///
    /// # Errors
    /// [`AnswerError`] if a word or a module is unknown.
    pub(super) fn new(table: &SymbolTable, kind: Option<&str>, module: Option<&str>) -> Result<Self, AnswerError> {
        let module = module.map(str::trim).filter(|module| !module.is_empty());
        let within = match module.map(|module| table.index().scope(Some(module), None)).transpose()? {
            None | Some(Scope::Repository) => None,
            Some(Scope::Module(id)) => Some(table.index().module(id).fqn.to_string()),
            Some(Scope::Definition(id)) => Some(table.index().definition(id).fqn.to_string()),
        };
        Ok(Self { kind: kind.map(kind_named).transpose()?.flatten(), within })
    }

    /// True if a symbol passes the filter. The kind `method` includes class methods and static methods.
    pub(super) fn passes(&self, table: &SymbolTable, id: DefinitionId) -> bool {
        use DefinitionKind::{ClassMethod, Method, StaticMethod};
        let definition = table.index().definition(id);
        let is_kind = |kind: DefinitionKind| {
            definition.kind == kind || kind == Method && matches!(definition.kind, ClassMethod | StaticMethod)
        };
        let is_below = |within: &String| {
            let mut names = [&definition.fqn, &definition.alias].into_iter().chain(&definition.aliases);
            names.any(|name| QualifiedName::new(name, definition.language).is_below(within))
        };
        self.kind.is_none_or(is_kind) && self.within.as_ref().is_none_or(is_below)
    }
}

/// The kind that a word names; `None`, which filters nothing, for an empty word, `all` and `*`.
fn kind_named(word: &str) -> Result<Option<DefinitionKind>, AnswerError> {
    let given = word.trim().to_lowercase();
    if given.is_empty() || given == "all" || given == "*" {
        return Ok(None);
    }
    let found = DefinitionKind::ALL.into_iter().find(|kind| kind.word() == given);
    found.map(Some).ok_or_else(|| AnswerError::UnknownWord {
        name: "kind",
        given: word.to_owned(),
        known: DefinitionKind::ALL.map(DefinitionKind::word).to_vec(),
    })
}
