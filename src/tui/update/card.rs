//! The page that is open: moving about in it, following its rows, its tabs, closing it.

use std::sync::Arc;

use compact_str::CompactString;
use rustc_hash::FxHashMap;
use tui_input::{Input, InputRequest};

use super::{filter::edit_request, history, take, visit};
use crate::tui::{
    command::{Command, Context},
    effect::Effect,
    input::Key,
    jobs::{DateFilesJob, ReadCallsJob, ReadExcerptJob, ReadShortestCallJob},
    layout,
    model::{
        Catalog, Excerpt, Model, Pane, Quote, Topic,
        card::{Behind, Body, Card, Item, Order, Shows, Subject, of_commonest_set, paths},
    },
};

/// Lines that the source beside a row scrolls by.
const ASIDE: isize = 3;
/// So many calls a filter looks at as they are written; of further ones it sees what the index knows.
const FILTERED: usize = 5_000;
/// So many are read at a time.
const AT_ONCE: usize = 250;

/// Opens a page; the panes behind it show what it is about.
pub(super) fn open(model: &mut Model, catalog: &Catalog, subject: Subject) {
    history::leave(model, catalog);
    show(model, catalog, subject);
}

/// The same without a trace in the history.
pub(super) fn show(model: &mut Model, catalog: &Catalog, subject: Subject) {
    let topic = subject.topic();
    model.tuning = None;
    model.card = Some(Card::new(subject));
    if topic.definition().is_none_or(|id| catalog.is_reachable(id)) {
        visit::show(model, catalog, topic);
    }
}

/// The page of what is selected in the panes.
pub(super) fn open_selected(model: &mut Model) {
    let Some(catalog) = model.catalog.clone() else { return };
    if let Some(topic) = selected(model) {
        open(model, &catalog, Subject::About(topic));
    }
}

/// What is selected in the pane that keys go to.
fn selected(model: &Model) -> Option<Topic> {
    match model.focus {
        Pane::Modules => model.modules.selected().map(|row| row.scope.into()),
        Pane::Symbols => model.definition().map(Topic::Definition),
        Pane::Arguments => match (model.definition(), model.arguments.selected()) {
            (Some(id), Some(at)) => Some(Topic::Argument(id, at as u16)),
            (id, _) => id.map(Topic::Definition),
        },
        Pane::Preview => model.scope().map(Topic::from),
    }
}

/// The recipes or the calls of what is selected in the panes.
pub(super) fn open_beside(model: &mut Model, command: Command) {
    let Some(catalog) = model.catalog.clone() else { return };
    let subject = match (command, selected(model)) {
        (Command::Recipes, Some(topic)) => topic.definition().map(Subject::Recipes),
        (_, Some(Topic::Argument(id, at))) => Some(Subject::Calls(Behind::passing(id, at.into()))),
        (_, Some(Topic::Definition(id))) => Some(Subject::Calls(Behind::all(id))),
        _ => None,
    };
    if let Some(subject) = subject {
        open(model, &catalog, subject);
    }
}

