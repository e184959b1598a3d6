//! The prose of a docstring or comment after its first paragraph.

use compact_str::CompactString;

use super::words;

/// The greatest length of the details, in bytes.
const MAX_DETAILS: usize = 2_000;

/// Prose as paragraphs on one line each. Lines are added in the order of the text.
#[derive(Debug, Default)]
pub(super) struct Details<'t> {
    text: CompactString,
    /// The lines of the present paragraph.
    paragraph: Vec<&'t str>,
    /// The paragraphs and blocks of code before the present one.
    blocks: usize,
    /// True between the fences of a block of code.
    is_fenced: bool,
}

impl<'t> Details<'t> {
    /// Adds a line that belongs to no section.
    pub(super) fn add(&mut self, line: &'t str) {
        let line = line.trim();
        if line.starts_with("```") || line.starts_with("~~~") {
            self.end_paragraph();
            self.is_fenced = !self.is_fenced;
        } else if self.is_fenced {
        } else if line.is_empty() {
            self.end_paragraph();
        } else {
            // An item of a list is a line of its own, as people read it.
            if is_item(line) && self.blocks > 0 {
                self.push_paragraph();
            }
            self.paragraph.push(line);
        }
    }

    /// Ends the present paragraph: at a blank line, and before a section.
    pub(super) fn end_paragraph(&mut self) {
        let is_code = self.paragraph.first().is_some_and(|first| first.starts_with(">>> "));
        if is_code {
            self.paragraph.clear();
        }
        let is_any = !self.paragraph.is_empty();
        self.push_paragraph();
        self.blocks += usize::from(is_any);
    }

    /// Moves the lines of the present paragraph to the text; the lines of the first paragraph are dropped, since they
    /// are the summary.
    fn push_paragraph(&mut self) {
        let room = MAX_DETAILS.saturating_sub(self.text.len());
        let lines = std::mem::take(&mut self.paragraph);
        if self.blocks == 0 || lines.is_empty() || room == 0 {
            return;
        }
        let text = words::joined(lines.into_iter(), room);
        if !text.is_empty() {
            if !self.text.is_empty() {
                self.text.push('\n');
            }
            self.text.push_str(&text);
        }
    }

    /// The text; `None` if nothing follows the first paragraph.
    pub(super) fn finish(mut self) -> Option<CompactString> {
        self.end_paragraph();
        (!self.text.is_empty()).then_some(self.text)
    }
}

/// True for the first line of an item: `- a`, `* a`, `1. a`.
fn is_item(line: &str) -> bool {
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered = number.len() < line.len() && number.starts_with(". ");
    is_numbered || ["- ", "* ", "+ "].iter().any(|mark| line.starts_with(mark))
}
