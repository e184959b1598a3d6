//! Narrowing by tests for a type: `x instanceof C`, and calls of functions with a type predicate.

use smallvec::SmallVec;

use crate::typescript::{
    infer::Linker,
    program::{FileIndex, GlobalDef, InternedName},
    types::{InternedType, InternedTypes, TypeKind},
};
use apidisc_facts::syntax::typescript::facts::{CallExprId, Expr, NarrowingTest};

/// The greatest number of properties of two types that are compared.
const MAX_PROPERTIES: usize = 80;

/// What a test for a type compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TypeTest {
    /// `x instanceof C`: the base classes.
    Instanceof,
    /// `f(x)` where `f` returns `x is T`: the properties.
    Predicate,
}

impl Linker<'_> {
    /// Narrows by the test `x instanceof C`, where `instance` is the type of the instances of `C`, or by its negation
    /// if not `positive`.
    pub(super) fn narrow_by_instanceof(
        &mut self,
        ty: InternedType,
        instance: InternedType,
        positive: bool,
    ) -> InternedType {
        self.narrow_by_type(ty, instance, positive, TypeTest::Instanceof)
    }

    /// Narrows by the test for a class of which nothing is known: the value keeps what its declared type knows, if that
    /// is one type of objects. Of several, the class may extend one.
    pub(super) fn narrow_to_unknown_class(&mut self, ty: InternedType, instance: InternedType) -> InternedType {
        if instance != InternedType::EXTERNAL || !ty.is_known() {
            return instance;
        }
        let constituents = self.types.constituents(ty);
        let mut objects = constituents.into_iter().filter(|constituent| !self.is_primitive(*constituent));
        match (objects.next(), objects.next()) {
            (Some(object), None) if matches!(self.types.kind(object), TypeKind::Reference(..)) => {
                self.intersect(&[object, instance])
            }
            _ => instance,
        }
    }

    /// Narrows by a call of a user-defined type guard: `f(x)` where `f` returns `x is T`.
    pub(super) fn narrow_by_predicate(
        &mut self,
        file: FileIndex,
        ty: InternedType,
        site: CallExprId,
        at: u16,
        positive: bool,
    ) -> InternedType {
        let row = self.program.facts(file).site(site);
        if matches!(self.program.facts(file).expr(row.callee), Expr::Unknown) {
            return ty;
        }
        let Some((signature, substitution)) = self.resolved_signature(file, site, u16::MAX) else { return ty };
        let Some(function) = self.program.function(signature.def) else { return ty };
        let generic = self.return_type(signature.def);
        let TypeKind::Predicate(param, _) = *self.types.kind(generic) else { return ty };
        let declaring_file = self.program.file_of(signature.def);
        // `x.isFoo()` narrows its receiver if it returns `this is T`.
        let is_narrowed = if at == NarrowingTest::RECEIVER {
            param.is_none()
        } else {
            let named = function.params.get(at as usize).and_then(|p| p.name);
            param.is_some() && param == named.map(|name| self.program.name(declaring_file, name))
        };
        if !is_narrowed {
            return ty;
        }
        let TypeKind::Predicate(_, expected) = *self.types.kind(generic) else { return ty };
        let expected = self.substitute(expected, substitution);
        if !expected.is_known() || expected == InternedType::UNKNOWN {
            return ty;
        }
        self.narrow_by_type(ty, expected, positive, TypeTest::Predicate)
    }

    /// Narrows to the constituents that are related to `expected` (or, if not `positive`, to those that are not).
    fn narrow_by_type(
        &mut self,
        ty: InternedType,
        expected: InternedType,
        positive: bool,
        test: TypeTest,
    ) -> InternedType {
        let Some(_level) = self.descend() else { return ty };
        // A value of a type parameter is tested as one of its constraint.
        if let TypeKind::TypeParameter(_) = self.types.kind(ty)
            && positive
            && let Some(constraint) = self.constraint(ty)
            && constraint != ty
        {
            let narrowed = self.narrow_by_type(constraint, expected, positive, test);
            return if narrowed == constraint { ty } else { narrowed };
        }
        if !ty.is_known() || ty == InternedType::UNKNOWN || ty == InternedType::OBJECT {
            return if positive { expected } else { ty };
        }
        let constituents = self.types.constituents(ty);
        let parts = self.types.constituents(expected);
        if !positive {
            let remaining: InternedTypes = constituents
                .iter()
                .copied()
                .filter(|constituent| !self.is_excluded(*constituent, expected, &parts, test))
                .collect();
            return if remaining.is_empty() { InternedType::NEVER } else { self.types.union(remaining) };
        }
        // Where no constituent is assignable to a part of `expected`, a base type is narrowed to that part.
        let mut kept = InternedTypes::new();
        for part in parts {
            let related: InternedTypes =
                constituents.iter().copied().filter(|constituent| self.is_related(*constituent, part, test)).collect();
            if related.is_empty() {
                if constituents.iter().any(|constituent| self.is_related(part, *constituent, test)) {
                    kept.push(part);
                }
                continue;
            }
            let certain: InternedTypes =
                related.iter().copied().filter(|constituent| !self.may_be_wider(*constituent, part, test)).collect();
            if certain.is_empty() {
                for constituent in related {
                    kept.push(if self.is_subtype_by_declaration(part, constituent) { part } else { constituent });
                }
            } else {
                kept.extend(certain);
            }
        }
        if kept.is_empty() { expected } else { self.types.union(kept) }
    }

    /// Whether all values of a constituent have the type that a test for `expected`, the union of `parts`, excludes.
    fn is_excluded(
        &mut self,
        constituent: InternedType,
        expected: InternedType,
        parts: &[InternedType],
        test: TypeTest,
    ) -> bool {
        if let [part] = parts {
            return self.is_related(constituent, *part, test) && !self.may_be_wider(constituent, *part, test);
        }
        let mut excludes = |part: &InternedType| {
            self.is_related(constituent, *part, test) && !self.may_be_wider(constituent, *part, test)
        };
        parts.iter().any(&mut excludes)
            || self.is_primitive(constituent) && self.is_related(constituent, expected, test)
    }

    fn is_related(&mut self, ty: InternedType, expected: InternedType, test: TypeTest) -> bool {
        let ty = match self.types.kind(ty) {
            TypeKind::TypeParameter(_) | TypeKind::Conditional(..) => self.constraint_of_values(ty).unwrap_or(ty),
            _ => ty,
        };
        match test {
            TypeTest::Instanceof => self.is_derived(ty, expected),
            TypeTest::Predicate => self.is_assignable(ty, expected),
        }
    }

    /// Whether the values of a type are instances of `class`, as `instanceof` tests. A class or interface is compared
    /// by its base types, not by its properties; any other type is compared by its properties.
    fn is_derived(&mut self, ty: InternedType, class: InternedType) -> bool {
        match (self.types.kind(ty), self.types.kind(class)) {
            (TypeKind::Reference(symbol, _), TypeKind::Reference(other, _)) => {
                let (symbol, other) = (*symbol, *other);
                symbol == other || self.type_arguments_as(ty, other, 0).is_some()
            }
            _ => self.is_assignable(ty, class),
        }
    }

    /// Whether a type may have values that a predicate for `expected` excludes although [`Self::is_assignable`] holds,
    /// which compares no results of methods, takes optional properties for present ones, and assumes that an external
    /// type has every property.
    fn may_be_wider(&mut self, ty: InternedType, expected: InternedType, test: TypeTest) -> bool {
        if test == TypeTest::Instanceof || ty == expected {
            return false;
        }
        if ty == InternedType::EXTERNAL {
            return true;
        }
        match (self.types.kind(ty), self.types.kind(expected)) {
            // A type argument may be any type within its constraint.
            (_, TypeKind::TypeParameter(_)) => return true,
            (TypeKind::Reference(symbol, _), TypeKind::Reference(other, _)) if symbol == other => return false,
            (
                TypeKind::Reference(..) | TypeKind::Anonymous(..) | TypeKind::Intersection(_),
                TypeKind::Reference(..) | TypeKind::Anonymous(..) | TypeKind::Intersection(_),
            ) => {}
            _ => return false,
        }
        let Some(names) = self.property_names(expected, 0) else {
            return match self.types.kind(expected) {
                TypeKind::Intersection(constituents) => constituents.contains(&ty),
                TypeKind::Reference(..) => self.is_subtype_by_declaration(expected, ty),
                _ => false,
            };
        };
        names.into_iter().take(MAX_PROPERTIES).any(|name| self.has_wider_property(ty, expected, name))
    }

    /// Whether the property `name` of `ty` may have values that the property of `expected` may not have.
    fn has_wider_property(&mut self, ty: InternedType, expected: InternedType, name: InternedName) -> bool {
        let Some(narrow) = self.find_property(expected, name) else { return false };
        let Some(wide) = self.find_property(ty, name) else { return true };
        if wide.member == narrow.member {
            return false;
        }
        let is_optional = |linker: &Self, member: Option<(GlobalDef, u16)>| {
            member.is_some_and(|(def, at)| linker.program.members(def)[usize::from(at)].is_optional)
        };
        let is_external = wide.member.is_none() && wide.ty == InternedType::EXTERNAL;
        is_external
            || is_optional(self, wide.member) && !is_optional(self, narrow.member)
            || self.has_wider_result(wide.ty, narrow.ty)
    }

    /// Whether both types have one call signature, and the result of the second one is narrower.
    fn has_wider_result(&mut self, wide: InternedType, narrow: InternedType) -> bool {
        let (wide, narrow) = (self.signatures(wide, false), self.signatures(narrow, false));
        let ([wide], [narrow]) = (&wide[..], &narrow[..]) else { return false };
        let results: SmallVec<[InternedType; 2]> = [*wide, *narrow]
            .into_iter()
            .map(|signature| {
                let generic = self.return_type(signature.def);
                self.substitute(generic, signature.substitution)
            })
            .collect();
        let (wide, narrow) = (results[0], results[1]);
        wide.is_known() && narrow.is_known() && !self.is_assignable(wide, narrow)
    }

    /// Whether a type is declared as a subtype of another one: it inherits from it, or is an intersection with it.
    fn is_subtype_by_declaration(&mut self, ty: InternedType, base: InternedType) -> bool {
        if let TypeKind::Intersection(constituents) = self.types.kind(ty)
            && constituents.contains(&base)
        {
            return true;
        }
        match *self.types.kind(base) {
            TypeKind::Reference(symbol, _) => self.type_arguments_as(ty, symbol, 0).is_some(),
            _ => false,
        }
    }
}
