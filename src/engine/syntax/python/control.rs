//! Control flow: branches, loops, handlers, managers, `match`.

use tree_sitter::TreeCursor;

use super::{
    conditions::Condition,
    facts::{BindingKind, Expr, ExprId, Test, Via},
    flow::Branch,
    kinds::Kind,
    lower::{Key, Lowering, field_of},
    patterns::Target,
};

impl Lowering<'_> {
    pub(super) fn if_statement(&mut self, cursor: &mut TreeCursor) {
        let fields = &self.grammar.fields;
        let start = self.frame.mark();
        let mut branches: Vec<Branch> = Vec::new();
        // The trail holds what failed conditions tell, so that each later branch starts from it.
        let mut condition = None;
        self.children(cursor, |this, cursor, kind| {
            let field = field_of(cursor);
            if kind == Kind::Comment {
            } else if field == fields.condition {
                condition = Some(this.condition(cursor).1);
            } else if field == fields.consequence {
                branches.push(this.branch(cursor, condition.as_ref()));
            } else if field == fields.alternative && kind == Kind::ElifClause {
                this.children(cursor, |this, cursor, kind| {
                    let field = field_of(cursor);
                    if kind == Kind::Comment {
                    } else if field == fields.condition {
                        condition = Some(this.condition(cursor).1);
                    } else if field == fields.consequence {
                        branches.push(this.branch(cursor, condition.as_ref()));
                    }
                });
            } else if field == fields.alternative {
                this.field(cursor, fields.body, |this, cursor, _| this.block(cursor));
            }
        });
        let rest = self.frame.rollback(start);
        // Branches are told relative to where they began; each began with what earlier tests told.
        branches.push(rest);
        self.frame.merge(&mut self.facts, &branches);
    }

    /// The block at the cursor under `condition`; afterwards the frame goes on under its opposite.
    fn branch(&mut self, cursor: &mut TreeCursor, condition: Option<&Condition>) -> Branch {
        let start = self.frame.mark();
        if let Some(condition) = condition {
            self.assume(condition, true);
        }
        self.block(cursor);
        let branch = self.frame.rollback(start);
        if let Some(condition) = condition {
            self.assume(condition, false);
        }
        branch
    }

    pub(super) fn while_statement(&mut self, cursor: &mut TreeCursor) {
        let fields = &self.grammar.fields;
        let start = self.frame.mark();
        self.frame.enter_loop(self.facts.bindings.len());
        let mut condition = None;
        self.field(cursor, fields.condition, |this, cursor, _| condition = Some(this.condition(cursor).1));
        let endless = matches!(condition, Some(Condition::Constant(true)));
        if let Some(condition) = &condition {
            self.assume(condition, true);
        }
        self.field(cursor, fields.body, |this, cursor, _| this.block(cursor));
        let mut branches = self.frame.leave_loop(&mut self.facts, start);
        self.after_loop(cursor, &mut branches, endless, condition.as_ref());
    }

    pub(super) fn for_statement(&mut self, cursor: &mut TreeCursor) {
        let fields = &self.grammar.fields;
        let mut is_async = false;
        self.children(cursor, |this, cursor, kind| {
            is_async |= kind == Kind::Token && this.text(cursor.node()) == "async";
        });
        let right = self.field_expr(cursor, fields.right).unwrap_or_else(|| self.unknown());
        let start = self.frame.mark();
        self.frame.enter_loop(self.facts.bindings.len());
        self.field(cursor, fields.left, |this, cursor, _| this.target(cursor, &Target::iteration(right, is_async)));
        self.field(cursor, fields.body, |this, cursor, _| this.block(cursor));
        let mut branches = self.frame.leave_loop(&mut self.facts, start);
        self.after_loop(cursor, &mut branches, false, None);
    }

    /// Goes on after a loop: through its `else`, its breaks, or without a single round.
    fn after_loop(
        &mut self,
        cursor: &mut TreeCursor,
        branches: &mut Vec<Branch>,
        endless: bool,
        condition: Option<&Condition>,
    ) {
        let fields = &self.grammar.fields;
        let start = self.frame.mark();
        if endless {
            self.frame.reachable = false;
        }
        if let Some(condition) = condition {
            self.assume(condition, false);
        }
        self.field(cursor, fields.alternative, |this, cursor, _| {
            this.field(cursor, fields.body, |this, cursor, _| this.block(cursor));
        });
        branches.push(self.frame.rollback(start));
        self.frame.merge(&mut self.facts, branches);
    }

    pub(super) fn try_statement(&mut self, cursor: &mut TreeCursor) {
        let fields = &self.grammar.fields;
        let start = self.frame.mark();
        self.field(cursor, fields.body, |this, cursor, _| this.block(cursor));
        // The `else` goes on from the body; a handler from anywhere in it.
        self.children(cursor, |this, cursor, kind| {
            if kind == Kind::ElseClause {
                this.field(cursor, fields.body, |this, cursor, _| this.block(cursor));
            }
        });
        let body = self.frame.rollback(start);
        let mut branches = vec![body];
        self.children(cursor, |this, cursor, kind| {
            if kind == Kind::ExceptClause {
                let handler = this.frame.mark();
                let partial = branches[0].as_partial();
                let untouched = this.frame.rollback(handler);
                this.frame.merge(&mut this.facts, &[partial, untouched]);
                let outer = std::mem::replace(&mut this.frame.in_except, true);
                this.except_clause(cursor);
                this.frame.in_except = outer;
                let branch = this.frame.rollback(handler);
                branches.push(branch);
            }
        });
        self.frame.merge(&mut self.facts, &branches);
        let reachable = self.frame.reachable;
        self.children(cursor, |this, cursor, kind| {
            if kind == Kind::FinallyClause {
                // It also runs on the way out.
                this.frame.reachable = true;
                this.children(cursor, |this, cursor, kind| {
                    if kind == Kind::Block {
                        this.block(cursor);
                    }
                });
                this.frame.reachable &= reachable;
            }
        });
    }

    fn except_clause(&mut self, cursor: &mut TreeCursor) {
        let fields = &self.grammar.fields;
        let mut value = None;
        self.children(cursor, |this, cursor, kind| {
            let field = field_of(cursor);
            if kind == Kind::Block {
                this.block(cursor);
            } else if field == fields.alias {
                let given = value.unwrap_or_else(|| this.unknown());
                this.target(cursor, &Target::via(given, Via::Exception));
            } else if kind == Kind::AsPattern {
                this.as_pattern(cursor, Via::Exception);
            } else if !matches!(kind, Kind::Token | Kind::Comment) {
                value = Some(this.expr(cursor));
            }
        });
    }

    /// `value as target` at the cursor.
    fn as_pattern(&mut self, cursor: &mut TreeCursor, via: Via) -> ExprId {
        let fields = &self.grammar.fields;
        let mut value = self.unknown();
        self.children(cursor, |this, cursor, kind| {
            let field = field_of(cursor);
            if field == fields.alias {
                this.target(cursor, &Target::via(value, via));
            } else if !matches!(kind, Kind::Token | Kind::Comment) {
                value = this.expr(cursor);
            }
        });
        value
    }

    pub(super) fn with_statement(&mut self, cursor: &mut TreeCursor) {
        let fields = &self.grammar.fields;
        let mut via = Via::Enter;
        let mut swallows = false;
        let before = self.frame.reachable;
        self.children(cursor, |this, cursor, kind| match kind {
            Kind::Token if this.text(cursor.node()) == "async" => via = Via::AsyncEnter,
            Kind::WithClause => {
                this.children(cursor, |this, cursor, kind| {
                    if kind == Kind::WithItem {
                        this.children(cursor, |this, cursor, kind| {
                            if !matches!(kind, Kind::Token | Kind::Comment) {
                                swallows |= this.with_item(cursor, kind, via);
                            }
                        });
                    }
                });
            }
            _ => {}
        });
        self.field(cursor, fields.body, |this, cursor, _| this.block(cursor));
        if swallows {
            self.frame.reachable = before;
        }
    }

    /// Lowers one item; true where its manager is known to swallow exceptions.
    fn with_item(&mut self, cursor: &mut TreeCursor, kind: Kind, via: Via) -> bool {
        let value = match kind {
            Kind::AsPattern => self.as_pattern(cursor, via),
            // `with (a as b, c as d):` in the grammar's view is one tuple.
            Kind::Tuple | Kind::ParenthesizedExpression => {
                let mut swallows = false;
                self.children(cursor, |this, cursor, kind| {
                    if !matches!(kind, Kind::Token | Kind::Comment) {
                        swallows |= this.with_item(cursor, kind, via);
                    }
                });
                return swallows;
            }
            _ => self.expr(cursor),
        };
        let Expr::Call(site) = self.facts.expr(value) else { return false };
        let callee = self.facts.calls[site.index()].callee;
        ["raises", "suppress", "assertRaises", "assertRaisesRegex", "RaisesGroup", "subTest"]
            .iter()
            .any(|name| self.is_named(callee, name))
    }

    pub(super) fn match_statement(&mut self, cursor: &mut TreeCursor) {
        let fields = &self.grammar.fields;
        let mut subject = None;
        self.field(cursor, fields.subject, |this, cursor, _| {
            let expr = this.expr(cursor);
            subject = this.key(expr).map(|key| (key, expr));
        });
        let start = self.frame.mark();
        let mut branches = Vec::new();
        self.field(cursor, fields.body, |this, cursor, _| {
            this.children(cursor, |this, cursor, kind| {
                if kind == Kind::CaseClause {
                    let class = this.case_clause(cursor, subject, &mut branches);
                    if let (Some((key, before)), Some(class)) = (subject, class) {
                        let test = Test::Instance(class);
                        this.bind_key(key, 0, BindingKind::Narrow { before, test, positive: false });
                    }
                }
            });
        });
        branches.push(self.frame.rollback(start));
        self.frame.merge(&mut self.facts, &branches);
    }

    /// Lowers one `case`; returns its class where the case takes every instance of it.
    fn case_clause(
        &mut self,
        cursor: &mut TreeCursor,
        subject: Option<(Key, ExprId)>,
        branches: &mut Vec<Branch>,
    ) -> Option<ExprId> {
        let fields = &self.grammar.fields;
        let start = self.frame.mark();
        let mut class = None;
        let mut takes_all = true;
        self.children(cursor, |this, cursor, kind| {
            let field = field_of(cursor);
            if kind == Kind::CasePattern {
                takes_all &= this.text(cursor.node()).ends_with("()");
                class = this.case_pattern(cursor);
                if let (Some((key, before)), Some(class)) = (subject, class) {
                    let test = Test::Instance(class);
                    this.bind_key(key, 0, BindingKind::Narrow { before, test, positive: true });
                }
            } else if field == fields.guard {
                takes_all = false;
                this.each(cursor);
            } else if field == fields.consequence {
                this.block(cursor);
            }
        });
        branches.push(self.frame.rollback(start));
        class.filter(|_| takes_all)
    }
}
