//! The fields of the `package.json` of an installed package that say where its declarations are.

use apidisc_base::language::typescript::is_met_by_newest_compiler;
use rustc_hash::FxHashMap;
use serde_json::{Map, Value};

/// The greatest number of paths that one subpath may lead to.
const MAX_CANDIDATES: usize = 64;
/// The greatest depth of conditions inside each other.
const MAX_DEPTH: usize = 16;

/// The `package.json` of an installed package.
#[derive(Clone, Debug, Default)]
pub(super) struct PackageManifest {
    /// The folder of the manifest below that of the package; empty for the manifest of the package.
    folder: String,
    /// `version`; empty if there is none.
    pub(super) version: String,
    /// Its `.js` and `.d.ts` files are modules of ECMAScript: `"type": "module"`.
    pub(super) is_ecmascript: bool,
    exports: Option<Value>,
    /// The entry points that are used if `exports` has none: `types`, `typings`, `main`.
    mains: Vec<String>,
    types_versions: Option<Map<String, Value>>,
}

/// The names of the packages on which the project of a `package.json` depends.
pub fn dependencies(text: &str) -> Vec<String> {
    let Ok(manifest) = serde_json::from_str::<Value>(text) else { return Vec::new() };
    let kinds = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"];
    let listed = kinds.iter().filter_map(|kind| manifest.get(kind)?.as_object());
    listed.flat_map(|listed| listed.keys().cloned()).collect()
}

/// The packages that a package needs, each with the range of its versions.
pub(super) fn needed(text: &str) -> FxHashMap<String, String> {
    let Ok(manifest) = serde_json::from_str::<Value>(text) else { return FxHashMap::default() };
    let kinds = ["peerDependencies", "optionalDependencies", "dependencies"];
    let listed = kinds.iter().filter_map(|kind| manifest.get(kind)?.as_object()).flatten();
    listed.filter_map(|(name, range)| Some((name.clone(), range.as_str()?.to_owned()))).collect()
}

/// The name of the package of a `package.json`.
pub fn name(text: &str) -> Option<String> {
    text_field(text, "name")
}

/// The version of the package of a `package.json`.
pub fn version(text: &str) -> Option<String> {
    text_field(text, "version")
}

fn text_field(text: &str, name: &str) -> Option<String> {
    let manifest: Value = serde_json::from_str(text).ok()?;
    manifest.get(name)?.as_str().map(str::to_owned)
}

/// The packages that the option `types` of a `tsconfig.json` lists. The text may have comments.
pub fn listed_types(text: &str) -> Vec<String> {
    let Some((_, rest)) = text.split_once("\"types\"") else { return Vec::new() };
    let Some(list) = rest.trim_start().strip_prefix(':').and_then(|rest| rest.trim_start().strip_prefix('[')) else {
        return Vec::new();
    };
    let list = list.split(']').next().unwrap_or_default();
    list.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

impl PackageManifest {
    /// Reads a `package.json`; the manifest of a text that is no object has nothing.
    /// `folder` is the folder of the manifest below that of the package.
    pub(super) fn read(folder: &str, text: &str) -> Self {
        let Ok(Value::Object(mut fields)) = serde_json::from_str(text) else { return Self::default() };
        let string = |fields: &Map<String, Value>, name: &str| fields.get(name)?.as_str().map(str::to_owned);
        Self {
            folder: folder.to_owned(),
            version: string(&fields, "version").unwrap_or_default(),
            is_ecmascript: string(&fields, "type").as_deref() == Some("module"),
            mains: ["types", "typings", "main"].iter().filter_map(|name| string(&fields, name)).collect(),
            exports: fields.remove("exports"),
            types_versions: match fields.remove("typesVersions") {
                Some(Value::Object(versions)) => Some(versions),
                _ => None,
            },
        }
    }

    /// The paths in the package at which the module of a subpath may be declared, the best first. The subpath of the
    /// package itself is empty.
    pub(super) fn candidates(&self, below: &str) -> Vec<String> {
        let mut found = Vec::new();
        if let Some(exports) = &self.exports {
            for target in exported_targets(exports, below) {
                add_declarations(&self.folder, &target, &mut found);
            }
        }
        let index = "index".to_owned();
        let written: Vec<String> = if below.is_empty() { self.mains.clone() } else { vec![below.to_owned()] };
        for path in written.iter().chain(below.is_empty().then_some(&index)) {
            self.versioned(path).iter().for_each(|path| add_declarations(&self.folder, path, &mut found));
            add_declarations(&self.folder, path, &mut found);
        }
        found.truncate(MAX_CANDIDATES);
        found
    }

    /// The paths in the package at which the code or the declarations of a subpath may be. `None` if `exports` names
    /// the subpath.
    pub(super) fn files(&self, below: &str) -> Option<Vec<String>> {
        let table = self.exports.as_ref().and_then(Value::as_object);
        if table.is_some_and(|table| table.get(&format!("./{below}")).is_some_and(|target| !target.is_null())) {
            return None;
        }
        let targets = self.exports.as_ref().map(|exports| exported_targets(exports, below)).unwrap_or_default();
        let mut found = self.candidates(below);
        for path in targets.iter().filter_map(|target| joined(&self.folder, target)).chain([below.to_owned()]) {
            let endings = ["", ".js", ".mjs", ".cjs", ".jsx", ".json", "/index.js", "/index.mjs", "/package.json"];
            found.extend(endings.iter().map(|ending| format!("{path}{ending}")));
        }
        Some(found)
    }

    /// The paths to which `typesVersions` maps a path, for the newest compiler.
    fn versioned(&self, path: &str) -> Vec<String> {
        let Some(versions) = &self.types_versions else { return Vec::new() };
        let tables = versions.iter().filter(|(range, _)| is_met_by_newest_compiler(range.as_str()));
        let Some(table) = tables.map(|(_, table)| table).find_map(Value::as_object) else { return Vec::new() };
        let path = path.trim_start_matches("./");
        let mut found = Vec::new();
        if let Some((star, targets)) = best_pattern(table, path) {
            collect_targets(targets, 0, false, &mut found);
            for target in &mut found {
                *target = target.replacen('*', &star, 1);
            }
        }
        found
    }
}

/// The targets of a subpath in `exports`, the best first. Targets that only `require` reaches come last.
fn exported_targets(exports: &Value, below: &str) -> Vec<String> {
    let key = if below.is_empty() { ".".to_owned() } else { format!("./{below}") };
    let is_table = |table: &Map<String, Value>| table.keys().any(|key| key.starts_with('.'));
    let (star, value) = match exports {
        Value::Object(table) if is_table(table) => match best_pattern(table, &key) {
            Some(found) => found,
            None => return Vec::new(),
        },
        one if below.is_empty() => (String::new(), one),
        _ => return Vec::new(),
    };
    let mut found = Vec::new();
    for with_require in [false, true] {
        collect_targets(value, 0, with_require, &mut found);
    }
    for target in &mut found {
        *target = target.replace('*', &star);
    }
    found
}

/// The entry of a table of patterns that matches a path best, with the text that its star stands for: the exact one,
/// else the one with the longest text before the star. A key that ends with a slash stands for all paths below it.
fn best_pattern<'t>(table: &'t Map<String, Value>, path: &str) -> Option<(String, &'t Value)> {
    if let Some(exact) = table.get(path) {
        return Some((String::new(), exact));
    }
    let starred = table.iter().filter_map(|(key, value)| {
        let (before, after) = key.split_once('*').or_else(|| key.ends_with('/').then_some((key.as_str(), "")))?;
        let star = path.strip_prefix(before)?.strip_suffix(after)?;
        Some((before.len(), star.to_owned(), value))
    });
    starred.max_by_key(|(len, ..)| *len).map(|(_, star, value)| (star, value))
}

