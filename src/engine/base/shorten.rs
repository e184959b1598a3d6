//! Long texts cut for one line of an answer or a stub.

/// The text if it has at most `max` characters; else its first `max` characters without white space at the end, and
/// `mark`.
pub fn to_chars(text: &str, max: usize, mark: &str) -> String {
    match text.char_indices().nth(max) {
        None => text.to_owned(),
        Some((at, _)) => format!("{}{mark}", text[..at].trim_end()),
    }
}

/// The text if it has at most `max` characters; else its first words within `max` characters, and `mark`. A first word
/// that is longer is cut.
pub fn to_words(text: &str, max: usize, mark: &str) -> String {
    match text.char_indices().nth(max) {
        None => text.to_owned(),
        Some((at, _)) => {
            let words = text[..at].rsplit_once(' ').map_or(&text[..at], |(words, _)| words);
            format!("{words}{mark}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_at_a_character_or_at_a_word() {
        assert_eq!([to_chars("naïve", 5, "…"), to_chars("naïve", 3, "…")], ["naïve", "naï…"]);
        assert_eq!(to_chars("two words", 4, "…"), "two…");
        assert_eq!([to_words("two words", 9, "..."), to_words("two words", 8, "...")], ["two words", "two..."]);
        assert_eq!(to_words("one-word", 3, "..."), "one...");
    }
}
