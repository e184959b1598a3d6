//! Annotations (PEP 484, PEP 526): type syntax, and forward references in string literals.

use smallvec::SmallVec;
use tree_sitter::TreeCursor;

use super::{
    facts::{Arg, BinaryOperator, Expr, ExprId, MentionPlace},
    grammar::NodeKind,
    lower::Lowering,
};
use apidisc_base::nesting;

/// The maximum length of a forward reference, in bytes. A longer one becomes an unknown expression.
const MAX_QUOTED: usize = 500;
/// The maximum nesting of brackets in a forward reference. Deeper parts become unknown expressions.
const MAX_QUOTED_DEPTH: u32 = 20;

/// The generic types whose subscripts are types, not items.
pub(super) const GENERICS: &[&str] = &[
    "Awaitable",
    "Callable",
    "Coroutine",
    "Dict",
    "FrozenSet",
    "Iterable",
    "Iterator",
    "List",
    "Mapping",
    "Optional",
    "Sequence",
    "Set",
    "Tuple",
    "Type",
    "Union",
    "dict",
    "frozenset",
    "list",
    "set",
    "tuple",
    "type",
];

impl Lowering<'_> {
    /// Lowers the annotation at the cursor.
    pub(super) fn lower_annotation(&mut self, cursor: &mut TreeCursor) -> ExprId {
        let outer = std::mem::replace(&mut self.in_annotation, true);
        let place = self.new_annotation();
        let expr = self.at_place(Some(place), |this| this.lower_expr(cursor));
        self.in_annotation = outer;
        expr
    }

    /// Lowers the nodes that the grammar has for types only: `generic_type`, `union_type` (PEP 604), `member_type`.
    pub(super) fn lower_type_expression(&mut self, cursor: &mut TreeCursor, kind: NodeKind) -> ExprId {
        let mut parts: SmallVec<[ExprId; 4]> = SmallVec::new();
        let mut last_name = None;
        let is_member = kind == NodeKind::MemberType;
        self.children(cursor, |this, cursor, kind| match kind {
            NodeKind::Token | NodeKind::Comment => {}
            NodeKind::TypeParameter => {
                let places = parts.first().map(|generic| this.places_of_type_arguments(*generic));
                let places = places.unwrap_or_default();
                let mut at = 0;
                this.children(cursor, |this, cursor, kind| {
                    if !kind.is_token_or_comment() {
                        parts.push(this.at_place(places.at(at), |this| this.lower_expr(cursor)));
                        at += 1;
                    }
                });
            }
            _ => {
                if kind == NodeKind::Identifier {
                    last_name = Some((this.intern(this.text(cursor.node())), cursor.node()));
                }
                let place = this.mention_place.filter(|_| !is_member);
                parts.push(this.at_place(place, |this| this.lower_expr(cursor)));
            }
        });
        match (kind, &parts[..]) {
            (NodeKind::GenericType, &[value, index]) => self.add_subscript(value, index),
            (NodeKind::GenericType, [value, rest @ ..]) => {
                let list = self.add_list(rest);
                let index = self.add_expr(Expr::Tuple(list));
                self.add_subscript(*value, index)
            }
            (NodeKind::UnionType, &[left, right]) => {
                self.add_expr(Expr::Binary { operator: BinaryOperator::Or, left, right })
            }
            (NodeKind::MemberType, &[value, _]) => match last_name {
                Some((name, token)) => {
                    let expr = self.read_attribute(value, name);
                    self.note_mention(expr, Some(token));
                    expr
                }
                None => self.unknown(),
            },
            _ => self.unknown(),
        }
    }

    /// Parses the first argument of `cast("T", x)` or `NewType` as a forward reference.
    pub(super) fn parse_quoted_type_argument(&mut self, arguments: &mut [Arg]) {
        if let Some(first) = arguments.first_mut()
            && let Expr::Str(Some(name)) = self.facts.expr(first.value)
        {
            let text = self.facts.name(name).to_owned();
            first.value = self.parse_forward_reference(&text);
        } else if let Some(first) = arguments.first() {
            self.parse_quoted_type_arguments(first.value);
        }
    }

    /// Parses the quoted type arguments of a base, or of a value that is known to be a type, as forward references:
    /// `class Nodes(Sequence["Node[T]"])`.
    pub(super) fn parse_quoted_type_arguments(&mut self, base: ExprId) {
        let Some(_level) = nesting::descend() else { return };
        let Expr::Subscript { value: generic, index, .. } = self.facts.expr(base) else { return };
        // The strings of `Literal["a"]` (PEP 586) and the metadata of `Annotated` (PEP 593) are no types.
        if self.facts.is_named(generic, "Literal") || self.facts.is_named(generic, "Annotated") {
            return;
        }
        let items: SmallVec<[ExprId; 4]> = match self.facts.expr(index) {
            Expr::Tuple(list) => self.facts.list(list).iter().copied().collect(),
            _ => SmallVec::from_slice(&[index]),
        };
        for item in items {
            if let Expr::Str(Some(name)) = self.facts.expr(item) {
                let text = self.facts.name(name).to_owned();
                let parsed = self.parse_forward_reference(&text);
                self.facts.exprs[item.index()] = self.facts.expr(parsed);
            } else {
                self.parse_quoted_type_arguments(item);
            }
        }
    }

    /// Parses the quoted type arguments of a generic alias as forward references: `Tree = dict[str, "Node[int]"]`.
    pub(super) fn parse_quoted_alias(&mut self, value: ExprId) {
        let Expr::Subscript { value: generic, .. } = self.facts.expr(value) else { return };
        // `self.list["a"]` is an item.
        let is_name = matches!(self.facts.expr(generic), Expr::Name { .. });
        let is_generic =
            |name: &&str| self.facts.is_named(generic, name) && (is_name || name.starts_with(char::is_uppercase));
        if GENERICS.iter().any(is_generic) {
            self.parse_quoted_type_arguments(value);
        }
    }

    /// Parses the bound, the constraints and the default of `TypeVar("T", bound="Base[int]")` as forward references.
    pub(super) fn parse_quoted_bounds(&mut self, arguments: &mut [Arg]) {
        for argument in arguments.iter_mut().skip(1) {
            let is_type =
                argument.keyword.is_none_or(|keyword| matches!(self.facts.name(keyword), "bound" | "default"));
            if !is_type {
                continue;
            }
            if let Expr::Str(Some(name)) = self.facts.expr(argument.value) {
                let text = self.facts.name(name).to_owned();
                argument.value = self.parse_forward_reference(&text);
            } else {
                self.parse_quoted_type_arguments(argument.value);
            }
        }
    }

    /// Parses the text of a forward reference: names, attributes, subscripts and unions. Any other syntax becomes an
    /// unknown expression.
    pub(super) fn parse_forward_reference(&mut self, text: &str) -> ExprId {
        if text.len() > MAX_QUOTED {
            return self.unknown();
        }
        let mut rest = text;
        let expr = self.parse_union(&mut rest, 0);
        if rest.trim().is_empty() { expr } else { self.unknown() }
    }

    /// Parses the constraints of a type parameter: types that are separated by commas.
    pub(super) fn parse_constraints(&mut self, text: &str) -> ExprId {
        let mut rest = text.get(..MAX_QUOTED).unwrap_or(text);
        let items = self.parse_items(&mut rest, 0);
        let list = self.add_list(&items);
        self.add_expr(Expr::Tuple(list))
    }

    fn parse_union(&mut self, rest: &mut &str, depth: u32) -> ExprId {
        let Some(_level) = nesting::descend() else { return self.unknown() };
        let mut left = self.parse_primary(rest, depth);
        while skip_char(rest, '|') {
            let right = self.parse_primary(rest, depth);
            left = self.add_expr(Expr::Binary { operator: BinaryOperator::Or, left, right });
        }
        left
    }

    fn parse_primary(&mut self, rest: &mut &str, depth: u32) -> ExprId {
        if depth > MAX_QUOTED_DEPTH {
            return self.unknown();
        }
        if skip_char(rest, '[') {
            let items = self.parse_items(rest, depth);
            let list = self.add_list(&items);
            return self.add_expr(Expr::List(list));
        }
        if skip_char(rest, '(') {
            let inner = self.parse_union(rest, depth + 1);
            skip_char(rest, ')');
            return inner;
        }
        if let Some(after) = rest.trim_start().strip_prefix("...") {
            *rest = after;
            return self.add_expr(Expr::Ellipsis);
        }
        // A forward reference inside a forward reference: `'Optional["Agent"]'`.
        for quote in ['"', '\''] {
            if skip_char(rest, quote) {
                let (inner, after) = rest.split_once(quote).unwrap_or((*rest, ""));
                *rest = after;
                let mut inner = inner;
                return self.parse_union(&mut inner, depth + 1);
            }
        }
        let Some(name) = take_identifier(rest) else { return self.unknown() };
        let mut expr = if name == "None" {
            self.add_expr(Expr::None)
        } else {
            let name = self.intern(name);
            self.read_name(name)
        };
        loop {
            if skip_char(rest, '.') {
                let Some(name) = take_identifier(rest) else { return self.unknown() };
                let name = self.intern(name);
                expr = self.read_attribute(expr, name);
            } else if skip_char(rest, '[') {
                self.note_quoted(expr);
                let items = self.parse_arguments(rest, depth, expr);
                let index = if let [one] = items[..] {
                    one
                } else {
                    let list = self.add_list(&items);
                    self.add_expr(Expr::Tuple(list))
                };
                expr = self.add_subscript(expr, index);
            } else {
                self.note_quoted(expr);
                return expr;
            }
        }
    }

    /// Records that a forward reference names the type `expr`.
    fn note_quoted(&mut self, expr: ExprId) {
        if let Some(place @ MentionPlace::Annotates(_)) = self.mention_place {
            self.record_mention(expr, self.quoted_at, place);
        }
    }

    fn parse_items(&mut self, rest: &mut &str, depth: u32) -> SmallVec<[ExprId; 4]> {
        let place = self.mention_place;
        self.parse_items_at(rest, depth, |_| place)
    }

    /// Parses the arguments of a subscript of `generic`.
    fn parse_arguments(&mut self, rest: &mut &str, depth: u32, generic: ExprId) -> SmallVec<[ExprId; 4]> {
        match self.mention_place {
            Some(MentionPlace::Annotates(_)) => {
                let places = self.places_of_type_arguments(generic);
                self.parse_items_at(rest, depth, |at| places.at(at))
            }
            _ => self.parse_items(rest, depth),
        }
    }

    /// Parses items up to `]`. `place_of` gives the place of the item at a position.
    fn parse_items_at(
        &mut self,
        rest: &mut &str,
        depth: u32,
        place_of: impl Fn(usize) -> Option<MentionPlace>,
    ) -> SmallVec<[ExprId; 4]> {
        let mut items = SmallVec::new();
        loop {
            if skip_char(rest, ']') || rest.is_empty() {
                return items;
            }
            let before = rest.len();
            items.push(self.at_place(place_of(items.len()), |this| this.parse_union(rest, depth + 1)));
            skip_char(rest, ',');
            if rest.len() == before {
                // Not a type: skip the remaining text.
                *rest = "";
            }
        }
    }
}

fn skip_char(rest: &mut &str, c: char) -> bool {
    let trimmed = rest.trim_start();
    match trimmed.strip_prefix(c) {
        Some(after) => {
            *rest = after;
            true
        }
        None => false,
    }
}

fn take_identifier<'t>(rest: &mut &'t str) -> Option<&'t str> {
    let trimmed = rest.trim_start();
    let end = trimmed.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(trimmed.len());
    let (word, after) = trimmed.split_at(end);
    let starts = word.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_');
    starts.then(|| {
        *rest = after;
        word
    })
}
