//! JSX elements. An element of a component is a call; an intrinsic element such as `<div>` is not.

use arcstr::ArcStr;
use thin_vec::ThinVec;
use tree_sitter::{Node, TreeCursor};

use super::{
    context::{InferredName, WellKnownNames},
    facts::{Arg, CallExprId, CallExprKind, DefBody, DefId, Expr, ExprId, Member, MemberKind, NameId, TypeId},
    grammar::{NodeKind, SyntaxKind},
    lower::Lowering,
    objects::plain_property,
    text,
};
use crate::syntax::tree::line_of;

/// An element of a component, such as `<Button />`, while it is lowered. The only argument of its call is an object
/// whose properties are the attributes and `children`.
#[derive(Debug)]
struct ComponentElement {
    site: CallExprId,
    attributes: DefId,
    members: ThinVec<Member>,
    type_args: ThinVec<TypeId>,
}

/// The element that an attribute is of.
#[derive(Clone, Copy, Debug)]
enum JsxElement<'t> {
    /// That of a component: the call.
    Component(CallExprId),
    /// An intrinsic one: its name.
    Intrinsic(Node<'t>),
}

impl Lowering<'_> {
    pub(super) fn jsx_element(&mut self, cursor: &mut TreeCursor, kind: NodeKind) -> ExprId {
        let fields = &self.grammar.fields;
        let line = line_of(cursor.node());
        if kind == NodeKind::JsxSelfClosingElement {
            let component = self.opening_tag(cursor);
            return self.finish_element(component);
        }
        let mut component = None;
        let mut children = ThinVec::new();
        let outer = self.frame.def;
        self.fields(cursor, |this, cursor, kind, field| {
            if field == fields.open_tag {
                component = this.opening_tag(cursor);
                this.frame.def = component.as_ref().map(|component| component.attributes).or(outer);
            } else if field != fields.close_tag {
                children.extend(this.jsx_child(cursor, kind));
            }
        });
        self.frame.def = outer;
        if let Some(component) = &mut component
            && !children.is_empty()
        {
            let value = if let [only] = children[..] { only } else { self.add_array(&children) };
            let member = plain_property(Some(WellKnownNames::children()), line, Some((value, ArcStr::new())));
            component.members.push(member);
            self.expect_member(component.attributes, &component.members);
        }
        self.finish_element(component)
    }

    /// Lowers a child between tags: an expression, an element, or text. `None` for blank text.
    fn jsx_child(&mut self, cursor: &mut TreeCursor, kind: NodeKind) -> Option<ExprId> {
        match kind {
            NodeKind::JsxText => {
                let is_blank = self.text(cursor.node()).trim().is_empty();
                (!is_blank).then(|| self.add_expr(Expr::String(None)))
            }
            NodeKind::HtmlCharacterReference => Some(self.add_expr(Expr::String(None))),
            NodeKind::JsxExpression => self.first_named_child(cursor, |this, cursor, _| this.expr(cursor)),
            _ => Some(self.expr(cursor)),
        }
    }

    fn finish_element(&mut self, component: Option<ComponentElement>) -> ExprId {
        let Some(ComponentElement { site, attributes, members, type_args }) = component else {
            return self.add_expr(Expr::Element);
        };
        let Some(value) = self.facts.def(attributes).expr else { return self.add_expr(Expr::Element) };
        self.facts.definitions[attributes.index()].body = DefBody::Object(members);
        let keys = self.object_keys(value);
        self.end_call(site, type_args, vec![Arg { value, is_spread: false, keys, literal: None }])
    }

    /// Lowers an opening or self-closing tag with its attributes. Returns `None` for an intrinsic element.
    fn opening_tag(&mut self, cursor: &mut TreeCursor) -> Option<ComponentElement> {
        let fields = &self.grammar.fields;
        let node = cursor.node();
        let tag = node.child_by_field_id(fields.name);
        let name = tag.filter(|name| self.is_component(*name));
        let mut component = None;
        let outer = self.frame.def;
        self.fields(cursor, |this, cursor, kind, field| {
            if field == fields.name && name.is_some() {
                let site = this.begin_call(cursor, CallExprKind::Jsx);
                let attributes = this.add_def(node, InferredName::default(), DefBody::Object(ThinVec::new()));
                let value = this.add_expr(Expr::Object(attributes));
                this.facts.definitions[attributes.index()].expr = Some(value);
                this.frame.def = Some(attributes);
                component =
                    Some(ComponentElement { site, attributes, members: ThinVec::new(), type_args: ThinVec::new() });
            } else if field == fields.type_arguments {
                let type_args = this.type_arguments(cursor);
                if let Some(component) = &mut component {
                    component.type_args = type_args;
                }
            } else if field == fields.attribute {
                let element = match &component {
                    Some(component) => Some(JsxElement::Component(component.site)),
                    None => tag.map(JsxElement::Intrinsic),
                };
                let member = this.descend(cursor.node(), |this| this.jsx_attribute(cursor, kind, element)).flatten();
                if let (Some(component), Some(member)) = (&mut component, member) {
                    component.members.push(member);
                    this.expect_member(component.attributes, &component.members);
                }
            }
        });
        self.frame.def = outer;
        component
    }

    /// True for the name of a component. A name that begins with a lower-case letter is an intrinsic element, unless it
    /// has a dot (TypeScript handbook, "JSX").
    fn is_component(&self, name: Node) -> bool {
        match self.kind(name) {
            SyntaxKind::Node(NodeKind::Identifier) => {
                let text = self.text(name);
                !text.starts_with(|c: char| c.is_ascii_lowercase()) && !text.contains('-')
            }
            SyntaxKind::Node(NodeKind::MemberExpression | NodeKind::NestedIdentifier) => true,
            _ => false,
        }
    }

    fn jsx_attribute(
        &mut self,
        cursor: &mut TreeCursor,
        kind: NodeKind,
        element: Option<JsxElement<'_>>,
    ) -> Option<Member> {
        let node = cursor.node();
        let line = line_of(node);
        if kind == NodeKind::JsxExpression {
            return self.first_named_child(cursor, |this, cursor, kind| {
                let value = match kind {
                    NodeKind::SpreadElement => this.first_named_child(cursor, |this, cursor, _| this.expr(cursor))?,
                    _ => this.expr(cursor),
                };
                Some(Member { kind: MemberKind::Spread(value), ..plain_property(None, line, None) })
            })?;
        }
        let mut name: Option<NameId> = None;
        let mut value = None;
        self.named_children(cursor, |this, cursor, kind| {
            if name.is_none() {
                name = Some(this.name_of(cursor.node()));
            } else {
                let place = match element {
                    Some(JsxElement::Component(site)) => Self::place_of_argument(Some(site), 0, name),
                    Some(JsxElement::Intrinsic(tag)) => this.place_of_attribute(tag, name),
                    None => None,
                };
                value = Some(this.at_place(place, |this| this.jsx_attribute_value(cursor, kind)));
            }
        });
        let value = value.unwrap_or_else(|| (self.add_expr(Expr::Bool(true)), arcstr::literal!("true")));
        Some(plain_property(name, line, Some(value)))
    }

    fn jsx_attribute_value(&mut self, cursor: &mut TreeCursor, kind: NodeKind) -> (ExprId, ArcStr) {
        if kind == NodeKind::JsxExpression {
            let inner = self.first_named_child(cursor, |this, cursor, _| {
                let value = this.expr(cursor);
                (value, this.short_text(cursor.node()))
            });
            return inner.unwrap_or_else(|| (self.add_expr(Expr::Unknown), ArcStr::new()));
        }
        let value = self.expr(cursor);
        (value, self.texts.keep(&text::short(self.text(cursor.node()))))
    }
}
