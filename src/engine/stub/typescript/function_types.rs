//! Function types: parameters and what is returned.

use super::{
    lexer::Token,
    name::is_name,
    printer::{Mark, Printer, Shape},
};

impl Printer<'_> {
    pub(super) fn is_at_function(&self) -> bool {
        match self.peek(0) {
            Some(Token::Sign("<")) => true,
            Some(Token::Word("new")) => matches!(self.peek(1), Some(Token::Sign("(" | "<"))),
            Some(Token::Word("abstract")) => self.peek(1) == Some(Token::Word("new")),
            Some(Token::Sign("(")) => self.tokens.get(self.after_brackets()) == Some(&Token::Sign("=>")),
            _ => false,
        }
    }

    /// `<T>(x: T) => R`, `new () => R`
    pub(super) fn function(&mut self) -> Option<()> {
        if self.skip_word("abstract") {
            self.out.push_str("abstract ");
        }
        if self.skip_word("new") {
            self.out.push_str("new ");
        }
        self.signature("=>", " => ")?;
        self.shape = Shape::Other;
        Some(())
    }

    /// Type parameters, parameters, what comes before the result, and the result; `any` where there is none.
    pub(super) fn signature(&mut self, arrow: &str, printed: &str) -> Option<()> {
        self.within += 1;
        let bound = self.bound.len();
        if self.is_at("<") {
            self.type_parameters(false)?;
        }
        let parameters = self.parameters()?;
        if self.skip(arrow) {
            self.out.push_str(printed);
            self.returns(&parameters)?;
        } else {
            self.out.push_str(printed);
            self.out.push_str("any");
        }
        self.bound.truncate(bound);
        self.within -= 1;
        Some(())
    }

    /// `(a: A, b?: B, ...c: C[])`: their names with their types.
    pub(super) fn parameters(&mut self) -> Option<Vec<(String, String)>> {
        self.expect("(", "(")?;
        let mut seen: Vec<(String, String)> = Vec::new();
        let mut optional = false;
        while !self.skip(")") {
            if !seen.is_empty() {
                self.out.push_str(", ");
            }
            let is_rest = self.skip("...");
            let written = match self.peek(0)? {
                Token::Word(word) => {
                    self.at += 1;
                    word
                }
                Token::Sign("{" | "[") => {
                    self.at = self.after_brackets();
                    ""
                }
                _ => return None,
            };
            let is_fresh = !seen.iter().any(|(name, _)| name == written);
            let is_this = written == "this" && seen.is_empty() && !is_rest;
            let name = if is_fresh && (is_this || is_name(written)) {
                written.to_owned()
            } else {
                format!("arg{}", seen.len())
            };
            optional |= self.skip("?");
            let sign = if is_rest || is_this || !optional { ":" } else { "?:" };
            self.out.push_str(if is_rest { "..." } else { "" });
            self.out.extend([name.as_str(), sign, " "]);
            let start = self.mark();
            if self.skip(":") {
                self.whole()?;
            } else {
                self.take_back(start, "any");
            }
            if is_rest && !self.is_array(start) && !self.is_inferred(start) {
                self.take_back(start, "any[]");
            }
            seen.push((name, self.out[start.out..].to_owned()));
            let more = self.skip(",");
            if !self.is_at(")") && (!more || is_rest) {
                return None;
            }
        }
        self.out.push(')');
        Some(seen)
    }

    /// True where what was printed since is `infer T`: of a rest parameter that is a list.
    fn is_inferred(&self, start: Mark) -> bool {
        self.out[start.out..].strip_prefix("infer ").is_some_and(is_name)
    }

    /// What a function returns: a type, `x is T`, `asserts x`, `asserts x is T`.
    ///
    /// A predicate's type must fit the parameter's; where either may be declared with less than it has, the word
    /// for what comes back at run time is printed.
    pub(super) fn returns(&mut self, parameters: &[(String, String)]) -> Option<()> {
        let start = self.mark();
        let is_subject = |token| matches!(token, Some(Token::Word(word)) if !matches!(word, "is" | "extends"));
        let asserts = self.is_at_word("asserts") && is_subject(self.peek(1));
        if !asserts && self.peek(1) != Some(Token::Word("is")) {
            return self.whole();
        }
        self.at += usize::from(asserts);
        let subject = self.word()?;
        let of = parameters.iter().find(|(name, _)| name == subject).map(|(_, ty)| ty.as_str());
        self.out.extend([if asserts { "asserts " } else { "" }, subject]);
        let lost = self.pruned + self.losses();
        let mut narrowed = None;
        if self.skip_word("is") {
            self.out.push_str(" is ");
            let ty = self.mark();
            self.whole()?;
            narrowed = Some(self.out[ty.out..].to_owned());
        }
        let is_whole = self.pruned + self.losses() == lost || matches!(of, Some("any" | "unknown"));
        if of.is_none() || !is_whole || narrowed.is_some_and(|ty| ty == "any") {
            self.take_back(start, if asserts { "void" } else { "boolean" });
        }
        self.shape = Shape::Other;
        Some(())
    }
}
