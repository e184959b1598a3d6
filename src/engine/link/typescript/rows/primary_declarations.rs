//! Chooses the primary declaration of a symbol. A symbol can have several declarations (declaration merging, overloads,
//! accessors); in the index the primary one represents them all.

use rustc_hash::FxHashMap;

use super::{RowCollector, keys::DefinitionKey};
use crate::typescript::program::{GlobalDef, GlobalSymbol};
use apidisc_facts::syntax::typescript::facts::{DefBody, FunctionKind};

impl RowCollector<'_, '_> {
    /// The primary declaration of the symbol that `def` declares, for a definition outside the platform. `known` holds
    /// the primary declarations of symbols that were asked for before.
    pub(super) fn primary_declaration(
        &self,
        def: GlobalDef,
        known: &mut FxHashMap<GlobalSymbol, GlobalDef>,
    ) -> GlobalDef {
        let row = self.program.def(def);
        if let Some(function) = row.function() {
            if matches!(function.kind, FunctionKind::Getter | FunctionKind::Setter) {
                return self.getter(def);
            }
            if function.kind != FunctionKind::Declaration {
                return self.implementation_or_first(&self.program.declarations_of_function(def));
            }
        }
        match DefinitionKey::of(self.program, def) {
            DefinitionKey::Symbol(symbol) => *known.entry(symbol).or_insert_with(|| {
                let defs = self.program.definitions(symbol);
                let of_sources = defs.iter().copied().filter(|d| !self.program.is_platform(*d));
                // An augmentation adds to declarations, whatever the order of their files. Of the functions of one
                // file, the last one replaces the others.
                let rank = |d: &GlobalDef| {
                    let is_function = self.program.function(*d).is_some_and(|function| function.has_body);
                    let order = if is_function { u32::MAX - d.index() as u32 } else { d.index() as u32 };
                    let file = self.program.file_of(*d);
                    (self.declaration_rank(*d), self.program.is_augmentation(*d), file, order)
                };
                of_sources.min_by_key(rank).unwrap_or(def)
            }),
            DefinitionKey::Def(def) => def,
        }
    }

    /// The precedence among merged declarations, the lowest first.
    fn declaration_rank(&self, def: GlobalDef) -> u8 {
        match &self.program.def(def).body {
            DefBody::Class(_) => 0,
            DefBody::Function(function) if function.has_body => 1,
            DefBody::Function(_) => 2,
            DefBody::Enum(_) => 3,
            DefBody::Interface(_) => 4,
            DefBody::TypeAlias(_) => 5,
            _ => 6,
        }
    }

    fn implementation_or_first(&self, all: &[GlobalDef]) -> GlobalDef {
        let has_body = |def: &&GlobalDef| self.program.function(**def).is_some_and(|f| f.has_body);
        *all.iter().rfind(has_body).unwrap_or(&all[0])
    }

    /// The getter of a pair of accessors, else the accessor itself.
    fn getter(&self, def: GlobalDef) -> GlobalDef {
        self.program.accessor(def, FunctionKind::Getter).unwrap_or(def)
    }
}
