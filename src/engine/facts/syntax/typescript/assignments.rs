//! Assignments to names, properties and patterns.

use arcstr::ArcStr;
use tree_sitter::TreeCursor;

use super::{
    Dialect,
    comment_types::TagKind,
    context::{DocRange, InferredName, WellKnownNames},
    facts::{DefId, Export, ExportKind, Expr, ExprId, ExpressionContext, NameId, TypeId},
    grammar::{NodeKind, SyntaxKind, TokenKind},
    lower::{Lowering, index_u16},
    narrowing::is_item,
    prototypes::AssignmentPlace,
};
use crate::syntax::tree::{field_of, line_of};

/// A field that a method of a JavaScript class assigns: `this.x = v`.
#[derive(Debug)]
pub(super) struct AssignedField {
    pub(super) method: DefId,
    pub(super) name: NameId,
    pub(super) line: u32,
    pub(super) value: ExprId,
    /// The type in the JSDoc comment before the assignment, with its text.
    pub(super) annotation: Option<(TypeId, ArcStr)>,
}

impl Lowering<'_> {
    /// Lowers `a = b`. The result is the expression `b`.
    pub(super) fn assignment(&mut self, cursor: &mut TreeCursor) -> ExprId {
        let fields = &self.grammar.fields;
        let line = line_of(cursor.node());
        let (mut target, mut value) = (None, None);
        let mut inferred = InferredName::default();
        let mut place = None;
        self.fields(cursor, |this, cursor, kind, field| {
            if field == fields.left {
                if !matches!(kind, NodeKind::ObjectPattern | NodeKind::ArrayPattern) {
                    let expr = this.expr(cursor);
                    this.drop_read(expr);
                    place = Some(this.place_of_value(cursor.node()));
                    target = Some(expr);
                    inferred =
                        InferredName { name: this.inferred_name(expr, kind), doc: this.doc.take(), is_member: false };
                }
            } else if field == fields.right {
                value = Some(this.at_place(place, |this| this.named_expr(cursor, inferred)));
            }
        });
        let Some(value) = value else { return self.add_expr(Expr::Unknown) };
        match target {
            Some(target) => {
                self.record_context(value, ExpressionContext::Assigned(target));
                self.common_js_export(target, value, line);
                self.record_this_field(target, value, line, inferred.doc);
                self.record_property(target, value, AssignmentPlace { line, doc: inferred.doc });
                self.reassign(target, Some(value));
            }
            None => self.field(cursor, fields.left, |this, cursor, _| this.assignment_target(cursor, Some(value))),
        }
        value
    }

    /// The name that an anonymous function takes from the target of an assignment.
    fn inferred_name(&self, expr: ExprId, kind: NodeKind) -> Option<NameId> {
        match (kind, self.facts.expr(self.without_guards(expr))) {
            (NodeKind::Identifier, Expr::Name { name, .. })
            | (NodeKind::MemberExpression, Expr::Property { name, .. }) => Some(name),
            _ => None,
        }
    }

    /// Lowers `a += b`, `a ??= b` and other compound assignments.
    pub(super) fn augmented_assignment(&mut self, cursor: &mut TreeCursor) -> ExprId {
        let fields = &self.grammar.fields;
        let (mut target, mut value, mut operator) = (None, None, TokenKind::Other);
        let mut place = None;
        self.children(cursor, |this, cursor, kind| {
            let field = field_of(cursor);
            match kind {
                SyntaxKind::Token(token) => operator = token,
                SyntaxKind::Node(_) if field == fields.left => {
                    place = Some(this.place_of_value(cursor.node()));
                    target = Some(this.expr(cursor));
                }
                SyntaxKind::Node(_) if field == fields.right => {
                    // `x += y` holds a sum.
                    let assigns =
                        matches!(operator, TokenKind::OrAssign | TokenKind::NullishAssign | TokenKind::AndAssign);
                    let place = place.filter(|_| assigns);
                    value = Some(this.at_place(place, |this| this.expr(cursor)));
                }
                _ => {}
            }
        });
        let (Some(target), Some(value)) = (target, value) else { return self.add_expr(Expr::Unknown) };
        let (expr, assigned) = match operator {
            TokenKind::OrAssign => (Expr::Or(target, value), Some(value)),
            TokenKind::NullishAssign => (Expr::Nullish(target, value), Some(value)),
            TokenKind::AndAssign => (Expr::And(target, value), Some(value)),
            TokenKind::PlusAssign => (Expr::Plus(target, value), None),
            _ => (Expr::Number, None),
        };
        if assigned.is_some() {
            self.record_context(value, ExpressionContext::Assigned(target));
        }
        let expr = self.add_expr(expr);
        // `x ||= y` and `x ??= y` assign only if `x` is falsy or nullish (ECMA-262, 13.15.2): afterwards, `x` has its
        // former value or `y`.
        let after = match operator {
            TokenKind::OrAssign | TokenKind::NullishAssign => Some(expr),
            _ => assigned,
        };
        self.reassign_narrowed(target, assigned, after);
        expr
    }

    /// Records an assignment to `target`, with its value if that is known. Reads that only this assignment reaches have
    /// its value.
    pub(super) fn reassign(&mut self, target: ExprId, value: Option<ExprId>) {
        self.reassign_narrowed(target, value, value);
    }

    /// Records an assignment of `value` to `target`. Reads that only this assignment reaches have the value `after`.
    fn reassign_narrowed(&mut self, target: ExprId, value: Option<ExprId>, after: Option<ExprId>) {
        let was_narrowed = self.invalidate(target);
        let target = self.without_guards(target);
        let is_name = matches!(self.facts.expr(target), Expr::Name { .. });
        if is_name {
            self.pending.reassigned.push((target, value));
        }
        if let Some(value) = after
            && (is_name
                || was_narrowed
                || self.dialect == Dialect::JavaScript && !matches!(self.facts.expr(target), Expr::Index { .. }))
        {
            self.assume_assigned(target, value);
        }
    }

    /// Lowers the target of an assignment that may be a destructuring pattern. `value` is what the target takes apart.
    pub(super) fn assignment_target(&mut self, cursor: &mut TreeCursor, value: Option<ExprId>) {
        let node = cursor.node();
        self.descend(node, |this| match this.kind(cursor.node()) {
            SyntaxKind::Node(NodeKind::ParenthesizedExpression) => {
                this.named_children(cursor, |this, cursor, _| this.assignment_target(cursor, value));
            }
            SyntaxKind::Node(NodeKind::RestPattern) => {
                this.named_children(cursor, |this, cursor, _| this.assignment_target(cursor, None));
            }
            SyntaxKind::Node(NodeKind::ObjectPattern) => {
                this.named_children(cursor, |this, cursor, _| this.property_target(cursor, value));
            }
            SyntaxKind::Node(NodeKind::ArrayPattern) => {
                let mut at = 0;
                this.children(cursor, |this, cursor, kind| match kind {
                    SyntaxKind::Token(TokenKind::Comma) => at += 1,
                    SyntaxKind::Node(_) => {
                        let item = value.zip(index_u16(at)).map(|(value, at)| this.item_of(value, at));
                        this.assignment_target(cursor, item);
                    }
                    _ => {}
                });
            }
            SyntaxKind::Node(NodeKind::AssignmentPattern | NodeKind::ObjectAssignmentPattern) => {
                this.target_with_default(cursor, value);
            }
            _ => {
                let target = this.expr(cursor);
                this.drop_read(target);
                this.reassign(target, value);
            }
        });
    }

    /// Lowers one property of an object pattern that an assignment takes apart.
    fn property_target(&mut self, cursor: &mut TreeCursor, value: Option<ExprId>) {
        let fields = &self.grammar.fields;
        let property =
            |this: &mut Self, name| value.map(|object| this.add_expr(Expr::Property { object, name, optional: false }));
        match self.kind(cursor.node()) {
            SyntaxKind::Node(NodeKind::ShorthandPropertyIdentifierPattern) => {
                let name = self.name_of(cursor.node());
                let value = property(self, name);
                let target = self.read(name);
                self.reassign(target, value);
            }
            SyntaxKind::Node(NodeKind::PairPattern) => {
                let mut of_key = None;
                self.fields(cursor, |this, cursor, _, field| {
                    if field == fields.key {
                        of_key = this.property_name(cursor).and_then(|name| property(this, name));
                    } else {
                        this.assignment_target(cursor, of_key);
                    }
                });
            }
            SyntaxKind::Node(NodeKind::ObjectAssignmentPattern) => {
                let left = cursor.node().child_by_field_id(fields.left);
                let value = left
                    .filter(|left| self.is_node(*left, NodeKind::ShorthandPropertyIdentifierPattern))
                    .map(|left| self.name_of(left))
                    .and_then(|name| property(self, name));
                self.target_with_default(cursor, value);
            }
            _ => self.assignment_target(cursor, None),
        }
    }

    /// Lowers `target = default` in a pattern that an assignment takes apart.
    fn target_with_default(&mut self, cursor: &mut TreeCursor, value: Option<ExprId>) {
        let fields = &self.grammar.fields;
        let mut default = None;
        self.field(cursor, fields.right, |this, cursor, _| default = Some(this.expr(cursor)));
        let value = value.zip(default).map(|(value, default)| self.add_expr(Expr::Nullish(value, default)));
        self.field(cursor, fields.left, |this, cursor, kind| {
            if kind == NodeKind::ShorthandPropertyIdentifierPattern {
                let name = this.name_of(cursor.node());
                let target = this.read(name);
                this.reassign(target, value);
            } else {
                this.assignment_target(cursor, value);
            }
        });
    }

    /// The item `at` of `value`.
    fn item_of(&mut self, value: ExprId, at: u16) -> ExprId {
        if let Expr::Array(list) = self.facts.expr(value) {
            let items = self.facts.list(list).iter().take(usize::from(at) + 1);
            let before: Vec<ExprId> = items.copied().collect();
            if before.len() == usize::from(at) + 1
                && !before.iter().any(|item| matches!(self.facts.expr(*item), Expr::Spread(_)))
            {
                return before[usize::from(at)];
            }
        }
        self.add_expr(Expr::Item { object: value, at })
    }

    /// Adds the `CommonJS` export `module.exports = x`, `module.exports.x = v` or `exports.x = v`.
    fn common_js_export(&mut self, target: ExprId, value: ExprId, line: u32) {
        if self.frame.function.is_some() || self.facts.is_declaration {
            return;
        }
        let Some((path, root)) = self.reference_path(target) else { return };
        if path.iter().any(|name| is_item(*name)) {
            return;
        }
        let (name, kind) = match path[..] {
            [module, exports] if module == WellKnownNames::module() && exports == WellKnownNames::exports() => {
                (WellKnownNames::empty(), ExportKind::Assign(value))
            }
            [exports, name] if exports == WellKnownNames::exports() => (name, ExportKind::Value(value)),
            [module, exports, name] if module == WellKnownNames::module() && exports == WellKnownNames::exports() => {
                (name, ExportKind::Value(value))
            }
            _ => return,
        };
        self.pending.common_js.push((self.facts.exports.len(), root));
        self.facts.exports.push(Export { name, kind, line });
    }

    /// Records `target = value`, if it may add a property to a function, class, object literal or array. A field that a
    /// method of a class assigns belongs to the class instead.
    fn record_property(&mut self, target: ExprId, value: ExprId, place: AssignmentPlace) {
        let target = self.without_guards(target);
        let (Expr::Property { object, .. } | Expr::Item { object, .. } | Expr::Index { object, .. }) =
            self.facts.expr(target)
        else {
            return;
        };
        let is_held = match self.facts.expr(self.without_guards(object)) {
            Expr::Name { .. } => true,
            Expr::This(Some(_)) => self.dialect == Dialect::JavaScript && self.frame.class.is_none(),
            Expr::Property { object, name, .. } => {
                let is_name = matches!(self.facts.expr(self.without_guards(object)), Expr::Name { .. });
                is_name && (name == WellKnownNames::exports() || self.facts.name(name) == "prototype")
            }
            _ => false,
        };
        if is_held {
            self.facts.assigned_properties.push((target, value));
            self.pending.assigned_properties.push(place);
        }
    }

    /// Records the field `x` of `this.x = v` in a method of a JavaScript class, or in a constructor of TypeScript.
    fn record_this_field(&mut self, target: ExprId, value: ExprId, line: u32, doc: Option<DocRange>) {
        let Expr::Property { object, name, .. } = self.facts.expr(self.without_guards(target)) else { return };
        let (Expr::This(Some(method)), Some(class)) = (self.facts.expr(self.without_guards(object)), self.frame.class)
        else {
            return;
        };
        let is_method = self.facts.def(method).outer == Some(class);
        let name_of_method = self.facts.def(method).name.map(|name| self.facts.name(name));
        if is_method && (self.dialect == Dialect::JavaScript || name_of_method == Some("constructor")) {
            let annotation = self.documented_type(doc, TagKind::Type);
            self.pending.assigned_fields.push(AssignedField { method, name, line, value, annotation });
        }
    }
}
