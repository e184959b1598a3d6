//! Conditions, and the narrowing of names on the branches of a test.

use tree_sitter::TreeCursor;

use super::{
    bindings::AccessPath,
    facts::{BinaryOperator, BindingKind, Expr, ExprId, NarrowingTest},
    grammar::NodeKind,
    lower::Lowering,
};
use crate::{nesting, program::ArgumentKind};

/// A condition, as far as it narrows access paths.
#[derive(Clone, Debug)]
pub(super) enum Condition {
    /// A condition that narrows no access path.
    Unknown,
    /// A condition that is known statically: `sys.version_info >= (3, 8)`.
    Constant(bool),
    /// `TYPE_CHECKING`: true for type checkers, false at run time (PEP 484).
    TypeChecking,
    /// A test of one access path: the path, the expression that reads it, and the test.
    Test(AccessPath, ExprId, NarrowingTest),
    /// `not c`
    Not(Box<Condition>),
    /// `a and b`
    And(Box<Condition>, Box<Condition>),
    /// `a or b`
    Or(Box<Condition>, Box<Condition>),
}

impl Condition {
    /// True if the condition has the value `value` only at run time, not for type checkers.
    pub(super) fn is_at_run_time(&self, value: bool) -> bool {
        match self {
            Self::TypeChecking => !value,
            Self::Not(inner) => inner.is_at_run_time(!value),
            Self::And(a, b) if value => a.is_at_run_time(true) || b.is_at_run_time(true),
            Self::Or(a, b) if !value => a.is_at_run_time(false) || b.is_at_run_time(false),
            _ => false,
        }
    }
}

