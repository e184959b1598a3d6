//! Scopes: the repository, a module or one definition, and the members of each.

use arcstr::ArcStr;
use compact_str::CompactString;

use super::Index;
use apidisc_base::{language::QualifiedName, sort::SharedSort as _};
use apidisc_facts::{
    program::{DefinitionId, ModuleId},
    source::Origin,
};

/// The part of an index that a stub shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// The public API of all sources. It is made of the public definitions in the library's own files. Not part of it
    /// are:
    ///
    /// - tests, examples and documentation;
    /// - auxiliary files: scripts, settings of tools, vendored and generated code, utilities of tests, packages that
    ///   are never published, and old major versions beside newer ones. A definition in such a file is part of the API
    ///   if a file of the library offers it under a name of its own. If a repository has nothing else, auxiliary files
    ///   are its API;
    /// - internal files: those that the `exports` of a package leave out. A definition in such a file is part of the
    ///   API if a file of the library offers it, if an example or document uses it or a member of it, or if a test uses
    ///   a member of it.
    ///
    /// In an index of packages, all public definitions of the packages.
    Repository,
    /// The public API of a module and of all modules below it, ranked together.
    Module(ModuleId),
    /// One definition.
    Definition(DefinitionId),
}

/// The error for a name that no definition or module has, or that several of them have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LookupError {
    /// Nothing has this name.
    #[error("no {what} is called `{name}`{}", suggestion(.nearest))]
    Unknown {
        /// `module` or `definition`.
        what: &'static str,
        /// The name as it was given.
        name: String,
        /// The nearest names, best first.
        nearest: Vec<CompactString>,
    },
    /// Several definitions or modules have names that end in this name.
    #[error("`{name}` could be {}; name one of them in full", .candidates.join(", "))]
    Ambiguous {
        /// The name as it was given.
        name: String,
        /// The names of the first few candidates. Modules: most used first. Definitions: names with the fewest parts
        /// first, ties by the number of uses.
        candidates: Vec<CompactString>,
        /// The definition that is used far more than all others: see [`Index::scope_meant`].
        leader: Option<DefinitionId>,
    },
}

fn suggestion(nearest: &[CompactString]) -> String {
    if nearest.is_empty() { String::new() } else { format!("; the nearest: {}", nearest.join(", ")) }
}

impl Index {
    /// The definitions that a scope offers as members of a stub, most used first; ties by FQN.
    ///
    /// - [`Scope::Repository`]: the public top-level definitions that belong to the API of the repository.
    /// - [`Scope::Module`]: the public top-level definitions with at least one name in the module or below it.
    /// - [`Scope::Definition`]: that definition alone.
    pub fn members(&self, scope: Scope) -> Vec<DefinitionId> {
        let mut members: Vec<DefinitionId> = match scope {
            Scope::Definition(id) => return vec![id],
            Scope::Module(module) => {
                let package = self.module(module).fqn.as_str();
                let is_in_package = |id| {
                    self.definition_names(id)
                        .any(|name| QualifiedName::new(name, self.definition(id).language).is_below(package))
                };
                let may_be_in = |id| self.may_hold(module, self.definition(id));
                self.public_ids().filter(|&id| is_in_package(id) && may_be_in(id)).collect()
            }
            Scope::Repository => self.public_api(),
        };
        members.shared_sort_by(|&a, &b| {
            let (a, b) = (self.definition(a), self.definition(b));
            b.usage.uses().cmp(&a.usage.uses()).then_with(|| a.fqn.cmp(&b.fqn))
        });
        members
    }

    /// The uses of a definition and of everything in it: those of a class with the uses of its members.
    pub fn uses_within(&self, id: DefinitionId) -> u32 {
        let mut uses: u32 = 0;
        let mut waiting = vec![id];
        while let Some(id) = waiting.pop() {
            uses = uses.saturating_add(self.definition(id).usage.uses());
            waiting.extend(self.members_of(id));
        }
        uses
    }

    /// The public definitions at module level.
    pub(super) fn public_ids(&self) -> impl Iterator<Item = DefinitionId> + '_ {
        self.definitions_with_ids().filter(|(_, d)| d.is_public && d.parent.is_none()).map(|(id, _)| id)
    }

    /// All names of a definition. Names may repeat.
    pub(super) fn definition_names(&self, id: DefinitionId) -> impl Iterator<Item = &ArcStr> {
        let definition = self.definition(id);
        [&definition.fqn, &definition.alias].into_iter().chain(&definition.aliases)
    }

    /// The origin of a definition's file. An index without files has [`Origin::Src`] for all definitions.
    pub(super) fn origin(&self, id: DefinitionId) -> Origin {
        self.files.get(self.definition(id).place.file.index()).map_or(Origin::Src, |file| file.origin)
    }
}
