//! Operators and conditional expressions.

use tree_sitter::{Node, TreeCursor};

use super::{
    conditions::NarrowingCondition,
    facts::{Expr, ExprId, ExpressionContext},
    grammar::{NodeKind, SyntaxKind, TokenKind},
    lower::Lowering,
};

/// An operand of a binary operator.
#[derive(Debug)]
pub(super) struct Operand {
    pub(super) expr: ExprId,
    /// The type guards that hold if the operand is true or false.
    pub(super) condition: NarrowingCondition,
    /// For an operand `typeof x`, the expression `x`.
    pub(super) typeof_of: Option<ExprId>,
}

impl Lowering<'_> {
    /// Lowers a binary expression. The tree of a chain of operators is nested on the left. A loop walks it, so that a
    /// long chain costs no recursion depth.
    pub(super) fn binary(&mut self, cursor: &mut TreeCursor) -> (ExprId, NarrowingCondition) {
        let group = self.operator(cursor.node());
        let is_logical = is_logical(group);
        let start = self.start_branch();
        let mut levels = 0;
        let mut innermost = group;
        while self.is_node(cursor.node(), NodeKind::BinaryExpression)
            && {
                let operator = self.operator(cursor.node());
                innermost = operator;
                operator == group || !is_logical && !self::is_logical(operator)
            }
            && cursor.goto_first_child()
        {
            levels += 1;
        }
        let place = self.place_of_operand(innermost);
        let mut left = self.at_place(place, |this| this.operand(cursor));
        for level in 0..levels {
            let mut operator = TokenKind::Other;
            let mut has_right = false;
            while cursor.goto_next_sibling() {
                match self.kind(cursor.node()) {
                    SyntaxKind::Token(token) => operator = token,
                    SyntaxKind::Comment => {}
                    SyntaxKind::Node(_) => {
                        has_right = true;
                        break;
                    }
                }
            }
            if has_right {
                match (operator, &left.condition) {
                    (TokenKind::And, NarrowingCondition::All(parts)) if level > 0 => {
                        if let Some(last) = parts.last().cloned() {
                            self.assume(&last, true);
                        }
                    }
                    (TokenKind::Or, NarrowingCondition::Any(parts)) if level > 0 => {
                        if let Some(last) = parts.last().cloned() {
                            self.assume(&last, false);
                        }
                    }
                    (TokenKind::And | TokenKind::Or, condition) => {
                        let condition = condition.clone();
                        self.assume(&condition, operator == TokenKind::And);
                    }
                    _ => {}
                }
                let place = self.place_of_operand(operator);
                let right = self.at_place(place, |this| this.operand(cursor));
                left = self.combine(operator, left, right);
            }
            cursor.goto_parent();
        }
        if is_logical {
            self.end_branch_and_join(&start);
        }
        (left.expr, left.condition)
    }

    /// The operator of a binary expression.
    pub(super) fn operator(&self, binary: Node) -> TokenKind {
        let operator = binary.child_by_field_id(self.grammar.fields.operator);
        match operator.map(|node| self.kind(node)) {
            Some(SyntaxKind::Token(token)) => token,
            _ => TokenKind::Other,
        }
    }

    pub(super) fn operand(&mut self, cursor: &mut TreeCursor) -> Operand {
        let node = cursor.node();
        if self.is_node(node, NodeKind::ParenthesizedExpression) {
            let inner = self
                .descend(node, |this| this.first_named_child(cursor, |this, cursor, _| this.operand(cursor)))
                .flatten();
            return inner.unwrap_or_else(|| self.plain_operand(Expr::Unknown));
        }
        if self.is_node(node, NodeKind::UnaryExpression) && self.has_token(node, TokenKind::Typeof) {
            let typeof_of = self.first_named_child(cursor, |this, cursor, _| this.expr(cursor));
            let expr = self.add_expr(Expr::String(None));
            return Operand { expr, condition: NarrowingCondition::Unknown, typeof_of };
        }
        let (expr, condition) = self.condition(cursor);
        Operand { expr, condition, typeof_of: None }
    }

    fn plain_operand(&mut self, expr: Expr) -> Operand {
        Operand { expr: self.add_expr(expr), condition: NarrowingCondition::Unknown, typeof_of: None }
    }

    /// Adds the expression `left operator right`, with the type guards that follow from its outcome.
    fn combine(&mut self, operator: TokenKind, left: Operand, right: Operand) -> Operand {
        let (a, b) = (left.expr, right.expr);
        let (expr, condition) = match operator {
            TokenKind::And => {
                let parts = match left.condition {
                    NarrowingCondition::All(mut parts) => {
                        parts.push(right.condition);
                        parts
                    }
                    first => vec![first, right.condition],
                };
                (Expr::And(a, b), NarrowingCondition::All(parts))
            }
            TokenKind::Or => {
                let parts = match left.condition {
                    NarrowingCondition::Any(mut parts) => {
                        parts.push(right.condition);
                        parts
                    }
                    first => vec![first, right.condition],
                };
                (Expr::Or(a, b), NarrowingCondition::Any(parts))
            }
            TokenKind::Nullish => (Expr::Nullish(a, b), NarrowingCondition::Unknown),
            TokenKind::Plus => (Expr::Plus(a, b), NarrowingCondition::Unknown),
            TokenKind::Equal
            | TokenKind::Identical
            | TokenKind::NotEqual
            | TokenKind::NotIdentical
            | TokenKind::Less
            | TokenKind::LessEqual
            | TokenKind::Greater
            | TokenKind::GreaterEqual
            | TokenKind::In
            | TokenKind::Instanceof => (Expr::Test, self.comparison(operator, &left, &right)),
            _ => (Expr::Number, NarrowingCondition::Unknown),
        };
        let expr = self.add_expr(expr);
        if matches!(operator, TokenKind::And | TokenKind::Or | TokenKind::Nullish) {
            if operator != TokenKind::And {
                self.record_context(a, ExpressionContext::Same(expr));
            }
            self.record_context(b, ExpressionContext::Same(expr));
        }
        Operand { expr, condition, typeof_of: None }
    }

    pub(super) fn unary(&mut self, cursor: &mut TreeCursor) -> ExprId {
        let mut operator = TokenKind::Other;
        self.children(cursor, |this, cursor, kind| match kind {
            SyntaxKind::Token(token) => operator = token,
            SyntaxKind::Comment => {}
            SyntaxKind::Node(_) => {
                let operand = this.expr(cursor);
                if operator == TokenKind::Delete {
                    this.drop_read(operand);
                }
            }
        });
        self.add_expr(unary_result(operator))
    }

    /// Lowers `c ? a : b`.
    pub(super) fn ternary(&mut self, cursor: &mut TreeCursor) -> ExprId {
        let fields = &self.grammar.fields;
        let start = self.start_branch();
        let mut condition = NarrowingCondition::Unknown;
        let (mut yes, mut no) = (None, None);
        self.fields(cursor, |this, cursor, _, field| {
            if field == fields.condition {
                condition = this.at_place(None, |this| this.condition(cursor)).1;
                this.assume(&condition, true);
            } else if field == fields.consequence {
                yes = Some(this.expr(cursor));
                this.end_branch_and_join(&start);
                this.assume(&condition, false);
            } else if field == fields.alternative {
                no = Some(this.expr(cursor));
            }
        });
        self.end_branch_and_join(&start);
        let (Some(yes), Some(no)) = (yes, no) else { return self.add_expr(Expr::Unknown) };
        let expr = self.add_expr(Expr::Either(yes, no));
        self.record_context(yes, ExpressionContext::Same(expr));
        self.record_context(no, ExpressionContext::Same(expr));
        expr
    }
}

/// The result of an operator before one operand.
pub(super) fn unary_result(operator: TokenKind) -> Expr {
    match operator {
        TokenKind::Delete | TokenKind::Bang => Expr::Test,
        TokenKind::Typeof => Expr::String(None),
        TokenKind::Void => Expr::Undefined,
        _ => Expr::Number,
    }
}

pub(super) fn is_logical(operator: TokenKind) -> bool {
    matches!(operator, TokenKind::And | TokenKind::Or | TokenKind::Nullish)
}
