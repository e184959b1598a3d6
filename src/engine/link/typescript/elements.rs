//! Elements of what is iterated or indexed.

use super::{
    infer::Linker,
    program::GlobalDef,
    types::{Env, Ty, Type, Tys},
};
use crate::syntax::typescript::facts::MemberKind;

impl Linker<'_> {
    /// An element of what is iterated.
    pub(super) fn element_of(&mut self, ty: Ty) -> Ty {
        match self.types.get(ty).clone() {
            Type::Named(entity, args)
                if Some(entity) == self.known.array || Some(entity) == self.known.readonly_array =>
            {
                args.first().copied().unwrap_or(Ty::ANY)
            }
            Type::Tuple(items, _) => self.types.union(items),
            Type::String | Type::StringLiteral(_) => Ty::STRING,
            Type::Union(parts) => {
                let all: Tys = parts.iter().map(|part| self.element_of(*part)).collect();
                self.types.union(all)
            }
            Type::External => Ty::EXTERNAL,
            Type::Param(_) | Type::Indexed(..) => match self.constraint(ty) {
                Some(constraint) => self.element_of(constraint),
                None => Ty::ANY,
            },
            Type::Intersection(parts) => {
                let all: Tys = parts.iter().map(|part| self.element_of(*part)).filter(|t| t.is_known()).collect();
                if all.is_empty() { Ty::ANY } else { self.intersect(&all) }
            }
            Type::Mapped(file, id, env) => self.mapped_element(file, id, env),
            _ => {
                let Some(iterable) = self.known.iterable else { return Ty::ANY };
                let args = self.as_entity(ty, iterable, 0);
                args.and_then(|args| args.first().copied()).unwrap_or_else(|| self.index_signature(ty))
            }
        }
    }

    /// What an index that is not known gives.
    pub(super) fn index_signature(&mut self, ty: Ty) -> Ty {
        match self.types.get(ty).clone() {
            Type::Named(entity, args) => {
                if Some(entity) == self.known.array || Some(entity) == self.known.readonly_array {
                    return args.first().copied().unwrap_or(Ty::ANY);
                }
                for def in self.program.defs(entity) {
                    if let Some(value) = self.index_of(def) {
                        let env = self.env_of(def, &args, Some(ty));
                        return self.substitute(value, env);
                    }
                }
                Ty::ANY
            }
            Type::Literal(def, env) => match self.index_of(def) {
                Some(value) => self.substitute(value, env),
                None => self.any_property(def, env),
            },
            Type::Mapped(file, id, env) => self.mapped_element(file, id, env),
            Type::Tuple(items, _) => self.types.union(items),
            Type::External => Ty::EXTERNAL,
            Type::Intersection(parts) => {
                parts.iter().map(|part| self.index_signature(*part)).find(|ty| ty.is_known()).unwrap_or(Ty::ANY)
            }
            Type::Param(_) | Type::Indexed(..) => match self.constraint(ty) {
                Some(constraint) => self.index_signature(constraint),
                None => Ty::ANY,
            },
            _ => Ty::ANY,
        }
    }

    /// A table such as `{ a: f, b: g }` indexed by a value: any of its properties, where they are few.
    pub(super) fn any_property(&mut self, def: GlobalDef, env: Env) -> Ty {
        let count = self.program.members(def).len();
        if count > 32 {
            return Ty::ANY;
        }
        let mut all = Tys::new();
        for at in 0..count {
            let raw = self.member(def, at as u16);
            all.push(self.substitute(raw, env));
        }
        if all.is_empty() { Ty::ANY } else { self.types.union(all) }
    }

    /// What an index signature of a declaration gives.
    pub(super) fn index_of(&mut self, def: GlobalDef) -> Option<Ty> {
        let file = self.program.file_of(def);
        let value = self.program.members(def).iter().find_map(|member| match member.kind {
            MemberKind::Index { value, .. } => Some(value),
            _ => None,
        })?;
        Some(self.annotation(file, value))
    }
}
