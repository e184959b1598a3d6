//! Source text that is kept of any language: short, on one line, inert.

use compact_str::CompactString;

/// A summary longer than this is cut at a word.
const MAX_SUMMARY: usize = 200;
/// Literals longer than this are no values to count.
pub(super) const MAX_LITERAL: usize = 40;

/// A literal where it is short and plain.
pub(super) fn literal(text: &str) -> Option<CompactString> {
    (text.len() <= MAX_LITERAL && !text.contains(char::is_control)).then(|| CompactString::new(text))
}

/// Lines as one paragraph, without control characters; nothing where they are blank.
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
