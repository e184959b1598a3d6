//! What a test leaves of a type.

use super::{
    infer::Linker,
    program::{FileIndex, Name},
    types::{Ty, Type, Tys},
};
use crate::syntax::typescript::facts::{CallExprId, Expr, ExprId, GuardId, NarrowingTest};

impl Linker<'_> {
    /// A type on the side of a test that a guard tells of.
    pub(super) fn narrowed(&mut self, file: FileIndex, ty: Ty, guard: GuardId) -> Ty {
        let guard = self.program.facts(file).guards[guard.index()];
        match guard.test {
            // `null` and `undefined` are left out of types anyway.
            NarrowingTest::Truthy | NarrowingTest::Nullish => ty,
            NarrowingTest::Typeof(word) => {
                let word = self.program.names.text(self.program.name(file, word)).to_owned();
                self.by_typeof(ty, &word, guard.positive)
            }
            NarrowingTest::Instanceof(class) => {
                let class = self.expr(file, class);
                let instance = self.instance_of(class, &[]);
                if !instance.is_known() {
                    return if guard.positive { instance } else { ty };
                }
                self.by_type(ty, instance, guard.positive)
            }
            NarrowingTest::Equals(value) => self.by_value(file, ty, value, guard.positive),
            NarrowingTest::Discriminant(name, value) => {
                let name = self.program.name(file, name);
                self.by_discriminant(file, ty, name, value, guard.positive)
            }
            NarrowingTest::HasTruthy(name) => {
                let name = self.program.name(file, name);
                if !guard.positive {
                    return ty;
                }
                self.keep(ty, |linker, part| linker.property(part, name).is_some_and(|ty| ty != Ty::NOTHING))
            }
            NarrowingTest::In(name) => {
                let name = self.program.name(file, name);
                let positive = guard.positive;
                self.keep(ty, |linker, part| {
                    let has = linker.find_property(part, name).is_some_and(|found| found.member.is_some());
                    has == positive
                })
            }
            NarrowingTest::Predicate(site, at) => self.by_predicate(file, ty, site, at, guard.positive),
        }
    }

    /// The alternatives that hold; all of them where none would be left.
    fn keep(&mut self, ty: Ty, mut holds: impl FnMut(&mut Self, Ty) -> bool) -> Ty {
        let parts = self.types.parts(ty);
        if parts.len() < 2 {
            return ty;
        }
        let left: Tys = parts.iter().copied().filter(|part| holds(self, *part)).collect();
        if left.is_empty() { ty } else { self.types.union(left) }
    }

    fn by_typeof(&mut self, ty: Ty, word: &str, positive: bool) -> Ty {
        if !ty.is_known() || ty == Ty::UNKNOWN {
            if !positive {
                return ty;
            }
            return match word {
                "string" => Ty::STRING,
                "number" => Ty::NUMBER,
                "boolean" => Ty::BOOLEAN,
                "bigint" => Ty::BIGINT,
                "symbol" => Ty::SYMBOL,
                "undefined" => Ty::NOTHING,
                _ => ty,
            };
        }
        self.keep(ty, |linker, part| {
            let is = match word {
                "string" => matches!(linker.types.get(part), Type::String | Type::StringLiteral(_)),
                "number" => matches!(linker.types.get(part), Type::Number | Type::NumberLiteral(_)),
                "boolean" => matches!(linker.types.get(part), Type::Boolean | Type::BooleanLiteral(_)),
                "bigint" => part == Ty::BIGINT,
                "symbol" => part == Ty::SYMBOL,
                "undefined" => part == Ty::NOTHING,
                "function" => {
                    matches!(linker.types.get(part), Type::Class(..))
                        || !linker.signatures(part, false).is_empty()
                        || !linker.signatures(part, true).is_empty()
                }
                "object" => {
                    !linker.is_primitive(part)
                        && linker.signatures(part, false).is_empty()
                        && !matches!(linker.types.get(part), Type::Class(..))
                }
                _ => return true,
            };
            is == positive
        })
    }

    /// What `x is wanted` leaves.
    fn by_type(&mut self, ty: Ty, wanted: Ty, positive: bool) -> Ty {
        if !ty.is_known() || ty == Ty::UNKNOWN || ty == Ty::OBJECT {
            return if positive { wanted } else { ty };
        }
        let parts = self.types.parts(ty);
        if !positive {
            let left: Tys = parts.iter().copied().filter(|part| !self.is_assignable(*part, wanted, &[])).collect();
            return if left.is_empty() { Ty::NEVER } else { self.types.union(left) };
        }
        let mut kept = Tys::new();
        for part in parts {
            if self.is_assignable(part, wanted, &[]) {
                kept.push(part);
            } else {
                // A base is narrowed to what was asked for.
                for asked in self.types.parts(wanted) {
                    if self.is_assignable(asked, part, &[]) && !kept.contains(&asked) {
                        kept.push(asked);
                    }
                }
            }
        }
        if kept.is_empty() { wanted } else { self.types.union(kept) }
    }

    fn by_value(&mut self, file: FileIndex, ty: Ty, value: ExprId, positive: bool) -> Ty {
        let value = self.expr(file, value);
        if !self.is_unit(value) {
            return ty;
        }
        if positive && (!ty.is_known() || ty == Ty::UNKNOWN) {
            return value;
        }
        self.keep(ty, |linker, part| if positive { linker.may_be(value, part) || part == value } else { part != value })
    }

    fn by_discriminant(&mut self, file: FileIndex, ty: Ty, name: Name, value: ExprId, positive: bool) -> Ty {
        let value = self.expr(file, value);
        if !self.is_unit(value) && value != Ty::NOTHING {
            return ty;
        }
        self.keep(ty, |linker, part| {
            let Some(there) = linker.property(part, name) else { return !positive || value == Ty::NOTHING };
            if positive {
                there == value || !linker.is_primitive(there) || linker.may_be(value, there)
            } else {
                there != value
            }
        })
    }

    /// A type of one value.
    fn is_unit(&self, ty: Ty) -> bool {
        matches!(
            self.types.get(ty),
            Type::StringLiteral(_) | Type::NumberLiteral(_) | Type::BooleanLiteral(_) | Type::EnumMember(..)
        )
    }

    /// `f(x)`, where `f` says `x is T`.
    fn by_predicate(&mut self, file: FileIndex, ty: Ty, site: CallExprId, at: u16, positive: bool) -> Ty {
        let row = self.program.facts(file).site(site);
        if matches!(self.program.facts(file).expr(row.callee), Expr::Unknown) {
            return ty;
        }
        let Some((signature, env)) = self.chosen(file, site, u16::MAX) else { return ty };
        let Some(function) = self.program.function(signature.def) else { return ty };
        let raw = self.returned(signature.def);
        let Type::Predicate(param, _) = *self.types.get(raw) else { return ty };
        let home = self.program.file_of(signature.def);
        // `x.isFoo()` tells of its receiver, where it says `this is T`.
        let is_meant = if at == NarrowingTest::RECEIVER {
            param.is_none()
        } else {
            let named = function.params.get(at as usize).and_then(|p| p.name);
            param.is_some() && param == named.map(|name| self.program.name(home, name))
        };
        if !is_meant {
            return ty;
        }
        let Type::Predicate(_, wanted) = *self.types.get(raw) else { return ty };
        let wanted = self.substitute(wanted, env);
        if !wanted.is_known() || wanted == Ty::UNKNOWN {
            return ty;
        }
        self.by_type(ty, wanted, positive)
    }
}
