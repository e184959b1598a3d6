//! The distributions of an environment: what `pip list` shows, and which module comes from which of them.

use std::path::{Path, PathBuf};

use compact_str::CompactString;
use rustc_hash::FxHashMap;

use super::Environment;
use crate::listing;

/// A distribution: a project as an index of packages names it, installed in one version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Distribution {
    /// The name as its author writes it, such as `Flask-SQLAlchemy`.
    pub name: String,
    /// The version.
    pub version: String,
    /// The folder of the project if the distribution is installed editably.
    pub project: Option<PathBuf>,
    /// The folder of its metadata. With the metadata's change time it says whether the distribution has changed.
    pub metadata: PathBuf,
}

/// Which distribution brings which module.
#[derive(Clone, Debug, Default)]
pub struct Distributions {
    by_module: FxHashMap<CompactString, Vec<Distribution>>,
}

/// A folder of metadata, known by its name alone.
struct Metadata {
    folder: PathBuf,
    /// The name in the form that compares equal for all spellings.
    normalized: String,
    version: String,
}

impl Distributions {
    /// Finds the distributions of the modules that are asked for. A distribution whose name is that of the module is
    /// found by its name; for the others the lists of files are read.
    pub fn of<'m>(environment: &Environment, modules: impl IntoIterator<Item = &'m str>) -> Self {
        let metadata: Vec<Metadata> =
            environment.module_folders.iter().flat_map(|folder| metadata_in(&folder.path)).collect();
        let mut found = Self::default();
        let mut open: Vec<&str> = Vec::new();
        for module in modules {
            let wanted = normalized(module);
            let stubs = [format!("types-{wanted}"), format!("{wanted}-stubs")];
            let same = |known: &&Metadata| known.normalized == wanted;
            // A distribution of the module's name need not bring the module: `attr` comes from `attrs`.
            let by_name = metadata.iter().find(same).filter(|known| brings(known, module) != Some(false));
            match by_name {
                Some(known) => found.push(module, known),
                None => open.push(module),
            }
            for known in metadata.iter().filter(|known| stubs.contains(&known.normalized)) {
                found.push(module, known);
            }
        }
        if !open.is_empty() {
            for known in &metadata {
                let mut modules = modules_of(known);
                if modules.is_empty() {
                    // Without a list of files, `a-b` is taken to bring `a.b`, a part of the namespace package `a`.
                    modules.extend(known.normalized.split_once('-').map(|(first, _)| first.to_owned()));
                }
                for module in open.iter().filter(|module| modules.iter().any(|brought| brought == *module)) {
                    found.push(module, known);
                }
            }
        }
        found
    }

    /// The distributions of an environment that are installed editably, by the folders of their metadata.
    pub fn editable(environment: &Environment) -> Vec<Distribution> {
        let metadata = environment.module_folders.iter().flat_map(|folder| metadata_in(&folder.path));
        metadata.filter(|known| editable_project(&known.folder).is_some()).map(|known| known.read()).collect()
    }

    /// The distributions that have the names of modules and are installed editably, each with its module.
    pub fn editable_named<'m>(
        environment: &Environment,
        modules: impl IntoIterator<Item = &'m CompactString>,
    ) -> Vec<(&'m CompactString, Distribution)> {
        let metadata: Vec<Metadata> =
            environment.module_folders.iter().flat_map(|folder| metadata_in(&folder.path)).collect();
        let named = |module: &'m CompactString| {
            let wanted = normalized(module);
            let of_name = metadata.iter().find(|known| known.normalized == wanted)?;
            editable_project(&of_name.folder).map(|_| (module, of_name.read()))
        };
        modules.into_iter().filter_map(named).collect()
    }

    /// The distributions that have the names of modules and may bring them, each with its module. Those that are
    /// installed editably are left out.
    pub fn named<'m>(
        environment: &Environment,
        modules: impl IntoIterator<Item = &'m CompactString>,
    ) -> Vec<(CompactString, Distribution)> {
        let metadata: Vec<Metadata> =
            environment.module_folders.iter().flat_map(|folder| metadata_in(&folder.path)).collect();
        let named = |module: &CompactString| {
            let wanted = normalized(module);
            let of_name = metadata.iter().find(|known| known.normalized == wanted)?;
            let may_bring = brings(of_name, module) != Some(false) && editable_project(&of_name.folder).is_none();
            may_bring.then(|| (module.clone(), of_name.read()))
        };
        modules.into_iter().filter_map(named).collect()
    }

    /// Adds distributions of other modules.
    pub fn extend(&mut self, others: impl IntoIterator<Item = Self>) {
        self.by_module.extend(others.into_iter().flat_map(|other| other.by_module));
    }

    /// The distributions that bring a module. A namespace package comes from several; the one with the module's code is
    /// first, stubs are last.
    pub fn of_module(&self, module: &str) -> &[Distribution] {
        self.by_module.get(module).map_or(&[], Vec::as_slice)
    }

    fn push(&mut self, module: &str, metadata: &Metadata) {
        let distributions = self.by_module.entry(module.into()).or_default();
        if distributions.iter().any(|known| known.metadata == metadata.folder) {
            return;
        }
        distributions.push(metadata.read());
        distributions.sort_by_key(|distribution| is_stubs(&normalized(&distribution.name)));
    }
}

