//! Build products to the sources that they are made of: by `outDir` and `rootDir`, else by what folders of products
//! are called.

use compact_str::CompactString;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::{
    files::{Files, Hit, is_asset},
    inherit::Inherited,
    path::{child, folder_of, folders_around, join, within},
    scopes::{about, path},
    tsconfig::{Config, Key},
};

/// A folder that more projects write to than this says nothing of where sources are.
const MOST_ROOTS: usize = 16;

/// The files, found also where a path names a build product.
#[derive(Debug, Default)]
pub(super) struct Sources {
    pub(super) files: Files,
    /// Folder of products to the folders of sources that end up there.
    outputs: FxHashMap<CompactString, SmallVec<[CompactString; 2]>>,
}

impl Sources {
    pub(super) fn new(files: Files, configs: &[Config], inherited: &[Inherited]) -> Self {
        let mut sources = Self { files, ..Self::default() };
        for (config, inherited) in configs.iter().zip(inherited) {
            let folder = config.folder();
            for key in [Key::OutDir, Key::DeclarationDir] {
                let Some(out) = path(configs, inherited, folder, key) else { continue };
                let roots = sources.outputs.entry(out).or_default();
                if roots.len() >= MOST_ROOTS {
                    continue;
                }
                for root in roots_of(configs, inherited, folder) {
                    if !roots.contains(&root) {
                        roots.push(root);
                    }
                }
            }
        }
        sources
    }

    /// The file that a path means. Sources come before what is made of them, TypeScript before JavaScript.
    pub(super) fn locate(&self, path: &str) -> Option<usize> {
        match self.files.find(path) {
            Some(hit) if hit.kind.is_typescript() && !hit.kind.is_declaration() => Some(hit.file),
            found => self.product(path).or(found).map(|hit| hit.file),
        }
    }

    /// The source that a configuration says is written to `path`.
    fn product(&self, path: &str) -> Option<Hit> {
        if self.outputs.is_empty() {
            return None;
        }
        // Declarations are written beside the code, which says what it is made of.
        let (stem, ending) = declared_code(path).unwrap_or((path, ""));
        folders_around(path).find_map(|out| {
            let roots = self.outputs.get(out)?;
            let below = compact_str::format_compact!("{}{ending}", within(stem, out)?);
            roots.iter().find_map(|root| self.files.code(&join(root, &below)?))
        })
    }

    /// What an entry of a package means: it may name a product, whose source has its name in `src`, in `lib` or at
    /// the top, below up to three folders of products.
    pub(super) fn entry(&self, package: &str, target: &str) -> Option<usize> {
        if is_asset(target) {
            return None;
        }
        let path = join(package, target)?;
        self.locate(&path).or_else(|| self.guess(package, within(&path, package)?))
    }

    /// The source of `product` in a package, by the folder's names alone.
    pub(super) fn guess(&self, package: &str, product: &str) -> Option<usize> {
        let stem = without_ending(product);
        let found = |below: &str| self.locate(&join(package, below)?);
        let mut rest = stem;
        for _ in 0..3 {
            let Some((_, below)) = rest.split_once('/') else { break };
            rest = below;
            let in_folder = |folder: &str| found(&child(folder, rest));
            if let Some(file) = in_folder("src").or_else(|| in_folder("lib")).or_else(|| found(rest)) {
                return Some(file);
            }
        }
        found(&child("src", stem))
    }

    /// The folders that may hold what an entry of a package in `folder` names, as [`Self::entry`] would look.
    pub(super) fn folders(&self, package: &str, folder: &str) -> Vec<CompactString> {
        let Some(path) = join(package, folder) else { return Vec::new() };
        let mut folders = Vec::new();
        for out in std::iter::once(path.as_str()).chain(folders_around(&path)) {
            let roots = self.outputs.get(out).map_or(&[][..], SmallVec::as_slice);
            folders.extend(roots.iter().filter_map(|root| join(root, within(&path, out)?)));
        }
        let mut rest = within(&path, package).unwrap_or_default();
        for _ in 0..3 {
            rest = rest.split_once('/').map_or("", |(_, below)| below);
            for source in ["src", "lib"] {
                folders.extend(join(package, &child(source, rest)));
            }
        }
        folders.insert(0, path);
        folders
    }
}

/// The folders whose files a configuration writes to its `outDir`: what is kept of their paths there follows
/// `rootDir`, else what all files have in common.
fn roots_of(configs: &[Config], inherited: &Inherited, folder: &str) -> SmallVec<[CompactString; 2]> {
    if let Some(root) = path(configs, inherited, folder, Key::RootDir) {
        return SmallVec::from_iter([root]);
    }
    let about = about(configs, inherited, folder);
    let common = about.iter().map(CompactString::as_str).reduce(|a, b| common(a, b));
    let mut roots = SmallVec::new();
    roots.extend(common.filter(|common| *common != folder).map(CompactString::from));
    roots.push(CompactString::from(folder));
    roots
}

/// The folder that holds both.
fn common<'a>(a: &'a str, b: &str) -> &'a str {
    let mut folder = a;
    while within(b, folder).is_none() {
        folder = folder_of(folder);
    }
    folder
}

/// The code that a declaration file was written beside, in two parts.
fn declared_code(path: &str) -> Option<(&str, &str)> {
    let endings = [(".d.ts", ".js"), (".d.mts", ".mjs"), (".d.cts", ".cjs")];
    endings.into_iter().find_map(|(declared, code)| Some((path.strip_suffix(declared)?, code)))
}

/// A path without the ending of a source, a declaration or a product.
pub(super) fn without_ending(path: &str) -> &str {
    const ENDINGS: &[&str] =
        &[".d.ts", ".d.mts", ".d.cts", ".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts"];
    ENDINGS.iter().find_map(|ending| path.strip_suffix(ending)).unwrap_or(path)
}
