//! Control-flow narrowing: the type of a value after a test.

use crate::typescript::{
    infer::Linker,
    program::{FileIndex, InternedName},
    types::{InternedType, InternedTypes, TypeKind},
};
use apidisc_base::nesting;
use apidisc_facts::syntax::typescript::facts::{Expr, ExprId, GuardId, NarrowingTest};

/// The greatest number of type variables of which one is the constraint of the other: `A extends B, B extends string`.
const MAX_CONSTRAINTS: u32 = 4;

impl Linker<'_> {
    /// Narrows the type `ty` of a value by a guard that holds.
    pub(in super::super) fn narrow(&mut self, file: FileIndex, ty: InternedType, guard: GuardId) -> InternedType {
        let Some(_level) = self.descend() else { return ty };
        let guard = self.program.facts(file).guards[guard.index()];
        match guard.test {
            // Unions do not contain `null` and `undefined`, so these tests remove nothing.
            NarrowingTest::Truthy | NarrowingTest::Nullish => ty,
            NarrowingTest::Typeof(word) => {
                let word = self.program.names.text(self.program.name(file, word)).to_owned();
                self.narrow_by_typeof(ty, &word, guard.positive)
            }
            NarrowingTest::Instanceof(class)
                if ty.is_known() && ty != InternedType::UNKNOWN && self.is_function_class(file, class) =>
            {
                self.narrow_by_typeof(ty, "function", guard.positive)
            }
            NarrowingTest::Instanceof(class) => {
                let class = self.expr_type(file, class);
                let instance = self.instance_type(class, &[]);
                if !instance.is_known() {
                    return if guard.positive { self.narrow_to_unknown_class(ty, instance) } else { ty };
                }
                self.narrow_by_instanceof(ty, instance, guard.positive)
            }
            NarrowingTest::Equals(value) => self.narrow_by_equality(file, ty, value, guard.positive),
            NarrowingTest::Discriminant(name, value) => {
                let name = self.program.name(file, name);
                self.narrow_by_discriminant(file, ty, name, value, guard.positive)
            }
            NarrowingTest::HasTruthy(name) => {
                let name = self.program.name(file, name);
                self.narrow_by_truthiness(ty, name, guard.positive)
            }
            NarrowingTest::In(name) => {
                let name = self.program.name(file, name);
                let positive = guard.positive;
                self.filter_constituents(ty, |linker, constituent| {
                    let has_property =
                        linker.find_property(constituent, name).is_some_and(|found| found.member.is_some());
                    has_property == positive
                })
            }
            NarrowingTest::Assigned(value) => self.narrow_by_assignment(file, ty, value),
            NarrowingTest::Predicate(site, at) => self.narrow_by_predicate(file, ty, site, at, guard.positive),
            NarrowingTest::Both(first, second) => {
                let narrowed = self.narrow(file, ty, first);
                self.narrow(file, narrowed, second)
            }
            NarrowingTest::Either(first, second) => {
                let sides = [first, second].map(|guard| (guard, self.narrow(file, ty, guard)));
                // If a path assigns a value of unknown type, the reference may have any value of its declared type.
                if sides.iter().any(|(guard, side)| !side.is_known() && self.is_assignment(file, *guard)) {
                    return ty;
                }
                self.types.union(sides.map(|(_, side)| side))
            }
        }
    }

    /// Whether an expression is the class `Function` of the language, whose instances are all functions.
    fn is_function_class(&self, file: FileIndex, class: ExprId) -> bool {
        let facts = self.program.facts(file);
        matches!(facts.expr(class), Expr::Name { symbol: None, name, .. } if facts.name(name) == "Function")
    }

    /// The type of a variable or property after the assignment of `value`. A declared type that is no union stays; an
    /// assigned function replaces the previous function.
    fn narrow_by_assignment(&mut self, file: FileIndex, ty: InternedType, value: ExprId) -> InternedType {
        let constituents = self.types.constituents(ty);
        let unknown_function = self.platform_type(self.well_known.function, &[]);
        let is_function = |ty: &InternedType| *ty == unknown_function || self.is_function_value(*ty);
        let are_functions = constituents.iter().all(is_function);
        if constituents.len() < 2 && ty != InternedType::ANY && !are_functions {
            return ty;
        }
        let assigned = self.expr_type(file, value);
        if are_functions && !assigned.is_known() {
            return assigned;
        }
        if !assigned.is_known() || matches!(assigned, InternedType::NULLISH | InternedType::NEVER) {
            return ty;
        }
        let parts = self.types.constituents(assigned);
        if ty == InternedType::ANY {
            return self.widened_literal_type(assigned);
        }
        if parts.iter().all(|part| constituents.contains(part)) {
            return assigned;
        }
        if are_functions && parts.iter().all(|part| self.is_function_value(*part)) {
            return assigned;
        }
        self.filter_constituents(ty, |linker, constituent| linker.may_be_assignable(assigned, constituent))
    }

    /// Whether a guard is an assignment, or one on each path.
    pub(super) fn is_assignment(&self, file: FileIndex, guard: GuardId) -> bool {
        let Some(_level) = nesting::descend() else { return false };
        match self.program.facts(file).guards[guard.index()].test {
            NarrowingTest::Assigned(_) => true,
            NarrowingTest::Both(first, _) => self.is_assignment(file, first),
            NarrowingTest::Either(first, second) => self.is_assignment(file, first) && self.is_assignment(file, second),
            _ => false,
        }
    }

    /// Whether a type is that of one function with a body, or of one class.
    pub(in super::super) fn is_function_value(&self, ty: InternedType) -> bool {
        match *self.types.kind(ty) {
            TypeKind::Function(def, _) => self.program.function(def).is_some_and(|function| function.has_body),
            TypeKind::ClassConstructor(..) => true,
            _ => false,
        }
    }

    /// The union of the constituents for which `holds` is true; the type itself if there are all or none. The
    /// constituents of a type parameter are those of its constraint.
    fn filter_constituents(
        &mut self,
        ty: InternedType,
        mut holds: impl FnMut(&mut Self, InternedType) -> bool,
    ) -> InternedType {
        let whole = match self.types.kind(ty) {
            TypeKind::TypeParameter(_) => self.constraint(ty).unwrap_or(ty),
            _ => ty,
        };
        let constituents = self.types.constituents(whole);
        if constituents.len() < 2 {
            return ty;
        }
        let remaining: InternedTypes =
            constituents.iter().copied().filter(|constituent| holds(self, *constituent)).collect();
        if remaining.is_empty() || remaining.len() == constituents.len() { ty } else { self.types.union(remaining) }
    }

    /// Narrows by the test `typeof x === word`, or by its negation if not `positive`.
    fn narrow_by_typeof(&mut self, ty: InternedType, word: &str, positive: bool) -> InternedType {
        if !ty.is_known() || ty == InternedType::UNKNOWN {
            if !positive {
                return ty;
            }
            return match word {
                "string" => InternedType::STRING,
                "number" => InternedType::NUMBER,
                "boolean" => InternedType::BOOLEAN,
                "bigint" => InternedType::BIGINT,
                "symbol" => InternedType::SYMBOL,
                "undefined" => InternedType::NULLISH,
                _ => ty,
            };
        }
        self.filter_constituents(ty, |linker, constituent| {
            linker.has_typeof(constituent, word).is_none_or(|is_match| is_match == positive)
        })
    }

    /// Whether `typeof` gives `word` for the values of a type; `None` if it does for some only, or if that is not
    /// known.
    fn has_typeof(&mut self, ty: InternedType, word: &str) -> Option<bool> {
        let _level = self.descend()?;
        let kind = self.types.kind(ty).clone();
        // The values of a type variable are those of its constraint.
        if let TypeKind::TypeParameter(_) | TypeKind::IndexedAccess(..) | TypeKind::Conditional(..) = kind
            && let Some(constraint) = self.constraint_of_values(ty)
        {
            let mut parts = self.types.constituents(constraint).into_iter();
            let first = parts.next().and_then(|part| self.has_typeof(part, word))?;
            return parts.all(|part| self.has_typeof(part, word) == Some(first)).then_some(first);
        }
        // A branded primitive: `number & { brand: "id" }`.
        if let TypeKind::Intersection(parts) = &kind
            && let Some(primitive) = parts.iter().find(|part| self.is_primitive(**part))
        {
            return self.has_typeof(*primitive, word);
        }
        let is_match = match (word, kind) {
            ("string", kind) => matches!(
                kind,
                TypeKind::String | TypeKind::StringLiteral(_) | TypeKind::Template(_) | TypeKind::StringMapping(..)
            ),
            ("number", kind) => matches!(kind, TypeKind::Number | TypeKind::NumberLiteral(_)),
            ("boolean", kind) => matches!(kind, TypeKind::Boolean | TypeKind::BooleanLiteral(_)),
            ("bigint", _) => ty == InternedType::BIGINT,
            ("symbol", kind) => matches!(kind, TypeKind::Symbol | TypeKind::UniqueSymbol(_)),
            ("undefined", _) => ty == InternedType::NULLISH,
            ("function", kind) => {
                matches!(kind, TypeKind::ClassConstructor(..))
                    || !self.signatures(ty, false).is_empty()
                    || !self.signatures(ty, true).is_empty()
            }
            ("object", kind) => {
                !self.is_primitive(ty)
                    && self.signatures(ty, false).is_empty()
                    && !matches!(kind, TypeKind::ClassConstructor(..))
            }
            _ => return None,
        };
        Some(is_match)
    }

    /// The constraint of a type variable that is no type variable itself; `None` if there is none that is known.
    pub(super) fn constraint_of_values(&mut self, ty: InternedType) -> Option<InternedType> {
        let mut constraint = self.constraint(ty)?;
        for _ in 0..MAX_CONSTRAINTS {
            if !self.is_deferred(constraint) {
                return Some(constraint).filter(|ty| ty.is_known() && *ty != InternedType::UNKNOWN);
            }
            constraint = self.constraint(constraint)?;
        }
        None
    }

    /// Narrows by the test `x === value`, or by its negation if not `positive`.
    fn narrow_by_equality(&mut self, file: FileIndex, ty: InternedType, value: ExprId, positive: bool) -> InternedType {
        let value = self.expr_type(file, value);
        if !self.is_unit_type(value) {
            return ty;
        }
        if positive && (!ty.is_known() || ty == InternedType::UNKNOWN) {
            return value;
        }
        self.filter_constituents(ty, |linker, constituent| {
            if positive {
                linker.may_be_assignable(value, constituent) || constituent == value
            } else {
                constituent != value
            }
        })
    }

    /// Narrows by the test `x.name === value`, or by its negation if not `positive`.
    fn narrow_by_discriminant(
        &mut self,
        file: FileIndex,
        ty: InternedType,
        name: InternedName,
        value: ExprId,
        positive: bool,
    ) -> InternedType {
        let value = self.expr_type(file, value);
        if !self.is_unit_type(value) && value != InternedType::NULLISH {
            return ty;
        }
        self.filter_constituents(ty, |linker, constituent| {
            let Some(discriminant) = linker.property_type(constituent, name) else {
                return !positive || value == InternedType::NULLISH;
            };
            if positive {
                discriminant == value
                    || !linker.is_primitive(discriminant)
                    || linker.may_be_assignable(value, discriminant)
            } else {
                discriminant != value
            }
        })
    }

    /// Narrows by the test `x.name`, or by its negation if not `positive`: of `{ many: true } | { many?: false }` each
    /// leaves one. A constituent without the property is left by the negation.
    fn narrow_by_truthiness(&mut self, ty: InternedType, name: InternedName, positive: bool) -> InternedType {
        self.filter_constituents(ty, |linker, constituent| match linker.find_property(constituent, name) {
            Some(found) if positive => linker.may_be(found.ty, true),
            Some(found) => linker.may_be(found.ty, false) || linker.is_declared_nullish(found),
            None => !positive,
        })
    }

    /// Whether a value of a type may be truthy, or falsy if not `truthy`. Only literals, `null` and `undefined` decide
    /// it, since a property whose constituents are all of other types discriminates no union in TypeScript.
    fn may_be(&self, ty: InternedType, truthy: bool) -> bool {
        self.types.constituents(ty).iter().any(|constituent| match *self.types.kind(*constituent) {
            TypeKind::Nullish | TypeKind::Never => !truthy,
            TypeKind::BooleanLiteral(value) => value == truthy,
            TypeKind::StringLiteral(value) => self.program.names.text(value).is_empty() != truthy,
            TypeKind::NumberLiteral(value) => (self.program.names.text(value) == "0") != truthy,
            _ => true,
        })
    }

    /// Whether a type has a single value (TypeScript's unit types).
    fn is_unit_type(&self, ty: InternedType) -> bool {
        matches!(
            self.types.kind(ty),
            TypeKind::StringLiteral(_)
                | TypeKind::NumberLiteral(_)
                | TypeKind::BooleanLiteral(_)
                | TypeKind::UniqueSymbol(_)
                | TypeKind::EnumMember(..)
        )
    }
}
