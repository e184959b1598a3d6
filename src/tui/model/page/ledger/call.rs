//! The page of one call: what is written there, how it is resolved or why it is not, and what is around it.

use super::{CallExplanation, CallPlace, reason_in_words};
use crate::tui::model::{
    Catalog, Topic,
    page::{CallRow, ItemBody, PageItem, PageNameRow, SourcePlace, TextRole, card},
};
use apidisc::program::{DefinitionId, Resolution};

/// The indentation of what is known of a part of the callee, in cells.
const INDENT: u16 = 4;

pub(super) fn items(
    catalog: &Catalog,
    place: &CallPlace,
    explained: Option<&Result<CallExplanation, String>>,
    width: u16,
) -> Vec<PageItem> {
    let Some(id) = place.find(catalog) else { return vec![PageItem::dim("the call no longer stands there")] };
    let index = &catalog.index;
    let call = index.call(id);
    let row = CallRow {
        call: id,
        place: format!("{}:{}", place.path, place.line),
        caller: String::new(),
        callee: "…".to_owned(),
        passed: String::new(),
    };
    let mut items = vec![PageItem::new(ItemBody::Call(row)).shows(SourcePlace::Call(id)), PageItem::blank()];
    let (heading, candidates) = match call.resolution {
        Resolution::Resolved(callee) => ("Resolved", vec![callee]),
        Resolution::Ambiguous(_) => ("Not resolved", index.calls.candidates(call).to_vec()),
        Resolution::Unresolved(_) => ("Not resolved", Vec::new()),
    };
    let reason = match call.resolution {
        Resolution::Resolved(_) => "to one definition, and counted for it",
        Resolution::Ambiguous(_) => reason_in_words(None),
        Resolution::Unresolved(reason) => reason_in_words(Some(reason)),
    };
    items.push(PageItem::heading(heading, ""));
    items.extend(indented(reason, TextRole::Text, width));
    items.extend([PageItem::blank(), PageItem::heading("Step by step", "")]);
    match explained {
        None => items.push(PageItem::dim("  the code is read and linked again, which takes as long as at the start…")),
        Some(Err(why)) => items.extend(indented(why, TextRole::Unknown, width)),
        Some(Ok(explanation)) => {
            for (code, says) in &explanation.steps {
                items.extend(indented(code, TextRole::Value, width));
                let lines = card::wrapped(says, width.saturating_sub(INDENT + 2));
                items.extend(lines.map(|line| PageItem::dim(format!("    {line}"))));
            }
            items.extend(indented(&format!("→ {}", explanation.result), TextRole::Text, width));
        }
    }
    section(catalog, "What it calls, or may call", &candidates, &mut items);
    section(catalog, "Stands in", call.caller.as_slice(), &mut items);
    if call.caller.is_none() {
        let module = index.file(call.file).module;
        let name = index.module(module).fqn.to_string();
        let name = PageNameRow { kind: None, name, uses: 0, note: "outside of functions".to_owned() };
        items.extend([PageItem::blank(), PageItem::heading("Stands in", "")]);
        items.push(PageItem::new(ItemBody::Name(name)).link_to(Topic::Module(module)));
    }
    items
}

fn indented(text: &str, role: TextRole, width: u16) -> impl Iterator<Item = PageItem> {
    let lines: Vec<String> = card::wrapped(text, width.saturating_sub(INDENT)).collect();
    lines.into_iter().map(move |line| PageItem::new(ItemBody::Text(vec![(format!("  {line}"), role)])))
}

/// A section of definitions; nothing if there are none.
fn section(catalog: &Catalog, heading: &str, definitions: &[DefinitionId], items: &mut Vec<PageItem>) {
    if definitions.is_empty() {
        return;
    }
    items.extend([PageItem::blank(), PageItem::heading(heading, "")]);
    items.extend(definitions.iter().map(|&id| {
        let note = catalog.index.definition(id).summary.as_deref().unwrap_or_default();
        PageItem::definition(catalog, id, catalog.label(id, false), note)
    }));
}