impl Lowering<'_> {
    /// Lowers the expression at the cursor, and returns it with the condition that it forms.
    pub(super) fn lower_condition(&mut self, cursor: &mut TreeCursor) -> (ExprId, Condition) {
        let node = cursor.node();
        let kind = self.kind(node);
        let lowered = self.descend(node, |this| match kind {
            NodeKind::ParenthesizedExpression => {
                let mut inner = None;
                this.children(cursor, |this, cursor, kind| {
                    if !kind.is_token_or_comment() {
                        inner = Some(this.lower_condition(cursor));
                    }
                });
                inner.unwrap_or_else(|| (this.unknown(), Condition::Unknown))
            }
            NodeKind::NotOperator => {
                let mut inner = Condition::Unknown;
                this.children(cursor, |this, cursor, kind| {
                    if !kind.is_token_or_comment() {
                        inner = this.lower_condition(cursor).1;
                    }
                });
                (this.add_expr(Expr::Bool), Condition::Not(Box::new(inner)))
            }
            NodeKind::BooleanOperator => this.lower_boolean(cursor),
            NodeKind::ComparisonOperator => this.lower_comparison(cursor),
            NodeKind::True => (this.add_expr(Expr::Bool), Condition::Constant(true)),
            NodeKind::False => (this.add_expr(Expr::Bool), Condition::Constant(false)),
            NodeKind::Integer => {
                let value = this.text(node) != "0";
                (this.add_expr(Expr::Int), Condition::Constant(value))
            }
            _ => {
                let expr = this.lower_expr(cursor);
                let condition = this.condition_of(expr);
                (expr, condition)
            }
        });
        lowered.unwrap_or_else(|| (self.unknown(), Condition::Unknown))
    }

    fn lower_boolean(&mut self, cursor: &mut TreeCursor) -> (ExprId, Condition) {
        let fields = &self.grammar.fields;
        let mut is_or = false;
        let (mut left, mut right) = (None, None);
        self.fields(cursor, |this, cursor, _, field| {
            if field == fields.left {
                left = Some(this.lower_condition(cursor));
            } else if field == fields.operator {
                is_or = this.text(cursor.node()) == "or";
            } else if field == fields.right {
                let start = this.flow.snapshot();
                if let Some((_, left)) = &left {
                    this.assume(left, !is_or);
                }
                right = Some(this.lower_condition(cursor));
                // The right operand is not always evaluated, so its bindings are merged with the state before it.
                let right = this.flow.rollback(start);
                let skipped = this.flow.rollback(start);
                this.flow.join(&mut this.facts, &[right, skipped]);
            }
        });
        match (left, right) {
            (Some((left, a)), Some((right, b))) => {
                let expr = self.add_expr(Expr::Boolean { is_or, left, right });
                let (a, b) = (Box::new(a), Box::new(b));
                (expr, if is_or { Condition::Or(a, b) } else { Condition::And(a, b) })
            }
            _ => (self.unknown(), Condition::Unknown),
        }
    }

    fn lower_comparison(&mut self, cursor: &mut TreeCursor) -> (ExprId, Condition) {
        let mut operands = Vec::with_capacity(2);
        let mut operator = "";
        let mut right_text = "";
        self.children(cursor, |this, cursor, kind| match kind {
            NodeKind::Comment => {}
            NodeKind::Token => {
                let text = this.text(cursor.node());
                operator = if operator.is_empty() { text } else { "several" };
            }
            _ => {
                right_text = this.text(cursor.node());
                let operand = this.lower_expr(cursor);
                operands.push(operand);
            }
        });
        let [left, right] = operands[..] else { return (self.add_expr(Expr::Bool), Condition::Unknown) };
        let words: Vec<&str> = operator.split_whitespace().collect();
        let (same, negated) = match words[..] {
            ["is" | "=="] => (true, false),
            ["is", "not"] | ["!="] => (true, true),
            _ => (false, false),
        };
        let condition = if same && self.facts.expr(right) == Expr::None {
            self.access_path(left).map(|path| Condition::Test(path, left, NarrowingTest::IsNone))
        } else if same && let Some(inner) = self.type_call(left) {
            let test = |this: &mut Self, inner, class| {
                this.access_path(inner).map(|path| Condition::Test(path, inner, NarrowingTest::ExactType(class)))
            };
            // `type(a) is type(b)` tests both.
            let reflected = self.type_call(right).and_then(|other| test(self, other, left));
            match (test(self, inner, right), reflected) {
                (Some(a), Some(b)) => Some(Condition::And(Box::new(a), Box::new(b))),
                (a, b) => a.or(b),
            }
        } else {
            self.static_comparison(left, operator, right_text).map(Condition::Constant)
        };
        let condition = condition.unwrap_or(Condition::Unknown);
        let expr = match BinaryOperator::of_text(operator) {
            Some(operator) if self.may_have_methods(left) || self.may_have_methods(right) => {
                Expr::Binary { operator, left, right }
            }
            _ => Expr::Bool,
        };
        (self.add_expr(expr), if negated { Condition::Not(Box::new(condition)) } else { condition })
    }

    /// True for an operand whose class may define a comparison method, which no literal has.
    fn may_have_methods(&self, operand: ExprId) -> bool {
        matches!(
            self.facts.expr(operand),
            Expr::Name { .. }
                | Expr::Attribute { .. }
                | Expr::Call(_)
                | Expr::Subscript { .. }
                | Expr::Binary { .. }
                | Expr::Unary(..)
                | Expr::Await(_)
        )
    }

    /// The argument of a call `type(x)`.
    fn type_call(&self, expr: ExprId) -> Option<ExprId> {
        let Expr::Call(site) = self.facts.expr(expr) else { return None };
        let site = &self.facts.calls[site.index()];
        match (self.facts.is_named(site.callee, "type"), &site.arguments[..]) {
            (true, [only]) => Some(only.value),
            _ => None,
        }
    }

    /// The condition that an expression forms if it is tested for truth.
    fn condition_of(&mut self, expr: ExprId) -> Condition {
        match self.facts.expr(expr) {
            Expr::Call(site) => {
                if let Some(value) = self.static_call(expr) {
                    return Condition::Constant(value);
                }
                let site = &self.facts.calls[site.index()];
                let (Expr::Name { name, .. } | Expr::Attribute { name, .. }) = self.facts.expr(site.callee) else {
                    return Condition::Unknown;
                };
                let Some(tested) = site.arguments.first().filter(|a| a.kind == ArgumentKind::Positional) else {
                    return Condition::Unknown;
                };
                let tested = tested.value;
                let test = match (self.facts.name(name), &site.arguments[1..]) {
                    ("isinstance", [class]) => NarrowingTest::Instance(class.value),
                    ("issubclass", [class]) => NarrowingTest::Subclass(class.value),
                    ("callable", []) => NarrowingTest::Callable,
                    _ => NarrowingTest::Guard(expr),
                };
                self.access_path(tested).map_or(Condition::Unknown, |path| Condition::Test(path, tested, test))
            }
            Expr::Name { .. } | Expr::Attribute { .. } => {
                if self.facts.is_named(expr, "TYPE_CHECKING") {
                    return Condition::TypeChecking;
                }
                if let Some(value) = self.static_name(expr) {
                    return Condition::Constant(value);
                }
                self.access_path(expr)
                    .map_or(Condition::Unknown, |path| Condition::Test(path, expr, NarrowingTest::Truthy))
            }
            _ => Condition::Unknown,
        }
    }

    /// Narrows names under the assumption that `condition` is true, or false if `positive` is false.
    pub(super) fn assume(&mut self, condition: &Condition, positive: bool) {
        let Some(_level) = nesting::descend() else { return };
        match condition {
            Condition::Unknown => {}
            Condition::TypeChecking => self.flow.reachable &= positive,
            Condition::Constant(value) => {
                if *value != positive {
                    self.flow.reachable = false;
                }
            }
            Condition::Test(path, before, test) => {
                if *test == NarrowingTest::Truthy && !positive {
                    return;
                }
                let kind = BindingKind::Narrow { before: *before, test: *test, positive };
                self.bind_path(*path, 0, kind);
            }
            Condition::Not(inner) => self.assume(inner, !positive),
            Condition::And(a, b) if positive => {
                self.assume(a, true);
                self.assume(b, true);
            }
            Condition::Or(a, b) if !positive => {
                self.assume(a, false);
                self.assume(b, false);
            }
            Condition::And(a, b) | Condition::Or(a, b) => {
                let start = self.flow.snapshot();
                self.assume(a, positive);
                let first = self.flow.rollback(start);
                self.assume(a, !positive);
                self.assume(b, positive);
                let second = self.flow.rollback(start);
                self.flow.join(&mut self.facts, &[first, second]);
            }
        }
    }
}
