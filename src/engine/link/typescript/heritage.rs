//! Bases of classes and interfaces, instances of classes, and `this`.

use super::{
    infer::{Linker, Question},
    program::{EntityId, GlobalDef},
    types::{Bindings, Env, Key, Ty, Type, Tys},
};
use crate::syntax::typescript::facts::DefBody;

impl Linker<'_> {
    /// The instance types of what a class extends and an interface extends, type parameters left free.
    pub(super) fn bases(&mut self, def: GlobalDef) -> Tys {
        let file = self.program.file_of(def);
        match &self.program.def(def).body {
            DefBody::Class(class) if class.extends.is_some() => {
                let base = self.ask(Question::Base(def), |linker| {
                    let Some((expr, args, _)) = &class.extends else { return Ty::ANY };
                    let value = linker.expr(file, *expr);
                    let args = linker.type_args(file, args);
                    linker.instance_of(value, &args)
                });
                Tys::from_slice(&[base])
            }
            DefBody::Interface(interface) => {
                interface.extends.iter().map(|(ty, _)| self.annotation(file, *ty)).collect()
            }
            _ => Tys::new(),
        }
    }

    /// What `new` of a value gives.
    pub(super) fn instance_of(&mut self, class: Ty, args: &[Ty]) -> Ty {
        match self.types.get(class).clone() {
            Type::Class(def, env) => {
                let file = self.program.file_of(def);
                match self.program.entity_of(def) {
                    Some(entity) => {
                        let params = self.program.def(def).type_params();
                        let args = self.completed(file, params, args);
                        self.types.add(Type::Named(entity, args))
                    }
                    None => self.types.add(Type::Literal(def, env)),
                }
            }
            Type::External => Ty::EXTERNAL,
            Type::Union(parts) => {
                let all: Tys = parts.iter().map(|part| self.instance_of(*part, args)).collect();
                self.types.union(all)
            }
            Type::Intersection(parts) => {
                let all: Tys = parts.iter().map(|part| self.instance_of(*part, args)).collect();
                let known: Tys = all.iter().copied().filter(|ty| ty.is_known()).collect();
                if known.is_empty() { Ty::ANY } else { self.intersect(&known) }
            }
            Type::Param(_) | Type::Indexed(..) => match self.constraint(class) {
                Some(constraint) => self.instance_of(constraint, args),
                None => Ty::ANY,
            },
            _ => {
                let signatures = self.signatures(class, true);
                match signatures.first() {
                    Some(signature) => {
                        let raw = self.returned(signature.def);
                        self.substitute(raw, signature.env)
                    }
                    None => Ty::ANY,
                }
            }
        }
    }

    /// What a type parameter, or something that hangs on one, is at least.
    pub(super) fn constraint(&mut self, ty: Ty) -> Option<Ty> {
        match *self.types.get(ty) {
            Type::Param(param) => {
                let (file, row) = self.program.type_param(param);
                let constraint = row.constraint?;
                let ty = self.annotation(file, constraint);
                (!matches!(self.types.get(ty), Type::Param(other) if *other == param)).then_some(ty)
            }
            Type::Indexed(of, index) => {
                let base = if self.is_undecided(of) { self.constraint(of)? } else { of };
                let index = match self.types.get(index) {
                    Type::Param(_) => self.constraint(index)?,
                    _ => index,
                };
                let found = self.indexed(base, index);
                (found != ty && !self.is_undecided(found)).then_some(found)
            }
            _ => None,
        }
    }

    /// The arguments of `target` that a type has it as a base with.
    pub(super) fn as_entity(&mut self, ty: Ty, target: EntityId, depth: u32) -> Option<Tys> {
        if depth > 12 {
            return None;
        }
        match self.types.get(ty).clone() {
            Type::Named(entity, args) => {
                if entity == target {
                    return Some(args);
                }
                for def in self.program.defs(entity) {
                    let env = self.env_of(def, &args, Some(ty));
                    let mut bases = self.bases(def);
                    if let Some(class) = self.program.def(def).class() {
                        let file = self.program.file_of(def);
                        bases.extend(class.implements.iter().map(|(ty, _)| self.annotation(file, *ty)));
                    }
                    for base in bases {
                        let base = self.substitute(base, env);
                        if let Some(found) = self.as_entity(base, target, depth + 1) {
                            return Some(found);
                        }
                    }
                }
                None
            }
            Type::This(entity) => {
                let args = self.own_args(entity);
                let named = self.types.add(Type::Named(entity, args));
                self.as_entity(named, target, depth + 1)
            }
            Type::Tuple(items, _) => {
                let element = self.types.union(items);
                let array = self.platform_type(self.known.array, &[element]);
                self.as_entity(array, target, depth + 1)
            }
            Type::Intersection(parts) => parts.iter().find_map(|part| self.as_entity(*part, target, depth + 1)),
            Type::Param(_) => {
                let constraint = self.constraint(ty)?;
                self.as_entity(constraint, target, depth + 1)
            }
            _ => None,
        }
    }

    /// The type parameters of an entity as its arguments: what they are inside it.
    pub(super) fn own_args(&mut self, entity: EntityId) -> Tys {
        let defs = self.program.defs(entity);
        let Some(def) = defs.iter().find(|def| !self.program.def(**def).type_params().is_empty()) else {
            return Tys::new();
        };
        let file = self.program.file_of(*def);
        let params = self.program.def(*def).type_params();
        params.iter().map(|p| self.types.add(Type::Param(self.program.global_param(file, *p)))).collect()
    }

    /// What the type parameters of a declaration stand for where its entity has `args`.
    pub(super) fn env_of(&mut self, def: GlobalDef, args: &[Ty], receiver: Option<Ty>) -> Env {
        let file = self.program.file_of(def);
        let params = self.program.def(def).type_params();
        let mut bindings: Bindings = params
            .iter()
            .zip(args)
            .map(|(param, arg)| (Key::Param(self.program.global_param(file, *param)), *arg))
            .collect();
        bindings.retain(|(key, ty)| match (key, self.types.get(*ty)) {
            (Key::Param(param), Type::Param(other)) => param != other,
            _ => true,
        });
        if let Some(receiver) = receiver {
            bindings.push((Key::This, receiver));
        }
        self.types.add_env(bindings)
    }

    /// The `this` of what stands in a class, interface or object literal.
    pub(super) fn this_of(&mut self, def: GlobalDef) -> Ty {
        match self.program.def(def).body {
            DefBody::Class(_) | DefBody::Interface(_) => match self.program.entity_of(def) {
                Some(entity) => self.types.add(Type::This(entity)),
                None => self.types.add(Type::Literal(def, Env::EMPTY)),
            },
            DefBody::Object(_) | DefBody::TypeLiteral(_) => self.types.add(Type::Literal(def, Env::EMPTY)),
            _ => Ty::ANY,
        }
    }

    /// Whether `this` as a type can matter to what stands in a definition.
    pub(super) fn uses_this(&self, def: GlobalDef) -> bool {
        let mut at = Some(def);
        for _ in 0..16 {
            let Some(here) = at else { return false };
            if matches!(self.program.def(here).body, DefBody::Class(_) | DefBody::Interface(_)) {
                return true;
            }
            at = self.program.outer(here);
        }
        false
    }

    pub(super) fn is_function(&self, ty: Ty) -> bool {
        matches!(self.types.get(ty), Type::Function(..))
    }

    pub(super) fn is_enum(&self, entity: EntityId) -> bool {
        self.program.defs(entity).iter().any(|def| matches!(self.program.def(*def).body, DefBody::Enum(_)))
    }
}
