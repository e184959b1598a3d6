//! Statements: what they bind, and how flow goes through them.

use tree_sitter::TreeCursor;

use super::{
    super::facts::{BindingKind, DefBody, Expr, ExprId, Function, NameId, Test, Via},
    flow::Branch,
    kinds::Kind,
    lower::{Key, Lowering, line_of},
    patterns::Target,
};

impl Lowering<'_> {
    /// Lowers the statements below the cursor: a module, a block, or anything that holds statements.
    pub(super) fn block(&mut self, cursor: &mut TreeCursor) {
        self.children(cursor, |this, cursor, kind| this.statement(cursor, kind));
    }

    fn statement(&mut self, cursor: &mut TreeCursor, kind: Kind) {
        let node = cursor.node();
        self.deeper(node, |this| match kind {
            Kind::Token | Kind::Comment | Kind::PassStatement => {}
            Kind::ExpressionStatement => this.expression_statement(cursor),
            Kind::ImportStatement => this.import(cursor),
            Kind::ImportFrom => this.import_from(cursor),
            Kind::FutureImport => {}
            Kind::FunctionDefinition | Kind::ClassDefinition => this.definition(cursor, kind, Vec::new()),
            Kind::DecoratedDefinition => this.decorated(cursor),
            Kind::ReturnStatement => this.return_statement(cursor),
            Kind::RaiseStatement => {
                this.each(cursor);
                this.frame.reachable = false;
            }
            Kind::BreakStatement => this.frame.jump(true),
            Kind::ContinueStatement => this.frame.jump(false),
            Kind::IfStatement => this.if_statement(cursor),
            Kind::WhileStatement => this.while_statement(cursor),
            Kind::ForStatement => this.for_statement(cursor),
            Kind::TryStatement => this.try_statement(cursor),
            Kind::WithStatement => this.with_statement(cursor),
            Kind::MatchStatement => this.match_statement(cursor),
            Kind::AssertStatement => this.assert_statement(cursor),
            Kind::DeleteStatement => this.delete_statement(cursor),
            Kind::GlobalStatement | Kind::NonlocalStatement => this.outer_names(cursor, kind == Kind::GlobalStatement),
            Kind::TypeAliasStatement => this.type_alias(cursor),
            // Broken syntax: what can be read of it is read.
            Kind::Error | Kind::Block => this.block(cursor),
            _ => {
                this.expr(cursor);
            }
        });
    }

    fn expression_statement(&mut self, cursor: &mut TreeCursor) {
        self.children(cursor, |this, cursor, kind| match kind {
            Kind::Assignment => {
                this.assignment(cursor);
            }
            Kind::AugmentedAssignment => this.augmented(cursor),
            Kind::Token | Kind::Comment => {}
            _ => {
                let expr = this.expr(cursor);
                this.extend_all(expr);
                if this.never_returns(expr) {
                    this.frame.reachable = false;
                }
            }
        });
    }

    /// `sys.exit()` and its like end the flow.
    fn never_returns(&self, expr: ExprId) -> bool {
        let Expr::Call(site) = self.facts.expr(expr) else { return false };
        match self.facts.expr(self.facts.calls[site.index()].callee) {
            Expr::Name { name, reach, .. } => reach.is_none() && matches!(self.facts.name(name), "exit" | "quit"),
            Expr::Attribute { value, name, .. } => match self.facts.expr(value) {
                Expr::Name { name: root, .. } => matches!(
                    (self.facts.name(root), self.facts.name(name)),
                    ("sys", "exit") | ("os", "_exit" | "abort") | ("pytest", "fail" | "skip" | "exit" | "xfail")
                ),
                _ => false,
            },
            _ => false,
        }
    }

    /// Lowers the assignment at the cursor and returns its value; `a = b = v` is one in another.
    fn assignment(&mut self, cursor: &mut TreeCursor) -> ExprId {
        let fields = &self.grammar.fields;
        let mut annotation = None;
        let mut annotation_text = "";
        self.field(cursor, fields.ty, |this, cursor, _| {
            annotation_text = this.text(cursor.node());
            annotation = Some(this.annotation(cursor));
        });
        let mut value = None;
        let mut value_text = "";
        self.field(cursor, fields.right, |this, cursor, kind| {
            value_text = this.text(cursor.node());
            value = Some(match kind {
                Kind::Assignment => this.assignment(cursor),
                Kind::AugmentedAssignment => {
                    this.augmented(cursor);
                    this.unknown()
                }
                _ if annotation_text.ends_with("TypeAlias") => this.annotation(cursor),
                _ => this.expr(cursor),
            });
        });
        let target = Target { value, annotation, via: Via::Value, path: smallvec::SmallVec::new() };
        self.field(cursor, fields.left, |this, cursor, kind| {
            if kind == Kind::Identifier {
                let node = cursor.node();
                let text = this.text(node);
                let name = this.intern(text);
                this.field_of(
                    name,
                    line_of(node),
                    annotation.map(|a| (a, annotation_text)),
                    value.map(|v| (v, value_text)),
                );
                if text == "__all__" {
                    this.facts.all = value.and_then(|v| this.string_list(v));
                }
            }
            this.target(cursor, &target);
        });
        value.unwrap_or_else(|| self.unknown())
    }

    fn augmented(&mut self, cursor: &mut TreeCursor) {
        let fields = &self.grammar.fields;
        let value = self.field_expr(cursor, fields.right).unwrap_or_else(|| self.unknown());
        self.field(cursor, fields.left, |this, cursor, kind| {
            let node = cursor.node();
            let left = this.expr(cursor);
            if kind != Kind::Identifier {
                return;
            }
            let name = this.intern(this.text(node));
            if this.text(node) == "__all__" {
                this.add_to_all(value);
            }
            let Expr::Name { reach, .. } = this.facts.expr(left) else { return };
            this.bind(name, line_of(node), BindingKind::Augmented { before: reach, value });
        });
    }

    /// `__all__.extend([...])`, `__all__.append("x")`.
    fn extend_all(&mut self, expr: ExprId) {
        let Expr::Call(site) = self.facts.expr(expr) else { return };
        let site = &self.facts.calls[site.index()];
        let Expr::Attribute { value, name, .. } = self.facts.expr(site.callee) else { return };
        let [argument] = &site.arguments[..] else { return };
        let argument = argument.value;
        if !self.is_named(value, "__all__") {
            return;
        }
        match (self.facts.name(name), self.facts.expr(argument)) {
            ("extend", _) => self.add_to_all(argument),
            ("append", Expr::Str(Some(name))) => self.facts.all.get_or_insert_default().push(name),
            _ => {}
        }
    }

    fn add_to_all(&mut self, value: ExprId) {
        if let Some(more) = self.string_list(value) {
            self.facts.all.get_or_insert_default().extend(more);
        }
    }

    /// The names in a list or tuple of strings, sums of such lists included.
    fn string_list(&self, expr: ExprId) -> Option<Vec<NameId>> {
        match self.facts.expr(expr) {
            Expr::List(list) | Expr::Tuple(list) | Expr::Set(list) => Some(
                self.facts
                    .list(list)
                    .iter()
                    .filter_map(|&item| match self.facts.expr(item) {
                        Expr::Str(name) => name,
                        _ => None,
                    })
                    .collect(),
            ),
            Expr::Binary { left, right, .. } => {
                let mut names = self.string_list(left)?;
                names.extend(self.string_list(right).unwrap_or_default());
                Some(names)
            }
            _ => None,
        }
    }

    fn return_statement(&mut self, cursor: &mut TreeCursor) {
        let mut value = self.add(Expr::None);
        self.children(cursor, |this, cursor, kind| {
            if !matches!(kind, Kind::Token | Kind::Comment) {
                value = this.expr(cursor);
            }
        });
        let reachable = self.frame.reachable;
        if let Some(function) = self.enclosing_function()
            && reachable
        {
            function.return_values.push(value);
        }
        self.frame.reachable = false;
    }

    /// The function whose body is being read.
    pub(super) fn enclosing_function(&mut self) -> Option<&mut Function> {
        let def = self.frame.def?;
        match &mut self.facts.definitions[def.index()].body {
            DefBody::Function(function) => Some(function),
            DefBody::Class(_) => None,
        }
    }

    fn if_statement(&mut self, cursor: &mut TreeCursor) {
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
    fn branch(&mut self, cursor: &mut TreeCursor, condition: Option<&super::conditions::Condition>) -> Branch {
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

    fn while_statement(&mut self, cursor: &mut TreeCursor) {
        let fields = &self.grammar.fields;
        let start = self.frame.mark();
        self.frame.enter_loop(self.facts.bindings.len());
        let mut condition = None;
        self.field(cursor, fields.condition, |this, cursor, _| condition = Some(this.condition(cursor).1));
        let endless = matches!(condition, Some(super::conditions::Condition::Constant(true)));
        if let Some(condition) = &condition {
            self.assume(condition, true);
        }
        self.field(cursor, fields.body, |this, cursor, _| this.block(cursor));
        let mut branches = self.frame.leave_loop(&mut self.facts, start);
        self.after_loop(cursor, &mut branches, endless, condition.as_ref());
    }

    fn for_statement(&mut self, cursor: &mut TreeCursor) {
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
        condition: Option<&super::conditions::Condition>,
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

    fn try_statement(&mut self, cursor: &mut TreeCursor) {
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

    fn with_statement(&mut self, cursor: &mut TreeCursor) {
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

    fn match_statement(&mut self, cursor: &mut TreeCursor) {
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
                class = this.case_pattern(cursor, subject.map(|(key, _)| key));
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

    fn assert_statement(&mut self, cursor: &mut TreeCursor) {
        let mut first = true;
        self.children(cursor, |this, cursor, kind| {
            if matches!(kind, Kind::Token | Kind::Comment) {
                return;
            }
            if std::mem::take(&mut first) {
                let (_, condition) = this.condition(cursor);
                this.assume(&condition, true);
            } else {
                this.expr(cursor);
            }
        });
    }

    fn delete_statement(&mut self, cursor: &mut TreeCursor) {
        self.children(cursor, |this, cursor, kind| {
            let node = cursor.node();
            match kind {
                Kind::Token | Kind::Comment => {}
                Kind::Identifier => {
                    let name = this.intern(this.text(node));
                    this.frame.unset(name);
                }
                _ => {
                    this.expr(cursor);
                }
            }
        });
    }

    fn outer_names(&mut self, cursor: &mut TreeCursor, global: bool) {
        self.children(cursor, |this, cursor, kind| {
            if kind == Kind::Identifier {
                let node = cursor.node();
                let name = this.intern(this.text(node));
                this.bind(name, line_of(node), BindingKind::Outer { global });
                this.frame.unset(name);
            }
        });
    }

    fn type_alias(&mut self, cursor: &mut TreeCursor) {
        let fields = &self.grammar.fields;
        let mut value = None;
        self.field(cursor, fields.right, |this, cursor, _| value = Some(this.annotation(cursor)));
        let value = value.unwrap_or_else(|| self.unknown());
        self.field(cursor, fields.left, |this, cursor, _| {
            let node = cursor.node();
            let text = this.text(node);
            let name = this.intern(text.split('[').next().unwrap_or(text).trim());
            this.bind(name, line_of(node), BindingKind::TypeAlias(value));
        });
    }

    fn import(&mut self, cursor: &mut TreeCursor) {
        let fields = &self.grammar.fields;
        self.field(cursor, fields.name, |this, cursor, kind| {
            let node = cursor.node();
            let line = line_of(node);
            if kind == Kind::AliasedImport {
                let (module, alias) = this.aliased(cursor);
                let module = this.intern(&module);
                let alias = this.intern(&alias);
                this.bind(alias, line, BindingKind::Import { module, whole: true });
            } else {
                let text: String = this.text(node).split_whitespace().collect();
                let module = this.intern(&text);
                let root = this.intern(text.split('.').next().unwrap_or(&text));
                this.bind(root, line, BindingKind::Import { module, whole: root == module });
            }
        });
    }

    /// Name and alias of the aliased import at the cursor.
    fn aliased(&mut self, cursor: &mut TreeCursor) -> (String, String) {
        let fields = &self.grammar.fields;
        let mut name = String::new();
        let mut alias = String::new();
        self.field(cursor, fields.name, |this, cursor, _| {
            name = this.text(cursor.node()).split_whitespace().collect();
        });
        self.field(cursor, fields.alias, |this, cursor, _| alias = this.text(cursor.node()).to_owned());
        (name, alias)
    }

    fn import_from(&mut self, cursor: &mut TreeCursor) {
        let fields = &self.grammar.fields;
        let mut module = String::new();
        let mut level = 0;
        self.field(cursor, fields.module_name, |this, cursor, _| {
            let text: String = this.text(cursor.node()).split_whitespace().collect();
            level = text.bytes().take_while(|&c| c == b'.').count() as u32;
            text[level as usize..].clone_into(&mut module);
        });
        let module = self.intern(&module);
        self.children(cursor, |this, cursor, kind| {
            if kind == Kind::WildcardImport {
                let star = this.intern("*");
                let line = line_of(cursor.node());
                this.bind(star, line, BindingKind::ImportStar { module, level });
            }
        });
        self.field(cursor, fields.name, |this, cursor, kind| {
            let node = cursor.node();
            let (name, alias) = if kind == Kind::AliasedImport {
                this.aliased(cursor)
            } else {
                let text = this.text(node).to_owned();
                (text.clone(), text)
            };
            let name = this.intern(&name);
            let alias = this.intern(&alias);
            this.bind(alias, line_of(node), BindingKind::ImportFrom { module, level, name });
        });
    }
}

fn field_of(cursor: &TreeCursor) -> u16 {
    cursor.field_id().map_or(0, std::num::NonZero::get)
}
