//! Call sites and their arguments.

use tree_sitter::{Node, TreeCursor};

use super::{
    facts::{Arg, CallExpr, CallExprId, Expr, ExprId, Holder, LiteralId, MentionPlace},
    grammar::NodeKind,
    lower::Lowering,
    text,
};
use crate::{
    program::{ArgumentKind, CallForm, CallSyntax},
    syntax::tree::position_of,
};

/// The methods of view classes that make what is registered: of Django, Django REST framework and Flask, and of
/// Channels.
const VIEW_MAKERS: [&str; 2] = ["as_view", "as_asgi"];

impl Lowering<'_> {
    /// Lowers the call at the cursor. `is_decorator` is true for a decorator with arguments.
    pub(super) fn lower_call(&mut self, cursor: &mut TreeCursor, is_decorator: bool) -> ExprId {
        let outer = self.mention_place;
        let place = outer.filter(|place| *place == MentionPlace::Raised);
        let call = self.at_place(None, |this| this.lower_call_at_place(cursor, is_decorator, place));
        self.note_view(cursor.node(), call, outer);
        call
    }

    /// Records that the class of the view `X.as_view()` stands where the view stands: whoever passes or holds the view
    /// registers the class.
    fn note_view(&mut self, node: Node, call: ExprId, place: Option<MentionPlace>) {
        let Some(place @ (MentionPlace::Passed(_) | MentionPlace::Held { .. } | MentionPlace::Returned)) = place else {
            return;
        };
        let Expr::Call(site) = self.facts.expr(call) else { return };
        let Expr::Attribute { value, name, .. } = self.facts.expr(self.facts.calls[site.index()].callee) else {
            return;
        };
        if VIEW_MAKERS.contains(&self.facts.name(name)) {
            let fields = &self.grammar.fields;
            let callee = node.child_by_field_id(fields.function);
            let class = callee.and_then(|callee| callee.child_by_field_id(fields.object));
            let token = class.map(|class| class.child_by_field_id(fields.attribute).unwrap_or(class));
            self.record_mention(value, position_of(token), place);
        }
    }

    fn lower_call_at_place(
        &mut self,
        cursor: &mut TreeCursor,
        is_decorator: bool,
        place: Option<MentionPlace>,
    ) -> ExprId {
        let fields = &self.grammar.fields;
        let mut site = None;
        self.fields(cursor, |this, cursor, kind, field| {
            if field == fields.function {
                let (callee, token) = match kind {
                    NodeKind::Attribute => this.lower_attribute_target(cursor),
                    _ => (this.lower_expr(cursor), this.name_token(cursor.node())),
                };
                this.at_place(place, |this| this.note_mention(callee, token));
                site = Some((this.add_site(callee, token, is_decorator), callee));
            } else if field == fields.arguments
                && let Some((site, callee)) = site
            {
                let (line, col) = position_of(Some(cursor.node()));
                let mut arguments = if kind == NodeKind::GeneratorExpression {
                    let value = this.lower_expr(cursor);
                    vec![Arg { kind: ArgumentKind::Positional, keyword: None, value, literal: None }]
                } else {
                    this.lower_arguments(cursor, Some(site), this.expects_error(callee))
                };
                if this.facts.is_named(callee, "cast") || this.facts.is_named(callee, "NewType") {
                    this.parse_quoted_type_argument(&mut arguments);
                }
                if this.facts.is_named(callee, "TypeVar") {
                    this.parse_quoted_bounds(&mut arguments);
                }
                let call = &mut this.facts.calls[site.index()];
                call.arguments = arguments.into_boxed_slice();
                if call.line == 0 {
                    (call.line, call.col) = (line, col);
                    if !is_decorator {
                        call.syntax.form = CallForm::Nameless;
                    }
                }
            }
        });
        match site {
            Some((site, _)) => self.add_expr(Expr::Call(site)),
            None => self.unknown(),
        }
    }

    /// Lowers the call `type(a)` of which the grammar sees only the arguments, at the cursor: it takes the name `type`
    /// at the start of an assignment for the keyword of a type alias. `name` is the token of the name.
    pub(super) fn lower_call_of_type(&mut self, cursor: &mut TreeCursor, name: Option<Node>) {
        let callee = self.intern("type");
        let callee = self.read_name(callee);
        let site = self.add_site(callee, name, false);
        let arguments = self.lower_arguments(cursor, Some(site), false);
        self.facts.calls[site.index()].arguments = arguments.into_boxed_slice();
        self.add_expr(Expr::Call(site));
    }

    /// Lowers the bare decorator at the cursor: a call of the decorator with the decorated object, which is no
    /// expression. Returns the decorator.
    pub(super) fn lower_bare_decorator(&mut self, cursor: &mut TreeCursor, kind: NodeKind) -> ExprId {
        let node = cursor.node();
        let (callee, token) = match kind {
            NodeKind::Attribute => self.lower_attribute_target(cursor),
            _ => (self.lower_expr(cursor), self.name_token(node).or(Some(node))),
        };
        let site = self.add_site(callee, token, true);
        let position = position_of(token);
        self.record_mention(callee, position, MentionPlace::Decorates(None));
        let value = self.unknown();
        let decorated = Arg { kind: ArgumentKind::Decorated, keyword: None, value, literal: None };
        self.facts.calls[site.index()].arguments = [decorated].into();
        callee
    }

    fn add_site(&mut self, callee: ExprId, token: Option<Node>, is_decorator: bool) -> CallExprId {
        let (line, col) = position_of(token);
        let id = CallExprId::new(self.facts.calls.len());
        let form = if is_decorator { CallForm::Decorator } else { self.facts.form(callee) };
        let names_constructor = matches!(self.facts.attribute_name(callee), Some("__init__" | "__new__"));
        self.facts.calls.push(CallExpr {
            callee,
            line,
            col,
            syntax: CallSyntax { names_constructor, ..CallSyntax::new(form) },
            caller: self.flow.caller,
            scope: self.flow.scope,
            arguments: Box::default(),
        });
        id
    }

    /// Lowers the argument list at the cursor: that of the call `site`, or the bases of a class. If the callee expects
    /// an error, its first argument is the error, and calls in the lambdas after it are marked as calls that expect an
    /// error.
    pub(super) fn lower_arguments(
        &mut self,
        cursor: &mut TreeCursor,
        site: Option<CallExprId>,
        expects_error: bool,
    ) -> Vec<Arg> {
        let fields = &self.grammar.fields;
        let mut arguments = Vec::new();
        let outer = self.mention_place;
        self.children(cursor, |this, cursor, kind| {
            this.mention_place = match site {
                _ if matches!(kind, NodeKind::ListSplat | NodeKind::DictionarySplat) => None,
                Some(site) => this.place_of_argument(site, arguments.len()),
                None => Some(MentionPlace::Base),
            };
            let (kind, keyword, value, literal) = match kind {
                NodeKind::Token | NodeKind::Comment => return,
                NodeKind::KeywordArgument => {
                    let mut keyword = None;
                    let mut literal = None;
                    let mut value = this.unknown();
                    this.fields(cursor, |this, cursor, _, field| {
                        if field == fields.name {
                            let name = this.intern(this.text(cursor.node()));
                            keyword = Some(name);
                            if site.is_none() && this.facts.name(name) != "metaclass" {
                                // `class Job(Base, handler=Handler)`: `__init_subclass__` takes the keyword.
                                this.mention_place = Some(MentionPlace::Held { holder: Holder::Name(name), key: None });
                            }
                        } else if field == fields.value {
                            value = this.lower_expr(cursor);
                            literal = this.literal(cursor.node());
                        }
                    });
                    (ArgumentKind::Keyword, keyword, value, literal)
                }
                NodeKind::ListSplat => {
                    let value = this.lower_last_child(cursor);
                    (ArgumentKind::Star, None, value, None)
                }
                NodeKind::ParenthesizedExpression => {
                    let value = this.lower_expr(cursor);
                    let starred = matches!(this.facts.expr(value), Expr::Starred(_));
                    let kind = if starred { ArgumentKind::Star } else { ArgumentKind::Positional };
                    (kind, None, value, None)
                }
                NodeKind::DictionarySplat => {
                    let value = this.lower_last_child(cursor);
                    (ArgumentKind::DoubleStar, None, value, None)
                }
                _ => {
                    let first = this.facts.calls.len();
                    let value = this.lower_expr(cursor);
                    if expects_error && kind == NodeKind::Lambda && !arguments.is_empty() {
                        this.expect_error_from(first);
                    }
                    (ArgumentKind::Positional, None, value, this.literal(cursor.node()))
                }
            };
            arguments.push(Arg { kind, keyword, value, literal });
        });
        self.mention_place = outer;
        arguments
    }

    /// The last name token of a callee: `run` of `agent.run`.
    fn name_token<'t>(&self, callee: Node<'t>) -> Option<Node<'t>> {
        let mut node = callee;
        loop {
            match self.kind(node) {
                NodeKind::Identifier => return Some(node),
                NodeKind::Attribute => return node.child_by_field_id(self.grammar.fields.attribute),
                NodeKind::Subscript => node = node.child_by_field_id(self.grammar.fields.value)?,
                // The grammar parses `[*f()]` as a call of `*f`.
                NodeKind::ParenthesizedExpression | NodeKind::ListSplat | NodeKind::ListSplatPattern => {
                    node = node.named_child(0)?;
                }
                _ => return None,
            }
        }
    }

    /// The text of a short literal, of a constant or of an enum member.
    fn literal(&mut self, node: Node) -> Option<LiteralId> {
        let plain = match self.kind(node) {
            NodeKind::String => !self.text(node).contains('{'),
            NodeKind::Integer | NodeKind::Float | NodeKind::True | NodeKind::False | NodeKind::None => true,
            NodeKind::Identifier | NodeKind::Attribute => text::is_constant_name(self.text(node), false),
            NodeKind::UnaryOperator => {
                node.named_child(0).is_some_and(|n| matches!(self.kind(n), NodeKind::Integer | NodeKind::Float))
            }
            _ => false,
        };
        if plain { text::literal(self.text(node)).map(|text| self.kept_literal(&text)) } else { None }
    }
}