/// Does what a command says to a page; false where the page has nothing to do with it.
pub(super) fn run(model: &mut Model, command: Command, effects: &mut Vec<Effect>) -> bool {
    let (Some(catalog), Some(card)) = (model.catalog.clone(), &mut model.card) else { return false };
    let page = isize::try_from(layout::card(model.size).list.height.max(2) - 1).unwrap_or(1);
    match command {
        Command::Up => card.step(-1),
        Command::Down => card.step(1),
        Command::PageUp => card.page(-page),
        Command::PageDown => card.page(page),
        Command::First => card.step(isize::MIN),
        Command::Last => card.step(isize::MAX),
        Command::Enter | Command::Right => follow(model, &catalog),
        Command::Left => history::back(model),
        Command::NextPane => turn(card, &catalog, true),
        Command::PreviousPane => turn(card, &catalog, false),
        Command::Toggle => card.aside.scroll += ASIDE,
        Command::Page => {
            let topic = card.selected().and_then(|item| Some(item.to.as_ref()?.topic()));
            let topic = topic.unwrap_or(card.subject.topic());
            open(model, &catalog, Subject::About(topic));
        }
        Command::Calls => {
            let behind = card.selected().and_then(|item| item.behind.clone());
            let own = || card.subject.definition().map(Behind::all);
            if let Some(behind) = behind.or_else(own) {
                open(model, &catalog, Subject::Calls(behind));
            }
        }
        Command::Recipes => {
            let to = card.selected().and_then(|item| item.to.as_ref()?.definition());
            if let Some(id) = to.or(card.subject.definition()) {
                open(model, &catalog, Subject::Recipes(id));
            }
        }
        Command::Order => {
            let at = Order::ALL.iter().position(|order| *order == card.order).unwrap_or(0);
            card.order = Order::ALL[(at + 1) % Order::ALL.len()];
            if card.order == Order::Newest {
                card.begin();
            }
        }
        Command::Edit => {
            let shows = card.selected().and_then(|item| item.shows);
            let shows = shows.or(card.subject.definition().map(Shows::Definition));
            take::edit_place(model, &catalog, shows, effects);
        }
        Command::Clear if card.narrow.is_on() => card.narrow.input = Input::default(),
        Command::Clear | Command::Quit => model.card = None,
        Command::Filter => card.narrow.is_typing = true,
        _ => return false,
    }
    true
}

/// The page whose filter is being typed.
pub(super) fn typing(model: &mut Model) -> Option<&mut Card> {
    model.card.as_mut().filter(|card| card.narrow.is_typing)
}

/// A key while its filter is typed.
pub(super) fn type_key(model: &mut Model, key: Key) {
    if let Some(command) = model.keymap.lookup(Context::Typing, key) {
        type_command(model, command);
    } else if let (Some(card), Some(request)) = (typing(model), edit_request(key)) {
        card.narrow.input.handle(request);
    }
}

/// Does what a command says while its filter is typed.
pub(super) fn type_command(model: &mut Model, command: Command) {
    let page = isize::try_from(layout::card(model.size).list.height.max(2) - 1).unwrap_or(1);
    let Some(card) = typing(model) else { return };
    match command {
        Command::Accept => card.narrow.is_typing = false,
        Command::Cancel => (card.narrow.input, card.narrow.is_typing) = (Input::default(), false),
        Command::NextMatch => card.step(1),
        Command::PreviousMatch => card.step(-1),
        Command::NextMatches => card.page(page),
        Command::PreviousMatches => card.page(-page),
        _ => {}
    }
}

/// Puts pasted text into its filter.
pub(super) fn insert(card: &mut Card, text: &str) {
    for c in text.chars() {
        card.narrow.input.handle(InputRequest::InsertChar(c));
    }
}

/// Goes where the selected row leads: to a page, else to the calls behind its number.
pub(super) fn follow(model: &mut Model, catalog: &Catalog) {
    let Some(item) = model.card.as_ref().and_then(Card::selected) else { return };
    let to = item.to.clone().or_else(|| item.behind.clone().map(Subject::Calls));
    match to {
        Some(subject) if model.card.as_ref().is_some_and(|card| card.subject != subject) => {
            open(model, catalog, subject);
        }
        _ => {}
    }
}

/// To the next page beside this one; no step in the history.
fn turn(card: &mut Card, catalog: &Catalog, is_forward: bool) {
    let tabs = card.subject.tabs(catalog);
    let here = tabs.iter().position(|(subject, _)| *subject == card.subject).unwrap_or(0);
    let next = here + if is_forward { 1 } else { tabs.len() - 1 };
    turn_to(card, tabs[next % tabs.len()].0.clone());
}

pub(super) fn turn_to(card: &mut Card, subject: Subject) {
    if card.subject != subject {
        *card = Card { order: card.order, ..Card::new(subject) };
    }
}

