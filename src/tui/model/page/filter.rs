//! The filter of a page: it keeps rows that contain every word, and the headings above them.

use super::{ItemBody, PageItem};
use crate::tui::model::{CallLineCache, TextField};
use apidisc::search;

/// The filter of a page.
#[derive(Debug, Default)]
pub struct PageFilter {
    /// The pattern as it is typed.
    pub input: TextField,
    /// True while the pattern is being typed.
    pub is_typing: bool,
    /// All rows, while only some of them are shown.
    pub all: Option<Vec<PageItem>>,
}

impl PageFilter {
    /// The pattern; empty if all rows are shown.
    pub fn pattern(&self) -> &str {
        self.input.value().trim()
    }

    /// True if there is a pattern.
    pub fn is_on(&self) -> bool {
        !self.pattern().is_empty()
    }

    /// The rows that pass the filter.
    pub(super) fn rows(&self, all: &[PageItem], call_lines: &CallLineCache) -> Vec<PageItem> {
        let texts: Vec<String> = all.iter().map(|item| text(item, call_lines)).collect();
        let mut keep = vec![false; all.len()];
        for (row, _) in search::substring_matches(self.pattern(), &texts) {
            keep[row] = !texts[row].is_empty();
        }
        let mut rows: Vec<PageItem> = Vec::new();
        let mut heading = None;
        let mut is_kept = false;
        for (item, keep) in all.iter().zip(keep) {
            match item.body {
                ItemBody::Heading(..) => heading = Some(item),
                // A continuation line is kept with its row.
                ItemBody::Further(_) | ItemBody::Detail(_) if is_kept => rows.push(item.clone()),
                _ if keep => {
                    if let Some(heading) = heading.take() {
                        rows.extend((!rows.is_empty()).then(PageItem::blank));
                        rows.push(heading.clone());
                    }
                    rows.push(item.clone());
                }
                _ => {}
            }
            is_kept = keep || is_kept && matches!(item.body, ItemBody::Further(_) | ItemBody::Detail(_));
        }
        rows
    }
}

/// The text of a row that the filter searches.
fn text(item: &PageItem, call_lines: &CallLineCache) -> String {
    match &item.body {
        ItemBody::Call(call) => {
            let said = call_lines.get(call.call).map_or(call.passed.as_str(), |call_line| &call_line.text);
            format!("{} {said}", call.place)
        }
        ItemBody::Share(share) => format!("{} {}", share.name.trim(), share.note),
        ItemBody::Name(name) => format!("{} {}", name.name, name.note),
        ItemBody::Further(_) => String::new(),
        body => body.name(),
    }
}
