//! Text that is safe in comments and between quotes, for any content of the sources, and the format of numbers.

use apidisc_base::{shorten, unprintable::is_unprintable};
use apidisc_indexing::usage::{Uses, WrittenShare};

/// The longest summary, in characters: it fits on one line.
const MAX_SUMMARY_LENGTH: usize = 120;

/// The text without line breaks and unprintable characters, so that it cannot end a comment.
pub(crate) fn sanitized(text: &str) -> String {
    let mut sanitized = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() || c.is_whitespace() {
            if !sanitized.ends_with(' ') {
                sanitized.push(' ');
            }
        } else if !is_unprintable(c) {
            sanitized.push(c);
        }
    }
    sanitized.trim().to_owned()
}

/// The first sentence of a summary on one line, cut at a word if it is long. `None` if nothing is left.
pub(super) fn first_sentence(summary: &str) -> Option<String> {
    let text = sanitized(summary);
    let end = text
        .match_indices(". ")
        .map(|(at, _)| at + 1)
        .find(|&at| !text[..at].ends_with("e.g.") && !text[..at].ends_with("i.e."));
    let sentence = &text[..end.unwrap_or(text.len())];
    let line = shorten::to_words(sentence, MAX_SUMMARY_LENGTH, "...");
    (!line.is_empty()).then_some(line)
}

/// True for a letter beyond ASCII that every version of both languages accepts in identifiers.
pub(super) fn is_plain_letter(c: char) -> bool {
    matches!(c,
        '\u{c0}'..='\u{24f}' | '\u{386}'..='\u{3ff}' | '\u{400}'..='\u{52f}' | '\u{3041}'..='\u{3096}'
        | '\u{30a1}'..='\u{30fa}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}')
        && c.is_alphabetic()
}

