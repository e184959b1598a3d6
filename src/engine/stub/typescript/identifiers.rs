//! Identifiers and property names that may be written as code.

use crate::{stub::text::is_plain_letter, unprintable::is_unprintable};

/// Words that are not used as names: reserved words, including those of strict mode, the names of built-in types, and
/// words of the type syntax such as `keyof`. Sorted for binary search.
const RESERVED: [&str; 62] = [
    "any",
    "arguments",
    "as",
    "asserts",
    "await",
    "bigint",
    "boolean",
    "break",
    "case",
    "catch",
    "class",
    "const",
    "continue",
    "debugger",
    "default",
    "delete",
    "do",
    "else",
    "enum",
    "eval",
    "export",
    "extends",
    "false",
    "finally",
    "for",
    "function",
    "if",
    "implements",
    "import",
    "in",
    "infer",
    "instanceof",
    "interface",
    "is",
    "keyof",
    "let",
    "never",
    "new",
    "null",
    "number",
    "object",
    "package",
    "private",
    "protected",
    "public",
    "readonly",
    "return",
    "static",
    "string",
    "super",
    "switch",
    "symbol",
    "this",
    "throw",
    "true",
    "try",
    "typeof",
    "undefined",
    "unique",
    "unknown",
    "var",
    "void",
];

/// Further words that a declaration would not parse as names.
const SYNTAX: [&str; 4] = ["intrinsic", "while", "with", "yield"];

/// The greatest length of a name in bytes. Longer names are refused.
const MAX_LENGTH: usize = 200;

/// True for a valid name of a top-level definition, a parameter or a type parameter.
pub(super) fn is_name(text: &str) -> bool {
    is_word(text) && RESERVED.binary_search(&text).is_err() && !SYNTAX.contains(&text)
}

/// True for an identifier or reserved word: both are valid after a dot and as the name of a property.
pub(super) fn is_word(text: &str) -> bool {
    text.starts_with(is_word_start) && text.chars().all(is_word_continue) && text.len() <= MAX_LENGTH
}

/// The name of a property or method as it is written in a declaration: in quotes unless it is a word or a number.
/// `None` if the name cannot be written, such as `constructor`, which would declare the constructor.
pub(super) fn property_name(name: &str) -> Option<String> {
    if is_word(name) {
        return (name != "constructor").then(|| name.to_owned());
    }
    let is_number =
        !name.is_empty() && name.len() < 16 && !name.starts_with('0') && name.bytes().all(|b| b.is_ascii_digit());
    if is_number || name == "0" {
        return Some(name.to_owned());
    }
    let is_plain = |c: char| !is_unprintable(c) && !matches!(c, '"' | '\\' | '`');
    (!name.is_empty() && name.len() <= MAX_LENGTH && name.chars().all(is_plain)).then(|| format!("\"{name}\""))
}

pub(super) fn is_word_start(c: char) -> bool {
    c.is_ascii_alphabetic() || matches!(c, '_' | '$') || is_plain_letter(c)
}

pub(super) fn is_word_continue(c: char) -> bool {
    is_word_start(c) || c.is_ascii_digit()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_sorted_for_the_search() {
        assert!(RESERVED.is_sorted());
    }

    #[test]
    fn names() {
        assert!(is_name("run") && is_name("$x") && is_name("größe") && is_name("type") && is_name("async"));
        for text in ["", "1a", "a-b", "class", "any", "a b", "x\u{1b}", "a.b", "yield"] {
            assert!(!is_name(text), "{text:?}");
        }
    }

    #[test]
    fn properties_are_quoted_where_they_are_no_words() {
        assert_eq!(property_name("class").as_deref(), Some("class"));
        assert_eq!(property_name("content-type").as_deref(), Some("\"content-type\""));
        assert_eq!(property_name("0").as_deref(), Some("0"));
        assert_eq!(property_name("007").as_deref(), Some("\"007\""));
        for text in ["", "a\nb", "a\"b", "a\\", "constructor", "\u{202e}"] {
            assert_eq!(property_name(text), None, "{text:?}");
        }
    }
}
