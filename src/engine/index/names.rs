//! Which names lead to a definition, which of them is shown, and which definitions are public.

use std::iter;

use arcstr::ArcStr;
use rayon::prelude::*;
use thin_vec::ThinVec;

use super::{Definition, Index};
use crate::{
    language::{Language, QualifiedName},
    program::DefinitionKind,
};

/// Chooses the name that each definition is shown by, and fills the table of names. `is_public` is what linking knows
/// of each; where it knows nothing, names decide.
pub(crate) fn choose(index: &mut Index, is_public: &[Option<bool>]) {
    for level in levels(index) {
        let chosen: Vec<Chosen> = level.par_iter().map(|&at| chosen(index, at, is_public[at])).collect();
        for (at, Chosen { aliases, alias, is_public }) in level.into_iter().zip(chosen) {
            let definition = &mut index.definitions[at];
            definition.is_public = is_public;
            if let Some(aliases) = aliases {
                definition.aliases = aliases;
            }
            if let Some(alias) = alias {
                definition.alias = alias;
            }
        }
    }
}

/// What is chosen for a definition, where it is other than linking has said.
struct Chosen {
    aliases: Option<ThinVec<ArcStr>>,
    alias: Option<ArcStr>,
    is_public: bool,
}

fn chosen(index: &Index, at: usize, is_public: Option<bool>) -> Chosen {
    let definition = &index.definitions[at];
    let more = with_names_of_parent(index, definition);
    let aliases = more.as_ref().unwrap_or(&definition.aliases);
    let names = || iter::once(&definition.fqn).chain(aliases);
    let is_public = is_public.unwrap_or_else(|| is_named_public(index, definition, names()));
    // What has one name is shown by it already.
    let shortest = if aliases.is_empty() { None } else { names().min_by_key(|&name| key(index, definition, name)) };
    let alias = shortest.cloned();
    Chosen { aliases: more, alias, is_public }
}

/// Positions of definitions by how deep they stand: what holds them is a level higher.
fn levels(index: &Index) -> Vec<Vec<usize>> {
    let definitions = &index.definitions;
    let depth = |at: usize| iter::successors(definitions[at].parent, |p| definitions[p.index()].parent).count();
    let mut levels: Vec<Vec<usize>> = Vec::new();
    for at in 0..definitions.len() {
        let depth = depth(at);
        if levels.len() <= depth {
            levels.resize_with(depth + 1, Vec::new);
        }
        levels[depth].push(at);
    }
    levels
}

/// A definition's further names together with those by the further names of what holds it, where there are any.
fn with_names_of_parent(index: &Index, definition: &Definition) -> Option<ThinVec<ArcStr>> {
    let parent = &index.definitions[definition.parent?.index()];
    if parent.aliases.is_empty() || !holds_members(parent) {
        return None;
    }
    let name = |above: &ArcStr| ArcStr::from(QualifiedName::join(above, &definition.name, parent.language).as_str());
    let mut names: ThinVec<ArcStr> =
        definition.aliases.iter().cloned().chain(parent.aliases.iter().map(name)).collect();
    if definition.language == Language::TypeScript {
        names.sort_unstable();
        names.dedup();
    }
    Some(names)
}

/// True where others reach what stands in a definition by its name: not in a function.
fn holds_members(definition: &Definition) -> bool {
    match definition.language {
        Language::Python => definition.kind == DefinitionKind::Class,
        Language::TypeScript => !matches!(
            definition.kind,
            DefinitionKind::Function
                | DefinitionKind::Method
                | DefinitionKind::ClassMethod
                | DefinitionKind::StaticMethod
                | DefinitionKind::Property
        ),
    }
}

/// Public by its names: at module level by any of them, in a class by its own where the class is public.
fn is_named_public<'n>(index: &Index, definition: &Definition, mut names: impl Iterator<Item = &'n ArcStr>) -> bool {
    match definition.parent.map(|parent| &index.definitions[parent.index()]) {
        Some(parent) => parent.is_public && holds_members(parent) && is_public_part(&definition.name),
        None => names.any(|name| !is_private(name, definition.language)),
    }
}

/// What makes one name better than another: public, a package's rather than a path, offered where the definition
/// stands, short.
fn key<'n>(index: &Index, definition: &Definition, name: &'n str) -> impl Ord + use<'n> {
    let is_path = definition.language == Language::TypeScript && !names_package(index, name);
    let is_away = !index.is_at_home(definition, name);
    (
        is_private(name, definition.language),
        is_path,
        is_away,
        QualifiedName::new(name, definition.language).depth(),
        name.len(),
        name,
    )
}

/// True for a name whose module is a package's name, and no path in the sources.
fn names_package(index: &Index, name: &str) -> bool {
    let module = name.split_once('#').map_or(name, |(module, _)| module);
    index.module_names.get(module).is_none_or(|&id| index.module(id).fqn != module)
}

fn is_private(name: &str, language: Language) -> bool {
    !QualifiedName::new(name, language).identifiers().all(is_public_part)
}

/// True for a part of a name that is meant for others: no leading `_`, but for `__init__` and its like. Before the
/// dot of a hidden folder, which nobody imports from, the part is empty.
fn is_public_part(part: &str) -> bool {
    !part.is_empty() && !part.starts_with('_') || (part.len() > 4 && part.starts_with("__") && part.ends_with("__"))
}
