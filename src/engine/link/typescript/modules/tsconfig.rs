//! What one `tsconfig.json` or `jsconfig.json` says of modules.

use compact_str::CompactString;
use rustc_hash::FxHashMap;

use super::{
    json::{Document, Object, Value, get, quoted},
    path::{folder_of, join, name_of},
    patterns::Patterns,
};
use crate::diagnostic::Diagnostic;

/// Lists of folders are read so far: nobody writes longer ones, and they are inherited.
const MOST_FOLDERS: usize = 64;

/// The settings that say where modules are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Key {
    BaseUrl,
    Paths,
    RootDirs,
    RootDir,
    OutDir,
    DeclarationDir,
    Files,
    Include,
}

pub(super) const KEYS: [Key; 8] =
    [Key::BaseUrl, Key::Paths, Key::RootDirs, Key::RootDir, Key::OutDir, Key::DeclarationDir, Key::Files, Key::Include];

/// What is set.
#[derive(Debug)]
pub(super) enum Setting {
    /// `null`: takes back what is inherited.
    Nothing,
    Text(CompactString),
    Folders(Vec<CompactString>),
    Paths(Patterns<Vec<CompactString>>),
}

/// Another file that a configuration names.
#[derive(Debug)]
pub(super) struct Link {
    pub(super) to: CompactString,
    /// From 1.
    pub(super) line: usize,
}

/// One file.
#[derive(Debug)]
pub(super) struct Config {
    pub(super) path: CompactString,
    pub(super) extends: Vec<Link>,
    pub(super) references: Vec<Link>,
    settings: FxHashMap<Key, Setting>,
}

/// True of the names by which TypeScript and its users call their configuration.
pub(super) fn is_config(path: &str) -> bool {
    let name = name_of(path);
    let stem = name.strip_suffix(".json");
    stem.is_some_and(|stem| stem.starts_with("tsconfig") || stem.starts_with("jsconfig"))
}

impl Config {
    /// Without settings where the file cannot be read.
    pub(super) fn read(path: &str, text: &str, problems: &mut Vec<Diagnostic>) -> Self {
        let mut config = Self {
            path: CompactString::from(path),
            extends: Vec::new(),
            references: Vec::new(),
            settings: FxHashMap::default(),
        };
        if let Some(document) = Document::read(path, text, problems) {
            config.take(&document, problems);
        }
        config
    }

    pub(super) fn folder(&self) -> &str {
        folder_of(&self.path)
    }

    pub(super) fn setting(&self, key: Key) -> Option<&Setting> {
        self.settings.get(&key)
    }

    fn take(&mut self, document: &Document, problems: &mut Vec<Diagnostic>) {
        let link = |value: &Value| {
            let text = value.as_string_lit()?;
            Some(Link { to: CompactString::from(&*text.value), line: document.line(text) })
        };
        match get(&document.root, "extends") {
            Some(Value::Array(all)) => self.extends.extend(all.elements.iter().filter_map(link)),
            Some(one) => self.extends.extend(link(one)),
            None => {}
        }
        if let Some(references) = get(&document.root, "references").and_then(Value::as_array) {
            let paths = references.elements.iter().filter_map(|each| get(each.as_object()?, "path"));
            self.references.extend(paths.filter_map(link));
        }
        self.folders(Key::Files, &document.root, "files");
        self.folders(Key::Include, &document.root, "include");
        let Some(options) = get(&document.root, "compilerOptions").and_then(Value::as_object) else { return };
        self.text(Key::BaseUrl, options, "baseUrl");
        self.text(Key::RootDir, options, "rootDir");
        self.text(Key::OutDir, options, "outDir");
        self.text(Key::DeclarationDir, options, "declarationDir");
        self.folders(Key::RootDirs, options, "rootDirs");
        match get(options, "paths") {
            Some(Value::Object(table)) => {
                let paths = paths(document, table, problems);
                self.settings.insert(Key::Paths, Setting::Paths(paths));
            }
            Some(Value::NullKeyword(_)) => drop(self.settings.insert(Key::Paths, Setting::Nothing)),
            Some(other) => problems.push(document.problem(other, "`paths` has to be an object: it is left out")),
            None => {}
        }
    }

    fn text(&mut self, key: Key, object: &Object, name: &str) {
        let setting = match get(object, name) {
            Some(Value::StringLit(text)) => Setting::Text(CompactString::from(&*text.value)),
            Some(Value::NullKeyword(_)) => Setting::Nothing,
            _ => return,
        };
        self.settings.insert(key, setting);
    }

    fn folders(&mut self, key: Key, object: &Object, name: &str) {
        let setting = match get(object, name) {
            Some(Value::Array(all)) => {
                let texts = all.elements.iter().take(MOST_FOLDERS).filter_map(Value::as_string_lit);
                Setting::Folders(texts.map(|text| CompactString::from(&*text.value)).collect())
            }
            Some(Value::NullKeyword(_)) => Setting::Nothing,
            _ => return,
        };
        self.settings.insert(key, setting);
    }
}

fn paths(document: &Document, table: &Object, problems: &mut Vec<Diagnostic>) -> Patterns<Vec<CompactString>> {
    let mut entries = Vec::new();
    for property in &table.properties {
        let pattern = property.name.as_str();
        let Some(targets) = property.value.as_array() else {
            let message = format!("`paths` of {} have to be a list: they are left out", quoted(pattern));
            problems.push(document.problem(property, &message));
            continue;
        };
        let targets = targets.elements.iter().filter_map(Value::as_string_lit);
        entries.push((CompactString::from(pattern), targets.map(|t| CompactString::from(&*t.value)).collect()));
    }
    entries.into_iter().collect()
}

/// What a path in the file in `declared_in` means for a configuration in `used_in` that inherits it.
pub(super) fn place(declared_in: &str, used_in: &str, path: &str) -> Option<CompactString> {
    const OWN_FOLDER: &str = "${configDir}";
    match path.strip_prefix(OWN_FOLDER) {
        Some(rest) => join(used_in, rest.trim_start_matches('/')),
        None => join(declared_in, path),
    }
}
