//! The rows of the tuning page:
//!
//! - the members and arguments that differ at the next lower and the next higher notch of the setting;
//! - the call sites that are lost or gained there;
//! - the overrides.

use super::{Neighbour, Neighbours, StubSize};
use crate::tui::{
    model::{
        ActiveOverrides, Catalog, OverrideKind, Topic,
        page::{CallQuery, ItemBody, PageItem, ShareRow, SourcePlace, TextRole, call_row},
        settings::in_words,
    },
    widgets::grouped,
};
use apidisc::{
    delivery::{DeliveryError, Difference},
    index::Index,
    program::DefinitionId,
};

/// The greatest number of call sites that are listed for a neighbour.
const MAX_SITES: usize = 100;
/// The heading of the overrides.
const OVERRIDES: &str = "Pinned and banned";

pub(super) fn items(pinned: &ActiveOverrides, catalog: &Catalog, neighbours: Option<&Neighbours>) -> Vec<PageItem> {
    let mut items = Vec::new();
    if let Some(neighbours) = neighbours {
        let both = [(&neighbours.less, false), (&neighbours.more, true)];
        let both = || both.into_iter().filter_map(|(neighbour, is_more)| Some((neighbour.as_ref()?, is_more)));
        for (neighbour, is_more) in both() {
            shown(catalog, neighbours.here, neighbour, is_more, &mut items);
        }
        for (neighbour, is_more) in both() {
            sites(&catalog.index, neighbour, is_more, &mut items);
        }
        if items.is_empty() && neighbours.here.is_some() {
            items.push(PageItem::dim("everything is shown: there is no notch"));
        }
    }
    overrides(pinned, catalog, &mut items);
    items
}

/// Adds a heading with an empty row above it.
fn heading(text: String, note: impl Into<String>, items: &mut Vec<PageItem>) {
    if !items.is_empty() {
        items.push(PageItem::blank());
    }
    items.push(PageItem::heading(text, note));
}

/// The section of a neighbour: the members and arguments that it shows or hides.
fn shown(catalog: &Catalog, here: Option<StubSize>, neighbour: &Neighbour, is_more: bool, items: &mut Vec<PageItem>) {
    let arrow = if is_more { "→ more:" } else { "← less:" };
    let text = format!("{arrow} {}", in_words(neighbour.strategy));
    let (takes, brings) = ((&neighbour.loses, "takes away"), (&neighbour.gains, "brings"));
    let parts = if is_more { [brings, takes] } else { [takes, brings] };
    let mut parts = parts.into_iter().filter(|(difference, _)| has_rows(difference)).peekable();
    let note = match &neighbour.result {
        Err(DeliveryError::BudgetTooSmall { smallest, .. }) => {
            format!("too small: the least is {}", grouped(*smallest))
        }
        Err(why) => why.to_string(),
        Ok(size) if here.is_none() => format!("{} tokens", grouped(size.tokens)),
        Ok(_) => parts.peek().map_or("changes no argument and no call", |(_, word)| word).to_owned(),
    };
    heading(text, note, items);
    for (at, (difference, word)) in parts.enumerate() {
        if at > 0 {
            items.push(PageItem::dim(format!("and {word}")));
        }
        let members = difference.members.iter();
        items.extend(members.map(|&id| PageItem::definition(catalog, id, catalog.label(id, false), "")));
        let arguments = difference.arguments.iter();
        items.extend(arguments.map(|&(id, position)| argument(catalog, id, position, catalog.label(id, false))));
    }
}

fn has_rows(difference: &Difference) -> bool {
    !difference.members.is_empty() || !difference.arguments.is_empty()
}

/// The call sites that a neighbour gains or loses.
fn sites(index: &Index, neighbour: &Neighbour, is_more: bool, items: &mut Vec<PageItem>) {
    let (main, other) =
        if is_more { (&neighbour.gains, &neighbour.loses) } else { (&neighbour.loses, &neighbour.gains) };
    if main.sites.is_empty() {
        return;
    }
    let (text, instead) = if is_more { ("→ calls gained", "lost") } else { ("← calls lost", "gained") };
    let mut note = grouped(main.calls as usize);
    if other.calls > 0 {
        note = format!("{note}, and {} others {instead}", grouped(other.calls as usize));
    }
    heading(text.to_owned(), note, items);
    for &site in main.sites.iter().take(MAX_SITES) {
        if let Some(id) = index.call(site).resolution.definition() {
            let mut row = call_row(index, index.definition(id), site);
            // The list mixes calls of several definitions.
            if let ItemBody::Call(call) = &mut row.body {
                call.callee = index.definition(id).name.to_string();
            }
            items.push(row);
        }
    }
    if main.sites.len() > MAX_SITES {
        items.push(PageItem::dim(format!("and {} more", grouped(main.sites.len() - MAX_SITES))));
    }
}

/// The position of the heading of the overrides among the rows; the number of rows if there is no such heading.
pub(super) fn first_override(items: &[PageItem]) -> usize {
    let is_heading = |item: &PageItem| matches!(&item.body, ItemBody::Heading(text, _) if text == OVERRIDES);
    items.iter().rposition(is_heading).unwrap_or(items.len())
}

/// The row of an argument, with the calls that pass it.
fn argument(catalog: &Catalog, id: DefinitionId, position: usize, note: String) -> PageItem {
    let definition = catalog.index.definition(id);
    let usage = &definition.usage;
    let row = usage.parameters.get(position);
    let (part, unknown) = row.map_or((0, 0), |row| (row.count, row.unknown));
    let item = PageItem::share(ShareRow {
        name: definition
            .signature
            .as_ref()
            .map(|signature| signature.shown_label(position).to_string())
            .unwrap_or_default(),
        role: TextRole::Text,
        part,
        whole: usage.total_calls.saturating_sub(unknown),
        is_unseen: usage.total_calls > 0 && usage.total_calls == unknown,
        note,
    });
    let item = item.link_to(Topic::Argument(id, position as u16)).shows(SourcePlace::Definition(id));
    if part > 0 { item.calls(CallQuery::passing(id, position)) } else { item }
}

/// The section of overrides, in which they can be removed.
fn overrides(overrides: &ActiveOverrides, catalog: &Catalog, items: &mut Vec<PageItem>) {
    let places = overrides.places(&catalog.index);
    if places.is_empty() {
        return;
    }
    heading(OVERRIDES.to_owned(), "in every stub", items);
    for (kind, id, position) in places {
        let word = match kind {
            OverrideKind::Pinned => "pinned",
            OverrideKind::Banned => "banned",
        };
        let name = catalog.label(id, false);
        items.push(match position {
            Some(position) => argument(catalog, id, position, format!("{word}, of {name}")),
            None => PageItem::definition(catalog, id, name, word),
        });
    }
}
