//! Types come from hostile sources: each is read and printed anew, so that what is printed is certainly a type on
//! one line, whose every name the stub declares.
//!
//! What cannot be read becomes `any`, whole or in part: a name of which nothing is known, `typeof x`, `import("m").T`,
//! `T["x"]` where `T` may be declared without `x`. The grammar is TypeScript's, save what is hardly ever written in
//! a signature.

use super::printer::Mark;
pub(super) use super::printer::{Printed, Printer, Shape, World};
use super::{
    generics::{Bound, Generics},
    lexer::Token,
    name::{is_name, is_word},
    names::Meaning,
};
use crate::stub::needs::Need;

/// The type that `text` is.
pub(super) fn type_text(text: &str, world: World<'_>) -> Option<Printed> {
    let mut printer = Printer::new(text, world)?;
    printer.whole()?;
    printer.finish()
}

/// The type of what a function returns; `parameters` are the names that a predicate may name, with their types.
pub(super) fn print_returns(text: &str, world: World<'_>, parameters: &[(String, String)]) -> Option<Printed> {
    let mut printer = Printer::new(text, world)?;
    printer.returns(parameters)?;
    printer.finish()
}

impl<'a> Printer<'a> {
    /// A type of any kind.
    pub(super) fn whole(&mut self) -> Option<()> {
        self.nested(|p| {
            if p.is_at_function() {
                return p.function();
            }
            p.union()?;
            if p.is_at_word("extends") { p.conditional() } else { Some(()) }
        })
    }

    /// `A extends B ? C : D`, after `A`.
    pub(super) fn conditional(&mut self) -> Option<()> {
        self.at += 1;
        self.out.push_str(" extends ");
        let inferred = self.inferred.len();
        self.clauses += 1;
        let clause = self.nested(|p| if p.is_at_function() { p.function() } else { p.union() });
        self.clauses -= 1;
        clause?;
        self.expect("?", " ? ")?;
        let bound = self.bound.len();
        let named = self.inferred.split_off(inferred);
        self.bound.extend(named);
        self.whole()?;
        self.bound.truncate(bound);
        self.expect(":", " : ")?;
        self.whole()?;
        self.shape = Shape::Other;
        Some(())
    }

    /// True where what was printed since can stand after `...`.
    pub(super) fn is_array(&self, start: Mark) -> bool {
        can_be_spread(&self.out[start.out..], self.shape)
    }

    pub(super) fn union(&mut self) -> Option<()> {
        self.operands("|", |p| p.operands("&", Self::operator))
    }

    /// Operands with a sign between them, and perhaps one before the first.
    pub(super) fn operands(&mut self, sign: &str, operand: impl Fn(&mut Self) -> Option<()>) -> Option<()> {
        self.skip(sign);
        operand(self)?;
        while self.skip(sign) {
            self.out.extend([" ", sign, " "]);
            operand(self)?;
            self.shape = Shape::Other;
        }
        Some(())
    }

    /// `keyof T`, `readonly T[]`, `unique symbol`, `infer T`
    pub(super) fn operator(&mut self) -> Option<()> {
        let is_operator = matches!(self.peek(1), Some(Token::Word(_) | Token::Text(_) | Token::Sign("(" | "[" | "{")));
        match self.peek(0) {
            Some(Token::Word("keyof")) if is_operator => {
                self.at += 1;
                self.out.push_str("keyof ");
                self.nested(Self::operator)?;
                self.shape = Shape::Other;
                Some(())
            }
            Some(Token::Word("readonly")) if is_operator => {
                self.at += 1;
                let start = self.mark();
                self.out.push_str("readonly ");
                self.nested(Self::operator)?;
                let is_literal = self.out.ends_with(']') && self.shape == Shape::Array;
                if !is_literal {
                    self.take_back(start, "any");
                }
                Some(())
            }
            Some(Token::Word("unique")) if self.peek(1) == Some(Token::Word("symbol")) => {
                self.at += 2;
                self.out.push_str("symbol");
                self.shape = Shape::Other;
                Some(())
            }
            Some(Token::Word("infer")) if is_operator => {
                self.at += 1;
                let name = self.word().filter(|name| is_name(name) && self.clauses > 0)?;
                if self.is_at_word("extends") {
                    return None;
                }
                self.out.extend(["infer ", name]);
                self.inferred.push(Bound { is_loose: true, ..Bound::new(name) });
                self.shape = Shape::Other;
                Some(())
            }
            _ => self.postfix(),
        }
    }

    /// `T[]`, `T[K]`
    pub(super) fn postfix(&mut self) -> Option<()> {
        let start = self.mark();
        self.primary()?;
        while self.skip("[") {
            if self.skip("]") {
                self.out.push_str("[]");
                self.shape = Shape::Array;
                continue;
            }
            let (base, name) = (self.shape, self.out[start.out..].to_owned());
            self.out.push('[');
            let key = self.mark();
            self.nested(Self::whole)?;
            let has_key = self.has_key(&name, base, &self.out[key.out..]);
            self.expect("]", "]")?;
            if has_key {
                self.shape = Shape::Other;
            } else {
                self.take_back(start, "any");
            }
        }
        Some(())
    }

