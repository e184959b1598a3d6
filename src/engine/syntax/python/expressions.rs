//! Expressions: what they may be, and the calls inside them.

use smallvec::SmallVec;
use tree_sitter::{Node, TreeCursor};

use super::{
    facts::{BindingKind, Expr, ExprId, NameId, ScopeKind},
    kinds::NodeKind,
    lower::{Lowering, line_of},
    patterns::AssignedValue,
};

impl Lowering<'_> {
    /// Lowers the expression at the cursor.
    pub(super) fn lower_expr(&mut self, cursor: &mut TreeCursor) -> ExprId {
        let node = cursor.node();
        let kind = self.kind(node);
        match kind {
            NodeKind::Identifier => return self.lower_identifier(node),
            NodeKind::Integer => return self.add_expr(Expr::Int),
            NodeKind::Float => return self.add_expr(Expr::Float),
            NodeKind::True | NodeKind::False => return self.add_expr(Expr::Bool),
            NodeKind::None => return self.add_expr(Expr::None),
            NodeKind::Ellipsis => return self.add_expr(Expr::Ellipsis),
            NodeKind::Comment | NodeKind::Token => return self.unknown(),
            _ => {}
        }
        let lowered = self.descend(node, |this| this.lower_compound(cursor, kind));
        lowered.unwrap_or_else(|| self.unknown())
    }

    fn lower_compound(&mut self, cursor: &mut TreeCursor, kind: NodeKind) -> ExprId {
        match kind {
            NodeKind::Call => self.lower_call(cursor, false),
            NodeKind::Attribute => self.lower_attribute(cursor),
            NodeKind::Subscript => self.lower_subscript(cursor),
            NodeKind::ParenthesizedExpression
            | NodeKind::Type
            | NodeKind::AsPatternTarget
            | NodeKind::Interpolation => self.lower_last_child(cursor),
            NodeKind::Await => {
                let value = self.lower_last_child(cursor);
                self.add_expr(Expr::Await(value))
            }
            NodeKind::String | NodeKind::ConcatenatedString => self.lower_string(cursor),
            NodeKind::Tuple | NodeKind::ExpressionList | NodeKind::PatternList | NodeKind::TuplePattern => {
                let items = self.lower_items(cursor);
                let list = self.add_list(&items);
                self.add_expr(Expr::Tuple(list))
            }
            NodeKind::List | NodeKind::ListPattern => {
                let items = self.lower_items(cursor);
                let list = self.add_list(&items);
                self.add_expr(Expr::List(list))
            }
            NodeKind::Set => {
                let items = self.lower_items(cursor);
                let list = self.add_list(&items);
                self.add_expr(Expr::Set(list))
            }
            NodeKind::Dictionary => self.lower_dictionary(cursor),
            NodeKind::BooleanOperator | NodeKind::NotOperator | NodeKind::ComparisonOperator => {
                self.lower_condition(cursor).0
            }
            NodeKind::BinaryOperator => self.lower_binary(cursor),
            NodeKind::UnaryOperator => {
                self.lower_field(cursor, self.grammar.fields.ty);
                self.lower_last_child(cursor)
            }
            NodeKind::ConditionalExpression => self.lower_conditional(cursor),
            NodeKind::ListComprehension
            | NodeKind::SetComprehension
            | NodeKind::GeneratorExpression
            | NodeKind::DictionaryComprehension => self.lower_comprehension(cursor, kind),
            NodeKind::Lambda => self.lower_lambda(cursor),
            NodeKind::NamedExpression => self.lower_named_expression(cursor),
            NodeKind::Yield => self.lower_yield(cursor),
            NodeKind::ListSplat | NodeKind::ListSplatPattern => {
                let value = self.lower_last_child(cursor);
                self.add_expr(Expr::Starred(value))
            }
            NodeKind::Slice => {
                self.lower_children(cursor);
                self.add_expr(Expr::Slice)
            }
            NodeKind::GenericType | NodeKind::UnionType | NodeKind::MemberType => {
                self.lower_type_expression(cursor, kind)
            }
            _ => {
                self.lower_children(cursor);
                self.unknown()
            }
        }
    }

    /// Lowers every child for its calls.
    pub(super) fn lower_children(&mut self, cursor: &mut TreeCursor) {
        self.children(cursor, |this, cursor, kind| {
            if kind != NodeKind::Token {
                this.lower_expr(cursor);
            }
        });
    }

    /// Lowers the children; the last named one is the value.
    pub(super) fn lower_last_child(&mut self, cursor: &mut TreeCursor) -> ExprId {
        let mut value = self.unknown();
        self.children(cursor, |this, cursor, kind| {
            if !matches!(kind, NodeKind::Token | NodeKind::Comment) {
                value = this.lower_expr(cursor);
            }
        });
        value
    }

    /// Lowers the first child of that field; unknown where there is none.
    pub(super) fn lower_field(&mut self, cursor: &mut TreeCursor, field: u16) -> Option<ExprId> {
        let mut value = None;
        self.field(cursor, field, |this, cursor, _| {
            let lowered = this.lower_expr(cursor);
            value.get_or_insert(lowered);
        });
        value
    }

    fn lower_items(&mut self, cursor: &mut TreeCursor) -> SmallVec<[ExprId; 8]> {
        let mut items = SmallVec::new();
        self.children(cursor, |this, cursor, kind| {
            if !matches!(kind, NodeKind::Token | NodeKind::Comment) {
                items.push(this.lower_expr(cursor));
            }
        });
        items
    }

    fn lower_identifier(&mut self, node: Node) -> ExprId {
        let name = self.intern(self.text(node));
        self.read_name(name)
    }

    /// A read of `name` here.
    pub(super) fn read_name(&mut self, name: NameId) -> ExprId {
        let reach = self.flow.get(name);
        let scope = self.flow.scope;
        let expr = self.add_expr(Expr::Name { name, scope, reach });
        self.flow.note_read(expr, name);
        expr
    }

    fn lower_attribute(&mut self, cursor: &mut TreeCursor) -> ExprId {
        let fields = &self.grammar.fields;
        let mut value = None;
        let mut name = None;
        self.fields(cursor, |this, cursor, _, field| {
            if field == fields.object {
                value = Some(this.lower_expr(cursor));
            } else if field == fields.attribute {
                let text = this.text(cursor.node());
                name = Some(this.intern(text));
            }
        });
        match (value, name) {
            (Some(value), Some(name)) => self.read_attribute(value, name),
            _ => self.unknown(),
        }
    }

    /// A read of `value.name` here.
    pub(super) fn read_attribute(&mut self, value: ExprId, name: NameId) -> ExprId {
        let expr = self.add_expr(Expr::Attribute { value, name, reach: super::facts::ReachingBindings::NONE });
        if let Some(path) = self.access_path(expr) {
            let found = self.flow.get(path.name);
            if !found.is_empty()
                && let Expr::Attribute { reach, .. } = &mut self.facts.exprs[expr.index()]
            {
                *reach = found;
            }
            self.flow.note_read(expr, path.name);
        }
        expr
    }

    fn lower_subscript(&mut self, cursor: &mut TreeCursor) -> ExprId {
        let fields = &self.grammar.fields;
        let outer = self.in_annotation;
        let mut value = None;
        let mut indices: SmallVec<[ExprId; 4]> = SmallVec::new();
        self.fields(cursor, |this, cursor, _, field| {
            if field == fields.value {
                let lowered = this.lower_expr(cursor);
                // What `Literal[…]` lists are values, never forward references.
                this.in_annotation &= !this.is_named(lowered, "Literal");
                value = Some(lowered);
            } else if field == fields.subscript {
                indices.push(this.lower_expr(cursor));
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
        self.add_expr(Expr::Subscript { value, index })
    }

    /// True for `text` and `….text`.
    pub(super) fn is_named(&self, expr: ExprId, text: &str) -> bool {
        match self.facts.expr(expr) {
            Expr::Name { name, .. } | Expr::Attribute { name, .. } => self.facts.name(name) == text,
            _ => false,
        }
    }

    fn lower_string(&mut self, cursor: &mut TreeCursor) -> ExprId {
        let node = cursor.node();
        if node.named_child_count() > 2 || self.kind(node) == NodeKind::ConcatenatedString {
            // Calls in f-strings are call sites.
            self.children(cursor, |this, cursor, kind| match kind {
                NodeKind::Interpolation | NodeKind::String => {
                    this.lower_interpolations(cursor);
                }
                _ => {}
            });
        }
        let text = self.text(node);
        if text.as_bytes().first().is_some_and(|c| matches!(c, b'b' | b'B')) {
            return self.add_expr(Expr::Bytes);
        }
        let inner = text.trim_matches(|c| c == '"' || c == '\'');
        if self.in_annotation {
            return self.parse_forward_reference(inner);
        }
        let plain = inner.len() <= 80
            && !inner.is_empty()
            && inner
                .bytes()
                .all(|c| c.is_ascii_alphanumeric() || matches!(c, b'_' | b'.' | b'[' | b']' | b',' | b' ' | b'|'));
        let kept = plain.then(|| self.intern(inner));
        self.add_expr(Expr::Str(kept))
    }

    fn lower_interpolations(&mut self, cursor: &mut TreeCursor) {
        let node = cursor.node();
        self.descend(node, |this| {
            this.children(cursor, |this, cursor, kind| match kind {
                NodeKind::Interpolation | NodeKind::String => this.lower_interpolations(cursor),
                NodeKind::Token | NodeKind::StringContent | NodeKind::Comment => {}
                NodeKind::Other => this.lower_interpolations(cursor),
                _ => {
                    this.lower_expr(cursor);
                }
            });
        });
    }

    fn lower_dictionary(&mut self, cursor: &mut TreeCursor) -> ExprId {
        let mut items: SmallVec<[ExprId; 16]> = SmallVec::new();
        self.children(cursor, |this, cursor, kind| match kind {
            NodeKind::Pair => {
                let mut both: SmallVec<[ExprId; 2]> = SmallVec::new();
                this.children(cursor, |this, cursor, kind| {
                    if !matches!(kind, NodeKind::Token | NodeKind::Comment) {
                        both.push(this.lower_expr(cursor));
                    }
                });
                if both.len() == 2 {
                    items.extend(both);
                }
            }
            NodeKind::Token | NodeKind::Comment => {}
            _ => {
                this.lower_expr(cursor);
            }
        });
        let list = self.add_list(&items);
        self.add_expr(Expr::Dict(list))
    }

    fn lower_binary(&mut self, cursor: &mut TreeCursor) -> ExprId {
        let fields = &self.grammar.fields;
        let mut sides: SmallVec<[ExprId; 2]> = SmallVec::new();
        let mut is_union = false;
        self.fields(cursor, |this, cursor, _, field| {
            if field == fields.operator {
                is_union = this.text(cursor.node()) == "|";
            } else if field == fields.left || field == fields.right {
                sides.push(this.lower_expr(cursor));
            }
        });
        match sides[..] {
            [left, right] => self.add_expr(Expr::Binary { is_union, left, right }),
            _ => self.unknown(),
        }
    }

    fn lower_conditional(&mut self, cursor: &mut TreeCursor) -> ExprId {
        // The condition stands between the two values, and is known before either.
        let mut parts = 0;
        let mut condition = None;
        self.children(cursor, |this, cursor, kind| {
            if !matches!(kind, NodeKind::Token | NodeKind::Comment) {
                if parts == 1 {
                    condition = Some(this.lower_condition(cursor).1);
                }
                parts += 1;
            }
        });
        let mut values: SmallVec<[ExprId; 2]> = SmallVec::new();
        let mut part = 0;
        let start = self.flow.snapshot();
        let mut branches = Vec::new();
        self.children(cursor, |this, cursor, kind| {
            if !matches!(kind, NodeKind::Token | NodeKind::Comment) {
                if part != 1 {
                    if let Some(condition) = &condition {
                        this.assume(condition, part == 0);
                    }
                    values.push(this.lower_expr(cursor));
                    branches.push(this.flow.rollback(start));
                }
                part += 1;
            }
        });
        self.flow.merge(&mut self.facts, &branches);
        match values[..] {
            [yes, no] => self.add_expr(Expr::Conditional(yes, no)),
            _ => self.unknown(),
        }
    }

    fn lower_named_expression(&mut self, cursor: &mut TreeCursor) -> ExprId {
        let fields = &self.grammar.fields;
        let value = self.lower_field(cursor, fields.value).unwrap_or_else(|| self.unknown());
        let mut expr = value;
        self.field(cursor, fields.name, |this, cursor, _| {
            let node = cursor.node();
            let name = this.intern(this.text(node));
            this.bind(name, line_of(node), BindingKind::assign(value));
            expr = this.read_name(name);
        });
        expr
    }

    fn lower_yield(&mut self, cursor: &mut TreeCursor) -> ExprId {
        let mut from = false;
        let mut value = self.add_expr(Expr::None);
        self.children(cursor, |this, cursor, kind| match kind {
            NodeKind::Token => from |= this.text(cursor.node()) == "from",
            NodeKind::Comment => {}
            _ => value = this.lower_expr(cursor),
        });
        let kept = if from { self.add_expr(Expr::Starred(value)) } else { value };
        if let Some(function) = self.enclosing_function() {
            function.is_generator = true;
            function.yields.push(kept);
        }
        self.unknown()
    }

    fn lower_comprehension(&mut self, cursor: &mut TreeCursor, kind: NodeKind) -> ExprId {
        let start = self.flow.snapshot();
        let outer = self.flow.scope;
        let scope = self.add_scope(ScopeKind::Function, None);
        let fields = &self.grammar.fields;
        // The first iterable is evaluated outside, and clauses come before the body.
        self.children(cursor, |this, cursor, kind| match kind {
            NodeKind::ForInClause => {
                let mut is_async = false;
                this.children(cursor, |this, cursor, kind| {
                    is_async |= kind == NodeKind::Token && this.text(cursor.node()) == "async";
                });
                let right = this.lower_field(cursor, fields.right).unwrap_or_else(|| this.unknown());
                this.flow.scope = scope;
                this.field(cursor, fields.left, |this, cursor, _| {
                    this.bind_target(cursor, &AssignedValue::iteration(right, is_async));
                });
            }
            NodeKind::IfClause => {
                this.children(cursor, |this, cursor, kind| {
                    if !matches!(kind, NodeKind::Token | NodeKind::Comment) {
                        let (_, condition) = this.lower_condition(cursor);
                        this.assume(&condition, true);
                    }
                });
            }
            _ => {}
        });
        let mut values: SmallVec<[ExprId; 2]> = SmallVec::new();
        self.field(cursor, fields.body, |this, cursor, kind| {
            if kind == NodeKind::Pair {
                this.children(cursor, |this, cursor, kind| {
                    if !matches!(kind, NodeKind::Token | NodeKind::Comment) {
                        values.push(this.lower_expr(cursor));
                    }
                });
            } else {
                values.push(this.lower_expr(cursor));
            }
        });
        self.flow.scope = outer;
        self.flow.rollback(start);
        match (kind, &values[..]) {
            (NodeKind::ListComprehension, &[value]) => self.add_expr(Expr::ListComprehension(value)),
            (NodeKind::SetComprehension, &[value]) => self.add_expr(Expr::SetComprehension(value)),
            (NodeKind::GeneratorExpression, &[value]) => self.add_expr(Expr::Generator(value)),
            (NodeKind::DictionaryComprehension, &[key, value]) => self.add_expr(Expr::DictComprehension(key, value)),
            _ => self.unknown(),
        }
    }
}
