//! The definitions that each scope lists, computed once per index, so that moving through modules is fast.

use std::{cmp::Reverse, sync::Arc};

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use apidisc_base::language::QualifiedName;
use apidisc_facts::program::{DefinitionId, ModuleId};
use apidisc_indexing::index::{Definition, Index, Scope};

/// Definitions at module level by scope, most called and read first, then by their other uses. The uses of a class
/// include those of its members.
pub(super) struct ScopeLists {
    /// Public definitions of the repository.
    repository: Arc<[DefinitionId]>,
    /// For each module, its public definitions: those of [`Index::members`].
    public: Vec<Arc<[DefinitionId]>>,
    /// Definitions of all modules, private ones too.
    all: Vec<DefinitionId>,
}

impl ScopeLists {
    pub(super) fn new(index: &Index) -> Self {
        let order = |id: &DefinitionId| {
            (Reverse(index.uses_within(*id)), Reverse(index.total_other_uses(*id)), &index.definition(*id).fqn)
        };
        let is_listed = |definition: &Definition| definition.parent.is_none() && index.describes(definition);
        let mut all: Vec<DefinitionId> =
            index.definitions_with_ids().filter(|(_, d)| is_listed(d)).map(|(id, _)| id).collect();
        all.sort_by_cached_key(order);
        let mut repository = index.members(Scope::Repository);
        repository.sort_by_cached_key(order);
        let modules: FxHashMap<&str, ModuleId> =
            index.modules.iter().enumerate().map(|(i, module)| (module.fqn.as_str(), ModuleId::new(i))).collect();
        let mut public: Vec<Vec<DefinitionId>> = vec![Vec::new(); index.modules.len()];
        for id in &all {
            let definition = index.definition(*id);
            if !definition.is_public {
                continue;
            }
            let mut homes: SmallVec<[ModuleId; 8]> = SmallVec::new();
            for name in [&definition.fqn, &definition.alias].into_iter().chain(&definition.aliases) {
                homes.extend(
                    QualifiedName::new(name, definition.language)
                        .containers()
                        .filter_map(|prefix| modules.get(prefix).copied()),
                );
            }
            homes.sort_unstable();
            homes.dedup();
            for home in homes.into_iter().filter(|home| index.may_hold(*home, definition)) {
                public[home.index()].push(*id);
            }
        }
        Self { repository: repository.into(), public: public.into_iter().map(Into::into).collect(), all }
    }

    /// The public definitions of a scope.
    pub(super) fn public(&self, scope: Scope) -> Arc<[DefinitionId]> {
        match scope {
            Scope::Repository => Arc::clone(&self.repository),
            Scope::Module(id) => Arc::clone(&self.public[id.index()]),
            Scope::Definition(id) => Arc::new([id]),
        }
    }

    /// The definitions, private ones too, of the modules for which `is_wanted` is true.
    pub(super) fn all(&self, index: &Index, is_wanted: impl Fn(ModuleId) -> bool) -> Arc<[DefinitionId]> {
        self.all.iter().copied().filter(|id| is_wanted(index.definition(*id).module)).collect()
    }
}
