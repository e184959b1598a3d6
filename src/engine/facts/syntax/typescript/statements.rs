//! Statements.

use smallvec::SmallVec;
use tree_sitter::TreeCursor;

use super::{
    conditions::NarrowingCondition,
    context::InferredName,
    facts::{Expr, ExprId, ExpressionContext, MentionPlace, ScopeKind},
    grammar::{NodeKind, SyntaxKind},
    lower::Lowering,
};

/// True for a name that a function with the return type `asserts x is T` is likely to have.
fn may_assert(name: &str) -> bool {
    ["assert", "ensure", "check", "validate", "expect", "must"].iter().any(|word| name.starts_with(word))
}

impl Lowering<'_> {
    /// Lowers the statements below the cursor.
    pub(super) fn statements(&mut self, cursor: &mut TreeCursor) {
        self.documented_children(cursor, |this, cursor, kind| {
            if let SyntaxKind::Node(kind) = kind {
                this.statement(cursor, kind);
            }
        });
    }

    /// Lowers the statement at the cursor, or any other node at a statement position.
    pub(super) fn statement(&mut self, cursor: &mut TreeCursor, kind: NodeKind) {
        let node = cursor.node();
        self.descend(node, |this| match kind {
            NodeKind::ExpressionStatement => this.expression_statement(cursor),
            NodeKind::LexicalDeclaration
            | NodeKind::VariableDeclaration
            | NodeKind::FunctionDeclaration
            | NodeKind::GeneratorFunctionDeclaration
            | NodeKind::FunctionSignature
            | NodeKind::ClassDeclaration
            | NodeKind::AbstractClassDeclaration
            | NodeKind::InterfaceDeclaration
            | NodeKind::TypeAliasDeclaration
            | NodeKind::EnumDeclaration
            | NodeKind::Module
            | NodeKind::InternalModule
            | NodeKind::AmbientDeclaration
            | NodeKind::ImportAlias => this.declaration(cursor, kind),
            NodeKind::ImportStatement => this.import_statement(cursor),
            NodeKind::ExportStatement => this.export_statement(cursor),
            NodeKind::ReturnStatement => this.return_statement(cursor),
            NodeKind::ThrowStatement => {
                this.named_children(cursor, |this, cursor, _| {
                    this.at_place(Some(MentionPlace::Raised), |this| this.expr(cursor));
                });
                this.frame.reachable = false;
            }
            NodeKind::BreakStatement => this.break_statement(node.named_child_count() > 0),
            NodeKind::ContinueStatement => this.frame.reachable = false,
            NodeKind::IfStatement => this.if_statement(cursor),
            NodeKind::WhileStatement => this.while_statement(cursor),
            NodeKind::DoStatement => this.do_statement(cursor),
            NodeKind::ForStatement => this.for_statement(cursor),
            NodeKind::ForInStatement => this.for_in_statement(cursor),
            NodeKind::SwitchStatement => this.switch_statement(cursor),
            NodeKind::TryStatement => this.try_statement(cursor),
            NodeKind::LabeledStatement => this.labeled_statement(cursor),
            NodeKind::StatementBlock => this.in_new_scope(ScopeKind::Block, |this| this.statements(cursor)),
            // The statements inside a syntax error are lowered.
            NodeKind::Error | NodeKind::WithStatement | NodeKind::ElseClause => this.statements(cursor),
            _ => {
                this.expr_unchecked(cursor, InferredName::default());
            }
        });
    }

    fn expression_statement(&mut self, cursor: &mut TreeCursor) {
        self.named_children(cursor, |this, cursor, _| {
            this.pending.asserted = None;
            let expr = this.expr(cursor);
            this.assume_assertion(expr);
            if this.never_returns(expr) {
                this.frame.reachable = false;
            }
        });
    }

    /// If `expr` calls an assertion function, as in `assert(x instanceof C)` or `assertIsC(x)`, adds the facts that the
    /// call establishes.
    fn assume_assertion(&mut self, expr: ExprId) {
        let Expr::Call(site) = self.facts.expr(expr) else { return };
        match self.pending.asserted.take() {
            Some((asserted, condition)) if asserted == site => self.assume(&condition, true),
            _ if self.callee_name_matches(self.facts.site(site).callee, may_assert) => {
                let mut tests = SmallVec::new();
                self.predicate_tests(site, &mut tests);
                self.assume(&NarrowingCondition::Tests(tests), true);
            }
            _ => {}
        }
    }

    /// True for a call of a library function that is known never to return, such as `process.exit()`.
    fn never_returns(&self, expr: ExprId) -> bool {
        let Expr::Call(site) = self.facts.expr(expr) else { return false };
        let Expr::Property { object, name, .. } = self.facts.expr(self.facts.site(site).callee) else { return false };
        let Expr::Name { name: root, .. } = self.facts.expr(object) else { return false };
        matches!((self.facts.name(root), self.facts.name(name)), ("process", "exit" | "abort") | ("Deno", "exit"))
    }

    fn return_statement(&mut self, cursor: &mut TreeCursor) {
        match self.first_named_child(cursor, |this, cursor, kind| this.returned_value(cursor, SyntaxKind::Node(kind))) {
            Some(value) => {
                if let Some(function) = self.frame.function {
                    self.record_context(value, ExpressionContext::Return(function));
                }
                self.frame.returns.push(value);
            }
            None => self.frame.bare_return |= self.frame.reachable,
        }
        self.frame.reachable = false;
    }
}
