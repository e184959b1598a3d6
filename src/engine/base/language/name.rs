//! The form of fully qualified names.
//!
//! In Python dots separate all parts: `pkg.module.Class.method`. In TypeScript a module is a path, and `#` separates it
//! from the definitions in it: `packages/http/src/client#Client.get`.

use compact_str::{CompactString, format_compact};

use super::Language;

/// A fully qualified name of a definition or module, read by the rules of its language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QualifiedName<'n> {
    text: &'n str,
    language: Language,
    /// The byte offset at which the module's name ends. `None` if the text does not show it: always in Python, where a
    /// dot separates modules and definitions alike, and in TypeScript without a `#`.
    module_end: Option<usize>,
}

impl<'n> QualifiedName<'n> {
    /// The characters that separate the parts of a name, in any language.
    pub const SEPARATORS: [char; 3] = ['.', '/', '#'];

    /// Reads `text` as a name of that language. Every text is accepted.
    pub fn new(text: &'n str, language: Language) -> Self {
        let spec = language.spec();
        let shows_module = spec.definition_separator != spec.module_separator;
        Self { text, language, module_end: shows_module.then(|| text.find(spec.definition_separator)).flatten() }
    }

    /// Reads `text` as a name of the language that its separators indicate.
    pub fn guess(text: &'n str) -> Self {
        Self::new(text, Language::of_qualified_name(text))
    }

    /// True in languages whose names show where the module ends.
    fn shows_module(self) -> bool {
        let spec = self.language.spec();
        spec.definition_separator != spec.module_separator
    }

    /// The module's name and the path of the definition in it, if the name shows both.
    pub fn module_and_path(self) -> Option<(&'n str, &'n str)> {
        self.module_end.map(|end| (&self.text[..end], &self.text[end + 1..]))
    }

    /// The name of the container and the last part. The container of a name with one part is empty.
    pub fn container_and_name(self) -> (&'n str, &'n str) {
        let text = self.text;
        let inner = if self.shows_module() {
            text.rfind(self.language.spec().definition_separator).map_or(0, |at| at + 1)
        } else {
            0
        };
        match text[inner..].rfind('.') {
            Some(at) => (&text[..inner + at], &text[inner + at + 1..]),
            None => (&text[..inner.saturating_sub(1)], &text[inner..]),
        }
    }

