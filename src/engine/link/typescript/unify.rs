//! Types against types: what a type parameter must stand for, and whether one type may stand for another.

use super::{
    infer::Linker,
    program::{GlobalTypeParam, Name},
    types::{Bindings, Key, Ty, Type, Tys},
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
        pattern: Ty,
        given: Ty,
        targets: &[GlobalTypeParam],
        found: &mut Bindings,
        depth: u32,
    ) {
        if depth > MAX_DEPTH || pattern == given || !self.types.is_open(pattern) {
            return;
        }
        let depth = depth + 1;
        match self.types.get(pattern).clone() {
            Type::Param(param) if targets.contains(&param) => self.bind_param(param, given, found),
            Type::Named(entity, args) => {
                if !given.is_known() {
                    for arg in args {
                        self.unify(arg, given, targets, found, depth);
                    }
                    return;
                }
                for part in self.types.parts(given) {
                    match self.as_entity(part, entity, 0) {
                        Some(there) => {
                            for (arg, there) in args.iter().zip(there) {
                                self.unify(*arg, there, targets, found, depth);
                            }
                        }
                        None => self.unify_structure(pattern, part, targets, found, depth),
                    }
                }
            }
            Type::Tuple(items, _) => {
                if let Type::Tuple(there, _) = self.types.get(given).clone() {
                    for (item, there) in items.iter().zip(there) {
                        self.unify(*item, there, targets, found, depth);
                    }
                } else {
                    let element = self.element_of(given);
                    for item in items {
                        self.unify(item, element, targets, found, depth);
                    }
                }
            }
            Type::Function(..) | Type::Literal(..) => {
                self.unify_structure(pattern, given, targets, found, depth);
            }
            Type::Union(parts) => self.unify_union(&parts, given, targets, found, depth),
            Type::Intersection(parts) => {
                for part in parts {
                    self.unify(part, given, targets, found, depth);
                }
            }
            Type::Mapped(file, id, env) => {
                let facts = self.program.facts(file);
                let TypeNode::Mapped { key, value, .. } = *facts.ty(id) else { return };
                let Some(constraint) = facts.type_params[key.index()].constraint else { return };
                // `Partial<T>` and the like are inferred through.
                if let TypeNode::KeyOf(of) = *facts.ty(constraint) {
                    let raw = self.annotation(file, of);
                    let of = self.substitute(raw, env);
                    if let Some(TypeNode::Indexed(..)) = value.map(|value| facts.ty(value)) {
                        self.unify(of, given, targets, found, depth);
                    } else if let Type::Param(param) = *self.types.get(of)
                        && targets.contains(&param)
                    {
                        self.bind_param(param, given, found);
                    }
                    return;
                }
                let raw = self.annotation(file, constraint);
                let keys = self.substitute(raw, env);
                let there = self.keys_of(given);
                self.unify(keys, there, targets, found, depth);
                if let Some(value) = value {
                    let raw = self.annotation(file, value);
                    let pattern = self.substitute(raw, env);
                    let there = self.index_signature(given);
                    self.unify(pattern, there, targets, found, depth);
                }
            }
            Type::Predicate(_, of) => {
                if let Type::Predicate(_, there) = *self.types.get(given) {
                    self.unify(of, there, targets, found, depth);
                }
            }
            // Either branch may be what is given.
            Type::Conditional(file, id, env) => {
                let TypeNode::Conditional { positive, negative, .. } = *self.program.facts(file).ty(id) else { return };
                for branch in [positive, negative] {
                    let raw = self.annotation(file, branch);
                    let pattern = self.substitute(raw, env);
                    self.unify(pattern, given, targets, found, depth);
                }
            }
            _ => {}
        }
    }

    fn bind_param(&mut self, param: GlobalTypeParam, given: Ty, found: &mut Bindings) {
        let key = Key::Param(param);
        let Some(row) = found.iter().position(|(k, _)| *k == key) else {
            if given != Ty::NEVER {
                found.push((key, given));
            }
            return;
        };
        let before = found[row].1;
        let tells = |ty: Ty| !matches!(ty, Ty::ANY | Ty::EXTERNAL | Ty::NOTHING | Ty::UNKNOWN | Ty::NEVER);
        if !tells(before) && tells(given) {
            found[row].1 = given;
        } else if tells(before) && tells(given) && before != given && self.widened(before) == self.widened(given) {
            found[row].1 = self.widened(before);
        }
    }

    /// `T | Promise<T>`, `T | undefined`, `T | T[]`: what a known shape takes does not go to the bare parameter.
    fn unify_union(&mut self, parts: &[Ty], given: Ty, targets: &[GlobalTypeParam], found: &mut Bindings, depth: u32) {
        let is_bare = |linker: &Self, part: Ty| matches!(linker.types.get(part), Type::Param(p) if targets.contains(p));
        let bare: Tys = parts.iter().copied().filter(|part| is_bare(self, *part)).collect();
        let shaped: Tys = parts.iter().copied().filter(|part| !is_bare(self, *part)).collect();
        if !given.is_known() {
            for part in bare.iter().chain(&shaped) {
                self.unify(*part, given, targets, found, depth);
            }
            return;
        }
        let mut left = Tys::new();
        for there in self.types.parts(given) {
            let mut taken = false;
            for &part in &shaped {
                if self.has_shape(part, there) {
                    self.unify(part, there, targets, found, depth);
                    taken = true;
                }
            }
            if !taken {
                left.push(there);
            }
        }
        if !left.is_empty() {
            let left = self.types.union(left);
            for part in bare {
                self.unify(part, left, targets, found, depth);
            }
        }
    }

    /// Whether a type is plainly of the kind that a pattern asks for.
    fn has_shape(&mut self, pattern: Ty, given: Ty) -> bool {
        match self.types.get(pattern).clone() {
            Type::Named(entity, _) => self.as_entity(given, entity, 0).is_some(),
            Type::Function(..) => !self.signatures(given, false).is_empty(),
            Type::Tuple(..) => matches!(self.types.get(given), Type::Tuple(..)),
            Type::Literal(..) | Type::Intersection(_) => {
                matches!(
                    self.types.get(given),
                    Type::Literal(..) | Type::Named(..) | Type::Intersection(_) | Type::Mapped(..)
                ) && self.is_assignable(given, pattern, &[])
            }
            _ => pattern == given,
        }
    }

    /// By signatures and properties.
    fn unify_structure(
        &mut self,
        pattern: Ty,
        given: Ty,
        targets: &[GlobalTypeParam],
        found: &mut Bindings,
        depth: u32,
    ) {
        for is_new in [false, true] {
            let wanted = self.signatures(pattern, is_new);
            let Some(wanted) = wanted.first().copied() else { continue };
            if !given.is_known() {
                let raw = self.returned(wanted.def);
                let result = self.substitute(raw, wanted.env);
                self.unify(result, given, targets, found, depth);
                continue;
            }
            let there = self.signatures(given, is_new);
            // Of overloads the last is the most general.
            let Some(there) = there.last().copied() else { continue };
            if let Some(class) = there.class {
                let value = self.types.add(Type::Class(class, there.env));
                let instance = self.instance_of(value, &[]);
                let raw = self.returned(wanted.def);
                let result = self.substitute(raw, wanted.env);
                self.unify(result, instance, targets, found, depth);
                continue;
            }
            let count = self.program.function(wanted.def).map_or(0, |f| f.params.len());
            let is_rest = |at: usize| {
                self.program.function(wanted.def).is_some_and(|f| f.params.get(at).is_some_and(|p| p.is_rest))
            };
            let rest = (0..count).find(|at| is_rest(*at));
            for at in 0..count.min(8) {
                let Some(function) = self.program.function(there.def) else { break };
                if Some(at) == rest {
                    // `(...args: A) => R`: the parameters that are left, as a tuple.
                    let left: Tys = (at..function.params.len())
                        .map(|i| {
                            let raw = self.parameter(there.def, i as u16);
                            self.substitute(raw, there.env)
                        })
                        .collect();
                    let has_rest = function.params.last().is_some_and(|p| p.is_rest);
                    let tuple = self.types.add(Type::Tuple(left, has_rest));
                    let pattern = self.parameter(wanted.def, at as u16);
                    let pattern = self.substitute(pattern, wanted.env);
                    self.unify(pattern, tuple, targets, found, depth);
                    break;
                }
                // What an unannotated parameter is follows from the pattern, not the other way round.
                if function.params.get(at).is_none_or(|p| p.annotation.is_none()) {
                    continue;
                }
                let (Some(a), Some(b)) = (self.parameter_for(wanted.def, at), self.parameter_for(there.def, at)) else {
                    break;
                };
                let a = self.substitute(a, wanted.env);
                let b = self.substitute(b, there.env);
                self.unify(a, b, targets, found, depth);
            }
            let raw = self.returned(wanted.def);
            let wanted_result = self.substitute(raw, wanted.env);
            if self.types.is_open(wanted_result) {
                let raw = self.returned(there.def);
                let result = self.substitute(raw, there.env);
                self.unify(wanted_result, result, targets, found, depth);
            }
        }
        if depth > 6 {
            return;
        }
        let value = match *self.types.get(pattern) {
            Type::Literal(def, env) => self.index_of(def).map(|value| self.substitute(value, env)),
            _ => None,
        };
        if let Some(value) = value {
            let there = self.index_signature(given);
            self.unify(value, there, targets, found, depth);
        }
        let Some(names) = self.property_names(pattern, 0) else { return };
        for name in names.into_iter().take(MAX_PROPERTIES) {
            let Some(wanted) = self.property(pattern, name) else { continue };
            if !self.types.is_open(wanted) {
                continue;
            }
            if let Some(there) = self.property(given, name) {
                self.unify(wanted, there, targets, found, depth);
            }
        }
    }

    /// The type that a name has as a string literal.
    pub(super) fn literal(&mut self, name: Name) -> Ty {
        self.types.add(Type::StringLiteral(name))
    }
}
