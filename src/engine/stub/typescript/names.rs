//! What definitions and types are called in a stub: one name, one meaning.
//!
//! A name of the sources stays where it can. The second of two definitions of one name gets a number, and texts that
//! name it are printed with that; so do types from outside whose name is taken.

use arcstr::ArcStr;
use compact_str::{CompactString, format_compact};
use rustc_hash::FxHashMap;

use super::{
    generics::{Generics, TypeParameters},
    library,
    name::is_name,
    types::World,
};
use crate::{
    index::{Definition, Index},
    program::{DefinitionId, DefinitionKind},
    stub::needs::Need,
};

/// The names of one stub.
#[derive(Debug, Default)]
pub(crate) struct Names {
    types: Vec<Type>,
    of_definition: FxHashMap<DefinitionId, u32>,
    of_path: FxHashMap<CompactString, u32>,
    /// The first names of paths from outside, as they are printed.
    roots: FxHashMap<CompactString, CompactString>,
    /// What each name at the top stands for: types, values, namespaces.
    taken: FxHashMap<CompactString, Taken>,
    /// Where the definition of a type stands in the tree.
    nodes: FxHashMap<u32, usize>,
}

/// A type that a text names.
#[derive(Debug)]
struct Type {
    /// As it is printed.
    name: CompactString,
    generics: Generics,
    kind: Option<DefinitionKind>,
}

#[derive(Clone, Debug, Default)]
struct Taken {
    spaces: u8,
    /// Full names of the definitions at the top that it stands for.
    by: Vec<CompactString>,
}

/// What a name in a text means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// A type that every file knows.
    Global(Generics),
    /// A definition of the sources.
    Definition {
        ty: u32,
        generics: Generics,
        /// It is never declared with less than it has.
        is_whole: bool,
    },
    /// A type from outside the sources.
    Outside { ty: u32 },
    /// Nothing is known of it.
    Unknown,
}

impl Meaning {
    /// The name that is printed.
    pub(super) fn name<'n>(self, names: &'n Names, path: &'n str) -> Option<&'n str> {
        match self {
            Self::Global(_) => Some(path),
            Self::Definition { ty, .. } | Self::Outside { ty } => Some(&names.types[ty as usize].name),
            Self::Unknown => None,
        }
    }
}

/// Types that every file knows once a package for the platform is there.
const AMBIENT: [&str; 14] = [
    "Buffer",
    "BufferEncoding",
    "Express.Request",
    "JSX.Element",
    "JSX.IntrinsicElements",
    "NodeJS.ErrnoException",
    "NodeJS.Process",
    "NodeJS.ProcessEnv",
    "NodeJS.ReadableStream",
    "NodeJS.Signals",
    "NodeJS.Timeout",
    "NodeJS.Timer",
    "NodeJS.WritableStream",
    "React.ReactNode",
];

const TYPE: u8 = 1;
const VALUE: u8 = 2;
const NAMESPACE: u8 = 4;

/// What a definition's name stands for.
fn spaces(kind: DefinitionKind) -> u8 {
    match kind {
        DefinitionKind::Class | DefinitionKind::Enum => TYPE | VALUE,
        DefinitionKind::Interface | DefinitionKind::TypeAlias => TYPE,
        DefinitionKind::Constant => VALUE | NAMESPACE,
        DefinitionKind::Namespace => NAMESPACE,
        _ => VALUE,
    }
}

/// True for what a type can be the name of.
pub(super) fn is_type(kind: DefinitionKind) -> bool {
    spaces(kind) & TYPE > 0
}

impl Names {
    /// Gives a definition at the top its name: the one that is wanted, or with a number where that is taken. `None`
    /// for a further declaration of what has its name already, as of an interface that is declared twice.
    pub(crate) fn name_definition(&mut self, index: &Index, id: DefinitionId, wanted: &str) -> Option<CompactString> {
        let definition = index.definition(id);
        let spaces = spaces(definition.kind);
        let known = self.taken.get(wanted).filter(|taken| taken.spaces & spaces > 0);
        if known.is_some_and(|taken| taken.by.iter().any(|by| *by == definition.fqn)) {
            return None;
        }
        let name = self.free(wanted, spaces);
        if let Some(taken) = self.taken.get_mut(wanted) {
            taken.by.push(CompactString::new(&definition.fqn));
        }
        if is_type(definition.kind) {
            self.add_type(id, definition, name.clone());
        }
        Some(name)
    }

