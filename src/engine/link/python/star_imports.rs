//! `from m import *`: the names that star imports bind in a file, and the module that each name comes from.
//!
//! A package may star-import hundreds of modules that star-import others, so the names of a file are collected once,
//! from the collected names of the modules that it imports.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    linker::Linker,
    names::MODULE,
    program::{FileIndex, GlobalName, ModuleNodeId},
    standard_library,
    types::TypeId,
};
use crate::limits::LinkLimit;
use apidisc_base::nesting;
use apidisc_facts::syntax::python::facts::{BindingId, BindingKind, ExprId, ScopeId};

/// The greatest length of a chain of star imports that is followed.
const MAX_DEPTH: usize = 100;
/// The number of names, copied from module to module, after which no more star imports are collected. It bounds the
/// work on hostile input.
const MAX_STAR_NAMES: usize = 8_000_000;

/// The names that the star imports of a file bind.
#[derive(Debug, Default)]
struct StarNames {
    /// Per name, the module that binds it.
    names: FxHashMap<GlobalName, ModuleNodeId>,
    /// Names that may come from a module outside the sources.
    external_names: FxHashSet<GlobalName>,
    /// True if a module outside the sources is star-imported: any name may come from it.
    has_external_names: bool,
    /// True if a star-imported module itself star-imports a module outside the sources: any name without a leading `_`
    /// may come from there.
    has_external_public_names: bool,
}

impl StarNames {
    /// True if `name`, whose text is `text`, may come from outside the sources.
    fn may_be_external(&self, name: GlobalName, text: &str) -> bool {
        self.has_external_names
            || self.has_external_public_names && is_public(text)
            || self.external_names.contains(&name)
    }
}

fn is_public(text: &str) -> bool {
    !text.starts_with('_')
}

/// The names that star imports bind in each file, and the state of their collection.
#[derive(Debug, Default)]
pub(super) struct StarTables {
    complete: FxHashMap<FileIndex, Arc<StarNames>>,
    /// Names that may be incomplete because of a cycle of star imports. They are dropped when the outermost collection
    /// ends.
    partial: FxHashMap<FileIndex, Arc<StarNames>>,
    /// Files whose star imports are being collected, outermost first.
    in_progress: Vec<FileIndex>,
    name_count: usize,
}

/// The names that `from m import *` takes from a module.
enum StarExports {
    /// The names listed in `__all__`.
    Listed(FxHashSet<GlobalName>),
    /// Every name without a leading `_`, and the names listed in `__all__`. This applies to a module without `__all__`,
    /// and to a module whose `__all__` is not fully known: `__all__ += other.__all__`.
    Public(FxHashSet<GlobalName>),
}

