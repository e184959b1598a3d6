//! Folders that are not walked, regardless of ignore files: they are written by tools, or contain installed packages.

use std::{ffi::OsStr, path::Path};

use serde_json::Value;

use crate::source::FileEntry;
use apidisc_base::{files::Root, language::Language};

/// Folders that are never walked, regardless of ignore files: installed packages, caches and data of tools.
const SKIPPED_FOLDERS: &[&str] = &[
    ".git",
    ".hg",
    ".svn",
    ".venv",
    "venv",
    ".tox",
    ".nox",
    ".eggs",
    ".mypy_cache",
    ".pytest_cache",
    ".ruff_cache",
    "__pycache__",
    SITE_PACKAGES,
    "node_modules",
    ".yarn",
    ".cache",
    ".parcel-cache",
    ".turbo",
    ".next",
    ".nuxt",
    ".output",
    ".svelte-kit",
    ".pnpm-store",
    "bower_components",
    "__pypackages__",
    ".ipynb_checkpoints",
];

/// The folder of a Python installation that holds the installed packages.
const SITE_PACKAGES: &str = "site-packages";

/// Folders of build products, unless they are Python packages or folders of a Python package.
const PRODUCT_FOLDERS: &[&str] = &["build", "dist"];

/// The greatest number of entries of a folder that are looked at.
const MAX_ENTRIES: usize = 10_000;

/// The largest `package.json` that is read, in bytes.
const MAX_MANIFEST_BYTES: u64 = 1 << 20;

/// True for a folder of installed packages: `node_modules`, `site-packages` or a virtual environment of Python. The
/// packages consist of build products, so these are walked if a person names such a folder.
pub(super) fn is_installed(root: &Path) -> bool {
    let Ok(real) = root.canonicalize() else { return false };
    let is_named = real.file_name().is_some_and(|name| name == "node_modules" || name == SITE_PACKAGES);
    is_named || real.join("pyvenv.cfg").is_file()
}

/// True for a package as it is published, in which `found` are the files outside of build products: the entry points of
/// its `package.json` are build products, and the sources of these are not there. A working tree of git is no published
/// package.
pub(super) fn is_published(root: &Path, found: &[FileEntry]) -> bool {
    let is_source = |file: &FileEntry| {
        let in_sources = ["src/", "lib/", "source/"].iter().any(|folder| file.path.starts_with(folder));
        file.language
            .is_some_and(|by| !by.output_folders().is_empty() && (in_sources || !by.may_be_compiled(&file.path)))
    };
    if found.iter().any(is_source) || root.join(".git").symlink_metadata().is_ok() {
        return false;
    }
    let text = Root::open(root).ok().and_then(|root| root.read_text("package.json".as_ref(), MAX_MANIFEST_BYTES).ok());
    let Some(manifest) = text.and_then(|text| serde_json::from_str::<Value>(&text).ok()) else { return false };
    let mut values: Vec<&Value> =
        ["exports", "types", "typings", "module", "main"].iter().filter_map(|key| manifest.get(key)).collect();
    while let Some(value) = values.pop() {
        match value {
            Value::String(path) if is_product(root, path) => return true,
            Value::Array(all) => values.extend(all),
            Value::Object(all) => values.extend(all.values()),
            _ => {}
        }
    }
    false
}

/// True for a path from `root` into a folder of build products that is there.
fn is_product(root: &Path, path: &str) -> bool {
    let Some((folder, _)) = path.trim_start_matches("./").split_once('/') else { return false };
    Language::ALL.iter().any(|by| by.output_folders().contains(&folder)) && root.join(folder).is_dir()
}

/// True for a folder that is not walked. Folders of build products and of installed Python packages are walked if
/// `keeps_products`. `depth` is 1 for a folder in the root: one of the name `site-packages` is code of the repository,
/// unless an installer has left its traces there.
pub(super) fn is_skipped(path: &Path, depth: usize, keeps_products: bool) -> bool {
    if depth == 1 && path.ends_with(SITE_PACKAGES) && !has_distributions(path) {
        return false;
    }
    let name = path.file_name().and_then(|n| n.to_str()).unwrap_or("");
    let in_package = || path.parent().is_some_and(|folder| folder.join("__init__.py").exists());
    is_skipped_folder(name, |file| path.join(file).exists(), in_package, keeps_products)
}

/// True for a folder with the metadata of an installed distribution.
fn has_distributions(folder: &Path) -> bool {
    let is_metadata = |name: &OsStr| {
        let ending = Path::new(name).extension();
        ending.is_some_and(|ending| ["dist-info", "egg-info", "egg-link", "pth"].iter().any(|known| ending == *known))
    };
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.take(MAX_ENTRIES).any(|entry| is_metadata(&entry.file_name()))
}

/// True for a folder of this name that is not walked. `has` returns true for the files in it, and `in_package` if it
/// lies in a Python package: build tools write nothing there.
pub(in super::super) fn is_skipped_folder(
    name: &str,
    has: impl Fn(&str) -> bool,
    in_package: impl Fn() -> bool,
    keeps_products: bool,
) -> bool {
    (SKIPPED_FOLDERS.contains(&name) && !(keeps_products && name == SITE_PACKAGES))
        || (!keeps_products && PRODUCT_FOLDERS.contains(&name) && !has("__init__.py") && !in_package())
        || has("pyvenv.cfg")
}
