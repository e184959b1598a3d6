//! Records the names that code mentions without calling them: what it passes, holds, throws, and so on.
//!
//! The construct around an expression sets [`Lowering::mention_place`] while it lowers the expression. A name that is
//! lowered at such a place is recorded. Expressions that are neither names nor literals of names end the place.

use tree_sitter::Node;

use super::{
    facts::{
        CallExprId, Decl, DefId, Expr, ExprId, Holder, Mention, MentionPlace, MentionedName, NameId, PassedAs,
        ScopeKind, SymbolId, TypeId, TypeNode, ValueSource,
    },
    grammar::{NodeKind, TokenKind},
    lower::Lowering,
};
use crate::syntax::{mentions::MAX_HOLDER, tree::position_of};

impl Lowering<'_> {
    /// Runs `f` while names stand at `place`.
    #[inline]
    pub(super) fn at_place<T>(&mut self, place: Option<MentionPlace>, f: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.mention_place, place);
        let result = f(self);
        self.mention_place = outer;
        result
    }

    /// The place of the names in an expression of this kind, which itself stands at the present place.
    pub(super) fn place_inside(&self, kind: NodeKind) -> Option<MentionPlace> {
        match kind {
            NodeKind::Identifier
            | NodeKind::ShorthandPropertyIdentifier
            | NodeKind::MemberExpression
            | NodeKind::NestedIdentifier
            | NodeKind::ParenthesizedExpression
            | NodeKind::AsExpression
            | NodeKind::SatisfiesExpression
            | NodeKind::TypeAssertion
            | NodeKind::NonNullExpression
            | NodeKind::BinaryExpression
            | NodeKind::TernaryExpression
            | NodeKind::InstantiationExpression => self.mention_place,
            NodeKind::CallExpression | NodeKind::NewExpression => {
                self.mention_place.filter(|place| *place == MentionPlace::Raised)
            }
            NodeKind::Object | NodeKind::Array => Some(match self.mention_place {
                Some(MentionPlace::Passed { passed, .. }) => {
                    MentionPlace::Held { holder: Holder::Argument(passed), key: None }
                }
                Some(MentionPlace::Attribute { element, .. }) => {
                    MentionPlace::Held { holder: Holder::Name(element), key: None }
                }
                Some(place @ (MentionPlace::Held { .. } | MentionPlace::Exported)) => place,
                _ => MentionPlace::Held { holder: Holder::None, key: None },
            }),
            _ => None,
        }
    }

    /// The place of an operand of a binary operator.
    pub(super) fn place_of_operand(&self, operator: TokenKind) -> Option<MentionPlace> {
        match operator {
            TokenKind::Equal
            | TokenKind::Identical
            | TokenKind::NotEqual
            | TokenKind::NotIdentical
            | TokenKind::In
            | TokenKind::Instanceof => Some(MentionPlace::Compared),
            TokenKind::And | TokenKind::Or | TokenKind::Nullish => self.mention_place,
            _ => None,
        }
    }

    /// The place of the argument at a position of a call.
    pub(super) fn place_of_argument(
        call: Option<CallExprId>,
        argument: usize,
        attribute: Option<NameId>,
    ) -> Option<MentionPlace> {
        let passed = PassedAs { call: call?, argument: u16::try_from(argument).ok()? };
        Some(MentionPlace::Passed { passed, attribute })
    }

    /// The place of the value of the property `key` in an object literal at the present place.
    pub(super) fn place_of_property(&self, key: Option<NameId>) -> Option<MentionPlace> {
        match self.mention_place {
            Some(MentionPlace::Held { holder, .. }) => Some(MentionPlace::Held { holder, key }),
            place => place,
        }
    }

    /// The place of the value of an attribute of the intrinsic JSX element `element`.
    pub(super) fn place_of_attribute(&mut self, element: Node, attribute: Option<NameId>) -> Option<MentionPlace> {
        let text = self.text(element);
        let attribute = attribute.filter(|_| text.len() <= MAX_HOLDER && !text.contains(char::is_whitespace))?;
        Some(MentionPlace::Attribute { element: self.intern(text), attribute })
    }

    /// The place of the value that is assigned to a name or property. A module exports what it assigns to its exports.
    pub(super) fn place_of_value(&mut self, target: Node) -> MentionPlace {
        let text = self.text(target);
        if text == "module.exports" || text.starts_with("exports.") || text.starts_with("module.exports.") {
            return MentionPlace::Exported;
        }
        let is_short = text.len() <= MAX_HOLDER && !text.contains(char::is_whitespace);
        let holder = if is_short { Holder::Name(self.intern(text)) } else { Holder::None };
        MentionPlace::Held { holder, key: None }
    }

    /// The place of the value of a field or parameter.
    pub(super) fn place_of_field(name: Option<NameId>) -> MentionPlace {
        MentionPlace::Held { holder: name.map_or(Holder::None, Holder::Name), key: None }
    }

    /// The place of the names in a type: the base of a class, or an annotation, which is a further one unless the type
    /// is a part of it.
    pub(super) fn place_of_type(&mut self) -> MentionPlace {
        match self.mention_place {
            Some(place @ (MentionPlace::Base | MentionPlace::Annotates(_))) => place,
            _ => self.new_annotation(),
        }
    }

    /// The place of the type arguments at the present place.
    pub(super) fn place_of_type_arguments(&mut self) -> MentionPlace {
        match self.mention_place {
            Some(place @ MentionPlace::Annotates(_)) => place,
            _ => self.new_annotation(),
        }
    }

    fn new_annotation(&mut self) -> MentionPlace {
        self.annotations += 1;
        MentionPlace::Annotates(self.annotations)
    }

    /// Records that the name `expr` stands at the present place. `token` is its last name token.
    #[inline]
    pub(super) fn note_mention(&mut self, expr: ExprId, token: Option<Node>) {
        if let Some(place) = self.mention_place {
            self.record_mention(MentionedName::Value(expr), token, place);
        }
    }

    /// Records that a type reference stands at the present place. `name` is the node of its dotted name.
    pub(super) fn note_type(&mut self, ty: TypeId, name: Node) {
        if let (Some(place), TypeNode::Ref { .. }) = (self.mention_place, self.facts.ty(ty)) {
            let count = name.named_child_count() as u32;
            let last = name.named_child(count.saturating_sub(1)).unwrap_or(name);
            self.record_mention(MentionedName::Type(ty), Some(last), place);
        }
    }

    /// Records that a name stands at `place`.
    pub(super) fn record_mention(&mut self, name: MentionedName, token: Option<Node>, place: MentionPlace) {
        let (line, col) = position_of(token);
        self.facts.mentions.push(Mention { name, line, col, user: self.frame.def, place });
    }

    /// Gives the decorators since the mention `first` the definition that they decorate.
    pub(super) fn set_decorated(&mut self, first: usize, def: DefId) {
        let user = self.facts.def(def).outer;
        for mention in &mut self.facts.mentions[first..] {
            if mention.place == MentionPlace::Decorates(None) {
                (mention.place, mention.user) = (MentionPlace::Decorates(Some(def)), user);
            }
        }
    }

    /// Drops the mentions of names that certainly name no definition: parameters, local variables, globals of the
    /// platform, type parameters, and properties of results.
    pub(super) fn prune_mentions(&mut self) {
        let mut mentions = std::mem::take(&mut self.facts.mentions);
        mentions.retain(|mention| match mention.name {
            MentionedName::Value(expr) => self.may_name_definition(expr),
            MentionedName::Type(ty) => match self.facts.ty(ty) {
                TypeNode::Ref { symbol: Some(symbol), .. } => {
                    !self.facts.symbol(*symbol).decls.iter().all(|decl| matches!(decl, Decl::TypeParam(_)))
                }
                _ => false,
            },
            MentionedName::Local(_) | MentionedName::From(..) => true,
        });
        self.facts.mentions = mentions;
    }

    fn may_name_definition(&self, expr: ExprId) -> bool {
        match self.facts.expr(self.without_guards(expr)) {
            Expr::Name { symbol, .. } => symbol.is_some_and(|symbol| self.may_be_definition(symbol)),
            Expr::Property { object, .. } => matches!(
                self.facts.expr(self.without_guards(object)),
                Expr::Name { .. } | Expr::This(_) | Expr::Super(_) | Expr::Property { .. }
            ),
            _ => false,
        }
    }

    /// False for a parameter, and for a local variable that holds no function.
    fn may_be_definition(&self, symbol: SymbolId) -> bool {
        let row = self.facts.symbol(symbol);
        let scope = self.facts.scopes[row.scope.index()].kind;
        row.decls.iter().any(|decl| match decl {
            Decl::Def(_) | Decl::Import(_) => true,
            Decl::Variable(_) if matches!(scope, ScopeKind::File | ScopeKind::Namespace) => true,
            Decl::Variable(variable) => match self.facts.variables[variable.index()].source {
                ValueSource::Value(value) => matches!(self.facts.expr(value), Expr::Function(_) | Expr::Class(_)),
                _ => false,
            },
            Decl::Parameter(..) | Decl::TypeParam(_) => false,
        })
    }
}
