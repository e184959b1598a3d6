//! Type parameters: of a definition, and of a function within a type.
//!
//! The constraint of a type's own parameter is kept only where every use of the type in a stub fits it for certain:
//! an interface that is shown without some of its properties may not have what another type asks of it.

use compact_str::CompactString;

use super::{
    lexer::Token,
    name::is_name,
    types::{Printed, Printer, Shape, World},
};

/// How many type arguments a type takes, and what may be wrong with them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Generics {
    pub(super) least: u8,
    pub(super) most: u8,
    /// Some parameter takes not every type.
    pub(super) is_choosy: bool,
    /// Some parameter asks for members of another.
    pub(super) is_demanding: bool,
}

/// A type parameter in its scope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Bound {
    pub(super) name: CompactString,
    /// Its constraint is not there, or not whole.
    pub(super) is_loose: bool,
    /// Its constraint is an array.
    pub(super) is_list: bool,
    /// The type parameter whose keys it runs over.
    pub(super) keys_of: Option<CompactString>,
}

impl Bound {
    /// One of which nothing more is known.
    pub(super) fn new(name: &str) -> Self {
        Self { name: name.into(), is_loose: false, is_list: false, keys_of: None }
    }
}

/// Type parameters as they are printed, with their brackets; empty where there are none.
#[derive(Clone, Debug, Default)]
pub(super) struct TypeParameters {
    pub(super) printed: Printed,
    pub(super) bound: Vec<Bound>,
    pub(super) generics: Generics,
}

impl TypeParameters {
    /// Those of a class, interface or alias (`of_type`), or those of a function.
    pub(super) fn new(text: Option<&str>, world: World<'_>, of_type: bool) -> Self {
        text.and_then(|text| Self::read(text, world, of_type)).unwrap_or_default()
    }

    fn read(text: &str, world: World<'_>, of_type: bool) -> Option<Self> {
        let text = text.trim();
        let wrapped;
        let text = if text.starts_with('<') {
            text
        } else {
            wrapped = format!("<{text}>");
            &wrapped
        };
        let around = world.bound.len();
        let mut printer = Printer::new(text, world)?;
        let generics = printer.type_parameters(of_type)?;
        if !printer.is_at_end() {
            return None;
        }
        let bound = printer.bound.split_off(around);
        let printed = Printed { text: printer.out, needs: printer.needs, ..Printed::default() };
        Some(Self { printed, bound, generics })
    }
}

impl<'a> Printer<'a> {
    /// `<T extends A = B, U>`: they are in scope from then on.
    pub(super) fn type_parameters(&mut self, of_type: bool) -> Option<Generics> {
        self.expect("<", "<")?;
        let first = self.bound.len();
        // Each may name those after it.
        for name in self.parameter_names() {
            if !is_name(name) || self.bound[first..].iter().any(|bound| bound.name == name) {
                return None;
            }
            self.bound.push(Bound::new(name));
        }
        let mut generics = Generics::default();
        for position in first..self.bound.len() {
            while self.is_modified() {
                self.at_next();
            }
            let name = self.word()?;
            self.out.push_str(if position > first { ", " } else { "" });
            self.out.push_str(name);
            if self.skip_word("extends") {
                let (start, losses) = ((self.out.len(), self.needs.len()), self.losses());
                self.out.push_str(" extends ");
                self.whole()?;
                let constraint = self.out[start.0 + " extends ".len()..].to_owned();
                let asks_for_keys = constraint.starts_with("keyof ");
                let is_whole = self.needs.len() == start.1 && self.losses() == losses;
                let is_plain = is_whole && is_plain(&constraint, self.shape);
                if of_type && !is_plain {
                    self.out.truncate(start.0);
                    self.needs.truncate(start.1);
                }
                self.bound[position].is_loose = if of_type { !is_plain } else { !is_whole };
                let is_there = is_plain || !of_type;
                self.bound[position].is_list = is_there && self.shape == Shape::Array;
                self.bound[position].keys_of = constraint.strip_prefix("keyof ").filter(|_| is_there).map(Into::into);
                generics.is_choosy |= is_plain;
                generics.is_demanding |= is_plain && asks_for_keys;
            }
            generics.most = generics.most.checked_add(1)?;
            if self.skip("=") {
                self.out.push_str(" = ");
                let start = (self.out.len(), self.needs.len());
                self.whole()?;
                // What is said of the constraint may be more than is said of what stands for it.
                if self.bound[position].is_loose && !of_type && self.needs.len() > start.1 {
                    self.out.truncate(start.0);
                    self.needs.truncate(start.1);
                    self.out.push_str("any");
                }
            } else if generics.least + 1 == generics.most {
                generics.least = generics.most;
            } else {
                return None;
            }
            let is_last = position + 1 == self.bound.len();
            if !self.skip(",") && !is_last {
                return None;
            }
        }
        self.expect(">", ">")?;
        (generics.most > 0).then_some(generics)
    }

    /// True at a word that stands before the name of a type parameter.
    fn is_modified(&self) -> bool {
        matches!(self.peek(0), Some(Token::Word("const" | "in" | "out")))
            && matches!(self.peek(1), Some(Token::Word(word)) if word != "extends")
    }

    /// The names between the present place and the `>` that ends the list.
    fn parameter_names(&self) -> Vec<&'a str> {
        let mut names = Vec::new();
        let (mut depth, mut starts) = (0_usize, true);
        let mut ahead = 0;
        while let Some(token) = self.peek(ahead) {
            match token {
                Token::Word("const" | "in" | "out")
                    if starts && matches!(self.peek(ahead + 1), Some(Token::Word(word)) if word != "extends") => {}
                Token::Word(name) if starts => {
                    names.push(name);
                    starts = false;
                }
                Token::Sign(">") if depth == 0 => break,
                Token::Sign("<" | "(" | "[" | "{") => depth += 1,
                Token::Sign(">" | ")" | "]" | "}") => depth = depth.saturating_sub(1),
                Token::Sign(",") if depth == 0 => starts = true,
                _ => starts = false,
            }
            ahead += 1;
        }
        names
    }
}

/// True for a constraint that says nothing of members: `string`, `"a" | "b"`, `keyof T`, `unknown[]`.
fn is_plain(text: &str, shape: Shape) -> bool {
    let is_word = |word: &str| {
        matches!(
            word,
            "any"
                | "unknown"
                | "string"
                | "number"
                | "boolean"
                | "bigint"
                | "symbol"
                | "object"
                | "null"
                | "undefined"
                | "true"
                | "false"
        )
    };
    match text.strip_prefix("keyof ") {
        Some(key) => is_word(key) || is_name(key) && shape == Shape::Other,
        None => text.split(" | ").all(|part| {
            let part = part.trim_start_matches("readonly ").trim_end_matches("[]");
            is_word(part) || part.len() > 1 && part.starts_with(['"', '\'']) && part.ends_with(['"', '\''])
        }),
    }
}
