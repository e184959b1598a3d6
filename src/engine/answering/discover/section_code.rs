//! The code at which the description of a section ends: a paragraph that introduces code says little without it.

use super::sections::Section;
use crate::answers::ReadSource;
use apidisc_base::unprintable::escaped_text;
use apidisc_facts::documents::{Format, blocks};

/// The greatest number of lines that are shown.
const MAX_LINES: usize = 12;
/// The line behind code that is cut.
const GAP: &str = "…";

/// The first block of code of a section, if it stands directly below the first paragraph. The block is cut to
/// [`MAX_LINES`] lines.
pub(super) fn section_code(section: &Section, read: &ReadSource<'_>) -> Option<String> {
    let document = read(&section.path)?;
    let format = Format::of_document(&section.path)?;
    let count = section.end.saturating_sub(section.line) as usize;
    let lines: Vec<&str> = document.source.lines().skip(section.line.max(1) as usize - 1).take(count).collect();
    let text = lines.join("\n");
    let block = blocks(&text, format).into_iter().next()?;
    // The heading and its underline, then the first paragraph.
    let is_text = |line: &&str| line.contains(char::is_alphanumeric);
    let paragraph = lines.iter().enumerate().skip(1).find(|(_, line)| is_text(line))?.0;
    // A literal block of reStructuredText opens at the end of the paragraph.
    let opening = block.opens_at.saturating_sub(1) as usize;
    let first_code = if opening > paragraph { opening } else { block.lines.first()?.line.saturating_sub(1) as usize };
    let between = lines.iter().take(first_code).skip(paragraph).skip_while(|line| is_text(line));
    if paragraph >= first_code || !between.into_iter().all(|line| line.trim().is_empty()) {
        return None;
    }
    let written = block.lines.iter().map(|line| line.text).skip_while(|line| line.trim().is_empty());
    let mut code: Vec<&str> = written.clone().take(MAX_LINES).collect();
    code.extend((written.count() > MAX_LINES).then_some(GAP));
    Some(escaped_text(code.join("\n").trim_end()))
}
