//! Types with what their parameters stand for.

use smallvec::SmallVec;

use super::{
    infer::Linker,
    program::FileIndex,
    types::{Env, Key, Ty, Type, Tys},
};
use crate::syntax::typescript::facts::{TypeId, TypeNode};

impl Linker<'_> {
    /// A type with what its parameters stand for.
    pub(super) fn substitute(&mut self, ty: Ty, env: Env) -> Ty {
        if env == Env::EMPTY || !self.types.is_open(ty) {
            return ty;
        }
        if let Some(&known) = self.substituted.get(&(ty, env)) {
            return known;
        }
        // Met again while it is being found, it is not known.
        self.substituted.insert((ty, env), Ty::ANY);
        let result = self.find_substitute(ty, env);
        self.substituted.insert((ty, env), result);
        result
    }

    pub(super) fn find_substitute(&mut self, ty: Ty, env: Env) -> Ty {
        match self.types.get(ty).clone() {
            Type::Param(param) => self.types.lookup(env, Key::Param(param)).unwrap_or(ty),
            Type::This(_) => self.types.lookup(env, Key::This).unwrap_or(ty),
            Type::Named(entity, args) => {
                let args = self.substitute_all(&args, env);
                self.types.add(Type::Named(entity, args))
            }
            Type::Tuple(items, rest) => {
                let items = self.substitute_all(&items, env);
                self.types.add(Type::Tuple(items, rest))
            }
            Type::Union(parts) => {
                let parts = self.substitute_all(&parts, env);
                self.types.union(parts)
            }
            Type::Intersection(parts) => {
                let parts = self.substitute_all(&parts, env);
                self.intersect(&parts)
            }
            Type::Literal(def, inner) => {
                let env = self.compose(def, inner, env);
                self.types.add(Type::Literal(def, env))
            }
            Type::Function(def, inner) => {
                let env = self.compose(def, inner, env);
                self.types.add(Type::Function(def, env))
            }
            Type::Class(def, inner) => {
                let env = self.compose(def, inner, env);
                self.types.add(Type::Class(def, env))
            }
            Type::KeyOf(of) => {
                let of = self.substitute(of, env);
                self.keys_of(of)
            }
            Type::Indexed(of, index) => {
                let of = self.substitute(of, env);
                let index = self.substitute(index, env);
                self.indexed(of, index)
            }
            Type::Mapped(file, id, inner) => {
                let env = self.compose_all(inner, env);
                self.types.add(Type::Mapped(file, id, env))
            }
            Type::Conditional(file, id, inner) => {
                let env = self.compose_all(inner, env);
                self.conditional(file, id, env)
            }
            Type::Predicate(param, of) => {
                let of = self.substitute(of, env);
                self.types.add(Type::Predicate(param, of))
            }
            _ => ty,
        }
    }

    pub(super) fn substitute_all(&mut self, all: &[Ty], env: Env) -> Tys {
        all.iter().map(|ty| self.substitute(*ty, env)).collect()
    }

    /// What the parameters in sight of a definition stand for, after `outer` has been put into `inner`.
    pub(super) fn compose(&mut self, def: super::program::GlobalDef, inner: Env, outer: Env) -> Env {
        let mut bindings = self.types.env(inner).clone();
        for (_, ty) in &mut bindings {
            *ty = self.substitute(*ty, outer);
        }
        let visible: SmallVec<[_; 4]> = self.program.visible(def).iter().copied().collect();
        for param in visible {
            let key = Key::Param(param);
            if bindings.iter().all(|(k, _)| *k != key)
                && let Some(ty) = self.types.lookup(outer, key)
            {
                bindings.push((key, ty));
            }
        }
        if bindings.iter().all(|(k, _)| *k != Key::This)
            && let Some(ty) = self.types.lookup(outer, Key::This)
            && self.uses_this(def)
        {
            bindings.push((Key::This, ty));
        }
        self.types.add_env(bindings)
    }

    pub(super) fn compose_all(&mut self, inner: Env, outer: Env) -> Env {
        let mut bindings = self.types.env(inner).clone();
        for (_, ty) in &mut bindings {
            *ty = self.substitute(*ty, outer);
        }
        for (key, ty) in self.types.env(outer).clone() {
            if bindings.iter().all(|(k, _)| *k != key) {
                bindings.push((key, ty));
            }
        }
        self.types.add_env(bindings)
    }

    /// The type of a conditional type, where its test can be decided.
    pub(super) fn conditional(&mut self, file: FileIndex, id: TypeId, env: Env) -> Ty {
        let facts = self.program.facts(file);
        let TypeNode::Conditional { check, extends, positive, negative } = *facts.ty(id) else { return Ty::ANY };
        let raw = self.annotation(file, check);
        let checked = self.substitute(raw, env);
        if self.is_undecided(checked) {
            return self.types.add(Type::Conditional(file, id, env));
        }
        if checked == Ty::ANY || checked == Ty::EXTERNAL {
            return checked;
        }
        let pattern = self.annotation(file, extends);
        let pattern = self.substitute(pattern, env);
        // A bare parameter is tested alternative by alternative.
        let parts = if matches!(self.types.get(raw), Type::Param(_)) {
            self.types.parts(checked)
        } else {
            SmallVec::from_slice(&[checked])
        };
        let mut results = Tys::new();
        for part in parts {
            let mut bindings = self.types.env(env).clone();
            // The part stands for the parameter in the branches.
            if let Type::Param(param) = *self.types.get(raw) {
                bindings.retain(|(key, _)| *key != Key::Param(param));
                bindings.push((Key::Param(param), part));
            }
            let targets = self.inferred_in(file, extends);
            let mut found = super::types::Bindings::new();
            let holds = self.is_assignable(part, pattern, &targets);
            let branch = if holds {
                self.unify(pattern, part, &targets, &mut found, 0);
                for &target in &targets {
                    let key = Key::Param(target);
                    let ty = found.iter().find(|(k, _)| *k == key).map_or(Ty::UNKNOWN, |(_, ty)| *ty);
                    bindings.retain(|(k, _)| *k != key);
                    bindings.push((key, ty));
                }
                positive
            } else {
                negative
            };
            let env = self.types.add_env(bindings);
            let ty = self.annotation(file, branch);
            results.push(self.substitute(ty, env));
        }
        self.types.union(results)
    }

    /// Whether a test of it has to wait for what its parameters stand for.
    pub(super) fn is_undecided(&self, ty: Ty) -> bool {
        match self.types.get(ty) {
            Type::Param(_) | Type::Conditional(..) | Type::Indexed(..) | Type::This(_) => true,
            Type::Union(parts) | Type::Intersection(parts) => parts.iter().any(|part| self.is_undecided(*part)),
            _ => false,
        }
    }
}