    /// The names of all containers, outermost first: each is a prefix of the name.
    pub fn containers(self) -> impl DoubleEndedIterator<Item = &'n str> {
        let text = self.text;
        let module_end = if self.shows_module() { self.module_end.unwrap_or(text.len()) } else { 0 };
        // A dot in a path is part of a file's name.
        let separates = move |&(at, sign): &(usize, &str)| if sign == "." { at >= module_end } else { module_end > 0 };
        text.match_indices(Self::SEPARATORS).filter(separates).map(move |(at, _)| &text[..at])
    }

    /// The number of parts.
    pub fn depth(self) -> usize {
        if !self.shows_module() {
            return self.text.split('.').count();
        }
        let (module, path) = self.module_and_path().unwrap_or((self.text, ""));
        let separator = self.language.spec().module_separator;
        module.split(separator).count() + if path.is_empty() { 0 } else { path.split('.').count() }
    }

    /// True for a name inside `container`, at any depth. Parts are compared whole.
    pub fn is_below(self, container: &str) -> bool {
        let Some(rest) = self.text.strip_prefix(container) else { return false };
        match rest.chars().next() {
            // A dot in a path is part of a file's name.
            Some('.') => !self.shows_module() || container.contains(self.language.spec().definition_separator),
            Some('/' | '#') => self.shows_module(),
            _ => false,
        }
    }

    /// True for a name that is `suffix` or ends in it. Parts are compared whole.
    pub fn ends_with(self, suffix: &str) -> bool {
        let Some(rest) = self.text.strip_suffix(suffix) else { return false };
        match rest.chars().next_back() {
            None => true,
            Some('.') => !self.shows_module() || rest.contains(self.language.spec().definition_separator),
            Some('/' | '#') => self.shows_module(),
            _ => false,
        }
    }

    /// The parts that are identifiers. In TypeScript these are the parts after `#`; the parts of the module's path are
    /// not identifiers.
    pub fn identifiers(self) -> impl Iterator<Item = &'n str> {
        let path = if self.shows_module() { self.module_and_path().map(|(_, path)| path) } else { Some(self.text) };
        path.into_iter().flat_map(|path| path.split('.'))
    }

    /// The name of a definition directly inside the module or definition `container`.
    pub fn join(container: &str, name: &str, language: Language) -> CompactString {
        let spec = language.spec();
        let in_module =
            spec.definition_separator != spec.module_separator && !container.contains(spec.definition_separator);
        format_compact!("{container}{}{name}", if in_module { spec.definition_separator } else { '.' })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_part_is_separated_from_its_container() {
        let split = |name| QualifiedName::guess(name).container_and_name();
        assert_eq!(split("a.b.C"), ("a.b", "C"));
        assert_eq!(split("C"), ("", "C"));
        assert_eq!(split("a/b.test#run"), ("a/b.test", "run"));
        assert_eq!(split("a/b#C.get"), ("a/b#C", "get"));
        assert_eq!(split("@acme/http#Client"), ("@acme/http", "Client"));
        assert_eq!(QualifiedName::join("a/b", "C", Language::TypeScript), "a/b#C");
        assert_eq!(QualifiedName::join("a/b#C", "get", Language::TypeScript), "a/b#C.get");
        assert_eq!(QualifiedName::join("a.b", "C", Language::Python), "a.b.C");
    }

    #[test]
    fn containers_are_prefixes_of_the_name() {
        let containers = |name| QualifiedName::guess(name).containers().collect::<Vec<_>>();
        assert_eq!(containers("a.b.C"), ["a", "a.b"]);
        assert_eq!(containers("a/b.test#C.get"), ["a", "a/b.test", "a/b.test#C"]);
        assert_eq!(containers("a/b.test"), ["a"]);
    }

    #[test]
    fn depth_counts_the_parts() {
        assert_eq!(["a.b.C", "C"].map(|name| QualifiedName::new(name, Language::Python).depth()), [3, 1]);
        let names = ["a/b.test#run", "a/b#C.get", "a/b"];
        assert_eq!(names.map(|name| QualifiedName::new(name, Language::TypeScript).depth()), [3, 4, 2]);
    }

    #[test]
    fn suffixes_are_whole_parts() {
        let ends_with = |name, suffix| QualifiedName::guess(name).ends_with(suffix);
        assert!(ends_with("google.adk.agents.LlmAgent", "agents.LlmAgent"));
        assert!(ends_with("LlmAgent", "LlmAgent"));
        assert!(!ends_with("google.adk.agents.LlmAgent", "Agent"));
        for suffix in ["pointFrom", "point#pointFrom", "src/point#pointFrom"] {
            assert!(ends_with("packages/math/src/point#pointFrom", suffix), "{suffix}");
        }
        assert!(ends_with("a/b#Client.get", "get") && ends_with("a/b#Client.get", "Client.get"));
        assert!(!ends_with("a/b.test#x", "test#x"));
    }

    #[test]
    fn a_container_is_a_prefix_of_whole_parts() {
        let is_below = |name, container| QualifiedName::guess(name).is_below(container);
        assert!(is_below("a.b.c", "a.b") && !is_below("a.bc", "a.b") && !is_below("a.b", "a.b"));
        assert!(is_below("a/b#C.get", "a/b") && is_below("a/b#C.get", "a/b#C") && is_below("a/b/c#f", "a"));
        assert!(!is_below("a/b.test#f", "a/b"));
    }

    #[test]
    fn identifiers_leave_paths_out() {
        let identifiers = |name| QualifiedName::guess(name).identifiers().collect::<Vec<_>>();
        assert_eq!(identifiers("pkg._mod.f"), ["pkg", "_mod", "f"]);
        assert_eq!(identifiers("_src/a.b#C._get"), ["C", "_get"]);
        assert!(identifiers("_src/a").is_empty());
    }
}
