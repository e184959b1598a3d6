//! Finds the package that an import names, and the file of it that declares what is imported.

use std::{
    path::{Component, Path, PathBuf},
    sync::Arc,
};

use rustc_hash::FxHashMap;

use super::{
    manifest::{PackageManifest, joined},
    range,
};
use crate::listing;

/// The folder that holds packages.
const NODE_MODULES: &str = "node_modules";
/// The folders of package managers outside of a project to which links in `node_modules` may lead.
const STORES: [&str; 3] = [".pnpm", "pnpm", ".bun"];
/// The greatest number of folders above an importing file that are looked at.
const MAX_FOLDERS: usize = 64;

/// An installed package.
#[derive(Clone, Debug)]
pub struct Package {
    /// The name of its folder, such as `zod` or `@types/node`.
    pub name: String,
    /// The version; empty if it is not known.
    pub version: String,
    /// The folder, without symbolic links.
    pub root: PathBuf,
    manifest: PackageManifest,
}

/// The file that declares a module of a package.
#[derive(Clone, Debug)]
pub struct Declarations {
    /// The package.
    pub package: Arc<Package>,
    /// The path of the file below the folder of the package, with `/` between the parts.
    pub path: String,
}

impl Package {
    /// True for a file of the package that is a module of ECMAScript, whatever reads it.
    pub fn is_ecmascript(&self, path: &str) -> bool {
        match path.rsplit_once('.') {
            Some((_, "mts")) => true,
            Some((_, "ts")) => self.manifest.is_ecmascript,
            _ => false,
        }
    }
}

/// The installed packages of projects. Nothing but `package.json` files is read, and each of them once.
#[derive(Debug, Default)]
pub struct NodePackages {
    /// The outermost folders in which packages are looked for.
    tops: Vec<PathBuf>,
    /// By the `node_modules` folder and the name.
    packages: FxHashMap<(PathBuf, String), Option<Arc<Package>>>,
    /// Whether a folder holds a folder `node_modules`.
    holders: FxHashMap<PathBuf, bool>,
    /// Whether a path is a file inside of its package.
    files: FxHashMap<PathBuf, bool>,
    /// The packages that take the place of installed ones, by name.
    replaced: FxHashMap<String, Replacement>,
    /// The outermost folders in which the packages are looked for that those of `replaced` import.
    others: Vec<PathBuf>,
}

/// A package that takes the place of the installed one.
#[derive(Debug)]
struct Replacement {
    package: Arc<Package>,
    /// The packages that it needs, each with the range of its versions.
    needed: FxHashMap<String, String>,
}

