//! Whether a name is there in a version of a package, and what its module says of it.

use rustc_hash::FxHashMap;

use crate::version::Version;
use apidisc_facts::{program::DefinitionId, source::INSTALLED};
use apidisc_indexing::indexer::NameState;

/// The lines below a name in `__getattr__` in which a warning about it is looked for.
const WARNING_LINES: usize = 10;

/// Modules of the standard library whose classes give a class no members that a program would lose.
const PLAIN_MODULES: [&str; 5] = ["abc", "dataclasses", "enum", "typing", "typing_extensions"];

/// Whether a name is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Presence {
    /// It is defined or imported.
    Present,
    /// It is served with a warning, whose text this is.
    Deprecated(String),
    /// Nothing defines it.
    Absent,
    /// The code that may define it does not show it.
    Unknown,
}

/// The names of the definitions of a version.
pub(crate) struct Symbols<'v> {
    version: &'v Version<'v>,
    by_name: FxHashMap<&'v str, DefinitionId>,
}

impl<'v> Symbols<'v> {
    pub(crate) fn new(version: &'v Version<'v>) -> Self {
        let mut by_name = FxHashMap::default();
        for (id, definition) in version.index.every_definition() {
            let names = std::iter::once(&definition.fqn).chain([&definition.alias]).chain(&definition.aliases);
            for name in names {
                by_name.entry(name.as_str()).or_insert(id);
            }
        }
        Self { version, by_name }
    }

    /// The definition with a full name.
    pub(crate) fn find(&self, name: &str) -> Option<DefinitionId> {
        self.by_name.get(name).copied()
    }

    /// Whether a name that the program writes is there: a module, a name of a module, or a member of a class.
    pub(crate) fn presence(&self, name: &str) -> Presence {
        if self.by_name.contains_key(name) || self.version.index.module_names.contains_key(name) {
            return Presence::Present;
        }
        let Some((container, last)) = name.rsplit_once(['.', '#']) else { return Presence::Unknown };
        let names = &self.version.libraries.python.names;
        match names.get(name) {
            Some(NameState::Bound) => Presence::Present,
            Some(NameState::Unbound) => Presence::Absent,
            Some(NameState::Served) => {
                let text = self.text_of_module(container);
                text.map_or(Presence::Unknown, |text| served(&text, last))
            }
            None => match self.by_name.get(container) {
                Some(&class) => self.member(class, last),
                // A container that is gone takes its names along.
                None if names.get(container) == Some(&NameState::Unbound) => Presence::Absent,
                None => Presence::Unknown,
            },
        }
    }

    /// The text of a module of a package.
    fn text_of_module(&self, module: &str) -> Option<String> {
        let stem = format!("{INSTALLED}/{}", module.replace('.', "/"));
        let is_module = |path: &str| {
            let rest = path.strip_prefix(stem.as_str());
            rest.is_some_and(|rest| matches!(rest, ".py" | ".pyi" | "/__init__.py" | "/__init__.pyi"))
        };
        let (path, _) = self.version.libraries.python.files.iter().find(|(path, _)| is_module(path))?;
        (self.version.read)(path)
    }

    /// Whether a class has a member.
    pub(crate) fn member(&self, class: DefinitionId, name: &str) -> Presence {
        let index = self.version.index;
        let ancestors = index.definition(class).ancestors.iter().copied();
        let mut is_open = false;
        for id in std::iter::once(class).chain(ancestors) {
            let definition = index.definition(id);
            let has = |name: &str| definition.members.iter().any(|member| index.definition(*member).name == name);
            if has(name) {
                return Presence::Present;
            }
            is_open |= has("__getattr__") || has("__getattribute__");
            is_open |= definition.bases.iter().any(|base| {
                let base = base.split(['[', '(', '<']).next().unwrap_or_default().trim();
                let known = definition.type_names.iter().find(|(name, _)| name == base);
                let first = base.split('.').next().unwrap_or_default();
                let imported = definition.type_imports.iter().find(|(name, _)| name == first);
                let module = imported.and_then(|(_, from)| from.split(['#', '.']).next());
                // A global name has no import; it is built in.
                let is_plain = module.map_or_else(|| is_plain_global(base), |module| PLAIN_MODULES.contains(&module));
                known.is_none_or(|(_, id)| id.is_none()) && !is_plain
            });
        }
        if is_open { Presence::Unknown } else { Presence::Absent }
    }
}

/// True for a built-in class that gives a class no members that a program would lose: `object`, errors.
fn is_plain_global(base: &str) -> bool {
    matches!(base, "" | "object" | "type" | "Object")
        || ["Error", "Exception", "Warning"].iter().any(|ending| base.ends_with(ending))
}

/// Whether the function `__getattr__` of a module serves a name.
pub(crate) fn served(text: &str, name: &str) -> Presence {
    let lines: Vec<&str> = text.lines().collect();
    let begin = lines.iter().position(|line| line.starts_with("def __getattr__(")).map_or(0, |at| at + 1);
    let is_inside = |line: &&&str| line.is_empty() || line.starts_with([' ', '\t', '#', ')']);
    let body: Vec<&str> = lines[begin..].iter().take_while(is_inside).copied().collect();
    let is_named = |line: &&str| has_literal(line, name);
    if let Some(at) = body.iter().position(is_named) {
        let branch = body[at..].iter().take(WARNING_LINES).copied().collect::<Vec<_>>().join("\n");
        let warns = branch.contains("DeprecationWarning") || branch.contains("deprecated");
        return if warns { Presence::Deprecated(branch) } else { Presence::Present };
    }
    // A table of names that the function serves stands in the same module.
    if lines.iter().any(is_named) { Presence::Unknown } else { Presence::Absent }
}

/// True if a line has a name as a string literal.
pub(crate) fn has_literal(line: &str, name: &str) -> bool {
    line.match_indices(name).any(|(at, _)| {
        let quote = line[..at].chars().next_back().filter(|c| matches!(c, '"' | '\''));
        quote.is_some() && line[at + name.len()..].chars().next() == quote
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_serves_names_with_or_without_a_warning() {
        let text = "X = 1\ndef __getattr__(name):\n    if name == 'Old':\n        warn('Old is deprecated. Use `New`.')\n\
                    \x20   if name == 'Lazy':\n        return load()\n\nTABLE = {'Listed': 1}\n";
        assert!(matches!(served(text, "Old"), Presence::Deprecated(branch) if branch.contains("`New`")));
        assert_eq!(served(text, "Lazy"), Presence::Present);
        assert_eq!([served(text, "Listed"), served(text, "Gone")], [Presence::Unknown, Presence::Absent]);
    }
}
