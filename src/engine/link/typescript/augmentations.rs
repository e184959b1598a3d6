//! Module augmentation: `declare module "lib" { interface Client { … } }` in a module adds declarations to what the
//! module `lib` exports, also to what it re-exports from elsewhere.
//!
//! In a file that is no module, `declare module "lib"` declares an ambient module instead, which
//! [`super::ambient_modules`] resolves.

use super::{
    infer::Linker,
    program::{FileIndex, GlobalSymbol, ProgramFacts},
    resolved_names::{ResolvedModule, ResolvedName},
};
use crate::syntax::typescript::facts::{DefBody, SymbolId};

impl Linker<'_> {
    /// Merges the declarations of all augmentations with the exports that they add to. Types that were inferred before
    /// would lack the added members, so this comes first.
    pub(super) fn merge_augmentations(&mut self) {
        let mut merged: Vec<(GlobalSymbol, GlobalSymbol)> = Vec::new();
        for file in (0..self.program.file_count()).map(FileIndex::new) {
            let facts = self.program.facts(file);
            if !facts.is_module {
                continue;
            }
            for module in &facts.ambient_modules {
                let ResolvedModule::File(target) = self.resolve_module(file, module.name) else { continue };
                let namespace = self.program.global_def(file, module.namespace);
                for &(name, symbol) in self.program.namespace_symbols(namespace) {
                    if !self.program.is_mergeable(file, symbol) {
                        continue;
                    }
                    let name = self.program.name(file, name);
                    if let Some(ResolvedName::Symbol(original)) = self.resolve_export(target, name) {
                        merged.push((original, self.program.global_symbol(file, symbol)));
                    }
                }
            }
        }
        for (original, added) in merged {
            self.program.merge(original, added);
        }
    }
}

impl ProgramFacts<'_> {
    /// True for a symbol whose declarations may add to those of another one: interfaces and namespaces.
    fn is_mergeable(&self, file: FileIndex, symbol: SymbolId) -> bool {
        let symbol = self.global_symbol(file, symbol);
        let defs = self.definitions(symbol);
        let is_open = |body: &DefBody| matches!(body, DefBody::Interface(_) | DefBody::Namespace);
        !defs.is_empty() && defs.iter().all(|def| is_open(&self.def(*def).body))
    }
}
