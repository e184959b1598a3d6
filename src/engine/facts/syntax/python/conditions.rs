//! Conditions, and the narrowing of names on the branches of a test.

use tree_sitter::{Node, TreeCursor};

use super::{
    bindings::AccessPath,
    exits::Exits,
    facts::{BinaryOperator, BindingKind, Expr, ExprId, NarrowingTest},
    grammar::NodeKind,
    lower::Lowering,
};
use crate::program::ArgumentKind;
use apidisc_base::nesting;

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
    /// `a and b and c`, or `a or b or c`
    Several(Operands),
}

/// The operands of `and`, or those of `or`. Nested operations of the same operator are one.
#[derive(Clone, Debug)]
pub(super) struct Operands {
    pub(super) is_or: bool,
    pub(super) conditions: Vec<Condition>,
    /// The number of assumptions about parts that one assumption about the operation makes at most.
    assumptions: u32,
}

/// The greatest number of assumptions about parts that one assumption about a condition makes. A condition with more
/// narrows no access path: an assumption about a condition makes two about each operand, so that the number is
/// exponential in the nesting of `and` in `or`.
const MAX_ASSUMPTIONS: u32 = 1024;

/// The operands of `and` or `or` that are lowered so far, and the flow states at which the evaluation may end.
struct OpenOperands {
    is_or: bool,
    operands: Vec<Condition>,
    exits: Option<Exits>,
}

impl Condition {
    fn several(is_or: bool, operands: Vec<Self>) -> Self {
        let assumptions = operands.iter().map(|operand| 2 * operand.assumptions()).fold(0, u32::saturating_add);
        if operands.iter().all(|operand| matches!(operand, Self::Unknown)) || assumptions > MAX_ASSUMPTIONS {
            return Self::Unknown;
        }
        Self::Several(Operands { is_or, conditions: operands, assumptions })
    }

    /// The number of assumptions about parts that one assumption about the condition makes at most, itself included.
    fn assumptions(&self) -> u32 {
        match self {
            Self::Unknown | Self::Constant(_) | Self::TypeChecking | Self::Test(..) => 1,
            Self::Not(inner) => inner.assumptions(),
            Self::Several(operands) => operands.assumptions,
        }
    }

    /// True if the condition has the value `value` only at run time, not for type checkers.
    pub(super) fn is_at_run_time(&self, value: bool) -> bool {
        match self {
            Self::TypeChecking => !value,
            Self::Not(inner) => inner.is_at_run_time(!value),
            Self::Several(Operands { is_or, conditions, .. }) if *is_or != value => {
                conditions.iter().any(|condition| condition.is_at_run_time(value))
            }
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
                        inner = this.at_place(None, |this| this.lower_condition(cursor)).1;
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
        let is_or = self.is_or(cursor.node());
        let mut open = OpenOperands { is_or, operands: Vec::new(), exits: None };
        let expr = self.lower_operands(cursor, &mut open);
        if let Some(exits) = open.exits {
            self.flow.join_exits(&mut self.facts, exits);
        }
        (expr, Condition::several(is_or, open.operands))
    }

    /// True for `or`, false for `and`.
    fn is_or(&self, operation: Node) -> bool {
        operation.child_by_field_id(self.grammar.fields.operator).is_some_and(|operator| self.text(operator) == "or")
    }

    /// Lowers the operands of the boolean operation at the cursor.
    fn lower_operands(&mut self, cursor: &mut TreeCursor, open: &mut OpenOperands) -> ExprId {
        let fields = &self.grammar.fields;
        let (mut left, mut right) = (None, None);
        self.fields(cursor, |this, cursor, _, field| {
            if field == fields.left {
                left = Some(this.lower_operand(cursor, open));
            } else if field == fields.right {
                right = Some(this.lower_operand(cursor, open));
            }
        });
        match (left, right) {
            (Some(left), Some(right)) => self.add_expr(Expr::Boolean { is_or: open.is_or, left, right }),
            _ => self.unknown(),
        }
    }

    /// Lowers an operand, which is evaluated only if all operands before it do not decide the operation. The operands
    /// of an operation of the same operator are operands, too, so that the work grows with their number.
    fn lower_operand(&mut self, cursor: &mut TreeCursor, open: &mut OpenOperands) -> ExprId {
        let node = cursor.node();
        let lowered = match self.kind(node) {
            NodeKind::ParenthesizedExpression => {
                let inner = self.descend(node, |this| {
                    let mut inner = None;
                    this.children(cursor, |this, cursor, kind| {
                        if !kind.is_token_or_comment() {
                            inner = Some(this.lower_operand(cursor, open));
                        }
                    });
                    inner
                });
                inner.flatten()
            }
            NodeKind::BooleanOperator if self.is_or(node) == open.is_or => {
                self.descend(node, |this| this.lower_operands(cursor, open))
            }
            _ => {
                if let Some(before) = open.operands.last() {
                    self.assume(before, !open.is_or);
                }
                let (expr, condition) = self.lower_condition(cursor);
                self.add_operand(open, condition);
                Some(expr)
            }
        };
        lowered.unwrap_or_else(|| {
            self.add_operand(open, Condition::Unknown);
            self.unknown()
        })
    }

    fn add_operand(&self, open: &mut OpenOperands, condition: Condition) {
        open.operands.push(condition);
        self.flow.record_exit(open.exits.get_or_insert_with(|| self.flow.begin_exits()));
    }

    fn lower_comparison(&mut self, cursor: &mut TreeCursor) -> (ExprId, Condition) {
        let place = self.place_of_compared(cursor.node());
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
                let operand = this.at_place(place, |this| this.lower_expr(cursor));
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
                (Some(a), Some(b)) => Some(Condition::several(false, vec![a, b])),
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
                // `hasattr(x, "a")` is a test of `x.a`.
                if let ("hasattr", [attribute]) = (self.facts.name(name), &site.arguments[1..])
                    && let Expr::Str(Some(attribute)) = self.facts.expr(attribute.value)
                {
                    let read = self.read_attribute(tested, attribute);
                    let path = self.access_path(read);
                    return path.map_or(Condition::Unknown, |path| Condition::Test(path, read, NarrowingTest::Truthy));
                }
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
            Condition::Several(Operands { is_or, conditions, .. }) if *is_or != positive => {
                for condition in conditions {
                    self.assume(condition, positive);
                }
            }
            // One operand decides the operation, and those before it do not.
            Condition::Several(Operands { conditions, .. }) => {
                let mut exits = self.flow.begin_exits();
                for condition in conditions {
                    let start = self.flow.snapshot();
                    self.assume(condition, positive);
                    self.flow.record_exit(&mut exits);
                    self.flow.undo_exit(&mut exits, start);
                    self.assume(condition, !positive);
                }
                self.flow.join_exits(&mut self.facts, exits);
            }
        }
    }
}
