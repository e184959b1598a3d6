//! The sections of a corpus by their ids, which are those of results: `docs/a.md:12`.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::Corpus;
use apidisc_facts::program::DefinitionId;

impl Corpus {
    /// The lines of a section of a document, from the heading to the line before the next one. `id` is that of a
    /// result.
    pub fn section_lines(&self, id: &str) -> Option<Range<u32>> {
        let (path, line) = id.rsplit_once(':')?;
        let section = self.sections.iter().flatten().find(|section| section.is_at(path, line))?;
        Some(section.line..section.end)
    }

    /// For each section with one of these ids, the definitions that its code calls; and for each definition, how many
    /// sections call it.
    pub fn called_in_sections(&self, ids: &[&str]) -> (Vec<Vec<DefinitionId>>, FxHashMap<DefinitionId, usize>) {
        let mut called = vec![Vec::new(); ids.len()];
        let mut counts: FxHashMap<DefinitionId, usize> = FxHashMap::default();
        for section in self.sections.iter().flatten() {
            for id in &section.called {
                *counts.entry(*id).or_default() += 1;
            }
            let has_id = |id: &&str| id.rsplit_once(':').is_some_and(|(path, line)| section.is_at(path, line));
            if let Some(at) = ids.iter().position(has_id) {
                called[at] = section.called;
            }
        }
        (called, counts)
    }
}