/// Makes the rows of the page, and asks for the sources beside them.
pub(super) fn reconcile(model: &mut Model, catalog: &Arc<Catalog>, effects: &mut Vec<Effect>) {
    let Some(card) = &mut model.card else { return };
    if card.made.is_none_or(|(generation, ..)| generation != catalog.generation) {
        card.quote_ticket = 0;
        card.dates_ticket = 0;
    }
    let list = layout::card(model.size).list;
    card.make(catalog, list.width, &model.wordings);
    card.settle(usize::from(list.height));
    if let (Subject::About(Topic::Definition(id)), 0) = (&card.subject, card.quote_ticket)
        && catalog.index.usage(*id).total_calls > 0
    {
        let calls = of_commonest_set(catalog, *id);
        model.ticket += 1;
        card.quote_ticket = model.ticket;
        if !calls.is_empty() {
            effects.push(Effect::ReadShortestCall(ReadShortestCallJob {
                ticket: model.ticket,
                catalog: Arc::clone(catalog),
                calls,
            }));
        }
    }
    if let (Subject::Calls(behind), Order::Newest, 0) = (&card.subject, card.order, card.dates_ticket) {
        let paths = paths(&catalog.index, behind);
        model.ticket += 1;
        card.dates_ticket = model.ticket;
        if !paths.is_empty() {
            effects.push(Effect::DateFiles(DateFilesJob { ticket: model.ticket, catalog: Arc::clone(catalog), paths }));
        }
    }
    let shows = card.selected().and_then(|item| item.shows);
    let wanted = shows.map(|shows| (catalog.generation, shows));
    if card.aside.wanted != wanted {
        card.aside.wanted = wanted;
        card.aside.scroll = 0;
        model.ticket += 1;
        card.aside.ticket = model.ticket;
        match shows {
            Some(shows) => {
                effects.push(Effect::ReadExcerpt(ReadExcerptJob {
                    ticket: model.ticket,
                    catalog: Arc::clone(catalog),
                    shows,
                }));
            }
            None => card.aside.shown = None,
        }
    }
}

/// Asks for what the calls say whose rows are in sight, and a page of them above and below.
pub(super) fn word(model: &mut Model, catalog: &Arc<Catalog>, effects: &mut Vec<Effect>) {
    let (items, offset, height) = match (&model.card, &model.tuning) {
        (Some(card), _) => (&card.items, card.cursor.offset, layout::card(model.size).list.height),
        (None, Some(tuning)) => (&tuning.items, tuning.cursor.offset, layout::tuning(model.size).list.height),
        (None, None) => return,
    };
    let height = usize::from(height);
    let seen = items.iter().skip(offset.saturating_sub(height)).take(3 * height);
    let of = |item: &Item| match &item.body {
        Body::Call(call) => Some(call.call),
        _ => None,
    };
    let mut calls: Vec<_> = seen.filter_map(of).filter(|call| !model.wordings.has(*call)).collect();
    // A filter looks at the others too, once what is in sight is there.
    let all = model.card.as_ref().and_then(|card| card.narrow.all.as_ref()).filter(|_| calls.is_empty());
    if let Some(all) = all {
        let further = all.iter().filter_map(of).take(FILTERED).filter(|call| !model.wordings.has(*call));
        calls.extend(further.take(AT_ONCE));
    }
    let calls = model.wordings.ask(catalog.generation, calls.into_iter());
    if !calls.is_empty() {
        effects.push(Effect::ReadCalls(ReadCallsJob { catalog: Arc::clone(catalog), calls }));
    }
}

/// Takes a piece of source, unless another one is wanted by now.
pub(super) fn read(model: &mut Model, ticket: u64, result: Result<Excerpt, String>) {
    if let Some(card) = model.card.as_mut().filter(|card| card.aside.ticket == ticket) {
        card.aside.shown = Some(result);
    }
}

/// Takes the most typical call.
pub(super) fn quoted(model: &mut Model, ticket: u64, result: Result<Quote, String>) {
    if let Some(card) = model.card.as_mut().filter(|card| card.quote_ticket == ticket) {
        card.quote = Some(result);
    }
}

/// Takes when files were changed last.
pub(super) fn dated(model: &mut Model, ticket: u64, changed: Arc<FxHashMap<CompactString, i64>>) {
    if let Some(card) = model.card.as_mut().filter(|card| card.dates_ticket == ticket) {
        // The newest are what one wants to see.
        if card.dates.is_none() {
            card.begin();
        }
        card.dates = Some((ticket, changed));
    }
}
