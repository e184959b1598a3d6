//! Object literals and the names of properties.

use arcstr::ArcStr;
use thin_vec::ThinVec;
use tree_sitter::{Node, TreeCursor};

use super::{
    context::InferredName,
    facts::{Access, DefBody, DefId, Expr, ExprId, ExpressionContext, Member, MemberKind, NameId},
    functions::FunctionHeader,
    grammar::{NodeKind, SyntaxKind},
    lower::{Lowering, index_u16},
    text,
};
use crate::syntax::tree::line_of;

/// The name of a property: its text, or the expression in the brackets of a computed name.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PropertyName {
    pub(super) text: Option<NameId>,
    pub(super) computed: Option<ExprId>,
}

impl Lowering<'_> {
    pub(super) fn object_literal(&mut self, cursor: &mut TreeCursor, inferred: InferredName) -> ExprId {
        let def = self.add_def(cursor.node(), inferred, DefBody::Object(ThinVec::new()));
        let expr = self.add_expr(Expr::Object(def));
        self.facts.definitions[def.index()].expr = Some(expr);
        let members = self.in_definition(def, |this| {
            let mut members = ThinVec::new();
            this.documented_children(cursor, |this, cursor, kind| {
                if let SyntaxKind::Node(kind) = kind
                    && let Some(member) = this.object_member(cursor, kind)
                {
                    members.push(member);
                    this.expect_member(def, &members);
                }
            });
            members
        });
        self.facts.definitions[def.index()].body = DefBody::Object(members);
        expr
    }

    /// Records the context of the value of the last member of an object literal.
    pub(super) fn expect_member(&mut self, def: DefId, members: &[Member]) {
        if let Some(Member { kind: MemberKind::Property { value: Some((value, _)), .. }, .. }) = members.last()
            && let Some(at) = index_u16(members.len() - 1)
        {
            self.record_context(*value, ExpressionContext::Property(def, at));
        }
    }

    fn object_member(&mut self, cursor: &mut TreeCursor, kind: NodeKind) -> Option<Member> {
        let fields = &self.grammar.fields;
        let node = cursor.node();
        let doc = self.doc.take();
        match kind {
            NodeKind::Pair => {
                let (mut name, mut line, mut value) = (PropertyName::default(), line_of(node), None);
                self.fields(cursor, |this, cursor, _, field| {
                    if field == fields.key {
                        line = line_of(cursor.node());
                        name = this.at_place(None, |this| this.maybe_computed_name(cursor));
                    } else if field == fields.value {
                        let (inferred, place) =
                            (InferredName::of_member(name.text, doc), this.place_of_property(name.text));
                        let expr = this.at_place(place, |this| this.named_expr(cursor, inferred));
                        value = Some((expr, this.short_text(cursor.node())));
                    }
                });
                let (summary, documentation) = (self.summary(doc), self.documentation(doc));
                let computed_name = name.computed;
                Some(Member { computed_name, summary, documentation, ..plain_property(name.text, line, value) })
            }
            NodeKind::ShorthandPropertyIdentifier => {
                let name = self.name_of(node);
                let value = self.read(name);
                let place = self.place_of_property(Some(name));
                self.at_place(place, |this| this.note_mention(value, Some(node)));
                let text = self.texts.keep(&text::short(self.text(node)));
                Some(plain_property(Some(name), line_of(node), Some((value, text))))
            }
            NodeKind::SpreadElement => {
                let spread =
                    |this: &mut Self, cursor: &mut TreeCursor, _| this.at_place(None, |this| this.expr(cursor));
                let value = self.first_named_child(cursor, spread)?;
                Some(Member { kind: MemberKind::Spread(value), ..plain_property(None, line_of(node), None) })
            }
            NodeKind::MethodDefinition => {
                let (method, name, line) =
                    self.method(cursor, FunctionHeader { doc, class: None, ..FunctionHeader::default() });
                let (summary, documentation) = (self.summary(doc), self.documentation(doc));
                let kind = MemberKind::Function(method);
                let computed_name = name.computed;
                Some(Member { computed_name, summary, documentation, kind, ..plain_property(name.text, line, None) })
            }
            _ => {
                self.statement(cursor, kind);
                None
            }
        }
    }

    /// The text of a value; empty if the text is long.
    pub(super) fn short_text(&mut self, node: Node) -> ArcStr {
        self.texts.keep(&text::short(self.text(node)))
    }

    /// The name of the property at the cursor. `None` for a computed name, unless the name is a string or a template
    /// without substitutions.
    pub(super) fn property_name(&mut self, cursor: &mut TreeCursor) -> Option<NameId> {
        self.maybe_computed_name(cursor).text
    }

    /// The name of the property at the cursor; see [`Self::property_name`].
    pub(super) fn maybe_computed_name(&mut self, cursor: &mut TreeCursor) -> PropertyName {
        let node = cursor.node();
        let text = match self.kind(node) {
            SyntaxKind::Node(NodeKind::String) => {
                let text = text::name_value(self.text(node));
                self.intern(&text)
            }
            SyntaxKind::Node(NodeKind::ComputedPropertyName) => {
                let name = self.first_named_child(cursor, |this, cursor, kind| match kind {
                    NodeKind::String => this.maybe_computed_name(cursor),
                    NodeKind::TemplateString if cursor.node().named_child_count() <= 1 => {
                        this.expr(cursor);
                        let text = this.text(cursor.node());
                        let text = (!text.contains("${")).then(|| this.intern(text.trim_matches('`')));
                        PropertyName { text, computed: None }
                    }
                    _ => PropertyName { text: None, computed: Some(this.expr(cursor)) },
                });
                return name.unwrap_or_default();
            }
            _ => self.name_of(node),
        };
        PropertyName { text: Some(text), computed: None }
    }
}

/// A public property without an annotation, modifier or summary.
pub(super) fn plain_property(name: Option<NameId>, line: u32, value: Option<(ExprId, ArcStr)>) -> Member {
    Member {
        name,
        computed_name: None,
        line,
        is_static: false,
        is_optional: false,
        is_readonly: false,
        is_abstract: false,
        access: Access::Public,
        summary: None,
        documentation: None,
        kind: MemberKind::Property { annotation: None, value, parameter: None },
    }
}
