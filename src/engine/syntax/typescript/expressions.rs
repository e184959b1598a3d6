//! Expressions.

use smallvec::SmallVec;
use tree_sitter::TreeCursor;

use super::{
    facts::{Context, Expr, ExprId, NameId, TupleElement, TypeNode},
    frame::{Exporting, Holder},
    kinds::{Kind, Named, Token},
    lower::{Lowering, nth},
    text,
};

impl Lowering<'_> {
    /// Lowers the expression at the cursor.
    pub(super) fn expr(&mut self, cursor: &mut TreeCursor) -> ExprId {
        self.named(cursor, Holder::default())
    }

    /// Lowers the expression at the cursor, which is held by a variable, property or the like.
    pub(super) fn named(&mut self, cursor: &mut TreeCursor, holder: Holder) -> ExprId {
        let node = cursor.node();
        self.deeper(node, |this| this.held(cursor, holder)).unwrap_or_else(|| self.add(Expr::Unknown))
    }

    /// [`Self::named`], already counted as one level of nesting.
    pub(super) fn held(&mut self, cursor: &mut TreeCursor, holder: Holder) -> ExprId {
        let node = cursor.node();
        let Kind::Node(kind) = self.kind(node) else { return self.add(Expr::Unknown) };
        match kind {
            Named::Identifier | Named::ShorthandPropertyIdentifier => {
                let name = self.name_of(node);
                self.read(name)
            }
            Named::MemberExpression | Named::NestedIdentifier => self.member(cursor),
            Named::SubscriptExpression => self.subscript(cursor),
            Named::CallExpression => self.call(cursor),
            Named::NewExpression => self.new_expression(cursor),
            Named::ParenthesizedExpression => self.parenthesized(cursor, holder),
            Named::AsExpression | Named::SatisfiesExpression => self.cast(cursor, kind, holder),
            Named::TypeAssertion => self.assertion(cursor, holder),
            Named::NonNullExpression => {
                let inner = self.first(cursor, |this, cursor, _| this.named(cursor, holder));
                self.around(inner, Expr::NonNull)
            }
            Named::ArrowFunction
            | Named::FunctionExpression
            | Named::GeneratorFunction
            | Named::FunctionDeclaration
            | Named::GeneratorFunctionDeclaration => self.function_expression(cursor, kind, holder),
            Named::Class | Named::ClassDeclaration => self.class_expression(cursor, holder),
            Named::Object => self.object(cursor, holder),
            Named::Array => self.array(cursor),
            Named::BinaryExpression => self.binary(cursor).0,
            Named::UnaryExpression => self.unary(cursor),
            Named::TernaryExpression => self.ternary(cursor),
            Named::UpdateExpression => {
                if let Some(target) = self.first(cursor, |this, cursor, _| this.expr(cursor)) {
                    self.reassigned(target, None);
                }
                self.add(Expr::Number)
            }
            Named::AssignmentExpression => self.assignment(cursor),
            Named::AugmentedAssignmentExpression => self.augmented(cursor),
            Named::AwaitExpression => {
                let inner = self.first(cursor, |this, cursor, _| this.expr(cursor));
                self.around(inner, Expr::Await)
            }
            Named::YieldExpression => self.yield_expression(cursor),
            Named::SpreadElement => {
                let inner = self.first(cursor, |this, cursor, _| this.expr(cursor));
                self.around(inner, Expr::Spread)
            }
            Named::SequenceExpression => {
                let mut last = self.add(Expr::Unknown);
                self.nodes(cursor, |this, cursor, _| last = this.expr(cursor));
                last
            }
            Named::InstantiationExpression => self.instantiation(cursor),
            Named::JsxElement | Named::JsxSelfClosingElement => self.jsx(cursor, kind),
            Named::TemplateString => {
                self.substitutions(cursor);
                self.add(Expr::String(None))
            }
            Named::InternalModule => {
                let exporting = std::mem::replace(&mut self.exporting, Exporting::No);
                self.namespace(cursor, exporting);
                self.add(Expr::Unknown)
            }
            _ => self.constant(cursor, kind),
        }
    }

    fn constant(&mut self, cursor: &mut TreeCursor, kind: Named) -> ExprId {
        let node = cursor.node();
        let expr = match kind {
            Named::This => Expr::This(self.frame.this),
            Named::Super => Expr::Super(self.frame.class),
            Named::String => {
                let kept = text::plain_string(self.text(node));
                Expr::String(kept.map(|text| self.intern(text)))
            }
            Named::Number if self.text(node).ends_with('n') => Expr::BigInt,
            Named::Number => Expr::Number,
            Named::True => Expr::Bool(true),
            Named::False => Expr::Bool(false),
            Named::Null => Expr::Null,
            Named::Undefined => Expr::Undefined,
            Named::Regex => Expr::RegExp,
            Named::MetaProperty => Expr::Unknown,
            // Broken syntax: what can be read of it is read.
            _ => {
                self.nodes(cursor, |this, cursor, named| this.statement(cursor, named));
                Expr::Unknown
            }
        };
        self.add(expr)
    }

    /// Reads a name.
    pub(super) fn read(&mut self, name: NameId) -> ExprId {
        let expr = self.add(Expr::Name { name, symbol: None });
        self.pending.reads.push((expr, self.frame.scope));
        self.narrowed(expr)
    }

    fn around(&mut self, inner: Option<ExprId>, f: impl FnOnce(ExprId) -> Expr) -> ExprId {
        let Some(inner) = inner else { return self.add(Expr::Unknown) };
        let expr = self.add(f(inner));
        self.expect(inner, Context::Same(expr));
        expr
    }

    fn member(&mut self, cursor: &mut TreeCursor) -> ExprId {
        let fields = &self.grammar.fields;
        let (mut object, mut name, mut optional) = (None, None, false);
        self.fields(cursor, |this, cursor, kind, field| {
            if field == fields.object {
                object = Some(this.expr(cursor));
            } else if field == fields.property {
                name = Some(this.name_of(cursor.node()));
            } else if kind == Named::OptionalChain {
                optional = true;
            }
        });
        match (object, name) {
            (Some(object), Some(name)) => {
                let read = self.add(Expr::Property { object, name, optional });
                self.narrowed(read)
            }
            _ => self.add(Expr::Unknown),
        }
    }

    fn subscript(&mut self, cursor: &mut TreeCursor) -> ExprId {
        let fields = &self.grammar.fields;
        let (mut object, mut index, mut optional) = (None, None, false);
        let mut is_string = false;
        self.fields(cursor, |this, cursor, kind, field| {
            if field == fields.object {
                object = Some(this.expr(cursor));
            } else if field == fields.index {
                is_string = kind == Named::String;
                index = Some(this.expr(cursor));
            } else if kind == Named::OptionalChain {
                optional = true;
            }
        });
        let (Some(object), Some(index)) = (object, index) else { return self.add(Expr::Unknown) };
        match self.facts.expr(index) {
            Expr::String(Some(name)) if is_string => {
                let read = self.add(Expr::Property { object, name, optional });
                self.narrowed(read)
            }
            _ => self.add(Expr::Index { object, index }),
        }
    }

    fn parenthesized(&mut self, cursor: &mut TreeCursor, holder: Holder) -> ExprId {
        let fields = &self.grammar.fields;
        let mut inner = None;
        self.fields(cursor, |this, cursor, _, field| {
            if field != fields.ty && inner.is_none() {
                inner = Some(this.named(cursor, holder));
            }
        });
        inner.unwrap_or_else(|| self.add(Expr::Unknown))
    }

    /// `x as T`, `x as const`, `x satisfies T`
    fn cast(&mut self, cursor: &mut TreeCursor, kind: Named, holder: Holder) -> ExprId {
        let (mut inner, mut ty, mut is_const) = (None, None, false);
        self.children(cursor, |this, cursor, kind| match kind {
            Kind::Token(Token::Const) => is_const = true,
            Kind::Node(_) if inner.is_none() => inner = Some(this.named(cursor, holder)),
            Kind::Node(_) => ty = Some(this.ty(cursor)),
            _ => {}
        });
        let Some(inner) = inner else { return self.add(Expr::Unknown) };
        match ty {
            Some(ty) => {
                self.expect(inner, Context::Typed(ty));
                let is_satisfies = kind == Named::SatisfiesExpression;
                self.add(if is_satisfies { Expr::Satisfies(inner, ty) } else { Expr::As(inner, ty) })
            }
            None if is_const => self.around(Some(inner), Expr::AsConst),
            None => inner,
        }
    }

    /// `<T>x`, `<const>x`
    fn assertion(&mut self, cursor: &mut TreeCursor, holder: Holder) -> ExprId {
        let (mut inner, mut ty) = (None, None);
        self.nodes(cursor, |this, cursor, kind| {
            if kind == Named::TypeArguments {
                ty = this.type_arguments(cursor).first().copied();
            } else {
                inner = Some(this.named(cursor, holder));
            }
        });
        match (inner, ty) {
            (Some(inner), Some(ty)) => {
                self.expect(inner, Context::Typed(ty));
                self.add(Expr::As(inner, ty))
            }
            _ => self.around(inner, Expr::AsConst),
        }
    }

    /// `f<T>`
    fn instantiation(&mut self, cursor: &mut TreeCursor) -> ExprId {
        let (mut inner, mut arguments) = (None, Vec::new());
        self.nodes(cursor, |this, cursor, kind| {
            if kind == Named::TypeArguments {
                arguments = this.type_arguments(cursor);
            } else {
                inner = Some(this.expr(cursor));
            }
        });
        let Some(inner) = inner else { return self.add(Expr::Unknown) };
        let elements = arguments
            .into_iter()
            .map(|ty| TupleElement { label: None, ty, is_optional: false, is_rest: false })
            .collect();
        let tuple = self.add_type(TypeNode::Tuple(elements));
        self.add(Expr::Instantiated(inner, tuple))
    }

    fn array(&mut self, cursor: &mut TreeCursor) -> ExprId {
        let mut items: SmallVec<[ExprId; 16]> = SmallVec::new();
        self.nodes(cursor, |this, cursor, _| {
            let item = this.expr(cursor);
            items.push(item);
        });
        self.array_of(&items)
    }

    pub(super) fn array_of(&mut self, items: &[ExprId]) -> ExprId {
        let list = self.add_list(items);
        let array = self.add(Expr::Array(list));
        for (at, &item) in items.iter().enumerate() {
            if let Some(at) = nth(at) {
                self.expect(item, Context::Element(array, at));
            }
        }
        array
    }

    fn yield_expression(&mut self, cursor: &mut TreeCursor) -> ExprId {
        let mut is_delegated = false;
        let mut value = self.add(Expr::Undefined);
        self.children(cursor, |this, cursor, kind| match kind {
            Kind::Token(token) => is_delegated |= token == Token::Asterisk,
            Kind::Comment => {}
            Kind::Node(_) => value = this.expr(cursor),
        });
        if is_delegated {
            value = self.add(Expr::Spread(value));
        }
        self.frame.yields.push(value);
        self.add(Expr::Unknown)
    }

    /// The `${…}` of a template.
    pub(super) fn substitutions(&mut self, cursor: &mut TreeCursor) -> Vec<ExprId> {
        let mut values = Vec::new();
        self.nodes(cursor, |this, cursor, kind| {
            if kind == Named::TemplateSubstitution
                && let Some(value) = this.first(cursor, |this, cursor, _| this.expr(cursor))
            {
                values.push(value);
            }
        });
        values
    }
}
