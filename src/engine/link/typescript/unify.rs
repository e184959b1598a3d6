//! Types against types: what a type parameter must stand for, and whether one type may stand for another.

use super::{
    infer::Linker,
    name_interner::InternedName,
    program::GlobalTypeParam,
    types::{InternedType, InternedTypes, TypeBindings, TypeKind, TypeVariable},
};
use crate::syntax::typescript::facts::TypeNode;

/// Patterns are followed that deep.
const MAX_DEPTH: u32 = 10;

/// Properties that are compared of two objects.
const MAX_PROPERTIES: usize = 40;

impl Linker<'_> {
    /// Finds what the parameters in `targets` must stand for, so that `given` is a `pattern`. The first that tells
    /// counts, unless it tells nothing.
    pub(super) fn unify(
        &mut self,
        pattern: InternedType,
        actual: InternedType,
        targets: &[GlobalTypeParam],
        found: &mut TypeBindings,
        depth: u32,
    ) {
        if depth > MAX_DEPTH || pattern == actual || !self.types.is_generic(pattern) {
            return;
        }
        let depth = depth + 1;
        match self.types.kind(pattern).clone() {
            TypeKind::TypeParameter(param) if targets.contains(&param) => self.infer_type_param(param, actual, found),
            TypeKind::Reference(symbol, args) => {
                if !actual.is_known() {
                    for arg in args {
                        self.unify(arg, actual, targets, found, depth);
                    }
                    return;
                }
                for constituent in self.types.constituents(actual) {
                    match self.type_arguments_as(constituent, symbol, 0) {
                        Some(there) => {
                            for (arg, there) in args.iter().zip(there) {
                                self.unify(*arg, there, targets, found, depth);
                            }
                        }
                        None => self.unify_structure(pattern, constituent, targets, found, depth),
                    }
                }
            }
            TypeKind::Tuple(items, _) => {
                if let TypeKind::Tuple(there, _) = self.types.kind(actual).clone() {
                    for (item, there) in items.iter().zip(there) {
                        self.unify(*item, there, targets, found, depth);
                    }
                } else {
                    let element = self.element_type(actual);
                    for item in items {
                        self.unify(item, element, targets, found, depth);
                    }
                }
            }
            TypeKind::Function(..) | TypeKind::Anonymous(..) => {
                self.unify_structure(pattern, actual, targets, found, depth);
            }
            TypeKind::Union(constituents) => self.unify_union(&constituents, actual, targets, found, depth),
            TypeKind::Intersection(constituents) => {
                for constituent in constituents {
                    self.unify(constituent, actual, targets, found, depth);
                }
            }
            TypeKind::Mapped(file, id, substitution) => {
                let facts = self.program.facts(file);
                let TypeNode::Mapped { key, value, .. } = *facts.ty(id) else { return };
                let Some(constraint) = facts.type_params[key.index()].constraint else { return };
                // `Partial<T>` and the like are inferred through.
                if let TypeNode::KeyOf(of) = *facts.ty(constraint) {
                    let generic = self.type_from_node(file, of);
                    let of = self.substitute(generic, substitution);
                    if let Some(TypeNode::Indexed(..)) = value.map(|value| facts.ty(value)) {
                        self.unify(of, actual, targets, found, depth);
                    } else if let TypeKind::TypeParameter(param) = *self.types.kind(of)
                        && targets.contains(&param)
                    {
                        self.infer_type_param(param, actual, found);
                    }
                    return;
                }
                let generic = self.type_from_node(file, constraint);
                let keys = self.substitute(generic, substitution);
                let there = self.keyof_type(actual);
                self.unify(keys, there, targets, found, depth);
                if let Some(value) = value {
                    let generic = self.type_from_node(file, value);
                    let pattern = self.substitute(generic, substitution);
                    let there = self.index_signature_type(actual);
                    self.unify(pattern, there, targets, found, depth);
                }
            }
            TypeKind::Predicate(_, of) => {
                if let TypeKind::Predicate(_, there) = *self.types.kind(actual) {
                    self.unify(of, there, targets, found, depth);
                }
            }
            // Either branch may be what is given.
            TypeKind::Conditional(file, id, substitution) => {
                let TypeNode::Conditional { positive, negative, .. } = *self.program.facts(file).ty(id) else { return };
                for branch in [positive, negative] {
                    let generic = self.type_from_node(file, branch);
                    let pattern = self.substitute(generic, substitution);
                    self.unify(pattern, actual, targets, found, depth);
                }
            }
            _ => {}
        }
    }

    fn infer_type_param(&mut self, param: GlobalTypeParam, actual: InternedType, found: &mut TypeBindings) {
        let key = TypeVariable::Parameter(param);
        let Some(row) = found.iter().position(|(k, _)| *k == key) else {
            if actual != InternedType::NEVER {
                found.push((key, actual));
            }
            return;
        };
        let before = found[row].1;
        let tells = |ty: InternedType| {
            !matches!(
                ty,
                InternedType::ANY
                    | InternedType::EXTERNAL
                    | InternedType::NULLISH
                    | InternedType::UNKNOWN
                    | InternedType::NEVER
            )
        };
        if !tells(before) && tells(actual) {
            found[row].1 = actual;
        } else if tells(before)
            && tells(actual)
            && before != actual
            && self.widened_literal_type(before) == self.widened_literal_type(actual)
        {
            found[row].1 = self.widened_literal_type(before);
        }
    }

    /// `T | Promise<T>`, `T | undefined`, `T | T[]`: what a known shape takes does not go to the bare parameter.
    fn unify_union(
        &mut self,
        constituents: &[InternedType],
        actual: InternedType,
        targets: &[GlobalTypeParam],
        found: &mut TypeBindings,
        depth: u32,
    ) {
        let is_bare = |linker: &Self, constituent: InternedType| matches!(linker.types.kind(constituent), TypeKind::TypeParameter(p) if targets.contains(p));
        let bare: InternedTypes =
            constituents.iter().copied().filter(|constituent| is_bare(self, *constituent)).collect();
        let shaped: InternedTypes =
            constituents.iter().copied().filter(|constituent| !is_bare(self, *constituent)).collect();
        if !actual.is_known() {
            for constituent in bare.iter().chain(&shaped) {
                self.unify(*constituent, actual, targets, found, depth);
            }
            return;
        }
        let mut left = InternedTypes::new();
        for there in self.types.constituents(actual) {
            let mut taken = false;
            for &constituent in &shaped {
                if self.has_shape(constituent, there) {
                    self.unify(constituent, there, targets, found, depth);
                    taken = true;
                }
            }
            if !taken {
                left.push(there);
            }
        }
        if !left.is_empty() {
            let left = self.types.union(left);
            for constituent in bare {
                self.unify(constituent, left, targets, found, depth);
            }
        }
    }

    /// Whether a type is plainly of the kind that a pattern asks for.
    fn has_shape(&mut self, pattern: InternedType, actual: InternedType) -> bool {
        match self.types.kind(pattern).clone() {
            TypeKind::Reference(symbol, _) => self.type_arguments_as(actual, symbol, 0).is_some(),
            TypeKind::Function(..) => !self.signatures(actual, false).is_empty(),
            TypeKind::Tuple(..) => matches!(self.types.kind(actual), TypeKind::Tuple(..)),
            TypeKind::Anonymous(..) | TypeKind::Intersection(_) => {
                matches!(
                    self.types.kind(actual),
                    TypeKind::Anonymous(..)
                        | TypeKind::Reference(..)
                        | TypeKind::Intersection(_)
                        | TypeKind::Mapped(..)
                ) && self.is_assignable(actual, pattern, &[])
            }
            _ => pattern == actual,
        }
    }

    /// By signatures and properties.
    fn unify_structure(
        &mut self,
        pattern: InternedType,
        actual: InternedType,
        targets: &[GlobalTypeParam],
        found: &mut TypeBindings,
        depth: u32,
    ) {
        for is_new in [false, true] {
            let expected = self.signatures(pattern, is_new);
            let Some(expected) = expected.first().copied() else { continue };
            if !actual.is_known() {
                let generic = self.return_type(expected.def);
                let result = self.substitute(generic, expected.substitution);
                self.unify(result, actual, targets, found, depth);
                continue;
            }
            let there = self.signatures(actual, is_new);
            // Of overloads the last is the most general.
            let Some(there) = there.last().copied() else { continue };
            if let Some(class) = there.class {
                let value = self.types.intern(TypeKind::ClassConstructor(class, there.substitution));
                let instance = self.instance_type(value, &[]);
                let generic = self.return_type(expected.def);
                let result = self.substitute(generic, expected.substitution);
                self.unify(result, instance, targets, found, depth);
                continue;
            }
            let count = self.program.function(expected.def).map_or(0, |f| f.params.len());
            let is_rest = |at: usize| {
                self.program.function(expected.def).is_some_and(|f| f.params.get(at).is_some_and(|p| p.is_rest))
            };
            let rest = (0..count).find(|at| is_rest(*at));
            for at in 0..count.min(8) {
                let Some(function) = self.program.function(there.def) else { break };
                if Some(at) == rest {
                    // `(...args: A) => R`: the parameters that are left, as a tuple.
                    let left: InternedTypes = (at..function.params.len())
                        .map(|i| {
                            let generic = self.parameter_type(there.def, i as u16);
                            self.substitute(generic, there.substitution)
                        })
                        .collect();
                    let has_rest = function.params.last().is_some_and(|p| p.is_rest);
                    let tuple = self.types.intern(TypeKind::Tuple(left, has_rest));
                    let pattern = self.parameter_type(expected.def, at as u16);
                    let pattern = self.substitute(pattern, expected.substitution);
                    self.unify(pattern, tuple, targets, found, depth);
                    break;
                }
                // What an unannotated parameter is follows from the pattern, not the other way round.
                if function.params.get(at).is_none_or(|p| p.annotation.is_none()) {
                    continue;
                }
                let (Some(a), Some(b)) =
                    (self.argument_parameter_type(expected.def, at), self.argument_parameter_type(there.def, at))
                else {
                    break;
                };
                let a = self.substitute(a, expected.substitution);
                let b = self.substitute(b, there.substitution);
                self.unify(a, b, targets, found, depth);
            }
            let generic = self.return_type(expected.def);
            let wanted_result = self.substitute(generic, expected.substitution);
            if self.types.is_generic(wanted_result) {
                let generic = self.return_type(there.def);
                let result = self.substitute(generic, there.substitution);
                self.unify(wanted_result, result, targets, found, depth);
            }
        }
        if depth > 6 {
            return;
        }
        let value = match *self.types.kind(pattern) {
            TypeKind::Anonymous(def, substitution) => {
                self.declared_index_type(def).map(|value| self.substitute(value, substitution))
            }
            _ => None,
        };
        if let Some(value) = value {
            let there = self.index_signature_type(actual);
            self.unify(value, there, targets, found, depth);
        }
        let Some(names) = self.property_names(pattern, 0) else { return };
        for name in names.into_iter().take(MAX_PROPERTIES) {
            let Some(expected) = self.property_type(pattern, name) else { continue };
            if !self.types.is_generic(expected) {
                continue;
            }
            if let Some(there) = self.property_type(actual, name) {
                self.unify(expected, there, targets, found, depth);
            }
        }
    }

    /// The type that a name has as a string literal.
    pub(super) fn string_literal_type(&mut self, name: InternedName) -> InternedType {
        self.types.intern(TypeKind::StringLiteral(name))
    }
}
