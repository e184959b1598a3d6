//! Function types and signatures: parameters and return types.

use super::{
    generics::ListKind,
    identifiers::is_name,
    lexer::TypeToken,
    type_printer::{Checkpoint, TypePrinter, TypeShape},
};

impl TypePrinter<'_> {
    /// True if a function type or constructor type begins at the current position.
    pub(super) fn is_at_function(&self) -> bool {
        match self.peek(0) {
            Some(TypeToken::Punctuator("<")) => true,
            Some(TypeToken::Word("new")) => matches!(self.peek(1), Some(TypeToken::Punctuator("(" | "<"))),
            Some(TypeToken::Word("abstract")) => self.peek(1) == Some(TypeToken::Word("new")),
            Some(TypeToken::Punctuator("(")) => {
                self.tokens.get(self.position_after_brackets()) == Some(&TypeToken::Punctuator("=>"))
            }
            _ => false,
        }
    }

    /// `<T>(x: T) => R`, `new () => R`
    pub(super) fn parse_function(&mut self) -> Option<()> {
        if self.accept_word("abstract") {
            self.output.push_str("abstract ");
        }
        if self.accept_word("new") {
            self.output.push_str("new ");
        }
        self.parse_signature("=>", " => ")?;
        self.shape = TypeShape::Other;
        Some(())
    }

    /// Parses type parameters, parameters, and a return type after `arrow`. Prints `printed` in place of the arrow. If
    /// there is no return type, prints `any` as the return type.
    pub(super) fn parse_signature(&mut self, arrow: &str, printed: &str) -> Option<()> {
        self.enclosing_constructs += 1;
        let enclosing = self.type_parameters.len();
        if self.is_at("<") {
            self.parse_type_parameters(ListKind::Function)?;
        }
        let parameters = self.parse_parameters()?;
        if self.accept(arrow) {
            self.output.push_str(printed);
            self.parse_return_type(&parameters)?;
        } else {
            self.output.push_str(printed);
            self.output.push_str("any");
        }
        self.type_parameters.truncate(enclosing);
        self.enclosing_constructs -= 1;
        Some(())
    }

    /// `(a: A, b?: B, ...c: C[])`: returns the names of the parameters with their types.
    pub(super) fn parse_parameters(&mut self) -> Option<Vec<(String, String)>> {
        self.expect("(", "(")?;
        let mut parameters: Vec<(String, String)> = Vec::new();
        let mut has_optional = false;
        while !self.accept(")") {
            if !parameters.is_empty() {
                self.output.push_str(", ");
            }
            let is_rest = self.accept("...");
            let written = match self.peek(0)? {
                TypeToken::Word(word) => {
                    self.position += 1;
                    word
                }
                TypeToken::Punctuator("{" | "[") => {
                    self.position = self.position_after_brackets();
                    ""
                }
                _ => return None,
            };
            let is_unique = !parameters.iter().any(|(name, _)| name == written);
            let is_this = written == "this" && parameters.is_empty() && !is_rest;
            let name = if is_unique && (is_this || is_name(written)) {
                written.to_owned()
            } else {
                format!("arg{}", parameters.len())
            };
            has_optional |= self.accept("?");
            let colon = if is_rest || is_this || !has_optional { ":" } else { "?:" };
            self.output.push_str(if is_rest { "..." } else { "" });
            self.output.extend([name.as_str(), colon, " "]);
            let start = self.checkpoint();
            if self.accept(":") {
                self.parse_type()?;
            } else {
                self.roll_back(start, "any");
            }
            if is_rest && !self.is_array(start) && !self.is_inferred(start) {
                self.roll_back(start, "any[]");
            }
            parameters.push((name, self.output[start.output..].to_owned()));
            let has_comma = self.accept(",");
            if !self.is_at(")") && (!has_comma || is_rest) {
                return None;
            }
        }
        self.output.push(')');
        Some(parameters)
    }

    /// True if `infer T` was printed since `start`. This is a valid type of a rest parameter, because TypeScript then
    /// infers an array.
    fn is_inferred(&self, start: Checkpoint) -> bool {
        self.output[start.output..].strip_prefix("infer ").is_some_and(is_name)
    }

    /// A return type: a type, or a type predicate `x is T`, `asserts x`, `asserts x is T`.
    ///
    /// The type of a predicate must be assignable to the type of the parameter. If the stub may declare one of the two
    /// types without some of its members, that is not certain. `x is T` is then replaced by `boolean`, and `asserts …`
    /// by `void`.
    pub(super) fn parse_return_type(&mut self, parameters: &[(String, String)]) -> Option<()> {
        let start = self.checkpoint();
        let is_subject = |token| matches!(token, Some(TypeToken::Word(word)) if !matches!(word, "is" | "extends"));
        let asserts = self.is_at_word("asserts") && is_subject(self.peek(1));
        if !asserts && self.peek(1) != Some(TypeToken::Word("is")) {
            return self.parse_type();
        }
        self.position += usize::from(asserts);
        let subject = self.next_word()?;
        let parameter_type = parameters.iter().find(|(name, _)| name == subject).map(|(_, ty)| ty.as_str());
        self.output.extend([if asserts { "asserts " } else { "" }, subject]);
        let losses_before = self.pruned_references + self.losses();
        let mut narrowed = None;
        if self.accept_word("is") {
            self.output.push_str(" is ");
            let ty = self.checkpoint();
            self.parse_type()?;
            narrowed = Some(self.output[ty.output..].to_owned());
        }
        let is_whole = self.pruned_references + self.losses() == losses_before
            || matches!(parameter_type, Some("any" | "unknown"));
        if parameter_type.is_none() || !is_whole || narrowed.is_some_and(|ty| ty == "any") {
            self.roll_back(start, if asserts { "void" } else { "boolean" });
        }
        self.shape = TypeShape::Other;
        Some(())
    }
}
