//! The modules from which the sources import the types that they do not define.

use compact_str::{CompactString, format_compact};

use super::Describer;
use crate::typescript::{infer::ResolvedModule, modules::path, program::FileIndex};
use apidisc_facts::syntax::typescript::facts::{Decl, ImportKind, SymbolId};

impl Describer<'_, '_> {
    /// For each name that an import declares, the module and the imported name: `react#ReactNode`, `react#default`,
    /// `react#*` for a module namespace. Sorted by name, each name once.
    pub(super) fn type_imports(
        &mut self,
        names: &[(CompactString, FileIndex, SymbolId)],
    ) -> Vec<(CompactString, CompactString)> {
        let mut imports: Vec<(CompactString, CompactString)> = names
            .iter()
            .filter_map(|(name, file, symbol)| Some((name.clone(), self.import_source(*file, *symbol)?)))
            .collect();
        imports.sort_unstable();
        imports.dedup_by(|a, b| a.0 == b.0);
        imports
    }

    /// The module and the name from which an import declares a symbol. A relative specifier that leads to no source
    /// file becomes a path from the source's root.
    pub(super) fn import_source(&mut self, file: FileIndex, symbol: SymbolId) -> Option<CompactString> {
        let facts = self.linker.program.facts(file);
        let [Decl::Import(import)] = facts.symbol(symbol).decls[..] else { return None };
        let row = &facts.imports[import.index()];
        let name = match row.kind {
            ImportKind::Named(name) => facts.name(name),
            ImportKind::Namespace | ImportKind::Required => "*",
            ImportKind::Entity | ImportKind::Local(_) => return None,
        };
        let specifier = facts.name(row.specifier);
        let module = match self.linker.resolve_module(file, row.specifier) {
            ResolvedModule::File(target) => self.modules.get(target.index())?.clone(),
            _ if specifier.starts_with('.') => path::join(path::folder_of(self.modules.get(file.index())?), specifier)?,
            _ => specifier.into(),
        };
        (!module.is_empty()).then(|| format_compact!("{module}#{name}"))
    }
}
