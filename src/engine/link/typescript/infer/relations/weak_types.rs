//! Weak types: object types whose properties are all optional. A value is assignable to a weak type only if it has one
//! of these properties, or none at all.

use crate::typescript::{
    infer::Linker,
    program::GlobalDef,
    types::{InternedType, TypeKind},
};
use apidisc_facts::syntax::typescript::facts::{FunctionKind, MemberKind};

/// The greatest nesting of base types that is searched.
const MAX_DEPTH: u32 = 8;

impl Linker<'_> {
    /// Whether `expected` is a weak type, and a value of type `actual` has properties, but none of those of `expected`.
    pub(super) fn has_no_common_property(&mut self, actual: InternedType, expected: InternedType) -> bool {
        let may_have_other_properties = matches!(
            self.types.kind(actual),
            TypeKind::Reference(..) | TypeKind::Anonymous(..) | TypeKind::Function(..)
        );
        if !may_have_other_properties || !self.is_weak(expected, 0) {
            return false;
        }
        let has_properties = match self.types.kind(actual) {
            TypeKind::Function(..) => true,
            _ => self.property_names(actual, 0).is_some_and(|names| !names.is_empty()),
        };
        let Some(names) = self.property_names(expected, 0) else { return false };
        has_properties
            && names.into_iter().all(|name| {
                let found = self.find_property(actual, name);
                found.is_none_or(|found| found.member.is_none() && self.lacks_property(actual, name))
            })
    }

    /// Whether a type is an object type with properties that are all optional, and without signatures.
    fn is_weak(&mut self, ty: InternedType, depth: u32) -> bool {
        let Some(_level) = self.descend() else { return false };
        if depth > MAX_DEPTH {
            return false;
        }
        match self.types.kind(ty).clone() {
            TypeKind::Anonymous(def, _) => {
                let members = self.program.members(def);
                !members.is_empty() && self.are_optional(def)
            }
            TypeKind::Reference(symbol, _) => {
                let (mut has_members, mut bases) = (false, false);
                for def in self.program.definitions(symbol) {
                    if self.program.is_platform(def) || !self.are_optional(def) {
                        return false;
                    }
                    has_members |= !self.program.members(def).is_empty();
                    for base in self.base_types(def) {
                        if !self.is_weak(base, depth + 1) {
                            return false;
                        }
                        bases = true;
                    }
                }
                has_members || bases
            }
            TypeKind::Intersection(constituents) => {
                constituents.iter().all(|constituent| self.is_weak(*constituent, depth + 1))
            }
            _ => false,
        }
    }

    /// Whether all members of a declaration that its instances have are optional properties or methods.
    fn are_optional(&self, def: GlobalDef) -> bool {
        let facts = self.program.facts(self.program.file_of(def));
        self.program.members(def).iter().all(|member| match member.kind {
            MemberKind::Function(function) => {
                let is_constructor =
                    facts.def(function).function().is_some_and(|f| f.kind == FunctionKind::Constructor);
                member.is_static || member.is_optional || is_constructor
            }
            MemberKind::Property { .. } => member.is_static || member.is_optional,
            MemberKind::Index { .. } | MemberKind::Spread(_) => false,
        })
    }
}
