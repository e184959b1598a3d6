//! Identifiers and property names that may be written as code.

use crate::stub::text::is_plain_letter;
use apidisc_base::unprintable::is_unprintable;

/// The reserved words of ECMAScript, including those of strict mode. No declaration can have one of them as its name,
/// but a module can export a declaration under one of them. Sorted for binary search.
const RESERVED: [&str; 48] = [
    "arguments",
    "await",
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
    "instanceof",
    "interface",
    "let",
    "new",
    "null",
    "package",
    "private",
    "protected",
    "public",
    "return",
    "static",
    "super",
    "switch",
    "this",
    "throw",
    "true",
    "try",
    "typeof",
    "var",
    "void",
    "while",
    "with",
    "yield",
];

/// The names of built-in types and the words of the type syntax: a function, constant, namespace or parameter can have
/// one of them as its name, a type cannot. Sorted for binary search.
const TYPE_WORDS: [&str; 18] = [
    "any",
    "as",
    "asserts",
    "bigint",
    "boolean",
    "infer",
    "intrinsic",
    "is",
    "keyof",
    "never",
    "number",
    "object",
    "readonly",
    "string",
    "symbol",
    "undefined",
    "unique",
    "unknown",
];

/// The greatest length of a name in bytes. Longer names are refused.
const MAX_LENGTH: usize = 200;

/// True for a valid name of a function, a constant, a namespace or a parameter.
pub(super) fn is_value_name(text: &str) -> bool {
    is_word(text) && RESERVED.binary_search(&text).is_err()
}

/// True for a valid name of any declaration, in particular of a type or a type parameter.
pub(super) fn is_name(text: &str) -> bool {
    is_value_name(text) && TYPE_WORDS.binary_search(&text).is_err()
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
        assert!(RESERVED.is_sorted() && TYPE_WORDS.is_sorted());
    }

    #[test]
    fn names() {
        assert!(is_name("run") && is_name("$x") && is_name("größe") && is_name("type") && is_name("async"));
        for text in ["", "1a", "a-b", "class", "any", "a b", "x\u{1b}", "a.b", "yield"] {
            assert!(!is_name(text), "{text:?}");
        }
        assert!(is_value_name("string") && is_value_name("undefined") && is_value_name("of"));
        assert!(!is_value_name("enum") && !is_value_name("let") && !is_value_name("a b"));
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