/// `1204` as `1,204`.
pub(crate) fn group_digits(number: u32) -> String {
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

/// Uses in words: `204 calls`, `151 reads`, `204 calls and 151 reads`.
pub fn uses_in_words(uses: Uses) -> String {
    let reads = || pluralized(uses.reads, "read");
    match (uses.calls, uses.reads) {
        (calls, 0) => pluralized(calls, "call"),
        (0, _) => reads(),
        (calls, _) => format!("{} and {}", pluralized(calls, "call"), reads()),
    }
}

/// The calls that pass an argument, as a share of the calls for which this is known.
#[derive(Clone, Copy, Debug)]
pub(super) struct PassedShare {
    share: WrittenShare,
    passed: u32,
    known: u32,
}

impl PassedShare {
    /// `None` if no call is known to pass the argument.
    pub(super) fn new(passed: u32, known: u32) -> Option<Self> {
        let share = WrittenShare::new(passed, known).filter(|_| passed > 0)?;
        Some(Self { share, passed, known })
    }

    /// `68% of 204 calls`, `3 of 1,204 calls`, `all but 3 of 1,204 calls`, `the only call`. `noun` is the word for a
    /// call.
    pub(super) fn of_calls(self, noun: &str) -> String {
        if self.known == 1 {
            return format!("the only {noun}");
        }
        let part = match self.share {
            WrittenShare::Percent(share) => format!("{share}%"),
            WrittenShare::NearlyNone => group_digits(self.passed),
            WrittenShare::NearlyAll => format!("all but {}", group_digits(self.known.saturating_sub(self.passed))),
        };
        format!("{part} of {}", pluralized(self.known, noun))
    }

    /// The percentage; `None` if it would be rounded to nothing or to everything.
    pub(super) fn percent(self) -> Option<u32> {
        match self.share {
            WrittenShare::Percent(share) => Some(share),
            WrittenShare::NearlyNone | WrittenShare::NearlyAll => None,
        }
    }

    /// The argument with its share: `timeout in 68%`, `timeout in 3 calls`, `timeout in all but 3 calls`. `word`
    /// precedes a percentage.
    pub(super) fn after_name(self, name: &str, word: &str) -> String {
        match self.share {
            WrittenShare::Percent(share) => format!("{name}{word} {share}%"),
            WrittenShare::NearlyNone => format!("{name} in {}", pluralized(self.passed, "call")),
            WrittenShare::NearlyAll => {
                format!("{name} in all but {}", pluralized(self.known.saturating_sub(self.passed), "call"))
            }
        }
    }
}

/// The comment of a signature on one line: `204 calls: timeout 68%, ...`. `None` if there is nothing to say.
pub(super) fn shape_comment(calls: Option<String>, notes: &[String]) -> Option<String> {
    let notes = (!notes.is_empty()).then(|| notes.join(", "));
    match (calls, notes) {
        (Some(calls), Some(notes)) => Some(format!("{calls}: {notes}")),
        (calls, notes) => calls.or(notes),
    }
}

/// `1 call`, `2 calls`.
pub(crate) fn pluralized(number: u32, word: &str) -> String {
    format!("{} {word}{}", group_digits(number), if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_and_reads_are_stated_separately() {
        let words = |calls, reads| uses_in_words(Uses { calls, reads });
        assert_eq!([words(0, 0), words(1, 0), words(0, 1200)], ["0 calls", "1 call", "1,200 reads"]);
        assert_eq!(words(204, 1), "204 calls and 1 read");
    }

    #[test]
    fn a_share_says_all_or_nothing_only_if_that_is_so() {
        let words = |passed, known| {
            let share = PassedShare::new(passed, known).expect("a share");
            (share.of_calls("call"), share.after_name("a", ""), share.after_name("a", " in"))
        };
        let expect = |texts: [&str; 3]| (texts[0].to_owned(), texts[1].to_owned(), texts[2].to_owned());
        assert_eq!(words(3, 4), expect(["75% of 4 calls", "a 75%", "a in 75%"]));
        assert_eq!(words(4, 4), expect(["100% of 4 calls", "a 100%", "a in 100%"]));
        assert_eq!(words(3, 1204), expect(["3 of 1,204 calls", "a in 3 calls", "a in 3 calls"]));
        assert_eq!(
            words(1203, 1204),
            expect(["all but 1 of 1,204 calls", "a in all but 1 call", "a in all but 1 call"])
        );
        assert_eq!(words(1, 1), expect(["the only call", "a 100%", "a in 100%"]));
        assert!(PassedShare::new(0, 4).is_none() && PassedShare::new(0, 0).is_none());
    }

    #[test]
    fn the_comment_of_a_short_form_names_the_calls_before_the_shares() {
        let comment = |calls: Option<&str>, notes: &[&str]| {
            shape_comment(calls.map(str::to_owned), &notes.iter().map(|note| (*note).to_owned()).collect::<Vec<_>>())
        };
        assert_eq!(comment(Some("204 calls"), &["timeout 68%", "..."]), Some("204 calls: timeout 68%, ...".to_owned()));
        assert_eq!(comment(Some("204 calls"), &[]), Some("204 calls".to_owned()));
        assert_eq!([comment(None, &["..."]), comment(None, &[])], [Some("...".to_owned()), None]);
    }

    #[test]
    fn a_summary_is_its_first_sentence_on_one_line() {
        assert_eq!(first_sentence("One. Two."), Some("One.".into()));
        assert_eq!(first_sentence("Takes e.g. a name. Two."), Some("Takes e.g. a name.".into()));
        assert_eq!(first_sentence("Red\u{1b}[31m\nnext\u{202e}"), Some("Red [31m next".into()));
        assert_eq!(first_sentence(" \u{0} "), None);
        assert!(first_sentence(&"word ".repeat(60)).is_some_and(|text| text.ends_with("word...") && text.len() < 130));
    }

    #[test]
    fn digits_are_grouped() {
        assert_eq!(["0", "999", "1,000", "1,234,567"].map(str::to_owned), [0, 999, 1000, 1_234_567].map(group_digits));
        assert_eq!((pluralized(1, "call"), pluralized(1204, "call")), ("1 call".into(), "1,204 calls".into()));
    }
}
