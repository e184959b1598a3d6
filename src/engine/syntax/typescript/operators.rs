//! Operators, conditionals and `typeof`.

use tree_sitter::{Node, TreeCursor};

use super::{
    conditions::Condition,
    facts::{Context, Expr, ExprId},
    kinds::{Kind, Named, Token},
    lower::Lowering,
};

/// One side of an operator.
#[derive(Debug)]
pub(super) struct Operand {
    pub(super) expr: ExprId,
    pub(super) condition: Condition,
    /// `x` of `typeof x`.
    pub(super) typeof_of: Option<ExprId>,
}

impl Lowering<'_> {
    /// A binary expression. A chain of operators leans to the left and is read in a loop, so that its length
    /// costs no depth.
    pub(super) fn binary(&mut self, cursor: &mut TreeCursor) -> (ExprId, Condition) {
        let group = self.operator(cursor.node());
        let is_logical = is_logical(group);
        let mark = self.mark();
        let mut levels = 0;
        while self.is(cursor.node(), Named::BinaryExpression)
            && {
                let operator = self.operator(cursor.node());
                operator == group || !is_logical && !self::is_logical(operator)
            }
            && cursor.goto_first_child()
        {
            levels += 1;
        }
        let mut left = self.operand(cursor);
        for level in 0..levels {
            let mut operator = Token::Other;
            let mut has_right = false;
            while cursor.goto_next_sibling() {
                match self.kind(cursor.node()) {
                    Kind::Token(token) => operator = token,
                    Kind::Comment => {}
                    Kind::Node(_) => {
                        has_right = true;
                        break;
                    }
                }
            }
            if has_right {
                match (operator, &left.condition) {
                    (Token::And, Condition::All(parts)) if level > 0 => {
                        if let Some(last) = parts.last().cloned() {
                            self.assume(&last, true);
                        }
                    }
                    (Token::Or, Condition::Any(parts)) if level > 0 => {
                        if let Some(last) = parts.last().cloned() {
                            self.assume(&last, false);
                        }
                    }
                    (Token::And | Token::Or, condition) => {
                        let condition = condition.clone();
                        self.assume(&condition, operator == Token::And);
                    }
                    _ => {}
                }
                let right = self.operand(cursor);
                left = self.combined(operator, left, right);
            }
            cursor.goto_parent();
        }
        if is_logical {
            self.leave_and_meet(&mark);
        }
        (left.expr, left.condition)
    }

    fn operator(&self, binary: Node) -> Token {
        let operator = binary.child_by_field_id(self.grammar.fields.operator);
        match operator.map(|node| self.kind(node)) {
            Some(Kind::Token(token)) => token,
            _ => Token::Other,
        }
    }

    pub(super) fn operand(&mut self, cursor: &mut TreeCursor) -> Operand {
        let node = cursor.node();
        if self.is(node, Named::ParenthesizedExpression) {
            let inner = self.deeper(node, |this| this.first(cursor, |this, cursor, _| this.operand(cursor))).flatten();
            return inner.unwrap_or_else(|| self.plain(Expr::Unknown));
        }
        if self.is(node, Named::UnaryExpression) && self.has_token(node, Token::Typeof) {
            let typeof_of = self.first(cursor, |this, cursor, _| this.expr(cursor));
            let expr = self.add(Expr::String(None));
            return Operand { expr, condition: Condition::Plain, typeof_of };
        }
        let (expr, condition) = self.condition(cursor);
        Operand { expr, condition, typeof_of: None }
    }

    fn plain(&mut self, expr: Expr) -> Operand {
        Operand { expr: self.add(expr), condition: Condition::Plain, typeof_of: None }
    }

    fn combined(&mut self, operator: Token, left: Operand, right: Operand) -> Operand {
        let (a, b) = (left.expr, right.expr);
        let (expr, condition) = match operator {
            Token::And => {
                let parts = match left.condition {
                    Condition::All(mut parts) => {
                        parts.push(right.condition);
                        parts
                    }
                    first => vec![first, right.condition],
                };
                (Expr::And(a, b), Condition::All(parts))
            }
            Token::Or => {
                let parts = match left.condition {
                    Condition::Any(mut parts) => {
                        parts.push(right.condition);
                        parts
                    }
                    first => vec![first, right.condition],
                };
                (Expr::Or(a, b), Condition::Any(parts))
            }
            Token::Nullish => (Expr::Nullish(a, b), Condition::Plain),
            Token::Plus => (Expr::Plus(a, b), Condition::Plain),
            Token::Equal
            | Token::Identical
            | Token::NotEqual
            | Token::NotIdentical
            | Token::Less
            | Token::LessEqual
            | Token::Greater
            | Token::GreaterEqual
            | Token::In
            | Token::Instanceof => (Expr::Test, self.compared(operator, &left, &right)),
            _ => (Expr::Number, Condition::Plain),
        };
        let expr = self.add(expr);
        if matches!(operator, Token::And | Token::Or | Token::Nullish) {
            if operator != Token::And {
                self.expect(a, Context::Same(expr));
            }
            self.expect(b, Context::Same(expr));
        }
        Operand { expr, condition, typeof_of: None }
    }

    pub(super) fn unary(&mut self, cursor: &mut TreeCursor) -> ExprId {
        let mut operator = Token::Other;
        self.children(cursor, |this, cursor, kind| match kind {
            Kind::Token(token) => operator = token,
            Kind::Comment => {}
            Kind::Node(_) => {
                this.expr(cursor);
            }
        });
        self.add(match operator {
            Token::Delete => Expr::Test,
            Token::Typeof => Expr::String(None),
            Token::Void => Expr::Undefined,
            _ => Expr::Number,
        })
    }

    /// `c ? a : b`
    pub(super) fn ternary(&mut self, cursor: &mut TreeCursor) -> ExprId {
        let fields = &self.grammar.fields;
        let mark = self.mark();
        let mut condition = Condition::Plain;
        let (mut yes, mut no) = (None, None);
        self.fields(cursor, |this, cursor, _, field| {
            if field == fields.condition {
                condition = this.condition(cursor).1;
                this.assume(&condition, true);
            } else if field == fields.consequence {
                yes = Some(this.expr(cursor));
                this.leave_and_meet(&mark);
                this.assume(&condition, false);
            } else if field == fields.alternative {
                no = Some(this.expr(cursor));
            }
        });
        self.leave_and_meet(&mark);
        let (Some(yes), Some(no)) = (yes, no) else { return self.add(Expr::Unknown) };
        let expr = self.add(Expr::Either(yes, no));
        self.expect(yes, Context::Same(expr));
        self.expect(no, Context::Same(expr));
        expr
    }
}

fn is_logical(operator: Token) -> bool {
    matches!(operator, Token::And | Token::Or | Token::Nullish)
}
