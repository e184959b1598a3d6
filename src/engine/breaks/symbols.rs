//! Whether a name is there in a version of a package, and what its module says of it.

use std::{cell::RefCell, rc::Rc};

use rustc_hash::FxHashMap;

use crate::{modules, npm_names::NpmNames, presence::Presence, version::Version};
use apidisc_base::language::Language;
use apidisc_facts::{program::DefinitionId, source::INSTALLED};
use apidisc_indexing::indexer::NameState;

/// The lines below a name in `__getattr__` in which a warning about it is looked for.
const WARNING_LINES: usize = 10;

/// Modules of the standard library whose classes give a class no members that a program would lose.
const PLAIN_MODULES: [&str; 5] = ["abc", "dataclasses", "enum", "typing", "typing_extensions"];

/// The names of the definitions of a version.
pub(crate) struct Symbols<'v> {
    version: &'v Version<'v>,
    by_name: FxHashMap<&'v str, DefinitionId>,
    /// The names of npm packages.
    pub(crate) npm: NpmNames<'v>,
    /// The paths of the files of packages, by the names of their modules.
    files: FxHashMap<String, &'v str>,
    /// The texts of modules that were read.
    texts: RefCell<FxHashMap<String, Option<Rc<str>>>>,
    /// The warnings that modules give when they are imported.
    warnings: RefCell<FxHashMap<String, Rc<[String]>>>,
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
        let files = version.libraries.python.files.iter();
        let files = files.filter_map(|(path, _)| Some((module_of(path)?, path.as_str()))).collect();
        Self {
            version,
            by_name,
            npm: NpmNames::new(version),
            files,
            texts: RefCell::default(),
            warnings: RefCell::default(),
        }
    }

    /// The definition with a full name.
    pub(crate) fn find(&self, name: &str) -> Option<DefinitionId> {
        self.by_name.get(name).copied()
    }

    /// Whether a name that the program writes is there: a module, a name of a module, or a member of a class.
    pub(crate) fn presence(&self, name: &str) -> Presence {
        if let Some(known) = self.npm.export(name) {
            return known;
        }
        if self.by_name.contains_key(name) || self.version.index.module_names.contains_key(name) {
            return Presence::Present;
        }
        let Some((container, last)) = name.rsplit_once(['.', '#']) else { return Presence::Unknown };
        let names = &self.version.libraries.python.names;
        match names.get(name) {
            Some(NameState::Bound) => Presence::Present,
            Some(NameState::Unbound) => self.name_of_source(container, last),
            Some(NameState::Served) => {
                let text = self.module_text(container);
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

    /// The text of a module of a package of Python.
    pub(crate) fn module_text(&self, module: &str) -> Option<Rc<str>> {
        if let Some(known) = self.texts.borrow().get(module) {
            return known.clone();
        }
        let text: Option<Rc<str>> = self.files.get(module).and_then(|path| (self.version.read)(path)).map(Into::into);
        self.texts.borrow_mut().insert(module.to_owned(), text.clone());
        text
    }

    /// Whether a module has a name that its file does not bind: a stub may leave out names of the code beside it.
    fn name_of_source(&self, module: &str, name: &str) -> Presence {
        let is_stub = self.files.get(module).is_some_and(|path| path.strip_suffix(".pyi").is_some());
        let source = self.files.get(module).and_then(|path| (self.version.read)(path.strip_suffix('i')?));
        match source.filter(|_| is_stub) {
            Some(text) if modules::binds(&text, name) => Presence::Present,
            Some(text) if ["import *", "globals()[", "globals().update"].iter().any(|it| text.contains(it)) => {
                Presence::Unknown
            }
            Some(text) if text.contains("__getattr__") => served(&text, name),
            _ => Presence::Absent,
        }
    }

    /// The texts of the modules of a package of Python that were read.
    pub(crate) fn texts_of_package(&self, package: &str) -> impl Iterator<Item = Rc<str>> {
        let is_of = |module: &&String| module.split('.').next() == Some(package);
        let mut modules: Vec<&String> = self.files.keys().filter(is_of).collect();
        modules.sort_unstable();
        modules.into_iter().filter_map(|module| self.module_text(module))
    }

    /// The warning that the module of a name of Python, or the module of this name, gives when it is imported.
    pub(crate) fn warning(&self, name: &str) -> Option<String> {
        let (container, last) = name.rsplit_once('.')?;
        let about_name = modules::warning_about(&self.warnings_of(container), last).map(str::to_owned);
        about_name.or_else(|| {
            // Whoever imports `a.b.c` imports `a` and `a.b` before.
            let ends = name.match_indices('.').map(|(at, _)| at).chain([name.len()]);
            let of_module = |end: usize| modules::warning_of_module(&self.warnings_of(&name[..end])).map(str::to_owned);
            ends.into_iter().find_map(of_module)
        })
    }

    fn warnings_of(&self, module: &str) -> Rc<[String]> {
        if let Some(known) = self.warnings.borrow().get(module) {
            return Rc::clone(known);
        }
        let text = self.module_text(module);
        let found: Rc<[String]> = text.map_or_else(Vec::new, |text| modules::warnings(&text)).into();
        self.warnings.borrow_mut().insert(module.to_owned(), Rc::clone(&found));
        found
    }

    /// Whether a class of Python has a member that is no definition: by the text of the module of the class.
    pub(crate) fn member_by_text(&self, name: &str) -> Presence {
        let Some((class, last)) = name.rsplit_once('.') else { return Presence::Unknown };
        let Some((module, class)) = class.rsplit_once('.') else { return Presence::Unknown };
        self.module_text(module).map_or(Presence::Unknown, |text| modules::member(&text, class, last))
    }

    /// Whether a class has a member.
    pub(crate) fn member(&self, class: DefinitionId, name: &str) -> Presence {
        let index = self.version.index;
        if index.definition(class).language == Language::TypeScript {
            return self.npm.member(class, name);
        }
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
                let last = base.rsplit('.').next().unwrap_or(base);
                let is_ancestor = definition.ancestors.iter().any(|id| index.definition(*id).name == last);
                known.is_none_or(|(_, id)| id.is_none()) && !is_plain && !is_ancestor
            });
        }
        if is_open { Presence::Unknown } else { Presence::Absent }
    }
}

