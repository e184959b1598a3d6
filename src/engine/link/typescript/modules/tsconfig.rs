//! The options of one `tsconfig.json` or `jsconfig.json` that concern module resolution.

use compact_str::CompactString;
use rustc_hash::FxHashMap;

use super::{
    json::{JsonDocument, JsonObject, JsonValue, get, quoted},
    path::{folder_of, join, name_of},
    pattern_table::PatternTable,
};
use apidisc_base::diagnostic::Diagnostic;

/// The largest number of paths that are read from one list. Configurations inherit lists, so a long list would be
/// processed many times.
const MAX_PATHS: usize = 64;

/// An option that concerns module resolution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum ConfigOption {
    BaseUrl,
    Paths,
    RootDirs,
    RootDir,
    OutDir,
    DeclarationDir,
    Files,
    Include,
    CustomConditions,
}

impl ConfigOption {
    pub(super) const ALL: [Self; 9] = [
        Self::BaseUrl,
        Self::Paths,
        Self::RootDirs,
        Self::RootDir,
        Self::OutDir,
        Self::DeclarationDir,
        Self::Files,
        Self::Include,
        Self::CustomConditions,
    ];
}

/// The value of an option.
#[derive(Debug)]
pub(super) enum OptionValue {
    /// `null`: revokes the inherited value.
    Null,
    Path(CompactString),
    PathList(Vec<CompactString>),
    Paths(PatternTable<Vec<CompactString>>),
}

/// Another configuration that `extends` or `references` names.
#[derive(Debug)]
pub(super) struct ConfigReference {
    /// A path or a package specifier, as written.
    pub(super) target: CompactString,
    /// The line of the reference, counted from 1.
    pub(super) line: usize,
}

/// One configuration file.
#[derive(Debug)]
pub(super) struct TsConfig {
    pub(super) path: CompactString,
    pub(super) extends: Vec<ConfigReference>,
    pub(super) references: Vec<ConfigReference>,
    options: FxHashMap<ConfigOption, OptionValue>,
}

/// True if a file is a configuration by its name: `tsconfig*.json` or `jsconfig*.json`.
pub(super) fn is_config(path: &str) -> bool {
    let name = name_of(path);
    let stem = name.strip_suffix(".json");
    stem.is_some_and(|stem| stem.starts_with("tsconfig") || stem.starts_with("jsconfig"))
}

impl TsConfig {
    /// Reads a configuration. If the text is not valid JSON, the result has no options.
    pub(super) fn read(path: &str, text: &str, problems: &mut Vec<Diagnostic>) -> Self {
        let mut config = Self {
            path: CompactString::from(path),
            extends: Vec::new(),
            references: Vec::new(),
            options: FxHashMap::default(),
        };
        if let Some(document) = JsonDocument::read(path, text, problems) {
            config.read_options(&document, problems);
        }
        config
    }

    pub(super) fn folder(&self) -> &str {
        folder_of(&self.path)
    }

    pub(super) fn option(&self, option: ConfigOption) -> Option<&OptionValue> {
        self.options.get(&option)
    }

    /// The texts of an option that is a list.
    pub(super) fn texts(&self, option: ConfigOption) -> impl Iterator<Item = &CompactString> {
        let texts = match self.option(option) {
            Some(OptionValue::PathList(texts)) => &texts[..],
            _ => &[],
        };
        texts.iter()
    }

    fn read_options(&mut self, document: &JsonDocument, problems: &mut Vec<Diagnostic>) {
        let reference = |value: &JsonValue| {
            let text = value.as_string_lit()?;
            Some(ConfigReference { target: CompactString::from(&*text.value), line: document.line(text) })
        };
        match get(&document.root, "extends") {
            Some(JsonValue::Array(all)) => self.extends.extend(all.elements.iter().filter_map(reference)),
            Some(one) => self.extends.extend(reference(one)),
            None => {}
        }
        if let Some(references) = get(&document.root, "references").and_then(JsonValue::as_array) {
            let paths = references.elements.iter().filter_map(|each| get(each.as_object()?, "path"));
            self.references.extend(paths.filter_map(reference));
        }
        self.read_path_list(ConfigOption::Files, &document.root, "files");
        self.read_path_list(ConfigOption::Include, &document.root, "include");
        let Some(options) = get(&document.root, "compilerOptions").and_then(JsonValue::as_object) else { return };
        self.read_path(ConfigOption::BaseUrl, options, "baseUrl");
        self.read_path(ConfigOption::RootDir, options, "rootDir");
        self.read_path(ConfigOption::OutDir, options, "outDir");
        self.read_path(ConfigOption::DeclarationDir, options, "declarationDir");
        self.read_path_list(ConfigOption::RootDirs, options, "rootDirs");
        self.read_path_list(ConfigOption::CustomConditions, options, "customConditions");
        match get(options, "paths") {
            Some(JsonValue::Object(table)) => {
                let paths = read_paths(document, table, problems);
                self.options.insert(ConfigOption::Paths, OptionValue::Paths(paths));
            }
            Some(JsonValue::NullKeyword(_)) => drop(self.options.insert(ConfigOption::Paths, OptionValue::Null)),
            Some(other) => problems.push(document.problem(other, "`paths` has to be an object: it is left out")),
            None => {}
        }
    }

    fn read_path(&mut self, option: ConfigOption, object: &JsonObject, name: &str) {
        let value = match get(object, name) {
            Some(JsonValue::StringLit(text)) => OptionValue::Path(CompactString::from(&*text.value)),
            Some(JsonValue::NullKeyword(_)) => OptionValue::Null,
            _ => return,
        };
        self.options.insert(option, value);
    }

    fn read_path_list(&mut self, option: ConfigOption, object: &JsonObject, name: &str) {
        let value = match get(object, name) {
            Some(JsonValue::Array(all)) => {
                let texts = all.elements.iter().take(MAX_PATHS).filter_map(JsonValue::as_string_lit);
                OptionValue::PathList(texts.map(|text| CompactString::from(&*text.value)).collect())
            }
            Some(JsonValue::NullKeyword(_)) => OptionValue::Null,
            _ => return,
        };
        self.options.insert(option, value);
    }
}

/// Reads the option `paths`, which maps patterns to their targets.
fn read_paths(
    document: &JsonDocument,
    table: &JsonObject,
    problems: &mut Vec<Diagnostic>,
) -> PatternTable<Vec<CompactString>> {
    let mut entries = Vec::new();
    for property in &table.properties {
        let pattern = property.name.as_str();
        let Some(targets) = property.value.as_array() else {
            let message = format!("`paths` of {} have to be a list: they are left out", quoted(pattern));
            problems.push(document.problem(property, &message));
            continue;
        };
        let targets = targets.elements.iter().filter_map(JsonValue::as_string_lit);
        entries.push((CompactString::from(pattern), targets.map(|t| CompactString::from(&*t.value)).collect()));
    }
    entries.into_iter().collect()
}

/// Resolves a path that a configuration may inherit. `declared_in` is the folder of the configuration that contains the
/// path, and `used_in` is the folder of the configuration that inherits it. A leading `${configDir}` stands for
/// `used_in` (TypeScript 5.5); any other path is relative to `declared_in`.
pub(super) fn config_path(declared_in: &str, used_in: &str, path: &str) -> Option<CompactString> {
    const CONFIG_DIR: &str = "${configDir}";
    match path.strip_prefix(CONFIG_DIR) {
        Some(rest) => join(used_in, rest.trim_start_matches('/')),
        None => join(declared_in, path),
    }
}
