//! What definitions and scopes are called in a stub, and where they are imported from.

use arcstr::ArcStr;
use compact_str::CompactString;

use super::{python::is_dotted_name, text::inert, typescript};
use crate::{
    index::{Index, Scope},
    language::Language,
    program::DefinitionId,
};

/// Where a definition at module level is imported from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ImportPath {
    /// `google.adk.agents`
    pub(crate) module: String,
    /// `LlmAgent`
    pub(crate) name: CompactString,
    /// What stands behind the module in its full name: the same, where it is imported under its name.
    pub(crate) inner: CompactString,
}

/// The public name of a definition that serves a reader best: in the module that was asked for, where it is
/// offered and not merely imported, under its real name, and short, in this order.
pub(crate) fn import_path(index: &Index, id: DefinitionId, home: Option<&str>) -> ImportPath {
    let definition = index.definition(id);
    if definition.language == Language::TypeScript {
        return typescript::import_path(index, id);
    }
    let rank = |path: &&ArcStr| {
        let (module, name) = split(path);
        let is_private = path.split('.').any(|part| part.starts_with('_'));
        let is_away = home.is_some_and(|home| !lies_in(module, home));
        let is_borrowed = !index.is_offered_as(definition, path);
        let parts = module.split('.').count();
        (is_private, is_away, is_borrowed, name != definition.name, parts, module.len(), (*path).clone())
    };
    let names = [&definition.alias, &definition.fqn].into_iter().chain(&definition.aliases);
    let (module, name) = split(names.min_by_key(rank).unwrap_or(&definition.fqn));
    ImportPath { module: module.to_owned(), name: name.into(), inner: name.into() }
}

fn split(name: &str) -> (&str, &str) {
    name.rsplit_once('.').unwrap_or(("", name))
}

/// True where `name` is `package` or below it.
pub(crate) fn lies_in(name: &str, package: &str) -> bool {
    name.strip_prefix(package).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// What a definition is called: the public one at module level, its own elsewhere.
pub(crate) fn shown_name(index: &Index, id: DefinitionId) -> CompactString {
    let definition = index.definition(id);
    if definition.parent.is_some() { CompactString::new(&definition.name) } else { import_path(index, id, None).name }
}

/// What a scope is called in messages.
pub(crate) fn scope_name(index: &Index, scope: Scope) -> String {
    match scope {
        Scope::Repository => {
            let url = index.sources.first().map_or("", |s| s.url.trim_end_matches(['/', '.']));
            let name = inert(url.rsplit(['/', '\\']).next().unwrap_or_default());
            if name.is_empty() { "repository".to_owned() } else { name }
        }
        Scope::Module(id) => inert(&index.module(id).fqn),
        Scope::Definition(id) => inert(&index.definition(id).alias),
    }
}

/// What the first line of a stub begins with: what to import from.
pub(crate) fn subject(index: &Index, scope: Scope) -> String {
    let Scope::Definition(id) = scope else { return scope_name(index, scope) };
    let mut top = id;
    let mut inner = Vec::new();
    while let Some(parent) = index.definition(top).parent {
        inner.push(index.definition(top).name.as_str());
        top = parent;
    }
    let ImportPath { module, name, .. } = import_path(index, top, None);
    inner.push(&name);
    inner.reverse();
    let path = inner.join(".");
    let is_path = index.definition(id).language == Language::TypeScript && !module.is_empty();
    let module = inert(&module);
    if is_path || is_dotted_name(&module) { format!("{}: {}", module, inert(&path)) } else { inert(&path) }
}