    /// Gives every type that the texts of `definitions` name its name, and those that its own texts name.
    ///
    /// Returns those of the former that a stub can write out, in the order of their names.
    pub(crate) fn name_types<'d>(
        &mut self,
        index: &Index,
        definitions: impl IntoIterator<Item = &'d DefinitionId>,
    ) -> Vec<(DefinitionId, CompactString)> {
        let definitions: Vec<DefinitionId> = definitions.into_iter().copied().collect();
        self.take_inner_names(index, &definitions);
        let named = self.name_types_once(index, &definitions);
        let mut inner: Vec<DefinitionId> = named.clone();
        inner.extend(named.iter().flat_map(|&id| index.definition(id).members.iter().copied()));
        self.name_types_once(index, &inner);
        let mut paths: Vec<&ArcStr> = definitions
            .iter()
            .chain(&inner)
            .flat_map(|&id| &index.definition(id).type_names)
            .filter(|(_, meant)| meant.is_none())
            .map(|(path, _)| path)
            .collect();
        paths.sort_unstable();
        paths.dedup();
        for path in paths {
            self.name_outside(path, false);
        }
        for path in AMBIENT {
            self.name_outside(path, true);
        }
        let writes_out = |id: &DefinitionId| {
            matches!(
                index.definition(*id).kind,
                DefinitionKind::Interface | DefinitionKind::TypeAlias | DefinitionKind::Enum
            )
        };
        let name = |id: DefinitionId| self.types[self.of_definition[&id] as usize].name.clone();
        named.into_iter().filter(writes_out).map(|id| (id, name(id))).collect()
    }

    /// Within a namespace its own types hide those of the same name around it: no type gets such a name.
    fn take_inner_names(&mut self, index: &Index, definitions: &[DefinitionId]) {
        for definition in definitions.iter().map(|&id| index.definition(id)) {
            let holder = definition.parent.map(|parent| index.definition(parent).kind);
            if holder == Some(DefinitionKind::Namespace) {
                self.taken.entry(CompactString::new(&definition.name)).or_default().spaces |= spaces(definition.kind);
            }
        }
    }

    fn name_types_once(&mut self, index: &Index, definitions: &[DefinitionId]) -> Vec<DefinitionId> {
        let meant = definitions.iter().flat_map(|&id| &index.definition(id).type_names).filter_map(|(_, meant)| *meant);
        let mut fresh: Vec<(DefinitionId, DefinitionId)> = meant
            .filter(|id| !self.of_definition.contains_key(id))
            .map(|id| (type_of(index, id), id))
            .filter(|(ty, _)| is_type(index.definition(*ty).kind))
            .collect();
        fresh.sort_unstable_by_key(|&(ty, id)| (&index.definition(ty).name, ty, id));
        fresh.dedup();
        let mut added = Vec::new();
        for (ty, named) in fresh {
            if !self.of_definition.contains_key(&ty) {
                let definition = index.definition(ty);
                let wanted = if is_name(&definition.name) { definition.name.as_str() } else { "Type" };
                let name = self.free(wanted, TYPE | VALUE);
                self.add_type(ty, definition, name);
                added.push(ty);
            }
            self.of_definition.insert(named, self.of_definition[&ty]);
        }
        added
    }

    /// Names a type from outside; one that every file knows only under the name that it has.
    fn name_outside(&mut self, path: &str, is_ambient: bool) {
        let root = path.split('.').next().unwrap_or_default();
        let is_taken = self.taken.contains_key(root) && !self.roots.contains_key(root);
        if !path.split('.').all(is_name) || self.of_path.contains_key(path) || is_ambient && is_taken {
            return;
        }
        let name = if root.len() < path.len() {
            let known = self.roots.get(root).cloned();
            let printed = known.unwrap_or_else(|| self.free(root, NAMESPACE | VALUE));
            let name = format_compact!("{printed}{}", &path[root.len()..]);
            self.roots.insert(root.into(), printed);
            name
        } else {
            self.free(path, TYPE)
        };
        self.of_path.insert(path.into(), self.types.len() as u32);
        self.types.push(Type { name, generics: Generics::default(), kind: None });
    }

    fn add_type(&mut self, id: DefinitionId, definition: &Definition, name: CompactString) {
        let names = Self::default();
        let world = World { names: &names, type_names: &[], bound: &[], hidden: &[], has_this: false, alias: None };
        let text = definition.type_parameters.as_deref().filter(|_| definition.kind != DefinitionKind::Enum);
        let TypeParameters { generics, .. } = TypeParameters::new(text, world, true);
        self.of_definition.insert(id, self.types.len() as u32);
        self.types.push(Type { name, generics, kind: Some(definition.kind) });
    }

    /// `wanted`, with the first number that makes it free where it is not.
    fn free(&mut self, wanted: &str, spaces: u8) -> CompactString {
        let mut name = CompactString::new(wanted);
        let mut number = 1;
        while self.taken.get(&name).is_some_and(|taken| taken.spaces & spaces > 0) {
            number += 1;
            name = format_compact!("{wanted}{number}");
        }
        self.taken.entry(name.clone()).or_default().spaces |= spaces;
        name
    }

    /// Says where the definition of a type stands.
    pub(crate) fn place(&mut self, id: DefinitionId, node: usize) {
        if let Some(&ty) = self.of_definition.get(&id) {
            self.nodes.insert(ty, node);
        }
    }

    /// Where the definition of a type stands in the tree.
    pub(crate) fn node_of(&self, ty: u32) -> Option<usize> {
        self.nodes.get(&ty).copied()
    }

    /// What `path` means in a text of a definition with these names.
    pub(super) fn meaning(&self, type_names: &[(ArcStr, Option<DefinitionId>)], path: &str) -> Meaning {
        let mut known = path;
        loop {
            if let Some((_, meant)) = type_names.iter().find(|(name, _)| name == known) {
                return match meant {
                    Some(id) => self.definition(*id, &path[known.len()..]),
                    None => self.outside(path),
                };
            }
            let Some((above, _)) = known.rsplit_once('.') else { break };
            known = above;
        }
        let root = path.split('.').next().unwrap_or_default();
        match library::global(path) {
            Some(global) if !self.taken.contains_key(root) => Meaning::Global(global.generics),
            _ if AMBIENT.contains(&path) => self.outside(path),
            _ => Meaning::Unknown,
        }
    }

    fn definition(&self, id: DefinitionId, rest: &str) -> Meaning {
        let Some(&ty) = self.of_definition.get(&id) else { return Meaning::Unknown };
        let Type { generics, kind, .. } = self.types[ty as usize];
        let is_enum = kind == Some(DefinitionKind::Enum);
        // `Level.Debug`: its members may be hidden, the enum itself never is.
        if rest.is_empty() || is_enum {
            Meaning::Definition { ty, generics, is_whole: is_enum }
        } else {
            Meaning::Unknown
        }
    }

    fn outside(&self, path: &str) -> Meaning {
        self.of_path.get(path).map_or(Meaning::Unknown, |&ty| Meaning::Outside { ty })
    }

    /// The number of the type that a definition is.
    pub(super) fn type_of(&self, id: DefinitionId) -> Option<u32> {
        self.of_definition.get(&id).copied()
    }

    /// A declaration on one line that says nothing of a type but its name.
    pub(crate) fn short(&self, need: Need) -> String {
        let Type { name, generics, kind } = &self.types[need.ty as usize];
        let count = if kind.is_some() { generics.most } else { need.parameters };
        let letters = (0..count).map(|i| format!("{} = any", letter(i)));
        let parameters =
            if count == 0 { String::new() } else { format!("<{}>", letters.collect::<Vec<_>>().join(", ")) };
        if need.is_base {
            return format!("declare class {name}{parameters} {{}}\n");
        }
        match name.rsplit_once('.') {
            Some((space, inner)) => format!("declare namespace {space} {{ type {inner}{parameters} = any; }}\n"),
            None => format!("type {name}{parameters} = any;\n"),
        }
    }
}

/// The type that a definition named as one is: of the member of an enum, the enum.
fn type_of(index: &Index, id: DefinitionId) -> DefinitionId {
    let parent = index.definition(id).parent;
    parent.filter(|&parent| index.definition(parent).kind == DefinitionKind::Enum).unwrap_or(id)
}

fn letter(position: u8) -> String {
    let letter = char::from(b'A' + position % 26);
    if position < 26 { letter.to_string() } else { format!("{letter}{}", position / 26) }
}
