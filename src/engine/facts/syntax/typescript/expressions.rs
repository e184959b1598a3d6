//! Expressions.

use smallvec::{SmallVec, smallvec};
use thin_vec::ThinVec;
use tree_sitter::{Node, TreeCursor};

use super::{
    context::{ExportModifier, InferredName},
    facts::{Expr, ExprId, ExpressionContext, MentionPlace, NameId, ReadPlace, ScopeId, TupleElement, TypeNode},
    grammar::{NodeKind, SyntaxKind, TokenKind},
    lower::{Lowering, index_u16},
    text,
};

impl Lowering<'_> {
    /// Lowers the expression at the cursor.
    pub(super) fn expr(&mut self, cursor: &mut TreeCursor) -> ExprId {
        self.named_expr(cursor, InferredName::default())
    }

    /// Lowers the expression at the cursor. An anonymous definition takes the inferred name.
    pub(super) fn named_expr(&mut self, cursor: &mut TreeCursor, inferred: InferredName) -> ExprId {
        let node = cursor.node();
        self.descend(node, |this| this.expr_unchecked(cursor, inferred)).unwrap_or_else(|| self.add_expr(Expr::Unknown))
    }

    /// [`Self::named_expr`] without the check of the nesting depth.
    pub(super) fn expr_unchecked(&mut self, cursor: &mut TreeCursor, inferred: InferredName) -> ExprId {
        let detached = self.detached.len();
        let expr = self.expr_of_node(cursor, inferred);
        if self.detached.len() > detached && !self.begins_chain(cursor.node()) {
            return self.apply_detached(expr, detached);
        }
        expr
    }

    /// Whether a node is the object of a property or the callee of a call.
    fn begins_chain(&self, node: Node) -> bool {
        let is_chain = |parent: Node| {
            matches!(
                self.kind(parent),
                SyntaxKind::Node(
                    NodeKind::MemberExpression
                        | NodeKind::SubscriptExpression
                        | NodeKind::CallExpression
                        | NodeKind::NonNullExpression
                )
            )
        };
        node.parent().is_some_and(|parent| parent.start_byte() == node.start_byte() && is_chain(parent))
    }

    fn expr_of_node(&mut self, cursor: &mut TreeCursor, inferred: InferredName) -> ExprId {
        let node = cursor.node();
        let SyntaxKind::Node(kind) = self.kind(node) else { return self.add_expr(Expr::Unknown) };
        let place = self.place_inside(kind);
        self.at_place(place, |this| this.expr_at_place(cursor, kind, inferred))
    }

    fn expr_at_place(&mut self, cursor: &mut TreeCursor, kind: NodeKind, inferred: InferredName) -> ExprId {
        let node = cursor.node();
        match kind {
            NodeKind::Identifier | NodeKind::ShorthandPropertyIdentifier => {
                let name = self.name_of(node);
                let read = self.read(name);
                self.note_mention(read, Some(node));
                read
            }
            NodeKind::MemberExpression | NodeKind::NestedIdentifier => self.member_expression(cursor),
            NodeKind::SubscriptExpression => self.subscript_expression(cursor),
            NodeKind::CallExpression => self.call(cursor),
            NodeKind::NewExpression => self.new_expression(cursor),
            NodeKind::ParenthesizedExpression => self.parenthesized_expression(cursor, inferred),
            NodeKind::AsExpression | NodeKind::SatisfiesExpression => self.as_or_satisfies(cursor, kind, inferred),
            NodeKind::TypeAssertion => self.type_assertion(cursor, inferred),
            NodeKind::NonNullExpression => self.non_null_expression(cursor, inferred),
            NodeKind::ArrowFunction
            | NodeKind::FunctionExpression
            | NodeKind::GeneratorFunction
            | NodeKind::FunctionDeclaration
            | NodeKind::GeneratorFunctionDeclaration => self.function_expression(cursor, kind, inferred),
            NodeKind::Class | NodeKind::ClassDeclaration => self.class_expression(cursor, inferred),
            NodeKind::Object => self.object_literal(cursor, inferred),
            NodeKind::Array => self.array_literal(cursor),
            NodeKind::BinaryExpression => self.binary(cursor).0,
            NodeKind::UnaryExpression => self.unary(cursor),
            NodeKind::TernaryExpression => self.ternary(cursor),
            NodeKind::UpdateExpression => {
                if let Some(target) = self.first_named_child(cursor, |this, cursor, _| this.expr(cursor)) {
                    self.reassign(target, None);
                }
                self.add_expr(Expr::Number)
            }
            NodeKind::AssignmentExpression => self.assignment(cursor),
            NodeKind::AugmentedAssignmentExpression => self.augmented_assignment(cursor),
            NodeKind::AwaitExpression => {
                let inner = self.first_named_child(cursor, |this, cursor, _| this.expr(cursor));
                self.wrap(inner, Expr::Await)
            }
            NodeKind::YieldExpression => self.yield_expression(cursor),
            NodeKind::SpreadElement => {
                let inner = self.first_named_child(cursor, |this, cursor, _| this.expr(cursor));
                self.wrap(inner, Expr::Spread)
            }
            NodeKind::SequenceExpression => {
                let mut last = self.add_expr(Expr::Unknown);
                self.named_children(cursor, |this, cursor, _| last = this.expr(cursor));
                last
            }
            NodeKind::InstantiationExpression => self.instantiation_expression(cursor),
            NodeKind::JsxElement | NodeKind::JsxSelfClosingElement => self.jsx_element(cursor, kind),
            NodeKind::TemplateString => self.template_string(cursor),
            NodeKind::InternalModule => {
                let exporting = std::mem::replace(&mut self.exporting, ExportModifier::No);
                self.namespace(cursor, exporting);
                self.add_expr(Expr::Unknown)
            }
            _ => self.literal_or_other(cursor, kind),
        }
    }

    fn literal_or_other(&mut self, cursor: &mut TreeCursor, kind: NodeKind) -> ExprId {
        let node = cursor.node();
        let expr = match kind {
            NodeKind::This => match self.frame.this {
                Some(class) if self.frame.this_is_class => Expr::Class(class),
                this => Expr::This(this),
            },
            NodeKind::Super => Expr::Super(self.frame.class),
            NodeKind::String => {
                let value = text::plain_string(self.text(node));
                Expr::String(value.map(|text| self.intern(text)))
            }
            NodeKind::Number if self.text(node).ends_with('n') => Expr::BigInt,
            NodeKind::Number => Expr::Number,
            NodeKind::True => Expr::Bool(true),
            NodeKind::False => Expr::Bool(false),
            NodeKind::Null => Expr::Null,
            NodeKind::Undefined => Expr::Undefined,
            NodeKind::Regex => Expr::RegExp,
            NodeKind::MetaProperty if self.text(node).starts_with("import") => self.import_meta(),
            NodeKind::MetaProperty => Expr::Unknown,
            // The node is a syntax error: everything below it is lowered as statements.
            _ => {
                self.named_children(cursor, |this, cursor, kind| this.statement(cursor, kind));
                Expr::Unknown
            }
        };
        let expr = self.add_expr(expr);
        if kind == NodeKind::This { self.narrow_read(expr) } else { expr }
    }

    /// `import.meta`: a value of the global type `ImportMeta`, which declarations may merge with.
    fn import_meta(&mut self) -> Expr {
        let (name, args) = (self.intern("ImportMeta"), self.add_type_list(&[]));
        let ty = TypeNode::Ref { symbol: None, path: smallvec![name], args, scope: ScopeId::new(0) };
        let (value, ty) = (self.add_expr(Expr::Unknown), self.add_type(ty));
        Expr::As(value, ty)
    }

    /// Adds the read of a name.
    pub(super) fn read(&mut self, name: NameId) -> ExprId {
        let expr = self.add_expr(Expr::Name { name, symbol: None });
        self.pending.reads.push((expr, self.frame.scope));
        self.narrow_read(expr)
    }

    /// Adds the expression that `f` makes of `inner`. Its contextual type is also that of `inner`.
    pub(super) fn wrap(&mut self, inner: Option<ExprId>, f: impl FnOnce(ExprId) -> Expr) -> ExprId {
        let Some(inner) = inner else { return self.add_expr(Expr::Unknown) };
        let expr = self.add_expr(f(inner));
        self.record_context(inner, ExpressionContext::Same(expr));
        expr
    }

    fn member_expression(&mut self, cursor: &mut TreeCursor) -> ExprId {
        let fields = &self.grammar.fields;
        let (mut object, mut name, mut optional) = (None, None, false);
        self.fields(cursor, |this, cursor, kind, field| {
            if field == fields.object {
                // The grammar reads the `this` of the element `<this.Row />` as a name.
                let is_this = kind == NodeKind::Identifier && this.text(cursor.node()) == "this";
                object = Some(if is_this {
                    this.literal_or_other(cursor, NodeKind::This)
                } else {
                    this.at_place(None, |this| this.expr(cursor))
                });
            } else if field == fields.property {
                name = Some(cursor.node());
            } else if kind == NodeKind::OptionalChain {
                optional = true;
            }
        });
        match (object, name) {
            (Some(object), Some(token)) => {
                let name = self.name_of(token);
                let read = self.add_expr(Expr::Property { object, name, optional });
                self.add_read(token, ReadPlace::Access(read));
                let read = self.narrow_read(read);
                self.note_mention(read, Some(token));
                read
            }
            _ => self.add_expr(Expr::Unknown),
        }
    }

    fn subscript_expression(&mut self, cursor: &mut TreeCursor) -> ExprId {
        let fields = &self.grammar.fields;
        let (mut object, mut index, mut optional) = (None, None, false);
        let mut string = None;
        let mut number: Option<u16> = None;
        self.fields(cursor, |this, cursor, kind, field| {
            if field == fields.object {
                object = Some(this.expr(cursor));
            } else if field == fields.index {
                string = (kind == NodeKind::String).then(|| cursor.node());
                number = this.text(cursor.node()).parse().ok().filter(|_| kind == NodeKind::Number);
                index = Some(this.expr(cursor));
            } else if kind == NodeKind::OptionalChain {
                optional = true;
            }
        });
        let (Some(object), Some(index)) = (object, index) else { return self.add_expr(Expr::Unknown) };
        let (item, token) = match (self.facts.expr(index), string, number) {
            (Expr::String(Some(name)), Some(token), _) => (Expr::Property { object, name, optional }, Some(token)),
            (_, _, Some(at)) => (Expr::Item { object, at }, None),
            _ => (Expr::Index { object, index }, None),
        };
        let read = self.add_expr(item);
        if let Some(token) = token {
            self.add_read(token, ReadPlace::Access(read));
        }
        self.narrow_read(read)
    }

    fn parenthesized_expression(&mut self, cursor: &mut TreeCursor, inferred: InferredName) -> ExprId {
        let fields = &self.grammar.fields;
        let mut inner = None;
        self.fields(cursor, |this, cursor, _, field| {
            if field != fields.ty && inner.is_none() {
                inner = Some(this.named_expr(cursor, inferred));
            }
        });
        let Some(inner) = inner else { return self.add_expr(Expr::Unknown) };
        match self.documented_cast(cursor.node()) {
            Some(ty) => self.add_expr(Expr::As(inner, ty)),
            None => inner,
        }
    }

    /// Lowers `x as T`, `x as const` or `x satisfies T`.
    fn as_or_satisfies(&mut self, cursor: &mut TreeCursor, kind: NodeKind, inferred: InferredName) -> ExprId {
        let (mut inner, mut ty, mut is_const) = (None, None, false);
        self.children(cursor, |this, cursor, kind| match kind {
            SyntaxKind::Token(TokenKind::Const) => is_const = true,
            SyntaxKind::Node(_) if inner.is_none() => inner = Some(this.named_expr(cursor, inferred)),
            SyntaxKind::Node(_) => ty = Some(this.ty(cursor)),
            _ => {}
        });
        let Some(inner) = inner else { return self.add_expr(Expr::Unknown) };
        match ty {
            Some(ty) => {
                self.record_context(inner, ExpressionContext::Typed(ty));
                let is_satisfies = kind == NodeKind::SatisfiesExpression;
                self.add_expr(if is_satisfies { Expr::Satisfies(inner, ty) } else { Expr::As(inner, ty) })
            }
            None if is_const => self.wrap(Some(inner), Expr::AsConst),
            None => inner,
        }
    }

    /// Lowers `<T>x` or `<const>x`.
    fn type_assertion(&mut self, cursor: &mut TreeCursor, inferred: InferredName) -> ExprId {
        let (mut inner, mut ty) = (None, None);
        self.named_children(cursor, |this, cursor, kind| {
            if kind == NodeKind::TypeArguments {
                ty = this.type_arguments(cursor).first().copied();
            } else {
                inner = Some(this.named_expr(cursor, inferred));
            }
        });
        match (inner, ty) {
            (Some(inner), Some(ty)) => {
                self.record_context(inner, ExpressionContext::Typed(ty));
                self.add_expr(Expr::As(inner, ty))
            }
            _ => self.wrap(inner, Expr::AsConst),
        }
    }

    /// Lowers `f<T>` without a call.
    fn instantiation_expression(&mut self, cursor: &mut TreeCursor) -> ExprId {
        let (mut inner, mut arguments) = (None, ThinVec::new());
        self.named_children(cursor, |this, cursor, kind| {
            if kind == NodeKind::TypeArguments {
                arguments = this.type_arguments(cursor);
            } else {
                inner = Some(this.expr(cursor));
            }
        });
        let Some(inner) = inner else { return self.add_expr(Expr::Unknown) };
        let elements = arguments
            .into_iter()
            .map(|ty| TupleElement { label: None, ty, is_optional: false, is_rest: false })
            .collect();
        let tuple = self.add_type(TypeNode::Tuple(elements));
        self.add_expr(Expr::Instantiated(inner, tuple))
    }

    fn array_literal(&mut self, cursor: &mut TreeCursor) -> ExprId {
        let mut items: SmallVec<[ExprId; 16]> = SmallVec::new();
        self.named_children(cursor, |this, cursor, _| {
            let item = this.expr(cursor);
            items.push(item);
        });
        self.add_array(&items)
    }

    /// Adds an array literal and records the contexts of its elements.
    pub(super) fn add_array(&mut self, items: &[ExprId]) -> ExprId {
        let list = self.add_list(items);
        let array = self.add_expr(Expr::Array(list));
        for (at, &item) in items.iter().enumerate() {
            if let Some(at) = index_u16(at) {
                self.record_context(item, ExpressionContext::Element(array, at));
            }
        }
        array
    }

    fn yield_expression(&mut self, cursor: &mut TreeCursor) -> ExprId {
        let mut is_delegated = false;
        let mut value = self.add_expr(Expr::Undefined);
        self.children(cursor, |this, cursor, kind| match kind {
            SyntaxKind::Token(token) => is_delegated |= token == TokenKind::Asterisk,
            SyntaxKind::Comment => {}
            SyntaxKind::Node(_) => {
                let place = (!is_delegated).then_some(MentionPlace::Returned);
                value = this.at_place(place, |this| this.expr(cursor));
            }
        });
        if is_delegated {
            let yielded = self.add_expr(Expr::Spread(value));
            self.frame.yields.push(yielded);
            return self.add_expr(Expr::Delegated(value));
        }
        self.frame.yields.push(value);
        self.add_expr(Expr::Unknown)
    }
}
