//! Folders that are not walked, regardless of ignore files: they are written by tools, or contain installed packages.

use std::path::Path;

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
];

/// The folder of a Python installation that holds the installed packages.
const SITE_PACKAGES: &str = "site-packages";

/// Folders of build products, unless they are Python packages.
const PRODUCT_FOLDERS: &[&str] = &["build", "dist"];

/// True for a folder that holds installed packages or lies in one: below `node_modules`, or in a virtual environment of
/// Python. Installed packages consist of build products, so these are walked if a person names such a folder.
pub(super) fn is_installed(root: &Path) -> bool {
    let Ok(root) = root.canonicalize() else { return false };
    root.iter().any(|part| part == "node_modules" || part == SITE_PACKAGES)
        || root.ancestors().any(|folder| folder.join("pyvenv.cfg").is_file())
}

/// True for a folder that is not walked. Folders of build products and of installed Python packages are walked if
/// `keeps_products`.
pub(super) fn is_skipped(path: &Path, keeps_products: bool) -> bool {
    let name = path.file_name().and_then(|n| n.to_str()).unwrap_or("");
    is_skipped_folder(name, |file| path.join(file).exists(), keeps_products)
}

/// True for a folder of this name that is not walked. `has` returns true for the files in it.
pub(in super::super) fn is_skipped_folder(name: &str, has: impl Fn(&str) -> bool, keeps_products: bool) -> bool {
    (SKIPPED_FOLDERS.contains(&name) && !(keeps_products && name == SITE_PACKAGES))
        || (!keeps_products && PRODUCT_FOLDERS.contains(&name) && !has("__init__.py"))
        || has("pyvenv.cfg")
}
