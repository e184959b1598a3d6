//! The names that a stub declares: each denotes one definition or type.
//!
//! A name of the sources is kept if it is free. The second of two definitions with the same name gets a number, such as
//! `Client2`, and texts that name it are printed with the new name. A type from outside of the sources whose name is
//! taken gets a number, too.
//!
//! A module can export a definition under a name that no declaration can have: `export { _enum as enum }`. The
//! definition is then declared under its own name in the sources, or under the exported name with `_` before it.

use arcstr::ArcStr;
use compact_str::{CompactString, format_compact};
use rustc_hash::FxHashMap;

use super::{
    generics::{TypeArgumentRules, TypeParameterList},
    identifiers::{is_name, is_value_name, is_word, property_name},
    resolved_name::AMBIENT_TYPES,
    types::TypeScope,
};
use crate::{
    index::{Definition, Index},
    program::{DefinitionId, DefinitionKind},
    stub::{node_text::TypeReference, renderer::TopLevelName},
};

/// The names of one stub.
#[derive(Debug, Default)]
pub(crate) struct StubNames {
    types: Vec<NamedType>,
    /// The numbers of types by definition. The number of a type is its index in `types`. A member of an enum has the
    /// number of the enum.
    by_definition: FxHashMap<DefinitionId, u32>,
    /// The numbers of types from outside of the sources, by their dotted paths.
    by_path: FxHashMap<CompactString, u32>,
    /// The printed forms of the first names of dotted paths from outside of the sources, by these first names.
    roots: FxHashMap<CompactString, CompactString>,
    /// The uses of each top-level name.
    taken: FxHashMap<CompactString, NameUse>,
    /// The tree node that declares each type, by the number of the type.
    nodes: FxHashMap<u32, usize>,
    /// The names in `export { x as NAME }` of the definitions that are declared under another name.
    exported: FxHashMap<DefinitionId, String>,
}

/// A type that a text names.
#[derive(Debug)]
pub(super) struct NamedType {
    /// The name as it is printed.
    name: CompactString,
    pub(super) argument_rules: TypeArgumentRules,
    /// The kind of its definition; `None` for a type from outside of the sources.
    pub(super) kind: Option<DefinitionKind>,
}

/// The uses of a top-level name.
#[derive(Clone, Debug, Default)]
struct NameUse {
    /// A bit set of [`TYPE`], [`VALUE`] and [`NAMESPACE`].
    meanings: u8,
    /// Full names of the top-level definitions for which the name was wanted, including those that got it with a
    /// number.
    definitions: Vec<CompactString>,
}

/// A name can mean a type, a value and a namespace at the same time (declaration merging in the TypeScript handbook).
const TYPE: u8 = 1;
const VALUE: u8 = 2;
const NAMESPACE: u8 = 4;

/// The meanings of a definition's name.
fn meanings(kind: DefinitionKind) -> u8 {
    match kind {
        DefinitionKind::Class | DefinitionKind::Enum => TYPE | VALUE,
        DefinitionKind::Interface | DefinitionKind::TypeAlias => TYPE,
        DefinitionKind::Constant => VALUE | NAMESPACE,
        DefinitionKind::Namespace => NAMESPACE,
        _ => VALUE,
    }
}

/// True if the name of a definition means a type.
pub(super) fn is_type(kind: DefinitionKind) -> bool {
    meanings(kind) & TYPE > 0
}

/// True if a definition of this kind can be declared under the name.
pub(super) fn is_declarable(name: &str, kind: DefinitionKind) -> bool {
    if is_type(kind) { is_name(name) } else { is_value_name(name) }
}

impl StubNames {
    /// Reserves a name for a top-level definition: `wanted`, with a number if it is taken. `None` if another
    /// declaration of the same definition already has the name, as for an interface that is declared twice.
    pub(super) fn name_definition(&mut self, index: &Index, id: DefinitionId, wanted: &str) -> Option<TopLevelName> {
        let definition = index.definition(id);
        let meanings = meanings(definition.kind);
        let known = self.taken.get(wanted).filter(|taken| taken.meanings & meanings > 0);
        if known.is_some_and(|taken| taken.definitions.iter().any(|fqn| *fqn == definition.fqn)) {
            return None;
        }
        let is_wanted = known.is_none();
        let written = if is_declarable(wanted, definition.kind) {
            self.reserve(wanted, meanings)
        } else {
            let exported = property_name(wanted)?;
            let has_own_name = is_declarable(&definition.name, definition.kind);
            let with_sign = || is_word(wanted).then(|| format_compact!("_{wanted}"));
            let local = if has_own_name { CompactString::new(&definition.name) } else { with_sign()? };
            if is_wanted {
                self.exported.insert(id, exported);
                self.reserve(wanted, meanings);
            }
            self.reserve(&local, meanings)
        };
        if let Some(taken) = self.taken.get_mut(wanted) {
            taken.definitions.push(CompactString::new(&definition.fqn));
        }
        if is_type(definition.kind) {
            self.add_type(id, definition, written.clone());
        }
        Some(TopLevelName { written, is_wanted })
    }

