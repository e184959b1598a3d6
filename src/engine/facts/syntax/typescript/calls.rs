//! Call sites and their arguments.

use std::ops::Range;

use thin_vec::ThinVec;
use tree_sitter::{Node, TreeCursor};

use super::{
    Dialect,
    context::{InferredName, WellKnownNames},
    facts::{
        Arg, CallExpr, CallExprId, CallExprKind, Expr, ExprId, ExpressionContext, MemberKind, MentionPlace,
        MentionedName, TypeId,
    },
    grammar::{NodeKind, SyntaxKind, TokenKind},
    lower::{Lowering, index_u16},
    operators::{is_logical, unary_result},
};
use crate::{
    program::{CallForm, CallSyntax},
    syntax::tree::{field_of, position_of},
};

/// True for the usual names of assertion functions, which return only if their first argument is true.
pub(super) fn is_assertion_function(name: &str) -> bool {
    matches!(name, "assert" | "invariant")
}

/// Whether a node is an expression of an operator before its last operand.
fn is_operator(kind: NodeKind) -> bool {
    matches!(kind, NodeKind::AwaitExpression | NodeKind::UnaryExpression | NodeKind::BinaryExpression)
}

/// An operator before a call or property that the grammar parses as a part of the callee or object: `await` and other
/// operators before one operand, or `+` with the left operand `a` in `a + f<T>(x)`.
#[derive(Clone, Copy, Debug)]
pub(super) struct DetachedOperator {
    token: TokenKind,
    left: Option<ExprId>,
}

