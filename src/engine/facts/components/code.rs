//! Questions about pieces of code that are answered from their tokens.

use std::ops::Range;

use crate::syntax::{
    tokens::{Token, TokenKind},
    typescript::tokens::tokens,
};

/// A token of code: its kind, its bytes in the whole text, and how many brackets are open around it.
#[derive(Clone, Debug)]
pub(super) struct CodeToken {
    pub(super) kind: TokenKind,
    pub(super) range: Range<usize>,
    pub(super) depth: usize,
}

/// The tokens of a part of a text without its comments. A bracket has the depth of the code around it.
pub(super) fn code_tokens(text: &str, part: Range<usize>) -> impl Iterator<Item = CodeToken> {
    let start = part.start;
    let mut depth = 0_usize;
    tokens(&text[part]).filter(|token| token.kind != TokenKind::Comment).map(move |Token { kind, range }| {
        if kind == TokenKind::Close {
            depth = depth.saturating_sub(1);
        }
        let token = CodeToken { kind, range: start + range.start..start + range.end, depth };
        if kind == TokenKind::Open {
            depth += 1;
        }
        token
    })
}

/// The byte behind the bracket that closes the one at `at`; `None` if none closes it.
pub(super) fn end_of_braces(text: &str, at: usize) -> Option<usize> {
    let closing = |token: &CodeToken| token.kind == TokenKind::Close && token.depth == 0;
    code_tokens(text, at..text.len()).find(closing).map(|token| token.range.end)
}

/// True for code whose brackets, strings and comments are closed, so that it can stand between other code.
pub(super) fn is_closed(code: &str) -> bool {
    let mut open = 0_usize;
    let mut is_empty = true;
    for Token { kind, range } in tokens(code) {
        let text = &code[range];
        is_empty &= kind == TokenKind::Comment;
        match kind {
            TokenKind::Open => open += 1,
            TokenKind::Close if open == 0 => return false,
            TokenKind::Close => open -= 1,
            TokenKind::Comment if text.starts_with("/*") && (text.len() < 4 || !text.ends_with("*/")) => return false,
            TokenKind::Literal => {
                let quote = text.chars().next().filter(|first| matches!(first, '"' | '\'' | '`' | '/'));
                let is_open = |quote: char| match quote {
                    '/' => text.len() < 2 || !text.ends_with('/'),
                    _ => text.len() < 2 || !text.ends_with(quote),
                };
                if quote.is_some_and(is_open) {
                    return false;
                }
            }
            _ => {}
        }
    }
    open == 0 && !is_empty
}

/// The words of code, which are its names and keywords.
pub(super) fn words(text: &str, part: Range<usize>) -> impl Iterator<Item = &str> {
    code_tokens(text, part).filter(|token| token.kind == TokenKind::Word).map(|token| &text[token.range])
}

/// True for a word that declares no variable.
pub(super) fn is_reserved(word: &str) -> bool {
    matches!(
        word,
        "as" | "async"
            | "await"
            | "break"
            | "case"
            | "catch"
            | "class"
            | "const"
            | "continue"
            | "debugger"
            | "default"
            | "delete"
            | "do"
            | "else"
            | "enum"
            | "export"
            | "extends"
            | "finally"
            | "for"
            | "from"
            | "function"
            | "get"
            | "if"
            | "import"
            | "in"
            | "instanceof"
            | "interface"
            | "let"
            | "new"
            | "of"
            | "return"
            | "set"
            | "static"
            | "super"
            | "switch"
            | "this"
            | "throw"
            | "try"
            | "type"
            | "typeof"
            | "var"
            | "void"
            | "while"
            | "with"
            | "yield"
    )
}

/// True for the name of an attribute that JSX can write.
pub(super) fn is_attribute_name(name: &str) -> bool {
    let is_part = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '$'))
            && part.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '-'))
    };
    name.split(':').count() <= 2 && name.split(':').all(is_part)
}

/// True for a text that is one name.
pub(super) fn is_name(code: &str) -> bool {
    let mut chars = code.chars();
    chars.next().is_some_and(|first| first.is_alphabetic() || matches!(first, '_' | '$'))
        && chars.all(|c| c.is_alphanumeric() || matches!(c, '_' | '$'))
}

/// A part of a text without the white space around it.
pub(super) fn trimmed(text: &str, part: Range<usize>) -> Range<usize> {
    let code = &text[part.clone()];
    let start = part.start + (code.len() - code.trim_start().len());
    start..start + code.trim().len()
}

