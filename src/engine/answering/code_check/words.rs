//! Searches for whole words and pieces of text, and lines by number.

use memchr::memmem;

/// True if the text contains the name as a whole word.
pub(super) fn has_word(text: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    !name.is_empty()
        && memmem::find_iter(text.as_bytes(), name.as_bytes()).any(|start| {
            // A match of a whole name begins and ends at the boundaries of characters.
            let (before, after) = (text[..start].chars().next_back(), text[start + name.len()..].chars().next());
            !before.is_some_and(is_part) && !after.is_some_and(is_part)
        })
}

/// True if the text contains one of the pieces.
pub(super) fn has_any(text: &str, pieces: &[&str]) -> bool {
    pieces.iter().any(|piece| memmem::find(text.as_bytes(), piece.as_bytes()).is_some())
}

/// True if the text has an index signature or a mapped type: `[name: string]`, `[K in Keys]`. A tuple with names
/// counts, too.
pub(super) fn has_index_signature(text: &str) -> bool {
    text.split('[').skip(1).any(|rest| {
        let rest = rest.trim_start().trim_start_matches(|c: char| c.is_alphanumeric() || c == '_' || c == '$');
        let rest = rest.trim_start();
        rest.starts_with(':') || rest.starts_with("in ")
    })
}

/// The lines `first` to `last` of a text, both from 1.
pub(super) fn lines(text: &str, first: u32, last: u32) -> &str {
    let start_of = |line: u32| match line.checked_sub(2) {
        None => 0,
        Some(newlines) => {
            memchr::memchr_iter(b'\n', text.as_bytes()).nth(newlines as usize).map_or(text.len(), |at| at + 1)
        }
    };
    &text[start_of(first)..start_of(last.max(first).saturating_add(1))]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_whole() {
        assert!(has_word("x = retry(1)", "retry") && has_word("retry", "retry") && has_word("é.retry é", "retry"));
        assert!(!has_word("retry_all retrying $retry", "retry") && !has_word("a", ""));
    }

    #[test]
    fn index_signatures_are_found() {
        assert!(has_index_signature("{ [name: string]: 1 }") && has_index_signature("{ [ K in keyof T ]?: 1 }"));
        assert!(!has_index_signature("{ a: string[]; b: T['c']; [Symbol.iterator](): D; [index]: 1 }"));
    }

    #[test]
    fn lines_are_counted_from_one() {
        let text = "a\nb\nc\n";
        assert_eq!(
            (lines(text, 1, 1), lines(text, 2, 3), lines(text, 4, 9), lines(text, 3, 1)),
            ("a\n", "b\nc\n", "", "c\n")
        );
    }
}
