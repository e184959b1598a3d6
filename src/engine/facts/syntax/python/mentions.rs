//! Records the names that code mentions without calling them: what it passes, holds, raises, and so on.
//!
//! The construct around an expression sets [`Lowering::mention_place`] while it lowers the expression. A name that is
//! lowered at such a place is recorded. Expressions that are neither names nor literals of names end the place.

use tree_sitter::Node;

use super::{
    annotations::GENERICS,
    facts::{
        BindingKind, CallExprId, DefBody, DefId, Expr, ExprId, Holder, Mention, MentionPlace, NameId, PassedAs,
        ScopeId, ScopeKind,
    },
    grammar::NodeKind,
    lower::Lowering,
};
use crate::syntax::{mentions::MAX_HOLDER, tree::position_of};

/// The places of the arguments of a subscript. All type arguments are one annotation.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TypeArgumentPlaces {
    first: Option<MentionPlace>,
    others: Option<MentionPlace>,
}

impl TypeArgumentPlaces {
    /// The place of the argument at a position.
    pub(super) fn at(self, position: usize) -> Option<MentionPlace> {
        if position == 0 { self.first } else { self.others }
    }
}

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
            NodeKind::ParenthesizedExpression
            | NodeKind::Type
            | NodeKind::AsPatternTarget
            | NodeKind::BooleanOperator
            | NodeKind::BinaryOperator
            | NodeKind::ConditionalExpression
            | NodeKind::Call
            | NodeKind::Attribute
            | NodeKind::Subscript
            | NodeKind::String
            | NodeKind::GenericType
            | NodeKind::UnionType
            | NodeKind::MemberType => self.mention_place,
            NodeKind::Tuple | NodeKind::ExpressionList | NodeKind::List | NodeKind::Set | NodeKind::Dictionary => {
                Some(match self.mention_place {
                    Some(MentionPlace::Passed(passed)) => {
                        MentionPlace::Held { holder: Holder::Argument(passed), key: None }
                    }
                    None | Some(MentionPlace::Returned) => MentionPlace::Held { holder: Holder::None, key: None },
                    Some(place) => place,
                })
            }
            _ => None,
        }
    }

    /// The place of the operand of a binary operator. `A | B` is a type (PEP 604). Of another sum, only a literal holds
    /// names. The lists of `__all__` are a sum.
    pub(super) fn place_of_operand(&self, operator: &str, operand: Node) -> Option<MentionPlace> {
        match self.mention_place {
            place @ Some(MentionPlace::Compared | MentionPlace::Annotates(_)) if operator == "|" => place,
            place @ Some(MentionPlace::Listed) => place,
            Some(MentionPlace::Held { holder, .. }) => {
                let mut inner = operand;
                while let (NodeKind::ParenthesizedExpression, Some(node)) = (self.kind(inner), inner.named_child(0)) {
                    inner = node;
                }
                let holds = matches!(
                    self.kind(inner),
                    NodeKind::BinaryOperator | NodeKind::List | NodeKind::Tuple | NodeKind::Set | NodeKind::Dictionary
                );
                holds.then_some(MentionPlace::Held { holder, key: None })
            }
            _ => None,
        }
    }

    /// The place of the operands of a comparison: names are compared by identity, equality and membership. An order is
    /// one of values.
    pub(super) fn place_of_compared(&self, comparison: Node) -> Option<MentionPlace> {
        let mut cursor = comparison.walk();
        let is_order = |operator: &str| operator.starts_with(['<', '>']);
        let has_order = comparison
            .children(&mut cursor)
            .any(|child| self.kind(child) == NodeKind::Token && is_order(self.text(child)));
        (!has_order).then_some(MentionPlace::Compared)
    }

    /// The places of the arguments of a subscript of `generic` at the present place: names there stand for types if the
    /// arguments are type arguments. The value of an alias such as `Step = Callable[[A], B]` is a type, too.
    pub(super) fn places_of_type_arguments(&mut self, generic: ExprId) -> TypeArgumentPlaces {
        // The arguments of `Literal` are values (PEP 586), those of `Annotated` after the first are metadata (PEP 593).
        if self.facts.is_named(generic, "Literal") {
            return TypeArgumentPlaces::default();
        }
        let is_annotated = self.facts.is_named(generic, "Annotated");
        let first = match self.mention_place {
            place @ Some(MentionPlace::Annotates(_)) => place,
            Some(MentionPlace::Base) => Some(self.new_annotation()),
            _ if is_annotated || GENERICS.iter().any(|name| self.facts.is_named(generic, name)) => {
                Some(self.new_annotation())
            }
            _ => None,
        };
        let metadata = MentionPlace::Held { holder: Holder::None, key: None };
        TypeArgumentPlaces { first, others: if is_annotated { Some(metadata) } else { first } }
    }

    /// The place of the names in a further annotation.
    pub(super) fn new_annotation(&mut self) -> MentionPlace {
        self.annotations += 1;
        MentionPlace::Annotates(self.annotations)
    }

    /// The place of the argument at a position of a call.
    pub(super) fn place_of_argument(&self, call: CallExprId, argument: usize) -> Option<MentionPlace> {
        let is_test = match self.facts.expr(self.facts.calls[call.index()].callee) {
            Expr::Name { name, reaching, .. } => {
                reaching.is_empty() && matches!(self.facts.name(name), "isinstance" | "issubclass")
            }
            _ => false,
        };
        if is_test && argument == 1 {
            return Some(MentionPlace::Compared);
        }
        Some(MentionPlace::Passed(PassedAs { call, argument: u16::try_from(argument).ok()? }))
    }

    /// The place of the value that is assigned to the target `left`.
    pub(super) fn place_of_value(&mut self, left: Option<Node>) -> MentionPlace {
        let Some(left) = left else { return MentionPlace::Held { holder: Holder::None, key: None } };
        let (holder, key) = match self.kind(left) {
            NodeKind::Subscript => {
                let fields = &self.grammar.fields;
                let index = left.child_by_field_id(fields.subscript);
                (left.child_by_field_id(fields.value), index.and_then(|index| self.literal_key(index)))
            }
            NodeKind::Identifier if self.text(left) == "__all__" => return MentionPlace::Listed,
            _ => (Some(left), None),
        };
        let holder = holder.map_or(Holder::None, |holder| self.holder(holder));
        MentionPlace::Held { holder, key }
    }

    /// The place of the default value of a parameter.
    pub(super) fn place_of_default(&mut self, parameter: &str) -> MentionPlace {
        MentionPlace::Held { holder: Holder::Name(self.intern(parameter)), key: None }
    }

    /// What a target names, if its text is short.
    pub(super) fn holder(&mut self, target: Node) -> Holder {
        let text = self.text(target);
        let is_name = matches!(self.kind(target), NodeKind::Identifier | NodeKind::Attribute);
        let is_short = is_name && text.len() <= MAX_HOLDER && !text.contains(char::is_whitespace);
        if is_short { Holder::Name(self.intern(text)) } else { Holder::None }
    }

    /// The text of a key that is a short string or a number.
    pub(super) fn literal_key(&mut self, key: Node) -> Option<NameId> {
        let text = match self.kind(key) {
            NodeKind::Integer => self.text(key),
            NodeKind::String => {
                let inner = unquoted(self.text(key))?;
                if inner.contains(['\n', '\\']) {
                    return None;
                }
                inner
            }
            _ => return None,
        };
        (text.len() <= MAX_HOLDER).then(|| self.intern(text))
    }

    /// Records that the name `expr` stands at the present place. `token` is its last name token.
    #[inline]
    pub(super) fn note_mention(&mut self, expr: ExprId, token: Option<Node>) {
        if let Some(place) = self.mention_place {
            self.record_mention(expr, position_of(token), place);
        }
    }

    /// Records that the name `expr` stands at `place`, if it may name a definition.
    pub(super) fn record_mention(&mut self, expr: ExprId, (line, col): (u32, u32), place: MentionPlace) {
        if !self.may_name_definition(expr) {
            return;
        }
        let class = self.flow.def.filter(|def| matches!(self.facts.def(*def).body, DefBody::Class(_)));
        let user = class.or(self.flow.caller);
        self.facts.mentions.push(Mention { expr, line, col, user, place });
    }

    /// Gives the mentions in the head of a definition their user: those since `head`. Those from `first` to there are
    /// in its decorators.
    pub(super) fn set_user_of_head(&mut self, first: usize, head: usize, def: DefId) {
        let (in_decorators, in_head) = self.facts.mentions[first..].split_at_mut(head - first);
        for mention in in_decorators {
            if let MentionPlace::Decorates(decorated) = &mut mention.place {
                *decorated = Some(def);
            }
        }
        for mention in in_head {
            mention.user = Some(def);
        }
    }

    /// False for a name that certainly names no definition: a local variable, or an attribute of a result.
    fn may_name_definition(&self, expr: ExprId) -> bool {
        match self.facts.expr(expr) {
            Expr::Name { reaching, .. } => {
                let bindings = self.facts.reaching(reaching);
                bindings.is_empty()
                    || bindings.iter().any(|binding| {
                        let binding = &self.facts.bindings[binding.index()];
                        match binding.kind {
                            BindingKind::Def(_)
                            | BindingKind::ImportFrom { .. }
                            | BindingKind::TypeAlias { .. }
                            | BindingKind::Narrow { .. } => true,
                            BindingKind::Assign { .. } => self.is_offering_scope(binding.scope),
                            _ => false,
                        }
                    })
            }
            Expr::Attribute { value, .. } => {
                matches!(self.facts.expr(value), Expr::Name { .. } | Expr::Attribute { .. } | Expr::Call(_))
            }
            _ => false,
        }
    }

    /// True for the scope of the module and of a class: an assignment there makes a definition.
    fn is_offering_scope(&self, scope: ScopeId) -> bool {
        matches!(self.facts.scopes[scope.index()].kind, ScopeKind::Module | ScopeKind::Class)
    }

    /// Drops the mentions of names that nothing in the file binds to a definition: those of built-ins and of parameters
    /// of outer functions. A star import may bind any name.
    pub(super) fn prune_mentions(&mut self) {
        let mut is_bound = vec![false; self.facts.names.len()];
        let mut is_open = false;
        for binding in &self.facts.bindings {
            is_bound[binding.name.index()] |= match binding.kind {
                BindingKind::Def(_) | BindingKind::ImportFrom { .. } | BindingKind::TypeAlias { .. } => true,
                BindingKind::Assign { .. } => self.is_offering_scope(binding.scope),
                _ => false,
            };
            is_open |= matches!(binding.kind, BindingKind::ImportStar { .. });
        }
        let facts = &mut self.facts;
        let exprs = &facts.exprs;
        facts.mentions.retain(|mention| match exprs[mention.expr.index()] {
            Expr::Name { name, .. } => is_open || is_bound[name.index()],
            _ => true,
        });
    }
}

/// The text between the quotes of a string without a prefix.
fn unquoted(string: &str) -> Option<&str> {
    let pairs = ["\"\"\"", "'''", "\"", "'"];
    pairs.into_iter().find_map(|quote| string.strip_prefix(quote)?.strip_suffix(quote))
}
