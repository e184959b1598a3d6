//! The rows of the tuning page: what goes with a notch less, what comes with a notch more, what is pinned and banned.

use super::{Size, Step, Steps};
use crate::tui::{
    model::{
        Catalog, Topic, Wished, Wishes,
        card::{Behind, Body, Ink, Item, Share, Shows, call_row},
        settings::in_words,
    },
    widgets::grouped,
};
use apidisc::{
    delivery::{DeliveryError, Difference},
    index::Index,
    program::DefinitionId,
};

/// So many call sites of a step are listed.
const SITES: usize = 100;
/// The heading of what is pinned and banned.
const WISHES: &str = "Pinned and banned";

pub(super) fn items(pinned: &Wishes, catalog: &Catalog, steps: Option<&Steps>) -> Vec<Item> {
    let mut items = Vec::new();
    if let Some(steps) = steps {
        let both = [(&steps.less, false), (&steps.more, true)];
        let both = || both.into_iter().filter_map(|(step, is_more)| Some((step.as_ref()?, is_more)));
        for (step, is_more) in both() {
            shown(catalog, steps.here, step, is_more, &mut items);
        }
        for (step, is_more) in both() {
            sites(&catalog.index, step, is_more, &mut items);
        }
        if items.is_empty() && steps.here.is_some() {
            items.push(Item::dim("everything is shown: there is no notch"));
        }
    }
    wishes(pinned, catalog, &mut items);
    items
}

/// A heading with room above it.
fn heading(text: String, note: impl Into<String>, items: &mut Vec<Item>) {
    if !items.is_empty() {
        items.push(Item::blank());
    }
    items.push(Item::heading(text, note));
}

/// What a step is, and the members and arguments that it shows or hides.
fn shown(catalog: &Catalog, here: Option<Size>, step: &Step, is_more: bool, items: &mut Vec<Item>) {
    let arrow = if is_more { "→ more:" } else { "← less:" };
    let text = format!("{arrow} {}", in_words(step.strategy));
    let (takes, brings) = ((&step.loses, "takes away"), (&step.gains, "brings"));
    let parts = if is_more { [brings, takes] } else { [takes, brings] };
    let mut parts = parts.into_iter().filter(|(difference, _)| has_rows(difference)).peekable();
    let note = match &step.result {
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
            items.push(Item::dim(format!("and {word}")));
        }
        let members = difference.members.iter();
        items.extend(members.map(|&id| Item::definition(catalog, id, catalog.label(id, false), "")));
        let arguments = difference.arguments.iter();
        items.extend(arguments.map(|&(id, position)| argument(catalog, id, position, catalog.label(id, false))));
    }
}

fn has_rows(difference: &Difference) -> bool {
    !difference.members.is_empty() || !difference.arguments.is_empty()
}

/// The real calls behind a step.
fn sites(index: &Index, step: &Step, is_more: bool, items: &mut Vec<Item>) {
    let (main, other) = if is_more { (&step.gains, &step.loses) } else { (&step.loses, &step.gains) };
    if main.sites.is_empty() {
        return;
    }
    let (text, instead) = if is_more { ("→ calls gained", "lost") } else { ("← calls lost", "gained") };
    let mut note = grouped(main.calls as usize);
    if other.calls > 0 {
        note = format!("{note}, and {} others {instead}", grouped(other.calls as usize));
    }
    heading(text.to_owned(), note, items);
    for &site in main.sites.iter().take(SITES) {
        if let Some(id) = index.call(site).resolution.definition() {
            let mut row = call_row(index, index.definition(id), site);
            // Calls of several definitions stand below each other.
            if let Body::Call(call) = &mut row.body {
                call.callee = index.definition(id).name.to_string();
            }
            items.push(row);
        }
    }
    if main.sites.len() > SITES {
        items.push(Item::dim(format!("and {} more", grouped(main.sites.len() - SITES))));
    }
}

/// The row from which on there is what is pinned and banned; behind all where nothing is.
pub(super) fn first_wish(items: &[Item]) -> usize {
    let is_heading = |item: &Item| matches!(&item.body, Body::Heading(text, _) if text == WISHES);
    items.iter().rposition(is_heading).unwrap_or(items.len())
}

/// An argument with the calls that pass it.
fn argument(catalog: &Catalog, id: DefinitionId, position: usize, note: String) -> Item {
    let definition = catalog.index.definition(id);
    let usage = &definition.usage;
    let row = usage.parameters.get(position);
    let (part, unknown) = row.map_or((0, 0), |row| (row.count, row.unknown));
    let item = Item::share(Share {
        name: definition.signature.as_ref().map(|signature| signature.label(position).to_string()).unwrap_or_default(),
        ink: Ink::Text,
        part,
        whole: usage.total_calls.saturating_sub(unknown),
        is_unseen: usage.total_calls > 0 && usage.total_calls == unknown,
        note,
    });
    let item = item.to(Topic::Argument(id, position as u16)).shows(Shows::Definition(id));
    if part > 0 { item.behind(Behind::passing(id, position)) } else { item }
}

/// What is pinned and banned, so that it can be taken back.
fn wishes(wishes: &Wishes, catalog: &Catalog, items: &mut Vec<Item>) {
    let places = wishes.places(&catalog.index);
    if places.is_empty() {
        return;
    }
    heading(WISHES.to_owned(), "in every stub", items);
    for (wished, id, position) in places {
        let word = match wished {
            Wished::Pinned => "pinned",
            Wished::Banned => "banned",
        };
        let name = catalog.label(id, false);
        items.push(match position {
            Some(position) => argument(catalog, id, position, format!("{word}, of {name}")),
            None => Item::definition(catalog, id, name, word),
        });
    }
}