    /// True where the compiler certainly finds `key` in a type, however little of that is declared.
    pub(super) fn has_key(&self, name: &str, base: Shape, key: &str) -> bool {
        match base {
            Shape::Global => key.starts_with(['"', '\'']),
            Shape::Array => key == "number",
            Shape::Bound | Shape::Loose => {
                let bound = self.bound.iter().rev().find(|bound| bound.name == key);
                bound.is_some_and(|bound| bound.keys_of.as_deref() == Some(name))
            }
            Shape::Any | Shape::Named | Shape::Other => false,
        }
    }

    pub(super) fn primary(&mut self) -> Option<()> {
        self.shape = Shape::Other;
        let token = self.peek(0)?;
        self.at += 1;
        match token {
            Token::Word(word) => self.named(word),
            Token::Text(text) | Token::Number(text) => {
                self.out.push_str(text);
                Some(())
            }
            Token::Template(inside) => self.template(inside),
            Token::Sign("-") => {
                let Some(Token::Number(number)) = self.peek(0) else { return None };
                self.at += 1;
                self.out.extend(["-", number]);
                Some(())
            }
            Token::Sign("(") => {
                self.out.push('(');
                self.nested(Self::whole)?;
                self.expect(")", ")")?;
                // An array in brackets is none that `readonly` can stand before.
                self.shape = if self.shape == Shape::Array { Shape::Other } else { self.shape };
                Some(())
            }
            Token::Sign("[") => self.within(Self::tuple),
            Token::Sign("{") => {
                self.literals += 1;
                self.within(Self::braces)?;
                self.literals -= 1;
                Some(())
            }
            Token::Sign(_) => None,
        }
    }

    pub(super) fn within(&mut self, inner: impl FnOnce(&mut Self) -> Option<()>) -> Option<()> {
        self.within += 1;
        self.nested(inner)?;
        self.within -= 1;
        Some(())
    }

    /// What begins with a word.
    pub(super) fn named(&mut self, word: &'a str) -> Option<()> {
        match word {
            "any" => self.shape = Shape::Any,
            "unknown" | "never" | "void" | "undefined" | "null" | "string" | "number" | "boolean" | "bigint"
            | "symbol" | "object" | "true" | "false" => {}
            // It has what the class has, and some of that may be hidden.
            "this" if self.world.has_this && self.literals == 0 => {
                self.shape = Shape::Loose;
                self.loose += 1;
            }
            "this" => {
                self.out.push_str("any");
                self.shape = Shape::Any;
                return Some(());
            }
            "typeof" | "import" => return self.value(word),
            _ if is_name(word) => return self.reference(word),
            _ => return None,
        }
        self.out.push_str(word);
        Some(())
    }

    /// `typeof x.y<T>`, `import("m").A<T>`: values and other files are not in a stub.
    pub(super) fn value(&mut self, word: &str) -> Option<()> {
        let start = self.mark();
        if word == "import" || self.skip_word("import") {
            if !self.is_at("(") {
                return None;
            }
            self.at = self.after_brackets();
        } else {
            self.word()?;
        }
        while self.skip(".") {
            self.skip("#");
            self.word()?;
        }
        if self.is_at("<") {
            self.arguments()?;
        }
        self.take_back(start, "any");
        Some(())
    }

    /// `A`, `A.B<T>`
    pub(super) fn reference(&mut self, first: &str) -> Option<()> {
        let start = self.mark();
        let mut path = first.to_owned();
        while self.skip(".") {
            let part = self.word().filter(|part| is_word(part))?;
            path.push('.');
            path.push_str(part);
        }
        let bound = self.bound.iter().rev().find(|bound| bound.name == path);
        if let Some(&Bound { is_loose, is_list, .. }) = bound {
            self.loose += usize::from(is_loose);
            self.out.push_str(&path);
            let has_arguments = self.is_at("<") && self.arguments().is_some();
            if has_arguments {
                self.take_back(start, "any");
            } else {
                self.shape = match (is_list, is_loose) {
                    (true, _) => Shape::Array,
                    (false, true) => Shape::Loose,
                    (false, false) => Shape::Bound,
                };
            }
            return Some(());
        }
        let loose = self.loose;
        let mut meaning = self.world.names.meaning(self.world.type_names, &path);
        let root = meaning.name(self.world.names, &path).and_then(|name| name.split('.').next());
        if root.is_some_and(|root| self.world.hidden.iter().any(|hidden| hidden == root)) {
            meaning = Meaning::Unknown;
        }
        if let Some(name) = meaning.name(self.world.names, &path) {
            self.out.push_str(name);
        }
        let count = if self.is_at("<") { self.arguments()? } else { 0 };
        let (is_named, is_loose) = (self.needs.len() > start.needs, self.loose > loose);
        let fits = |generics: Generics| {
            (usize::from(generics.least)..=usize::from(generics.most)).contains(&count)
                && !(generics.is_choosy && is_loose)
                && !(generics.is_demanding && (is_named || is_loose))
        };
        match meaning {
            Meaning::Unknown => self.take_back(start, "any"),
            Meaning::Global(generics) if !fits(generics) => self.take_back(start, "any"),
            Meaning::Global(_) => {
                let is_list =
                    matches!(path.as_str(), "Array" | "ReadonlyArray" | "Parameters" | "ConstructorParameters");
                self.shape = match (is_list, count) {
                    (true, _) => Shape::Array,
                    (false, 0) => Shape::Global,
                    (false, _) => Shape::Other,
                };
            }
            Meaning::Definition { ty, generics, .. } if !fits(generics) || self.is_own(ty) => {
                self.take_back(start, "any");
            }
            Meaning::Definition { ty, is_whole, .. } => {
                self.needs.push(Need { ty, parameters: 0, is_base: false });
                self.pruned += usize::from(!is_whole);
                self.shape = Shape::Named;
            }
            Meaning::Outside { ty } => {
                let Ok(parameters) = u8::try_from(count) else { return None };
                self.needs.push(Need { ty, parameters, is_base: false });
                self.shape = Shape::Any;
            }
        }
        Some(())
    }

