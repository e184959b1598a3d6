//! Statements: what they bind, and how flow goes through them.

use tree_sitter::TreeCursor;

use super::{
    facts::{BindingKind, DefBody, Expr, ExprId, Function, NameId, Via},
    kinds::Kind,
    lower::{Lowering, line_of},
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
            Expr::Name { name, reach, .. } => reach.is_empty() && matches!(self.facts.name(name), "exit" | "quit"),
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
        let mut left = None;
        let mut annotation = None;
        let mut annotation_text = "";
        let mut value = None;
        let mut value_text = "";
        self.fields(cursor, |this, cursor, kind, field| {
            if field == fields.left {
                left = Some((cursor.node(), kind));
            } else if field == fields.ty {
                annotation_text = this.text(cursor.node());
                annotation = Some(this.annotation(cursor));
            } else if field == fields.right {
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
            }
        });
        let target = Target { value, annotation, via: Via::Value, path: smallvec::SmallVec::new() };
        match left {
            Some((node, Kind::Identifier)) => {
                let text = self.text(node);
                let name = self.intern(text);
                self.field_of(
                    name,
                    line_of(node),
                    annotation.map(|a| (a, annotation_text)),
                    value.map(|v| (v, value_text)),
                );
                if text == "__all__" {
                    self.facts.all = value.and_then(|v| self.string_list(v));
                }
                self.bind(name, line_of(node), target.binding());
            }
            // Any other target is read after what it is given.
            _ => self.field(cursor, fields.left, |this, cursor, _| this.target(cursor, &target)),
        }
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
                    this.bind(name, line_of(node), BindingKind::Unknown);
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
}