/// Adds the paths that a target names, in the order of its conditions, as far as an import of a compiler meets them.
fn collect_targets(value: &Value, depth: usize, with_require: bool, found: &mut Vec<String>) {
    if depth > MAX_DEPTH || found.len() > MAX_CANDIDATES {
        return;
    }
    match value {
        Value::String(path) => found.push(path.clone()),
        Value::Array(all) => all.iter().for_each(|each| collect_targets(each, depth + 1, with_require, found)),
        Value::Object(conditions) => {
            for (condition, value) in conditions {
                if is_met(condition, with_require) {
                    collect_targets(value, depth + 1, with_require, found);
                }
            }
        }
        _ => {}
    }
}

fn is_met(condition: &str, with_require: bool) -> bool {
    matches!(condition, "types" | "import" | "module" | "module-sync" | "node" | "browser" | "default")
        || condition.strip_prefix("types@").is_some_and(is_met_by_newest_compiler)
        || with_require && condition == "require"
}

/// The path that `path` in a folder of a package leads to. `None` for one that leads out of the package.
pub(super) fn joined(folder: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part if part.contains(['\\', '\0']) => return None,
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Adds the paths of the files that declare the module whose code is at `target`, a path in a folder of a package.
fn add_declarations(folder: &str, target: &str, found: &mut Vec<String>) {
    let Some(path) = joined(folder, target).filter(|_| !target.starts_with('/')) else { return };
    let path = path.as_str();
    let mut add = |stem: &str, endings: &[&str]| {
        for ending in endings {
            let candidate = format!("{stem}{ending}");
            if !found.contains(&candidate) {
                found.push(candidate);
            }
        }
    };
    let is_source = |path: &str| [".ts", ".tsx", ".mts", ".cts"].iter().any(|ending| path.ends_with(ending));
    let stem = |ending: &str| path.strip_suffix(ending);
    if is_source(path) {
        add(path, &[""]);
    } else if let Some(stem) = stem(".js").or_else(|| stem(".jsx")) {
        add(stem, &[".d.ts", ".ts", ".tsx"]);
    } else if let Some(stem) = stem(".mjs") {
        add(stem, &[".d.mts", ".mts", ".d.ts"]);
    } else if let Some(stem) = stem(".cjs") {
        add(stem, &[".d.cts", ".cts", ".d.ts"]);
    }
    // A path without an ending, or one whose last part has a dot of its own.
    if !is_source(path) {
        let folder = if path.is_empty() { String::new() } else { format!("{path}/") };
        if !folder.is_empty() {
            add(path, &[".d.ts", ".ts", ".tsx", ".d.mts", ".d.cts"]);
        }
        add(&format!("{folder}index"), &[".d.ts", ".ts", ".tsx", ".d.mts", ".d.cts"]);
    }
}
