//! The names of a repository's own code that a new revision no longer has.

use std::cell::RefCell;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    edits::Edits,
    presence::Presence,
    replacement,
    report::{Rule, Verdict},
    symbols::served,
    versions::{UseVerdict, Versions, public_name},
};
use apidisc_base::language::Language;
use apidisc_facts::source::SourceText;
use apidisc_indexing::{
    index::{Definition, File, Index},
    snippet::CodeText,
};
use apidisc_words::words;

/// The names that the old revision has, and the new one no longer.
pub(crate) struct Removed<'v> {
    versions: &'v Versions<'v>,
    edits: &'v Edits<'v>,
    /// The definitions of the old revision that are gone, by each full name that is gone.
    definitions: FxHashMap<String, &'v Definition>,
    /// The full names of the modules that are gone.
    modules: FxHashSet<&'v str>,
    /// The last parts of all names that are gone.
    words: FxHashSet<String>,
    /// The full names of the new revision.
    new: FxHashMap<String, &'v Definition>,
    /// The definitions that only the new revision has.
    added: Vec<&'v Definition>,
    /// Whether the new revision has a full name, for each one that was asked for.
    known: RefCell<FxHashMap<String, Presence>>,
}

/// An imported name that is gone.
pub(crate) struct RemovedImport {
    pub(crate) symbol: String,
    pub(crate) is_public: bool,
    pub(crate) verdict: UseVerdict,
}

impl<'v> Removed<'v> {
    pub(crate) fn new(versions: &'v Versions<'v>, edits: &'v Edits<'v>) -> Self {
        let (before, after) = (versions.before.index, versions.after.index);
        let (old, new) = (names(before, edits), names(after, edits));
        let added = new.values().filter(|found| !old.contains_key(found.fqn.as_str())).copied();
        let mut added: Vec<&Definition> = added.filter(|found| !old.contains_key(found.alias.as_str())).collect();
        added.sort_unstable_by(|a, b| a.fqn.cmp(&b.fqn));
        added.dedup_by(|a, b| a.fqn == b.fqn);
        let definitions = old.into_iter().filter(|(name, _)| !new.contains_key(name));
        let definitions: FxHashMap<String, &Definition> = definitions.collect();
        let is_code = |file| !edits.is_user(&before.file(file).path);
        let gone = before.module_names.iter().filter(|(name, _)| !after.module_names.contains_key(*name));
        let gone = gone.filter(|(_, id)| before.module(**id).file.is_some_and(is_code));
        let modules: FxHashSet<&str> = gone.map(|(name, _)| name.as_str()).collect();
        let words = definitions.keys().map(String::as_str).chain(modules.iter().copied()).map(last);
        let words = words.map(str::to_owned).collect();
        Self { versions, edits, definitions, modules, words, new, added, known: RefCell::default() }
    }

    /// True if a text has a word that is the last part of a name that is gone.
    pub(crate) fn is_named_in(&self, text: &str) -> bool {
        text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$' | '-')))
            .any(|word| self.words.contains(word))
    }

    /// The verdict on a use of a definition of a module that the new revision does not resolve.
    pub(crate) fn verdict(&self, definition: &Definition) -> UseVerdict {
        let mut all = [&definition.fqn, &definition.alias].into_iter().chain(&definition.aliases);
        if all.any(|name| self.new.contains_key(name.as_str())) {
            return UseVerdict::Unknown;
        }
        self.verdict_on_name(&definition.fqn, definition)
    }

    /// What is known of an import in `file`: of `name` from `module`, or of `module` itself. `None` for a name that is
    /// still there, or that is none of the code.
    pub(crate) fn import(&self, file: &File, module: &str, name: Option<&str>) -> Option<RemovedImport> {
        meant(&file.path, file.language, module).into_iter().find_map(|module| {
            let full = name.map_or_else(|| module.clone(), |name| joined(&module, name, file.language));
            if let Some(definition) = self.definitions.get(&full) {
                let verdict = self.verdict_on_name(&full, definition);
                // The definition may still be there under its public name.
                let is_gone = !self.new.contains_key(definition.alias.as_str());
                let symbol = if is_gone { public_name(definition).to_owned() } else { full };
                return Some(RemovedImport { symbol, is_public: definition.is_public, verdict });
            }
            // `from package import module`.
            let full = if file.language == Language::Python { full } else { module };
            self.modules.contains(full.as_str()).then(|| {
                let is_public = !full.split(['.', '/']).any(|part| part.starts_with('_'));
                let is_there = self.edits.has_stem(&self.file_of(&full).unwrap_or_default());
                let verdict = if is_there {
                    UseVerdict::Unknown
                } else {
                    UseVerdict::found(Verdict::Break, Rule::RemovedSymbol, self.moved_module(&full))
                };
                RemovedImport { symbol: full, is_public, verdict }
            })
        })
    }

