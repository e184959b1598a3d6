//! Names for the types in the texts of a stub.
//!
//! A type has the name under which it is imported: its own name, or a name in the namespace of its module if its own
//! name is taken. A type that cannot be imported has its own name, and no name if its own name is taken.

use arcstr::ArcStr;
use compact_str::{CompactString, format_compact};

use super::{
    generics::TypeArgumentRules,
    identifiers::{is_name, is_word},
    import_path::{default_import_name, default_name, exported_path},
    resolved_name::AMBIENT_TYPES,
    stub_names::{
        EVERYTHING, NamedType, StubNames, import_source, is_type, is_value, meanings, outside_key, split_root,
    },
    type_imports::{ImportClause, is_specifier},
};
use apidisc_base::sort::SharedSort as _;
use apidisc_facts::program::{DefinitionId, DefinitionKind};
use apidisc_indexing::index::{Definition, Index};

impl StubNames {
    /// Gives a name to every type that the texts of `definitions` name, and to every type that the texts of these types
    /// and of their members name.
    ///
    /// Returns the interfaces, type aliases and enums among the newly named types that the texts of `definitions` name,
    /// in the order of their names. A stub can write these out in full.
    pub(super) fn name_types(
        &mut self,
        index: &Index,
        definitions: &[DefinitionId],
    ) -> Vec<(DefinitionId, CompactString)> {
        self.reserve_namespace_members(index, definitions);
        let named = self.name_referenced_types(index, definitions);
        let mut inner: Vec<DefinitionId> = named.clone();
        inner.extend(named.iter().flat_map(|&id| index.members_of(id)));
        self.name_referenced_types(index, &inner);
        let mut paths: Vec<(&ArcStr, Option<&ArcStr>)> = definitions
            .iter()
            .chain(&inner)
            .map(|&id| index.definition(id))
            .flat_map(|definition| {
                let outside = definition.type_names.iter().filter(|(_, id)| id.is_none());
                outside.map(|(path, _)| (path, import_source(&definition.type_imports, path)))
            })
            .collect();
        paths.sort_unstable();
        paths.dedup();
        for (path, source) in paths {
            self.name_outside(path, source.map(|source| &**source), false);
        }
        for path in AMBIENT_TYPES {
            self.name_outside(path, None, true);
        }
        let is_expandable = |id: &DefinitionId| {
            let is_kind = matches!(
                index.definition(*id).kind,
                DefinitionKind::Interface | DefinitionKind::TypeAlias | DefinitionKind::Enum
            );
            is_kind && self.types[self.by_definition[id] as usize].is_declarable
        };
        let name = |id: DefinitionId| self.types[self.by_definition[&id] as usize].name.clone();
        named.into_iter().filter(is_expandable).map(|id| (id, name(id))).collect()
    }

    /// Reserves the names that namespaces declare: inside of a namespace they shadow the top-level names.
    fn reserve_namespace_members(&mut self, index: &Index, definitions: &[DefinitionId]) {
        for definition in definitions.iter().map(|&id| index.definition(id)) {
            let holder = definition.parent.map(|parent| index.definition(parent).kind);
            if holder == Some(DefinitionKind::Namespace) {
                self.taken.entry(CompactString::new(&definition.name)).or_default().meanings |=
                    meanings(definition.kind);
            }
        }
    }

    /// Gives a name to every type of the sources that the texts of `definitions` name, and returns the new ones.
    fn name_referenced_types(&mut self, index: &Index, definitions: &[DefinitionId]) -> Vec<DefinitionId> {
        let referenced = definitions.iter().flat_map(|&id| &index.definition(id).type_names).filter_map(|(_, id)| *id);
        let mut unnamed: Vec<(DefinitionId, DefinitionId)> = referenced
            .filter(|id| !self.by_definition.contains_key(id))
            .map(|id| (declaring_definition(index, id), id))
            .filter(|(ty, _)| is_type(index.definition(*ty).kind) || is_value(index.definition(*ty)))
            .collect();
        unnamed.shared_sort_by_key(|&(ty, id)| (&index.definition(ty).name, ty, id));
        unnamed.dedup();
        let mut added = Vec::new();
        for (ty, named) in unnamed {
            if !self.by_definition.contains_key(&ty) && self.name_referenced_type(index, ty) {
                added.push(ty);
            }
            if let Some(&number) = self.by_definition.get(&ty) {
                self.by_definition.insert(named, number);
            }
        }
        added
    }

    /// Gives a name to a type of the sources that is no definition of the scope. Returns false if it has none.
    fn name_referenced_type(&mut self, index: &Index, id: DefinitionId) -> bool {
        let definition = index.definition(id);
        if let Some(written) = self.named_values.get(&id).cloned() {
            let is_type_too =
                self.taken.get(&written).is_some_and(|taken| taken.meanings & meanings(DefinitionKind::Interface) > 0);
            let exported = exported_path(index, definition, &written).filter(|_| !is_type_too);
            let import = match exported {
                Some((module, path)) if path == written => Some(self.bind_named(module, path)),
                _ => None,
            };
            self.add_type(id, definition, written, import, true);
            return true;
        }
        let Some((module, path)) = exported_path(index, definition, &definition.name) else {
            let has_name = is_name(&definition.name) && self.claim(&definition.name);
            if has_name {
                self.add_type(id, definition, CompactString::new(&definition.name), None, true);
            }
            return has_name;
        };
        let (root, rest) = split_root(path);
        let local = if path == "default" { default_name(definition, module) } else { root.into() };
        let import = if path == "default" {
            self.claim(&local).then(|| self.bind_default(module, &local))
        } else {
            self.claim_named(module, root)
        };
        match import {
            Some(_) => self.add_type(id, definition, format_compact!("{local}{rest}"), import, rest.is_empty()),
            None => self.add_type_in_namespace(id, definition, module, path),
        }
        true
    }

