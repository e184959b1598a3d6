//! The names that a stub declares: each denotes one definition or type.
//!
//! A name of the sources is kept if it is free. The second of two top-level definitions with the same name gets a
//! number, such as `Client2`, and the comment above it says so. Texts name a type only as the sources export it: by its
//! own name, or through the namespace of its module if the own name is taken. A type that no module exports and whose
//! name is taken has no name.
//!
//! A module can export a definition under a name that no declaration can have: `export { _enum as enum }`. The
//! definition is then declared under its own name in the sources, or under the exported name with `_` before it.

use arcstr::ArcStr;
use compact_str::{CompactString, format_compact};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    generics::{ListKind, TypeArgumentRules, TypeParameterList},
    identifiers::{is_name, is_value_name, is_word, property_name},
    import_path::exported_path,
    type_imports::TypeImports,
    types::{TypeScope, has_other_than_objects},
};
use crate::stub::{
    node_text::TypeReference,
    renderer::{ImportedType, TopLevelName},
};
use apidisc_facts::program::{DefinitionId, DefinitionKind};
use apidisc_indexing::index::{Definition, Index};

/// The comment behind a type that the sources declare and that the stub does not write.
pub(super) const HIDDEN_TYPE: &str = " // hidden";

/// The names of one stub.
#[derive(Debug, Default)]
pub(crate) struct StubNames {
    pub(super) types: Vec<NamedType>,
    /// The numbers of types by definition. The number of a type is its index in `types`. A member of an enum has the
    /// number of the enum.
    pub(super) by_definition: FxHashMap<DefinitionId, u32>,
    /// The numbers of types from outside of the sources, by their sources and dotted paths.
    pub(super) by_path: FxHashMap<CompactString, u32>,
    /// The first names of dotted paths that the stub declares as namespaces.
    pub(super) roots: FxHashSet<CompactString>,
    /// The uses of each top-level name.
    pub(super) taken: FxHashMap<CompactString, NameUse>,
    /// The tree node that declares each type, by the number of the type.
    nodes: FxHashMap<u32, usize>,
    /// The tree nodes of top-level definitions that are no types, by their written names.
    values: FxHashMap<CompactString, Vec<usize>>,
    /// The written names of the functions and constants at the top level: `typeof` can name them.
    pub(super) named_values: FxHashMap<DefinitionId, CompactString>,
    pub(super) imports: TypeImports,
    /// The import bindings by the names that they declare.
    pub(super) bound: FxHashMap<CompactString, u32>,
    /// The names in `export { x as NAME }` of the definitions that are declared under another name.
    exported: FxHashMap<DefinitionId, String>,
}

/// A type that a text names.
#[derive(Debug)]
pub(super) struct NamedType {
    /// The name as it is printed.
    pub(super) name: CompactString,
    pub(super) argument_rules: TypeArgumentRules,
    /// The kind of its definition; `None` for a type from outside of the sources.
    pub(super) kind: Option<DefinitionKind>,
    /// The binding of the import of the type, if the type can be imported.
    pub(super) import: Option<u32>,
    /// True if a declaration in the stub can have the name.
    pub(super) is_declarable: bool,
    /// True for the alias of a union of which some type is certainly no object type.
    pub(super) takes_other_than_objects: bool,
}

/// The uses of a top-level name.
#[derive(Clone, Debug, Default)]
pub(super) struct NameUse {
    /// A bit set of [`TYPE`], [`VALUE`] and [`NAMESPACE`].
    pub(super) meanings: u8,
    /// Full names of the top-level definitions for which the name was wanted, including those that got it with a
    /// number.
    definitions: Vec<CompactString>,
}

/// A name can mean a type, a value and a namespace at the same time (declaration merging in the TypeScript handbook).
const TYPE: u8 = 1;
const VALUE: u8 = 2;
const NAMESPACE: u8 = 4;
/// An imported name has all meanings, since no declaration can have the same name.
pub(super) const EVERYTHING: u8 = TYPE | VALUE | NAMESPACE;

