//! Conditions and the type guards in them.

use smallvec::SmallVec;
use tree_sitter::TreeCursor;

use super::{
    context::InferredName,
    facts::{CallExprId, Expr, ExprId, NameId, NarrowingTest},
    grammar::{NodeKind, SyntaxKind, TokenKind},
    lower::Lowering,
    operators::Operand,
};
use apidisc_base::nesting;

/// The type guards in a condition.
#[derive(Clone, Debug)]
pub(super) enum NarrowingCondition {
    /// There is no type guard.
    Unknown,
    /// Tests of references. If the condition is true, all of them are true; if it is false, all of them are false.
    Tests(SmallVec<[(ExprId, NarrowingTest); 2]>),
    /// Tests of a constant whose value is a condition, with that condition.
    Constant(SmallVec<[(ExprId, NarrowingTest); 2]>, Box<NarrowingCondition>),
    /// `!c`
    Not(Box<NarrowingCondition>),
    /// `a && b && …`
    All(Vec<NarrowingCondition>),
    /// `a || b || …`
    Any(Vec<NarrowingCondition>),
}

/// The number of leading arguments of a call that its type predicate may narrow.
const MAX_ARGUMENTS: usize = 4;

/// The greatest size of a condition that is kept as the value of a constant. It bounds the size of conditions that are
/// built from constants.
const MAX_CONSTANT_SIZE: usize = 16;

impl NarrowingCondition {
    /// The number of tests in the condition.
    fn size(&self) -> usize {
        let Some(_level) = nesting::descend() else { return 0 };
        match self {
            Self::Unknown => 0,
            Self::Tests(tests) => tests.len(),
            Self::Constant(tests, value) => tests.len() + value.size(),
            Self::Not(inner) => inner.size(),
            Self::All(operands) | Self::Any(operands) => operands.iter().map(Self::size).sum(),
        }
    }
}

