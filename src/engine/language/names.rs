//! How full names are put together. In Python all parts stand behind dots (`pkg.module.Class.method`); in TypeScript
//! a module is a path, and what stands in it comes after `#` (`packages/http/src/client#Client.get`).

use compact_str::{CompactString, format_compact};

use super::Language;

/// The language of a definition or module of that name.
pub fn language(name: &str) -> Language {
    if name.contains(['/', '#']) { Language::TypeScript } else { Language::Python }
}

/// The last part of a definition's name, and what it stands in.
pub fn split(name: &str, language: Language) -> (&str, &str) {
    let inner = match language {
        Language::Python => 0,
        Language::TypeScript => name.rfind('#').map_or(0, |at| at + 1),
    };
    match name[inner..].rfind('.') {
        Some(at) => (&name[..inner + at], &name[inner + at + 1..]),
        None => (&name[..inner.saturating_sub(1)], &name[inner..]),
    }
}

/// What a name stands in: modules and definitions, outermost first, by the beginnings of the name.
pub fn above(name: &str, language: Language) -> impl DoubleEndedIterator<Item = &str> {
    let module = match language {
        Language::Python => 0,
        Language::TypeScript => name.find('#').unwrap_or(name.len()),
    };
    let is_part = move |&(at, sign): &(usize, &str)| if sign == "." { at >= module } else { module > 0 };
    name.match_indices(['.', '/', '#']).filter(is_part).map(|(at, _)| &name[..at])
}

/// The name of what stands in the module, class or function `above`.
pub fn member(above: &str, name: &str, language: Language) -> CompactString {
    let in_module = language == Language::TypeScript && !above.contains('#');
    format_compact!("{above}{}{name}", if in_module { '#' } else { '.' })
}

/// How many parts a name has.
pub fn depth(name: &str, language: Language) -> usize {
    match language {
        Language::Python => name.split('.').count(),
        Language::TypeScript => {
            let (module, inner) = name.split_once('#').unwrap_or((name, ""));
            module.split('/').count() + if inner.is_empty() { 0 } else { inner.split('.').count() }
        }
    }
}

/// True where `name` stands in `above` or in something below it.
pub fn is_below(name: &str, above: &str, language: Language) -> bool {
    let parts = |rest: &str| match (rest.bytes().next(), language) {
        (Some(b'.'), Language::Python) | (Some(b'/' | b'#'), Language::TypeScript) => true,
        // A dot before `#` is part of a file's name.
        (Some(b'.'), Language::TypeScript) => above.contains('#'),
        _ => false,
    };
    name.strip_prefix(above).is_some_and(parts)
}

/// True where `name` is `suffix` or ends in it, whole parts only.
pub fn ends_in(name: &str, suffix: &str, language: Language) -> bool {
    let parts = |rest: &str| match (rest.bytes().next_back(), language) {
        (None, _) | (Some(b'.'), Language::Python) | (Some(b'/' | b'#'), Language::TypeScript) => true,
        (Some(b'.'), Language::TypeScript) => rest.contains('#'),
        _ => false,
    };
    name.strip_suffix(suffix).is_some_and(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_part_is_parted_from_what_it_stands_in() {
        let split = |name| split(name, language(name));
        assert_eq!(split("a.b.C"), ("a.b", "C"));
        assert_eq!(split("C"), ("", "C"));
        assert_eq!(split("a/b.test#run"), ("a/b.test", "run"));
        assert_eq!(split("a/b#C.get"), ("a/b#C", "get"));
        assert_eq!(split("@acme/http#Client"), ("@acme/http", "Client"));
        assert_eq!(member("a/b", "C", Language::TypeScript), "a/b#C");
        assert_eq!(member("a/b#C", "get", Language::TypeScript), "a/b#C.get");
        assert_eq!(member("a.b", "C", Language::Python), "a.b.C");
    }

    #[test]
    fn names_begin_with_what_they_stand_in() {
        let above = |name| above(name, language(name)).collect::<Vec<_>>();
        assert_eq!(above("a.b.C"), ["a", "a.b"]);
        assert_eq!(above("a/b.test#C.get"), ["a", "a/b.test", "a/b.test#C"]);
        assert_eq!(above("a/b.test"), ["a"]);
    }

    #[test]
    fn parts_are_counted() {
        assert_eq!(["a.b.C", "C"].map(|name| depth(name, Language::Python)), [3, 1]);
        let depths = ["a/b.test#run", "a/b#C.get", "a/b"].map(|name| depth(name, Language::TypeScript));
        assert_eq!(depths, [3, 4, 2]);
    }

    #[test]
    fn suffixes_are_whole_parts() {
        let ends_in = |name, suffix| ends_in(name, suffix, language(name));
        assert!(ends_in("google.adk.agents.LlmAgent", "agents.LlmAgent"));
        assert!(ends_in("LlmAgent", "LlmAgent"));
        assert!(!ends_in("google.adk.agents.LlmAgent", "Agent"));
        for suffix in ["pointFrom", "point#pointFrom", "src/point#pointFrom"] {
            assert!(ends_in("packages/math/src/point#pointFrom", suffix), "{suffix}");
        }
        assert!(ends_in("a/b#Client.get", "get") && ends_in("a/b#Client.get", "Client.get"));
        assert!(!ends_in("a/b.test#x", "test#x"));
    }

    #[test]
    fn what_is_below_begins_with_whole_parts() {
        let is_below = |name, above| is_below(name, above, language(name));
        assert!(is_below("a.b.c", "a.b") && !is_below("a.bc", "a.b") && !is_below("a.b", "a.b"));
        assert!(is_below("a/b#C.get", "a/b") && is_below("a/b#C.get", "a/b#C") && is_below("a/b/c#f", "a"));
        assert!(!is_below("a/b.test#f", "a/b"));
    }
}
