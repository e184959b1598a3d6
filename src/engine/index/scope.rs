//! What a person points at: the repository, a module, a definition; and what belongs to it.

use arcstr::ArcStr;
use compact_str::CompactString;

use super::Index;
use crate::source::Origin;
use crate::{
    language::QualifiedName,
    program::{DefinitionId, ModuleId},
};

/// What a stub is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// The public API of everything that was indexed, tests and examples left out.
    Repository,
    /// A module; a package stands for its public API and everything below it, ranked together.
    Module(ModuleId),
    /// One definition.
    Definition(DefinitionId),
}

/// A name that leads nowhere, or to several places.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LookupError {
    /// Nothing has that name.
    #[error("no {what} is called `{name}`{}", suggestion(.nearest))]
    Unknown {
        /// `module` or `definition`.
        what: &'static str,
        /// As it was asked for.
        name: String,
        /// The nearest names, best first.
        nearest: Vec<CompactString>,
    },
    /// Several definitions end in that name.
    #[error("`{name}` could be {}; name one of them in full", .candidates.join(", "))]
    Ambiguous {
        /// As it was asked for.
        name: String,
        /// What it may mean, by public names: the shortest first, of equally long ones the most called.
        candidates: Vec<CompactString>,
    },
}

fn suggestion(nearest: &[CompactString]) -> String {
    if nearest.is_empty() { String::new() } else { format!("; the nearest: {}", nearest.join(", ")) }
}

impl Index {
    /// Definitions that a scope offers as members of a stub, most called first, ties by name.
    ///
    /// Of a module or the repository: public classes, functions and constants at module level, by their own
    /// names or by any other; the repository's without those of tests, examples and documentation. Of a
    /// definition: itself alone.
    pub fn members(&self, scope: Scope) -> Vec<DefinitionId> {
        let mut members: Vec<DefinitionId> = match scope {
            Scope::Definition(id) => return vec![id],
            Scope::Module(module) => {
                let package = self.module(module).fqn.as_str();
                let lies_in = |id| {
                    self.definition_names(id)
                        .any(|name| QualifiedName::new(name, self.definition(id).language).is_below(package))
                };
                self.public_ids().filter(|&id| lies_in(id)).collect()
            }
            Scope::Repository => self.public_ids().filter(|&id| self.origin(id) == Origin::Src).collect(),
        };
        members.sort_by(|&a, &b| {
            let (a, b) = (self.definition(a), self.definition(b));
            b.usage.total_calls.cmp(&a.usage.total_calls).then_with(|| a.fqn.cmp(&b.fqn))
        });
        members
    }

    /// Public definitions at module level.
    fn public_ids(&self) -> impl Iterator<Item = DefinitionId> + '_ {
        self.definitions_with_ids().filter(|(_, d)| d.is_public && d.parent.is_none()).map(|(id, _)| id)
    }

    /// Every name that leads to a definition.
    pub(super) fn definition_names(&self, id: DefinitionId) -> impl Iterator<Item = &ArcStr> {
        let definition = self.definition(id);
        [&definition.fqn, &definition.alias].into_iter().chain(&definition.aliases)
    }

    /// What the file of a definition is for; an index that was read from a file does not know, and holds what
    /// is the library's own.
    pub(super) fn origin(&self, id: DefinitionId) -> Origin {
        self.files.get(self.definition(id).place.file.index()).map_or(Origin::Src, |file| file.origin)
    }
}