impl Lowering<'_> {
    /// Lowers the expression at the cursor as a condition.
    pub(super) fn condition(&mut self, cursor: &mut TreeCursor) -> (ExprId, NarrowingCondition) {
        let node = cursor.node();
        let kind = self.kind(node);
        let lowered = self.descend(node, |this| match kind {
            SyntaxKind::Node(NodeKind::ParenthesizedExpression) => {
                this.first_named_child(cursor, |this, cursor, _| this.condition(cursor))
            }
            SyntaxKind::Node(NodeKind::UnaryExpression) if this.has_token(node, TokenKind::Bang) => {
                let inner = this
                    .at_place(None, |this| this.first_named_child(cursor, |this, cursor, _| this.condition(cursor).1));
                Some((
                    this.add_expr(Expr::Test),
                    NarrowingCondition::Not(Box::new(inner.unwrap_or(NarrowingCondition::Unknown))),
                ))
            }
            SyntaxKind::Node(NodeKind::BinaryExpression) => Some(this.binary(cursor)),
            _ => {
                let expr = this.expr_unchecked(cursor, InferredName::default());
                Some((expr, this.truthiness(expr)))
            }
        });
        lowered.flatten().unwrap_or_else(|| (self.add_expr(Expr::Unknown), NarrowingCondition::Unknown))
    }

    /// The condition that a value is truthy.
    pub(super) fn truthiness(&self, expr: ExprId) -> NarrowingCondition {
        let mut tests = SmallVec::new();
        match self.facts.expr(self.without_guards(expr)) {
            Expr::Name { name, .. } => {
                tests.push((expr, NarrowingTest::Truthy));
                if let Some(value) = self.constant_condition(name) {
                    return NarrowingCondition::Constant(tests, Box::new(value.clone()));
                }
            }
            Expr::Property { object, name, .. } if self.reference_path(expr).is_some() => {
                tests.push((expr, NarrowingTest::Truthy));
                tests.push((object, NarrowingTest::HasTruthy(name)));
            }
            Expr::Call(site) => self.predicate_tests(site, &mut tests),
            _ => {}
        }
        if tests.is_empty() { NarrowingCondition::Unknown } else { NarrowingCondition::Tests(tests) }
    }

    /// Keeps the condition that a constant holds: `const isText = isTextNode(node)`.
    pub(super) fn record_constant_condition(&mut self, name: NameId, condition: NarrowingCondition) {
        let scope = self.frame.scope;
        if condition.size() <= MAX_CONSTANT_SIZE && !matches!(condition, NarrowingCondition::Unknown) {
            self.constant_conditions.insert(name, (scope, condition));
        } else {
            self.constant_conditions.remove(&name);
        }
    }

    /// The condition that is the value of the constant which `name` denotes here; `None` if it denotes no such
    /// constant.
    fn constant_condition(&self, name: NameId) -> Option<&NarrowingCondition> {
        let (declared, condition) = self.constant_conditions.get(&name)?;
        let mut scope = self.frame.scope;
        while scope != *declared {
            if self.symbols.contains_key(&(scope, name)) {
                return None;
            }
            scope = self.facts.scopes[scope.index()].parent?;
        }
        Some(condition)
    }

    /// Adds the tests of a call whose callee may have a type predicate (`x is T`, `asserts x`).
    pub(super) fn predicate_tests(&self, site: CallExprId, tests: &mut SmallVec<[(ExprId, NarrowingTest); 2]>) {
        let call = self.facts.site(site);
        for (at, argument) in call.arguments.iter().take(MAX_ARGUMENTS).enumerate() {
            if !argument.is_spread && self.reference_path(argument.value).is_some() {
                tests.push((argument.value, NarrowingTest::Predicate(site, at as u16)));
            }
        }
        if let Expr::Property { object, .. } = self.facts.expr(self.without_guards(call.callee))
            && self.reference_path(object).is_some_and(|(path, _)| path.len() < 3 && !self.is_class_name(&path))
        {
            tests.push((object, NarrowingTest::Predicate(site, NarrowingTest::RECEIVER)));
        }
    }

    /// True for a name such as `Array` in `Array.isArray(x)`, whose type predicate does not narrow the receiver.
    fn is_class_name(&self, path: &[NameId]) -> bool {
        path.len() == 1 && self.facts.name(path[0]).starts_with(char::is_uppercase)
    }

    /// The expression without the type guards that wrap it.
    pub(super) fn without_guards(&self, expr: ExprId) -> ExprId {
        let mut expr = expr;
        while let Expr::Narrowed(inner, _) = self.facts.expr(expr) {
            expr = inner;
        }
        expr
    }

    /// The condition of a comparison.
    pub(super) fn comparison(&self, operator: TokenKind, left: &Operand, right: &Operand) -> NarrowingCondition {
        let negated = matches!(operator, TokenKind::NotEqual | TokenKind::NotIdentical);
        let mut tests = SmallVec::new();
        match operator {
            TokenKind::Equal | TokenKind::Identical | TokenKind::NotEqual | TokenKind::NotIdentical => {
                self.equality_tests(left, right, &mut tests);
                if tests.is_empty() {
                    self.equality_tests(right, left, &mut tests);
                }
            }
            TokenKind::Instanceof if self.reference_path(left.expr).is_some() => {
                tests.push((left.expr, NarrowingTest::Instanceof(right.expr)));
            }
            TokenKind::In => {
                if let Expr::String(Some(name)) = self.facts.expr(left.expr)
                    && self.reference_path(right.expr).is_some()
                {
                    tests.push((right.expr, NarrowingTest::In(name)));
                }
            }
            _ => {}
        }
        match tests.is_empty() {
            true => NarrowingCondition::Unknown,
            false if negated => NarrowingCondition::Not(Box::new(NarrowingCondition::Tests(tests))),
            false => NarrowingCondition::Tests(tests),
        }
    }

    /// Adds the tests of `left === right` if `right` is a literal, `null`, `undefined`, or a name or property that may
    /// be constant.
    pub(super) fn equality_tests(
        &self,
        left: &Operand,
        right: &Operand,
        tests: &mut SmallVec<[(ExprId, NarrowingTest); 2]>,
    ) {
        let constant = self.facts.expr(self.without_guards(right.expr));
        if let Some(inner) = left.typeof_of {
            if let Expr::String(Some(name)) = constant
                && self.reference_path(inner).is_some()
            {
                tests.push((inner, NarrowingTest::Typeof(name)));
            }
            return;
        }
        let is_nullish = matches!(constant, Expr::Null | Expr::Undefined);
        let is_constant = matches!(
            constant,
            Expr::String(_) | Expr::Number | Expr::Bool(_) | Expr::Property { .. } | Expr::Name { .. }
        );
        if (!is_nullish && !is_constant) || self.reference_path(left.expr).is_none() {
            return;
        }
        tests.push((left.expr, if is_nullish { NarrowingTest::Nullish } else { NarrowingTest::Equals(right.expr) }));
        if is_constant && let Expr::Property { object, name, .. } = self.facts.expr(self.without_guards(left.expr)) {
            tests.push((object, NarrowingTest::Discriminant(name, right.expr)));
        }
    }
}
