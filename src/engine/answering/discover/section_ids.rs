//! The sections of a corpus by their ids, which are those of results: `docs/a.md:12`.

use std::ops::Range;

use super::Corpus;

impl Corpus {
    /// The lines of a section of a document, from the heading to the line before the next one. `id` is that of a
    /// result.
    pub fn section_lines(&self, id: &str) -> Option<Range<u32>> {
        let (path, line) = id.rsplit_once(':')?;
        let section = self.sections.iter().flatten().find(|section| section.is_at(path, line))?;
        Some(section.line..section.end)
    }
}
