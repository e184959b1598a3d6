//! An index in display order: lists of modules and definitions, computed once per index.

use std::{
    cmp::Reverse,
    fmt,
    sync::{Arc, OnceLock},
};

use rustc_hash::FxHashMap;

use super::scope_lists::ScopeLists;
use crate::types::TypeTable;
use apidisc_base::language::{Language, QualifiedName};
use apidisc_base::sort::SharedSort as _;
use apidisc_facts::{
    program::{DefinitionId, DefinitionKind, ModuleId},
    source::Origin,
};
use apidisc_indexing::{
    index::{Definition, File, Index, Scope},
    usage::Uses,
};

/// An index, and its modules and definitions in the order of display.
pub struct Catalog {
    /// The index.
    pub index: Arc<Index>,
    /// A number for this index; later indexes have higher numbers.
    pub generation: u64,
    /// Modules without a parent: those of the library itself first, then by uses, then by name.
    pub roots: Vec<ModuleId>,
    /// For each module, the modules directly below it, in the order of display.
    children: Vec<Vec<ModuleId>>,
    /// For each module, the result of [`Catalog::origin`].
    origins: Vec<Origin>,
    lists: ScopeLists,
    /// For each class, the classes that inherit from it directly or indirectly. Other definitions have no entry.
    descendants: FxHashMap<DefinitionId, Vec<DefinitionId>>,
    /// The result of [`Catalog::origin_calls`].
    origin_calls: [u32; 4],
    /// The result of [`Catalog::source_calls`].
    source_calls: Vec<u32>,
    /// The innermost package that contains all modules of the library itself; `None` unless the library has exactly one
    /// root package.
    root_package: Option<ModuleId>,
    /// The result of [`Catalog::types`].
    types: OnceLock<TypeTable>,
}

impl fmt::Debug for Catalog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Catalog({})", self.generation)
    }
}

impl Catalog {
    /// Sorts the modules and definitions of an index. The caller chooses `generation`, a higher number for each later
    /// index.
    pub fn new(index: Arc<Index>, generation: u64) -> Self {
        let origins = origins_of_modules(&index);
        // Documents are left out: they contain only calls, and define nothing.
        let is_document = |id: &ModuleId| {
            let file = index.module(*id).file.and_then(|file| index.files.get(file.index()));
            file.is_some_and(File::is_document)
        };
        let order = |list: &mut Vec<ModuleId>| {
            list.retain(|id| !is_document(id));
            list.shared_sort_by_key(|id| {
                let module = index.module(*id);
                (origins[id.index()], Reverse(module.uses()), &module.fqn)
            });
        };
        let mut roots: Vec<ModuleId> = index.root_modules().collect();
        let is_described = index.described_modules();
        roots.retain(|id| is_described[id.index()]);
        order(&mut roots);
        let children = index
            .modules
            .iter()
            .map(|module| {
                let mut list = module.children.clone();
                list.retain(|id| is_described[id.index()]);
                order(&mut list);
                list
            })
            .collect();
        let lists = ScopeLists::new(&index);
        let descendants = descendants_of_classes(&index);
        let origin_calls = index
            .definitions
            .iter()
            .filter(|definition| index.describes(definition))
            .fold([0; 4], |sum: [u32; 4], definition| std::array::from_fn(|at| sum[at] + definition.usage.origins[at]));
        let source_calls = index.uses_of_sources();
        let mut catalog = Self {
            index,
            generation,
            roots,
            children,
            origins,
            lists,
            descendants,
            origin_calls,
            source_calls,
            root_package: None,
            types: OnceLock::new(),
        };
        let is_library = |id: &&ModuleId| catalog.origin(**id) == Origin::Src && catalog.index.module(**id).is_package;
        let mut packages = catalog.roots.iter().filter(is_library);
        catalog.root_package = match (packages.next(), packages.next()) {
            (Some(only), None) => catalog.only_children(*only).last(),
            _ => None,
        };
        catalog
    }

    /// What makes, takes, extends and raises each type. The first call takes some time.
    pub fn types(&self) -> &TypeTable {
        self.types.get_or_init(|| TypeTable::new(&self.index))
    }

    /// The result of [`Self::types`], if it was needed before.
    pub fn known_types(&self) -> Option<&TypeTable> {
        self.types.get()
    }

