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
use crate::syntax::tree::position_of;

/// The maximum length of the text that names a holder, in bytes. A longer one is not kept.
const MAX_HOLDER: usize = 60;

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
            // `A | B` is a type (PEP 604). Of `a + [b]` only the list holds something.
            NodeKind::BinaryOperator => match self.mention_place {
                place @ Some(MentionPlace::Compared | MentionPlace::Annotates(_) | MentionPlace::Listed) => place,
                Some(MentionPlace::Held { holder, .. }) => Some(MentionPlace::Held { holder, key: None }),
                _ => None,
            },
            _ => None,
        }
    }

    /// The place of an operand of a binary operator: of a sum, only a literal holds names.
    pub(super) fn place_of_operand(&self, kind: NodeKind) -> Option<MentionPlace> {
        let is_literal = matches!(kind, NodeKind::List | NodeKind::Tuple | NodeKind::Set | NodeKind::Dictionary);
        let is_sum = matches!(kind, NodeKind::BinaryOperator | NodeKind::ParenthesizedExpression);
        match self.mention_place {
            Some(MentionPlace::Held { .. }) if !is_literal && !is_sum => None,
            place => place,
        }
    }

    /// The place of the type arguments of a subscript of `generic` at the present place. The value of an alias such as
    /// `Step = Callable[[A], B]` is a type, too.
    pub(super) fn place_of_type_argument(&mut self, generic: Option<ExprId>) -> Option<MentionPlace> {
        let is_generic = |generic| GENERICS.iter().chain(&["Annotated"]).any(|name| self.facts.is_named(generic, name));
        match self.mention_place {
            place @ Some(MentionPlace::Annotates(_)) => place,
            Some(MentionPlace::Base) => Some(self.new_annotation()),
            _ if generic.is_some_and(is_generic) => Some(self.new_annotation()),
            _ => None,
        }
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
                let quoted = self.text(key);
                let inner = quoted.trim_matches(['"', '\'']);
                let is_plain = quoted.starts_with(['"', '\'']) && !inner.contains(['\n', '\\']);
                if is_plain { inner } else { return None }
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
                *decorated = def;
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
