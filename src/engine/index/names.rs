//! Which names lead to a definition, which of them is shown, and which definitions are public.

use arcstr::ArcStr;

use super::{Definition, DefinitionKind, Index, Language, naming};

/// Chooses the name that each definition is shown by, and fills the table of names. `is_public` is what linking knows
/// of each; where it knows nothing, names decide.
pub(super) fn choose(index: &mut Index, is_public: &[Option<bool>]) {
    for at in outer_first(index) {
        add_names_of_parent(index, at);
        let is_public = is_public[at].unwrap_or_else(|| is_named_public(index, at));
        index.definitions[at].is_public = is_public;
        let definition = &index.definitions[at];
        // What has one name is shown by it already.
        if definition.aliases.is_empty() {
            continue;
        }
        let names = std::iter::once(&definition.fqn).chain(&definition.aliases);
        if let Some(shortest) = names.min_by_key(|&name| key(index, definition, name)).cloned() {
            index.definitions[at].alias = shortest;
        }
    }
}

/// Positions of definitions, each after what holds it.
fn outer_first(index: &Index) -> Vec<usize> {
    let definitions = &index.definitions;
    let depth = |at: usize| std::iter::successors(definitions[at].parent, |p| definitions[p.index()].parent).count();
    let mut order: Vec<usize> = (0..definitions.len()).collect();
    order.sort_by_cached_key(|&at| depth(at));
    order
}

/// Members are known by the further names of what holds them too.
fn add_names_of_parent(index: &mut Index, at: usize) {
    let Some(parent) = index.definitions[at].parent else { return };
    let parent = &index.definitions[parent.index()];
    if parent.aliases.is_empty() || !holds_members(parent) {
        return;
    }
    let name = &index.definitions[at].name;
    let names: Vec<ArcStr> = parent
        .aliases
        .iter()
        .map(|above| ArcStr::from(naming::member(above, name, parent.language).as_str()))
        .collect();
    let definition = &mut index.definitions[at];
    definition.aliases.extend(names);
    if definition.language == Language::TypeScript {
        definition.aliases.sort_unstable();
        definition.aliases.dedup();
    }
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
fn is_named_public(index: &Index, at: usize) -> bool {
    let definition = &index.definitions[at];
    match definition.parent.map(|parent| &index.definitions[parent.index()]) {
        Some(parent) => parent.is_public && holds_members(parent) && is_public_part(&definition.name),
        None => std::iter::once(&definition.fqn)
            .chain(&definition.aliases)
            .any(|name| !is_private(name, definition.language)),
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
        naming::depth(name, definition.language),
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
    match language {
        Language::Python => !name.split('.').all(is_public_part),
        // What folders and files are called says nothing there.
        Language::TypeScript => name.split_once('#').is_some_and(|(_, inner)| !inner.split('.').all(is_public_part)),
    }
}

/// True for a part of a name that is meant for others: no leading `_`, but for `__init__` and its like. Before the
/// dot of a hidden folder, which nobody imports from, the part is empty.
fn is_public_part(part: &str) -> bool {
    !part.is_empty() && !part.starts_with('_') || (part.len() > 4 && part.starts_with("__") && part.ends_with("__"))
}