    /// Every module: those of the library itself first, then by uses, then by name.
    pub fn ranked_modules(&self) -> Vec<ModuleId> {
        let mut ids: Vec<ModuleId> = (0..self.index.modules.len()).map(ModuleId::new).collect();
        ids.shared_sort_by_key(|id| (self.origin(*id), Reverse(self.index.module(*id).uses()), *id));
        ids
    }

    /// A module, followed by its chain of only children: each further item is a package, and the only child of the
    /// previous item.
    pub fn only_children(&self, id: ModuleId) -> impl Iterator<Item = ModuleId> {
        std::iter::successors(Some(id), |id| match self.children(*id) {
            [only] if self.index.module(*only).is_package => Some(*only),
            _ => None,
        })
    }

    /// The modules directly below a module, in the order of display.
    pub fn children(&self, id: ModuleId) -> &[ModuleId] {
        &self.children[id.index()]
    }

    /// The origin of the calls in a module's file. A package without a file has the origin that comes first in
    /// [`Origin::ALL`] among the origins of the modules below it.
    pub fn origin(&self, id: ModuleId) -> Origin {
        self.origins[id.index()]
    }

    /// Calls and reads of all definitions, by the weights of the index.
    pub fn total_uses(&self) -> Uses {
        let uses = |id: &ModuleId| {
            let module = self.index.module(*id);
            Uses { calls: module.total_calls, reads: module.total_reads }
        };
        self.roots.iter().map(uses).sum()
    }

    /// Resolved calls and counted reads by [`Origin`], each counted once, whatever its weight.
    pub fn origin_calls(&self) -> [u32; 4] {
        self.origin_calls
    }

    /// Resolved calls and reads by source, each counted once, in the order of [`Index::sources`]. All 0 if the index
    /// was read from a file.
    pub fn source_calls(&self) -> &[u32] {
        &self.source_calls
    }

    /// The definitions that a scope lists, most used first. For a module or the repository, `has_private` adds
    /// the private ones.
    pub fn listed(&self, scope: Scope, has_private: bool) -> Arc<[DefinitionId]> {
        match scope {
            Scope::Repository if has_private => self.lists.all(&self.index, |_| true),
            Scope::Module(id) if has_private => {
                let mut below = vec![false; self.index.modules.len()];
                self.mark_below(id, &mut below);
                self.lists.all(&self.index, |module| below[module.index()])
            }
            _ => self.lists.public(scope),
        }
    }

    /// The language of a scope: that of its most used definition.
    pub fn language(&self, scope: Scope) -> Language {
        self.lists.public(scope).first().map_or_else(Language::default, |id| self.index.definition(*id).language)
    }

    /// Marks a module and all modules below it.
    fn mark_below(&self, id: ModuleId, marks: &mut [bool]) {
        marks[id.index()] = true;
        self.children(id).iter().for_each(|child| self.mark_below(*child, marks));
    }

    /// The members that are listed below a class: callable ones first, then by uses, then in source order.
    pub fn members(&self, id: DefinitionId, has_private: bool) -> Vec<DefinitionId> {
        let mut members: Vec<DefinitionId> =
            self.index.members_of(id).filter(|id| self.is_listed(*id, has_private)).collect();
        members.shared_sort_by_key(|id| {
            let member = self.index.definition(*id);
            (!member.kind.is_callable(), Reverse(member.usage.uses()))
        });
        members
    }

    /// True if members are listed below a definition.
    pub fn has_members(&self, id: DefinitionId, has_private: bool) -> bool {
        let definition = self.index.definition(id);
        holds_members(definition) && self.index.members_of(id).any(|id| self.is_listed(id, has_private))
    }

    /// The classes that inherit from a class directly or indirectly.
    pub fn descendants(&self, id: DefinitionId) -> &[DefinitionId] {
        self.descendants.get(&id).map_or(&[], Vec::as_slice)
    }

    /// The module with this FQN.
    pub fn module_named(&self, name: &str) -> Option<ModuleId> {
        let known = self.index.module_names.get(name).copied().filter(|id| self.index.module(*id).fqn == name);
        known.or_else(|| self.index.modules.iter().position(|module| module.fqn == name).map(ModuleId::new))
    }

