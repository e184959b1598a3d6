//! The names of definitions and scopes in a stub's title line and in messages.

use compact_str::CompactString;

use super::{
    import_line::import_of,
    language::stub_language,
    renderer::{ImportPath, StubLanguage},
    text::sanitized,
};
use apidisc_base::language::Language;
use apidisc_facts::program::{DefinitionId, Parameter, ParameterKind};
use apidisc_indexing::{
    index::{Index, Scope},
    packages::DependencyState,
    snippet::ExampleImport,
};

/// The public name under which a definition is imported; see [`StubLanguage::import_path`].
pub(crate) fn import_path(index: &Index, id: DefinitionId, requested_module: Option<&str>) -> ImportPath {
    language_of(index, id).import_path(index, id, requested_module)
}

fn language_of(index: &Index, id: DefinitionId) -> &'static dyn StubLanguage {
    stub_language(index.definition(id).language)
}

/// True for a module that code can import.
pub(super) fn is_importable(index: &Index, id: DefinitionId, module: &str) -> bool {
    language_of(index, id).is_importable(module)
}

/// The name of a definition in a stub: the imported name at module level, its own name elsewhere.
pub(crate) fn written_name(index: &Index, id: DefinitionId) -> CompactString {
    let definition = index.definition(id);
    if definition.parent.is_some() { CompactString::new(&definition.name) } else { import_path(index, id, None).name }
}

/// A parameter in a call that says no values: `name`, `name=...` where Python needs the name, `name?` for an optional
/// one of TypeScript.
pub fn argument_text(parameter: &Parameter, language: Language) -> String {
    let is_by_name = parameter.kind == ParameterKind::KeywordOnly || !parameter.required;
    match language {
        Language::Python if is_by_name => format!("{}=...", parameter.name),
        Language::TypeScript if !parameter.required => format!("{}?", parameter.name),
        Language::Python | Language::TypeScript => parameter.name.to_string(),
    }
}

/// The name of a scope in messages.
pub(crate) fn scope_name(index: &Index, scope: Scope) -> String {
    match scope {
        Scope::Repository => {
            let url = index.sources.first().map_or("", |s| s.url.trim_end_matches(['/', '.']));
            let name = sanitized(url.rsplit(['/', '\\']).next().unwrap_or_default());
            let name = if name.is_empty() { "repository".to_owned() } else { name };
            if index.is_of_packages() { format!("packages of {name}") } else { name }
        }
        Scope::Module(id) => sanitized(&index.module(id).fqn),
        Scope::Definition(id) => sanitized(&index.definition(id).alias),
    }
}

/// The beginning of a stub's title line: the name under which the scope is imported, and whether its package cannot be
/// read.
pub(crate) fn subject(index: &Index, scope: Scope) -> String {
    let subject = subject_name(index, scope);
    if !index.is_absent(scope) {
        return subject;
    }
    match index.package_of(scope).map(|package| package.state) {
        Some(DependencyState::Compiled) => format!("{subject} (machine code)"),
        state => format!("{subject} ({})", state.and_then(DependencyState::absence).unwrap_or("not installed")),
    }
}

/// The name of a scope, and for a definition the import of it, or of the definition around it, as a statement.
fn subject_name(index: &Index, scope: Scope) -> String {
    let Scope::Definition(id) = scope else { return scope_name(index, scope) };
    let mut outermost = id;
    let mut names = Vec::new();
    while let Some(parent) = index.definition(outermost).parent {
        names.push(index.definition(outermost).name.as_str());
        outermost = parent;
    }
    names.reverse();
    let inner = sanitized(&names.join("."));
    let import = import_of(index, outermost);
    let statement = import.and_then(|import| ExampleImport::lines(&[import], index.definition(id).language).pop());
    match statement.map(|statement| sanitized(&statement)) {
        Some(statement) if inner.is_empty() => statement,
        Some(statement) => format!("{statement}: {inner}"),
        None => {
            let outer = import_path(index, outermost, None).name;
            sanitized(&[outer.as_str(), &names.join(".")].join(".")).trim_end_matches('.').to_owned()
        }
    }
}
