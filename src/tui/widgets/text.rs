//! Sanitizes text that cannot be trusted, and measures, cuts and wraps text in cells.

use std::{borrow::Cow, ops::Range};

use apidisc::unprintable::is_unprintable;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// Sanitizes text for the screen: control characters become pictures (`␛`), and characters that reorder or hide text
/// become `�`. Joiners and variation selectors are removed, since terminals disagree on the width of the emoji that
/// they make.
pub fn sanitized(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|b| (b' '..=b'~').contains(&b)) || !text.chars().any(|c| picture(c).is_some()) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match picture(c) {
            None => out.push(c),
            Some(Picture::Shown(other)) => out.push(other),
            Some(Picture::Nothing) => {}
        }
    }
    Cow::Owned(out)
}

enum Picture {
    Shown(char),
    Nothing,
}

/// The replacement of a character that must not reach the terminal.
fn picture(c: char) -> Option<Picture> {
    let shown = match c {
        '\u{0}'..='\u{1f}' => char::from_u32(0x2400 + c as u32)?,
        '\u{7f}' => '\u{2421}',
        // Joiners and variation selectors change the picture of their neighbours.
        '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' => return Some(Picture::Nothing),
        // Private use.
        '\u{e000}'..='\u{f8ff}' => '\u{fffd}',
        c if is_unprintable(c) => '\u{fffd}',
        _ => return None,
    };
    Some(Picture::Shown(shown))
}

/// The width of sanitized text in cells.
pub fn width(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.width() }
}

/// Truncates sanitized text to `cells` cells, with `…` at the end.
pub fn truncate(text: &str, cells: usize) -> Cow<'_, str> {
    if width(text) <= cells {
        return Cow::Borrowed(text);
    }
    if cells == 0 {
        return Cow::Borrowed("");
    }
    let mut used = 0;
    let mut end = 0;
    for (at, grapheme) in text.grapheme_indices(true) {
        let next = used + grapheme.width();
        if next > cells - 1 {
            break;
        }
        used = next;
        end = at + grapheme.len();
    }
    Cow::Owned(format!("{}…", &text[..end]))
}

/// The longest end of sanitized text that fits into `cells` cells, and the number of graphemes before this end.
pub fn tail(text: &str, cells: usize) -> (&str, usize) {
    let mut left = width(text);
    let mut graphemes = text.grapheme_indices(true);
    let mut missing = 0;
    let mut start = 0;
    while left > cells {
        let Some((at, grapheme)) = graphemes.next() else { break };
        left -= grapheme.width();
        missing += 1;
        start = at + grapheme.len();
    }
    (&text[start..], missing)
}

/// Wraps text between words into lines of at most `cells` cells. A longer word is a line of its own.
pub fn wrap(text: &str, cells: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if width(line) + 1 + width(word) <= cells => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Wraps text between words into lines of at most `cells` cells. A longer word is broken, so that nothing is cut off.
pub fn wrap_all(text: &str, cells: usize) -> Vec<String> {
    let broken =
        |line: &String| break_line(line, cells).into_iter().map(|part| line[part].to_owned()).collect::<Vec<_>>();
    wrap(text, cells).iter().flat_map(broken).collect()
}

/// Breaks a line into parts of at most `cells` cells, given by their bytes: behind the last space of a part, if it has
/// one. An empty line has one part. A grapheme that is wider than `cells` is a part of its own.
pub fn break_line(line: &str, cells: usize) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let (mut start, mut used) = (0, 0);
    for (at, grapheme) in line.grapheme_indices(true) {
        let next = width(grapheme);
        if used + next > cells && at > start {
            // Spaces at the beginning are the indentation.
            let part = &line[start..at];
            let space = part.rfind(' ').filter(|space| !part[..*space].trim_start().is_empty());
            let end = space.map_or(at, |space| start + space + 1);
            parts.push(start..end);
            (start, used) = (end, width(&line[end..at]));
        }
        used += next;
    }
    parts.push(start..line.len());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_never_reach_the_terminal() {
        assert_eq!(sanitized("\x1b[31mred\x07"), "␛[31mred␇");
        assert_eq!(sanitized("a\u{202e}b\u{9b}c"), "a\u{fffd}b\u{fffd}c");
        assert_eq!(sanitized("a\tb\nc\rd"), "a␉b␊c␍d");
        assert!(matches!(sanitized("plain"), Cow::Borrowed(_)));
        assert!(matches!(sanitized("größer 日本"), Cow::Borrowed(_)));
    }

    #[test]
    fn joined_emoji_are_split() {
        assert_eq!(sanitized("👩\u{200d}💻"), "👩💻");
        assert_eq!(width("👩💻"), 4);
    }

    #[test]
    fn long_words_are_broken() {
        assert_eq!(wrap_all("ab cdefgh i", 4), ["ab", "cdef", "gh", "i"]);
        assert_eq!(break_line("日本語", 3), [0..3, 3..6, 6..9]);
        assert_eq!(break_line("  a bcd ef", 6), [0..4, 4..10]);
        assert_eq!(break_line("   abcdef", 6), [0..6, 6..9]);
        assert_eq!((break_line("", 3).len(), break_line("日", 1).len()), (1, 1));
    }

    #[test]
    fn truncation_counts_cells() {
        assert_eq!(truncate("abcdef", 6), "abcdef");
        assert_eq!(truncate("abcdef", 4), "abc…");
        assert_eq!(truncate("日本語", 5), "日本…");
        assert_eq!(truncate("日本語", 4), "日…");
        assert_eq!(truncate("e\u{301}e\u{301}e\u{301}", 2), "e\u{301}…");
        assert_eq!(truncate("abc", 1), "…");
        assert_eq!(truncate("abc", 0), "");
        assert_eq!(tail("abcdef", 4), ("cdef", 2));
        assert_eq!(tail("日本語", 5), ("本語", 1));
        assert_eq!(tail("ab", 4), ("ab", 0));
    }
}
