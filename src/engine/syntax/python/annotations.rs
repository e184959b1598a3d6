//! Annotations: type syntax, and forward references in quotes.

use smallvec::SmallVec;
use tree_sitter::TreeCursor;

use super::{
    facts::{Arg, Expr, ExprId},
    kinds::Kind,
    lower::Lowering,
};

/// A quoted annotation longer or deeper than this is not read.
const MAX_QUOTED: usize = 500;
const MAX_QUOTED_DEPTH: u32 = 20;

impl Lowering<'_> {
    /// Lowers the annotation at the cursor.
    pub(super) fn annotation(&mut self, cursor: &mut TreeCursor) -> ExprId {
        let outer = std::mem::replace(&mut self.in_annotation, true);
        let expr = self.expr(cursor);
        self.in_annotation = outer;
        expr
    }

    /// `generic_type`, `union_type`, `member_type`: what the grammar has beside expressions.
    pub(super) fn type_expression(&mut self, cursor: &mut TreeCursor, kind: Kind) -> ExprId {
        let mut parts: SmallVec<[ExprId; 4]> = SmallVec::new();
        let mut last_name = None;
        self.children(cursor, |this, cursor, kind| match kind {
            Kind::Token | Kind::Comment => {}
            Kind::TypeParameter => this.children(cursor, |this, cursor, kind| {
                if !matches!(kind, Kind::Token | Kind::Comment) {
                    parts.push(this.expr(cursor));
                }
            }),
            _ => {
                if kind == Kind::Identifier {
                    last_name = Some(this.intern(this.text(cursor.node())));
                }
                parts.push(this.expr(cursor));
            }
        });
        match (kind, &parts[..]) {
            (Kind::GenericType, &[value, index]) => self.add(Expr::Subscript { value, index }),
            (Kind::GenericType, [value, rest @ ..]) => {
                let list = self.add_list(rest);
                let index = self.add(Expr::Tuple(list));
                self.add(Expr::Subscript { value: *value, index })
            }
            (Kind::UnionType, &[left, right]) => self.add(Expr::Binary { pipe: true, left, right }),
            (Kind::MemberType, &[value, _]) => match last_name {
                Some(name) => self.attribute_of(value, name),
                None => self.unknown(),
            },
            _ => self.unknown(),
        }
    }

    /// Reads the first argument of `cast("T", x)` and its like as a forward reference.
    pub(super) fn quoted_types(&mut self, arguments: &mut [Arg]) {
        if let Some(first) = arguments.first_mut()
            && let Expr::Str(Some(name)) = self.facts.expr(first.value)
        {
            let text = self.facts.name(name).to_owned();
            first.value = self.quoted(&text);
        }
    }

    /// Reads the text of a forward reference: names, subscripts and unions; anything else is unknown.
    pub(super) fn quoted(&mut self, text: &str) -> ExprId {
        if text.len() > MAX_QUOTED {
            return self.unknown();
        }
        let mut rest = text;
        let expr = self.quoted_union(&mut rest, 0);
        if rest.trim().is_empty() { expr } else { self.unknown() }
    }

    fn quoted_union(&mut self, rest: &mut &str, depth: u32) -> ExprId {
        let mut left = self.quoted_primary(rest, depth);
        while eat(rest, '|') {
            let right = self.quoted_primary(rest, depth);
            left = self.add(Expr::Binary { pipe: true, left, right });
        }
        left
    }

    fn quoted_primary(&mut self, rest: &mut &str, depth: u32) -> ExprId {
        if depth > MAX_QUOTED_DEPTH {
            return self.unknown();
        }
        if eat(rest, '[') {
            let items = self.quoted_items(rest, depth);
            let list = self.add_list(&items);
            return self.add(Expr::List(list));
        }
        if eat(rest, '(') {
            let inner = self.quoted_union(rest, depth + 1);
            eat(rest, ')');
            return inner;
        }
        if let Some(after) = rest.trim_start().strip_prefix("...") {
            *rest = after;
            return self.add(Expr::Ellipsis);
        }
        // A forward reference inside of one: `'Optional["Agent"]'`.
        for quote in ['"', '\''] {
            if eat(rest, quote) {
                let (inner, after) = rest.split_once(quote).unwrap_or((*rest, ""));
                *rest = after;
                let mut inner = inner;
                return self.quoted_union(&mut inner, depth + 1);
            }
        }
        let Some(name) = word(rest) else { return self.unknown() };
        let mut expr = if name == "None" {
            self.add(Expr::None)
        } else {
            let name = self.intern(name);
            self.read(name)
        };
        loop {
            if eat(rest, '.') {
                let Some(name) = word(rest) else { return self.unknown() };
                let name = self.intern(name);
                expr = self.attribute_of(expr, name);
            } else if eat(rest, '[') {
                let items = self.quoted_items(rest, depth);
                let index = if let [one] = items[..] {
                    one
                } else {
                    let list = self.add_list(&items);
                    self.add(Expr::Tuple(list))
                };
                expr = self.add(Expr::Subscript { value: expr, index });
            } else {
                return expr;
            }
        }
    }

    fn quoted_items(&mut self, rest: &mut &str, depth: u32) -> SmallVec<[ExprId; 4]> {
        let mut items = SmallVec::new();
        loop {
            if eat(rest, ']') || rest.is_empty() {
                return items;
            }
            let before = rest.len();
            items.push(self.quoted_union(rest, depth + 1));
            eat(rest, ',');
            if rest.len() == before {
                // Something that is no type: the rest is not read.
                *rest = "";
            }
        }
    }
}

fn eat(rest: &mut &str, c: char) -> bool {
    let trimmed = rest.trim_start();
    match trimmed.strip_prefix(c) {
        Some(after) => {
            *rest = after;
            true
        }
        None => false,
    }
}

fn word<'t>(rest: &mut &'t str) -> Option<&'t str> {
    let trimmed = rest.trim_start();
    let end = trimmed.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(trimmed.len());
    let (word, after) = trimmed.split_at(end);
    let starts = word.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_');
    starts.then(|| {
        *rest = after;
        word
    })
}
