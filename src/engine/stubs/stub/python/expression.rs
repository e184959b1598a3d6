//! A recogniser of plain Python expressions. Annotations, defaults and base classes come from untrusted sources: only
//! text that is certainly one valid expression is written into a stub.
//!
//! The grammar is a subset of Python's: names, attributes, subscripts, calls, literals, brackets, operators and
//! conditional expressions. Lambdas, comprehensions, f-strings, starred expressions and assignment expressions
//! (PEP 572) are refused; callers write `...` or nothing in their place.

use super::identifiers::{is_keyword, is_name_continue, is_name_start};

/// The greatest length of an expression in bytes. Longer text is refused: it is not worth its tokens, and could reach
/// Python's limits on numbers and nesting.
const MAX_LENGTH: usize = 400;
/// The greatest nesting of brackets and conditional expressions. Deeper nesting is refused.
const MAX_NESTING: usize = 40;

/// The trimmed text if it is certainly one expression on one line, without a comma outside of brackets.
pub(super) fn plain_expression(text: &str) -> Option<&str> {
    let text = text.trim_matches([' ', '\t']);
    if text.is_empty() || text.len() > MAX_LENGTH {
        return None;
    }
    let mut parser = ExpressionParser { rest: text, depth: 0 };
    (parser.expression() && parser.rest.is_empty()).then_some(text)
}

/// A recursive-descent recogniser. The method for a nonterminal consumes the text of the nonterminal and the blanks
/// after it. It returns false if the text does not match.
pub(super) struct ExpressionParser<'a> {
    pub(super) rest: &'a str,
    depth: usize,
}

impl<'a> ExpressionParser<'a> {
    pub(super) fn skip_blanks(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', '\t']);
    }

    fn accept(&mut self, token: &str) -> bool {
        let Some(rest) = self.rest.strip_prefix(token) else { return false };
        self.rest = rest;
        self.skip_blanks();
        true
    }

