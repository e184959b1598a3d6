//! Assignments to names, properties and patterns.

use tree_sitter::TreeCursor;

use super::{
    Dialect,
    facts::{Context, DefId, Export, ExportKind, Expr, ExprId, NameId},
    frame::{Holder, Words},
    kinds::{Kind, Named, Token},
    lower::{Lowering, line_of},
};

/// `this.x = v` in JavaScript: a field of the class.
#[derive(Debug)]
pub(super) struct AssignedField {
    pub(super) method: DefId,
    pub(super) name: NameId,
    pub(super) line: u32,
    pub(super) value: ExprId,
}

impl Lowering<'_> {
    /// `a = b`; its value is that of `b`.
    pub(super) fn assignment(&mut self, cursor: &mut TreeCursor) -> ExprId {
        let fields = &self.grammar.fields;
        let line = line_of(cursor.node());
        let (mut target, mut value) = (None, None);
        let mut holder = Holder::default();
        self.fields(cursor, |this, cursor, kind, field| {
            if field == fields.left {
                if !matches!(kind, Named::ObjectPattern | Named::ArrayPattern) {
                    let expr = this.expr(cursor);
                    target = Some(expr);
                    holder = Holder { name: this.assigned_name(expr, kind), doc: this.doc.take() };
                }
            } else if field == fields.right {
                value = Some(this.named(cursor, holder));
            }
        });
        let Some(value) = value else { return self.add(Expr::Unknown) };
        match target {
            Some(target) => {
                self.expect(value, Context::Assigned(target));
                self.common_js(target, value, line);
                self.this_field(target, value, line);
                self.reassigned(target, Some(value));
            }
            None => self.field(cursor, fields.left, |this, cursor, _| this.assigned_pattern(cursor)),
        }
        value
    }

    /// The name that a function goes by that is assigned to `expr`.
    fn assigned_name(&self, expr: ExprId, kind: Named) -> Option<NameId> {
        match (kind, self.facts.expr(self.unwrapped(expr))) {
            (Named::Identifier, Expr::Name { name, .. }) | (Named::MemberExpression, Expr::Property { name, .. }) => {
                Some(name)
            }
            _ => None,
        }
    }

    /// `a += b`, `a ??= b`
    pub(super) fn augmented(&mut self, cursor: &mut TreeCursor) -> ExprId {
        let fields = &self.grammar.fields;
        let (mut target, mut value, mut operator) = (None, None, Token::Other);
        self.children(cursor, |this, cursor, kind| {
            let field = cursor.field_id().map_or(0, std::num::NonZero::get);
            match kind {
                Kind::Token(token) => operator = token,
                Kind::Node(_) if field == fields.left => target = Some(this.expr(cursor)),
                Kind::Node(_) if field == fields.right => value = Some(this.expr(cursor)),
                _ => {}
            }
        });
        let (Some(target), Some(value)) = (target, value) else { return self.add(Expr::Unknown) };
        let (expr, kept) = match operator {
            Token::OrAssign => (Expr::Or(target, value), Some(value)),
            Token::NullishAssign => (Expr::Nullish(target, value), Some(value)),
            Token::AndAssign => (Expr::And(target, value), Some(value)),
            Token::PlusAssign => (Expr::Plus(target, value), None),
            _ => (Expr::Number, None),
        };
        if kept.is_some() {
            self.expect(value, Context::Assigned(target));
        }
        self.reassigned(target, kept);
        self.add(expr)
    }

    /// `target` has a new value: what was known of it ends.
    pub(super) fn reassigned(&mut self, target: ExprId, value: Option<ExprId>) {
        self.forget(target);
        let target = self.unwrapped(target);
        if let Expr::Name { .. } = self.facts.expr(target) {
            self.pending.assigned.push((target, value));
        }
    }

    /// The names of a pattern that is assigned to, not declared.
    pub(super) fn assigned_pattern(&mut self, cursor: &mut TreeCursor) {
        let fields = &self.grammar.fields;
        let node = cursor.node();
        self.deeper(node, |this| match this.kind(cursor.node()) {
            Kind::Node(
                Named::ObjectPattern | Named::ArrayPattern | Named::RestPattern | Named::ParenthesizedExpression,
            ) => this.nodes(cursor, |this, cursor, _| this.assigned_pattern(cursor)),
            Kind::Node(Named::AssignmentPattern | Named::ObjectAssignmentPattern) => {
                this.fields(cursor, |this, cursor, _, field| {
                    if field == fields.right {
                        this.expr(cursor);
                    } else {
                        this.assigned_pattern(cursor);
                    }
                });
            }
            Kind::Node(Named::PairPattern) => this.fields(cursor, |this, cursor, _, field| {
                if field == fields.key {
                    this.property_name(cursor);
                } else {
                    this.assigned_pattern(cursor);
                }
            }),
            Kind::Node(Named::ShorthandPropertyIdentifierPattern) => {
                let name = this.name_of(cursor.node());
                let target = this.read(name);
                this.reassigned(target, None);
            }
            _ => {
                let target = this.expr(cursor);
                this.reassigned(target, None);
            }
        });
    }

    /// `module.exports = x`, `module.exports.x = v`, `exports.x = v`
    fn common_js(&mut self, target: ExprId, value: ExprId, line: u32) {
        if self.frame.function.is_some() || self.facts.is_declaration {
            return;
        }
        let Some((path, root)) = self.path(target) else { return };
        let (name, kind) = match path[..] {
            [module, exports] if module == Words::module() && exports == Words::exports() => {
                (Words::nothing(), ExportKind::Assign(value))
            }
            [exports, name] if exports == Words::exports() => (name, ExportKind::Value(value)),
            [module, exports, name] if module == Words::module() && exports == Words::exports() => {
                (name, ExportKind::Value(value))
            }
            _ => return,
        };
        self.pending.common_js.push((self.facts.exports.len(), root));
        self.facts.exports.push(Export { name, kind, line });
    }

    /// `this.x = v` in a method of a JavaScript class.
    fn this_field(&mut self, target: ExprId, value: ExprId, line: u32) {
        if self.dialect != Dialect::JavaScript {
            return;
        }
        let Expr::Property { object, name, .. } = self.facts.expr(self.unwrapped(target)) else { return };
        let (Expr::This(Some(method)), Some(class)) = (self.facts.expr(object), self.frame.class) else { return };
        if self.facts.def(method).outer == Some(class) {
            self.pending.fields.push(AssignedField { method, name, line, value });
        }
    }
}
