//! Control flow: what is known on which branch, and where branches meet.

use smallvec::SmallVec;
use tree_sitter::TreeCursor;

use super::{
    conditions::Condition,
    facts::{Expr, ExprId, ScopeKind, ValueSource},
    frame::Exporting,
    kinds::{Kind, Named, Token},
    lower::Lowering,
    operators::Operand,
    patterns::Origin,
};

/// Cases of a `switch` that its `default` is told apart from.
const MAX_CASES: usize = 8;

impl Lowering<'_> {
    pub(super) fn if_statement(&mut self, cursor: &mut TreeCursor) {
        let fields = &self.grammar.fields;
        let mut condition = Condition::Plain;
        let mut mark = self.mark();
        let mut then = None;
        let mut has_else = false;
        self.fields(cursor, |this, cursor, kind, field| {
            if field == fields.condition {
                condition = this.condition(cursor).1;
                mark = this.mark();
                this.assume(&condition, true);
            } else if field == fields.consequence {
                this.statement(cursor, kind);
                then = Some(this.leave(&mark));
                this.assume(&condition, false);
            } else if field == fields.alternative {
                has_else = true;
                this.nodes(cursor, |this, cursor, kind| this.statement(cursor, kind));
            }
        });
        let Some(then) = then else { return };
        match (then.reachable, self.frame.reachable) {
            // What holds where the test fails goes on to hold.
            (false, _) => {}
            (true, false) => {
                self.leave(&mark);
                self.assume(&condition, true);
                self.meet(then);
            }
            (true, true) => {
                if has_else {
                    self.leave_and_meet(&mark);
                } else {
                    self.leave(&mark);
                }
                self.meet(then);
            }
        }
    }

    /// Lowers what a loop repeats; true where a `break` leaves it.
    fn repeated(&mut self, f: impl FnOnce(&mut Self)) -> bool {
        let mark = self.mark();
        self.frame.breaks.push(false);
        f(self);
        self.leave_loop(&mark);
        self.frame.breaks.pop().unwrap_or(false)
    }

    pub(super) fn while_statement(&mut self, cursor: &mut TreeCursor) {
        let fields = &self.grammar.fields;
        let mut condition = (None, Condition::Plain);
        let has_break = self.repeated(|this| {
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
        let has_break = self.repeated(|this| {
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
        self.scoped(ScopeKind::Block, |this| {
            this.field(cursor, fields.initializer, |this, cursor, kind| this.statement(cursor, kind));
            let mut has_condition = false;
            let has_break = this.repeated(|this| {
                this.fields(cursor, |this, cursor, kind, field| {
                    if field == fields.condition && kind != Named::EmptyStatement {
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
            Kind::Token(Token::Of) => is_of = true,
            Kind::Token(Token::Await) => is_awaited = true,
            Kind::Token(token @ (Token::Const | Token::Let | Token::Var)) => kind = Some(token),
            _ => {}
        });
        self.scoped(ScopeKind::Block, |this| {
            let mut over = None;
            this.field(cursor, fields.right, |this, cursor, _| over = Some(this.expr(cursor)));
            let over = over.unwrap_or_else(|| this.add(Expr::Unknown));
            let origin = Origin {
                annotation: None,
                source: match (is_of, is_awaited) {
                    (false, _) => ValueSource::KeyOf(over),
                    (true, false) => ValueSource::ElementOf(over),
                    (true, true) => ValueSource::AwaitedElementOf(over),
                },
                is_const: kind == Some(Token::Const),
                scope: if kind == Some(Token::Var) { this.frame.var_scope } else { this.frame.scope },
                exporting: Exporting::No,
            };
            this.repeated(|this| {
                this.field(cursor, fields.left, |this, cursor, _| {
                    if kind.is_some() {
                        this.declare_pattern(cursor, &origin, &mut SmallVec::new());
                    } else {
                        this.assigned_pattern(cursor);
                    }
                });
                this.field(cursor, fields.body, Self::statement);
            });
        });
    }

    /// `break`; one with a label may leave any of the loops around.
    pub(super) fn break_statement(&mut self, has_label: bool) {
        if has_label {
            self.frame.breaks.fill(true);
        } else if let Some(innermost) = self.frame.breaks.last_mut() {
            *innermost = true;
        }
        self.frame.reachable = false;
    }

    pub(super) fn labeled(&mut self, cursor: &mut TreeCursor) {
        let fields = &self.grammar.fields;
        let mark = self.mark();
        self.frame.breaks.push(false);
        self.field(cursor, fields.body, Self::statement);
        if self.frame.breaks.pop() == Some(true) {
            self.leave_and_meet(&mark);
        }
    }

    pub(super) fn switch_statement(&mut self, cursor: &mut TreeCursor) {
        let fields = &self.grammar.fields;
        let mut subject = None;
        let mut has_default = false;
        self.frame.breaks.push(false);
        let mut mark = self.mark();
        self.fields(cursor, |this, cursor, _, field| {
            if field == fields.value {
                subject = Some(this.operand(cursor));
                mark = this.mark();
            } else if field == fields.body
                && let Some(subject) = &subject
            {
                this.scoped(ScopeKind::Block, |this| has_default = this.cases(cursor, subject));
            }
        });
        let has_break = self.frame.breaks.pop() == Some(true);
        let falls_out = self.frame.reachable || has_break || !has_default;
        self.leave_and_meet(&mark);
        self.frame.reachable &= falls_out;
    }

    /// The cases of a `switch`; true where there is a `default`.
    fn cases(&mut self, cursor: &mut TreeCursor, subject: &Operand) -> bool {
        let fields = &self.grammar.fields;
        let mark = self.mark();
        let is_conditions = self.is_true(Some(subject.expr));
        let mut earlier = Vec::new();
        let mut has_default = false;
        let mut falls_in = false;
        // Labels that share a body, from which one, and whether nothing runs between them.
        let (mut shared, mut only_labels) = (0, true);
        self.nodes(cursor, |this, cursor, kind| {
            this.leave_and_meet(&mark);
            let mut is_entered = kind == Named::SwitchCase;
            has_default |= kind == Named::SwitchDefault;
            if !falls_in {
                (shared, only_labels) = (earlier.len(), true);
            }
            if only_labels && (falls_in || kind == Named::SwitchDefault) {
                for case in &earlier[..shared] {
                    this.assume(case, false);
                }
            }
            this.documented(cursor, |this, cursor, child| {
                let Kind::Node(named) = child else { return };
                let field = cursor.field_id().map_or(0, std::num::NonZero::get);
                if is_entered && field == fields.value {
                    is_entered = false;
                    let value = this.operand(cursor);
                    let case = if is_conditions { value.condition } else { this.case(subject, &value) };
                    if !falls_in {
                        this.assume(&case, true);
                    }
                    if earlier.len() < MAX_CASES {
                        earlier.push(case);
                    }
                } else {
                    only_labels = false;
                    this.statement(cursor, named);
                }
            });
            falls_in = this.frame.reachable;
        });
        has_default
    }

    /// What it tells that the subject of a `switch` equals the value of a case.
    fn case(&self, subject: &Operand, value: &Operand) -> Condition {
        let mut tests = SmallVec::new();
        self.equal(subject, value, &mut tests);
        if tests.is_empty() { Condition::Plain } else { Condition::Tests(tests) }
    }

    pub(super) fn try_statement(&mut self, cursor: &mut TreeCursor) {
        let fields = &self.grammar.fields;
        let mark = self.mark();
        let mut tried = None;
        let mut caught = None;
        self.fields(cursor, |this, cursor, kind, field| {
            if field == fields.body {
                this.statement(cursor, kind);
                tried = Some(this.frame.reachable);
            } else if field == fields.handler {
                this.leave_and_meet(&mark);
                this.catch(cursor);
                caught = Some(this.frame.reachable);
            } else if field == fields.finalizer {
                this.leave_and_meet(&mark);
                this.nodes(cursor, |this, cursor, kind| this.statement(cursor, kind));
                if !this.frame.reachable {
                    (tried, caught) = (Some(false), Some(false));
                }
            }
        });
        let goes_on = tried.unwrap_or(true) || caught.unwrap_or(false);
        self.leave_and_meet(&mark);
        self.frame.reachable &= goes_on;
    }

    fn catch(&mut self, cursor: &mut TreeCursor) {
        let fields = &self.grammar.fields;
        self.scoped(ScopeKind::Block, |this| {
            let mut origin = Origin {
                annotation: None,
                source: ValueSource::Caught,
                is_const: false,
                scope: this.frame.scope,
                exporting: Exporting::No,
            };
            this.field(cursor, fields.ty, |this, cursor, _| origin.annotation = Some(this.annotation(cursor).0));
            this.field(cursor, fields.parameter, |this, cursor, _| {
                this.declare_pattern(cursor, &origin, &mut SmallVec::new());
            });
            this.field(cursor, fields.body, Self::statement);
        });
    }
}