    /// The name under which a definition is exported that is declared under another name, as it is written.
    pub(super) fn exported_name(&self, id: DefinitionId) -> Option<&str> {
        self.exported.get(&id).map(String::as_str)
    }

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
        let mut paths: Vec<&ArcStr> = definitions
            .iter()
            .chain(&inner)
            .flat_map(|&id| &index.definition(id).type_names)
            .filter(|(_, id)| id.is_none())
            .map(|(path, _)| path)
            .collect();
        paths.sort_unstable();
        paths.dedup();
        for path in paths {
            self.name_outside(path, false);
        }
        for path in AMBIENT_TYPES {
            self.name_outside(path, true);
        }
        let is_expandable = |id: &DefinitionId| {
            matches!(
                index.definition(*id).kind,
                DefinitionKind::Interface | DefinitionKind::TypeAlias | DefinitionKind::Enum
            )
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
            .filter(|(ty, _)| is_type(index.definition(*ty).kind))
            .collect();
        unnamed.sort_unstable_by_key(|&(ty, id)| (&index.definition(ty).name, ty, id));
        unnamed.dedup();
        let mut added = Vec::new();
        for (ty, named) in unnamed {
            if !self.by_definition.contains_key(&ty) {
                let definition = index.definition(ty);
                let wanted = if is_name(&definition.name) { definition.name.as_str() } else { "Type" };
                let name = self.reserve(wanted, TYPE | VALUE);
                self.add_type(ty, definition, name);
                added.push(ty);
            }
            self.by_definition.insert(named, self.by_definition[&ty]);
        }
        added
    }

    /// Gives a name to a type from outside of the sources. An ambient type gets none if its own name is taken.
    fn name_outside(&mut self, path: &str, is_ambient: bool) {
        let root = path.split('.').next().unwrap_or_default();
        let is_taken = self.taken.contains_key(root) && !self.roots.contains_key(root);
        if !path.split('.').all(is_name) || self.by_path.contains_key(path) || is_ambient && is_taken {
            return;
        }
        let name = if root.len() < path.len() {
            let known = self.roots.get(root).cloned();
            let printed = known.unwrap_or_else(|| self.reserve(root, NAMESPACE | VALUE));
            let name = format_compact!("{printed}{}", &path[root.len()..]);
            self.roots.insert(root.into(), printed);
            name
        } else {
            self.reserve(path, TYPE)
        };
        self.by_path.insert(path.into(), self.types.len() as u32);
        self.types.push(NamedType { name, argument_rules: TypeArgumentRules::default(), kind: None });
    }

    /// Adds a type of the sources under its name.
    fn add_type(&mut self, id: DefinitionId, definition: &Definition, name: CompactString) {
        let names = Self::default();
        let scope = TypeScope {
            names: &names,
            type_names: &[],
            type_parameters: &[],
            shadowed_names: &[],
            allows_this: false,
            alias: None,
        };
        let text = definition.type_parameters.as_deref().filter(|_| definition.kind != DefinitionKind::Enum);
        let TypeParameterList { argument_rules, .. } = TypeParameterList::new(text, scope, true);
        self.by_definition.insert(id, self.types.len() as u32);
        self.types.push(NamedType { name, argument_rules, kind: Some(definition.kind) });
    }

    /// Reserves a name for these meanings: `wanted`, with the first free number from 2 if it is taken.
    fn reserve(&mut self, wanted: &str, meanings: u8) -> CompactString {
        let mut name = CompactString::new(wanted);
        let mut number = 1;
        while self.taken.get(&name).is_some_and(|taken| taken.meanings & meanings > 0) {
            number += 1;
            name = format_compact!("{wanted}{number}");
        }
        self.taken.entry(name.clone()).or_default().meanings |= meanings;
        name
    }

    /// Records the tree node of a definition.
    pub(super) fn set_node(&mut self, id: DefinitionId, node: usize) {
        if let Some(&ty) = self.by_definition.get(&id) {
            self.nodes.insert(ty, node);
        }
    }

    /// The node that declares a type.
    pub(super) fn node_of(&self, ty: u32) -> Option<usize> {
        self.nodes.get(&ty).copied()
    }

    /// True if a top-level declaration uses the name.
    pub(super) fn is_taken(&self, name: &str) -> bool {
        self.taken.contains_key(name)
    }

    /// A type by its number.
    pub(super) fn named_type(&self, ty: u32) -> &NamedType {
        &self.types[ty as usize]
    }

    /// The printed name of a type.
    pub(super) fn type_name(&self, ty: u32) -> &str {
        &self.types[ty as usize].name
    }

    /// The number of a type from outside of the sources.
    pub(super) fn outside_type(&self, path: &str) -> Option<u32> {
        self.by_path.get(path).copied()
    }

    /// The number of the type that a definition declares.
    pub(super) fn type_of(&self, id: DefinitionId) -> Option<u32> {
        self.by_definition.get(&id).copied()
    }

    /// A declaration on one line with only the name and type parameters of a type: `type Box<A = any> = any;`.
    pub(super) fn short_declaration(&self, reference: TypeReference) -> String {
        let NamedType { name, argument_rules, kind } = &self.types[reference.ty as usize];
        let count = if kind.is_some() { argument_rules.max } else { reference.type_arguments };
        let letters = (0..count).map(|i| format!("{} = any", letter(i)));
        let parameters =
            if count == 0 { String::new() } else { format!("<{}>", letters.collect::<Vec<_>>().join(", ")) };
        if reference.is_base {
            return format!("declare class {name}{parameters} {{}}\n");
        }
        match name.rsplit_once('.') {
            Some((space, inner)) => format!("declare namespace {space} {{ type {inner}{parameters} = any; }}\n"),
            None => format!("type {name}{parameters} = any;\n"),
        }
    }
}

/// The definition that declares the type of a definition: the enum of an enum member, else the definition itself.
fn declaring_definition(index: &Index, id: DefinitionId) -> DefinitionId {
    let parent = index.definition(id).parent;
    parent.filter(|&parent| index.definition(parent).kind == DefinitionKind::Enum).unwrap_or(id)
}

/// The name of a type parameter: `A`, …, `Z`, `A1`, …
fn letter(position: u8) -> String {
    let letter = char::from(b'A' + position % 26);
    if position < 26 { letter.to_string() } else { format!("{letter}{}", position / 26) }
}
