//! A page that is narrowed to the rows that hold what is typed, with the headings above them.

use tui_input::Input;

use super::{Body, Item};
use crate::tui::model::Wordings;
use apidisc::search;

/// What narrows a page.
#[derive(Debug, Default)]
pub struct Narrow {
    /// What is typed.
    pub input: Input,
    /// It is being typed.
    pub is_typing: bool,
    /// Every row, where not all of them are shown.
    pub all: Option<Vec<Item>>,
}

impl Narrow {
    /// What rows have to hold; empty where all of them are shown.
    pub fn pattern(&self) -> &str {
        self.input.value().trim()
    }

    /// True where rows may be missing.
    pub fn is_on(&self) -> bool {
        !self.pattern().is_empty()
    }

    /// Of all rows those that are shown.
    pub(super) fn rows(&self, all: &[Item], wordings: &Wordings) -> Vec<Item> {
        let texts: Vec<String> = all.iter().map(|item| text(item, wordings)).collect();
        let mut keep = vec![false; all.len()];
        for (row, _) in search::substring_matches(self.pattern(), &texts) {
            keep[row] = !texts[row].is_empty();
        }
        let mut rows: Vec<Item> = Vec::new();
        let mut heading = None;
        let mut is_kept = false;
        for (item, keep) in all.iter().zip(keep) {
            match item.body {
                Body::Heading(..) => heading = Some(item),
                // What goes on from a row goes with it.
                Body::Further(_) if is_kept => rows.push(item.clone()),
                _ if keep => {
                    if let Some(heading) = heading.take() {
                        rows.extend((!rows.is_empty()).then(Item::blank));
                        rows.push(heading.clone());
                    }
                    rows.push(item.clone());
                }
                _ => {}
            }
            is_kept = keep || is_kept && matches!(item.body, Body::Further(_));
        }
        rows
    }
}

/// What a row says, as a filter sees it.
fn text(item: &Item, wordings: &Wordings) -> String {
    match &item.body {
        Body::Call(call) => {
            let said = wordings.get(call.call).map_or(call.passed.as_str(), |wording| &wording.text);
            format!("{} {said}", call.place)
        }
        Body::Share(share) => format!("{} {}", share.name.trim(), share.note),
        Body::Name(name) => format!("{} {}", name.name, name.note),
        Body::Further(_) => String::new(),
        body => body.name(),
    }
}
