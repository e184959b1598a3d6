//! What a test leaves of a type.

use super::{
    infer::Linker,
    program::FileIndex,
    types::{Ty, Type},
};
use crate::syntax::python::facts::{ExprId, Test};

impl Linker<'_> {
    /// What a test leaves of a type.
    pub(super) fn narrowed(&mut self, file: FileIndex, before: ExprId, test: Test, positive: bool) -> Ty {
        let ty = self.expr(file, before);
        match (test, positive) {
            (Test::IsNone, true) => Ty::NONE,
            (Test::IsNone, false) | (Test::Truthy, true) => self.without_none(ty),
            (Test::Instance(class) | Test::ExactType(class), true) => {
                let class = self.expr(file, class);
                let wanted = self.class_info(class);
                self.intersected(ty, wanted)
            }
            (Test::Instance(class), false) => {
                let class = self.expr(file, class);
                let excluded = self.class_info(class);
                let excluded = self.types.parts(excluded);
                let parts = self.types.parts(ty);
                let kept: Vec<Ty> =
                    parts.iter().copied().filter(|&part| !excluded.iter().any(|&e| self.is_subtype(part, e))).collect();
                if kept.len() == parts.len() { ty } else { self.types.union(kept) }
            }
            (Test::Subclass(class), true) => {
                let class = self.expr(file, class);
                match (self.types.get(class).clone(), self.types.get(ty).clone()) {
                    (Type::Class(wanted, _), Type::Class(known, _)) if self.inherits(known, wanted) => ty,
                    (Type::Class(..), _) => class,
                    _ => ty,
                }
            }
            (Test::Callable, true) => {
                let kept: Vec<Ty> = self
                    .types
                    .parts(ty)
                    .iter()
                    .copied()
                    .filter(|&p| !matches!(self.types.get(p), Type::None | Type::OutsideInstance(..)))
                    .collect();
                if kept.is_empty() { ty } else { self.types.union(kept) }
            }
            _ => ty,
        }
    }

    /// The instances that `isinstance(x, info)` takes.
    fn class_info(&mut self, info: Ty) -> Ty {
        self.each_part(info, |this, part| match this.types.get(part).clone() {
            Type::Tuple(items) => {
                let parts: Vec<Ty> = items.iter().map(|&item| this.class_info(item)).collect();
                this.types.union(parts)
            }
            _ => this.instantiated(part),
        })
    }

    /// The parts of `ty` that are of `wanted`, or `wanted` itself where `ty` is wider.
    fn intersected(&mut self, ty: Ty, wanted: Ty) -> Ty {
        let wanted_parts = self.types.parts(wanted);
        let parts = self.types.parts(ty);
        let mut kept = Vec::new();
        for &part in parts.iter() {
            for &want in wanted_parts.iter() {
                if self.is_subtype(part, want) {
                    kept.push(part);
                } else if self.is_subtype(want, part) {
                    kept.push(want);
                }
            }
        }
        if kept.is_empty() { wanted } else { self.types.union(kept) }
    }

    /// True where every instance of `a` is one of `b`, as far as classes tell.
    fn is_subtype(&mut self, a: Ty, b: Ty) -> bool {
        match (self.types.get(a).clone(), self.types.get(b).clone()) {
            (Type::Instance(a, _), Type::Instance(b, _)) => self.inherits(a, b),
            (Type::OutsideInstance(a, _), Type::OutsideInstance(b, _)) => a == b,
            (Type::Tuple(_), Type::OutsideInstance(b, _)) => self.program.symbols.text(b) == "tuple",
            _ => false,
        }
    }
}
