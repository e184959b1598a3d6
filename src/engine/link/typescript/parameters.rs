//! Types of parameters: as annotated, by their defaults, or as expected where the function stands.

use super::{
    infer::{Linker, Question},
    program::{FileIndex, GlobalDef},
    types::{Ty, Type, Tys},
};
use crate::syntax::typescript::facts::{DefBody, Expr, ExprId, FunctionKind, MemberKind};

impl Linker<'_> {
    /// The type of the parameter that the n-th argument lands on.
    pub(super) fn parameter_for(&mut self, def: GlobalDef, at: usize) -> Option<Ty> {
        let function = self.program.function(def)?;
        let rest = function.params.iter().position(|p| p.is_rest);
        match rest {
            Some(rest) if at >= rest => {
                let ty = self.parameter(def, rest as u16);
                if let Type::Tuple(items, _) = self.types.get(ty) {
                    return items.get(at - rest).or(items.last()).copied();
                }
                Some(self.element_of(ty))
            }
            _ if at < function.params.len() => Some(self.parameter(def, at as u16)),
            _ => None,
        }
    }

    /// Whether the type of an argument hangs on what is expected of it.
    pub(super) fn is_context_sensitive(&self, file: FileIndex, value: ExprId, depth: u32) -> bool {
        if depth > 6 {
            return false;
        }
        let facts = self.program.facts(file);
        match facts.expr(value) {
            Expr::Function(def) => facts.def(def).function().is_some_and(|function| {
                function.kind != FunctionKind::Getter
                    && (function.params.iter().any(|p| p.annotation.is_none() && p.default.is_none())
                        || (function.kind == FunctionKind::Arrow
                            && function
                                .return_values
                                .first()
                                .is_some_and(|v| self.is_context_sensitive(file, *v, depth + 1))))
            }),
            Expr::Object(def) => facts.def(def).members().iter().any(|member| match &member.kind {
                MemberKind::Property { value: Some((value, _)), .. } => {
                    self.is_context_sensitive(file, *value, depth + 1)
                }
                MemberKind::Function(function) => facts.def(*function).function().is_some_and(|function| {
                    function.params.iter().any(|p| p.annotation.is_none() && p.default.is_none())
                }),
                _ => false,
            }),
            Expr::Array(list) => {
                facts.list(list).iter().take(8).any(|value| self.is_context_sensitive(file, *value, depth + 1))
            }
            Expr::Either(a, b) | Expr::Or(a, b) | Expr::Nullish(a, b) | Expr::And(a, b) => {
                self.is_context_sensitive(file, a, depth + 1) || self.is_context_sensitive(file, b, depth + 1)
            }
            _ => false,
        }
    }

    /// The type of a parameter: as annotated, by its default, or as expected where the function stands.
    pub(super) fn parameter(&mut self, def: GlobalDef, at: u16) -> Ty {
        self.ask(Question::Parameter(def, at), |linker| linker.find_parameter(def, at))
    }

    pub(super) fn find_parameter(&mut self, def: GlobalDef, at: u16) -> Ty {
        let file = self.program.file_of(def);
        let Some(param) = self.program.function(def).and_then(|f| f.params.get(at as usize)) else { return Ty::ANY };
        if let Some((ty, _)) = &param.annotation {
            let said = self.annotation(file, *ty);
            if said.is_known() || param.default.is_none() {
                return said;
            }
        }
        let expected = self.expected_parameter(def, at);
        if expected.is_known() {
            return expected;
        }
        if let Some((value, _)) = &param.default {
            let ty = self.expr(file, *value);
            return self.widened(ty);
        }
        expected
    }

    /// The function type that is expected where a function stands: an expression's, or that of an object's method.
    pub(super) fn expected_function(&mut self, def: GlobalDef) -> Ty {
        let file = self.program.file_of(def);
        let row = self.program.def(def);
        let Some(function) = row.function() else { return Ty::ANY };
        match (row.expr, function.kind) {
            (Some(expr), FunctionKind::Arrow | FunctionKind::Expression) => self.context_of(file, expr),
            (_, FunctionKind::Method) => match row.outer.map(|outer| self.program.facts(file).def(outer)) {
                // A method of an object literal, by what is expected of the object.
                Some(outer) if matches!(outer.body, DefBody::Object(_)) => {
                    let (Some(expr), Some(name)) = (outer.expr, row.name) else { return Ty::ANY };
                    let object = self.context_of(file, expr);
                    let name = self.program.name(file, name);
                    self.property(object, name).unwrap_or(Ty::ANY)
                }
                _ => Ty::ANY,
            },
            _ => Ty::ANY,
        }
    }

    /// What `this` is in a function by the function type that is expected where it stands.
    pub(super) fn expected_this(&mut self, def: GlobalDef) -> Option<Ty> {
        let expected = self.expected_function(def);
        if !expected.is_known() {
            return None;
        }
        let signature = self.signatures(expected, false).first().copied()?;
        let this = self.program.function(signature.def)?.this_type?;
        let raw = self.annotation(self.program.file_of(signature.def), this);
        Some(self.substitute(raw, signature.env))
    }

    /// What a function's parameter is by the function type that is expected where it stands.
    pub(super) fn expected_parameter(&mut self, def: GlobalDef, at: u16) -> Ty {
        let Some(function) = self.program.function(def) else { return Ty::ANY };
        let expected = self.expected_function(def);
        if !expected.is_known() {
            return expected;
        }
        let is_rest = function.params[at as usize].is_rest;
        let mut all = Tys::new();
        for signature in self.signatures(expected, false) {
            let raw = if is_rest {
                let rest = self.program.function(signature.def).and_then(|f| f.params.get(at as usize));
                match rest {
                    Some(rest) if rest.is_rest => Some(self.parameter(signature.def, at)),
                    _ => None,
                }
            } else {
                self.parameter_for(signature.def, at as usize)
            };
            if let Some(raw) = raw {
                all.push(self.substitute(raw, signature.env));
            }
            // Of overloads the first tells.
            if all.len() == 1 && !matches!(self.types.get(expected), Type::Union(_)) {
                break;
            }
        }
        if all.is_empty() { Ty::ANY } else { self.types.union(all) }
    }

    /// A literal's type as that of a variable that may change.
    pub(super) fn widened(&mut self, ty: Ty) -> Ty {
        match self.types.get(ty).clone() {
            Type::StringLiteral(_) => Ty::STRING,
            Type::NumberLiteral(_) => Ty::NUMBER,
            Type::BooleanLiteral(_) => Ty::BOOLEAN,
            Type::Union(parts) => {
                let all: Tys = parts.iter().map(|part| self.widened(*part)).collect();
                self.types.union(all)
            }
            _ => ty,
        }
    }
}
