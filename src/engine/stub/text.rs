//! Text that may stand in comments and between quotes, whatever the sources hold, and numbers as they are said.

/// The longest summary, in characters: one line.
const SUMMARY: usize = 120;

/// Text that cannot leave a comment: one line, no control characters, nothing that turns text around.
pub(crate) fn inert(text: &str) -> String {
    let mut inert = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() || c.is_whitespace() || matches!(c, '\u{2028}' | '\u{2029}') {
            if !inert.ends_with(' ') {
                inert.push(' ');
            }
        } else if !is_unprintable(c) {
            inert.push(c);
        }
    }
    inert.trim().to_owned()
}

/// A summary on one line: its first sentence, cut to a line.
pub(super) fn sentence(summary: &str) -> Option<String> {
    let text = inert(summary);
    let end = text
        .match_indices(". ")
        .map(|(at, _)| at + 1)
        .find(|&at| !text[..at].ends_with("e.g.") && !text[..at].ends_with("i.e."));
    let sentence = &text[..end.unwrap_or(text.len())];
    let cut = match sentence.char_indices().nth(SUMMARY) {
        None => sentence.to_owned(),
        Some((at, _)) => {
            let words = sentence[..at].rsplit_once(' ').map_or(&sentence[..at], |(words, _)| words);
            format!("{words}...")
        }
    };
    (!cut.is_empty()).then_some(cut)
}

/// Characters that change how the text around them is seen.
pub(super) fn is_unprintable(c: char) -> bool {
    matches!(c,
        '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// A letter beyond ASCII of the scripts whose letters have never been in doubt.
pub(super) fn is_plain_letter(c: char) -> bool {
    matches!(c,
        '\u{c0}'..='\u{24f}' | '\u{386}'..='\u{3ff}' | '\u{400}'..='\u{52f}' | '\u{3041}'..='\u{3096}'
        | '\u{30a1}'..='\u{30fa}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}')
        && c.is_alphabetic()
}

/// `1204` as `1,204`.
pub(crate) fn grouped(number: u32) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 call`, `2 calls`.
pub(crate) fn counted(number: u32, word: &str) -> String {
    format!("{} {word}{}", grouped(number), if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_is_its_first_sentence_on_one_line() {
        assert_eq!(sentence("One. Two."), Some("One.".into()));
        assert_eq!(sentence("Takes e.g. a name. Two."), Some("Takes e.g. a name.".into()));
        assert_eq!(sentence("Red\u{1b}[31m\nnext\u{202e}"), Some("Red [31m next".into()));
        assert_eq!(sentence(" \u{0} "), None);
        assert!(sentence(&"word ".repeat(60)).is_some_and(|text| text.ends_with("word...") && text.len() < 130));
    }

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(["0", "999", "1,000", "1,234,567"].map(str::to_owned), [0, 999, 1000, 1_234_567].map(grouped));
        assert_eq!((counted(1, "call"), counted(1204, "call")), ("1 call".into(), "1,204 calls".into()));
    }
}
