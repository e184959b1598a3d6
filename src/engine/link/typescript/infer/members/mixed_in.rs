//! The properties that the prototypes of functions and classes get from other objects: `C.prototype = object` and
//! `Object.assign(C.prototype, object)`.

use super::properties::{FoundProperty, FutileBases};
use crate::typescript::{
    infer::Linker,
    program::{GlobalDef, InternedName},
    types::{InternedType, TypeKind},
};
use apidisc_facts::syntax::typescript::facts::DefBody;

/// The greatest length of a chain of prototypes and mixins.
const MAX_PROTOTYPES: usize = 16;

/// The searches for properties in prototypes and mixins that are in progress, outermost first.
pub(in super::super) type PrototypeSearches = Vec<(GlobalDef, InternedName)>;

impl Linker<'_> {
    /// The property `name` that a mixin adds to the prototype of a function or class.
    pub(super) fn mixed_in_property(&mut self, def: GlobalDef, name: InternedName) -> Option<FoundProperty> {
        let mixins = &self.program.def(def).class()?.mixins;
        if mixins.is_empty() {
            return None;
        }
        let file = self.program.file_of(def);
        self.search_once(def, name, |linker| {
            mixins.iter().find_map(|mixin| {
                let ty = linker.expr_type(file, *mixin);
                let is_object = matches!(*linker.types.kind(ty), TypeKind::Anonymous(def, _)
                    if matches!(linker.program.def(def).body, DefBody::Object(_)));
                linker.find_property(ty, name).filter(|found| is_object && found.ty.is_known())
            })
        })
    }

    /// The property `name` of the objects that a file makes prototypes of a function or class.
    pub(super) fn prototype_property(
        &mut self,
        def: GlobalDef,
        name: InternedName,
        receiver: InternedType,
        futile: &mut FutileBases,
        depth: u32,
    ) -> Option<FoundProperty> {
        let prototypes = &self.program.def(def).class()?.prototypes;
        if prototypes.is_empty() {
            return None;
        }
        let file = self.program.file_of(def);
        self.search_once(def, name, |linker| {
            prototypes.iter().find_map(|prototype| {
                let ty = linker.expr_type(file, *prototype);
                let found = linker.find_base_property(ty, name, receiver, futile, depth);
                found.filter(|found| found.ty.is_known())
            })
        })
    }

    /// Searches the prototypes or mixins of `def` for the property `name`. `None` if the same search is in progress
    /// already, as for prototypes that are assigned to each other, or if too many searches are in progress.
    fn search_once<T>(
        &mut self,
        def: GlobalDef,
        name: InternedName,
        search: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        let searches = &mut self.prototype_searches;
        if searches.len() >= MAX_PROTOTYPES || searches.contains(&(def, name)) {
            return None;
        }
        searches.push((def, name));
        let found = search(self);
        self.prototype_searches.pop();
        found
    }
}
