//! Whether one type may stand for another, as far as that is told by what the types are.

use smallvec::SmallVec;

use super::{
    infer::Linker,
    program::GlobalTypeParam,
    types::{Ty, Type},
};

/// Properties that are compared of two objects.
const MAX_PROPERTIES: usize = 40;

impl Linker<'_> {
    /// Whether `given` is a `wanted`, as far as that is told by what the types are. `inferred` may be anything.
    pub(super) fn is_assignable(&mut self, given: Ty, wanted: Ty, inferred: &[GlobalTypeParam]) -> bool {
        self.assignable(given, wanted, inferred, 0)
    }

    pub(super) fn assignable(&mut self, given: Ty, wanted: Ty, inferred: &[GlobalTypeParam], depth: u32) -> bool {
        if given == wanted || depth > 5 {
            return true;
        }
        if matches!(wanted, Ty::ANY | Ty::UNKNOWN | Ty::EXTERNAL) || given == Ty::ANY || given == Ty::NEVER {
            return true;
        }
        let depth = depth + 1;
        match (self.types.get(given).clone(), self.types.get(wanted).clone()) {
            (_, Type::Param(param)) => {
                if !inferred.contains(&param) {
                    return match self.constraint(wanted) {
                        Some(constraint) => self.assignable(given, constraint, inferred, depth),
                        None => true,
                    };
                }
                match self.constraint(wanted) {
                    Some(constraint) => self.assignable(given, constraint, inferred, depth),
                    None => true,
                }
            }
            (Type::Union(parts), _) => parts.iter().all(|part| self.assignable(*part, wanted, inferred, depth)),
            (_, Type::Union(parts)) => parts.iter().any(|part| self.assignable(given, *part, inferred, depth)),
            (_, Type::Intersection(parts)) => parts.iter().all(|part| self.assignable(given, *part, inferred, depth)),
            (Type::Param(_) | Type::Indexed(..), _) => match self.constraint(given) {
                Some(constraint) => self.assignable(constraint, wanted, inferred, depth),
                None => false,
            },
            (Type::This(entity), _) => {
                let args = self.own_args(entity);
                let named = self.types.add(Type::Named(entity, args));
                self.assignable(named, wanted, inferred, depth)
            }
            (Type::StringLiteral(_), Type::String) | (Type::NumberLiteral(_), Type::Number) => true,
            (Type::BooleanLiteral(_) | Type::Predicate(..), Type::Boolean) => true,
            (Type::EnumMember(entity, _), Type::Named(other, _)) => entity == other,
            (Type::EnumMember(..), Type::String | Type::Number) => true,
            (Type::Nothing, other) => matches!(other, Type::Nothing),
            (_, Type::Object) => !self.is_primitive(given),
            (Type::Named(entity, args), Type::Named(other, wanted_args)) => {
                if self.is_enum(entity) || self.is_enum(other) {
                    return entity == other;
                }
                let there = if entity == other { Some(args) } else { self.as_entity(given, other, 0) };
                match there {
                    Some(there) => {
                        there.iter().zip(&wanted_args).all(|(a, b)| self.assignable(*a, *b, inferred, depth))
                    }
                    None => self.fits(given, wanted, inferred, depth),
                }
            }
            (
                Type::Tuple(..) | Type::Class(..) | Type::Literal(..) | Type::Intersection(_) | Type::Mapped(..),
                Type::Named(other, wanted_args),
            ) => match self.as_entity(given, other, 0) {
                Some(there) => there.iter().zip(&wanted_args).all(|(a, b)| self.assignable(*a, *b, inferred, depth)),
                None => self.fits(given, wanted, inferred, depth),
            },
            (Type::Tuple(a, _), Type::Tuple(b, rest)) => {
                (a.len() == b.len() || rest) && a.iter().zip(&b).all(|(a, b)| self.assignable(*a, *b, inferred, depth))
            }
            (_, Type::Function(..)) => {
                let is_new = self
                    .signatures(wanted, false)
                    .first()
                    .is_none_or(|signature| self.program.function(signature.def).is_none());
                !self.signatures(given, is_new).is_empty()
                    || (matches!(self.types.get(given), Type::Class(..)) && is_new)
            }
            (Type::External, _) => true,
            (
                Type::Named(..)
                | Type::Literal(..)
                | Type::Intersection(_)
                | Type::Mapped(..)
                | Type::Class(..)
                | Type::Module(_)
                | Type::Namespace(_)
                | Type::Function(..),
                Type::Literal(..) | Type::Mapped(..),
            ) => self.fits(given, wanted, inferred, depth),
            (Type::Function(..), Type::Named(..)) => self.fits(given, wanted, inferred, depth),
            (Type::Intersection(parts), _) => parts.iter().any(|part| self.assignable(*part, wanted, inferred, depth)),
            (Type::Conditional(..) | Type::KeyOf(_), _) | (_, Type::Conditional(..) | Type::KeyOf(_)) => {
                !self.is_primitive(wanted) || matches!(self.types.get(wanted), Type::KeyOf(_))
            }
            _ => false,
        }
    }

    pub(super) fn is_primitive(&self, ty: Ty) -> bool {
        match self.types.get(ty) {
            Type::Nothing
            | Type::String
            | Type::Number
            | Type::Boolean
            | Type::BigInt
            | Type::Symbol
            | Type::StringLiteral(_)
            | Type::NumberLiteral(_)
            | Type::BooleanLiteral(_)
            | Type::EnumMember(..)
            | Type::Predicate(..) => true,
            Type::Named(entity, _) => self.is_enum(*entity),
            Type::Union(parts) => parts.iter().all(|part| self.is_primitive(*part)),
            _ => false,
        }
    }

    /// Whether an object has what another asks for: every required property, and literals that agree.
    pub(super) fn fits(&mut self, given: Ty, wanted: Ty, inferred: &[GlobalTypeParam], depth: u32) -> bool {
        let Some(names) = self.property_names(wanted, 0) else { return true };
        let calls = !self.signatures(wanted, false).is_empty();
        if calls && self.signatures(given, false).is_empty() {
            return false;
        }
        for name in names.into_iter().take(MAX_PROPERTIES) {
            let Some(wanted) = self.find_property(wanted, name) else { continue };
            let is_optional = wanted.member.is_some_and(|(def, at)| self.program.members(def)[at as usize].is_optional);
            match self.find_property(given, name) {
                None if is_optional => {}
                None => return false,
                Some(found) => {
                    if found.member.is_none() && found.ty == Ty::EXTERNAL {
                        continue;
                    }
                    let is_literal =
                        |linker: &Self, ty: Ty| linker.types.parts(ty).iter().all(|part| linker.is_primitive(*part));
                    // Deep structures say little more; literals tell alternatives apart.
                    if (is_literal(self, wanted.ty) || depth < 3)
                        && !self.assignable(found.ty, wanted.ty, inferred, depth)
                    {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// Whether an argument may be given where `wanted` is expected: false only where it plainly may not.
    pub(super) fn may_be(&mut self, given: Ty, wanted: Ty) -> bool {
        if !given.is_known() || !wanted.is_known() || given == Ty::NOTHING {
            return true;
        }
        let free: SmallVec<[GlobalTypeParam; 4]> = SmallVec::new();
        self.is_assignable(given, wanted, &free)
    }
}