    /// The public name in the new revision of what an import in `file` takes by a relative path, if the change moved
    /// the file and left the import alone: the definition `name`, or the module itself.
    pub(crate) fn moved_along(&self, file: &File, line: u32, module: &str, name: Option<&str>) -> Option<String> {
        if !module.starts_with('.') {
            return None;
        }
        let (path, _) = self.edits.kept(&file.path, line).filter(|(path, _)| *path != file.path.as_str())?;
        let index = self.versions.after.index;
        meant(&path, file.language, module).into_iter().find_map(|module| match name {
            Some(name) => self.new.get(&joined(&module, name, file.language)).map(|new| public_name(new).to_owned()),
            None => index.module_names.contains_key(module.as_str()).then_some(module),
        })
    }

    /// True if the new revision has a definition with a full name.
    pub(crate) fn is_new(&self, full: &str) -> bool {
        self.new.contains_key(full)
    }

    /// The verdict on a full name of the old revision that is none of the new one.
    fn verdict_on_name(&self, full: &str, definition: &Definition) -> UseVerdict {
        let name = parted(full, definition.language).1;
        match self.presence_of(full, definition.language) {
            Presence::Absent => UseVerdict::found(Verdict::Break, Rule::RemovedSymbol, self.instead(definition)),
            Presence::Deprecated(message) => {
                let now = replacement::advised(&message, name).next();
                UseVerdict::found(Verdict::Deprecated, Rule::DeprecatedSymbol, now)
            }
            Presence::Present | Presence::Unknown => UseVerdict::Unknown,
        }
    }

    /// Whether the new revision has a full name, although it is none of its definitions.
    fn presence_of(&self, full: &str, language: Language) -> Presence {
        if let Some(known) = self.known.borrow().get(full) {
            return known.clone();
        }
        let (module, name) = parted(full, language);
        let after = self.versions.after;
        let file = after.index.module_names.get(module).and_then(|&id| after.index.module(id).file);
        let presence = match file.map(|file| after.index.file(file)) {
            Some(file) => match (after.read)(&file.path) {
                Some(text) => self.presence(file, text, name),
                None => Presence::Unknown,
            },
            None if self.edits.has_stem(&self.file_of(module).unwrap_or_default()) => Presence::Unknown,
            None => Presence::Absent,
        };
        self.known.borrow_mut().insert(full.to_owned(), presence.clone());
        presence
    }

    /// Whether a module of the new revision has a name, although it is none of its definitions.
    fn presence(&self, file: &File, text: String, name: &str) -> Presence {
        if text.contains("def __getattr__(") {
            return served(&text, name);
        }
        let takes_all = |line: &str| {
            let from = line.trim_start().strip_prefix("from ").and_then(|rest| rest.split_once(" import *"));
            let from = from.map(|(module, _)| module.trim());
            let from = from.or_else(|| {
                let (_, module) = line.trim_start().strip_prefix("export *")?.split_once("from")?;
                Some(module.trim_matches([' ', ';', '"', '\'']))
            });
            from.is_some_and(|module| {
                !module.starts_with('.') && !self.versions.after.index.module_names.contains_key(module)
            })
        };
        if text.lines().any(takes_all) {
            return Presence::Unknown;
        }
        let text = SourceText { source: text, lines: None };
        let is_named = CodeText::new(&file.path, text, file.language, false).names_at_top(name);
        if is_named { Presence::Unknown } else { Presence::Absent }
    }

    /// The path of the file of a module of the old revision.
    fn file_of(&self, module: &str) -> Option<String> {
        let index = self.versions.before.index;
        let file = index.module(*index.module_names.get(module)?).file?;
        Some(index.file(file).path.to_string())
    }

    /// The name of the module into which a module that is gone was moved.
    fn moved_module(&self, module: &str) -> Option<String> {
        let moved = self.edits.moved(&self.file_of(module)?)?;
        let index = self.versions.after.index;
        let file = index.files.iter().find(|file| file.path == moved)?;
        Some(index.module(file.module).fqn.to_string())
    }

