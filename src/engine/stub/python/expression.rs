//! Annotations, defaults and bases come from hostile sources: only text that is certainly one plain
//! Python expression is printed.
//!
//! The grammar here is a conservative part of Python's: names, attributes, subscripts, calls, literals,
//! brackets, operators, conditional expressions. Lambdas, comprehensions, f-strings, starred and walrus
//! expressions are left out; a caller prints `...` or nothing in their place.

use super::name::{is_keyword, is_name_continue, is_name_start};
use crate::stub::text::is_unprintable;

/// Longer text is not worth its tokens, and keeps Python's limits on numbers and nesting out of reach.
const LONGEST: usize = 400;
/// Brackets and operators nested deeper are refused.
const DEEPEST: usize = 40;

/// The text where it is certainly one expression on one line, without a comma at its top.
pub(super) fn plain(text: &str) -> Option<&str> {
    let text = text.trim_matches([' ', '\t']);
    if text.is_empty() || text.len() > LONGEST {
        return None;
    }
    let mut parser = Parser { rest: text, depth: 0 };
    (parser.expression() && parser.rest.is_empty()).then_some(text)
}

/// Every function takes what it recognises, with the blanks after it, and says whether it did.
struct Parser<'a> {
    rest: &'a str,
    depth: usize,
}

impl<'a> Parser<'a> {
    fn blanks(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', '\t']);
    }

    fn take(&mut self, token: &str) -> bool {
        let Some(rest) = self.rest.strip_prefix(token) else { return false };
        self.rest = rest;
        self.blanks();
        true
    }

