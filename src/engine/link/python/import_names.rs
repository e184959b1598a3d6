//! The names by which examples and documents import and read definitions.

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
