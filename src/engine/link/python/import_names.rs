//! The names by which the files of a program import modules and definitions.

use compact_str::{CompactString, format_compact};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::linker::Linker;
use apidisc_facts::{
    source::Origin,
    syntax::python::facts::{Binding, BindingKind, Expr, FileFacts, NameId},
};

/// The greatest number of attributes after an imported name that count as parts of a qualified name.
const MAX_ATTRIBUTES: usize = 8;

impl Linker<'_> {
    /// Pairs of a name by which files import a module, and the name of the module, if the two differ: `app.core` and
    /// `backend.app.core` if `backend` is on the import path. The pairs are sorted. Packages that share a name are left
    /// out, since an import may mean any of them, and so are those whose names begin at a root such as `src`.
    pub(super) fn import_names(&self) -> Vec<(CompactString, CompactString)> {
        let imported: FxHashSet<&str> = self.program.files.iter().flat_map(|file| top_names(&file.facts)).collect();
        // The length of the folder around a package, by the path of the package.
        let mut packages: FxHashMap<CompactString, usize> = FxHashMap::default();
        for (name, folders) in self.program.modules.top_packages() {
            if let [folder] = folders
                && !folder.is_empty()
                && imported.contains(name.as_str())
                && !self.program.modules.is_below_root(folder)
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

    /// The qualified names under which examples and documentation use definitions, each with the number of files: names
    /// that they import with `from module import name`, and names that they read as attributes of modules, such as
    /// `aiohttp.web.Application` by `web.Application` after `from aiohttp import web`.
    pub(super) fn used_names(&self) -> FxHashMap<CompactString, u32> {
        let mut counts: FxHashMap<CompactString, u32> = FxHashMap::default();
        for file in self.program.files.iter().filter(|file| matches!(file.origin, Origin::Examples | Origin::Docs)) {
            let imported = file.facts.bindings.iter().filter_map(|binding| imported_name(&file.facts, binding));
            let names: FxHashSet<CompactString> = imported.chain(attributes_of_imports(&file.facts)).collect();
            for name in names {
                *counts.entry(name).or_default() += 1;
            }
        }
        counts
    }
}

/// The qualified name that a binding imports by `from module import name`.
fn imported_name(facts: &FileFacts, binding: &Binding) -> Option<CompactString> {
    match binding.kind {
        BindingKind::ImportFrom { level: 0, module, name } => {
            Some(format_compact!("{}.{}", facts.name(module), facts.name(name)))
        }
        _ => None,
    }
}

/// The qualified names that a file reads as attributes of imported names. A name that is imported counts as the import
/// wherever it stands in the file.
fn attributes_of_imports(facts: &FileFacts) -> Vec<CompactString> {
    let imports = facts.bindings.iter().filter_map(|binding| match binding.kind {
        BindingKind::Import { module, whole: true } => Some((binding.name, facts.name(module).into())),
        BindingKind::Import { whole: false, .. } => Some((binding.name, facts.name(binding.name).into())),
        _ => Some((binding.name, imported_name(facts, binding)?)),
    });
    let imports: FxHashMap<NameId, CompactString> = imports.collect();
    let qualified = |mut expr: Expr| {
        let mut attributes = SmallVec::<[NameId; MAX_ATTRIBUTES]>::new();
        while let Expr::Attribute { value, name, .. } = expr {
            if attributes.len() == MAX_ATTRIBUTES {
                return None;
            }
            attributes.push(name);
            expr = facts.expr(value);
        }
        let Expr::Name { name, .. } = expr else { return None };
        let mut qualified = imports.get(&name)?.clone();
        for &attribute in attributes.iter().rev() {
            qualified.push('.');
            qualified.push_str(facts.name(attribute));
        }
        Some(qualified)
    };
    facts.exprs.iter().filter(|expr| matches!(expr, Expr::Attribute { .. })).copied().filter_map(qualified).collect()
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
