//! Conditions: what a test tells about names on either branch.

use tree_sitter::TreeCursor;

use super::{
    facts::{BindingKind, Expr, ExprId, Test},
    kinds::Kind,
    lower::{Key, Lowering},
};

/// What a condition tells.
#[derive(Clone, Debug)]
pub(super) enum Condition {
    /// Nothing that is used.
    Plain,
    /// Known without running: `TYPE_CHECKING`, `sys.version_info >= (3, 8)`.
    Constant(bool),
    /// Something about one name or chain.
    Test(Key, ExprId, Test),
    /// `not c`
    Not(Box<Condition>),
    /// `a and b`
    And(Box<Condition>, Box<Condition>),
    /// `a or b`
    Or(Box<Condition>, Box<Condition>),
}

/// The Python that static tests of `sys.version_info` are answered for.
const VERSION: [u32; 2] = [3, 13];

impl Lowering<'_> {
    /// Lowers the expression at the cursor as a condition.
    pub(super) fn condition(&mut self, cursor: &mut TreeCursor) -> (ExprId, Condition) {
        let node = cursor.node();
        let kind = self.kind(node);
        let lowered = self.deeper(node, |this| match kind {
            Kind::ParenthesizedExpression => {
                let mut inner = None;
                this.children(cursor, |this, cursor, kind| {
                    if !matches!(kind, Kind::Token | Kind::Comment) {
                        inner = Some(this.condition(cursor));
                    }
                });
                inner.unwrap_or_else(|| (this.unknown(), Condition::Plain))
            }
            Kind::NotOperator => {
                let mut inner = Condition::Plain;
                this.children(cursor, |this, cursor, kind| {
                    if !matches!(kind, Kind::Token | Kind::Comment) {
                        inner = this.condition(cursor).1;
                    }
                });
                (this.add(Expr::Bool), Condition::Not(Box::new(inner)))
            }
            Kind::BooleanOperator => this.boolean(cursor),
            Kind::ComparisonOperator => this.comparison(cursor),
            Kind::True => (this.add(Expr::Bool), Condition::Constant(true)),
            Kind::False => (this.add(Expr::Bool), Condition::Constant(false)),
            Kind::Integer => {
                let value = this.text(node) != "0";
                (this.add(Expr::Int), Condition::Constant(value))
            }
            _ => {
                let expr = this.expr(cursor);
                let condition = this.tested(expr);
                (expr, condition)
            }
        });
        lowered.unwrap_or_else(|| (self.unknown(), Condition::Plain))
    }

    fn boolean(&mut self, cursor: &mut TreeCursor) -> (ExprId, Condition) {
        let fields = &self.grammar.fields;
        let mut or = false;
        self.field(cursor, fields.operator, |this, cursor, _| or = this.text(cursor.node()) == "or");
        let mut sides = Vec::with_capacity(2);
        self.field(cursor, fields.left, |this, cursor, _| sides.push(this.condition(cursor)));
        let start = self.frame.mark();
        if let Some((_, left)) = sides.first() {
            let left = left.clone();
            self.assume(&left, !or);
        }
        self.field(cursor, fields.right, |this, cursor, _| sides.push(this.condition(cursor)));
        // The right side may not have run: what it binds is merged with what was before.
        let right = self.frame.rollback(start);
        let skipped = self.frame.rollback(start);
        self.frame.merge(&mut self.facts, &[right, skipped]);
        let mut sides = sides.into_iter();
        match (sides.next(), sides.next()) {
            (Some((left, a)), Some((right, b))) => {
                let expr = self.add(Expr::Boolean { or, left, right });
                let (a, b) = (Box::new(a), Box::new(b));
                (expr, if or { Condition::Or(a, b) } else { Condition::And(a, b) })
            }
            _ => (self.unknown(), Condition::Plain),
        }
    }

    fn comparison(&mut self, cursor: &mut TreeCursor) -> (ExprId, Condition) {
        let mut operands = Vec::with_capacity(2);
        let mut operator = "";
        let mut right_text = "";
        self.children(cursor, |this, cursor, kind| match kind {
            Kind::Comment => {}
            Kind::Token => {
                let text = this.text(cursor.node());
                operator = if operator.is_empty() { text } else { "several" };
            }
            _ => {
                right_text = this.text(cursor.node());
                let operand = this.expr(cursor);
                operands.push(operand);
            }
        });
        let bool_expr = self.add(Expr::Bool);
        let [left, right] = operands[..] else { return (bool_expr, Condition::Plain) };
        let words: Vec<&str> = operator.split_whitespace().collect();
        let (same, negated) = match words[..] {
            ["is" | "=="] => (true, false),
            ["is", "not"] | ["!="] => (true, true),
            _ => (false, false),
        };
        let condition = if same && self.facts.expr(right) == Expr::None {
            self.key(left).map(|key| Condition::Test(key, left, Test::IsNone))
        } else if same && let Some(inner) = self.type_call(left) {
            self.key(inner).map(|key| Condition::Test(key, inner, Test::ExactType(right)))
        } else {
            self.static_comparison(left, operator, right_text).map(Condition::Constant)
        };
        let condition = condition.unwrap_or(Condition::Plain);
        (bool_expr, if negated { Condition::Not(Box::new(condition)) } else { condition })
    }

    /// `x` of `type(x)`.
    fn type_call(&self, expr: ExprId) -> Option<ExprId> {
        let Expr::Call(site) = self.facts.expr(expr) else { return None };
        let site = &self.facts.calls[site.index()];
        match (self.is_named(site.callee, "type"), &site.arguments[..]) {
            (true, [only]) => Some(only.value),
            _ => None,
        }
    }

    /// `sys.version_info >= (3, 8)`, `sys.platform == "win32"`, `os.name == "nt"`.
    fn static_comparison(&self, left: ExprId, operator: &str, right: &str) -> Option<bool> {
        let Expr::Attribute { value, name, .. } = self.facts.expr(left) else { return None };
        match self.facts.name(name) {
            "version_info" if self.is_named(value, "sys") => {
                let mut version =
                    right.trim_matches(['(', ')']).split(',').filter_map(|n| n.trim().parse::<u32>().ok());
                let wanted = [version.next()?, version.next().unwrap_or(0)];
                match operator {
                    ">=" => Some(VERSION >= wanted),
                    ">" => Some(VERSION > wanted),
                    "<" => Some(VERSION < wanted),
                    "<=" => Some(VERSION <= wanted),
                    _ => None,
                }
            }
            "platform" if self.is_named(value, "sys") => match operator {
                "==" => Some(right.contains("linux")),
                "!=" => Some(!right.contains("linux")),
                _ => None,
            },
            _ => None,
        }
    }

    /// What an expression used as a condition tells.
    fn tested(&mut self, expr: ExprId) -> Condition {
        match self.facts.expr(expr) {
            Expr::Call(site) => {
                let site = &self.facts.calls[site.index()];
                let Expr::Name { name, .. } = self.facts.expr(site.callee) else { return Condition::Plain };
                let values: Vec<ExprId> = site.arguments.iter().map(|a| a.value).collect();
                let test = match (self.facts.name(name), &values[..]) {
                    ("isinstance", &[_, class]) => Test::Instance(class),
                    ("issubclass", &[_, class]) => Test::Subclass(class),
                    ("callable", &[_]) => Test::Callable,
                    _ => return Condition::Plain,
                };
                self.key(values[0]).map_or(Condition::Plain, |key| Condition::Test(key, values[0], test))
            }
            Expr::Name { .. } | Expr::Attribute { .. } => {
                if self.is_named(expr, "TYPE_CHECKING") {
                    return Condition::Constant(true);
                }
                self.key(expr).map_or(Condition::Plain, |key| Condition::Test(key, expr, Test::Truthy))
            }
            _ => Condition::Plain,
        }
    }

    /// Goes on under the assumption that `condition` came out as `positive`.
    pub(super) fn assume(&mut self, condition: &Condition, positive: bool) {
        match condition {
            Condition::Plain => {}
            Condition::Constant(value) => {
                if *value != positive {
                    self.frame.reachable = false;
                }
            }
            Condition::Test(key, before, test) => {
                if *test == Test::Truthy && !positive {
                    return;
                }
                let kind = BindingKind::Narrow { before: *before, test: *test, positive };
                self.bind_key(*key, 0, kind);
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
                let start = self.frame.mark();
                self.assume(a, positive);
                let first = self.frame.rollback(start);
                self.assume(a, !positive);
                self.assume(b, positive);
                let second = self.frame.rollback(start);
                self.frame.merge(&mut self.facts, &[first, second]);
            }
        }
    }
}
