//! What is expected of an expression by the place that it stands in.

use super::{
    infer::{Linker, Question},
    program::{FileIndex, GlobalDef},
    types::{Ty, Type, Tys},
};
use crate::syntax::typescript::facts::{CallExprKind, Expr, ExprId, ExpressionContext, FunctionKind, MemberKind};

impl Linker<'_> {
    /// The type that is expected of an expression.
    pub(super) fn context_of(&mut self, file: FileIndex, expr: ExprId) -> Ty {
        let context = self.program.facts(file).context(expr);
        if context == ExpressionContext::None {
            return Ty::ANY;
        }
        self.ask(Question::Context(file, expr), |linker| linker.find_context(file, context))
    }

    fn find_context(&mut self, file: FileIndex, context: ExpressionContext) -> Ty {
        let facts = self.program.facts(file);
        match context {
            ExpressionContext::None => Ty::ANY,
            ExpressionContext::Typed(ty) => self.annotation(file, ty),
            ExpressionContext::Same(outer) => {
                let expected = self.context_of(file, outer);
                match facts.expr(outer) {
                    Expr::Await(_) => expected,
                    Expr::Or(left, _) | Expr::Nullish(left, _) if !expected.is_known() => self.expr(file, left),
                    _ => expected,
                }
            }
            ExpressionContext::Argument(site, at) => {
                let row = facts.site(site);
                if row.kind == CallExprKind::Jsx {
                    return self.props(file, row.callee);
                }
                let callee = self.expr(file, row.callee);
                if !callee.is_known() {
                    return callee;
                }
                let Some((signature, env)) = self.chosen(file, site, at) else { return Ty::ANY };
                match self.parameter_for(signature.def, at as usize) {
                    Some(raw) => self.substitute(raw, env),
                    None => Ty::ANY,
                }
            }
            ExpressionContext::Property(object, at) => {
                let Some(expr) = facts.def(object).expr else { return Ty::ANY };
                let Some(member) = facts.def(object).members().get(at as usize) else { return Ty::ANY };
                let expected = self.context_of(file, expr);
                if matches!(member.kind, MemberKind::Spread(_)) {
                    return expected;
                }
                if !expected.is_known() {
                    return expected;
                }
                match member.name {
                    Some(name) => {
                        let name = self.program.name(file, name);
                        let narrowed = self.fitting_alternative(file, object, expected);
                        self.property(narrowed, name).unwrap_or(Ty::ANY)
                    }
                    None => self.index_signature(expected),
                }
            }
            ExpressionContext::Element(array, at) => {
                let expected = self.context_of(file, array);
                match self.types.get(expected) {
                    Type::Tuple(items, _) if (at as usize) < items.len() => items[at as usize],
                    _ => self.element_of(expected),
                }
            }
            ExpressionContext::Return(def) => self.expected_return(self.program.global(file, def)),
            ExpressionContext::Default(def, at) => {
                let function = self.program.global(file, def);
                let row = self.program.function(function).and_then(|f| f.params.get(at as usize));
                match row.and_then(|p| p.annotation.as_ref()) {
                    Some((ty, _)) => self.annotation(file, *ty),
                    None => Ty::ANY,
                }
            }
            ExpressionContext::Assigned(target) => self.expr(file, target),
        }
    }

    /// Of a union, the alternatives that an object literal's own literals leave.
    fn fitting_alternative(
        &mut self,
        file: FileIndex,
        object: crate::syntax::typescript::facts::DefId,
        expected: Ty,
    ) -> Ty {
        let parts = self.types.parts(expected);
        if parts.len() < 2 {
            return expected;
        }
        let facts = self.program.facts(file);
        let mut left: Tys = parts;
        for member in facts.def(object).members() {
            let (Some(name), MemberKind::Property { value: Some((value, _)), .. }) = (member.name, &member.kind) else {
                continue;
            };
            if !matches!(facts.expr(*value), Expr::String(Some(_)) | Expr::Bool(_)) {
                continue;
            }
            let given = self.expr(file, *value);
            let name = self.program.name(file, name);
            let fits = |linker: &mut Self, part: Ty| match linker.property(part, name) {
                Some(wanted) => linker.may_be(given, wanted),
                None => false,
            };
            let some: Tys = left.iter().copied().filter(|part| fits(self, *part)).collect();
            if !some.is_empty() {
                left = some;
            }
        }
        self.types.union(left)
    }

    /// What a function must return by its annotation, or by the function type expected where it stands.
    fn expected_return(&mut self, def: GlobalDef) -> Ty {
        let file = self.program.file_of(def);
        let Some(function) = self.program.function(def) else { return Ty::ANY };
        let said = if let Some((ty, _)) = &function.returns {
            self.annotation(file, *ty)
        } else {
            let Some(expr) = self.program.def(def).expr else { return Ty::ANY };
            if !matches!(function.kind, FunctionKind::Arrow | FunctionKind::Expression) {
                return Ty::ANY;
            }
            let expected = self.context_of(file, expr);
            let signatures = self.signatures(expected, false);
            let Some(signature) = signatures.first().copied() else { return Ty::ANY };
            let raw = self.returned(signature.def);
            self.substitute(raw, signature.env)
        };
        if function.is_async {
            return self.awaited(said);
        }
        if function.is_generator {
            return self.element_of(said);
        }
        said
    }

    /// The props that a component takes.
    pub(super) fn props(&mut self, file: FileIndex, component: ExprId) -> Ty {
        let component = self.expr(file, component);
        if !component.is_known() {
            return component;
        }
        if let Some(signature) = self.signatures(component, false).first().copied() {
            let Some(raw) = self.parameter_for(signature.def, 0) else { return Ty::ANY };
            return self.substitute(raw, signature.env);
        }
        let instance = self.instance_of(component, &[]);
        let props = self.known.props;
        self.property(instance, props).unwrap_or(Ty::ANY)
    }
}
