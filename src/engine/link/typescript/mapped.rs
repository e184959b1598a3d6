//! Mapped types, and the names of a type's properties.

use super::{
    infer::Linker,
    program::{FileIndex, GlobalDef, Name},
    types::{Env, Key, Ty, Type},
};
use crate::syntax::typescript::facts::{DefBody, FunctionKind, MemberKind, TypeId, TypeNode};

impl Linker<'_> {
    /// The type of a property of a mapped type.
    pub(super) fn of_mapped(&mut self, file: FileIndex, id: TypeId, env: Env, name: Name) -> Option<Ty> {
        let facts = self.program.facts(file);
        let TypeNode::Mapped { key, value, renamed, .. } = *facts.ty(id) else { return None };
        let value = value?;
        let param = self.program.global_param(file, key);
        let constraint = facts.type_params[key.index()].constraint?;
        let literal = self.types.add(Type::StringLiteral(name));
        let mut bindings = self.types.env(env).clone();
        bindings.push((Key::Param(param), literal));
        let inner = self.types.add_env(bindings);
        if let Some(renamed) = renamed {
            let raw = self.annotation(file, renamed);
            if self.substitute(raw, inner) == Ty::NEVER {
                return None;
            }
        }
        if let TypeNode::KeyOf(of) = *facts.ty(constraint) {
            let raw = self.annotation(file, of);
            let of_type = self.substitute(raw, env);
            let there = self.property(of_type, name)?;
            // `T[K]` itself, as in `Partial`.
            if let TypeNode::Indexed(inner_of, _) = *facts.ty(value) {
                let raw = self.annotation(file, inner_of);
                if self.substitute(raw, env) == of_type {
                    return Some(there);
                }
            }
        } else {
            let raw = self.annotation(file, constraint);
            let keys = self.substitute(raw, env);
            let allowed = keys == Ty::STRING
                || keys == Ty::ANY
                || self.is_undecided(keys)
                || self.types.parts(keys).iter().any(|key| *key == literal || *key == Ty::STRING);
            if !allowed {
                return None;
            }
        }
        let raw = self.annotation(file, value);
        Some(self.substitute(raw, inner))
    }

    /// A mapped type over an array is one of its elements; else what its index gives.
    pub(super) fn mapped_element(&mut self, file: FileIndex, id: TypeId, env: Env) -> Ty {
        let facts = self.program.facts(file);
        let TypeNode::Mapped { key, value, .. } = *facts.ty(id) else { return Ty::ANY };
        let constraint = facts.type_params[key.index()].constraint;
        if let Some(constraint) = constraint
            && let TypeNode::KeyOf(of) = *facts.ty(constraint)
            && let Some(value) = value
            && matches!(facts.ty(value), TypeNode::Indexed(..))
        {
            let raw = self.annotation(file, of);
            let of = self.substitute(raw, env);
            return self.element_of(of);
        }
        let Some(value) = value else { return Ty::ANY };
        // Any key: of an array, any of its elements.
        let mut bindings = self.types.env(env).clone();
        bindings.push((Key::Param(self.program.global_param(file, key)), Ty::NUMBER));
        let env = self.types.add_env(bindings);
        let raw = self.annotation(file, value);
        self.substitute(raw, env)
    }

    /// The names of a type's properties; none where they are not all known.
    pub(super) fn property_names(&mut self, ty: Ty, depth: u32) -> Option<Vec<Name>> {
        if depth > 8 {
            return None;
        }
        let mut names = Vec::new();
        match self.types.get(ty).clone() {
            Type::Named(entity, args) => {
                for def in self.program.defs(entity) {
                    self.own_names(def, &mut names);
                    let env = self.env_of(def, &args, None);
                    for base in self.bases(def) {
                        let base = self.substitute(base, env);
                        names.extend(self.property_names(base, depth + 1)?);
                    }
                }
            }
            Type::Literal(def, env) => {
                self.own_names(def, &mut names);
                let file = self.program.file_of(def);
                for member in self.program.members(def) {
                    if let MemberKind::Spread(value) = member.kind {
                        let raw = self.expr(file, value);
                        let ty = self.substitute(raw, env);
                        names.extend(self.property_names(ty, depth + 1)?);
                    }
                }
            }
            Type::Intersection(parts) => {
                for part in parts {
                    names.extend(self.property_names(part, depth + 1)?);
                }
            }
            Type::Mapped(file, id, env) => {
                let facts = self.program.facts(file);
                let TypeNode::Mapped { key, .. } = *facts.ty(id) else { return None };
                let constraint = facts.type_params[key.index()].constraint?;
                let candidates = if let TypeNode::KeyOf(of) = *facts.ty(constraint) {
                    let raw = self.annotation(file, of);
                    let of = self.substitute(raw, env);
                    self.property_names(of, depth + 1)?
                } else {
                    let raw = self.annotation(file, constraint);
                    let keys = self.substitute(raw, env);
                    let parts = self.types.parts(keys);
                    let literal = |key: &Ty| match *self.types.get(*key) {
                        Type::StringLiteral(name) => Some(name),
                        _ => None,
                    };
                    parts.iter().map(literal).collect::<Option<Vec<_>>>()?
                };
                names.extend(candidates.into_iter().filter(|name| self.of_mapped(file, id, env, *name).is_some()));
            }
            Type::Enum(entity) => {
                for def in self.program.defs(entity) {
                    let file = self.program.file_of(def);
                    if let DefBody::Enum(body) = &self.program.def(def).body {
                        names.extend(body.members.iter().map(|(name, ..)| self.program.name(file, *name)));
                    }
                }
            }
            Type::Param(_) => {
                let constraint = self.constraint(ty)?;
                return self.property_names(constraint, depth + 1);
            }
            _ => return None,
        }
        let mut seen = rustc_hash::FxHashSet::default();
        names.retain(|name| seen.insert(*name));
        Some(names)
    }

    pub(super) fn own_names(&self, def: GlobalDef, names: &mut Vec<Name>) {
        let file = self.program.file_of(def);
        let members = self.program.members(def).iter().filter(|m| !m.is_static);
        let named = members.filter(|m| match m.kind {
            MemberKind::Function(function) => {
                self.program.facts(file).def(function).function().is_some_and(|f| f.kind != FunctionKind::Constructor)
            }
            _ => true,
        });
        names.extend(named.filter_map(|m| m.name).map(|name| self.program.name(file, name)));
    }
}
