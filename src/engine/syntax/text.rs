//! Rules for source text that facts keep, in any language: it is short, on one line and without control characters.

use compact_str::CompactString;

/// The maximum length of a summary, in bytes. A longer summary is cut between two words.
const MAX_SUMMARY: usize = 200;
/// The maximum length of a literal, in bytes. The text of a longer literal is not kept.
pub(super) const MAX_LITERAL: usize = 40;

/// The text of a literal, if it is short and has no control characters.
pub(super) fn literal(text: &str) -> Option<CompactString> {
    (text.len() <= MAX_LITERAL && !text.contains(char::is_control)).then(|| CompactString::new(text))
}

/// Joins lines to one paragraph without control characters; `None` if all lines are blank.
pub(super) fn paragraph<'t>(lines: impl Iterator<Item = &'t str>) -> Option<CompactString> {
    let mut paragraph = String::new();
    for word in lines.flat_map(str::split_whitespace) {
        if paragraph.len() + word.len() > MAX_SUMMARY {
            paragraph.push('…');
            break;
        }
        if !paragraph.is_empty() {
            paragraph.push(' ');
        }
        paragraph.push_str(word);
    }
    (!paragraph.is_empty()).then(|| paragraph.chars().filter(|c| !c.is_control()).collect())
}
