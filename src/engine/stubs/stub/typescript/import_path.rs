//! The public import path of a TypeScript definition.

use compact_str::CompactString;

use super::{
    identifiers::{is_name, is_value_name, is_word_continue, is_word_start},
    type_imports::is_specifier,
};
use crate::stub::{
    renderer::{ImportPath, Layout},
    text::sanitized,
};
use apidisc_facts::program::DefinitionId;
use apidisc_indexing::index::{Definition, Index};

/// The module and the name under which a definition is imported. They are parts of its public name, such as
/// `@acme/http#Client`, `./client#default` or `@acme/http#errors.Timeout`.
pub(super) fn import_path(index: &Index, id: DefinitionId) -> ImportPath {
    let definition = index.definition(id);
    let (module, inner) = definition.alias.split_once('#').unwrap_or(("", &definition.alias));
    let last = inner.rsplit('.').next().unwrap_or(inner);
    let name = if last == "default" { default_name(definition, module) } else { CompactString::new(last) };
    ImportPath { module: module.to_owned(), name, inner: inner.into() }
}

/// The module and the path in it under which other code imports a public definition: `zod` and `ZodString`, or `zod`
/// and `core.Doc`. A name without dots is preferred, in particular `wanted`. `None` if no module exports the
/// definition, or only a module that its package keeps to itself.
pub(super) fn exported_path<'d>(index: &Index, definition: &'d Definition, wanted: &str) -> Option<(&'d str, &'d str)> {
    let names = || std::iter::once(&definition.alias).chain(&definition.aliases);
    let internal = index.files.get(definition.place.file.index()).filter(|file| file.is_internal);
    let internal = internal.and(definition.fqn.split_once('#')).map(|(module, _)| module);
    let is_importable = |module: &str| is_specifier(module) && Some(module) != internal;
    let paths = || names().filter_map(|name| name.split_once('#')).filter(|(module, _)| is_importable(module));
    let is_flat = |path: &str| !path.contains('.');
    let first = paths().next().filter(|_| definition.is_public)?;
    let flat = || {
        paths()
            .filter(|(_, path)| is_flat(path) && *path != "default")
            .min_by_key(|(module, path)| (*path != wanted, module.len(), *module))
    };
    if is_flat(first.1) { Some(first) } else { flat().or(Some(first)) }
}

/// The name under which a stub imports a default export: the name of its definition, else a name made from the module
/// path.
pub(super) fn default_name(definition: &Definition, module: &str) -> CompactString {
    let has_name = is_value_name(&definition.name) && !definition.is_nameless();
    if has_name { CompactString::new(&definition.name) } else { default_import_name(module) }
}

/// A name for a default export that has none, made from the module path: `useClient` for `src/use-client`.
pub(super) fn default_import_name(module: &str) -> CompactString {
    let last = module.trim_end_matches("/index").rsplit('/').next().unwrap_or_default();
    let mut name = CompactString::default();
    let mut starts_word = false;
    for c in last.chars() {
        if !is_word_continue(c) || name.is_empty() && !is_word_start(c) {
            starts_word = !name.is_empty();
        } else if std::mem::take(&mut starts_word) {
            name.extend(c.to_uppercase());
        } else {
            name.push(c);
        }
    }
    if is_name(&name) { name } else { CompactString::const_new("main") }
}

/// `// from "@acme/http"`, in a stub with short forms `// @acme/http:`. All definitions below the comment are imported
/// from there under their own names.
pub(super) fn import_comment(path: &ImportPath, written_name: Option<&str>, layout: Layout) -> String {
    let module = sanitized(&path.module).replace('"', "'");
    let (first, rest) =
        path.inner.split_once('.').map_or((path.inner.as_str(), None), |(first, rest)| (first, Some(rest)));
    let name = sanitized(written_name.unwrap_or(&path.name));
    let binding = match rest {
        Some(_) if first == "default" => name,
        Some(_) => format!("{{ {} }}", sanitized(first)),
        None if first == "default" => name,
        None if written_name.is_some() => format!("{{ {} as {name} }}", sanitized(first)),
        None if layout == Layout::Narrow => return format!("// {module}:"),
        None => return format!("// from \"{module}\""),
    };
    // A member of a namespace is reached through the imported namespace.
    let namespace = rest.map_or_else(String::new, |_| format!(", in {}", sanitized(first)));
    format!("// import {binding} from \"{module}\"{namespace}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_names_what_it_offers_without_a_name() {
        for (module, name) in [
            ("src/use-client", "useClient"),
            ("a/b/index", "b"),
            ("@acme/2d", "d"),
            ("x/--", "main"),
            ("a/new", "main"),
        ] {
            assert_eq!(default_import_name(module), name, "{module}");
        }
    }

    #[test]
    fn an_import_says_how() {
        let written = |inner: &str, name: &str, shown, layout| {
            let path = ImportPath { module: "@acme/http".into(), name: name.into(), inner: inner.into() };
            import_comment(&path, shown, layout)
        };
        let line = |inner: &str, name: &str, shown| written(inner, name, shown, Layout::Wide);
        assert_eq!(line("Client", "Client", None), "// from \"@acme/http\"");
        assert_eq!(written("Client", "Client", None, Layout::Narrow), "// @acme/http:");
        assert_eq!(line("Client", "Client", Some("Client2")), "// import { Client as Client2 } from \"@acme/http\"");
        assert_eq!(line("default", "http", None), "// import http from \"@acme/http\"");
        assert_eq!(line("default", "http", Some("http2")), "// import http2 from \"@acme/http\"");
        assert_eq!(line("errors.Timeout", "Timeout", None), "// import { errors } from \"@acme/http\", in errors");
    }
}
