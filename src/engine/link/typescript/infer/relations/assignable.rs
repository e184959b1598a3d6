//! An approximation of TypeScript's assignability. Nested types are compared to a limited depth, and types about which
//! nothing is known are assignable.

use compact_str::CompactString;

use crate::typescript::{
    infer::{Linker, members::FoundProperty},
    program::{GlobalSymbol, InternedName, is_identifier},
    types::{InternedType, InternedTypes, TypeKind},
};
use apidisc_base::{
    language::typescript::{is_function_member, is_object_member},
    nesting,
};
use apidisc_facts::syntax::typescript::facts::MemberKind;

/// The greatest number of properties of an object type that are compared.
const MAX_PROPERTIES: usize = 40;
/// The greatest number of base types of a class that are searched for a platform type.
const MAX_BASES: usize = 16;
/// The greatest nesting of types that is compared.
const MAX_DEPTH: u32 = 5;

impl Linker<'_> {
    /// True if a value of type `actual` may be assigned to `expected`. If `expected` is a type parameter, `actual` only
    /// has to be assignable to its constraint.
    ///
    /// The answer is kept if it depends on no cut type and on no computation that is still in progress: every call
    /// below a type guard asks the same queries.
    pub(in super::super) fn is_assignable(&mut self, actual: InternedType, expected: InternedType) -> bool {
        if let Some(&is_assignable) = self.assignable.get(&(actual, expected)) {
            return is_assignable;
        }
        let outer = std::mem::take(&mut self.compared);
        let (is_assignable, is_final) =
            self.watch_dependencies(|linker| linker.is_assignable_at_depth(actual, expected, 0));
        self.compared = outer;
        if is_final {
            self.assignable.insert((actual, expected), is_assignable);
        }
        is_assignable
    }

    fn is_assignable_at_depth(&mut self, actual: InternedType, expected: InternedType, depth: u32) -> bool {
        if actual == expected || depth > MAX_DEPTH || !self.budget.step() {
            return true;
        }
        if matches!(expected, InternedType::ANY | InternedType::UNKNOWN | InternedType::EXTERNAL)
            || actual == InternedType::ANY
            || actual == InternedType::NEVER
        {
            return true;
        }
        if matches!(self.types.kind(expected), TypeKind::Union(constituents) if constituents.contains(&actual)) {
            return true;
        }
        self.is_related_at_depth(actual, expected, depth) && !self.has_no_common_property(actual, expected)
    }

    /// [`Self::is_assignable_at_depth`] without the rule for weak types.
    fn is_related_at_depth(&mut self, actual: InternedType, expected: InternedType, depth: u32) -> bool {
        let Some(_level) = self.descend() else { return true };
        let depth = depth + 1;
        match (self.types.kind(actual).clone(), self.types.kind(expected).clone()) {
            (_, TypeKind::TypeParameter(_)) => match self.constraint(expected) {
                Some(constraint) => self.is_assignable_at_depth(actual, constraint, depth),
                None => true,
            },
            (TypeKind::Union(constituents), _) => {
                constituents.iter().all(|constituent| self.is_assignable_at_depth(*constituent, expected, depth))
            }
            (TypeKind::Boolean, TypeKind::Union(constituents))
                if constituents
                    .iter()
                    .filter(|constituent| matches!(self.types.kind(**constituent), TypeKind::BooleanLiteral(_)))
                    .count()
                    == 2 =>
            {
                true
            }
            // Unions of many literals are common, and no literal is assignable to another one.
            (TypeKind::StringLiteral(_) | TypeKind::NumberLiteral(_), TypeKind::Union(constituents)) => {
                constituents.iter().any(|constituent| {
                    let kind = self.types.kind(*constituent);
                    !matches!(kind, TypeKind::StringLiteral(_) | TypeKind::NumberLiteral(_))
                        && self.is_assignable_at_depth(actual, *constituent, depth)
                })
            }
            (_, TypeKind::Union(constituents)) => {
                constituents.iter().any(|constituent| self.is_assignable_at_depth(actual, *constituent, depth))
            }
            (_, TypeKind::Intersection(constituents)) => {
                constituents.iter().all(|constituent| self.is_constituent_satisfied(actual, *constituent, depth))
            }
            (TypeKind::TypeParameter(_) | TypeKind::IndexedAccess(..), _) => match self.constraint(actual) {
                Some(constraint) => self.is_assignable_at_depth(constraint, expected, depth),
                None => false,
            },
            (TypeKind::This(symbol), _) => {
                let args = self.own_type_arguments(symbol);
                let named = self.types.intern(TypeKind::Reference(symbol, args));
                self.is_assignable_at_depth(named, expected, depth)
            }
            (TypeKind::StringLiteral(text), TypeKind::Template(parts)) => {
                let text = CompactString::new(self.program.names.text(text));
                self.match_template(&parts, &text).is_some()
            }
            (TypeKind::StringLiteral(text), TypeKind::StringMapping(mapping, _)) => {
                let text = self.program.names.text(text);
                mapping.apply(text) == text
            }
            (TypeKind::Template(_) | TypeKind::StringMapping(..), TypeKind::String) => true,
            (TypeKind::StringLiteral(_), TypeKind::String) | (TypeKind::NumberLiteral(_), TypeKind::Number) => true,
            (TypeKind::BooleanLiteral(_) | TypeKind::Predicate(..), TypeKind::Boolean) => true,
            (TypeKind::UniqueSymbol(_), TypeKind::Symbol) => true,
            (TypeKind::EnumMember(symbol, _), TypeKind::Reference(other, _)) => symbol == other,
            (TypeKind::EnumMember(..), TypeKind::String | TypeKind::Number) => true,
            (TypeKind::EnumMember(symbol, member), TypeKind::StringLiteral(text)) => {
                self.key_of_enum_member(symbol, member) == Some(text)
            }
            (TypeKind::Nullish, other) => matches!(other, TypeKind::Nullish),
            (_, TypeKind::Object) => !self.is_primitive(actual),
            (TypeKind::Reference(symbol, args), TypeKind::Reference(other, expected_args)) => {
                if self.is_enum(symbol) || self.is_enum(other) {
                    return symbol == other;
                }
                let actual_args = if symbol == other { Some(args) } else { self.type_arguments_as(actual, other, 0) };
                match actual_args {
                    Some(actual_args) => {
                        actual_args.iter().zip(&expected_args).all(|(a, b)| self.is_assignable_at_depth(*a, *b, depth))
                    }
                    // The description of the platform lacks properties, but none of the signatures of its types.
                    None if Some(other) == self.well_known.function && self.is_platform_symbol(symbol) => {
                        !self.signatures(actual, false).is_empty()
                    }
                    None if self.is_platform_symbol(symbol) && self.is_platform_symbol(other) => {
                        self.has_declared_members(actual, other, expected)
                    }
                    None => self.is_structurally_assignable(actual, expected, depth),
                }
            }
            // An intersection with an external constituent may have further, unknown properties. The external
            // constituent is assumed not to be a type of the platform such as `Promise` or `Map`, so only the known
            // constituents are compared.
            (TypeKind::Intersection(constituents), TypeKind::Reference(other, _))
                if constituents.contains(&InternedType::EXTERNAL) && self.is_platform_symbol(other) =>
            {
                let known = constituents.into_iter().filter(|constituent| *constituent != InternedType::EXTERNAL);
                let known = self.types.intersection(known.collect::<InternedTypes>());
                self.is_assignable_at_depth(known, expected, depth)
            }
            (
                TypeKind::Tuple(..)
                | TypeKind::VariadicTuple(_)
                | TypeKind::ClassConstructor(..)
                | TypeKind::Anonymous(..)
                | TypeKind::Intersection(_)
                | TypeKind::Mapped(..)
                | TypeKind::ReverseMapped(..),
                TypeKind::Reference(other, expected_args),
            ) => match self.type_arguments_as(actual, other, 0) {
                Some(actual_args) => {
                    actual_args.iter().zip(&expected_args).all(|(a, b)| self.is_assignable_at_depth(*a, *b, depth))
                }
                None => self.is_structurally_assignable(actual, expected, depth),
            },
            (TypeKind::Tuple(a, a_has_rest), TypeKind::Tuple(b, has_rest)) => {
                let least = b.len().saturating_sub(usize::from(has_rest));
                let has_enough =
                    if has_rest { a.len().saturating_sub(usize::from(a_has_rest)) >= least } else { a.len() == least };
                has_enough
                    && a.iter().enumerate().all(|(at, item)| {
                        let expected = b.get(at).or(b.last());
                        expected.is_some_and(|expected| self.is_assignable_at_depth(*item, *expected, depth))
                    })
            }
            (TypeKind::Tuple(a, a_has_rest), TypeKind::VariadicTuple(b)) => {
                let pairs = self.variadic_pairs(&b, &a, a_has_rest);
                pairs.is_some_and(|pairs| pairs.iter().all(|(b, a)| self.is_assignable_at_depth(*a, *b, depth)))
            }
            (TypeKind::VariadicTuple(_), TypeKind::Tuple(..) | TypeKind::VariadicTuple(_)) => true,
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
                | TypeKind::ReverseMapped(..)
                | TypeKind::ClassConstructor(..)
                | TypeKind::ModuleNamespace(_)
                | TypeKind::NamespaceObject(_)
                | TypeKind::Function(..),
                TypeKind::Anonymous(..) | TypeKind::Mapped(..),
            ) => self.is_structurally_assignable(actual, expected, depth),
            (TypeKind::Function(..), TypeKind::Reference(..)) => {
                self.is_structurally_assignable(actual, expected, depth)
            }
            (TypeKind::Intersection(constituents), _) => {
                constituents.iter().any(|constituent| self.is_assignable_at_depth(*constituent, expected, depth))
            }
            (TypeKind::Conditional(..) | TypeKind::KeyOf(_), _)
            | (_, TypeKind::Conditional(..) | TypeKind::KeyOf(_)) => {
                !self.is_primitive(expected) || matches!(self.types.kind(expected), TypeKind::KeyOf(_))
            }
            _ => false,
        }
    }

    /// Whether a value may be assigned to a constituent of an intersection, which as a whole may be no weak type.
    fn is_constituent_satisfied(&mut self, actual: InternedType, constituent: InternedType, depth: u32) -> bool {
        actual == constituent
            || actual == InternedType::ANY
            || actual == InternedType::NEVER
            || matches!(constituent, InternedType::ANY | InternedType::UNKNOWN | InternedType::EXTERNAL)
            || depth > MAX_DEPTH
            || !self.budget.step()
            || self.is_related_at_depth(actual, constituent, depth)
    }

    /// True if a platform type has all members of another platform type, which it does not extend, by the description
    /// of the platform. False if `other` is `Iterable`: the description of `Iterable` has no members, so the test would
    /// hold for every type.
    fn has_declared_members(&mut self, actual: InternedType, other: GlobalSymbol, expected: InternedType) -> bool {
        let names = self.property_names(expected, 0).unwrap_or_default();
        let mut has = |name| self.find_property(actual, name).is_some_and(|found| found.member.is_some());
        names.into_iter().all(&mut has) && Some(other) != self.well_known.iterable
    }

    pub(in super::super) fn is_platform_symbol(&self, symbol: GlobalSymbol) -> bool {
        self.program.definitions(symbol).iter().any(|def| self.program.is_platform(*def))
    }

    pub(in super::super) fn is_primitive(&self, ty: InternedType) -> bool {
        let Some(_level) = nesting::descend() else { return false };
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
            | TypeKind::UniqueSymbol(_)
            | TypeKind::EnumMember(..)
            | TypeKind::Template(_)
            | TypeKind::StringMapping(..)
            | TypeKind::Predicate(..) => true,
            TypeKind::Reference(symbol, _) => self.is_enum(*symbol),
            TypeKind::Union(constituents) => constituents.iter().all(|constituent| self.is_primitive(*constituent)),
            _ => false,
        }
    }

    /// Structural assignability. The same two types are compared once at each depth, because the constituents of unions
    /// have many properties of the same types. An answer that is not final is kept for the current query only.
    fn is_structurally_assignable(&mut self, actual: InternedType, expected: InternedType, depth: u32) -> bool {
        let query = (actual, expected, depth);
        if let Some(&is_assignable) = self.structurally_assignable.get(&query) {
            return is_assignable;
        }
        if let Some(&is_assignable) = self.compared.get(&query) {
            self.used_unfinished += 1;
            return is_assignable;
        }
        let (is_assignable, is_final) =
            self.watch_dependencies(|linker| linker.has_assignable_properties(actual, expected, depth));
        if is_final {
            self.structurally_assignable.insert(query, is_assignable);
        } else {
            self.compared.insert(query, is_assignable);
        }
        is_assignable
    }

    /// True if `actual` has every required property of `expected` with an assignable type, and a call signature if
    /// `expected` has one.
    fn has_assignable_properties(&mut self, actual: InternedType, expected: InternedType, depth: u32) -> bool {
        let Some(names) = self.property_names(expected, 0) else {
            return self.has_assignable_values(actual, expected, depth);
        };
        let calls = !self.signatures(expected, false).is_empty();
        if calls && self.signatures(actual, false).is_empty() {
            return false;
        }
        if !self.has_indexed_values(actual, expected, depth) {
            return false;
        }
        let expects_array = self.is_array(expected);
        for name in names.into_iter().take(MAX_PROPERTIES) {
            let Some(expected) = self.find_property(expected, name) else { continue };
            let is_optional =
                expected.member.is_some_and(|(def, at)| self.program.members(def)[at as usize].is_optional);
            match self.find_property(actual, name) {
                None if is_optional => {}
                None => return false,
                // Unions do not contain `null` and `undefined`, so the declaration says whether the property may be
                // one.
                Some(found) if found.ty == InternedType::NULLISH && self.is_declared_nullish(expected) => {}
                Some(found) => {
                    // A base outside the sources may have any property, but few are arrays or promises.
                    if found.member.is_none() && found.ty == InternedType::EXTERNAL {
                        if expects_array || name == self.well_known.then || self.inherits_no_property(actual, name) {
                            return false;
                        }
                        continue;
                    }
                    let is_literal = |linker: &Self, ty: InternedType| {
                        linker.types.constituents(ty).iter().all(|constituent| linker.is_primitive(*constituent))
                    };
                    // From depth 3 on, only primitive types are compared: as literal types, they distinguish the
                    // constituents of a discriminated union.
                    if (is_literal(self, expected.ty) || depth < 3)
                        && !self.is_assignable_at_depth(found.ty, expected.ty, depth)
                    {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// True for a function, and for a type that the platform's description lists all properties of, unless `name` may
    /// be one of these properties.
    pub(in super::super) fn lacks_property(&self, ty: InternedType, name: InternedName) -> bool {
        let name = self.program.names.text(name);
        let is_described = match self.types.kind(ty) {
            TypeKind::Reference(symbol, _) => self.well_known.described.contains(symbol),
            TypeKind::Tuple(..) | TypeKind::VariadicTuple(_) => true,
            TypeKind::Function(..) => !is_function_member(name),
            _ => false,
        };
        is_described && is_identifier(name) && !is_object_member(name)
    }

    /// Whether a type, or the platform type that a class extends, lacks a property by [`Self::lacks_property`].
    fn inherits_no_property(&mut self, ty: InternedType, name: InternedName) -> bool {
        let mut at = ty;
        for _ in 0..MAX_BASES {
            if self.lacks_property(at, name) {
                return true;
            }
            let TypeKind::Reference(symbol, _) = *self.types.kind(at) else { return false };
            let [def] = self.program.definitions(symbol)[..] else { return false };
            let [base] = self.base_types(def)[..] else { return false };
            at = base;
        }
        false
    }

    /// Whether the declaration of a property says that its value may be `null` or `undefined`.
    pub(in super::super) fn is_declared_nullish(&self, property: FoundProperty) -> bool {
        let Some((def, at)) = property.member else { return false };
        let member = &self.program.members(def)[usize::from(at)];
        let facts = self.program.facts(self.program.file_of(def));
        member.is_optional
            || matches!(&member.kind, MemberKind::Property { annotation: Some((ty, _)), .. }
                if facts.is_declared_nullish(*ty))
    }

    /// False if `expected` declares an index signature for strings, and `actual` is an interface or class of the
    /// sources without one, or an object literal or type literal with a property of another type (TypeScript handbook,
    /// "Index Signatures").
    fn has_indexed_values(&mut self, actual: InternedType, expected: InternedType, depth: u32) -> bool {
        let TypeKind::Anonymous(def, substitution) = *self.types.kind(expected) else { return true };
        let file = self.program.file_of(def);
        let index = self.program.members(def).iter().find_map(|member| match member.kind {
            MemberKind::Index { key, value } => Some((key, value)),
            _ => None,
        });
        let Some((key, value)) = index else { return true };
        let generic = self.type_from_node(file, value);
        let value = self.substitute(generic, substitution);
        let compares = self.type_from_node(file, key) == InternedType::STRING && value.is_known();
        if !compares || self.has_index_signature(actual) {
            return true;
        }
        match *self.types.kind(actual) {
            TypeKind::Reference(symbol, _) if !self.is_platform_symbol(symbol) => {
                self.property_names(actual, 0).is_none()
            }
            TypeKind::Anonymous(..) => {
                let names = self.property_names(actual, 0).unwrap_or_default();
                names.into_iter().take(MAX_PROPERTIES).all(|name| {
                    let found = self.property_type(actual, name).unwrap_or(InternedType::ANY);
                    !found.is_known() || self.is_assignable_at_depth(found, value, depth)
                })
            }
            _ => true,
        }
    }

    /// False if `expected` has any keys, as `Record<string, T>` has, and the value of a property of `actual` is not
    /// assignable to the type of its values.
    fn has_assignable_values(&mut self, actual: InternedType, expected: InternedType, depth: u32) -> bool {
        let value = self.index_signature_type(expected);
        if !value.is_known() || value == InternedType::UNKNOWN {
            return true;
        }
        let Some(names) = self.property_names(actual, 0) else { return true };
        names.into_iter().take(MAX_PROPERTIES).all(|name| {
            let found = self.property_type(actual, name).unwrap_or(InternedType::ANY);
            !found.is_known() || self.is_assignable_at_depth(found, value, depth)
        })
    }

    /// False only if passing a value of type `actual` for `expected` is a type error. If one of the types is not known,
    /// or `actual` is nullish, the result is true.
    pub(in super::super) fn may_be_assignable(&mut self, actual: InternedType, expected: InternedType) -> bool {
        if !actual.is_known() || !expected.is_known() || actual == InternedType::NULLISH {
            return true;
        }
        self.is_assignable(actual, expected)
    }
}
