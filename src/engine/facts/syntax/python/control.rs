//! Control flow statements: `if`, loops, `try`, `with`.

use tree_sitter::TreeCursor;

use super::{
    conditions::Condition,
    expected_errors::ManagerEffects,
    facts::{Expr, ExprId, Extraction, MentionPlace},
    flow::BranchChanges,
    grammar::NodeKind,
    lower::Lowering,
    patterns::AssignedValue,
};
use crate::syntax::tree::field_of;

impl Lowering<'_> {
    pub(super) fn lower_if(&mut self, cursor: &mut TreeCursor) {
        let fields = &self.grammar.fields;
        let start = self.flow.snapshot();
        let mut branches: Vec<BranchChanges> = Vec::new();
        // Each failed condition narrows the flow state, so every later branch starts from the narrowed state.
        let mut condition = None;
        let outer = self.in_run_time_branch;
        self.children(cursor, |this, cursor, kind| {
            let field = field_of(cursor);
            if kind == NodeKind::Comment {
            } else if field == fields.condition {
                condition = Some(this.lower_condition(cursor).1);
            } else if field == fields.consequence {
                branches.push(this.lower_branch(cursor, condition.as_ref()));
            } else if field == fields.alternative && kind == NodeKind::ElifClause {
                this.children(cursor, |this, cursor, kind| {
                    let field = field_of(cursor);
                    if kind == NodeKind::Comment {
                    } else if field == fields.condition {
                        condition = Some(this.lower_condition(cursor).1);
                    } else if field == fields.consequence {
                        branches.push(this.lower_branch(cursor, condition.as_ref()));
                    }
                });
            } else if field == fields.alternative {
                this.field(cursor, fields.body, |this, cursor, _| this.lower_block(cursor));
            }
        });
        self.in_run_time_branch = outer;
        let no_branch = self.flow.rollback(start);
        branches.push(no_branch);
        self.flow.join(&mut self.facts, &branches);
    }

    /// Lowers the block at the cursor, which runs if `condition` is true. Afterwards, the flow state assumes that the
    /// condition is false.
    fn lower_branch(&mut self, cursor: &mut TreeCursor, condition: Option<&Condition>) -> BranchChanges {
        let start = self.flow.snapshot();
        let outer = self.in_run_time_branch;
        if let Some(condition) = condition {
            self.assume(condition, true);
            self.in_run_time_branch |= condition.is_at_run_time(true);
        }
        self.lower_block(cursor);
        let branch = self.flow.rollback(start);
        self.in_run_time_branch = outer;
        if let Some(condition) = condition {
            self.assume(condition, false);
            self.in_run_time_branch |= condition.is_at_run_time(false);
        }
        branch
    }

    pub(super) fn lower_while(&mut self, cursor: &mut TreeCursor) {
        let fields = &self.grammar.fields;
        let start = self.flow.snapshot();
        self.flow.enter_loop(self.facts.bindings.len());
        let mut condition = None;
        self.field(cursor, fields.condition, |this, cursor, _| condition = Some(this.lower_condition(cursor).1));
        let is_endless = matches!(condition, Some(Condition::Constant(true)));
        if let Some(condition) = &condition {
            self.assume(condition, true);
        }
        self.field(cursor, fields.body, |this, cursor, _| this.lower_block(cursor));
        let mut branches = self.flow.leave_loop(&mut self.facts, start);
        self.lower_loop_else(cursor, &mut branches, is_endless, condition.as_ref());
    }

    pub(super) fn lower_for(&mut self, cursor: &mut TreeCursor) {
        let fields = &self.grammar.fields;
        let mut is_async = false;
        self.children(cursor, |this, cursor, kind| {
            is_async |= kind == NodeKind::Token && this.text(cursor.node()) == "async";
        });
        let right = self.lower_field(cursor, fields.right).unwrap_or_else(|| self.unknown());
        let start = self.flow.snapshot();
        self.flow.enter_loop(self.facts.bindings.len());
        self.field(cursor, fields.left, |this, cursor, _| {
            this.bind_target(cursor, &AssignedValue::iteration(right, is_async));
        });
        self.field(cursor, fields.body, |this, cursor, _| this.lower_block(cursor));
        let mut branches = self.flow.leave_loop(&mut self.facts, start);
        self.lower_loop_else(cursor, &mut branches, false, None);
    }

    /// Lowers the `else` block of a loop, and joins its end with `branches`, which left the body of the loop.
    fn lower_loop_else(
        &mut self,
        cursor: &mut TreeCursor,
        branches: &mut Vec<BranchChanges>,
        is_endless: bool,
        condition: Option<&Condition>,
    ) {
        let fields = &self.grammar.fields;
        let start = self.flow.snapshot();
        if is_endless {
            self.flow.reachable = false;
        }
        if let Some(condition) = condition {
            self.assume(condition, false);
        }
        self.field(cursor, fields.alternative, |this, cursor, _| {
            this.field(cursor, fields.body, |this, cursor, _| this.lower_block(cursor));
        });
        branches.push(self.flow.rollback(start));
        self.flow.join(&mut self.facts, branches);
    }

    pub(super) fn lower_try(&mut self, cursor: &mut TreeCursor) {
        let fields = &self.grammar.fields;
        let start = self.flow.snapshot();
        self.field(cursor, fields.body, |this, cursor, _| this.lower_block(cursor));
        // The `else` block follows the body; a handler may follow any point of the body.
        self.children(cursor, |this, cursor, kind| {
            if kind == NodeKind::ElseClause {
                this.field(cursor, fields.body, |this, cursor, _| this.lower_block(cursor));
            }
        });
        let body = self.flow.rollback(start);
        let mut branches = vec![body];
        self.children(cursor, |this, cursor, kind| {
            if kind == NodeKind::ExceptClause {
                let handler = this.flow.snapshot();
                let partial = branches[0].as_partial();
                let untouched = this.flow.rollback(handler);
                this.flow.join(&mut this.facts, &[partial, untouched]);
                let outer = std::mem::replace(&mut this.flow.in_except, true);
                this.lower_except(cursor);
                this.flow.in_except = outer;
                let branch = this.flow.rollback(handler);
                branches.push(branch);
            }
        });
        self.flow.join(&mut self.facts, &branches);
        let reachable = self.flow.reachable;
        self.children(cursor, |this, cursor, kind| {
            if kind == NodeKind::FinallyClause {
                // `finally` also runs after `return` and `raise`.
                this.flow.reachable = true;
                this.children(cursor, |this, cursor, kind| {
                    if kind == NodeKind::Block {
                        this.lower_block(cursor);
                    }
                });
                this.flow.reachable &= reachable;
            }
        });
    }

    fn lower_except(&mut self, cursor: &mut TreeCursor) {
        let fields = &self.grammar.fields;
        let mut value = None;
        let mut extraction = Extraction::Exception;
        self.children(cursor, |this, cursor, kind| {
            let field = field_of(cursor);
            if kind == NodeKind::Block {
                this.lower_block(cursor);
            } else if kind == NodeKind::Token && this.text(cursor.node()) == "*" {
                extraction = Extraction::ExceptionGroup;
            } else if field == fields.alias {
                let exception = value.unwrap_or_else(|| this.unknown());
                this.bind_target(cursor, &AssignedValue::extracted(exception, extraction));
            } else if kind == NodeKind::AsPattern {
                this.at_place(Some(MentionPlace::Caught), |this| this.lower_as_pattern(cursor, extraction));
            } else if !kind.is_token_or_comment() {
                value = Some(this.at_place(Some(MentionPlace::Caught), |this| this.lower_expr(cursor)));
            }
        });
    }

    /// Lowers `value as target` at the cursor, and returns the value.
    fn lower_as_pattern(&mut self, cursor: &mut TreeCursor, extraction: Extraction) -> ExprId {
        let fields = &self.grammar.fields;
        let mut value = self.unknown();
        self.children(cursor, |this, cursor, kind| {
            let field = field_of(cursor);
            if field == fields.alias {
                this.at_place(None, |this| this.bind_target(cursor, &AssignedValue::extracted(value, extraction)));
            } else if !kind.is_token_or_comment() {
                value = this.lower_expr(cursor);
            }
        });
        value
    }

    pub(super) fn lower_with(&mut self, cursor: &mut TreeCursor) {
        let fields = &self.grammar.fields;
        let mut extraction = Extraction::Enter;
        let mut managers = ManagerEffects::default();
        let before = self.flow.reachable;
        self.children(cursor, |this, cursor, kind| match kind {
            NodeKind::Token if this.text(cursor.node()) == "async" => extraction = Extraction::AsyncEnter,
            NodeKind::WithClause => {
                this.children(cursor, |this, cursor, kind| {
                    if kind == NodeKind::WithItem {
                        this.children(cursor, |this, cursor, kind| {
                            if !kind.is_token_or_comment() {
                                this.lower_with_item(cursor, kind, extraction, &mut managers);
                            }
                        });
                    }
                });
            }
            _ => {}
        });
        let first = self.facts.calls.len();
        self.field(cursor, fields.body, |this, cursor, _| this.lower_block(cursor));
        if managers.expect_error {
            self.expect_error_from(first);
        }
        if managers.suppress {
            self.flow.reachable = before;
        }
    }

    /// Lowers an item of `with`, and adds the known effects of its context manager to `managers`.
    fn lower_with_item(
        &mut self,
        cursor: &mut TreeCursor,
        kind: NodeKind,
        extraction: Extraction,
        managers: &mut ManagerEffects,
    ) {
        let value = match kind {
            NodeKind::AsPattern => self.lower_as_pattern(cursor, extraction),
            // The grammar parses `with (a as b, c as d):` as a tuple.
            NodeKind::Tuple | NodeKind::ParenthesizedExpression => {
                self.children(cursor, |this, cursor, kind| {
                    if !kind.is_token_or_comment() {
                        this.lower_with_item(cursor, kind, extraction, managers);
                    }
                });
                return;
            }
            _ => self.lower_expr(cursor),
        };
        let Expr::Call(site) = self.facts.expr(value) else { return };
        let callee = self.facts.calls[site.index()].callee;
        managers.expect_error |= self.expects_error(callee);
        managers.suppress |= ["raises", "suppress", "assertRaises", "assertRaisesRegex", "RaisesGroup", "subTest"]
            .iter()
            .any(|name| self.facts.is_named(callee, name));
    }
}