fn is_stubs(name: &str) -> bool {
    name.starts_with("types-") || name.ends_with("-stubs")
}

impl Metadata {
    fn read(&self) -> Distribution {
        let [name, version] = described(&self.folder);
        Distribution {
            name: name.unwrap_or_else(|| self.normalized.clone()),
            version: version.unwrap_or_else(|| self.version.clone()),
            project: editable_project(&self.folder),
            metadata: self.folder.clone(),
        }
    }
}

/// The name and the version that the metadata in a folder has.
fn described(folder: &Path) -> [Option<String>; 2] {
    let head = ["METADATA", "PKG-INFO"].iter().find_map(|name| listing::text(&folder.join(name)));
    ["Name", "Version"].map(|key| {
        let lines = head.as_deref().unwrap_or_default().lines().take_while(|line| !line.is_empty());
        let value = lines.filter_map(|line| line.split_once(':')).find(|(name, _)| name.eq_ignore_ascii_case(key));
        value.map(|(_, value)| value.trim().to_owned()).filter(|value| !value.is_empty())
    })
}

/// The name and the version of the distribution whose metadata is in a folder: a `.dist-info`, or the top of a source
/// distribution.
pub fn distribution_of(folder: &Path) -> Option<(String, String)> {
    let [name, version] = described(folder);
    Some((name?, version.unwrap_or_default()))
}

/// The folder of the project that `direct_url.json` (PEP 610) names for an editable installation.
fn editable_project(metadata: &Path) -> Option<PathBuf> {
    let text = listing::text(&metadata.join("direct_url.json"))?;
    let origin: serde_json::Value = serde_json::from_str(&text).ok()?;
    let is_editable = origin.get("dir_info")?.get("editable")?.as_bool()?;
    let path = plain(origin.get("url")?.as_str()?.strip_prefix("file://")?)?;
    // On Windows a slash stands before the letter of the drive.
    let path = if path.as_bytes().get(2) == Some(&b':') { path.trim_start_matches('/') } else { &path };
    is_editable.then(|| PathBuf::from(path))
}

/// The path of a URL without its escapes, such as `%20`; `None` if it is not UTF-8.
fn plain(path: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let escaped = after.get(..2).filter(|_| first == b'%').and_then(|digits| std::str::from_utf8(digits).ok());
        let escaped = escaped.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(escaped.unwrap_or(first));
        rest = if escaped.is_some() { &after[2..] } else { after };
    }
    String::from_utf8(bytes).ok()
}

/// The metadata of the distributions in a folder of packages, by the names of folders: `NAME-VERSION.dist-info`.
fn metadata_in(site: &Path) -> Vec<Metadata> {
    let of_entry = |entry: listing::Entry| {
        let stem = entry.name.strip_suffix(".dist-info").or_else(|| entry.name.strip_suffix(".egg-info"))?;
        let (name, version) = stem.split_once('-').unwrap_or((stem, ""));
        // Of an egg the version of Python follows.
        let version = version.split("-py").next().unwrap_or_default();
        let folder = site.join(&entry.name);
        Some(Metadata { folder, normalized: normalized(name), version: version.to_owned() })
    };
    listing::entries(site).into_iter().filter_map(of_entry).collect()
}

/// The name in lower case with one `-` for each run of `-`, `_` and `.` (PEP 503).
pub fn normalized(name: &str) -> String {
    let parts = name.split(['-', '_', '.']).filter(|part| !part.is_empty());
    parts.map(str::to_lowercase).collect::<Vec<_>>().join("-")
}

/// True if the distribution says that it brings the module, false if it says which modules it brings and the module is
/// none of them; `None` if it says nothing.
fn brings(metadata: &Metadata, module: &str) -> Option<bool> {
    let modules = modules_of(metadata);
    (!modules.is_empty()).then(|| modules.iter().any(|brought| brought == module))
}

/// The modules that a distribution brings, by `top_level.txt`, else by its list of files.
fn modules_of(metadata: &Metadata) -> Vec<String> {
    if let Some(text) = listing::text(&metadata.folder.join("top_level.txt")) {
        return text.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect();
    }
    let Some(record) = ["RECORD", "installed-files.txt"].iter().find_map(|n| listing::text(&metadata.folder.join(n)))
    else {
        return Vec::new();
    };
    let mut modules: Vec<String> = Vec::new();
    for line in record.lines() {
        let path = line.split(',').next().unwrap_or_default().trim_matches('"').replace('\\', "/");
        let is_module = [".py", ".pyi", ".so", ".pyd"].iter().any(|extension| path.ends_with(extension));
        let first = path.split(['/', '.']).next().unwrap_or_default();
        let name = if path.contains('/') { path.split('/').next().unwrap_or_default() } else { first };
        let name = name.strip_suffix("-stubs").unwrap_or(name);
        // The import hook of an editable installation is no module that a program imports.
        let is_hook = name.starts_with('_') && name.contains("editable");
        if is_module
            && !is_hook
            && !name.is_empty()
            && !name.contains('.')
            && modules.last().is_none_or(|last| last != name)
        {
            modules.push(name.to_owned());
        }
    }
    modules.sort();
    modules.dedup();
    modules
}
