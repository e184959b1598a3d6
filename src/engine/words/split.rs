//! The words of names and of texts, as a search compares them.

use super::phrases::expression;

/// Words of English that say nothing about code.
const STOP_WORDS: &[&str] = &[
    "a", "about", "an", "and", "any", "are", "as", "at", "be", "been", "by", "can", "could", "do", "does", "for",
    "from", "has", "have", "how", "i", "if", "in", "into", "is", "it", "its", "me", "my", "of", "on", "or", "our",
    "please", "should", "so", "that", "the", "their", "them", "then", "there", "these", "this", "those", "to", "us",
    "use", "used", "using", "want", "was", "we", "were", "what", "when", "where", "which", "who", "why", "will",
    "with", "would", "you", "your",
];

/// True for a word of English that says nothing about code, in lower case.
pub fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.binary_search(&word).is_ok()
}

/// The words of a query that say something about code. All words if they are stop words: such a query is a search for
/// them.
pub fn query_words(query: &str) -> Vec<String> {
    let all: Vec<String> = words(query).collect();
    let said: Vec<String> = all.iter().filter(|word| !is_stop_word(word)).cloned().collect();
    if said.is_empty() { all } else { said }
}

/// A word of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SaidWord {
    /// The word in lower case; of an expression such as `by hand` the usual word for it, `manual`.
    pub word: String,
    /// Of an expression, the other words for it.
    pub others: &'static [&'static str],
    /// Of an expression, its own words that say something: a text may have the expression as it is.
    pub literal: Vec<String>,
}

/// The words of a query that say something about code. An expression of several words is the word that it stands for.
pub fn said_words(query: &str) -> Vec<SaidWord> {
    let plain = |word: String| SaidWord { word, others: &[], literal: Vec::new() };
    let all: Vec<String> = words(query).collect();
    let mut said = Vec::new();
    let mut rest = &all[..];
    while let Some((first, others)) = rest.split_first() {
        if let Some((count, meaning)) = expression(rest) {
            if let Some((word, others)) = meaning.split_first() {
                let literal = rest[..count].iter().filter(|word| !is_stop_word(word)).cloned().collect();
                said.push(SaidWord { word: (*word).to_owned(), others, literal });
            }
            rest = &rest[count..];
            continue;
        }
        said.extend(Some(first).filter(|word| !is_stop_word(word)).cloned().map(plain));
        rest = others;
    }
    if said.is_empty() { all.into_iter().map(plain).collect() } else { said }
}

/// The words of a name or text in lower case, in order: `HTTPServer.run_all` is `http`, `server`, `run`, `all`.
///
/// A word ends at a character that is no letter or digit, before a capital that follows a small letter or digit, and
/// before the last of several capitals that a small letter follows.
pub fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty()).flat_map(parts).map(str::to_lowercase)
}

/// The letters and digits of a name or text in lower case: two spellings of one name are equal when they are folded.
pub fn folded(text: &str) -> String {
    if text.is_ascii() {
        let letters = text.bytes().filter(u8::is_ascii_alphanumeric);
        return letters.map(|letter| char::from(letter.to_ascii_lowercase())).collect();
    }
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The parts of a name without separators.
fn parts(name: &str) -> Vec<&str> {
    let chars: Vec<(usize, char)> = name.char_indices().collect();
    let mut parts = Vec::new();
    let mut start = 0;
    for at in 1..chars.len() {
        let (before, (offset, c)) = (chars[at - 1].1, chars[at]);
        let next_is_small = chars.get(at + 1).is_some_and(|(_, next)| next.is_lowercase());
        let begins = c.is_uppercase() && (!before.is_uppercase() || next_is_small);
        if begins {
            parts.push(&name[start..offset]);
            start = offset;
        }
    }
    parts.push(&name[start..]);
    parts
}

/// A word without the ending of a plural, so that `agents` finds `agent`.
pub fn singular(word: &str) -> &str {
    match word.strip_suffix('s') {
        Some(rest) if word.len() > 3 && !rest.ends_with(['s', 'u', 'i']) => rest,
        _ => word,
    }
}

#[cfg(test)]
mod tests {
    use super::{STOP_WORDS, said_words, singular, words};

    #[test]
    fn names_are_words() {
        let words = |text| words(text).collect::<Vec<_>>();
        assert_eq!(words("HTTPServer"), ["http", "server"]);
        assert_eq!(words("getHTTPResponse2xx"), ["get", "http", "response2xx"]);
        assert_eq!(words("__init_subclass__"), ["init", "subclass"]);
        assert_eq!(words("parseURL"), ["parse", "url"]);
        assert_eq!(words("a/b#Größe.ÄndereX"), ["a", "b", "größe", "ändere", "x"]);
        assert_eq!(words("--"), [""; 0]);
    }

    #[test]
    fn expressions_are_said_as_one_word() {
        let said = |query| said_words(query).into_iter().map(|said| said.word).collect::<Vec<_>>();
        assert_eq!(
            said("take the next item by hand instead of with a callback"),
            ["take", "next", "item", "manual", "callback"]
        );
        assert_eq!(said("what is it"), ["what", "is", "it"]);
        let retry = &said_words("tried again")[0];
        assert_eq!(
            (retry.others, &retry.literal[..]),
            (&["attempt"][..], &["tried".to_owned(), "again".to_owned()][..])
        );
        assert_eq!(said(""), [""; 0]);
    }

    #[test]
    fn plurals_are_folded() {
        assert_eq!(
            ["agents", "class", "status", "is", "axis"].map(singular),
            ["agent", "class", "status", "is", "axis"]
        );
    }

    #[test]
    fn stop_words_are_sorted() {
        assert!(STOP_WORDS.is_sorted());
    }
}