impl NodePackages {
    /// The packages for code below each of `tops`, the outermost folders in which they are looked for.
    pub fn new<'t>(tops: impl IntoIterator<Item = &'t Path>) -> Self {
        let real = |top: &Path| listing::real_path(top).unwrap_or_else(|| top.to_owned());
        Self { tops: tops.into_iter().map(real).collect(), ..Self::default() }
    }

    /// Lets the package in a folder take the place of every installed package of its name. What it imports is looked
    /// for beside it, and in the project where that has a version which the package allows.
    pub fn replace(&mut self, root: &Path) {
        let Some(root) = listing::real_path(root) else { return };
        let Some(text) = listing::text(&root.join("package.json")) else { return };
        let Some(name) = super::manifest::name(&text) else { return };
        let manifest = PackageManifest::read("", &text);
        let holder = root.ancestors().filter(|folder| folder.ends_with(NODE_MODULES)).last().and_then(Path::parent);
        let other = holder.unwrap_or(&root).to_owned();
        if !self.tops.iter().any(|top| top.starts_with(&other)) {
            self.others.push(other);
        }
        let package = Package { name: name.clone(), version: manifest.version.clone(), root, manifest };
        let needed = super::manifest::needed(&text);
        self.replaced.insert(name, Replacement { package: Arc::new(package), needed });
    }

    /// The file that declares the module which `specifier` names in a file in the folder `from`. `None` for a relative
    /// path, for a package that is not installed or is a link to sources of the project, and for one without
    /// declarations.
    pub fn declarations(&mut self, from: &Path, specifier: &str) -> Option<Declarations> {
        let (name, below) = package_of_specifier(specifier)?;
        let package = self.package(from, name);
        if let Some(package) = &package
            && let Some(path) = self.declared(package, below)
        {
            return Some(Declarations { package: Arc::clone(package), path });
        }
        let types = self.package(from, &types_package(name)?)?;
        let path = self.declared(&types, below)?;
        Some(Declarations { package: types, path })
    }

    /// The installed package of a name for a file in the folder `from`: that of the nearest `node_modules` that has it.
    pub fn package(&mut self, from: &Path, name: &str) -> Option<Arc<Package>> {
        if let Some(replacement) = self.replaced.get(name) {
            return Some(Arc::clone(&replacement.package));
        }
        if !self.others.iter().any(|other| from.starts_with(other)) {
            return self.nearest(from, name);
        }
        let beside = self.nearest(from, name);
        let project = self.tops.first().cloned();
        let of_project = project.and_then(|project| self.nearest(&project, name));
        let version = |package: &Option<Arc<Package>>| package.as_ref().map(|package| package.version.clone());
        if beside.is_some() && version(&beside) != version(&of_project) {
            return beside;
        }
        let owner = self.replaced.values().find(|replacement| from.starts_with(&replacement.package.root));
        let range = owner.and_then(|owner| owner.needed.get(name));
        let is_allowed = |package: &Arc<Package>| {
            beside.is_some() || range.is_none_or(|range| range::holds(range, &package.version))
        };
        of_project.filter(is_allowed)
    }

    /// The package of a name in the nearest `node_modules` folder that has it.
    fn nearest(&mut self, from: &Path, name: &str) -> Option<Arc<Package>> {
        let above = self.tops.iter().chain(&self.others).filter(|top| from.starts_with(top));
        let top = above.max_by_key(|top| top.components().count()).cloned();
        for folder in from.ancestors().take(MAX_FOLDERS) {
            let is_inside = match &top {
                Some(top) => folder.starts_with(top),
                None => has_component(folder, NODE_MODULES),
            };
            if !is_inside {
                break;
            }
            if folder.file_name().is_some_and(|folder| folder == NODE_MODULES) || !self.holds_packages(folder) {
                continue;
            }
            let key = (folder.join(NODE_MODULES), name.to_owned());
            let found = if let Some(known) = self.packages.get(&key) {
                known.clone()
            } else {
                let found = self.read_package(&key.0, name);
                self.packages.insert(key.clone(), found.clone());
                found
            };
            if found.is_some() || listing::kind(&key.0.join(name)).is_some() {
                return found;
            }
        }
        None
    }

    /// True if the package in a folder declares the types of its main module itself.
    pub fn declares_types(root: &Path) -> bool {
        let mut packages = Self::default();
        packages.replace(root);
        let found = packages.replaced.values().next().map(|replacement| Arc::clone(&replacement.package));
        found.is_some_and(|package| packages.declared(&package, "").is_some())
    }

    /// True if the package that a specifier names is installed, and has neither declarations nor code of the subpath
    /// that the specifier names.
    pub fn lacks(&mut self, from: &Path, specifier: &str) -> bool {
        let Some((name, below)) = package_of_specifier(specifier).filter(|(_, below)| !below.is_empty()) else {
            return false;
        };
        let Some(package) = self.package(from, name) else { return false };
        let types = types_package(name).and_then(|types| self.package(from, &types));
        [Some(package), types].into_iter().flatten().all(|package| {
            let files = package.manifest.files(below);
            files.is_some_and(|files| !files.iter().any(|path| self.is_file(&package, path)))
        })
    }

    /// The file of a package that a relative path in one of its files names. `inner` is the path of that file below the
    /// folder of the package.
    pub fn relative(&mut self, package: &Package, inner: &str, specifier: &str) -> Option<String> {
        let folder = inner.rsplit_once('/').map_or("", |(folder, _)| folder);
        let path = joined(folder, specifier)?;
        let is_folder = specifier.ends_with(['/', '.']) || path.is_empty();
        let path = if is_folder { format!("{path}/index") } else { path };
        let candidates = PackageManifest::default().candidates(path.trim_start_matches('/'));
        self.first_file(package, &candidates).or_else(|| self.nested(package, &path))
    }

    /// The path of the file that declares a subpath of a package.
    fn declared(&mut self, package: &Package, below: &str) -> Option<String> {
        self.first_file(package, &package.manifest.candidates(below)).or_else(|| self.nested(package, below))
    }

    /// The file to which the `package.json` of a folder in a package leads.
    fn nested(&mut self, package: &Package, folder: &str) -> Option<String> {
        if folder.is_empty() || !self.is_file(package, &format!("{folder}/package.json")) {
            return None;
        }
        let text = listing::text(&package.root.join(folder).join("package.json"))?;
        let candidates = PackageManifest::read(folder, &text).candidates("");
        self.first_file(package, &candidates)
    }

    fn first_file(&mut self, package: &Package, candidates: &[String]) -> Option<String> {
        candidates.iter().find(|path| self.is_file(package, path)).cloned()
    }

    /// True for a regular file that lies in the folder of the package.
    fn is_file(&mut self, package: &Package, inner: &str) -> bool {
        let path = package.root.join(inner);
        if let Some(&known) = self.files.get(&path) {
            return known;
        }
        let is_inside = || listing::real_path(&path).is_some_and(|real| real.starts_with(&package.root));
        let is_file = listing::is_file(&path) && is_inside();
        self.files.insert(path, is_file);
        is_file
    }

    fn holds_packages(&mut self, folder: &Path) -> bool {
        if let Some(&known) = self.holders.get(folder) {
            return known;
        }
        let holds = listing::is_folder(&folder.join(NODE_MODULES));
        self.holders.insert(folder.to_owned(), holds);
        holds
    }

    /// Reads the package of a name in a `node_modules` folder. A link that leads to sources of the project, or out of
    /// the project to no store of a package manager, is none.
    fn read_package(&self, folder: &Path, name: &str) -> Option<Arc<Package>> {
        let root = listing::real_path(&folder.join(name)).filter(|root| listing::is_folder(root))?;
        let is_below_top = self.tops.iter().chain(&self.others).any(|top| root.starts_with(top));
        let is_known = is_below_top || STORES.iter().any(|store| has_component(&root, store));
        if !is_known || !has_component(&root, NODE_MODULES) {
            return None;
        }
        let manifest = listing::text(&root.join("package.json")).map(|text| PackageManifest::read("", &text));
        let manifest = manifest.unwrap_or_default();
        Some(Arc::new(Package { name: name.to_owned(), version: manifest.version.clone(), root, manifest }))
    }
}

