//! Which definitions each module lists, worked out once an index: walking through modules then costs nothing.

use std::{cmp::Reverse, sync::Arc};

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use apidisc::{
    index::{Index, Scope},
    language::QualifiedName,
    program::{DefinitionId, ModuleId},
};

/// Definitions at module level by scope, most called first.
pub(super) struct Listing {
    repository: Arc<[DefinitionId]>,
    /// By module: what [`Index::members`] says.
    public: Vec<Arc<[DefinitionId]>>,
    /// Private ones too, of all modules.
    all: Vec<DefinitionId>,
}

impl Listing {
    pub(super) fn new(index: &Index) -> Self {
        let mut all: Vec<DefinitionId> =
            index.definitions_with_ids().filter(|(_, d)| d.parent.is_none()).map(|(id, _)| id).collect();
        all.sort_by_key(|id| {
            let definition = index.definition(*id);
            (Reverse(definition.usage.total_calls), &definition.fqn)
        });
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
                homes.extend(QualifiedName::new(name, definition.language).containers().filter_map(|prefix| modules.get(prefix).copied()));
            }
            homes.sort_unstable();
            homes.dedup();
            for home in homes {
                public[home.index()].push(*id);
            }
        }
        Self {
            repository: index.members(Scope::Repository).into(),
            public: public.into_iter().map(Into::into).collect(),
            all,
        }
    }

    /// The public ones.
    pub(super) fn public(&self, scope: Scope) -> Arc<[DefinitionId]> {
        match scope {
            Scope::Repository => Arc::clone(&self.repository),
            Scope::Module(id) => Arc::clone(&self.public[id.index()]),
            Scope::Definition(id) => Arc::new([id]),
        }
    }

    /// Everything that is defined in the modules that `holds` accepts.
    pub(super) fn all(&self, index: &Index, holds: impl Fn(ModuleId) -> bool) -> Arc<[DefinitionId]> {
        self.all.iter().copied().filter(|id| holds(index.definition(*id).module)).collect()
    }
}