    /// True for the alias that is being declared, where it would stand for itself.
    pub(super) fn is_own(&self, ty: u32) -> bool {
        self.world.alias == Some(ty) && self.within == 0
    }

    /// `<A, B>`: how many.
    pub(super) fn arguments(&mut self) -> Option<usize> {
        self.expect("<", "<")?;
        let mut count = 0;
        loop {
            self.nested(Self::whole)?;
            count += 1;
            if self.skip(">") {
                break;
            }
            self.expect(",", ", ")?;
        }
        self.out.push('>');
        Some(count)
    }

    /// A template literal type.
    pub(super) fn template(&mut self, inside: &str) -> Option<()> {
        let start = self.mark();
        let (mut rest, mut is_lossy) = (inside, false);
        self.out.push('`');
        while let Some((text, braces)) = rest.split_once("${") {
            let end = closing_brace(braces)?;
            let world = World { bound: &self.bound, ..self.world };
            let mut printer = Printer::new(&braces[..end], world)?;
            printer.depth = self.depth + 1;
            printer.whole()?;
            let printed = printer.finish()?;
            is_lossy |= printed.is_lossy;
            self.out.extend([text, "${", printed.text.as_str(), "}"]);
            self.needs.extend(printed.needs);
            rest = &braces[end + 1..];
        }
        self.out.extend([rest, "`"]);
        if is_lossy {
            self.take_back(start, "string");
        }
        Some(())
    }

    /// `[A, b: B, C?, ...D[]]`, after the bracket.
    pub(super) fn tuple(&mut self) -> Option<()> {
        self.out.push('[');
        let mut is_first = true;
        let mut optional = false;
        while !self.skip("]") {
            if !std::mem::take(&mut is_first) {
                self.out.push_str(", ");
            }
            let is_rest = self.skip("...");
            self.out.push_str(if is_rest { "..." } else { "" });
            let label = match (self.peek(0), self.peek(1), self.peek(2)) {
                (Some(Token::Word(label)), Some(Token::Sign(":")), _) => Some((label, false)),
                (Some(Token::Word(label)), Some(Token::Sign("?")), Some(Token::Sign(":"))) => Some((label, true)),
                _ => None,
            };
            let mut is_optional = false;
            if let Some((_, mark)) = label {
                self.at += 2 + usize::from(mark);
                is_optional = mark;
            }
            let start = self.mark();
            self.nested(Self::whole)?;
            if is_rest && !self.is_array(start) {
                self.take_back(start, "any[]");
            }
            if label.is_none() && self.skip("?") {
                is_optional = true;
            }
            self.out.push_str(if is_optional { "?" } else { "" });
            if is_rest && is_optional || optional && !is_optional && !is_rest {
                return None;
            }
            optional |= is_optional;
            if !self.skip(",") && !self.is_at("]") {
                return None;
            }
        }
        self.out.push(']');
        self.shape = Shape::Array;
        Some(())
    }
}

/// True for a type that can stand after `...`.
pub(super) fn can_be_spread(text: &str, shape: Shape) -> bool {
    match shape {
        Shape::Array | Shape::Any | Shape::Named => true,
        Shape::Bound | Shape::Global | Shape::Loose => false,
        Shape::Other => text.ends_with("[]") && !text.contains(['|', '&', '=', '?']),
    }
}

/// Where the brace is closed that was opened before `text`.
fn closing_brace(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut quote = None;
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), _) => quote = (c != open).then_some(open),
            (None, '"' | '\'') => quote = Some(c),
            (None, '{') => depth += 1,
            (None, '}') if depth == 0 => return Some(at),
            (None, '}') => depth -= 1,
            _ => {}
        }
    }
    None
}
