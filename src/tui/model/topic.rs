//! Topics: the repository, modules, definitions and arguments. Each of them has a page, and the finder finds them.

use apidisc::{
    index::Scope,
    program::{DefinitionId, ModuleId, Parameter},
    search::SearchTarget,
};

use super::Catalog;

/// Something that has a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Topic {
    /// Everything that was indexed.
    Repository,
    /// A module or package.
    Module(ModuleId),
    /// A definition.
    Definition(DefinitionId),
    /// The parameter at that position of a definition's signature.
    Argument(DefinitionId, u16),
}

impl Topic {
    /// The definition, or the one that the parameter belongs to; `None` for a module or the repository.
    pub fn definition(self) -> Option<DefinitionId> {
        match self {
            Self::Definition(id) | Self::Argument(id, _) => Some(id),
            Self::Repository | Self::Module(_) => None,
        }
    }

    /// The parameter, if the topic is an argument.
    pub fn parameter(self, catalog: &Catalog) -> Option<&Parameter> {
        match self {
            Self::Argument(id, at) => catalog.index.definition(id).signature.as_ref()?.parameters.get(usize::from(at)),
            _ => None,
        }
    }
}

impl From<SearchTarget> for Topic {
    fn from(target: SearchTarget) -> Self {
        match target {
            SearchTarget::Module(id) => Self::Module(id),
            SearchTarget::Definition(id) => Self::Definition(id),
            SearchTarget::Parameter(id, at) => Self::Argument(id, at),
        }
    }
}

impl From<Scope> for Topic {
    fn from(scope: Scope) -> Self {
        match scope {
            Scope::Repository => Self::Repository,
            Scope::Module(id) => Self::Module(id),
            Scope::Definition(id) => Self::Definition(id),
        }
    }
}
