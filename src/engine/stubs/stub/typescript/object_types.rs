//! Object types and mapped types.

use super::{
    generics::TypeParameter,
    identifiers::{is_name, property_name},
    lexer::TypeToken,
    type_printer::{TypePrinter, TypeShape},
};

/// The well-known symbols that can name a member, as in `[Symbol.iterator]`. They are global.
const SYMBOLS: [&str; 7] =
    ["asyncDispose", "asyncIterator", "dispose", "hasInstance", "iterator", "toPrimitive", "toStringTag"];

impl TypePrinter<'_> {
    /// An object type or mapped type, after its `{`.
    pub(super) fn parse_object_type(&mut self) -> Option<()> {
        if self.is_at_mapped_type() {
            return self.parse_mapped_type();
        }
        self.output.push('{');
        let mut names: Vec<String> = Vec::new();
        while !self.accept("}") {
            let start = self.output.len();
            self.output.push_str(if names.is_empty() { " " } else { "; " });
            if let Some(name) = self.parse_member()? {
                // Methods with the same name are overloads; two properties with the same name are an error.
                if names.contains(&name) && !name.starts_with('(') {
                    return None;
                }
                names.push(name);
            } else {
                self.output.truncate(start);
            }
            // The separator can be left out at the end of a line, and line breaks are not tokens.
            let _ = self.accept(";") || self.accept(",");
        }
        self.output.push_str(if names.is_empty() { "}" } else { " }" });
        self.shape = TypeShape::Other;
        Some(())
    }

    /// Parses and prints a member. Returns:
    ///
    /// - `Some(Some(name))`: the name of the member, with the prefix `(` if other members may have the same name
    ///   (overloads);
    /// - `Some(None)`: a setter, which is left out because a getter usually declares the same property;
    /// - `None`: a syntax error.
    #[allow(clippy::option_option, reason = "a syntax error differs from a member that is left out")]
    fn parse_member(&mut self) -> Option<Option<String>> {
        if matches!(self.peek(0), Some(TypeToken::Punctuator("(" | "<"))) {
            self.parse_signature(":", ": ")?;
            return Some(Some("(".to_owned()));
        }
        if self.is_at_word("new") && matches!(self.peek(1), Some(TypeToken::Punctuator("(" | "<"))) {
            self.advance();
            self.output.push_str("new ");
            self.parse_signature(":", ": ")?;
            return Some(Some("(new".to_owned()));
        }
        let is_named = |token| {
            matches!(
                token,
                Some(TypeToken::Word(_) | TypeToken::String(_) | TypeToken::Number(_) | TypeToken::Punctuator("["))
            )
        };
        if self.is_at_word("readonly") && is_named(self.peek(1)) {
            self.advance();
            self.output.push_str("readonly ");
        }
        let accessor = ["get", "set"].into_iter().find(|word| self.is_at_word(word) && is_named(self.peek(1)));
        if accessor.is_some() {
            self.advance();
        }
        if self.is_at("[")
            && matches!(self.peek(1), Some(TypeToken::Word(_)))
            && self.peek(2) == Some(TypeToken::Punctuator(":"))
        {
            return self.parse_index_signature().map(Some);
        }
        let name = self.parse_member_name()?;
        if accessor == Some("set") {
            let (output, references) = (self.output.len(), self.references.len());
            self.parse_signature(":", ": ")?;
            self.output.truncate(output);
            self.references.truncate(references);
            return Some(None);
        }
        self.output.push_str(&name);
        if accessor.is_some() {
            // `get x(): T` is printed as a property.
            self.accept("(").then_some(())?;
            self.accept(")").then_some(())?;
        } else if self.accept("?") {
            self.output.push('?');
        }
        if matches!(self.peek(0), Some(TypeToken::Punctuator("(" | "<"))) {
            self.parse_signature(":", ": ")?;
            return Some(Some(format!("({name}")));
        }
        self.output.push_str(": ");
        if self.accept(":") {
            self.parse_type()?;
        } else {
            self.output.push_str("any");
        }
        Some(Some(name))
    }

    /// The name of a member.
    fn parse_member_name(&mut self) -> Option<String> {
        let name = match self.peek(0)? {
            TypeToken::Word("constructor") => "\"constructor\"".to_owned(),
            TypeToken::Word(word) | TypeToken::Number(word) => property_name(word)?,
            TypeToken::String(text) => property_name(&text[1..text.len() - 1])?,
            TypeToken::Punctuator("[") => {
                let Some(TypeToken::Word(symbol)) = self.peek(3) else { return None };
                let is_known = self.peek(1) == Some(TypeToken::Word("Symbol"))
                    && self.peek(2) == Some(TypeToken::Punctuator("."))
                    && SYMBOLS.contains(&symbol)
                    && self.peek(4) == Some(TypeToken::Punctuator("]"));
                if !is_known {
                    return None;
                }
                (0..4).for_each(|_| self.advance());
                format!("[Symbol.{symbol}]")
            }
            _ => return None,
        };
        self.advance();
        Some(name)
    }

    /// An index signature: `[key: string]: T`
    fn parse_index_signature(&mut self) -> Option<String> {
        self.expect("[", "[")?;
        let name = self.next_word().filter(|name| is_name(name))?;
        self.output.extend([name, ": "]);
        self.advance();
        let start = self.output.len();
        self.parse_type()?;
        let key = self.output[start..].to_owned();
        let is_key =
            matches!(key.as_str(), "string" | "number" | "symbol") || key.starts_with('`') && key.ends_with('`');
        if !is_key {
            return None;
        }
        self.expect("]", "]: ")?;
        if self.accept(":") {
            self.parse_type()?;
        } else {
            self.output.push_str("any");
        }
        Some(format!("[{key}]"))
    }

    /// True if the inside of a mapped type begins at the current position.
    fn is_at_mapped_type(&self) -> bool {
        let mut at = 0;
        at += usize::from(matches!(self.peek(at), Some(TypeToken::Punctuator("+" | "-"))));
        at += usize::from(self.peek(at) == Some(TypeToken::Word("readonly")));
        self.peek(at) == Some(TypeToken::Punctuator("["))
            && matches!(self.peek(at + 1), Some(TypeToken::Word(_)))
            && self.peek(at + 2) == Some(TypeToken::Word("in"))
    }

    /// A mapped type, after its `{`: `{ readonly [K in C as N]?: T }`
    fn parse_mapped_type(&mut self) -> Option<()> {
        self.output.push_str("{ ");
        for modifier in ["+", "-"] {
            if self.accept(modifier) {
                self.output.push_str(modifier);
            }
        }
        if self.accept_word("readonly") {
            self.output.push_str("readonly ");
        }
        self.expect("[", "[")?;
        let name = self.next_word().filter(|name| is_name(name))?;
        self.advance();
        self.output.extend([name, " in "]);
        let (start, references, losses) = (self.output.len(), self.references.len(), self.losses());
        self.parse_type()?;
        let is_unconstrained = self.references.len() > references || self.losses() > losses;
        let keys_of = self.output[start..].strip_prefix("keyof ").map(Into::into);
        // A type parameter without its constraint is no valid set of keys.
        if self.shape == TypeShape::UnconstrainedParameter {
            return None;
        }
        self.type_parameters.push(TypeParameter { is_unconstrained, keys_of, ..TypeParameter::new(name) });
        if self.accept_word("as") {
            self.output.push_str(" as ");
            self.parse_type()?;
        }
        self.expect("]", "]")?;
        for modifier in ["+", "-"] {
            if self.accept(modifier) {
                self.output.push_str(modifier);
            }
        }
        if self.accept("?") {
            self.output.push('?');
        }
        self.output.push_str(": ");
        if self.accept(":") {
            self.parse_type()?;
        } else {
            self.output.push_str("any");
        }
        self.type_parameters.pop();
        self.accept(";");
        self.expect("}", " }")?;
        self.shape = TypeShape::Other;
        Some(())
    }
}