/// The parts of code that commas separate outside of brackets.
pub(super) fn separated(text: &str, part: Range<usize>) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut start = part.start;
    for token in code_tokens(text, part.clone()) {
        if token.kind == TokenKind::Comma && token.depth == 0 {
            parts.push(trimmed(text, start..token.range.start));
            start = token.range.end;
        }
    }
    parts.push(trimmed(text, start..part.end));
    parts.retain(|part| !part.is_empty());
    parts
}

/// The content of a string between quotes.
pub(super) fn unquoted(text: &str, literal: Range<usize>) -> Option<Range<usize>> {
    let code = &text[literal.clone()];
    let quote = code.chars().next().filter(|quote| matches!(quote, '"' | '\'' | '`'))?;
    (code.len() > 2 && code.ends_with(quote)).then(|| literal.start + 1..literal.end - 1)
}

/// A key of an object literal, an object type or an object pattern.
#[derive(Clone, Debug)]
pub(super) struct Key {
    pub(super) name: Range<usize>,
    /// What follows the key, with the mark that separates both.
    pub(super) rest: Range<usize>,
}

/// The keys between the braces of `part`, which begins and ends with one. Keys that are computed are left out.
pub(super) fn keys(text: &str, part: Range<usize>) -> Vec<Key> {
    let inner = part.start + 1..part.end.saturating_sub(1).max(part.start + 1);
    let mut found = Vec::new();
    let mut start = inner.start;
    let mut ends: Vec<usize> = Vec::new();
    let mut lines = code_tokens(text, inner.clone()).peekable();
    while let Some(token) = lines.next() {
        let is_end = token.depth == 0 && matches!(&text[token.range.clone()], "," | ";");
        if is_end {
            ends.push(token.range.end);
        } else if let Some(next) = lines.peek()
            && token.depth == 0
            && next.depth == 0
            && matches!(next.kind, TokenKind::Word | TokenKind::Literal)
            && !matches!(token.kind, TokenKind::Colon | TokenKind::Operator | TokenKind::Other)
            && text[token.range.end..next.range.start].contains('\n')
        {
            // Members of a type may be separated by line ends alone.
            ends.push(next.range.start);
        }
    }
    for end in ends.into_iter().chain([inner.end]) {
        found.extend(key(text, start..end));
        start = end;
    }
    found
}

fn key(text: &str, member: Range<usize>) -> Option<Key> {
    let is_modifier = |token: &CodeToken| matches!(&text[token.range.clone()], "async" | "get" | "set" | "readonly");
    let mut tokens = code_tokens(text, member.clone()).peekable();
    let mut first = tokens.next()?;
    while is_modifier(&first) && tokens.peek().is_some_and(|next| next.kind == TokenKind::Word) {
        first = tokens.next()?;
    }
    let name = match first.kind {
        TokenKind::Word => first.range,
        TokenKind::Literal => unquoted(text, first.range)?,
        _ => return None,
    };
    let rest = name.end..member.end;
    Some(Key { name, rest })
}

#[cfg(test)]
mod tests {
    use super::{end_of_braces, is_closed, keys};

    #[test]
    fn code_is_closed_if_its_brackets_strings_and_comments_are() {
        for code in ["a(b)", "`${a}`", "{ a: '}' }", "a /* b */", "/\\)/.test(a)"] {
            assert!(is_closed(code), "{code}");
        }
        for code in ["", " ", "a(", "a)(", "'a", "`a", "`${a", "a /* b", "// a"] {
            assert!(!is_closed(code), "{code}");
        }
    }

    #[test]
    fn braces_end_where_they_are_closed() {
        assert_eq!(end_of_braces("{a({'}'})}b", 0), Some(10));
        assert_eq!(end_of_braces("{a(", 0), None);
    }

    #[test]
    fn the_keys_of_an_object_are_found() {
        let text = "{ a: 1, 'b-c': { d }, async e() { return 1 }, get f() {}, ...g, [h]: 1, i }";
        let names: Vec<&str> = keys(text, 0..text.len()).into_iter().map(|key| &text[key.name]).collect();
        assert_eq!(names, ["a", "b-c", "e", "f", "i"]);
        let text = "{\n  a: string\n  b?: number\n}";
        let names: Vec<&str> = keys(text, 0..text.len()).into_iter().map(|key| &text[key.name]).collect();
        assert_eq!(names, ["a", "b"]);
    }
}
