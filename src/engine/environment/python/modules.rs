//! The modules of an environment that can be imported by one name, without a dot.

use std::path::{Path, PathBuf};

use compact_str::CompactString;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::{Environment, ModuleFolderKind};
use crate::listing;

/// The modules of an environment, by the name that an import begins with.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct InstalledModules {
    by_name: FxHashMap<CompactString, Vec<InstalledModule>>,
}

/// A module of an environment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InstalledModule {
    /// The folder of the package, or the file of the module.
    pub path: PathBuf,
    /// The folder in which the module was found, as a position in [`Environment::module_folders`]; `None` for a module
    /// that an import hook maps.
    pub folder: Option<usize>,
    /// What the module consists of.
    pub form: ModuleForm,
    /// True if it was copied into a folder of packages; false for one that is installed editably.
    pub is_copied: bool,
}

/// What a module consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ModuleForm {
    /// Stubs for a package, in a folder `NAME-stubs`.
    Stubs,
    /// A folder with `__init__.py` or `__init__.pyi`.
    Package,
    /// A file of Python, or the stub beside a compiled module.
    File,
    /// Machine code only. Nothing can be read of it.
    Compiled,
    /// A folder without `__init__`: one part of a namespace package.
    Namespace,
}

impl InstalledModules {
    /// Lists the modules of an environment. Each folder of modules is listed once; nothing below is opened.
    pub fn of(environment: &Environment) -> Self {
        let mut modules = Self::default();
        for (position, folder) in environment.module_folders.iter().enumerate() {
            for (name, form, entry) in top_level(&folder.path, folder.kind) {
                let is_copied = folder.kind != ModuleFolderKind::Added;
                let module = InstalledModule { path: folder.path.join(entry), folder: Some(position), form, is_copied };
                modules.by_name.entry(name).or_default().push(module);
            }
        }
        for (name, path) in &environment.mapped {
            let form = if listing::is_folder(path) { ModuleForm::Package } else { ModuleForm::File };
            let module = InstalledModule { path: path.clone(), folder: None, form, is_copied: false };
            modules.by_name.entry(name.into()).or_default().push(module);
        }
        for found in modules.by_name.values_mut() {
            // The interpreter takes the first folder that has the module; only if none has, the parts of a namespace.
            // Stubs stand before all.
            found.sort_by_key(|module| match module.form {
                ModuleForm::Stubs => 0,
                ModuleForm::Package | ModuleForm::File | ModuleForm::Compiled => 1,
                ModuleForm::Namespace => 2,
            });
        }
        modules
    }

    /// Drops the other places of each module that one of the first `replacing` folders has as a whole. Stubs stay, and
    /// the parts of a namespace package.
    pub(super) fn drop_replaced(&mut self, replacing: usize) {
        for places in self.by_name.values_mut() {
            let is_replacing = |place: &InstalledModule| place.folder.is_some_and(|at| at < replacing);
            let is_whole = |place: &InstalledModule| {
                is_replacing(place) && !matches!(place.form, ModuleForm::Stubs | ModuleForm::Namespace)
            };
            if places.iter().any(is_whole) {
                places.retain(|place| is_replacing(place) || place.form == ModuleForm::Stubs);
            }
        }
    }

    /// The places of a module, the one that an import takes first. Of a namespace package every part is a place.
    pub fn get(&self, name: &str) -> &[InstalledModule] {
        self.by_name.get(name).map_or(&[], Vec::as_slice)
    }

    /// The names and places of all modules, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &InstalledModule)> {
        let mut all: Vec<_> = self.by_name.iter().collect();
        all.sort_unstable_by_key(|(name, _)| *name);
        all.into_iter().flat_map(|(name, places)| places.iter().map(move |place| (name.as_str(), place)))
    }

    /// True if a distribution brings a module of the name, as code and not as a folder elsewhere.
    pub fn is_installed(&self, name: &str) -> bool {
        let is_copied = |place: &InstalledModule| place.is_copied && place.form != ModuleForm::Namespace;
        self.get(name).iter().any(is_copied)
    }

    /// True if an import of the name finds a module.
    pub fn holds(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }
}

/// The modules of a folder: the name, the form, and the entry of the folder.
fn top_level(folder: &Path, kind: ModuleFolderKind) -> Vec<(CompactString, ModuleForm, String)> {
    let mut found = Vec::new();
    for entry in listing::entries(folder) {
        let name = entry.name.as_str();
        if entry.is_folder {
            if let Some(package) = name.strip_suffix("-stubs").filter(|package| is_identifier(package)) {
                found.push((package.into(), ModuleForm::Stubs, entry.name.clone()));
            } else if is_identifier(name) && name != "__pycache__" {
                let has = |file: &str| listing::is_file(&folder.join(name).join(file));
                let form = match has("__init__.py") || has("__init__.pyi") {
                    true => ModuleForm::Package,
                    false if has_compiled_init(&folder.join(name)) => ModuleForm::Compiled,
                    // A folder of a project that is installed editably holds more than modules.
                    false if kind == ModuleFolderKind::Added && !holds_python(&folder.join(name)) => continue,
                    false => ModuleForm::Namespace,
                };
                found.push((name.into(), form, entry.name.clone()));
            }
            continue;
        }
        let Some((stem, extension)) = name.split_once('.') else { continue };
        let form = match extension {
            "py" | "pyi" => ModuleForm::File,
            _ if is_compiled(extension) => ModuleForm::Compiled,
            _ => continue,
        };
        if is_identifier(stem) {
            found.push((stem.into(), form, entry.name.clone()));
        }
    }
    // `x.py`, `x.pyi` and `x.cpython-312.so` are one module, of which the first entry says where it is.
    found.sort_by(|a, b| (&a.0, a.1, &a.2).cmp(&(&b.0, b.1, &b.2)));
    found.dedup_by(|next, kept| next.0 == kept.0 && next.1 != ModuleForm::Stubs && kept.1 != ModuleForm::Stubs);
    found
}

/// True for the extension of a compiled module: `so`, `pyd`, `cpython-312-x86_64-linux-gnu.so`.
pub fn is_compiled(extension: &str) -> bool {
    matches!(extension.rsplit('.').next(), Some("so" | "pyd" | "dylib"))
}

fn has_compiled_init(package: &Path) -> bool {
    let is_init = |name: &str| name.strip_prefix("__init__.").is_some_and(is_compiled);
    listing::entries(package).iter().any(|entry| is_init(&entry.name))
}

/// True if a folder, or a folder in it, holds Python.
fn holds_python(folder: &Path) -> bool {
    let is_python = |entry: &listing::Entry| entry.has_extension(&["py", "pyi"]);
    let entries = listing::entries(folder);
    entries.iter().any(is_python)
        || entries
            .iter()
            .filter(|entry| entry.is_folder && is_identifier(&entry.name))
            .any(|entry| listing::entries(&folder.join(&entry.name)).iter().any(is_python))
}

fn is_identifier(name: &str) -> bool {
    name.starts_with(|c: char| c.is_alphabetic() || c == '_') && name.chars().all(|c| c.is_alphanumeric() || c == '_')
}
