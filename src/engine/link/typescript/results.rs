//! What functions return, and what `await` makes of it.

use super::{
    infer::{Linker, Question},
    program::GlobalDef,
    types::{Ty, Type, Tys},
};
use crate::syntax::typescript::facts::{Expr, FunctionKind};

impl Linker<'_> {
    /// What a function returns, with its type parameters left free.
    pub(super) fn returned(&mut self, def: GlobalDef) -> Ty {
        self.ask(Question::Return(def), |linker| linker.find_returned(def))
    }

    pub(super) fn find_returned(&mut self, def: GlobalDef) -> Ty {
        let file = self.program.file_of(def);
        let Some(function) = self.program.function(def) else { return Ty::ANY };
        if let Some((ty, _)) = &function.returns {
            return self.annotation(file, *ty);
        }
        if function.kind == FunctionKind::Setter || !function.has_body {
            return if function.kind == FunctionKind::Setter { Ty::NOTHING } else { Ty::ANY };
        }
        if function.is_generator {
            let mut all = Tys::new();
            for value in &function.yields {
                let ty = match self.program.facts(file).expr(*value) {
                    Expr::Spread(inner) => {
                        let inner = self.expr(file, inner);
                        self.element_of(inner)
                    }
                    _ => self.expr(file, *value),
                };
                all.push(ty);
            }
            let element = self.types.union(all);
            let entity = if function.is_async { self.known.async_generator } else { self.known.generator };
            return self.platform_type(entity, &[element]);
        }
        let mut all: Tys = Tys::new();
        for value in &function.return_values {
            all.push(self.expr(file, *value));
        }
        if function.falls_through || all.is_empty() {
            all.push(Ty::NOTHING);
        }
        let ty = self.types.union(all);
        if function.is_async {
            let inner = self.awaited(ty);
            return self.platform_type(self.known.promise, &[inner]);
        }
        ty
    }

    /// What `await` makes of a value.
    pub(super) fn awaited(&mut self, ty: Ty) -> Ty {
        match self.types.get(ty).clone() {
            Type::Named(entity, args) if Some(entity) == self.known.promise => {
                let inner = args.first().copied().unwrap_or(Ty::ANY);
                if inner == ty { Ty::ANY } else { self.awaited(inner) }
            }
            Type::Union(parts) => {
                let all: Tys = parts.iter().map(|part| self.awaited(*part)).collect();
                self.types.union(all)
            }
            Type::Named(..) | Type::Intersection(_) => {
                let Some(promise) = self.known.promise else { return ty };
                match self.as_entity(ty, promise, 0).and_then(|args| args.first().copied()) {
                    Some(inner) => self.awaited(inner),
                    None => self.awaited_by_then(ty),
                }
            }
            _ => ty,
        }
    }

    /// Something with a `then` of its own gives what that hands on.
    pub(super) fn awaited_by_then(&mut self, ty: Ty) -> Ty {
        let then = self.known.then;
        let Some(found) = self.find_property(ty, then).filter(|found| found.member.is_some()) else { return ty };
        let signatures = self.signatures(found.ty, false);
        let Some(signature) = signatures.first().copied() else { return ty };
        let Some(raw) = self.parameter_for(signature.def, 0) else { return ty };
        let callback = self.substitute(raw, signature.env);
        let inner = self.signatures(callback, false);
        let Some(inner) = inner.first().copied() else { return ty };
        let Some(raw) = self.parameter_for(inner.def, 0) else { return ty };
        self.substitute(raw, inner.env)
    }
}