    /// Gives a name to a type from outside of the sources. `source` is the module and the name from which the sources
    /// import the first part of `path`. An ambient type gets a name only if its own name is free.
    fn name_outside(&mut self, path: &str, source: Option<&str>, is_ambient: bool) {
        let key = outside_key(path, source);
        let (root, rest) = split_root(path);
        if self.by_path.contains_key(&key) || !is_name(root) || !path.split('.').all(is_word) {
            return;
        }
        let imported = source.and_then(|source| source.rsplit_once('#')).filter(|(module, _)| is_specifier(module));
        let (name, import) = match imported {
            Some((module, "*")) if !rest.is_empty() => {
                let (local, binding) = self.namespace_of(module, Some(root));
                (format_compact!("{local}{rest}"), Some(binding))
            }
            Some((_, "*")) => return,
            Some((module, exported)) => {
                let is_default = exported == "default";
                let local = if is_default { root } else { exported };
                let known = self.bound.get(local).copied().filter(|_| is_default);
                let known = known.filter(|&binding| self.imports.is_default_of(binding, module));
                let claimed = match known {
                    None if is_default => self.claim(local).then(|| self.bind_default(module, local)),
                    None => self.claim_named(module, local),
                    known => known,
                };
                match claimed {
                    Some(binding) => (format_compact!("{local}{rest}"), Some(binding)),
                    None if is_word(exported) => {
                        let (namespace, binding) = self.namespace_of(module, None);
                        (format_compact!("{namespace}.{exported}{rest}"), Some(binding))
                    }
                    None => return,
                }
            }
            // A global of the same name as an import denotes the same type: `React` with and without an import.
            None if is_ambient && self.bound.contains_key(root) && !rest.is_empty() => {
                (path.into(), self.bound.get(root).copied())
            }
            None => {
                let is_known = self.roots.contains(root) && !rest.is_empty();
                if !is_known && !self.claim(root) {
                    return;
                }
                self.roots.insert(root.into());
                (path.into(), None)
            }
        };
        self.by_path.insert(key, self.types.len() as u32);
        let is_declarable = import.is_none();
        self.types.push(NamedType {
            name,
            argument_rules: TypeArgumentRules::default(),
            kind: None,
            import,
            is_declarable,
            takes_other_than_objects: false,
        });
    }

    /// Adds a type of the sources that is named through the namespace of its module.
    pub(super) fn add_type_in_namespace(
        &mut self,
        id: DefinitionId,
        definition: &Definition,
        module: &str,
        path: &str,
    ) {
        let (namespace, binding) = self.namespace_of(module, None);
        self.add_type(id, definition, format_compact!("{namespace}.{path}"), Some(binding), false);
    }

    /// The local name of the namespace of a module, and its import binding.
    fn namespace_of(&mut self, module: &str, wanted: Option<&str>) -> (CompactString, u32) {
        let known = self.imports.namespace(module).cloned();
        let local = known.unwrap_or_else(|| {
            let local = self.reserve(&wanted.map_or_else(|| default_import_name(module), Into::into), EVERYTHING);
            self.imports.add_namespace(module, &local);
            local
        });
        let binding = self.imports.bind(module, ImportClause::Namespace(local.clone()), "");
        self.bound.insert(local.clone(), binding);
        (local, binding)
    }

    pub(super) fn bind_named(&mut self, module: &str, name: &str) -> u32 {
        self.imports.bind(module, ImportClause::Named, name)
    }

    pub(super) fn bind_default(&mut self, module: &str, local: &str) -> u32 {
        let binding = self.imports.bind(module, ImportClause::Default(local.into()), "");
        self.bound.insert(local.into(), binding);
        binding
    }

    /// The binding of a name of a module, if the name is free or already has this binding.
    fn claim_named(&mut self, module: &str, name: &str) -> Option<u32> {
        if let Some(&binding) = self.bound.get(name) {
            return (self.imports.named(module, name) == Some(binding)).then_some(binding);
        }
        let is_free = is_name(name) && self.claim(name);
        is_free.then(|| {
            let binding = self.bind_named(module, name);
            self.bound.insert(name.into(), binding);
            binding
        })
    }

    /// Reserves a name for everything, if it is free.
    fn claim(&mut self, name: &str) -> bool {
        let taken = self.taken.entry(name.into()).or_default();
        let is_free = taken.meanings == 0;
        taken.meanings = if is_free { EVERYTHING } else { taken.meanings };
        is_free
    }
}

/// The definition that declares the type of a definition: the enum of an enum member, else the definition itself.
fn declaring_definition(index: &Index, id: DefinitionId) -> DefinitionId {
    let parent = index.definition(id).parent;
    parent.filter(|&parent| index.definition(parent).kind == DefinitionKind::Enum).unwrap_or(id)
}
