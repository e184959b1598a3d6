//! What stands in the braces of an object type.

use super::generics::Bound;
use super::{
    lexer::Token,
    name::{is_name, property},
    types::{Printer, Shape},
};

/// Names in brackets that every program knows.
const SYMBOLS: [&str; 7] =
    ["asyncDispose", "asyncIterator", "dispose", "hasInstance", "iterator", "toPrimitive", "toStringTag"];

impl Printer<'_> {
    /// After the brace.
    pub(super) fn braces(&mut self) -> Option<()> {
        if self.is_mapped() {
            return self.mapped();
        }
        self.out.push('{');
        let mut names: Vec<String> = Vec::new();
        while !self.skip("}") {
            let start = self.out.len();
            self.out.push_str(if names.is_empty() { " " } else { "; " });
            if let Some(name) = self.member()? {
                // Methods of one name are overloads; a property stands alone.
                if names.contains(&name) && !name.starts_with('(') {
                    return None;
                }
                names.push(name);
            } else {
                self.out.truncate(start);
            }
            // At the end of a line the sign between members can be left out, and lines are folded.
            let _ = self.skip(";") || self.skip(",");
        }
        self.out.push_str(if names.is_empty() { "}" } else { " }" });
        self.shape = Shape::Other;
        Some(())
    }

    /// One member: its name, after `(` for what may stand there again. `None` inside for a setter, which says nothing
    /// that its getter does not.
    #[allow(clippy::option_option, reason = "what cannot be read is not what says nothing")]
    fn member(&mut self) -> Option<Option<String>> {
        if matches!(self.peek(0), Some(Token::Sign("(" | "<"))) {
            self.signature(":", ": ")?;
            return Some(Some("(".to_owned()));
        }
        if self.is_at_word("new") && matches!(self.peek(1), Some(Token::Sign("(" | "<"))) {
            self.at_next();
            self.out.push_str("new ");
            self.signature(":", ": ")?;
            return Some(Some("(new".to_owned()));
        }
        let is_named =
            |token| matches!(token, Some(Token::Word(_) | Token::Text(_) | Token::Number(_) | Token::Sign("[")));
        if self.is_at_word("readonly") && is_named(self.peek(1)) {
            self.at_next();
            self.out.push_str("readonly ");
        }
        let accessor = ["get", "set"].into_iter().find(|word| self.is_at_word(word) && is_named(self.peek(1)));
        if accessor.is_some() {
            self.at_next();
        }
        if self.is_at("[") && matches!(self.peek(1), Some(Token::Word(_))) && self.peek(2) == Some(Token::Sign(":")) {
            return self.index().map(Some);
        }
        let name = self.key()?;
        if accessor == Some("set") {
            let (out, needs) = (self.out.len(), self.needs.len());
            self.signature(":", ": ")?;
            self.out.truncate(out);
            self.needs.truncate(needs);
            return Some(None);
        }
        self.out.push_str(&name);
        if accessor.is_some() {
            // `get x(): T` is a property to its readers.
            self.skip("(").then_some(())?;
            self.skip(")").then_some(())?;
        } else if self.skip("?") {
            self.out.push('?');
        }
        if matches!(self.peek(0), Some(Token::Sign("(" | "<"))) {
            self.signature(":", ": ")?;
            return Some(Some(format!("({name}")));
        }
        self.out.push_str(": ");
        if self.skip(":") {
            self.whole()?;
        } else {
            self.out.push_str("any");
        }
        Some(Some(name))
    }

    /// The name of a member as it is written.
    fn key(&mut self) -> Option<String> {
        let name = match self.peek(0)? {
            Token::Word("constructor") => "\"constructor\"".to_owned(),
            Token::Word(word) | Token::Number(word) => property(word)?,
            Token::Text(text) => property(&text[1..text.len() - 1])?,
            Token::Sign("[") => {
                let Some(Token::Word(symbol)) = self.peek(3) else { return None };
                let is_known = self.peek(1) == Some(Token::Word("Symbol"))
                    && self.peek(2) == Some(Token::Sign("."))
                    && SYMBOLS.contains(&symbol)
                    && self.peek(4) == Some(Token::Sign("]"));
                if !is_known {
                    return None;
                }
                (0..4).for_each(|_| self.at_next());
                format!("[Symbol.{symbol}]")
            }
            _ => return None,
        };
        self.at_next();
        Some(name)
    }

    /// `[key: string]: T`
    fn index(&mut self) -> Option<String> {
        self.expect("[", "[")?;
        let name = self.word().filter(|name| is_name(name))?;
        self.out.extend([name, ": "]);
        self.at_next();
        let start = self.out.len();
        self.whole()?;
        let key = self.out[start..].to_owned();
        let is_key =
            matches!(key.as_str(), "string" | "number" | "symbol") || key.starts_with('`') && key.ends_with('`');
        if !is_key {
            return None;
        }
        self.expect("]", "]: ")?;
        if self.skip(":") {
            self.whole()?;
        } else {
            self.out.push_str("any");
        }
        Some(format!("[{key}]"))
    }

    fn is_mapped(&self) -> bool {
        let mut at = 0;
        at += usize::from(matches!(self.peek(at), Some(Token::Sign("+" | "-"))));
        at += usize::from(self.peek(at) == Some(Token::Word("readonly")));
        self.peek(at) == Some(Token::Sign("["))
            && matches!(self.peek(at + 1), Some(Token::Word(_)))
            && self.peek(at + 2) == Some(Token::Word("in"))
    }

    /// `{ readonly [K in C as N]?: T }`, after the brace.
    fn mapped(&mut self) -> Option<()> {
        self.out.push_str("{ ");
        for sign in ["+", "-"] {
            if self.skip(sign) {
                self.out.push_str(sign);
            }
        }
        if self.skip_word("readonly") {
            self.out.push_str("readonly ");
        }
        self.expect("[", "[")?;
        let name = self.word().filter(|name| is_name(name))?;
        self.at_next();
        self.out.extend([name, " in "]);
        let (start, needs, losses) = (self.out.len(), self.needs.len(), self.losses());
        self.whole()?;
        let is_loose = self.needs.len() > needs || self.losses() > losses;
        let keys_of = self.out[start..].strip_prefix("keyof ").map(Into::into);
        // What runs over the names that a type parameter may no longer be limited to is no valid type.
        if self.shape == Shape::Loose {
            return None;
        }
        self.bound.push(Bound { is_loose, keys_of, ..Bound::new(name) });
        if self.skip_word("as") {
            self.out.push_str(" as ");
            self.whole()?;
        }
        self.expect("]", "]")?;
        for sign in ["+", "-"] {
            if self.skip(sign) {
                self.out.push_str(sign);
            }
        }
        if self.skip("?") {
            self.out.push('?');
        }
        self.out.push_str(": ");
        if self.skip(":") {
            self.whole()?;
        } else {
            self.out.push_str("any");
        }
        self.bound.pop();
        self.skip(";");
        self.expect("}", " }")?;
        self.shape = Shape::Other;
        Some(())
    }
}