impl Lowering<'_> {
    /// Lowers a call, a tagged template, `import(…)` or `require(…)`.
    pub(super) fn call(&mut self, cursor: &mut TreeCursor) -> ExprId {
        self.call_of_kind(cursor, CallExprKind::Call)
    }

    pub(super) fn call_of_kind(&mut self, cursor: &mut TreeCursor, kind: CallExprKind) -> ExprId {
        let place = self.mention_place.take();
        let expr = self.call_at_place(cursor, kind, place);
        self.mention_place = place;
        expr
    }

    /// Lowers a call. A callee at `place` is a mention.
    fn call_at_place(&mut self, cursor: &mut TreeCursor, kind: CallExprKind, place: Option<MentionPlace>) -> ExprId {
        let fields = &self.grammar.fields;
        let mut site = None;
        let mut type_args = ThinVec::new();
        let mut is_import = false;
        let mut arguments = Vec::new();
        let mut first_argument_end = 0;
        let mut callee = 0..0;
        self.fields(cursor, |this, cursor, node_kind, field| {
            if field == fields.function {
                callee = cursor.node().byte_range();
                if node_kind == NodeKind::Import {
                    is_import = true;
                } else {
                    site = this.begin_call_of_operand(cursor, node_kind, kind);
                    this.note_callee(site, cursor.node(), place);
                }
            } else if field == fields.type_arguments {
                type_args = this.type_arguments(cursor);
            } else if field == fields.arguments {
                if let Some(site) = site {
                    this.place_nameless(site, cursor.node());
                }
                if node_kind == NodeKind::TemplateString {
                    if let Some(site) = site {
                        this.facts.calls[site.index()].kind = CallExprKind::Template;
                        this.facts.calls[site.index()].syntax.form = CallForm::Template;
                    }
                    type_args = this.template_type_arguments(&callee, cursor.node().start_byte());
                    arguments = this.template_arguments(cursor);
                } else {
                    (arguments, first_argument_end) = this.arguments(cursor, site);
                }
            }
        });
        let first = arguments.first().map(|first| self.facts.expr(first.value));
        match site {
            Some(site) => {
                let expr = self.end_call(site, type_args, arguments);
                self.mark_expected_errors(site, first_argument_end);
                self.assume_merged(site);
                self.defer_require(site, expr, first);
                expr
            }
            None => match first {
                Some(Expr::String(Some(name))) if is_import => self.add_expr(Expr::Import(name)),
                _ => self.add_expr(Expr::Unknown),
            },
        }
    }

    /// The type arguments between a tag and its template, ``sql<Row>`…` ``, which the grammar does not know.
    fn template_type_arguments(&mut self, callee: &Range<usize>, template: usize) -> ThinVec<TypeId> {
        let between = self.source.get(callee.end..template).unwrap_or_default();
        if !between.starts_with('<') {
            return ThinVec::new();
        }
        let Some(tree) = super::parse_part(self.source, callee.start..template, self.dialect) else {
            return ThinVec::new();
        };
        let mut cursor = tree.walk();
        while cursor.node().start_byte() < callee.end {
            if cursor.goto_first_child_for_byte(callee.end).is_none() {
                return ThinVec::new();
            }
        }
        if self.is_node(cursor.node(), NodeKind::TypeArguments) {
            self.type_arguments(&mut cursor)
        } else {
            ThinVec::new()
        }
    }

    /// Begins a call. The grammar parses `await f<T>(x)`, `!f!(x)` and `a + f<T>(x)` as calls of `await f`, `!f` and
    /// `a + f`, which no call without parentheses can be: the call is one of the last operand, and the operators apply
    /// to its result.
    fn begin_call_of_operand(
        &mut self,
        cursor: &mut TreeCursor,
        node_kind: NodeKind,
        kind: CallExprKind,
    ) -> Option<CallExprId> {
        let begin = &mut |this: &mut Self, cursor: &mut TreeCursor| this.begin_call(cursor, kind);
        if node_kind == NodeKind::NonNullExpression && self.is_operator(cursor.node().named_child(0)) {
            return self
                .first_named_child(cursor, |this, cursor, inner| this.lower_last_operand(cursor, inner, begin))?;
        }
        self.lower_last_operand(cursor, node_kind, begin)
    }

    /// Lowers `x!`. The grammar parses `a + b!.c` and `await b!.c` as properties of `(a + b)!` and `(await b)!`. In
    /// truth the `!` asserts the last operand.
    pub(super) fn non_null_expression(&mut self, cursor: &mut TreeCursor, inferred: InferredName) -> ExprId {
        let inner = self.first_named_child(cursor, |this, cursor, kind| {
            let is_logical = kind == NodeKind::BinaryExpression && is_logical(this.operator(cursor.node()));
            let lower = &mut |this: &mut Self, cursor: &mut TreeCursor| this.named_expr(cursor, inferred);
            if is_logical { Some(lower(this, cursor)) } else { this.lower_last_operand(cursor, kind, lower) }
        });
        self.wrap(inner.flatten(), Expr::NonNull)
    }

    fn is_operator(&self, node: Option<Node>) -> bool {
        node.is_some_and(|node| matches!(self.kind(node), SyntaxKind::Node(kind) if is_operator(kind)))
    }

    /// Lowers the last operand of the operators at the cursor by `lower`. The operators are detached: see
    /// [`Self::apply_detached`].
    fn lower_last_operand<T>(
        &mut self,
        cursor: &mut TreeCursor,
        node_kind: NodeKind,
        lower: &mut dyn FnMut(&mut Self, &mut TreeCursor) -> T,
    ) -> Option<T> {
        if !is_operator(node_kind) {
            return Some(lower(self, cursor));
        }
        let node = cursor.node();
        let right = self.grammar.fields.right;
        let mut operator = DetachedOperator { token: TokenKind::Other, left: None };
        let mut lowered = None;
        self.descend(node, |this| {
            this.children(cursor, |this, cursor, child| match child {
                SyntaxKind::Token(token) => operator.token = token,
                SyntaxKind::Node(_) if node_kind == NodeKind::BinaryExpression && field_of(cursor) != right => {
                    operator.left = Some(this.expr(cursor));
                }
                SyntaxKind::Node(operand) if lowered.is_none() => {
                    this.detached.push(operator);
                    lowered = this.lower_last_operand(cursor, operand, lower);
                }
                SyntaxKind::Node(_) | SyntaxKind::Comment => {}
            });
        });
        lowered
    }

    /// Applies the operators that [`Self::lower_last_operand`] has detached, except the first `kept` of them, to the
    /// expression that begins with the call: to `f<T>(x).y` in `!f<T>(x).y`.
    pub(super) fn apply_detached(&mut self, mut expr: ExprId, kept: usize) -> ExprId {
        for DetachedOperator { token, left } in self.detached.split_off(kept).into_iter().rev() {
            let applied = match (token, left) {
                (TokenKind::Await, None) => Expr::Await(expr),
                (_, Some(left)) => match token {
                    TokenKind::Plus => Expr::Plus(left, expr),
                    TokenKind::And => Expr::And(left, expr),
                    TokenKind::Or => Expr::Or(left, expr),
                    TokenKind::Nullish => Expr::Nullish(left, expr),
                    _ => Expr::Number,
                },
                (_, None) => unary_result(token),
            };
            expr = self.add_expr(applied);
        }
        expr
    }

    /// Adds the facts that `Object.assign(target, { name: value })` establishes about the properties of `target`.
    fn assume_merged(&mut self, site: CallExprId) {
        let call = self.facts.site(site);
        let Expr::Property { object, name, .. } = self.facts.expr(call.callee) else { return };
        let Expr::Name { name: root, .. } = self.facts.expr(object) else { return };
        let [target, source] = &call.arguments[..] else { return };
        let (target, source) = (target.value, self.facts.expr(source.value));
        if self.dialect != Dialect::JavaScript
            || self.facts.name(root) != "Object"
            || self.facts.name(name) != "assign"
            || self.reference_path(target).is_none()
        {
            return;
        }
        let Expr::Object(def) = source else { return };
        let properties = self.facts.def(def).members().iter().filter_map(|member| match member.kind {
            MemberKind::Property { value: Some((value, _)), .. } => Some((member.name?, value)),
            _ => None,
        });
        for (name, value) in properties.collect::<Vec<_>>() {
            let property = self.add_expr(Expr::Property { object: target, name, optional: false });
            self.reassign(property, Some(value));
        }
    }

    /// Defers `require("m")` to the end of the file, where it becomes an import unless the file declares a `require`
    /// itself.
    fn defer_require(&mut self, site: CallExprId, expr: ExprId, first: Option<Expr>) {
        let call = self.facts.site(site);
        if let (Expr::Name { name, .. }, Some(Expr::String(Some(module))), [_]) =
            (self.facts.expr(call.callee), first, &call.arguments[..])
            && name == WellKnownNames::require()
        {
            self.pending.require_calls.push((site, expr, module));
        }
    }

    /// Lowers `new C(x)` or `new C`.
    pub(super) fn new_expression(&mut self, cursor: &mut TreeCursor) -> ExprId {
        let fields = &self.grammar.fields;
        let mut site = None;
        let mut type_args = ThinVec::new();
        let mut arguments = Vec::new();
        let place = self.mention_place.take();
        self.fields(cursor, |this, cursor, _, field| {
            if field == fields.constructor {
                site = Some(this.begin_call(cursor, CallExprKind::New));
                this.note_callee(site, cursor.node(), place);
            } else if field == fields.type_arguments {
                type_args = this.type_arguments(cursor);
            } else if field == fields.arguments {
                if let Some(site) = site {
                    this.place_nameless(site, cursor.node());
                }
                (arguments, _) = this.arguments(cursor, site);
            }
        });
        self.mention_place = place;
        match site {
            Some(site) => self.end_call(site, type_args, arguments),
            None => self.add_expr(Expr::Unknown),
        }
    }

    /// Records the callee of `throw new C()` as a mention.
    fn note_callee(&mut self, site: Option<CallExprId>, node: Node, place: Option<MentionPlace>) {
        if let (Some(site), Some(place)) = (site, place) {
            let callee = MentionedName::Value(self.facts.site(site).callee);
            self.record_mention(callee, self.name_token(node), place);
        }
    }

    /// Lowers the callee at the cursor and adds a call of it. [`Self::end_call`] adds the arguments.
    pub(super) fn begin_call(&mut self, cursor: &mut TreeCursor, kind: CallExprKind) -> CallExprId {
        let node = cursor.node();
        let callee = match self.kind(node) {
            // A function may be called `undefined`.
            SyntaxKind::Node(NodeKind::Undefined) => {
                let name = self.name_of(node);
                self.read(name)
            }
            _ => self.expr(cursor),
        };
        let form = match kind {
            CallExprKind::New => CallForm::New,
            CallExprKind::Template => CallForm::Template,
            CallExprKind::Jsx => CallForm::Jsx,
            CallExprKind::Decorator | CallExprKind::BareDecorator => CallForm::Decorator,
            CallExprKind::Call => self.call_form(node),
        };
        let (line, col) = position_of(self.name_token(node));
        let id = CallExprId::new(self.facts.calls.len());
        if kind == CallExprKind::Call && matches!(self.facts.expr(callee), Expr::Function(_)) {
            self.record_context(callee, ExpressionContext::Callee(id));
        }
        self.facts.calls.push(CallExpr {
            callee,
            expr: callee,
            kind,
            line,
            col,
            syntax: CallSyntax::new(form),
            caller: self.frame.caller,
            type_args: ThinVec::new(),
            arguments: Box::default(),
        });
        id
    }

    /// Places a call whose callee has no name token at its arguments: at the opening parenthesis, or at the template.
    fn place_nameless(&mut self, site: CallExprId, arguments: Node) {
        let call = &mut self.facts.calls[site.index()];
        if call.line == 0 {
            (call.line, call.col) = position_of(Some(arguments));
            if call.kind == CallExprKind::Call {
                call.syntax.form = CallForm::Nameless;
            }
        }
    }

    /// Lowers the bare decorator at the cursor: a call of the decorator with the decorated definition, which is no
    /// expression. Returns the decorator.
    pub(super) fn bare_decorator(&mut self, cursor: &mut TreeCursor) -> ExprId {
        let node = cursor.node();
        let site = self.begin_call(cursor, CallExprKind::BareDecorator);
        if self.facts.site(site).line == 0 {
            let call = &mut self.facts.calls[site.index()];
            (call.line, call.col) = position_of(Some(node));
        }
        let callee = MentionedName::Value(self.facts.site(site).callee);
        self.record_mention(callee, self.name_token(node), MentionPlace::Decorates(None));
        let value = self.add_expr(Expr::Unknown);
        self.end_call(site, ThinVec::new(), vec![Arg { value, is_spread: false, keys: None, literal: None }]);
        self.facts.site(site).callee
    }

    /// Completes a call with its arguments. Returns the expression of the call.
    pub(super) fn end_call(&mut self, site: CallExprId, type_args: ThinVec<TypeId>, arguments: Vec<Arg>) -> ExprId {
        for (at, argument) in arguments.iter().enumerate() {
            if let Some(at) = index_u16(at).filter(|_| !argument.is_spread) {
                self.record_context(argument.value, ExpressionContext::Argument(site, at));
            }
        }
        let expr = self.add_expr(Expr::Call(site));
        let call = &mut self.facts.calls[site.index()];
        (call.expr, call.type_args, call.arguments) = (expr, type_args, arguments.into_boxed_slice());
        expr
    }

    /// True if the last name of a callee satisfies `matches`.
    pub(super) fn callee_name_matches(&self, callee: ExprId, matches: impl Fn(&str) -> bool) -> bool {
        match self.facts.expr(self.without_guards(callee)) {
            Expr::Name { name, .. } | Expr::Property { name, .. } => matches(self.facts.name(name)),
            _ => false,
        }
    }

    /// The last name token of a callee.
    fn name_token<'t>(&self, callee: Node<'t>) -> Option<Node<'t>> {
        let mut node = callee;
        loop {
            node = match self.kind(node) {
                SyntaxKind::Node(NodeKind::Identifier | NodeKind::Super | NodeKind::This | NodeKind::Undefined) => {
                    return Some(node);
                }
                SyntaxKind::Node(NodeKind::MemberExpression | NodeKind::NestedIdentifier) => {
                    return node.child_by_field_id(self.grammar.fields.property);
                }
                SyntaxKind::Node(NodeKind::SubscriptExpression) => {
                    node.child_by_field_id(self.grammar.fields.object)?
                }
                _ => self.unwrap_callee(node)?,
            }
        }
    }

    /// The expression inside parentheses, a cast, a non-null assertion or type arguments.
    fn unwrap_callee<'t>(&self, node: Node<'t>) -> Option<Node<'t>> {
        let is_last = match self.kind(node) {
            SyntaxKind::Node(
                NodeKind::ParenthesizedExpression
                | NodeKind::AsExpression
                | NodeKind::SatisfiesExpression
                | NodeKind::NonNullExpression
                | NodeKind::InstantiationExpression,
            ) => false,
            SyntaxKind::Node(NodeKind::TypeAssertion) => true,
            _ => return None,
        };
        let mut cursor = node.walk();
        let mut parts = node.named_children(&mut cursor).filter(|part| self.kind(*part) != SyntaxKind::Comment);
        if is_last { parts.last() } else { parts.next() }
    }

    /// The syntactic form of a callee, without parentheses and assertions around it.
    fn call_form(&self, callee: Node) -> CallForm {
        let mut node = callee;
        while let Some(inner) = self.unwrap_callee(node) {
            node = inner;
        }
        match self.kind(node) {
            SyntaxKind::Node(NodeKind::Identifier | NodeKind::This | NodeKind::Undefined) => CallForm::Name,
            SyntaxKind::Node(NodeKind::Super) => CallForm::Super,
            SyntaxKind::Node(NodeKind::SubscriptExpression) => CallForm::Subscript,
            SyntaxKind::Node(NodeKind::MemberExpression) => {
                let mut object = node.child_by_field_id(self.grammar.fields.object);
                while let Some(inner) = object.and_then(|object| self.unwrap_callee(object)) {
                    object = Some(inner);
                }
                match object.map(|object| self.kind(object)) {
                    Some(SyntaxKind::Node(NodeKind::This)) => CallForm::SelfAttribute,
                    Some(SyntaxKind::Node(NodeKind::Super)) => CallForm::SuperAttribute,
                    Some(SyntaxKind::Node(NodeKind::Identifier)) => CallForm::Attribute,
                    Some(SyntaxKind::Node(NodeKind::MemberExpression)) => CallForm::Chain,
                    Some(SyntaxKind::Node(
                        NodeKind::CallExpression | NodeKind::AwaitExpression | NodeKind::NewExpression,
                    )) => CallForm::CallAttribute,
                    _ => CallForm::OtherAttribute,
                }
            }
            _ => CallForm::OtherAttribute,
        }
    }
}
