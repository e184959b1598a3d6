//! Call sites and their arguments.

use tree_sitter::{Node, TreeCursor};

use super::{
    facts::{Arg, Expr, ExprId, NameId, Site, SiteId},
    kinds::Kind,
    lower::Lowering,
    text,
};
use crate::program::{ArgumentKind, CallForm};

impl Lowering<'_> {
    /// A call; of a decorator where `decorator`.
    pub(super) fn call(&mut self, cursor: &mut TreeCursor, decorator: bool) -> ExprId {
        let fields = &self.grammar.fields;
        let mut site = None;
        self.fields(cursor, |this, cursor, kind, field| {
            if field == fields.function {
                let token = this.name_token(cursor.node());
                let callee = this.expr(cursor);
                site = Some((this.site(callee, token, decorator), callee));
            } else if field == fields.arguments
                && let Some((site, callee)) = site
            {
                let mut arguments = if kind == Kind::GeneratorExpression {
                    let value = this.expr(cursor);
                    vec![Arg { kind: ArgumentKind::Positional, keyword: None, value, literal: None }]
                } else {
                    this.arguments(cursor)
                };
                if this.is_named(callee, "cast") || this.is_named(callee, "NewType") {
                    this.quoted_types(&mut arguments);
                }
                this.facts.calls[site.index()].arguments = arguments.into_boxed_slice();
            }
        });
        match site {
            Some((site, _)) => self.add(Expr::Call(site)),
            None => self.unknown(),
        }
    }

    fn site(&mut self, callee: ExprId, token: Option<Node>, decorator: bool) -> SiteId {
        let (line, col) = token.map_or((0, 0), |t| {
            let at = t.start_position();
            (at.row as u32 + 1, at.column as u32)
        });
        let id = SiteId::new(self.facts.calls.len());
        self.facts.calls.push(Site {
            callee,
            line,
            col,
            form: if decorator { CallForm::Decorator } else { self.form(callee) },
            caller: self.frame.caller,
            scope: self.frame.scope,
            arguments: Box::default(),
        });
        id
    }

    /// The arguments of the argument list at the cursor.
    pub(super) fn arguments(&mut self, cursor: &mut TreeCursor) -> Vec<Arg> {
        let fields = &self.grammar.fields;
        let mut arguments = Vec::new();
        self.children(cursor, |this, cursor, kind| {
            let (kind, keyword, value, literal) = match kind {
                Kind::Token | Kind::Comment => return,
                Kind::KeywordArgument => {
                    let mut keyword = None;
                    let mut literal = None;
                    let mut value = this.unknown();
                    this.fields(cursor, |this, cursor, _, field| {
                        if field == fields.name {
                            let text = this.text(cursor.node());
                            keyword = Some(this.intern(text));
                        } else if field == fields.value {
                            value = this.expr(cursor);
                            literal = this.literal(cursor.node());
                        }
                    });
                    (ArgumentKind::Keyword, keyword, value, literal)
                }
                Kind::ListSplat => {
                    let value = this.only_child(cursor);
                    (ArgumentKind::Star, None, value, None)
                }
                Kind::ParenthesizedExpression => {
                    let value = this.expr(cursor);
                    let starred = matches!(this.facts.expr(value), Expr::Starred(_));
                    let kind = if starred { ArgumentKind::Star } else { ArgumentKind::Positional };
                    (kind, None, value, None)
                }
                Kind::DictionarySplat => {
                    let value = this.only_child(cursor);
                    (ArgumentKind::DoubleStar, None, value, None)
                }
                _ => {
                    let value = this.expr(cursor);
                    (ArgumentKind::Positional, None, value, this.literal(cursor.node()))
                }
            };
            arguments.push(Arg { kind, keyword, value, literal });
        });
        arguments
    }

    /// The callee's last name token.
    fn name_token<'t>(&self, callee: Node<'t>) -> Option<Node<'t>> {
        let mut node = callee;
        loop {
            match self.kind(node) {
                Kind::Identifier => return Some(node),
                Kind::Attribute => return node.child_by_field_id(self.grammar.fields.attribute),
                Kind::Subscript => node = node.child_by_field_id(self.grammar.fields.value)?,
                Kind::ParenthesizedExpression => node = node.named_child(0)?,
                _ => return None,
            }
        }
    }

    fn form(&self, callee: ExprId) -> CallForm {
        let is_receiver = |name: NameId| matches!(self.facts.name(name), "self" | "cls");
        match self.facts.expr(callee) {
            Expr::Name { .. } => CallForm::Name,
            Expr::Subscript { .. } => CallForm::Subscript,
            Expr::Attribute { value, .. } => match self.facts.expr(value) {
                Expr::Name { name, .. } if is_receiver(name) => CallForm::SelfAttribute,
                Expr::Name { .. } => CallForm::Attribute,
                Expr::Attribute { .. } => CallForm::Chain,
                Expr::Call(site) if self.is_named(self.facts.calls[site.index()].callee, "super") => {
                    CallForm::SuperAttribute
                }
                Expr::Call(_) => CallForm::CallAttribute,
                _ => CallForm::OtherAttribute,
            },
            _ => CallForm::OtherAttribute,
        }
    }

    fn literal(&self, node: Node) -> Option<compact_str::CompactString> {
        let plain = match self.kind(node) {
            Kind::String => !self.text(node).contains('{'),
            Kind::Integer | Kind::Float | Kind::True | Kind::False | Kind::None => true,
            Kind::UnaryOperator => {
                node.named_child(0).is_some_and(|n| matches!(self.kind(n), Kind::Integer | Kind::Float))
            }
            _ => false,
        };
        if plain { text::literal(self.text(node)) } else { None }
    }
}
