//! Whether a name is there in a version of a package, and what its module says of it.

use rustc_hash::FxHashMap;

use crate::compare::Version;
use apidisc_facts::program::DefinitionId;
use apidisc_link::python::is_standard_library;

/// The lines below a name in `__getattr__` in which a warning about it is looked for.
const WARNING_LINES: usize = 10;

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

    /// Whether a full name is there: a module, a name of a module, or a member of a class.
    pub(crate) fn presence(&self, name: &str) -> Presence {
        if self.by_name.contains_key(name) || self.version.index.module_names.contains_key(name) {
            return Presence::Present;
        }
        let Some((container, last)) = name.rsplit_once(['.', '#']) else { return Presence::Unknown };
        if let Some(&module) = self.version.index.module_names.get(container) {
            let file = self.version.index.module(module).file.map(|file| &self.version.index.file(file).path);
            let text = file.and_then(|path| (self.version.read)(path));
            return text.map_or(Presence::Unknown, |text| self.presence_in(&text, container, last));
        }
        match self.by_name.get(container) {
            Some(&class) => self.member(class, last),
            // A container that is gone takes its names along.
            None => match self.presence(container) {
                Presence::Absent => Presence::Absent,
                _ => Presence::Unknown,
            },
        }
    }

    /// Whether the module of this text has a name that is no definition.
    fn presence_in(&self, text: &str, module: &str, name: &str) -> Presence {
        let getattr = self.by_name.get(format!("{module}.__getattr__").as_str());
        if let Some(&getattr) = getattr {
            let place = &self.version.index.definition(getattr).place;
            let lines: Vec<&str> = text.lines().collect();
            let begin = (place.line as usize).saturating_sub(1);
            let body = lines.get(begin..(place.end_line as usize).min(lines.len())).unwrap_or_default();
            let is_named = |line: &&str| has_literal(line, name);
            if let Some(at) = body.iter().position(is_named) {
                let branch = body[at..].iter().take(WARNING_LINES).copied().collect::<Vec<_>>().join("\n");
                let warns = branch.contains("DeprecationWarning") || branch.contains("deprecated");
                return if warns { Presence::Deprecated(branch) } else { Presence::Unknown };
            }
            // A table of names that `__getattr__` serves stands in the same module.
            if lines.iter().any(is_named) {
                return Presence::Unknown;
            }
        }
        if mentions(text, name) { Presence::Unknown } else { Presence::Absent }
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
                known.is_none_or(|(_, id)| id.is_none()) && module.is_some_and(|module| !is_standard_library(module))
            });
        }
        if is_open { Presence::Unknown } else { Presence::Absent }
    }
}

/// True if a line has a name as a string literal.
pub(crate) fn has_literal(line: &str, name: &str) -> bool {
    line.match_indices(name).any(|(at, _)| {
        let quote = line[..at].chars().next_back().filter(|c| matches!(c, '"' | '\''));
        quote.is_some() && line[at + name.len()..].chars().next() == quote
    })
}

/// True if the code of a text names something, outside of comments and of literals on one line.
fn mentions(text: &str, name: &str) -> bool {
    text.lines().any(|line| {
        let mut quote = None;
        let mut code = String::with_capacity(line.len());
        for c in line.chars() {
            match (quote, c) {
                (None, '#') => break,
                (None, '"' | '\'') => quote = Some(c),
                (Some(open), c) if c == open => quote = None,
                (None, c) => code.push(c),
                (Some(_), _) => {}
            }
        }
        code.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|word| word == name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_mentioned_in_code_alone() {
        assert!(mentions("from ._c import Fast", "Fast"));
        assert!(!mentions("# Fast is gone\nx = 'Fast'", "Fast"));
        assert!(!mentions("Faster = 1", "Fast"));
        assert!(has_literal("if name == 'Fast':", "Fast") && !has_literal("if name == 'Faster':", "Fast"));
    }
}
