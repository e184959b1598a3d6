//! Whether one type may stand for another, as far as that is told by what the types are.

use smallvec::SmallVec;

use super::{
    infer::Linker,
    program::GlobalTypeParam,
    types::{InternedType, TypeKind},
};

/// Properties that are compared of two objects.
const MAX_PROPERTIES: usize = 40;

impl Linker<'_> {
    /// Whether `given` is a `wanted`, as far as that is told by what the types are. `inferred` may be anything.
    pub(super) fn is_assignable(
        &mut self,
        actual: InternedType,
        expected: InternedType,
        inferred: &[GlobalTypeParam],
    ) -> bool {
        self.is_assignable_at_depth(actual, expected, inferred, 0)
    }

    pub(super) fn is_assignable_at_depth(
        &mut self,
        actual: InternedType,
        expected: InternedType,
        inferred: &[GlobalTypeParam],
        depth: u32,
    ) -> bool {
        if actual == expected || depth > 5 {
            return true;
        }
        if matches!(expected, InternedType::ANY | InternedType::UNKNOWN | InternedType::EXTERNAL)
            || actual == InternedType::ANY
            || actual == InternedType::NEVER
        {
            return true;
        }
        let depth = depth + 1;
        match (self.types.kind(actual).clone(), self.types.kind(expected).clone()) {
            (_, TypeKind::TypeParameter(param)) => {
                if !inferred.contains(&param) {
                    return match self.constraint(expected) {
                        Some(constraint) => self.is_assignable_at_depth(actual, constraint, inferred, depth),
                        None => true,
                    };
                }
                match self.constraint(expected) {
                    Some(constraint) => self.is_assignable_at_depth(actual, constraint, inferred, depth),
                    None => true,
                }
            }
            (TypeKind::Union(constituents), _) => constituents
                .iter()
                .all(|constituent| self.is_assignable_at_depth(*constituent, expected, inferred, depth)),
            (_, TypeKind::Union(constituents)) => constituents
                .iter()
                .any(|constituent| self.is_assignable_at_depth(actual, *constituent, inferred, depth)),
            (_, TypeKind::Intersection(constituents)) => constituents
                .iter()
                .all(|constituent| self.is_assignable_at_depth(actual, *constituent, inferred, depth)),
            (TypeKind::TypeParameter(_) | TypeKind::IndexedAccess(..), _) => match self.constraint(actual) {
                Some(constraint) => self.is_assignable_at_depth(constraint, expected, inferred, depth),
                None => false,
            },
            (TypeKind::This(symbol), _) => {
                let args = self.own_type_arguments(symbol);
                let named = self.types.intern(TypeKind::Reference(symbol, args));
                self.is_assignable_at_depth(named, expected, inferred, depth)
            }
            (TypeKind::StringLiteral(_), TypeKind::String) | (TypeKind::NumberLiteral(_), TypeKind::Number) => true,
            (TypeKind::BooleanLiteral(_) | TypeKind::Predicate(..), TypeKind::Boolean) => true,
            (TypeKind::EnumMember(symbol, _), TypeKind::Reference(other, _)) => symbol == other,
            (TypeKind::EnumMember(..), TypeKind::String | TypeKind::Number) => true,
            (TypeKind::Nullish, other) => matches!(other, TypeKind::Nullish),
            (_, TypeKind::Object) => !self.is_primitive(actual),
            (TypeKind::Reference(symbol, args), TypeKind::Reference(other, wanted_args)) => {
                if self.is_enum(symbol) || self.is_enum(other) {
                    return symbol == other;
                }
                let there = if symbol == other { Some(args) } else { self.type_arguments_as(actual, other, 0) };
                match there {
                    Some(there) => there
                        .iter()
                        .zip(&wanted_args)
                        .all(|(a, b)| self.is_assignable_at_depth(*a, *b, inferred, depth)),
                    None => self.is_structurally_assignable(actual, expected, inferred, depth),
                }
            }
            (
                TypeKind::Tuple(..)
                | TypeKind::ClassConstructor(..)
                | TypeKind::Anonymous(..)
                | TypeKind::Intersection(_)
                | TypeKind::Mapped(..),
                TypeKind::Reference(other, wanted_args),
            ) => match self.type_arguments_as(actual, other, 0) {
                Some(there) => {
                    there.iter().zip(&wanted_args).all(|(a, b)| self.is_assignable_at_depth(*a, *b, inferred, depth))
                }
                None => self.is_structurally_assignable(actual, expected, inferred, depth),
            },
            (TypeKind::Tuple(a, _), TypeKind::Tuple(b, rest)) => {
                (a.len() == b.len() || rest)
                    && a.iter().zip(&b).all(|(a, b)| self.is_assignable_at_depth(*a, *b, inferred, depth))
            }
            (_, TypeKind::Function(..)) => {
                let is_new = self
                    .signatures(expected, false)
                    .first()
                    .is_none_or(|signature| self.program.function(signature.def).is_none());
                !self.signatures(actual, is_new).is_empty()
                    || (matches!(self.types.kind(actual), TypeKind::ClassConstructor(..)) && is_new)
            }
            (TypeKind::External, _) => true,
            (
                TypeKind::Reference(..)
                | TypeKind::Anonymous(..)
                | TypeKind::Intersection(_)
                | TypeKind::Mapped(..)
                | TypeKind::ClassConstructor(..)
                | TypeKind::ModuleNamespace(_)
                | TypeKind::NamespaceObject(_)
                | TypeKind::Function(..),
                TypeKind::Anonymous(..) | TypeKind::Mapped(..),
            ) => self.is_structurally_assignable(actual, expected, inferred, depth),
            (TypeKind::Function(..), TypeKind::Reference(..)) => {
                self.is_structurally_assignable(actual, expected, inferred, depth)
            }
            (TypeKind::Intersection(constituents), _) => constituents
                .iter()
                .any(|constituent| self.is_assignable_at_depth(*constituent, expected, inferred, depth)),
            (TypeKind::Conditional(..) | TypeKind::KeyOf(_), _)
            | (_, TypeKind::Conditional(..) | TypeKind::KeyOf(_)) => {
                !self.is_primitive(expected) || matches!(self.types.kind(expected), TypeKind::KeyOf(_))
            }
            _ => false,
        }
    }

    pub(super) fn is_primitive(&self, ty: InternedType) -> bool {
        match self.types.kind(ty) {
            TypeKind::Nullish
            | TypeKind::String
            | TypeKind::Number
            | TypeKind::Boolean
            | TypeKind::BigInt
            | TypeKind::Symbol
            | TypeKind::StringLiteral(_)
            | TypeKind::NumberLiteral(_)
            | TypeKind::BooleanLiteral(_)
            | TypeKind::EnumMember(..)
            | TypeKind::Predicate(..) => true,
            TypeKind::Reference(symbol, _) => self.is_enum(*symbol),
            TypeKind::Union(constituents) => constituents.iter().all(|constituent| self.is_primitive(*constituent)),
            _ => false,
        }
    }

    /// Whether an object has what another asks for: every required property, and literals that agree.
    pub(super) fn is_structurally_assignable(
        &mut self,
        actual: InternedType,
        expected: InternedType,
        inferred: &[GlobalTypeParam],
        depth: u32,
    ) -> bool {
        let Some(names) = self.property_names(expected, 0) else { return true };
        let calls = !self.signatures(expected, false).is_empty();
        if calls && self.signatures(actual, false).is_empty() {
            return false;
        }
        for name in names.into_iter().take(MAX_PROPERTIES) {
            let Some(expected) = self.find_property(expected, name) else { continue };
            let is_optional =
                expected.member.is_some_and(|(def, at)| self.program.members(def)[at as usize].is_optional);
            match self.find_property(actual, name) {
                None if is_optional => {}
                None => return false,
                Some(found) => {
                    if found.member.is_none() && found.ty == InternedType::EXTERNAL {
                        continue;
                    }
                    let is_literal = |linker: &Self, ty: InternedType| {
                        linker.types.constituents(ty).iter().all(|constituent| linker.is_primitive(*constituent))
                    };
                    // Deep structures say little more; literals tell alternatives apart.
                    if (is_literal(self, expected.ty) || depth < 3)
                        && !self.is_assignable_at_depth(found.ty, expected.ty, inferred, depth)
                    {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// Whether an argument may be given where `wanted` is expected: false only where it plainly may not.
    pub(super) fn may_be_assignable(&mut self, actual: InternedType, expected: InternedType) -> bool {
        if !actual.is_known() || !expected.is_known() || actual == InternedType::NULLISH {
            return true;
        }
        let free: SmallVec<[GlobalTypeParam; 4]> = SmallVec::new();
        self.is_assignable(actual, expected, &free)
    }
}
