//! The page of recipes: the argument sets of a definition's calls, ranked by share.

use super::{CallQuery, ItemBody, PageItem, RecipeRow, SourcePlace, TextRole, words};
use crate::tui::{
    geometry,
    model::{Catalog, Topic},
    widgets::{grouped, percentage, width as text_width},
};
use apidisc::{
    index::{CallEvidence, CallFilter},
    program::DefinitionId,
    usage::ArgumentSet,
};

/// All rows of the page.
pub(super) fn items(catalog: &Catalog, id: DefinitionId, evidence: &[CallEvidence], width: u16) -> Vec<PageItem> {
    let definition = catalog.index.definition(id);
    let usage = &definition.usage;
    let sets = usage.argument_sets.len();
    let head = vec![
        (words::counted(sets, "way", "ways"), TextRole::Text),
        (format!(" to call it in {}", words::calls(usage.total_calls)), TextRole::Dim),
    ];
    let mut items =
        vec![PageItem::new(ItemBody::Text(head)).link_to(Topic::Definition(id)).shows(SourcePlace::Definition(id))];
    if sets == 0 {
        items.push(PageItem::dim("no call of it was found"));
        return items;
    }
    // The position of the first recipe that, together with all recipes before it, makes at least half of
    // all calls.
    let mut sum = 0;
    let most = usage.argument_sets.iter().position(|set| {
        sum += set.calls;
        2 * sum >= usage.total_calls
    });
    if let Some(most) = most.filter(|_| sets > 1) {
        let share = percentage(sum, usage.total_calls).unwrap_or_default();
        let ways = if most == 0 { "way makes".to_owned() } else { format!("{} ways make", most + 1) };
        items.push(PageItem::dim(format!("the commonest {ways} {share}% of them")));
    }
    if usage.argument_sets.iter().any(|set| set.open) {
        // The row explains why these shares are lower than the shares of single arguments.
        items.push(PageItem::dim("+ unseen: unpacked; arguments' shares leave it out"));
    }
    items.push(PageItem::blank());
    items.extend(rows(catalog, id, &usage.argument_sets, evidence, width));
    items
}

/// The most common recipes, as a section of the definition's page.
pub(super) fn most_common(
    catalog: &Catalog,
    id: DefinitionId,
    most: usize,
    evidence: &[CallEvidence],
    width: u16,
    items: &mut Vec<PageItem>,
) {
    let sets = &catalog.index.usage(id).argument_sets;
    if sets.len() < 2 {
        return;
    }
    items.extend([PageItem::blank(), PageItem::heading("Recipes", grouped(sets.len()))]);
    items.extend(rows(catalog, id, &sets[..sets.len().min(most)], evidence, width));
    if sets.len() > most {
        let further = words::counted(sets.len() - most, "more", "more");
        let mut item = PageItem::dim(format!("… {further}"));
        item.link = Some(super::PageSubject::Recipes(id));
        items.push(item);
    }
}

fn rows(
    catalog: &Catalog,
    id: DefinitionId,
    sets: &[ArgumentSet],
    evidence: &[CallEvidence],
    width: u16,
) -> Vec<PageItem> {
    let total = catalog.index.usage(id).total_calls;
    let room = usize::from(width.saturating_sub(geometry::recipe(width) + 1));
    let mut items = Vec::new();
    for set in sets {
        let names = arguments(catalog, id, set);
        let name = names.iter().map(|(text, _)| text.as_str()).collect();
        let mut lines = wrapped(names, room).into_iter();
        let line = lines.next().unwrap_or_default();
        let item = PageItem::new(ItemBody::Recipe(RecipeRow { part: set.calls, whole: total, name, line }));
        let filter = CallFilter { exactly: Some((set.parameters.clone(), set.open)), ..CallFilter::default() };
        items.push(match evidence.iter().find(|call| filter.matches(call)) {
            Some(call) => {
                let shows = SourcePlace::Call(call.call);
                item.calls(CallQuery { definition: id, filter }).shows(shows)
            }
            None => item,
        });
        items.extend(lines.map(|line| PageItem::new(ItemBody::Further(line))));
    }
    items
}

/// Breaks names into lines of `room` cells. Nothing is cut off, because recipes that begin alike differ at their ends.
fn wrapped(names: Vec<(String, TextRole)>, room: usize) -> Vec<Vec<(String, TextRole)>> {
    let mut lines: Vec<Vec<(String, TextRole)>> = vec![Vec::new()];
    let mut used = 0;
    for (mut text, role) in names {
        let cells = text_width(&text);
        if used > 0 && used + text_width(text.trim_end()) > room {
            lines.push(Vec::new());
            used = 0;
        }
        used += cells;
        // If a name fits only without the space behind it, the space is dropped.
        if used > room {
            text.truncate(text.trim_end().len());
        }
        if let Some(line) = lines.last_mut() {
            line.push((text, role));
        }
    }
    lines
}

/// The arguments of a set, each with its comma. Required ones are dimmed, since every set has them. A property is
/// written without its object if the object is in the set.
fn arguments(catalog: &Catalog, id: DefinitionId, set: &ArgumentSet) -> Vec<(String, TextRole)> {
    let definition = catalog.index.definition(id);
    let parameters = definition.signature.as_ref().map_or(&[][..], |signature| &signature.parameters);
    let signature = definition.signature.as_ref();
    let is_keyword = |at| signature.is_some_and(|signature| signature.receiver_of_keyword(at).is_some());
    // A `**kwargs` whose keywords are known is written as these.
    let is_receiver = |at| {
        set.parameters
            .iter()
            .any(|other| signature.is_some_and(|signature| signature.receiver_of_keyword(other) == Some(at)))
    };
    let mut pieces: Vec<(String, TextRole)> = Vec::new();
    for (at, parameter) in set.parameters.iter().filter_map(|at| Some((at, parameters.get(at)?))) {
        if is_receiver(at) {
            continue;
        }
        if let Some((text, _)) = pieces.last_mut() {
            text.push_str(", ");
        }
        let role = if parameter.required { TextRole::Dim } else { TextRole::Text };
        let name = match parameter.object {
            Some(object) if set.parameters.contains(object.into()) && !is_keyword(at) => format!(".{}", parameter.name),
            _ => {
                definition.signature.as_ref().map(|signature| signature.shown_label(at).to_string()).unwrap_or_default()
            }
        };
        pieces.push((name, role));
    }
    if pieces.is_empty() && !set.open {
        pieces.push(("no arguments".to_owned(), TextRole::Dim));
    }
    if set.open {
        if let Some((text, _)) = pieces.last_mut() {
            text.push(' ');
        }
        pieces.push(("+ unseen".to_owned(), TextRole::Unknown));
    }
    pieces
}
