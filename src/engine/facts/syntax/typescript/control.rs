//! Statements with control flow: their branches, joins and type guards.

use smallvec::SmallVec;
use tree_sitter::TreeCursor;

use super::{
    conditions::NarrowingCondition,
    context::ExportModifier,
    facts::{Expr, ExprId, MentionPlace, ScopeKind, ValueSource},
    grammar::{NodeKind, SyntaxKind, TokenKind},
    lower::Lowering,
    operators::Operand,
    patterns::PatternBinding,
};
use crate::syntax::tree::field_of;

/// The maximum number of cases of a `switch` that are assumed not to match in its `default` and in bodies with several
/// labels.
const MAX_CASES: usize = 8;

impl Lowering<'_> {
    pub(super) fn if_statement(&mut self, cursor: &mut TreeCursor) {
        let fields = &self.grammar.fields;
        let mut condition = NarrowingCondition::Unknown;
        let mut start = self.start_branch();
        let mut consequence = None;
        let has_else = cursor.node().child_by_field_id(fields.alternative).is_some();
        let mut facts_of_consequence = Vec::new();
        self.fields(cursor, |this, cursor, kind, field| {
            if field == fields.condition {
                condition = this.condition(cursor).1;
                start = this.start_branch();
                this.assume(&condition, true);
            } else if field == fields.consequence {
                this.statement(cursor, kind);
                if has_else || this.has_assigned(&start) {
                    facts_of_consequence = this.facts_of_branch(&start);
                }
                consequence = Some(this.end_branch(&start));
                this.assume(&condition, false);
            } else if field == fields.alternative {
                this.named_children(cursor, |this, cursor, kind| this.statement(cursor, kind));
            }
        });
        let Some(consequence) = consequence else { return };
        match (consequence.reachable, self.frame.reachable) {
            // The code after the statement is reached only if the condition is false, so the facts of the false
            // condition remain.
            (false, _) => {}
            (true, false) => {
                self.end_branch(&start);
                self.assume(&condition, true);
                self.join(consequence);
                self.assume_assigned_in_branch(&start, facts_of_consequence);
            }
            (true, true) => self.join_branches(&start, facts_of_consequence, consequence, has_else),
        }
    }

    /// Runs `f`, which lowers the repeated parts of a loop. Returns true if a `break` leaves the loop.
    fn loop_body(&mut self, f: impl FnOnce(&mut Self)) -> bool {
        let start = self.start_branch();
        let loop_start = std::mem::replace(&mut self.narrowing.loop_start, start.facts as u32);
        self.frame.breaks.push(false);
        f(self);
        self.narrowing.loop_start = loop_start;
        self.end_loop(&start);
        self.frame.breaks.pop().unwrap_or(false)
    }

    pub(super) fn while_statement(&mut self, cursor: &mut TreeCursor) {
        let fields = &self.grammar.fields;
        let mut condition = (None, NarrowingCondition::Unknown);
        let has_break = self.loop_body(|this| {
            this.fields(cursor, |this, cursor, kind, field| {
                if field == fields.condition {
                    let (expr, tested) = this.condition(cursor);
                    this.assume(&tested, true);
                    condition = (Some(expr), tested);
                } else if field == fields.body {
                    this.statement(cursor, kind);
                }
            });
        });
        if !has_break {
            self.frame.reachable &= !self.is_true(condition.0);
            self.assume(&condition.1, false);
        }
    }

    fn is_true(&self, condition: Option<ExprId>) -> bool {
        condition.is_some_and(|expr| self.facts.expr(expr) == Expr::Bool(true))
    }

    pub(super) fn do_statement(&mut self, cursor: &mut TreeCursor) {
        let fields = &self.grammar.fields;
        let mut condition = None;
        let has_break = self.loop_body(|this| {
            this.fields(cursor, |this, cursor, kind, field| {
                if field == fields.body {
                    this.statement(cursor, kind);
                } else if field == fields.condition {
                    condition = Some(this.condition(cursor).0);
                }
            });
        });
        if !has_break {
            self.frame.reachable &= !self.is_true(condition);
        }
    }

    pub(super) fn for_statement(&mut self, cursor: &mut TreeCursor) {
        let fields = &self.grammar.fields;
        self.in_new_scope(ScopeKind::Block, |this| {
            this.field(cursor, fields.initializer, |this, cursor, kind| this.statement(cursor, kind));
            let mut has_condition = false;
            let has_break = this.loop_body(|this| {
                this.fields(cursor, |this, cursor, kind, field| {
                    if field == fields.condition && kind != NodeKind::EmptyStatement {
                        has_condition = true;
                        let condition = this.condition(cursor).1;
                        this.assume(&condition, true);
                    } else if field == fields.increment {
                        this.expr(cursor);
                    } else if field == fields.body {
                        this.statement(cursor, kind);
                    }
                });
            });
            this.frame.reachable &= has_condition || has_break;
        });
    }

    pub(super) fn for_in_statement(&mut self, cursor: &mut TreeCursor) {
        let fields = &self.grammar.fields;
        let (mut is_of, mut is_awaited, mut kind) = (false, false, None);
        self.children(cursor, |_, _, child| match child {
            SyntaxKind::Token(TokenKind::Of) => is_of = true,
            SyntaxKind::Token(TokenKind::Await) => is_awaited = true,
            SyntaxKind::Token(token @ (TokenKind::Const | TokenKind::Let | TokenKind::Var)) => kind = Some(token),
            _ => {}
        });
        self.in_new_scope(ScopeKind::Block, |this| {
            let mut iterated = None;
            this.field(cursor, fields.right, |this, cursor, _| iterated = Some(this.expr(cursor)));
            let iterated = iterated.unwrap_or_else(|| this.add_expr(Expr::Unknown));
            let binding = PatternBinding {
                annotation: None,
                source: match (is_of, is_awaited) {
                    (false, _) => ValueSource::KeyOf(iterated),
                    (true, false) => ValueSource::ElementOf(iterated),
                    (true, true) => ValueSource::AwaitedElementOf(iterated),
                },
                is_const: kind == Some(TokenKind::Const),
                scope: if kind == Some(TokenKind::Var) { this.frame.var_scope } else { this.frame.scope },
                exporting: ExportModifier::No,
            };
            this.loop_body(|this| {
                this.field(cursor, fields.left, |this, cursor, _| {
                    if kind.is_some() {
                        this.declare_pattern(cursor, &binding, &mut SmallVec::new());
                    } else {
                        this.assignment_target(cursor, None);
                    }
                });
                this.field(cursor, fields.body, Self::statement);
            });
        });
    }

    /// Lowers `break`. A `break` with a label is treated as leaving every enclosing loop.
    pub(super) fn break_statement(&mut self, has_label: bool) {
        if has_label {
            self.frame.breaks.fill(true);
        } else if let Some(innermost) = self.frame.breaks.last_mut() {
            *innermost = true;
        }
        self.frame.reachable = false;
    }

    pub(super) fn labeled_statement(&mut self, cursor: &mut TreeCursor) {
        let fields = &self.grammar.fields;
        let start = self.start_branch();
        self.frame.breaks.push(false);
        self.field(cursor, fields.body, Self::statement);
        if self.frame.breaks.pop() == Some(true) {
            self.end_branch_and_join(&start);
        }
    }

    pub(super) fn switch_statement(&mut self, cursor: &mut TreeCursor) {
        let fields = &self.grammar.fields;
        let mut subject = None;
        let mut has_default = false;
        self.frame.breaks.push(false);
        let mut start = self.start_branch();
        self.fields(cursor, |this, cursor, _, field| {
            if field == fields.value {
                subject = Some(this.operand(cursor));
                start = this.start_branch();
            } else if field == fields.body
                && let Some(subject) = &subject
            {
                this.in_new_scope(ScopeKind::Block, |this| has_default = this.switch_cases(cursor, subject));
            }
        });
        let has_break = self.frame.breaks.pop() == Some(true);
        let end_reachable = self.frame.reachable || has_break || !has_default;
        self.end_branch_and_join(&start);
        self.frame.reachable &= end_reachable;
    }

    /// Lowers the cases of a `switch`. Returns true if there is a `default`.
    fn switch_cases(&mut self, cursor: &mut TreeCursor, subject: &Operand) -> bool {
        let fields = &self.grammar.fields;
        let start = self.start_branch();
        let subject_is_true = self.is_true(Some(subject.expr));
        let mut earlier = Vec::new();
        let mut has_default = false;
        let mut falls_through = false;
        // Several labels may share one body: `case a: case b: f()`. `cases_before` is the number of cases before the
        // first label of the current body. `only_labels` is true while no statement follows that label.
        let (mut cases_before, mut only_labels) = (0, true);
        self.named_children(cursor, |this, cursor, kind| {
            this.end_branch_and_join(&start);
            let mut is_label_pending = kind == NodeKind::SwitchCase;
            has_default |= kind == NodeKind::SwitchDefault;
            if !falls_through {
                (cases_before, only_labels) = (earlier.len(), true);
            }
            if only_labels && (falls_through || kind == NodeKind::SwitchDefault) {
                for case in &earlier[..cases_before] {
                    this.assume(case, false);
                }
            }
            let shares_body = falls_through && only_labels && kind == NodeKind::SwitchCase;
            this.documented_children(cursor, |this, cursor, child| {
                let SyntaxKind::Node(node_kind) = child else { return };
                let field = field_of(cursor);
                if is_label_pending && field == fields.value {
                    is_label_pending = false;
                    let value = this.at_place(Some(MentionPlace::Compared), |this| this.operand(cursor));
                    let case = if subject_is_true { value.condition } else { this.case_condition(subject, &value) };
                    if !falls_through {
                        this.assume(&case, true);
                    }
                    if earlier.len() < MAX_CASES {
                        earlier.push(case);
                        if shares_body {
                            this.assume_one(&earlier[cases_before..]);
                        }
                    }
                } else {
                    only_labels = false;
                    this.statement(cursor, node_kind);
                }
            });
            falls_through = this.frame.reachable;
        });
        has_default
    }

    /// The condition that the subject of a `switch` equals the value of a case.
    fn case_condition(&self, subject: &Operand, value: &Operand) -> NarrowingCondition {
        let mut tests = SmallVec::new();
        self.equality_tests(subject, value, &mut tests);
        if tests.is_empty() { NarrowingCondition::Unknown } else { NarrowingCondition::Tests(tests) }
    }

    pub(super) fn try_statement(&mut self, cursor: &mut TreeCursor) {
        let fields = &self.grammar.fields;
        let start = self.start_branch();
        let mut body_reachable = None;
        let mut handler_reachable = None;
        self.fields(cursor, |this, cursor, kind, field| {
            if field == fields.body {
                let first = this.facts.calls.len();
                this.statement(cursor, kind);
                this.mark_failing_try(first);
                body_reachable = Some(this.frame.reachable);
            } else if field == fields.handler {
                this.end_branch_and_join(&start);
                this.catch_clause(cursor);
                handler_reachable = Some(this.frame.reachable);
            } else if field == fields.finalizer {
                this.end_branch_and_join(&start);
                this.named_children(cursor, |this, cursor, kind| this.statement(cursor, kind));
                if !this.frame.reachable {
                    (body_reachable, handler_reachable) = (Some(false), Some(false));
                }
            }
        });
        let end_reachable = body_reachable.unwrap_or(true) || handler_reachable.unwrap_or(false);
        self.end_branch_and_join(&start);
        self.frame.reachable &= end_reachable;
    }

    fn catch_clause(&mut self, cursor: &mut TreeCursor) {
        let fields = &self.grammar.fields;
        self.in_new_scope(ScopeKind::Block, |this| {
            let mut binding = PatternBinding {
                annotation: None,
                source: ValueSource::Caught,
                is_const: false,
                scope: this.frame.scope,
                exporting: ExportModifier::No,
            };
            this.field(cursor, fields.ty, |this, cursor, _| binding.annotation = Some(this.annotation(cursor).0));
            this.field(cursor, fields.parameter, |this, cursor, _| {
                this.declare_pattern(cursor, &binding, &mut SmallVec::new());
            });
            this.field(cursor, fields.body, Self::statement);
        });
    }
}
