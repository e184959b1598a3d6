//! The lexer for the text of a type.

use super::identifiers::{is_word_continue, is_word_start};
use apidisc_base::unprintable::is_unprintable;

/// The maximum length of a type's text, in bytes. Longer text is refused: it is not worth its tokens.
const MAX_LENGTH: usize = 1000;

/// A token of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TypeToken<'a> {
    /// An identifier or keyword.
    Word(&'a str),
    /// A string literal with its quotes.
    String(&'a str),
    Number(&'a str),
    /// A template literal without its backquotes.
    Template(&'a str),
    Punctuator(&'a str),
}

/// The tokens of `text`. The result is `None` in these cases:
///
/// - The text is longer than [`MAX_LENGTH`].
/// - A part of the text is no token of a type, or is a literal that the lexer refuses.
/// - A comment does not end.
/// - The brackets do not match. Angle brackets are not checked.
pub(super) fn tokens(text: &str) -> Option<Vec<TypeToken<'_>>> {
    if text.len() > MAX_LENGTH {
        return None;
    }
    let mut tokens = Vec::new();
    let mut open_brackets = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches([' ', '\t', '\n', '\r']);
        if rest.is_empty() {
            return open_brackets.is_empty().then_some(tokens);
        }
        if let Some(comment) = rest.strip_prefix("/*") {
            rest = comment.split_once("*/")?.1;
            continue;
        }
        let length = token_length(rest)?;
        let (token, after) = rest.split_at(length);
        rest = after;
        tokens.push(match token.as_bytes()[0] {
            b'"' | b'\'' => TypeToken::String(token),
            b'`' => TypeToken::Template(&token[1..length - 1]),
            b'0'..=b'9' => TypeToken::Number(token),
            _ if token.starts_with(is_word_start) => TypeToken::Word(token),
            _ => TypeToken::Punctuator(token),
        });
        match token {
            "(" | "[" | "{" => open_brackets.push(token),
            ")" if open_brackets.pop() != Some("(") => return None,
            "]" if open_brackets.pop() != Some("[") => return None,
            "}" if open_brackets.pop() != Some("{") => return None,
            _ => {}
        }
    }
}

/// The length of the first token in bytes.
fn token_length(rest: &str) -> Option<usize> {
    let first = rest.chars().next()?;
    match first {
        '"' | '\'' => quoted(rest, first),
        '`' => template(rest),
        '0'..='9' => number(rest),
        _ if is_word_start(first) => Some(rest.find(|c| !is_word_continue(c)).unwrap_or(rest.len())),
        _ => {
            const PUNCTUATORS: [&str; 23] = [
                "=>", "...", "(", ")", "[", "]", "{", "}", "<", ">", "|", "&", "?", ":", ";", ",", ".", "=", "+", "-",
                "#", "@", "!",
            ];
            PUNCTUATORS.iter().find(|punctuator| rest.starts_with(**punctuator)).map(|punctuator| punctuator.len())
        }
    }
}

/// The length of a string literal in bytes. Escapes other than those of quotes, `\\`, `\n`, `\r` and `\t` are refused:
/// an escape such as `\x4` could be malformed.
fn quoted(rest: &str, quote: char) -> Option<usize> {
    let mut chars = rest.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        if c == quote {
            return Some(at + 1);
        }
        if !is_plain(c) || c == '\\' && !matches!(chars.next(), Some((_, '\\' | '\'' | '"' | 'n' | 'r' | 't'))) {
            return None;
        }
    }
    None
}

/// The length of a template literal in bytes. Escapes and nested template literals are refused.
fn template(rest: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut quote = None;
    let mut before = '`';
    for (at, c) in rest.char_indices().skip(1) {
        match (quote, c) {
            (_, '\\') => return None,
            _ if !is_plain(c) => return None,
            (Some(open), _) => quote = (c != open).then_some(open),
            (None, '`') if depth == 0 => return Some(at + 1),
            (None, '`') => return None,
            (None, '{') if depth > 0 || before == '$' => depth += 1,
            (None, '}') => depth = depth.saturating_sub(1),
            (None, '"' | '\'') if depth > 0 => quote = Some(c),
            _ => {}
        }
        before = c;
    }
    None
}

/// The length of a numeric literal in bytes.
fn number(rest: &str) -> Option<usize> {
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '.' | '_')).unwrap_or(rest.len());
    let text = &rest[..end];
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let is_whole = |text: &str| digits(text) && (text == "0" || !text.starts_with('0'));
    let is_number = if let Some((whole, fraction)) = text.split_once('.') {
        is_whole(whole) && digits(fraction)
    } else {
        let hex = text.strip_prefix("0x").filter(|hex| !hex.is_empty());
        hex.is_some_and(|hex| hex.bytes().all(|b| b.is_ascii_hexdigit())) || is_whole(text.trim_end_matches('n'))
    };
    (is_number && !text.ends_with("nn")).then_some(end)
}

/// True for a character that may be written in a literal.
fn is_plain(c: char) -> bool {
    !is_unprintable(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_of_a_type() {
        use TypeToken::{Number, Punctuator, String, Template, Word};
        assert_eq!(
            tokens("Map<'a', 1.5>=>`x-${A}` /* y */ ..."),
            Some(vec![
                Word("Map"),
                Punctuator("<"),
                String("'a'"),
                Punctuator(","),
                Number("1.5"),
                Punctuator(">"),
                Punctuator("=>"),
                Template("x-${A}"),
                Punctuator("..."),
            ])
        );
        assert_eq!(tokens("`${`a`}`"), None);
        assert_eq!(tokens("`${'}'}{`").map(|tokens| tokens.len()), Some(1));
    }

    #[test]
    fn characters_that_begin_no_token_are_refused() {
        for text in [
            "(",
            "a)",
            "(]",
            "'a",
            "\"\\x41\"",
            "'a\nb'",
            "`\\`",
            "01",
            "1a",
            "1nn",
            "0x",
            "// x",
            "/*",
            "€",
            "\u{202e}",
        ] {
            assert_eq!(tokens(text), None, "{text:?}");
        }
        assert_eq!(tokens(&"(".repeat(100_000)), None);
    }
}
