//! Where definitions are imported from.

use compact_str::CompactString;

use super::name::{is_name, is_word_continue, is_word_start};
use crate::{
    index::Index,
    program::DefinitionId,
    stub::{display::ImportPath, text::inert},
};

/// The public name of a definition: `@acme/http#Client`, `./client#default`, `@acme/http#errors.Timeout`.
pub(crate) fn import_path(index: &Index, id: DefinitionId) -> ImportPath {
    let definition = index.definition(id);
    let (module, inner) = definition.alias.split_once('#').unwrap_or(("", &definition.alias));
    let last = inner.rsplit('.').next().unwrap_or(inner);
    let name = if last != "default" {
        CompactString::new(last)
    } else if is_name(&definition.name) {
        CompactString::new(&definition.name)
    } else {
        name_of(module)
    };
    ImportPath { module: module.to_owned(), name, inner: inner.into() }
}

/// A name for what a module offers without one: `useClient` of `src/use-client`.
fn name_of(module: &str) -> CompactString {
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

/// `// import { ... } from "@acme/http"`: under their own names, all that stand below it.
pub(crate) fn group(path: &ImportPath, shown: Option<&str>) -> String {
    let module = inert(&path.module).replace('"', "'");
    let (first, rest) =
        path.inner.split_once('.').map_or((path.inner.as_str(), None), |(first, rest)| (first, Some(rest)));
    let name = inert(shown.unwrap_or(&path.name));
    let what = match rest {
        Some(_) if first == "default" => name,
        Some(_) => format!("{{ {} }}", inert(first)),
        None if first == "default" => name,
        None if shown.is_some() => format!("{{ {} as {name} }}", inert(first)),
        None => "{ ... }".to_owned(),
    };
    // What stands in a namespace is named with it.
    let inside = rest.map_or_else(String::new, |_| format!(", in {}", inert(first)));
    format!("// import {what} from \"{module}\"{inside}")
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
            assert_eq!(name_of(module), name, "{module}");
        }
    }

    #[test]
    fn an_import_says_how() {
        let line = |inner: &str, name: &str, shown| {
            group(&ImportPath { module: "@acme/http".into(), name: name.into(), inner: inner.into() }, shown)
        };
        assert_eq!(line("Client", "Client", None), "// import { ... } from \"@acme/http\"");
        assert_eq!(line("Client", "Client", Some("Client2")), "// import { Client as Client2 } from \"@acme/http\"");
        assert_eq!(line("default", "http", None), "// import http from \"@acme/http\"");
        assert_eq!(line("default", "http", Some("http2")), "// import http2 from \"@acme/http\"");
        assert_eq!(line("errors.Timeout", "Timeout", None), "// import { errors } from \"@acme/http\", in errors");
    }
}