/// True for a built-in class that gives a class no members that a program would lose: `object`, errors, and the classes
/// that only declare something, wherever a package takes them from.
fn is_plain_global(base: &str) -> bool {
    matches!(base, "" | "object" | "type" | "Object" | "Generic" | "Protocol" | "ABC")
        || ["Error", "Exception", "Warning"].iter().any(|ending| base.ends_with(ending))
}

/// The name of the module of a file of a package.
fn module_of(path: &str) -> Option<String> {
    let inner = path.strip_prefix(INSTALLED)?.strip_prefix('/')?;
    let stem = inner.strip_suffix(".py").or_else(|| inner.strip_suffix(".pyi"))?;
    Some(stem.strip_suffix("/__init__").unwrap_or(stem).replace('/', "."))
}

/// Whether the function `__getattr__` of a module serves a name.
pub(crate) fn served(text: &str, name: &str) -> Presence {
    let lines: Vec<&str> = text.lines().collect();
    let is_head = |line: &&str| line.starts_with("def __getattr__(");
    // Another function may serve any name.
    let Some(begin) = lines.iter().position(is_head).map(|at| at + 1) else { return Presence::Unknown };
    let is_inside = |line: &&&str| line.is_empty() || line.starts_with([' ', '\t', '#', ')']);
    let body: Vec<&str> = lines[begin..].iter().take_while(is_inside).copied().collect();
    let is_named = |line: &&str| has_literal(line, name);
    if let Some(at) = body.iter().position(is_named) {
        let branch = body[at..].iter().take(WARNING_LINES).copied().collect::<Vec<_>>().join("\n");
        let warns = branch.contains("DeprecationWarning") || branch.contains("deprecated");
        return if warns { Presence::Deprecated(branch) } else { Presence::Present };
    }
    // A function without names and without a table serves what another module has.
    let has = |words: &[&str]| body.iter().any(|line| words.iter().any(|word| line.contains(word)));
    if has(&[" getattr(", "=getattr(", "import_module(", "globals()"]) && !has(&[".get(", " in ", " == "]) {
        return Presence::Unknown;
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
        let all = "def __getattr__(name):\n    from . import impl\n    return getattr(impl, name)\n";
        let other = "__getattr__, __dir__ = attach(__name__)\n";
        assert_eq!([served(all, "Any"), served(other, "Any")], [Presence::Unknown, Presence::Unknown]);
    }
}