    /// What to use instead of a definition that is gone: what its code advises, else the one definition that is new and
    /// has the same name, else the one of the same module that is new, and has the same parameters and a similar name.
    fn instead(&self, definition: &Definition) -> Option<String> {
        let name = definition.name.as_str();
        let advised = match definition.deprecation() {
            Some(message) => replacement::advised(&format!("{name} {message}"), name).next(),
            None => self.versions.advised_by_file(definition, name),
        };
        if advised.is_some() {
            return advised;
        }
        let same_kind = |new: &&&Definition| new.kind == definition.kind && new.is_public >= definition.is_public;
        let of_name: Vec<_> = self.added.iter().filter(|new| new.name == definition.name).filter(same_kind).collect();
        if let [only] = of_name[..] {
            return Some(public_name(only).to_owned());
        }
        // The module, or the one into which its file was moved.
        let module = parted(&definition.fqn, definition.language).0;
        let moved = self.moved_module(module);
        let is_home = |of: &Definition| {
            let home = parted(&of.fqn, of.language).0;
            home == module || moved.as_deref() == Some(home)
        };
        let parameters = |of: &Definition| {
            let signature = of.signature.as_ref()?;
            let names = signature.parameters.iter().filter(|parameter| parameter.object.is_none());
            let names: Vec<_> = names.map(|parameter| parameter.name.clone()).collect();
            (!names.is_empty()).then_some(names)
        };
        let wanted = parameters(definition)?;
        let is_same = |new: &&&Definition| {
            is_home(new) && is_like(&new.name, &definition.name) && parameters(new).as_ref() == Some(&wanted)
        };
        let same: Vec<_> = self.added.iter().filter(same_kind).filter(is_same).collect();
        if let [only] = same[..] { Some(public_name(only).to_owned()) } else { None }
    }
}

/// The full names of the modules that an import in the file at `path` may mean.
fn meant(path: &str, language: Language, module: &str) -> Vec<String> {
    if !module.starts_with('.') {
        return vec![module.to_owned()];
    }
    if language == Language::Python {
        // A relative import in a test or example of Python names another test file, not the package.
        return Vec::new();
    }
    let mut parts: Vec<&str> = path.split('/').collect();
    parts.pop();
    for part in module.split('/') {
        match part {
            "." | "" => {}
            // A path that leaves the repository means none of its modules.
            ".." if parts.pop().is_none() => return Vec::new(),
            ".." => {}
            part => parts.push(part),
        }
    }
    let path = parts.join("/");
    let stem = [".js", ".mjs", ".cjs", ".jsx", ".ts", ".tsx", ".mts", ".cts"];
    let stem = stem.into_iter().find_map(|ending| path.strip_suffix(ending)).unwrap_or(&path);
    vec![stem.to_owned(), format!("{stem}/index")]
}

/// The definitions of the modules of an index, by the full names under which they can be imported.
fn names<'i>(index: &'i Index, edits: &Edits<'_>) -> FxHashMap<String, &'i Definition> {
    let mut names = FxHashMap::default();
    let is_code = |definition: &&Definition| !edits.is_user(&index.file(definition.place.file).path);
    let of_modules = index.every_definition().map(|(_, definition)| definition);
    for definition in of_modules.filter(|definition| definition.parent.is_none()).filter(is_code) {
        for name in [&definition.fqn, &definition.alias].into_iter().chain(&definition.aliases) {
            names.entry(name.to_string()).or_insert(definition);
        }
    }
    for module in &index.modules {
        for (name, id) in &module.exports {
            let definition = index.definition(*id);
            if definition.parent.is_none() && is_code(&definition) {
                names.entry(joined(&module.fqn, name, definition.language)).or_insert(definition);
            }
        }
    }
    names
}

/// The full name of a name of a module.
fn joined(module: &str, name: &str, language: Language) -> String {
    let separator = if language == Language::Python { '.' } else { '#' };
    format!("{module}{separator}{name}")
}

/// The module and the name in it of a full name.
fn parted(full: &str, language: Language) -> (&str, &str) {
    let separator = if language == Language::Python { '.' } else { '#' };
    full.rsplit_once(separator).unwrap_or(("", full))
}

/// True for names of which at least half of the words are the same: `defaultMemoize` and `lruMemoize`.
fn is_like(a: &str, b: &str) -> bool {
    let [a, b] = [a, b].map(|name| words(name).collect::<FxHashSet<_>>());
    2 * a.intersection(&b).count() >= a.len().max(b.len())
}

/// The last part of a full name.
fn last(name: &str) -> &str {
    name.rsplit(['.', '#', '/']).next().unwrap_or(name)
}
