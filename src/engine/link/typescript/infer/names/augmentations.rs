//! Module augmentation: `declare module "lib" { interface Client { … } }` in a module adds declarations to what the
//! module `lib` exports, also to what it re-exports from elsewhere.
//!
//! In a file that is no module, `declare module "lib"` declares an ambient module instead, which
//! [`super::ambient_modules`] resolves.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::resolved_names::{ResolvedModule, ResolvedName};
use crate::typescript::{
    infer::Linker,
    program::{AmbientBlock, FileIndex, GlobalDef, GlobalSymbol, InternedName, ProgramFacts},
};
use apidisc_facts::syntax::typescript::facts::{DefBody, SymbolId};

impl Linker<'_> {
    /// Merges the declarations of all augmentations with the exports that they add to. Types that were inferred before
    /// would lack the added members, so this comes first.
    pub(in super::super) fn merge_augmentations(&mut self) {
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
        self.program.merge_namespaces();
    }
}

impl ProgramFacts<'_> {
    /// Merges the exports that have one name in several namespaces of one name: `namespace N { interface A {} }` in one
    /// script adds to the `N.A` of another script. The blocks of an ambient module are such namespaces, too.
    fn merge_namespaces(&mut self) {
        let mut firsts: Vec<GlobalSymbol> = self.merged.keys().copied().collect();
        firsts.sort_unstable();
        let mut groups: Vec<Vec<GlobalDef>> =
            firsts.into_iter().map(|first| self.definitions(first).to_vec()).collect();
        groups.extend(self.namespaces_of_ambient_modules());
        while let Some(namespaces) = groups.pop() {
            let mut members: IndexMap<InternedName, Vec<GlobalSymbol>, FxBuildHasher> = IndexMap::default();
            for namespace in namespaces {
                let file = self.file_of(namespace);
                for &(name, symbol) in self.namespace_symbols(namespace) {
                    if self.facts(file).symbol(symbol).is_exported {
                        let same_name = members.entry(self.name(file, name)).or_default();
                        same_name.push(self.global_symbol(file, symbol));
                    }
                }
            }
            for symbols in members.values_mut() {
                symbols.dedup();
                if let [first, others @ ..] = &symbols[..]
                    && !others.is_empty()
                {
                    for &added in others {
                        self.merge(*first, added);
                    }
                    groups.push(self.definitions(*first).to_vec());
                }
            }
        }
    }

    /// The namespaces of each ambient module that one package declares in several blocks.
    fn namespaces_of_ambient_modules(&self) -> Vec<Vec<GlobalDef>> {
        let namespace = |&(file, block): &AmbientBlock<'_>| self.global_def(file, block.namespace);
        let several = self.ambient_modules.declared_together();
        several.map(|blocks| blocks.iter().map(namespace).collect()).collect()
    }

    /// True for a symbol whose declarations may add to those of another one: interfaces and namespaces.
    fn is_mergeable(&self, file: FileIndex, symbol: SymbolId) -> bool {
        let symbol = self.global_symbol(file, symbol);
        let defs = self.definitions(symbol);
        let is_open = |body: &DefBody| matches!(body, DefBody::Interface(_) | DefBody::Namespace);
        !defs.is_empty() && defs.iter().all(|def| is_open(&self.def(*def).body))
    }
}
