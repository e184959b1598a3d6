//! The arguments of calls: their values, the properties of object literals, and short literals.

use arcstr::ArcStr;
use thin_vec::ThinVec;
use tree_sitter::{Node, TreeCursor};

use super::{
    calls::is_assertion_function,
    context::WellKnownNames,
    facts::{Arg, CallExprId, Expr, ExprId, Member, MemberKind, PassedProperty},
    grammar::{NodeKind, SyntaxKind},
    lower::Lowering,
    text,
};

impl Lowering<'_> {
    /// Lowers the argument list at the cursor. Returns the arguments, and the number of calls that the file has up to
    /// the end of the first one.
    pub(super) fn arguments(&mut self, cursor: &mut TreeCursor, site: Option<CallExprId>) -> (Vec<Arg>, usize) {
        let asserts =
            site.is_some_and(|site| self.callee_name_matches(self.facts.site(site).callee, is_assertion_function));
        let mut arguments = Vec::new();
        let mut first_argument_end = self.facts.calls.len();
        let outer = self.mention_place;
        self.named_children(cursor, |this, cursor, kind| {
            let is_spread = kind == NodeKind::SpreadElement;
            this.mention_place = Self::place_of_argument(site.filter(|_| !is_spread), arguments.len(), None);
            if is_spread {
                let value = this.first_named_child(cursor, |this, cursor, _| this.expr(cursor));
                let value = value.unwrap_or_else(|| this.add_expr(Expr::Unknown));
                arguments.push(Arg { value, is_spread: true, keys: None, literal: None });
                return;
            }
            let value = if asserts && arguments.is_empty() {
                let (value, condition) = this.condition(cursor);
                this.pending.asserted = site.map(|site| (site, condition));
                value
            } else {
                this.expr(cursor)
            };
            let literal = this.literal(cursor.node());
            let keys = this.object_keys(value);
            if arguments.is_empty() {
                first_argument_end = this.facts.calls.len();
            }
            arguments.push(Arg { value, is_spread: false, keys, literal });
        });
        self.mention_place = outer;
        (arguments, first_argument_end)
    }

    /// Lowers the substitutions of a tagged template. The first argument represents the strings of the template.
    pub(super) fn template_arguments(&mut self, cursor: &mut TreeCursor) -> Vec<Arg> {
        let strings = self.add_expr(Expr::String(None));
        let values = self.template_substitutions(cursor);
        let argument = |value| Arg { value, is_spread: false, keys: None, literal: None };
        std::iter::once(strings).chain(values).map(argument).collect()
    }

    /// The properties of an argument, if it is an object literal. Casts around the literal are ignored.
    pub(super) fn object_keys(&self, value: ExprId) -> Option<ThinVec<PassedProperty>> {
        let mut at = value;
        let def = loop {
            match self.facts.expr(at) {
                Expr::As(inner, _) | Expr::Satisfies(inner, _) | Expr::AsConst(inner) | Expr::NonNull(inner) => {
                    at = inner;
                }
                Expr::Object(def) => break def,
                _ => return None,
            }
        };
        let key = |member: &Member| match &member.kind {
            MemberKind::Spread(_) => PassedProperty { name: WellKnownNames::spread(), literal: None },
            MemberKind::Property { value: Some((_, text)), .. } => {
                let is_value = text::is_literal(text) || text::is_constant_name(text, true);
                let literal = (is_value && text::literal(text).is_some()).then(|| text.clone());
                PassedProperty { name: member.name.unwrap_or(WellKnownNames::computed()), literal }
            }
            _ => PassedProperty { name: member.name.unwrap_or(WellKnownNames::computed()), literal: None },
        };
        Some(self.facts.def(def).members().iter().map(key).collect())
    }

    /// The text of a short literal, of a constant or of an enum member.
    fn literal(&mut self, node: Node) -> Option<ArcStr> {
        let is_literal = match self.kind(node) {
            SyntaxKind::Node(
                NodeKind::String
                | NodeKind::Number
                | NodeKind::True
                | NodeKind::False
                | NodeKind::Null
                | NodeKind::Undefined,
            ) => true,
            SyntaxKind::Node(NodeKind::UnaryExpression) => text::is_literal(self.text(node)),
            SyntaxKind::Node(NodeKind::Identifier | NodeKind::MemberExpression) => {
                text::is_constant_name(self.text(node), true)
            }
            _ => false,
        };
        if is_literal { text::literal(self.text(node)).map(|text| self.texts.keep(&text)) } else { None }
    }
}