    /// The identifier or keyword that comes next, without taking it.
    fn word(&self) -> &'a str {
        if !self.rest.starts_with(is_name_start) {
            return "";
        }
        let end = self.rest.find(|c| !is_name_continue(c)).unwrap_or(self.rest.len());
        &self.rest[..end]
    }

    fn take_word(&mut self, word: &str) -> bool {
        self.word() == word && self.take(word)
    }

    fn nested(&mut self, inner: impl FnOnce(&mut Self) -> bool) -> bool {
        self.depth += 1;
        let taken = self.depth <= DEEPEST && inner(self);
        self.depth -= 1;
        taken
    }

    /// Items with commas between them and perhaps one after the last; at least one item.
    fn list(&mut self, item: impl Fn(&mut Self) -> bool, end: impl Fn(&Self) -> bool) -> bool {
        loop {
            if !item(self) {
                return false;
            }
            if !self.take(",") || end(self) {
                return true;
            }
        }
    }

    /// `a if b else c`
    fn expression(&mut self) -> bool {
        self.nested(|p| p.operation() && (!p.take_word("if") || p.operation() && p.take_word("else") && p.expression()))
    }

    /// Operands with operators between them. Every mix of them is a valid expression, save `not` as the
    /// right operand of anything but `and` and `or`.
    fn operation(&mut self) -> bool {
        loop {
            while self.take_word("not") {}
            loop {
                while self.take("-") || self.take("+") || self.take("~") {}
                if !self.primary() {
                    return false;
                }
                if self.take_word("and") || self.take_word("or") {
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
        match self.word() {
            "in" => return self.take_word("in"),
            "is" => {
                self.take_word("is");
                self.take_word("not");
                return true;
            }
            "not" => return self.take_word("not") && self.take_word("in"),
            _ => {}
        }
        OPERATORS.iter().any(|operator| self.take(operator))
    }

    fn primary(&mut self) -> bool {
        if !self.atom() {
            return false;
        }
        loop {
            if self.rest.starts_with('.') {
                self.take(".");
                let name = self.word();
                if name.is_empty() || is_keyword(name) || !self.take(name) {
                    return false;
                }
            } else if self.take("[") {
                if !self.nested(|p| p.list(Self::slice, |p| p.rest.starts_with(']'))) || !self.take("]") {
                    return false;
                }
            } else if self.take("(") {
                if !(self.take(")") || self.nested(Self::arguments) && self.take(")")) {
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
        while colons < 2 && self.take(":") {
            colons += 1;
            if !ends(self) && !self.expression() {
                return false;
            }
        }
        has_start || colons > 0
    }

    /// `a, b=c`: no positional after a keyword, and no keyword twice.
    fn arguments(&mut self) -> bool {
        let mut keywords: Vec<&str> = Vec::new();
        loop {
            let before = self.rest;
            let name = self.word();
            let keyword =
                !name.is_empty() && self.take(name) && self.rest.starts_with('=') && !self.rest.starts_with("==");
            if keyword {
                if is_keyword(name) || keywords.contains(&name) || !self.take("=") {
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
            if !self.take(",") || self.rest.starts_with(')') {
                return true;
            }
        }
    }

    fn atom(&mut self) -> bool {
        match self.rest.chars().next() {
            Some('(') => {
                self.take("(");
                self.take(")")
                    || self.nested(|p| p.list(Self::expression, |p| p.rest.starts_with(')'))) && self.take(")")
            }
            Some('[') => {
                self.take("[");
                self.take("]")
                    || self.nested(|p| p.list(Self::expression, |p| p.rest.starts_with(']'))) && self.take("]")
            }
            Some('{') => {
                self.take("{");
                self.take("}") || self.braces()
            }
            Some('.') => self.take("..."),
            Some(c) if c.is_ascii_digit() => self.number(),
            Some('"' | '\'') => self.strings(),
            Some(c) if is_name_start(c) => {
                let word = self.word();
                if self.rest[word.len()..].starts_with(['"', '\'']) {
                    return self.strings();
                }
                (!is_keyword(word) || matches!(word, "None" | "True" | "False")) && self.take(word)
            }
            _ => false,
        }
    }

    /// After `{`: a set or a dictionary, one kind throughout.
    fn braces(&mut self) -> bool {
        self.nested(|p| {
            if !p.expression() {
                return false;
            }
            let pairs = p.take(":");
            if pairs && !p.expression() {
                return false;
            }
            while p.take(",") && !p.rest.starts_with('}') {
                if !p.expression() || pairs && !(p.take(":") && p.expression()) {
                    return false;
                }
            }
            p.take("}")
        })
    }

    /// Adjacent string literals, all bytes or all text.
    fn strings(&mut self) -> bool {
        let mut bytes = None;
        loop {
            let prefix = self.word();
            let Some(quote) = self.rest[prefix.len()..].chars().next().filter(|c| matches!(c, '"' | '\'')) else {
                return bytes.is_some();
            };
            let is_bytes = match prefix.to_ascii_lowercase().as_str() {
                "" | "r" | "u" => false,
                "b" | "br" | "rb" => true,
                _ => return false,
            };
            if *bytes.get_or_insert(is_bytes) != is_bytes {
                return false;
            }
            let is_raw = prefix.contains(['r', 'R']);
            if !self.string(prefix.len(), quote, is_bytes, is_raw) {
                return false;
            }
        }
    }

    /// One literal in single quotes of either kind. Escapes that Python checks (`\x`, `\u`, `\N`) are refused.
    fn string(&mut self, prefix: usize, quote: char, is_bytes: bool, is_raw: bool) -> bool {
        let body = &self.rest[prefix + 1..];
        let mut chars = body.char_indices();
        while let Some((at, c)) = chars.next() {
            if c == quote {
                // An empty literal followed by a third quote opens a long string.
                if at == 0 && body[1..].starts_with(quote) {
                    return false;
                }
                self.rest = &body[at + 1..];
                self.blanks();
                return true;
            }
            if c.is_control() || is_bytes && !c.is_ascii() || is_unprintable(c) {
                return false;
            }
            if c == '\\' {
                match chars.next() {
                    Some((_, '\\' | '\'' | '"' | 'n' | 'r' | 't' | 'f' | 'v' | 'a' | 'b')) => {}
                    Some((_, next))
                        if is_raw && !next.is_control() && !is_unprintable(next) && (!is_bytes || next.is_ascii()) => {}
                    _ => return false,
                }
            }
        }
        false
    }

    fn number(&mut self) -> bool {
        let end =
            self.rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '.').unwrap_or(self.rest.len());
        let (mut text, mut after) = self.rest.split_at(end);
        // `1e-5`: the sign belongs to the number.
        if text.ends_with(['e', 'E'])
            && !text.starts_with("0x")
            && !text.starts_with("0X")
            && after.starts_with(['+', '-'])
        {
            let digits = after[1..].find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len() - 1);
            if digits == 0 {
                return false;
            }
            (text, after) = self.rest.split_at(end + 1 + digits);
        }
        if !is_number(text) || after.starts_with(is_name_start) {
            return false;
        }
        self.rest = after;
        self.blanks();
        true
    }
}

fn is_number(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    let digits = |text: &str, radix: u32| {
        text.split('_').all(|part| !part.is_empty() && part.chars().all(|c| c.is_digit(radix)))
    };
    for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] {
        if let Some(rest) = text.strip_prefix(prefix) {
            return digits(rest, radix);
        }
    }
    let (real, imaginary) = text.strip_suffix('j').map_or((text.as_str(), false), |real| (real, true));
    let (mantissa, exponent) = real.split_once('e').map_or((real, None), |(m, e)| (m, Some(e)));
    if exponent.is_some_and(|e| !digits(e.trim_start_matches(['+', '-']), 10)) {
        return false;
    }
    match mantissa.split_once('.') {
        Some((whole, fraction)) => digits(whole, 10) && (fraction.is_empty() || digits(fraction, 10)),
        None if exponent.is_some() || imaginary => digits(mantissa, 10),
        None => digits(mantissa, 10) && (!mantissa.starts_with('0') || mantissa.chars().all(|c| c == '0' || c == '_')),
    }
}

#[cfg(test)]
mod tests {
    use super::plain;

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
            assert_eq!(plain(text), Some(text), "{text}");
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
            assert_eq!(plain(text), None, "{text:?}");
        }
        assert_eq!(plain(&"(".repeat(100_000)), None);
        assert_eq!(plain(&"-".repeat(399)), None);
    }
}
