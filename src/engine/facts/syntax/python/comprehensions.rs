//! Comprehensions and generator expressions (PEP 202, PEP 274, PEP 289, PEP 530).

use smallvec::SmallVec;
use tree_sitter::TreeCursor;

use super::{
    facts::{Expr, ExprId, ScopeKind},
    grammar::NodeKind,
    lower::Lowering,
    patterns::AssignedValue,
};

impl Lowering<'_> {
    pub(super) fn lower_comprehension(&mut self, cursor: &mut TreeCursor, kind: NodeKind) -> ExprId {
        let start = self.flow.snapshot();
        let outer = self.flow.scope;
        let scope = self.add_scope(ScopeKind::Function, None);
        let is_in_class = self.facts.scopes[outer.index()].kind == ScopeKind::Class;
        let flows = self.outer_flows.len();
        let fields = &self.grammar.fields;
        // The clauses bind the names of the body, so they are lowered first. The first iterable belongs to the outer
        // scope.
        self.children(cursor, |this, cursor, kind| match kind {
            NodeKind::ForInClause => {
                let mut is_async = false;
                this.children(cursor, |this, cursor, kind| {
                    is_async |= kind == NodeKind::Token && this.text(cursor.node()) == "async";
                });
                let right = this.lower_field(cursor, fields.right).unwrap_or_else(|| this.unknown());
                // Names of a class body are visible in the first iterable alone (language reference, 4.2.2).
                if is_in_class && this.outer_flows.len() == flows {
                    this.enter_comprehension(scope);
                }
                this.flow.scope = scope;
                this.field(cursor, fields.left, |this, cursor, _| {
                    this.bind_target(cursor, &AssignedValue::iteration(right, is_async));
                });
            }
            NodeKind::IfClause => {
                this.children(cursor, |this, cursor, kind| {
                    if !kind.is_token_or_comment() {
                        let (_, condition) = this.lower_condition(cursor);
                        this.assume(&condition, true);
                    }
                });
            }
            _ => {}
        });
        let mut values: SmallVec<[ExprId; 2]> = SmallVec::new();
        self.field(cursor, fields.body, |this, cursor, kind| {
            if kind == NodeKind::Pair {
                this.children(cursor, |this, cursor, kind| {
                    if !kind.is_token_or_comment() {
                        values.push(this.lower_expr(cursor));
                    }
                });
            } else {
                values.push(this.lower_expr(cursor));
            }
        });
        if self.outer_flows.len() > flows {
            self.leave_body();
        }
        self.flow.scope = outer;
        self.flow.rollback(start);
        match (kind, &values[..]) {
            (NodeKind::ListComprehension, &[value]) => self.add_expr(Expr::ListComprehension(value)),
            (NodeKind::SetComprehension, &[value]) => self.add_expr(Expr::SetComprehension(value)),
            (NodeKind::GeneratorExpression, &[value]) => self.add_expr(Expr::Generator(value)),
            (NodeKind::DictionaryComprehension, &[key, value]) => self.add_expr(Expr::DictComprehension(key, value)),
            _ => self.unknown(),
        }
    }
}