impl Linker<'_> {
    /// The type of a name that a star import binds in a file.
    pub(super) fn star_imported_type(&mut self, file: FileIndex, name: GlobalName) -> Option<TypeId> {
        let stars = self.star_names(file).0;
        if let Some(&node) = stars.names.get(&name) {
            return self.module_attribute(node, name);
        }
        let text = self.program.interner.text(name);
        if !stars.may_be_external(name, text) || standard_library::is_builtin(text) {
            return None;
        }
        let path = self.external_star(file).map(|module| compact_str::format_compact!("{module}.{text}"));
        Some(path.map_or(TypeId::EXTERNAL, |path| self.external_name(&path)))
    }

    /// The type of a name of the module that a star import after all of its `bindings` binds again: of several bindings
    /// the last one holds. `read` is the read of the name in the module itself, which comes after the star import.
    pub(super) fn starred_over(
        &mut self,
        file: FileIndex,
        bindings: &[BindingId],
        read: Option<ExprId>,
    ) -> Option<TypeId> {
        let facts = self.program.facts(file);
        let last = *facts.star_imports.last().and(bindings.iter().max())?;
        let binding = &facts.bindings[last.index()];
        if binding.scope.index() != MODULE {
            return None;
        }
        let name = self.program.global_name(file, binding.name);
        for &(star, first_expr) in facts.star_imports.iter().rev().take_while(|(star, _)| *star > last) {
            let BindingKind::ImportStar { module, level } = facts.bindings[star.index()].kind else { continue };
            let is_before = read.is_none_or(|read| first_expr <= read);
            let Some(node) = self.imported_module(file, level, module).filter(|_| is_before) else {
                continue;
            };
            if self.binds_for_stars(node, name) {
                let _level = self.descend()?;
                return self.module_attribute(node, name).filter(|ty| !ty.is_unknown());
            }
        }
        None
    }

    /// True if a module binds a name, itself or by a star import, that `from module import *` takes.
    fn binds_for_stars(&mut self, node: ModuleNodeId, name: GlobalName) -> bool {
        let Some(file) = self.program.modules.get(node).file else { return false };
        let facts = self.program.facts(file);
        let own = self.program.bound_name(file, ScopeId::new(MODULE), name);
        let is_listed = facts.all.as_ref().is_some_and(|all| own.is_some_and(|own| all.contains(&own)));
        let is_closed = facts.all.is_some() && !facts.is_all_open;
        let is_taken = is_listed || !is_closed && is_public(self.program.interner.text(name));
        is_taken && (own.is_some() || self.is_star_imported(file, name))
    }

    /// True if a star import from the sources certainly binds a name in a file.
    pub(super) fn is_star_imported(&mut self, file: FileIndex, name: GlobalName) -> bool {
        self.star_names(file).0.names.contains_key(&name)
    }

    /// The dotted name of the only module from outside the sources that a file star-imports: `typing` for
    /// `from typing import *`.
    fn external_star(&self, file: FileIndex) -> Option<&str> {
        let facts = self.program.facts(file);
        let mut outside = facts.bindings_in(ScopeId::new(MODULE)).iter().filter_map(|binding| {
            match facts.bindings[binding.index()].kind {
                BindingKind::ImportStar { module, level: 0 } => {
                    let module = facts.name(module);
                    self.module_named(file, module).is_none().then_some(module)
                }
                _ => None,
            }
        });
        let only = outside.next()?;
        outside.all(|module| module == only).then_some(only)
    }

    /// Returns the names of a file's star imports, and whether they are complete. In a cycle of star imports each file
    /// is visited once.
    fn star_names(&mut self, file: FileIndex) -> (Arc<StarNames>, bool) {
        if let Some(known) = self.star_tables.complete.get(&file) {
            return (Arc::clone(known), true);
        }
        if let Some(partial) = self.star_tables.partial.get(&file) {
            return (Arc::clone(partial), false);
        }
        let tables = &mut self.star_tables;
        if tables.in_progress.contains(&file) {
            return (Arc::default(), false);
        }
        let limit = if tables.in_progress.len() > MAX_DEPTH {
            Some(LinkLimit::StarImports(MAX_DEPTH))
        } else {
            (tables.name_count > MAX_STAR_NAMES).then_some(LinkLimit::StarNames(MAX_STAR_NAMES))
        };
        if let Some(limit) = limit {
            self.limits.note(file.index(), limit, 0);
            return (Arc::default(), false);
        }
        tables.in_progress.push(file);
        let (mut stars, mut is_complete) = (StarNames::default(), true);
        for node in self.starred_modules(file) {
            match node {
                Some(node) => is_complete &= self.add_star(&mut stars, node, file),
                None => stars.has_external_names = true,
            }
        }
        let stars = Arc::new(stars);
        let tables = &mut self.star_tables;
        tables.in_progress.pop();
        if is_complete || tables.in_progress.is_empty() {
            tables.complete.insert(file, Arc::clone(&stars));
        } else {
            tables.partial.insert(file, Arc::clone(&stars));
        }
        if tables.in_progress.is_empty() {
            tables.partial.clear();
        }
        (stars, is_complete)
    }

    /// The modules that a file star-imports, the last import first because it shadows the others. `None` stands for a
    /// module outside the sources.
    fn starred_modules(&mut self, file: FileIndex) -> Vec<Option<ModuleNodeId>> {
        let facts = self.program.facts(file);
        let star = self.program.interner.intern("*");
        let bindings = self.program.bindings(file, ScopeId::new(MODULE), star).iter().rev();
        let starred = bindings.filter_map(|binding| match facts.bindings[binding.index()].kind {
            BindingKind::ImportStar { module, level } => Some(self.imported_module(file, level, module)),
            _ => None,
        });
        starred.collect()
    }

    /// Adds the names that `import *` takes from the module `node`: names of the module itself, names that its star
    /// imports bind, and its submodules. Returns false if names may be missing. A name that the module imports from the
    /// file `importer` itself is the importer's own, and is left out.
    fn add_star(&mut self, stars: &mut StarNames, node: ModuleNodeId, importer: FileIndex) -> bool {
        let Some(_level) = nesting::descend() else { return false };
        let importer = self.program.modules.node_of_file(importer);
        let module_node = self.program.modules.get(node);
        let files = [module_node.file, module_node.stub];
        let Some(exports) = files.into_iter().flatten().next().map(|file| self.star_exports(file)) else { return true };
        let mut is_complete = true;
        for file in files.into_iter().flatten() {
            let facts = self.program.facts(file);
            for binding in facts.bindings_in(ScopeId::new(MODULE)) {
                let binding = &facts.bindings[binding.index()];
                if let BindingKind::ImportFrom { module, level, name } = binding.kind
                    && name == binding.name
                    && self.imported_module(file, level, module) == Some(importer)
                {
                    continue;
                }
                let name = self.program.global_name(file, binding.name);
                self.add_star_name(stars, &exports, name, node);
            }
        }
        for file in files.into_iter().flatten() {
            let (imported, is_star_complete) = self.star_names(file);
            is_complete &= is_star_complete;
            for (&name, &source) in &imported.names {
                self.add_star_name(stars, &exports, name, source);
            }
            let text = |name: &GlobalName| self.program.interner.text(*name);
            match &exports {
                StarExports::Listed(names) => {
                    stars
                        .external_names
                        .extend(names.iter().filter(|name| imported.may_be_external(**name, text(name))));
                }
                StarExports::Public(_) => {
                    stars.has_external_public_names |=
                        imported.has_external_names || imported.has_external_public_names;
                    stars.external_names.extend(imported.external_names.iter().filter(|name| is_public(text(name))));
                }
            }
        }
        for child in self.program.modules.children(node).to_vec() {
            let path = &self.program.modules.get(child).path;
            let name = path.rsplit_once('/').map_or(path.as_str(), |(_, name)| name);
            let name = self.program.interner.intern(name);
            self.add_star_name(stars, &exports, name, node);
        }
        is_complete
    }

    fn add_star_name(&mut self, stars: &mut StarNames, exports: &StarExports, name: GlobalName, source: ModuleNodeId) {
        let is_exported = match exports {
            StarExports::Listed(names) => names.contains(&name),
            StarExports::Public(names) => names.contains(&name) || is_public(self.program.interner.text(name)),
        };
        if is_exported {
            self.star_tables.name_count += 1;
            stars.names.entry(name).or_insert(source);
        }
    }

    fn star_exports(&self, file: FileIndex) -> StarExports {
        let facts = self.program.facts(file);
        let all = facts.all.as_deref().unwrap_or_default();
        let names = all.iter().map(|&name| self.program.global_name(file, name)).collect();
        let is_listed = facts.all.is_some() && !facts.is_all_open;
        if is_listed { StarExports::Listed(names) } else { StarExports::Public(names) }
    }
}
