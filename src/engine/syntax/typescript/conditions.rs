//! Conditions: what a test tells of names and chains on either side.

use smallvec::SmallVec;
use tree_sitter::TreeCursor;

use super::{
    facts::{Expr, ExprId, NameId, SiteId, Test},
    frame::Holder,
    kinds::{Kind, Named, Token},
    lower::Lowering,
    operators::Operand,
};

/// What a condition tells.
#[derive(Clone, Debug)]
pub(super) enum Condition {
    /// Nothing that is used.
    Plain,
    /// Something of names or chains; each holds by itself on either side.
    Tests(SmallVec<[(ExprId, Test); 2]>),
    /// `!c`
    Not(Box<Condition>),
    /// `a && b && …`
    All(Vec<Condition>),
    /// `a || b || …`
    Any(Vec<Condition>),
}

/// Arguments of a call that may be what a predicate speaks of.
const MAX_ARGUMENTS: usize = 4;

impl Lowering<'_> {
    /// Lowers the expression at the cursor as a condition.
    pub(super) fn condition(&mut self, cursor: &mut TreeCursor) -> (ExprId, Condition) {
        let node = cursor.node();
        let kind = self.kind(node);
        let lowered = self.deeper(node, |this| match kind {
            Kind::Node(Named::ParenthesizedExpression) => this.first(cursor, |this, cursor, _| this.condition(cursor)),
            Kind::Node(Named::UnaryExpression) if this.has_token(node, Token::Bang) => {
                let inner = this.first(cursor, |this, cursor, _| this.condition(cursor).1);
                Some((this.add(Expr::Test), Condition::Not(Box::new(inner.unwrap_or(Condition::Plain)))))
            }
            Kind::Node(Named::BinaryExpression) => Some(this.binary(cursor)),
            _ => {
                let expr = this.held(cursor, Holder::default());
                Some((expr, this.tested(expr)))
            }
        });
        lowered.flatten().unwrap_or_else(|| (self.add(Expr::Unknown), Condition::Plain))
    }

    /// What the truth of a value tells.
    pub(super) fn tested(&self, expr: ExprId) -> Condition {
        let mut tests = SmallVec::new();
        match self.facts.expr(self.unwrapped(expr)) {
            Expr::Name { .. } => tests.push((expr, Test::Truthy)),
            Expr::Property { object, name, .. } if self.path(expr).is_some() => {
                tests.push((expr, Test::Truthy));
                tests.push((object, Test::HasTruthy(name)));
            }
            Expr::Call(site) => self.predicate(site, &mut tests),
            _ => {}
        }
        if tests.is_empty() { Condition::Plain } else { Condition::Tests(tests) }
    }

    /// A call that may be one of a function that says `x is T` or `asserts x`.
    pub(super) fn predicate(&self, site: SiteId, tests: &mut SmallVec<[(ExprId, Test); 2]>) {
        let call = self.facts.site(site);
        for (at, argument) in call.arguments.iter().take(MAX_ARGUMENTS).enumerate() {
            if !argument.is_spread && self.path(argument.value).is_some() {
                tests.push((argument.value, Test::Predicate(site, at as u16)));
            }
        }
        if let Expr::Property { object, .. } = self.facts.expr(self.unwrapped(call.callee))
            && self.path(object).is_some_and(|(path, _)| path.len() < 3 && !self.is_class_name(&path))
        {
            tests.push((object, Test::Predicate(site, Test::RECEIVER)));
        }
    }

    /// `Array` in `Array.isArray(x)`, of which a method tells nothing.
    fn is_class_name(&self, path: &[NameId]) -> bool {
        path.len() == 1 && self.facts.name(path[0]).starts_with(char::is_uppercase)
    }

    /// Without guards around it.
    pub(super) fn unwrapped(&self, expr: ExprId) -> ExprId {
        let mut expr = expr;
        while let Expr::Narrowed(inner, _) = self.facts.expr(expr) {
            expr = inner;
        }
        expr
    }

    /// What a comparison tells.
    pub(super) fn compared(&self, operator: Token, left: &Operand, right: &Operand) -> Condition {
        let negated = matches!(operator, Token::NotEqual | Token::NotIdentical);
        let mut tests = SmallVec::new();
        match operator {
            Token::Equal | Token::Identical | Token::NotEqual | Token::NotIdentical => {
                self.equal(left, right, &mut tests);
                if tests.is_empty() {
                    self.equal(right, left, &mut tests);
                }
            }
            Token::Instanceof if self.path(left.expr).is_some() => {
                tests.push((left.expr, Test::Instanceof(right.expr)));
            }
            Token::In => {
                if let Expr::String(Some(name)) = self.facts.expr(left.expr)
                    && self.path(right.expr).is_some()
                {
                    tests.push((right.expr, Test::In(name)));
                }
            }
            _ => {}
        }
        match tests.is_empty() {
            true => Condition::Plain,
            false if negated => Condition::Not(Box::new(Condition::Tests(tests))),
            false => Condition::Tests(tests),
        }
    }

    /// What it tells that `left` equals `right`, where `right` is a constant.
    pub(super) fn equal(&self, left: &Operand, right: &Operand, tests: &mut SmallVec<[(ExprId, Test); 2]>) {
        let constant = self.facts.expr(self.unwrapped(right.expr));
        if let Some(inner) = left.typeof_of {
            if let Expr::String(Some(name)) = constant
                && self.path(inner).is_some()
            {
                tests.push((inner, Test::Typeof(name)));
            }
            return;
        }
        let is_nullish = matches!(constant, Expr::Null | Expr::Undefined);
        let is_constant = matches!(
            constant,
            Expr::String(_) | Expr::Number | Expr::Bool(_) | Expr::Property { .. } | Expr::Name { .. }
        );
        if (!is_nullish && !is_constant) || self.path(left.expr).is_none() {
            return;
        }
        tests.push((left.expr, if is_nullish { Test::Nullish } else { Test::Equals(right.expr) }));
        if is_constant && let Expr::Property { object, name, .. } = self.facts.expr(self.unwrapped(left.expr)) {
            tests.push((object, Test::Discriminant(name, right.expr)));
        }
    }
}