/// The meanings of a definition's name.
pub(super) fn meanings(kind: DefinitionKind) -> u8 {
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

/// True for a function or constant of a module: `typeof` can name it, and a module can export it.
pub(super) fn is_value(definition: &Definition) -> bool {
    matches!(definition.kind, DefinitionKind::Constant | DefinitionKind::Function) && definition.parent.is_none()
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
        if is_value(definition) {
            self.named_values.insert(id, written.clone());
        } else if is_type(definition.kind) {
            let exported = exported_path(index, definition, wanted);
            let imported = match exported {
                Some((module, path)) if path == written => Some(self.bind_named(module, path)),
                Some((module, "default")) if written == wanted => Some(self.bind_default(module, &written)),
                _ => None,
            };
            match (imported, exported) {
                (None, Some((module, path))) => self.add_type_in_namespace(id, definition, module, path),
                (import, _) => self.add_type(id, definition, written.clone(), import, true),
            }
        }
        Some(TopLevelName { written, is_wanted })
    }

    /// The name under which a definition is exported that is declared under another name, as it is written.
    pub(super) fn exported_name(&self, id: DefinitionId) -> Option<&str> {
        self.exported.get(&id).map(String::as_str)
    }

    /// Adds a type of the sources under its name.
    pub(super) fn add_type(
        &mut self,
        id: DefinitionId,
        definition: &Definition,
        name: CompactString,
        import: Option<u32>,
        is_declarable: bool,
    ) {
        let names = Self::default();
        let scope = TypeScope {
            names: &names,
            type_names: &[],
            type_imports: &[],
            type_parameters: &[],
            shadowed_names: &[],
            allows_this: false,
            alias: None,
        };
        let text = definition.type_parameters.as_deref().filter(|_| definition.kind != DefinitionKind::Enum);
        let TypeParameterList { argument_rules, .. } = TypeParameterList::new(text, scope, ListKind::Type);
        self.by_definition.insert(id, self.types.len() as u32);
        let union = definition.annotation.as_deref().filter(|_| definition.kind == DefinitionKind::TypeAlias);
        let takes_other_than_objects = union.is_some_and(has_other_than_objects);
        let kind = Some(definition.kind);
        self.types.push(NamedType { name, argument_rules, kind, import, is_declarable, takes_other_than_objects });
    }

    /// Reserves a name for these meanings: `wanted`, with the first free number from 2 if it is taken.
    pub(super) fn reserve(&mut self, wanted: &str, meanings: u8) -> CompactString {
        let mut name = CompactString::new(wanted);
        let mut number = 1;
        while self.taken.get(&name).is_some_and(|taken| taken.meanings & meanings > 0) {
            number += 1;
            name = format_compact!("{wanted}{number}");
        }
        self.taken.entry(name.clone()).or_default().meanings |= meanings;
        name
    }

    /// Records the tree node that declares a definition at the top level under a name.
    pub(super) fn set_node(&mut self, id: DefinitionId, name: &str, node: usize) {
        let named = self.by_definition.get(&id).copied();
        if let Some(ty) = named.filter(|&ty| self.types[ty as usize].is_declarable) {
            self.nodes.insert(ty, node);
        }
        if named.is_none() || self.named_values.contains_key(&id) {
            self.values.entry(name.into()).or_default().push(node);
        }
    }

    /// The import that brings in a type.
    pub(super) fn imported_type(&self, ty: u32) -> Option<ImportedType<'_>> {
        let NamedType { name, import, .. } = &self.types[ty as usize];
        let binding = (*import)?;
        let (statement, text) = self.imports.binding(binding);
        let rivals = self.values.get(name).map_or(&[][..], |nodes| nodes);
        Some(ImportedType { binding, statement, name: text, rivals })
    }

    /// An import statement as a line; see [`TypeImports::line`].
    pub(super) fn import_line(&self, statement: u32, names: &[&str]) -> String {
        self.imports.line(statement, names)
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

    /// The number of a type from outside of the sources. `source` is the module and the name from which the first part
    /// of `path` is imported.
    pub(super) fn outside_type(&self, path: &str, source: Option<&str>) -> Option<u32> {
        self.by_path.get(&outside_key(path, source)).copied()
    }

    /// True if the stub never declares the type, so that it has all members.
    pub(super) fn is_always_imported(&self, ty: u32) -> bool {
        self.types[ty as usize].import.is_some() && !self.nodes.contains_key(&ty)
    }

    /// The number of the type that a definition declares.
    pub(super) fn type_of(&self, id: DefinitionId) -> Option<u32> {
        self.by_definition.get(&id).copied()
    }

    /// A declaration on one line with only the name and type parameters of a type:
    /// `type Box<A = any> = any; // hidden`. The comment says that the sources declare more; a type from outside of the
    /// sources has none.
    pub(super) fn short_declaration(&self, reference: TypeReference) -> String {
        let NamedType { name, argument_rules, kind, .. } = &self.types[reference.ty as usize];
        let count = if kind.is_some() { argument_rules.max } else { reference.type_arguments };
        let letters = (0..count).map(|i| format!("{} = any", letter(i)));
        let parameters =
            if count == 0 { String::new() } else { format!("<{}>", letters.collect::<Vec<_>>().join(", ")) };
        let note = if kind.is_some() { HIDDEN_TYPE } else { "" };
        if matches!(kind, Some(DefinitionKind::Constant | DefinitionKind::Function)) {
            return match name.rsplit_once('.') {
                Some((space, inner)) => format!("declare namespace {space} {{ const {inner}: any; }}{note}\n"),
                None => format!("declare const {name}: any;{note}\n"),
            };
        }
        if reference.is_base {
            return format!("declare class {name}{parameters} {{}}{note}\n");
        }
        match name.rsplit_once('.') {
            Some((space, inner)) => format!("declare namespace {space} {{ type {inner}{parameters} = any; }}{note}\n"),
            None => format!("type {name}{parameters} = any;{note}\n"),
        }
    }
}

/// A stub without the lines that declare a type of which they show nothing: a reader loses nothing with them. A
/// compiler needs them.
pub fn without_hidden_types(stub: &str) -> String {
    let says_nothing = |line: &&str| {
        let declared = line.strip_suffix(HIDDEN_TYPE).and_then(|line| line.strip_suffix(" = any;"));
        declared.is_some_and(|declared| declared.starts_with("type "))
    };
    let lines: Vec<&str> = stub.split_inclusive('\n').filter(|line| !says_nothing(&line.trim_end())).collect();
    lines.concat()
}

/// The module and the name from which the first part of a dotted path is imported.
pub(super) fn import_source<'a>(imports: &'a [(ArcStr, ArcStr)], path: &str) -> Option<&'a ArcStr> {
    let root = split_root(path).0;
    imports.iter().find(|(name, _)| name == root).map(|(_, source)| source)
}

pub(super) fn outside_key(path: &str, source: Option<&str>) -> CompactString {
    source.map_or_else(|| path.into(), |source| format_compact!("{source} {path}"))
}

/// The first part of a dotted path, and the rest with its dot.
pub(super) fn split_root(path: &str) -> (&str, &str) {
    path.split_at(path.find('.').unwrap_or(path.len()))
}

/// The name of a type parameter: `A`, …, `Z`, `A1`, …
fn letter(position: u8) -> String {
    let letter = char::from(b'A' + position % 26);
    if position < 26 { letter.to_string() } else { format!("{letter}{}", position / 26) }
}