/// The file by which Yarn's Plug'n'Play finds the packages of a project in archives, in `folder` or above it up to
/// `top`. `None` if a `node_modules` folder is nearer. The file is code, which nothing runs.
pub fn plug_and_play(folder: &Path, top: &Path) -> Option<PathBuf> {
    let folders = folder.ancestors().take_while(|folder| folder.starts_with(top)).take(MAX_FOLDERS);
    for folder in folders {
        if listing::is_folder(&folder.join(NODE_MODULES)) {
            return None;
        }
        let named = [".pnp.cjs", ".pnp.js", ".pnp.data.json"].map(|name| folder.join(name));
        if let Some(found) = named.into_iter().find(|file| listing::is_file(file)) {
            return Some(found);
        }
    }
    None
}

/// Splits a specifier into the name of a package and the subpath: `@scope/name/below`, `name/below`. `None` for a
/// relative or absolute path, for a name with a scheme such as `node:fs`, and for one that no package can have.
pub fn package_of_specifier(specifier: &str) -> Option<(&str, &str)> {
    let scope = if specifier.starts_with('@') { specifier.find('/')? + 1 } else { 0 };
    let end = specifier[scope..].find('/').map_or(specifier.len(), |at| scope + at);
    let (name, below) = (&specifier[..end], specifier[end..].trim_start_matches('/'));
    let is_part = |part: &str| !matches!(part, "" | "." | "..") && !part.contains(['\\', ':', '\0', '?', '!']);
    let is_name = scope != 2 && name.len() > scope && name.split('/').all(is_part) && !name.starts_with(['#', '~']);
    let is_below = below.is_empty() || below.split('/').all(is_part);
    (is_name && is_below).then_some((name, below))
}

/// The package of declarations for a package without declarations: `@types/scope__name`. `None` for a package of
/// declarations.
pub fn types_package(name: &str) -> Option<String> {
    if name.starts_with("@types/") {
        return None;
    }
    Some(match name.strip_prefix('@').and_then(|scoped| scoped.split_once('/')) {
        Some((scope, name)) => format!("@types/{scope}__{name}"),
        None => format!("@types/{name}"),
    })
}

/// True for a path from the importing file. `.prisma/client` is the name of a package.
pub fn is_relative(specifier: &str) -> bool {
    matches!(specifier, "." | "..") || specifier.starts_with("./") || specifier.starts_with("../")
}

fn has_component(path: &Path, name: &str) -> bool {
    path.components().any(|part| matches!(part, Component::Normal(part) if part == name))
}
