//! The names by which the files of a program import modules and definitions.

use compact_str::{CompactString, format_compact};
use rustc_hash::{FxHashMap, FxHashSet};

use super::linker::Linker;
use crate::{
    source::Origin,
    syntax::python::facts::{BindingKind, FileFacts},
};

impl Linker<'_> {
    /// The names by which files import modules, where these differ from the names of the modules: `app.core` for
    /// `backend.app.core` if `backend` is on the import path. Each is followed by the name of the module. They are
    /// sorted. Of several packages with the same name, none has such a name, since an import may mean any of them.
    pub(super) fn import_names(&self) -> Vec<(CompactString, CompactString)> {
        let imported: FxHashSet<&str> = self.program.files.iter().flat_map(|file| top_names(&file.facts)).collect();
        // The length of the folder around a package, by the path of the package.
        let mut packages: FxHashMap<CompactString, usize> = FxHashMap::default();
        for (name, folders) in self.program.modules.top_packages() {
            if let [folder] = folders
                && !folder.is_empty()
                && imported.contains(name.as_str())
            {
                packages.insert(format_compact!("{folder}/{name}"), folder.len() + 1);
            }
        }
        let mut names = Vec::new();
        for file in self.program.files.iter().filter(|file| file.origin == Origin::Src) {
            let path = file.import_path();
            let start = path.match_indices('/').find_map(|(end, _)| packages.get(&path[..end]));
            let Some(below) = start.map(|&start| &path[start..]) else { continue };
            let stem = below.rsplit_once('.').map_or(below, |(stem, _)| stem);
            let name: CompactString = stem.strip_suffix("/__init__").unwrap_or(stem).replace('/', ".").into();
            if name != file.module {
                names.push((name, file.module.clone()));
            }
        }
        names.sort();
        names.dedup();
        names
    }

    /// For each qualified name that examples and documentation import with `from module import name`, the number of the
    /// files that do.
    pub(super) fn imported_names(&self) -> FxHashMap<CompactString, u32> {
        let mut counts: FxHashMap<CompactString, u32> = FxHashMap::default();
        for file in self.program.files.iter().filter(|file| matches!(file.origin, Origin::Examples | Origin::Docs)) {
            let names = file.facts.bindings.iter().filter_map(|binding| match binding.kind {
                BindingKind::ImportFrom { level: 0, module, name } => {
                    Some(format_compact!("{}.{}", file.facts.name(module), file.facts.name(name)))
                }
                _ => None,
            });
            let names: FxHashSet<CompactString> = names.collect();
            for name in names {
                *counts.entry(name).or_default() += 1;
            }
        }
        counts
    }
}

/// The first parts of the modules that a file imports by absolute names.
fn top_names(facts: &FileFacts) -> impl Iterator<Item = &str> {
    facts.bindings.iter().filter_map(|binding| {
        let module = match binding.kind {
            BindingKind::ImportFrom { level: 0, module, .. } | BindingKind::ImportStar { level: 0, module } => module,
            BindingKind::Import { module, .. } => module,
            _ => return None,
        };
        facts.name(module).split('.').next()
    })
}
