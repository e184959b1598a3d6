//! Reads of names, attributes and items, with the bindings that reach them.

use smallvec::SmallVec;
use tree_sitter::{Node, TreeCursor};

use super::{
    facts::{AttributeRead, Binding, BindingId, BindingKind, Expr, ExprId, MentionPlace, NameId, ReachingBindings},
    lower::Lowering,
    mentions::TypeArgumentPlaces,
};
use crate::syntax::tree::position_of;

impl Lowering<'_> {
    pub(super) fn lower_identifier(&mut self, node: Node) -> ExprId {
        let name = self.intern(self.text(node));
        let expr = self.read_name(name);
        self.note_mention(expr, Some(node));
        expr
    }

    /// Adds a read of `name` at the current point of the flow.
    pub(super) fn read_name(&mut self, name: NameId) -> ExprId {
        let reaching = self.flow.get(name);
        let scope = self.flow.scope;
        let expr = self.add_expr(Expr::Name { name, scope, reaching });
        self.flow.note_read(expr, name);
        if reaching.is_empty() {
            self.note_captured_read(expr, name);
        }
        expr
    }

    /// Lowers the attribute at the cursor and records that it is read.
    pub(super) fn lower_attribute(&mut self, cursor: &mut TreeCursor) -> ExprId {
        let (expr, token) = self.lower_attribute_parts(cursor);
        if !self.in_annotation && matches!(self.facts.expr(expr), Expr::Attribute { .. }) {
            self.record_read(expr, token);
        }
        self.note_mention(expr, token);
        expr
    }

    /// Records the read of the attribute `expr`, whose name is `token`.
    pub(super) fn record_read(&mut self, expr: ExprId, token: Option<Node>) {
        let (line, col) = position_of(token);
        self.facts.reads.push(AttributeRead { expr, line, col, reader: self.flow.caller });
    }

    /// Lowers the attribute at the cursor, which is a callee or the target of an assignment or a deletion. Only its
    /// receiver is read. Also returns the token of its name.
    pub(super) fn lower_attribute_target<'t>(&mut self, cursor: &mut TreeCursor<'t>) -> (ExprId, Option<Node<'t>>) {
        let node = cursor.node();
        let lowered = self.descend(node, |this| this.lower_attribute_parts(cursor));
        lowered.unwrap_or_else(|| (self.unknown(), node.child_by_field_id(self.grammar.fields.attribute)))
    }

    fn lower_attribute_parts<'t>(&mut self, cursor: &mut TreeCursor<'t>) -> (ExprId, Option<Node<'t>>) {
        let fields = &self.grammar.fields;
        let mut value = None;
        let mut name = None;
        let mut token = None;
        self.fields(cursor, |this, cursor, _, field| {
            if field == fields.object {
                value = Some(this.at_place(None, |this| this.lower_expr(cursor)));
            } else if field == fields.attribute {
                let node = cursor.node();
                name = Some(this.intern(this.text(node)));
                token = Some(node);
            }
        });
        let expr = match (value, name) {
            (Some(value), Some(name)) => self.read_attribute(value, name),
            _ => self.unknown(),
        };
        (expr, token)
    }

    /// Adds a read of `value.name` at the current point of the flow.
    pub(super) fn read_attribute(&mut self, value: ExprId, name: NameId) -> ExprId {
        let expr = self.add_expr(Expr::Attribute { value, name, reaching: ReachingBindings::NONE });
        if let Some(path) = self.access_path(expr) {
            let found = self.flow.get(path.name);
            if !found.is_empty()
                && let Expr::Attribute { reaching, .. } = &mut self.facts.exprs[expr.index()]
            {
                *reaching = found;
            }
            self.flow.note_read(expr, path.name);
        }
        expr
    }

    pub(super) fn lower_subscript(&mut self, cursor: &mut TreeCursor) -> ExprId {
        let fields = &self.grammar.fields;
        let outer = self.in_annotation;
        let mut value = None;
        let mut indices: SmallVec<[ExprId; 4]> = SmallVec::new();
        let mut places = TypeArgumentPlaces::default();
        self.fields(cursor, |this, cursor, _, field| {
            if field == fields.value {
                let place = this.mention_place.filter(MentionPlace::is_type);
                let lowered = this.at_place(place, |this| this.lower_expr(cursor));
                // The arguments of `Literal[…]` (PEP 586) are values, not forward references.
                this.in_annotation &= !this.facts.is_named(lowered, "Literal");
                places = this.places_of_type_arguments(lowered);
                value = Some(lowered);
            } else if field == fields.subscript {
                let position = this.text(cursor.node()).parse().ok().filter(|_| !this.in_annotation);
                let index = this.at_place(places.at(indices.len()), |this| this.lower_expr(cursor));
                indices.push(position.map_or(index, |at| this.add_expr(Expr::Position(at))));
            }
        });
        self.in_annotation = outer;
        let value = value.unwrap_or_else(|| self.unknown());
        let index = if let [one] = indices[..] {
            one
        } else {
            let list = self.add_list(&indices);
            self.add_expr(Expr::Tuple(list))
        };
        let expr = self.add_subscript(value, index);
        if !outer {
            self.read_item(expr);
        }
        expr
    }

    /// Adds `value[index]` without bindings that reach the item.
    pub(super) fn add_subscript(&mut self, value: ExprId, index: ExprId) -> ExprId {
        self.add_expr(Expr::Subscript { value, index, reaching: ReachingBindings::NONE })
    }

    /// Adds the bindings that reach the item `value[index]` at the current point of the flow.
    fn read_item(&mut self, expr: ExprId) {
        let Expr::Subscript { value, .. } = self.facts.expr(expr) else { return };
        if !self.flow.has_items {
            return;
        }
        let item = self.access_path(expr).map(|path| path.name);
        let Some(any) = self.any_item(value).map(|path| path.name) else { return };
        let name = item.filter(|item| !self.flow.get(*item).is_empty()).unwrap_or(any);
        let mut found = self.flow.get(name);
        // The item is assigned only on some of the preceding branches.
        if let Some(item) = item.filter(|item| found.is_empty() && self.flow.changed_items.contains(item)) {
            let (scope, id) = (self.flow.scope, BindingId::new(self.facts.bindings.len()));
            let kind = BindingKind::Unknown;
            self.facts.bindings.push(Binding { scope, name: item, line: 0, kind, is_fallback: true });
            found = self.facts.add_reaching(&[id]);
        }
        if let Expr::Subscript { reaching, .. } = &mut self.facts.exprs[expr.index()]
            && !found.is_empty()
        {
            *reaching = found;
            self.flow.note_read(expr, name);
        }
    }
}
