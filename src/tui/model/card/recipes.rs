//! The recipes of a definition: the argument sets of its calls, ranked, each with its share.

use super::{Behind, Body, Ink, Item, Shows, words};
use crate::{
    engine::{
        index::{DefinitionId, Which, Witness},
        usage::{ArgumentSet, percent},
    },
    tui::{
        model::{Catalog, Topic},
        widgets::grouped,
    },
};

/// The page of all recipes.
pub(super) fn items(catalog: &Catalog, id: DefinitionId, witnesses: &[Witness]) -> Vec<Item> {
    let definition = catalog.index.definition(id);
    let usage = &definition.usage;
    let sets = usage.argument_sets.len();
    let head = vec![
        (words::counted(sets, "way", "ways"), Ink::Text),
        (format!(" to call it in {}", words::calls(usage.total_calls)), Ink::Dim),
    ];
    let mut items = vec![Item::new(Body::Text(head)).to(Topic::Definition(id)).shows(Shows::Definition(id))];
    if sets == 0 {
        items.push(Item::dim("no call of it was found"));
        return items;
    }
    // How many of them make most calls.
    let mut sum = 0;
    let most = usage.argument_sets.iter().position(|set| {
        sum += set.calls;
        2 * sum >= usage.total_calls
    });
    if let Some(most) = most.filter(|_| sets > 1) {
        let share = percent(sum, usage.total_calls).unwrap_or_default();
        let ways = words::counted(most + 1, "way makes", "ways make");
        items.push(Item::dim(format!("the commonest {ways} {share}% of them")));
    }
    items.push(Item::blank());
    items.extend(rows(catalog, id, &usage.argument_sets, witnesses));
    items
}

/// The first of them, on the page of the definition.
pub(super) fn best(catalog: &Catalog, id: DefinitionId, most: usize, witnesses: &[Witness], items: &mut Vec<Item>) {
    let sets = &catalog.index.usage(id).argument_sets;
    if sets.len() < 2 {
        return;
    }
    items.extend([Item::blank(), Item::heading("Recipes", grouped(sets.len()))]);
    items.extend(rows(catalog, id, &sets[..sets.len().min(most)], witnesses));
    if sets.len() > most {
        let further = words::counted(sets.len() - most, "more", "more");
        let mut item = Item::dim(format!("… {further}"));
        item.to = Some(super::Subject::Recipes(id));
        items.push(item);
    }
}

fn rows(catalog: &Catalog, id: DefinitionId, sets: &[ArgumentSet], witnesses: &[Witness]) -> Vec<Item> {
    let total = catalog.index.usage(id).total_calls;
    let row = |set: &ArgumentSet| {
        let item = Item::new(Body::Recipe(set.calls, total, arguments(catalog, id, set)));
        let which = Which { exactly: Some((set.parameters.clone(), set.open)), ..Which::default() };
        match witnesses.iter().find(|witness| which.holds(witness)) {
            Some(witness) => {
                let shows = Shows::Call(witness.call);
                item.behind(Behind { definition: id, which }).shows(shows)
            }
            None => item,
        }
    };
    sets.iter().map(row).collect()
}

/// The arguments of a set; those that have to be passed are dimmed, since every set has them.
fn arguments(catalog: &Catalog, id: DefinitionId, set: &ArgumentSet) -> Vec<(String, Ink)> {
    let definition = catalog.index.definition(id);
    let mut pieces: Vec<(String, Ink)> = Vec::new();
    let signature = definition.signature.as_ref();
    let named = set.parameters.iter().filter_map(|at| Some((signature?, signature?.parameters.get(at)?, at)));
    for (signature, parameter, at) in named {
        if !pieces.is_empty() {
            pieces.push((", ".to_owned(), Ink::Dim));
        }
        let ink = if parameter.required { Ink::Dim } else { Ink::Text };
        pieces.push((signature.label(at).to_string(), ink));
    }
    if pieces.is_empty() && !set.open {
        pieces.push(("no arguments".to_owned(), Ink::Dim));
    }
    if set.open {
        let and = if pieces.is_empty() { "" } else { " " };
        pieces.push((format!("{and}+ unseen"), Ink::Unknown));
    }
    pieces
}
