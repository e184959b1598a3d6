//! Expressions: what they may be, and the calls inside them.

use smallvec::SmallVec;
use tree_sitter::{Node, TreeCursor};

use super::{
    facts::{BindingKind, Expr, ExprId, NameId, ScopeKind},
    kinds::Kind,
    lower::{Lowering, line_of},
    patterns::Target,
};

impl Lowering<'_> {
    /// Lowers the expression at the cursor.
    pub(super) fn expr(&mut self, cursor: &mut TreeCursor) -> ExprId {
        let node = cursor.node();
        let kind = self.kind(node);
        match kind {
            Kind::Identifier => return self.name_read(node),
            Kind::Integer => return self.add(Expr::Int),
            Kind::Float => return self.add(Expr::Float),
            Kind::True | Kind::False => return self.add(Expr::Bool),
            Kind::None => return self.add(Expr::None),
            Kind::Ellipsis => return self.add(Expr::Ellipsis),
            Kind::Comment | Kind::Token => return self.unknown(),
            _ => {}
        }
        let lowered = self.deeper(node, |this| this.nested(cursor, kind));
        lowered.unwrap_or_else(|| self.unknown())
    }

    fn nested(&mut self, cursor: &mut TreeCursor, kind: Kind) -> ExprId {
        match kind {
            Kind::Call => self.call(cursor, false),
            Kind::Attribute => self.attribute(cursor),
            Kind::Subscript => self.subscript(cursor),
            Kind::ParenthesizedExpression | Kind::Type | Kind::AsPatternTarget | Kind::Interpolation => {
                self.only_child(cursor)
            }
            Kind::Await => {
                let value = self.only_child(cursor);
                self.add(Expr::Await(value))
            }
            Kind::String | Kind::ConcatenatedString => self.string(cursor),
            Kind::Tuple | Kind::ExpressionList | Kind::PatternList | Kind::TuplePattern => {
                let items = self.items(cursor);
                let list = self.add_list(&items);
                self.add(Expr::Tuple(list))
            }
            Kind::List | Kind::ListPattern => {
                let items = self.items(cursor);
                let list = self.add_list(&items);
                self.add(Expr::List(list))
            }
            Kind::Set => {
                let items = self.items(cursor);
                let list = self.add_list(&items);
                self.add(Expr::Set(list))
            }
            Kind::Dictionary => self.dictionary(cursor),
            Kind::BooleanOperator | Kind::NotOperator | Kind::ComparisonOperator => self.condition(cursor).0,
            Kind::BinaryOperator => self.binary(cursor),
            Kind::UnaryOperator => {
                self.field_expr(cursor, self.grammar.fields.ty);
                self.only_child(cursor)
            }
            Kind::ConditionalExpression => self.conditional(cursor),
            Kind::ListComprehension
            | Kind::SetComprehension
            | Kind::GeneratorExpression
            | Kind::DictionaryComprehension => self.comprehension(cursor, kind),
            Kind::Lambda => self.lambda(cursor),
            Kind::NamedExpression => self.walrus(cursor),
            Kind::Yield => self.yield_value(cursor),
            Kind::ListSplat | Kind::ListSplatPattern => {
                let value = self.only_child(cursor);
                self.add(Expr::Starred(value))
            }
            Kind::Slice => {
                self.each(cursor);
                self.add(Expr::Slice)
            }
            Kind::GenericType | Kind::UnionType | Kind::MemberType => self.type_expression(cursor, kind),
            _ => {
                self.each(cursor);
                self.unknown()
            }
        }
    }

    /// Lowers every child for its calls.
    pub(super) fn each(&mut self, cursor: &mut TreeCursor) {
        self.children(cursor, |this, cursor, kind| {
            if kind != Kind::Token {
                this.expr(cursor);
            }
        });
    }

    /// Lowers the children; the last named one is the value.
    pub(super) fn only_child(&mut self, cursor: &mut TreeCursor) -> ExprId {
        let mut value = self.unknown();
        self.children(cursor, |this, cursor, kind| {
            if !matches!(kind, Kind::Token | Kind::Comment) {
                value = this.expr(cursor);
            }
        });
        value
    }

    /// Lowers the first child of that field; unknown where there is none.
    pub(super) fn field_expr(&mut self, cursor: &mut TreeCursor, field: u16) -> Option<ExprId> {
        let mut value = None;
        self.field(cursor, field, |this, cursor, _| {
            let lowered = this.expr(cursor);
            value.get_or_insert(lowered);
        });
        value
    }

    fn items(&mut self, cursor: &mut TreeCursor) -> SmallVec<[ExprId; 8]> {
        let mut items = SmallVec::new();
        self.children(cursor, |this, cursor, kind| {
            if !matches!(kind, Kind::Token | Kind::Comment) {
                items.push(this.expr(cursor));
            }
        });
        items
    }

    fn name_read(&mut self, node: Node) -> ExprId {
        let name = self.intern(self.text(node));
        self.read(name)
    }

    /// A read of `name` here.
    pub(super) fn read(&mut self, name: NameId) -> ExprId {
        let reach = self.frame.get(name);
        let scope = self.frame.scope;
        let expr = self.add(Expr::Name { name, scope, reach });
        self.frame.note_read(expr, name);
        expr
    }

    fn attribute(&mut self, cursor: &mut TreeCursor) -> ExprId {
        let fields = &self.grammar.fields;
        let mut value = None;
        let mut name = None;
        self.fields(cursor, |this, cursor, _, field| {
            if field == fields.object {
                value = Some(this.expr(cursor));
            } else if field == fields.attribute {
                let text = this.text(cursor.node());
                name = Some(this.intern(text));
            }
        });
        match (value, name) {
            (Some(value), Some(name)) => self.attribute_of(value, name),
            _ => self.unknown(),
        }
    }

    /// A read of `value.name` here.
    pub(super) fn attribute_of(&mut self, value: ExprId, name: NameId) -> ExprId {
        let expr = self.add(Expr::Attribute { value, name, reach: super::facts::Reach::NONE });
        if let Some(key) = self.key(expr) {
            let found = self.frame.get(key.whole);
            if !found.is_empty()
                && let Expr::Attribute { reach, .. } = &mut self.facts.exprs[expr.index()]
            {
                *reach = found;
            }
            self.frame.note_read(expr, key.whole);
        }
        expr
    }

    fn subscript(&mut self, cursor: &mut TreeCursor) -> ExprId {
        let fields = &self.grammar.fields;
        let outer = self.in_annotation;
        let mut value = None;
        let mut indices: SmallVec<[ExprId; 4]> = SmallVec::new();
        self.fields(cursor, |this, cursor, _, field| {
            if field == fields.value {
                let lowered = this.expr(cursor);
                // What `Literal[…]` lists are values, never forward references.
                this.in_annotation &= !this.is_named(lowered, "Literal");
                value = Some(lowered);
            } else if field == fields.subscript {
                indices.push(this.expr(cursor));
            }
        });
        self.in_annotation = outer;
        let value = value.unwrap_or_else(|| self.unknown());
        let index = if let [one] = indices[..] {
            one
        } else {
            let list = self.add_list(&indices);
            self.add(Expr::Tuple(list))
        };
        self.add(Expr::Subscript { value, index })
    }

    /// True for `text` and `….text`.
    pub(super) fn is_named(&self, expr: ExprId, text: &str) -> bool {
        match self.facts.expr(expr) {
            Expr::Name { name, .. } | Expr::Attribute { name, .. } => self.facts.name(name) == text,
            _ => false,
        }
    }

    fn string(&mut self, cursor: &mut TreeCursor) -> ExprId {
        let node = cursor.node();
        if node.named_child_count() > 2 || self.kind(node) == Kind::ConcatenatedString {
            // Calls in f-strings are call sites.
            self.children(cursor, |this, cursor, kind| match kind {
                Kind::Interpolation | Kind::String => {
                    this.interpolations(cursor);
                }
                _ => {}
            });
        }
        let text = self.text(node);
        if text.as_bytes().first().is_some_and(|c| matches!(c, b'b' | b'B')) {
            return self.add(Expr::Bytes);
        }
        let inner = text.trim_matches(|c| c == '"' || c == '\'');
        if self.in_annotation {
            return self.quoted(inner);
        }
        let plain = inner.len() <= 80
            && !inner.is_empty()
            && inner
                .bytes()
                .all(|c| c.is_ascii_alphanumeric() || matches!(c, b'_' | b'.' | b'[' | b']' | b',' | b' ' | b'|'));
        let kept = plain.then(|| self.intern(inner));
        self.add(Expr::Str(kept))
    }

    fn interpolations(&mut self, cursor: &mut TreeCursor) {
        let node = cursor.node();
        self.deeper(node, |this| {
            this.children(cursor, |this, cursor, kind| match kind {
                Kind::Interpolation | Kind::String => this.interpolations(cursor),
                Kind::Token | Kind::StringContent | Kind::Comment => {}
                Kind::Other => this.interpolations(cursor),
                _ => {
                    this.expr(cursor);
                }
            });
        });
    }

    fn dictionary(&mut self, cursor: &mut TreeCursor) -> ExprId {
        let mut items: SmallVec<[ExprId; 16]> = SmallVec::new();
        self.children(cursor, |this, cursor, kind| match kind {
            Kind::Pair => {
                let mut both: SmallVec<[ExprId; 2]> = SmallVec::new();
                this.children(cursor, |this, cursor, kind| {
                    if !matches!(kind, Kind::Token | Kind::Comment) {
                        both.push(this.expr(cursor));
                    }
                });
                if both.len() == 2 {
                    items.extend(both);
                }
            }
            Kind::Token | Kind::Comment => {}
            _ => {
                this.expr(cursor);
            }
        });
        let list = self.add_list(&items);
        self.add(Expr::Dict(list))
    }

    fn binary(&mut self, cursor: &mut TreeCursor) -> ExprId {
        let fields = &self.grammar.fields;
        let mut sides: SmallVec<[ExprId; 2]> = SmallVec::new();
        let mut pipe = false;
        self.fields(cursor, |this, cursor, _, field| {
            if field == fields.operator {
                pipe = this.text(cursor.node()) == "|";
            } else if field == fields.left || field == fields.right {
                sides.push(this.expr(cursor));
            }
        });
        match sides[..] {
            [left, right] => self.add(Expr::Binary { pipe, left, right }),
            _ => self.unknown(),
        }
    }

    fn conditional(&mut self, cursor: &mut TreeCursor) -> ExprId {
        // The condition stands between the two values, and is known before either.
        let mut parts = 0;
        let mut condition = None;
        self.children(cursor, |this, cursor, kind| {
            if !matches!(kind, Kind::Token | Kind::Comment) {
                if parts == 1 {
                    condition = Some(this.condition(cursor).1);
                }
                parts += 1;
            }
        });
        let mut values: SmallVec<[ExprId; 2]> = SmallVec::new();
        let mut part = 0;
        let start = self.frame.mark();
        let mut branches = Vec::new();
        self.children(cursor, |this, cursor, kind| {
            if !matches!(kind, Kind::Token | Kind::Comment) {
                if part != 1 {
                    if let Some(condition) = &condition {
                        this.assume(condition, part == 0);
                    }
                    values.push(this.expr(cursor));
                    branches.push(this.frame.rollback(start));
                }
                part += 1;
            }
        });
        self.frame.merge(&mut self.facts, &branches);
        match values[..] {
            [yes, no] => self.add(Expr::Either(yes, no)),
            _ => self.unknown(),
        }
    }

    fn walrus(&mut self, cursor: &mut TreeCursor) -> ExprId {
        let fields = &self.grammar.fields;
        let value = self.field_expr(cursor, fields.value).unwrap_or_else(|| self.unknown());
        let mut expr = value;
        self.field(cursor, fields.name, |this, cursor, _| {
            let node = cursor.node();
            let name = this.intern(this.text(node));
            this.bind(name, line_of(node), BindingKind::assign(value));
            expr = this.read(name);
        });
        expr
    }

    fn yield_value(&mut self, cursor: &mut TreeCursor) -> ExprId {
        let mut from = false;
        let mut value = self.add(Expr::None);
        self.children(cursor, |this, cursor, kind| match kind {
            Kind::Token => from |= this.text(cursor.node()) == "from",
            Kind::Comment => {}
            _ => value = this.expr(cursor),
        });
        let kept = if from { self.add(Expr::Starred(value)) } else { value };
        if let Some(function) = self.enclosing_function() {
            function.is_generator = true;
            function.yields.push(kept);
        }
        self.unknown()
    }

    fn comprehension(&mut self, cursor: &mut TreeCursor, kind: Kind) -> ExprId {
        let start = self.frame.mark();
        let outer = self.frame.scope;
        let scope = self.add_scope(ScopeKind::Function, None);
        let fields = &self.grammar.fields;
        // The first iterable is evaluated outside, and clauses come before the body.
        self.children(cursor, |this, cursor, kind| match kind {
            Kind::ForInClause => {
                let mut is_async = false;
                this.children(cursor, |this, cursor, kind| {
                    is_async |= kind == Kind::Token && this.text(cursor.node()) == "async";
                });
                let right = this.field_expr(cursor, fields.right).unwrap_or_else(|| this.unknown());
                this.frame.scope = scope;
                this.field(cursor, fields.left, |this, cursor, _| {
                    this.target(cursor, &Target::iteration(right, is_async));
                });
            }
            Kind::IfClause => {
                this.children(cursor, |this, cursor, kind| {
                    if !matches!(kind, Kind::Token | Kind::Comment) {
                        let (_, condition) = this.condition(cursor);
                        this.assume(&condition, true);
                    }
                });
            }
            _ => {}
        });
        let mut values: SmallVec<[ExprId; 2]> = SmallVec::new();
        self.field(cursor, fields.body, |this, cursor, kind| {
            if kind == Kind::Pair {
                this.children(cursor, |this, cursor, kind| {
                    if !matches!(kind, Kind::Token | Kind::Comment) {
                        values.push(this.expr(cursor));
                    }
                });
            } else {
                values.push(this.expr(cursor));
            }
        });
        self.frame.scope = outer;
        self.frame.rollback(start);
        match (kind, &values[..]) {
            (Kind::ListComprehension, &[value]) => self.add(Expr::ListOf(value)),
            (Kind::SetComprehension, &[value]) => self.add(Expr::SetOf(value)),
            (Kind::GeneratorExpression, &[value]) => self.add(Expr::GeneratorOf(value)),
            (Kind::DictionaryComprehension, &[key, value]) => self.add(Expr::DictOf(key, value)),
            _ => self.unknown(),
        }
    }
}
