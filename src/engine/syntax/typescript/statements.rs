//! Statements.

use smallvec::SmallVec;
use tree_sitter::TreeCursor;

use super::{
    conditions::Condition,
    facts::{Context, Expr, ExprId, ScopeKind},
    frame::Holder,
    kinds::{Kind, Named},
    lower::Lowering,
};

/// Names that functions go by which say `asserts x is T`.
fn may_assert(name: &str) -> bool {
    ["assert", "ensure", "check", "validate", "expect", "must"].iter().any(|word| name.starts_with(word))
}

impl Lowering<'_> {
    /// Lowers the statements below the cursor.
    pub(super) fn statements(&mut self, cursor: &mut TreeCursor) {
        self.documented(cursor, |this, cursor, kind| {
            if let Kind::Node(kind) = kind {
                this.statement(cursor, kind);
            }
        });
    }

    /// Lowers the statement at the cursor, or anything else that stands where one may.
    pub(super) fn statement(&mut self, cursor: &mut TreeCursor, kind: Named) {
        let node = cursor.node();
        self.deeper(node, |this| match kind {
            Named::ExpressionStatement => this.expression_statement(cursor),
            Named::LexicalDeclaration
            | Named::VariableDeclaration
            | Named::FunctionDeclaration
            | Named::GeneratorFunctionDeclaration
            | Named::FunctionSignature
            | Named::ClassDeclaration
            | Named::AbstractClassDeclaration
            | Named::InterfaceDeclaration
            | Named::TypeAliasDeclaration
            | Named::EnumDeclaration
            | Named::Module
            | Named::InternalModule
            | Named::AmbientDeclaration
            | Named::ImportAlias => this.declaration(cursor, kind),
            Named::ImportStatement => this.import(cursor),
            Named::ExportStatement => this.export(cursor),
            Named::ReturnStatement => this.return_statement(cursor),
            Named::ThrowStatement => {
                this.nodes(cursor, |this, cursor, _| {
                    this.expr(cursor);
                });
                this.frame.reachable = false;
            }
            Named::BreakStatement => this.break_statement(node.named_child_count() > 0),
            Named::ContinueStatement => this.frame.reachable = false,
            Named::IfStatement => this.if_statement(cursor),
            Named::WhileStatement => this.while_statement(cursor),
            Named::DoStatement => this.do_statement(cursor),
            Named::ForStatement => this.for_statement(cursor),
            Named::ForInStatement => this.for_in_statement(cursor),
            Named::SwitchStatement => this.switch_statement(cursor),
            Named::TryStatement => this.try_statement(cursor),
            Named::LabeledStatement => this.labeled(cursor),
            Named::StatementBlock => this.scoped(ScopeKind::Block, |this| this.statements(cursor)),
            // Broken syntax: what can be read of it is read.
            Named::Error | Named::WithStatement | Named::ElseClause => this.statements(cursor),
            _ => {
                this.held(cursor, Holder::default());
            }
        });
    }

    fn expression_statement(&mut self, cursor: &mut TreeCursor) {
        self.nodes(cursor, |this, cursor, _| {
            this.pending.asserted = None;
            let expr = this.expr(cursor);
            this.assume_asserted(expr);
            if this.never_returns(expr) {
                this.frame.reachable = false;
            }
        });
    }

    /// `assert(x instanceof C)`, `assertIsC(x)` as a statement.
    fn assume_asserted(&mut self, expr: ExprId) {
        let Expr::Call(site) = self.facts.expr(expr) else { return };
        match self.pending.asserted.take() {
            Some((asserted, condition)) if asserted == site => self.assume(&condition, true),
            _ if self.asserted(self.facts.site(site).callee, may_assert) => {
                let mut tests = SmallVec::new();
                self.predicate(site, &mut tests);
                self.assume(&Condition::Tests(tests), true);
            }
            _ => {}
        }
    }

    /// `process.exit()` ends the flow.
    fn never_returns(&self, expr: ExprId) -> bool {
        let Expr::Call(site) = self.facts.expr(expr) else { return false };
        let Expr::Property { object, name, .. } = self.facts.expr(self.facts.site(site).callee) else { return false };
        let Expr::Name { name: root, .. } = self.facts.expr(object) else { return false };
        matches!((self.facts.name(root), self.facts.name(name)), ("process", "exit" | "abort") | ("Deno", "exit"))
    }

    fn return_statement(&mut self, cursor: &mut TreeCursor) {
        match self.first(cursor, |this, cursor, _| this.expr(cursor)) {
            Some(value) => {
                if let Some(function) = self.frame.function {
                    self.expect(value, Context::Return(function));
                }
                self.frame.returns.push(value);
            }
            None => self.frame.bare_return |= self.frame.reachable,
        }
        self.frame.reachable = false;
    }
}
