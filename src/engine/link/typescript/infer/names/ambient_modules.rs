//! Resolution of the names that ambient modules (`declare module "name" { … }`) export.

use super::resolved_names::ResolvedName;
use crate::memo::MemoSlot;
use crate::typescript::{
    infer::Linker,
    program::{AmbientModuleId, FileIndex, InternedName},
};
use apidisc_base::nesting;
use apidisc_facts::syntax::typescript::facts::{Export, ExportKind};

impl Linker<'_> {
    /// The resolution of `name` in an ambient module. A name that the module does not export is external; `default` is
    /// then the module itself.
    pub(in super::super) fn resolve_in_ambient_module(
        &mut self,
        module: AmbientModuleId,
        name: InternedName,
    ) -> ResolvedName {
        MemoSlot::get_or_compute(
            self,
            |linker| linker.resolved_ambient_exports.slot((module, name)),
            |_| ResolvedName::External,
            |linker| linker.find_in_ambient_module(module, name),
        )
    }

    /// Finds the export `name` of an ambient module: first among the declarations of its blocks, then as `export
    /// default`, then by `export *`, then in its export assignment, then among those of other packages.
    fn find_in_ambient_module(&mut self, module: AmbientModuleId, name: InternedName) -> ResolvedName {
        let Some(_level) = nesting::descend() else { return ResolvedName::Missing };
        let is_default = name == self.well_known.default;
        for (file, block) in self.program.ambient_modules.blocks(module) {
            let namespace = self.program.global_def(file, block.namespace);
            if let Some(symbol) = self.program.namespace_member(namespace, name) {
                return self.resolve_alias(symbol);
            }
        }
        for (file, export) in self.exports_of_ambient_module(module) {
            match export.kind {
                ExportKind::Symbol(symbol) if is_default => return self.resolve_symbol(file, symbol),
                ExportKind::Value(value) if is_default => return self.resolve_expression(file, value),
                ExportKind::Star(specifier) if !is_default => {
                    let found = self.resolve_imported_name(file, specifier, name);
                    if !matches!(found, ResolvedName::External | ResolvedName::Missing) {
                        return found;
                    }
                }
                _ => {}
            }
        }
        match self.assignment_of_ambient_module(module) {
            Some(assigned) if is_default => assigned,
            Some(assigned) => self.resolve_member(assigned, name).unwrap_or(ResolvedName::External),
            None => {
                let own = if is_default { ResolvedName::AmbientModule(module) } else { ResolvedName::External };
                let whole = self.program.ambient_modules.of_all_packages(module);
                let found = whole.map(|whole| self.resolve_in_ambient_module(whole, name));
                found.filter(|found| !matches!(found, ResolvedName::AmbientModule(_))).unwrap_or(own)
            }
        }
    }

    /// The resolution of the export assignment (`export = …`) of an ambient module.
    pub(super) fn assignment_of_ambient_module(&mut self, module: AmbientModuleId) -> Option<ResolvedName> {
        let _level = nesting::descend()?;
        let assigned =
            self.exports_of_ambient_module(module).into_iter().find_map(|(file, export)| match export.kind {
                ExportKind::Assign(value) => Some((file, value)),
                _ => None,
            });
        let (file, value) = assigned?;
        Some(self.resolve_expression(file, value))
    }

    /// The exports of an ambient module that are no symbols of its namespaces, each with its file.
    fn exports_of_ambient_module(&self, module: AmbientModuleId) -> Vec<(FileIndex, Export)> {
        let mut exports = Vec::new();
        for (file, block) in self.program.ambient_modules.blocks(module) {
            exports.extend(block.exports.iter().map(|export| (file, export.clone())));
        }
        exports
    }
}
