//! Expressions, and the call sites inside them.

use smallvec::SmallVec;
use tree_sitter::{Node, TreeCursor};

use super::{
    facts::{BinaryOperator, BindingKind, DefBody, Expr, ExprId, MentionPlace, OpenDict, UnaryOperator},
    grammar::NodeKind,
    lower::Lowering,
};
use crate::syntax::tree::line_of;

/// True for the parts of a chain such as `a.b[c](d)`.
fn is_chain(kind: NodeKind) -> bool {
    matches!(kind, NodeKind::Call | NodeKind::Attribute | NodeKind::Subscript)
}

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
        let place = self.place_inside(kind);
        self.at_place(place, |this| this.lower_compound_at_place(cursor, kind))
    }

    fn lower_compound_at_place(&mut self, cursor: &mut TreeCursor, kind: NodeKind) -> ExprId {
        match kind {
            NodeKind::Call => self.lower_call(cursor, false),
            NodeKind::Attribute => self.lower_attribute(cursor),
            NodeKind::Subscript => self.lower_subscript(cursor),
            NodeKind::ParenthesizedExpression
            | NodeKind::Type
            | NodeKind::AsPatternTarget
            | NodeKind::Interpolation => self.lower_last_child(cursor),
            NodeKind::UnaryOperator => {
                let operator = cursor.node().child(0).and_then(|token| UnaryOperator::of_text(self.text(token)));
                let value = self.lower_last_child(cursor);
                match operator {
                    Some(operator) => self.add_expr(Expr::Unary(operator, value)),
                    None => value,
                }
            }
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
                // The grammar parses `[*a.m()]` as a call on `*a`: the list takes the star.
                let mut parent = cursor.clone();
                let is_in_chain = parent.goto_parent() && is_chain(self.kind(parent.node()));
                if is_in_chain { value } else { self.add_expr(Expr::Starred(value)) }
            }
            // `*Ts` as the annotation of `*args` (PEP 646).
            NodeKind::SplatType => {
                let value = self.lower_last_child(cursor);
                self.add_expr(Expr::Starred(value))
            }
            NodeKind::Slice => self.lower_slice(cursor),
            NodeKind::GenericType | NodeKind::UnionType | NodeKind::MemberType => {
                self.lower_type_expression(cursor, kind)
            }
            _ => {
                self.lower_children(cursor);
                self.unknown()
            }
        }
    }

    /// Lowers all children, for the calls inside them.
    pub(super) fn lower_children(&mut self, cursor: &mut TreeCursor) {
        self.children(cursor, |this, cursor, kind| {
            if kind != NodeKind::Token {
                this.lower_expr(cursor);
            }
        });
    }

    /// Lowers all children, and returns the last named one.
    pub(super) fn lower_last_child(&mut self, cursor: &mut TreeCursor) -> ExprId {
        let mut value = self.unknown();
        self.children(cursor, |this, cursor, kind| {
            if !kind.is_token_or_comment() {
                value = this.lower_expr(cursor);
            }
        });
        value
    }

    /// Lowers the children with a field, and returns the first one.
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
            if !kind.is_token_or_comment() {
                let is_starred = is_chain(kind) && this.begins_with_star(cursor.node());
                let item = this.lower_expr(cursor);
                items.push(if is_starred { this.add_expr(Expr::Starred(item)) } else { item });
            }
        });
        items
    }

    /// True for `*a.m()` that the grammar parses as a chain which begins with `*a`.
    fn begins_with_star(&self, chain: Node) -> bool {
        let mut first = chain.child(0);
        while let Some(node) = first.filter(|node| is_chain(self.kind(*node))) {
            first = node.child(0);
        }
        first.is_some_and(|node| matches!(self.kind(node), NodeKind::ListSplat | NodeKind::ListSplatPattern))
    }

    fn lower_dictionary(&mut self, cursor: &mut TreeCursor) -> ExprId {
        let mut items: SmallVec<[ExprId; 16]> = SmallVec::new();
        let mut spreads: SmallVec<[ExprId; 2]> = SmallVec::new();
        self.children(cursor, |this, cursor, kind| match kind {
            NodeKind::Pair => {
                let mut both: SmallVec<[ExprId; 2]> = SmallVec::new();
                let outer = this.mention_place;
                this.children(cursor, |this, cursor, kind| {
                    if !kind.is_token_or_comment() {
                        let node = cursor.node();
                        let key = this.text(node).parse().ok();
                        let lowered = this.lower_expr(cursor);
                        if let (Some(MentionPlace::Held { holder, .. }), true) = (this.mention_place, both.is_empty()) {
                            let key = this.literal_key(node);
                            this.mention_place = Some(MentionPlace::Held { holder, key });
                        }
                        let key = key.filter(|_| kind == NodeKind::Integer && both.is_empty());
                        both.push(key.map_or(lowered, |key| this.add_expr(Expr::Position(key))));
                    }
                });
                this.mention_place = outer;
                if both.len() == 2 {
                    items.extend(both);
                }
            }
            NodeKind::Token | NodeKind::Comment => {}
            NodeKind::DictionarySplat => spreads.push(this.at_place(None, |this| this.lower_last_child(cursor))),
            _ => {
                this.lower_expr(cursor);
            }
        });
        let list = self.add_list(&items);
        let dict = self.add_expr(Expr::Dict(list));
        if !spreads.is_empty() {
            let spreads = self.add_list(&spreads);
            self.facts.open_dicts.push(OpenDict { dict, spreads });
        }
        dict
    }

    fn lower_slice(&mut self, cursor: &mut TreeCursor) -> ExprId {
        let mut bounds = [None; 2];
        let mut at = 0;
        let mut is_constant = true;
        self.children(cursor, |this, cursor, kind| match kind {
            NodeKind::Token => at += usize::from(this.text(cursor.node()) == ":"),
            NodeKind::Comment => {}
            _ => {
                let text = this.text(cursor.node());
                this.lower_expr(cursor);
                match (bounds.get_mut(at), text.parse()) {
                    (Some(bound), Ok(value)) => *bound = Some(value),
                    _ => is_constant = false,
                }
            }
        });
        self.add_expr(if is_constant { Expr::Range(bounds[0], bounds[1]) } else { Expr::Slice })
    }

    fn lower_binary(&mut self, cursor: &mut TreeCursor) -> ExprId {
        let fields = &self.grammar.fields;
        let mut sides: SmallVec<[ExprId; 2]> = SmallVec::new();
        let node = cursor.node();
        let operator_text = node.child_by_field_id(fields.operator).map_or("", |token| self.text(token));
        let operator = BinaryOperator::of_text(operator_text);
        self.fields(cursor, |this, cursor, _, field| {
            if field == fields.left || field == fields.right {
                let place = this.place_of_operand(operator_text, cursor.node());
                sides.push(this.at_place(place, |this| this.lower_expr(cursor)));
            }
        });
        match (operator, &sides[..]) {
            (Some(operator), &[left, right]) => self.add_expr(Expr::Binary { operator, left, right }),
            _ => self.unknown(),
        }
    }

    fn lower_conditional(&mut self, cursor: &mut TreeCursor) -> ExprId {
        // The condition is written between the two values, but evaluated first.
        let mut parts = 0;
        let mut condition = None;
        self.children(cursor, |this, cursor, kind| {
            if !kind.is_token_or_comment() {
                if parts == 1 {
                    condition = Some(this.at_place(None, |this| this.lower_condition(cursor)).1);
                }
                parts += 1;
            }
        });
        let mut values: SmallVec<[ExprId; 2]> = SmallVec::new();
        let mut part = 0;
        let start = self.flow.snapshot();
        let mut branches = Vec::new();
        self.children(cursor, |this, cursor, kind| {
            if !kind.is_token_or_comment() {
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
        self.flow.join(&mut self.facts, &branches);
        match values[..] {
            [yes, no] => self.add_expr(Expr::Conditional(yes, no)),
            _ => self.unknown(),
        }
    }

    fn lower_named_expression(&mut self, cursor: &mut TreeCursor) -> ExprId {
        let fields = &self.grammar.fields;
        let place = self.place_of_value(cursor.node().child_by_field_id(fields.name));
        let value = self.at_place(Some(place), |this| this.lower_field(cursor, fields.value));
        let value = value.unwrap_or_else(|| self.unknown());
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
            _ => {
                let place = (!from).then_some(MentionPlace::Returned);
                value = this.at_place(place, |this| this.lower_expr(cursor));
            }
        });
        let kept = if from { self.add_expr(Expr::Starred(value)) } else { value };
        let Some(def) = self.flow.def else { return self.unknown() };
        let DefBody::Function(function) = &mut self.facts.definitions[def.index()].body else { return self.unknown() };
        function.is_generator = true;
        function.yields.push(kept);
        self.add_expr(if from { Expr::Delegated(value) } else { Expr::Sent(def) })
    }
}