    /// True if a definition can be in a list of symbols. Definitions inside a function are in no list.
    pub fn is_reachable(&self, id: DefinitionId) -> bool {
        let mut above = std::iter::successors(self.index.definition(id).parent, |id| self.index.definition(*id).parent);
        above.all(|id| holds_members(self.index.definition(id)))
    }

    fn is_listed(&self, id: DefinitionId, has_private: bool) -> bool {
        has_private || self.index.definition(id).is_public
    }

    /// The name of a definition in the list of symbols. The label of a member that is not `nested` below its class
    /// begins with the name of the class.
    pub fn label(&self, id: DefinitionId, nested: bool) -> String {
        let definition = self.index.definition(id);
        match definition.parent {
            Some(parent) if !nested => format!("{}.{}", self.label(parent, false), definition.name),
            Some(_) => definition.name.to_string(),
            None => definition.public_name().to_owned(),
        }
    }

    /// The name by which the sources define a definition, if it differs from the public name.
    pub fn defining_name(definition: &Definition) -> Option<&str> {
        let differs = definition.parent.is_none() && definition.public_name() != definition.name;
        (differs && !definition.is_nameless()).then_some(&definition.name)
    }

    /// The text that filters of the list of symbols match: its label, and its defining name.
    pub fn search_text(&self, id: DefinitionId) -> String {
        let mut text = self.label(id, false);
        if let Some(name) = Self::defining_name(self.index.definition(id)) {
            text.push(' ');
            text.push_str(name);
        }
        text
    }

    /// The module in the public name of a definition; for a member, the module in the public name of its class.
    pub fn public_home(&self, id: DefinitionId) -> Option<Scope> {
        let definition = self.index.definition(id);
        let Definition { alias, language, .. } = definition;
        let mut prefixes = QualifiedName::new(alias, *language).containers().rev();
        let is_home = |id: &ModuleId| self.index.may_hold(*id, definition);
        let module = |name: &str| self.index.module_names.get(name).copied().filter(is_home);
        prefixes.find_map(module).map(Scope::Module)
    }

    /// The module in the public name of a definition, relative to the module `scope`; for another scope, relative to
    /// the root package. Empty if the two modules are equal.
    pub fn home<'a>(&self, definition: &'a Definition, scope: Scope) -> &'a str {
        let (home, _) = QualifiedName::new(&definition.alias, definition.language).container_and_name();
        let base = match scope {
            Scope::Module(id) => Some(id),
            _ => self.root_package,
        };
        let Some(base) = base.map(|id| self.index.module(id).fqn.as_str()) else { return home };
        match home.strip_prefix(base) {
            Some("") => "",
            Some(rest) => rest.strip_prefix(['.', '/']).unwrap_or(home),
            None => home,
        }
    }
}

/// For each module, the result of [`Catalog::origin`].
fn origins_of_modules(index: &Index) -> Vec<Origin> {
    let mut origins: Vec<Option<Origin>> =
        index.modules.iter().map(|m| m.file.and_then(|f| index.files.get(f.index())).map(|f| f.origin)).collect();
    // A package comes before the modules below it: in reverse order each module passes its origin to its parent.
    for (position, module) in index.modules.iter().enumerate().rev() {
        if let (Some(parent), Some(own)) = (module.parent, origins[position]) {
            let slot = &mut origins[parent.index()];
            if index.modules[parent.index()].file.is_none() {
                *slot = Some(slot.map_or(own, |other| other.min(own)));
            }
        }
    }
    origins.into_iter().map(Option::unwrap_or_default).collect()
}

/// For each class, the classes that inherit from it directly or indirectly.
fn descendants_of_classes(index: &Index) -> FxHashMap<DefinitionId, Vec<DefinitionId>> {
    let mut descendants: FxHashMap<DefinitionId, Vec<DefinitionId>> = FxHashMap::default();
    for (id, definition) in index.definitions_with_ids() {
        for ancestor in &definition.ancestors {
            descendants.entry(*ancestor).or_default().push(id);
        }
    }
    descendants
}

/// True if members are listed below definitions of this kind.
fn holds_members(definition: &Definition) -> bool {
    use DefinitionKind::{Class, Constant, Enum, Interface, Namespace};
    matches!(definition.kind, Class | Interface | Enum | Namespace | Constant)
}