    /// The identifier or keyword at the current position, empty if there is none. Consumes nothing.
    pub(super) fn peek_word(&self) -> &'a str {
        if !self.rest.starts_with(is_name_start) {
            return "";
        }
        let end = self.rest.find(|c| !is_name_continue(c)).unwrap_or(self.rest.len());
        &self.rest[..end]
    }

    fn accept_word(&mut self, word: &str) -> bool {
        self.peek_word() == word && self.accept(word)
    }

    fn nested(&mut self, inner: impl FnOnce(&mut Self) -> bool) -> bool {
        self.depth += 1;
        let is_match = self.depth <= MAX_NESTING && inner(self);
        self.depth -= 1;
        is_match
    }

    /// One or more items with commas between them, and an optional comma before the end.
    fn comma_separated(&mut self, item: impl Fn(&mut Self) -> bool, end: impl Fn(&Self) -> bool) -> bool {
        loop {
            if !item(self) {
                return false;
            }
            if !self.accept(",") || end(self) {
                return true;
            }
        }
    }

    /// `a if b else c`
    fn expression(&mut self) -> bool {
        self.nested(|p| {
            p.operation() && (!p.accept_word("if") || p.operation() && p.accept_word("else") && p.expression())
        })
    }

    /// Operands with operators between them. Precedence does not matter for validity, except that `not` may stand
    /// only at the start and after `and` and `or`.
    fn operation(&mut self) -> bool {
        loop {
            while self.accept_word("not") {}
            loop {
                while self.accept("-") || self.accept("+") || self.accept("~") {}
                if !self.primary() {
                    return false;
                }
                if self.accept_word("and") || self.accept_word("or") {
                    break;
                }
                if !self.operator() {
                    return true;
                }
            }
        }
    }

    fn operator(&mut self) -> bool {
        const OPERATORS: [&str; 19] =
            ["**", "//", "<<", ">>", "<=", ">=", "==", "!=", "+", "-", "*", "/", "%", "@", "&", "|", "^", "<", ">"];
        match self.peek_word() {
            "in" => return self.accept_word("in"),
            "is" => {
                self.accept_word("is");
                self.accept_word("not");
                return true;
            }
            "not" => return self.accept_word("not") && self.accept_word("in"),
            _ => {}
        }
        OPERATORS.iter().any(|operator| self.accept(operator))
    }

    fn primary(&mut self) -> bool {
        if !self.atom() {
            return false;
        }
        loop {
            if self.rest.starts_with('.') {
                self.accept(".");
                let name = self.peek_word();
                if name.is_empty() || is_keyword(name) || !self.accept(name) {
                    return false;
                }
            } else if self.accept("[") {
                if !self.nested(|p| p.comma_separated(Self::slice, |p| p.rest.starts_with(']'))) || !self.accept("]") {
                    return false;
                }
            } else if self.accept("(") {
                if !(self.accept(")") || self.nested(Self::arguments) && self.accept(")")) {
                    return false;
                }
            } else {
                return true;
            }
        }
    }

    /// `a`, `a:b`, `:`, `::c`
    fn slice(&mut self) -> bool {
        let ends = |p: &Self| p.rest.starts_with([':', ',', ']']);
        let has_start = !ends(self);
        if has_start && !self.expression() {
            return false;
        }
        let mut colons = 0;
        while colons < 2 && self.accept(":") {
            colons += 1;
            if !ends(self) && !self.expression() {
                return false;
            }
        }
        has_start || colons > 0
    }

    /// `a, b=c`: no positional argument after a keyword argument, and no keyword twice.
    fn arguments(&mut self) -> bool {
        let mut keywords: Vec<&str> = Vec::new();
        loop {
            let before = self.rest;
            let name = self.peek_word();
            let is_keyword_argument =
                !name.is_empty() && self.accept(name) && self.rest.starts_with('=') && !self.rest.starts_with("==");
            if is_keyword_argument {
                if is_keyword(name) || keywords.contains(&name) || !self.accept("=") {
                    return false;
                }
                keywords.push(name);
            } else {
                self.rest = before;
                if !keywords.is_empty() {
                    return false;
                }
            }
            if !self.expression() {
                return false;
            }
            if !self.accept(",") || self.rest.starts_with(')') {
                return true;
            }
        }
    }

    fn atom(&mut self) -> bool {
        match self.rest.chars().next() {
            Some('(') => {
                self.accept("(");
                self.accept(")")
                    || self.nested(|p| p.comma_separated(Self::expression, |p| p.rest.starts_with(')')))
                        && self.accept(")")
            }
            Some('[') => {
                self.accept("[");
                self.accept("]")
                    || self.nested(|p| p.comma_separated(Self::expression, |p| p.rest.starts_with(']')))
                        && self.accept("]")
            }
            Some('{') => {
                self.accept("{");
                self.accept("}") || self.braces()
            }
            Some('.') => self.accept("..."),
            Some(c) if c.is_ascii_digit() => self.number(),
            Some('"' | '\'') => self.string_literals(),
            Some(c) if is_name_start(c) => {
                let word = self.peek_word();
                if self.rest[word.len()..].starts_with(['"', '\'']) {
                    return self.string_literals();
                }
                (!is_keyword(word) || matches!(word, "None" | "True" | "False")) && self.accept(word)
            }
            _ => false,
        }
    }

    /// The inside of a set or dictionary display, after `{`.
    fn braces(&mut self) -> bool {
        self.nested(|p| {
            if !p.expression() {
                return false;
            }
            let is_dictionary = p.accept(":");
            if is_dictionary && !p.expression() {
                return false;
            }
            while p.accept(",") && !p.rest.starts_with('}') {
                if !p.expression() || is_dictionary && !(p.accept(":") && p.expression()) {
                    return false;
                }
            }
            p.accept("}")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::plain_expression;

    #[test]
    fn plain_expressions_stay() {
        for text in [
            "Union[str, BaseLlm]",
            "''",
            "'a' \"b\"",
            "None",
            "-1",
            "1e-5",
            "0x1F",
            "1_000.5j",
            "dict[str, list[int]]",
            "Callable[[int, str], Awaitable[None]]",
            "x if y else z",
            "not a",
            "a and not b",
            "a is not None",
            "Field(default=3, alias='x')",
            "{'a': 1, 'b': [2]}",
            "{1, 2}",
            "()",
            "(1,)",
            "[]",
            "...",
            "a[1:2, ::3]",
            "str | None",
            "r'\\d+'",
            "b'x'",
            "x.y.z(1)(2)",
            "a < b <= c",
            "lambda_",
            "Literal['a', 'b']",
            "класс",
            "tuple[int, ...]",
            "1.",
            "a not in b",
            "2 ** -1",
            "timedelta(seconds=30)",
            "~re.I | re.M",
        ] {
            assert_eq!(plain_expression(text), Some(text), "{text}");
        }
    }

    #[test]
    fn anything_else_is_refused() {
        for text in [
            "",
            "a b",
            "(",
            "a)",
            "lambda: 0",
            "f'{x}'",
            "x := 1",
            "'",
            "'''a'''",
            "'\\'",
            "'\\x1'",
            "a\nb",
            "# c",
            "1a",
            "01",
            "1__0",
            "0x",
            "1e",
            "*a",
            "a.",
            "a.if",
            "if",
            "a[]",
            "f(a=1, 2)",
            "f(a=1, a=2)",
            "a; b",
            "{1: 2, 3}",
            "{1, 2: 3}",
            "a = b",
            "a == not b",
            "'a' b'c'",
            "b'é'",
            "'\u{1b}[31m'",
            "'\u{202e}'",
            "a if b",
            "a,,b",
            "yield",
            "await x",
            "[i for i in x]",
            "..",
            ". . .",
            "1.real",
            "a.1",
            "\"\"\"",
            "a->b",
            "print 'x'",
            "a !b",
            "int, str",
            "$",
            "a\\",
            "1if x else y",
        ] {
            assert_eq!(plain_expression(text), None, "{text:?}");
        }
        assert_eq!(plain_expression(&"(".repeat(100_000)), None);
        assert_eq!(plain_expression(&"-".repeat(399)), None);
    }
}
