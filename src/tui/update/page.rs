//! The open page: moving in it, following links, switching tabs, filtering, closing.

use std::sync::Arc;

use compact_str::CompactString;
use ratatui::layout::Rect;
use rustc_hash::FxHashMap;

use super::{api, browse, delivery, filter::edit_request, first_call, history, ledger, packages, reveal};
use crate::tui::{
    command::{Command, CommandContext},
    effect::Effect,
    geometry::{self, Pane},
    input::KeyPress,
    jobs::{DateFilesJob, Job, ReadArgumentsJob, ReadCallsJob, ReadExcerptJob, ReadPartJob},
    model::{
        Catalog, Excerpt, Model, Topic,
        page::{
            CallOrder, CallQuery, ItemBody, LedgerPage, Page, PageItem, PageSources, PageSubject, SourcePlace,
            SourceView, paths,
        },
    },
};

/// The number of lines by which one key press scrolls the source beside the page.
const SOURCE_STEP: isize = 3;
/// The number of columns by which one key press scrolls the source.
const COLUMN_STEP: usize = 8;
/// The filter requests the source text of at most this many calls. Of a call whose text has not been read, it searches
/// the place and the arguments that the index knows.
const MAX_FILTERED_CALLS: usize = 5_000;
/// The greatest number of calls in one request for the filter. A request for visible rows has no such limit.
const CALLS_PER_REQUEST: usize = 250;

/// Opens a page and adds the present location to the history. The panes behind the page select its topic.
pub(super) fn open(model: &mut Model, catalog: &Catalog, subject: PageSubject) {
    history::record_present(model, catalog);
    show(model, catalog, subject);
}

/// Opens a page without adding to the history.
pub(super) fn show(model: &mut Model, catalog: &Catalog, subject: PageSubject) {
    let topic = subject.topic();
    model.tuning = None;
    if let PageSubject::Part(part) = &subject {
        api::reveal(model, catalog, part);
        model.page = Some(Page::new(subject));
        return;
    }
    model.page = Some(Page::new(subject));
    if topic.definition().is_none_or(|id| catalog.is_reachable(id)) {
        reveal::show(model, catalog, topic);
    }
}

/// Opens the page of the selection in the panes.
pub(super) fn open_selected(model: &mut Model) {
    let Some(catalog) = model.catalog.clone() else { return };
    if let Some(part) = api::selected(model) {
        open(model, &catalog, PageSubject::Part(part));
    } else if let Some(topic) = selected(model) {
        open(model, &catalog, PageSubject::About(topic));
    }
}

/// The selection in the focused pane.
pub(super) fn selected(model: &Model) -> Option<Topic> {
    match model.focus {
        Pane::Modules => model.modules.scope().map(Topic::from),
        Pane::Symbols => model.definition().map(Topic::Definition),
        Pane::Arguments => match (model.definition(), model.arguments.selected()) {
            (Some(id), Some(at)) => Some(Topic::Argument(id, at as u16)),
            (id, _) => id.map(Topic::Definition),
        },
        Pane::Preview => {
            let line = model.preview.cursor.selected;
            let shown = model.preview.stub().filter(|_| model.preview.is_current());
            let definition = shown.and_then(|stub| stub.definition_at(line)).map(Topic::Definition);
            definition.or_else(|| model.scope().map(Topic::from))
        }
    }
}

/// Opens the recipes or the calls of the selection in the panes.
pub(super) fn open_related(model: &mut Model, command: Command) {
    let Some(catalog) = model.catalog.clone() else { return };
    let subject = match (command, selected(model)) {
        (Command::Recipes, Some(topic)) => topic.definition().map(PageSubject::Recipes),
        (_, Some(Topic::Argument(id, at))) => Some(PageSubject::Calls(CallQuery::passing(id, at.into()))),
        (_, Some(Topic::Definition(id))) => Some(PageSubject::Calls(CallQuery::all(id))),
        _ => None,
    };
    if let Some(subject) = subject {
        open(model, &catalog, subject);
    }
}

/// Runs a command on the page, which is in front. The panes behind the page run those that it does not know: they
/// select its topic.
pub(super) fn run(model: &mut Model, command: Command, effects: &mut Vec<Effect>) {
    let (Some(catalog), Some(page)) = (model.catalog.clone(), &mut model.page) else { return };
    let (area, is_wrapped) = (page.subject.area(model.size), model.wraps_source);
    if page.source_view.is_zoomed
        && move_source(&mut page.source_view, command, area.frame.union(area.detail), is_wrapped)
    {
        return;
    }
    let screenful = isize::try_from(area.list.height.max(2) - 1).unwrap_or(1);
    match command {
        Command::Up => page.step(-1),
        Command::Down => page.step(1),
        Command::PageUp => page.move_rows(-screenful),
        Command::PageDown => page.move_rows(screenful),
        Command::First => page.step(isize::MIN),
        Command::Last => page.step(isize::MAX),
        Command::Enter | Command::Right => follow(model, &catalog, effects),
        Command::Left => history::back(model, effects),
        Command::NextPane => switch_tab(page, &catalog, true),
        Command::PreviousPane => switch_tab(page, &catalog, false),
        Command::Toggle => page.source_view.scroll_by(SOURCE_STEP, visible_lines(area.detail), is_wrapped),
        Command::Page => {
            let subject = page.selected().and_then(|item| item.link.as_ref()).unwrap_or(&page.subject);
            let subject = match subject {
                PageSubject::Part(_) => subject.clone(),
                subject => PageSubject::About(subject.topic()),
            };
            open(model, &catalog, subject);
        }
        Command::Calls => {
            let query = page.selected().and_then(|item| item.calls.clone());
            let own = || page.subject.definition().map(CallQuery::all);
            if let Some(query) = query.or_else(own) {
                open(model, &catalog, PageSubject::Calls(query));
            }
        }
        Command::Recipes => {
            let to = page.selected().and_then(|item| item.link.as_ref()?.definition());
            if let Some(id) = to.or(page.subject.definition()) {
                open(model, &catalog, PageSubject::Recipes(id));
            }
        }
        Command::Order => {
            let at = CallOrder::ALL.iter().position(|order| *order == page.order).unwrap_or(0);
            page.order = CallOrder::ALL[(at + 1) % CallOrder::ALL.len()];
            if page.order == CallOrder::Newest {
                page.clear_rows();
            }
        }
        Command::Edit => {
            let shows = page.selected().and_then(|item| item.shows);
            if let PageSubject::Part(part) = &page.subject {
                let at = match shows {
                    Some(SourcePlace::Part(at)) => Some(at),
                    Some(_) => None,
                    None => Some(part.at),
                };
                if let Some(at) = at {
                    return effects.push(api::edit(&catalog, &part.other(at)));
                }
            }
            let shows = shows.or(page.subject.definition().map(SourcePlace::Definition));
            delivery::edit_place(model, &catalog, shows, effects);
        }
        Command::Clear if page.filter.is_on() => page.filter.input.clear(),
        Command::Clear | Command::Quit => model.page = None,
        Command::Filter => page.filter.is_typing = true,
        _ => browse::run(model, command, effects),
    }
}

/// The number of lines that a frame with source shows.
pub(super) fn visible_lines(frame: Rect) -> usize {
    frame.height.saturating_sub(2).into()
}

/// Scrolls the source that has the whole screen, or takes the screen back; false for other commands.
fn move_source(view: &mut SourceView, command: Command, frame: Rect, is_wrapped: bool) -> bool {
    let height = visible_lines(frame);
    let screenful = isize::try_from(height.max(2) - 1).unwrap_or(1);
    match command {
        Command::Up => view.scroll_by(-1, height, is_wrapped),
        Command::Down => view.scroll_by(1, height, is_wrapped),
        Command::PageUp => view.scroll_by(-screenful, height, is_wrapped),
        Command::PageDown => view.scroll_by(screenful, height, is_wrapped),
        Command::Toggle => view.scroll_by(SOURCE_STEP, height, is_wrapped),
        Command::First => view.scroll_by(isize::MIN, height, is_wrapped),
        Command::Last => view.scroll_by(isize::MAX, height, is_wrapped),
        Command::Left => view.columns = view.columns.saturating_sub(COLUMN_STEP),
        Command::Right => view.columns = (view.columns + COLUMN_STEP).min(view.widest_line()),
        Command::Clear | Command::Quit | Command::Enter => view.is_zoomed = false,
        // These commands act on the rows, which become visible again.
        Command::Filter | Command::NextPane | Command::PreviousPane | Command::Order => {
            view.is_zoomed = false;
            return false;
        }
        _ => return false,
    }
    true
}

/// The page, if its filter is being typed.
pub(super) fn typing(model: &mut Model) -> Option<&mut Page> {
    model.page.as_mut().filter(|page| page.filter.is_typing)
}

/// Handles a key while the filter is typed.
pub(super) fn type_key(model: &mut Model, key: KeyPress) {
    if let Some(command) = model.keymap.lookup(CommandContext::Typing, key) {
        type_command(model, command);
    } else if let (Some(page), Some(request)) = (typing(model), edit_request(key)) {
        page.filter.input.handle(request);
    }
}

/// Runs a command while the filter is typed.
pub(super) fn type_command(model: &mut Model, command: Command) {
    let size = model.size;
    let Some(page) = typing(model) else { return };
    let screenful = isize::try_from(page.subject.area(size).list.height.max(2) - 1).unwrap_or(1);
    match command {
        Command::Accept => page.filter.is_typing = false,
        Command::Cancel => {
            page.filter.input.clear();
            page.filter.is_typing = false;
        }
        Command::NextMatch => page.step(1),
        Command::PreviousMatch => page.step(-1),
        Command::NextMatches => page.move_rows(screenful),
        Command::PreviousMatches => page.move_rows(-screenful),
        _ => {}
    }
}

/// Opens the page that the selected row links to. If the row has no link, opens the page of the calls that the row
/// counts. The row below a folded documentation unfolds it.
pub(super) fn follow(model: &mut Model, catalog: &Catalog, effects: &mut Vec<Effect>) {
    let Some(page) = &mut model.page else { return };
    let Some(item) = page.selected() else { return };
    if item.unfolds {
        page.has_whole_documentation ^= true;
        return;
    }
    if let Some(across) = item.across.clone() {
        return packages::go_to(model, catalog, &across, effects);
    }
    let to = item.link.clone().or_else(|| item.calls.clone().map(PageSubject::Calls));
    match to {
        Some(subject) if model.page.as_ref().is_some_and(|page| page.subject != subject) => {
            open(model, catalog, subject);
        }
        _ => {}
    }
}

/// Switches to the next or previous tab. This adds nothing to the history.
fn switch_tab(page: &mut Page, catalog: &Catalog, is_forward: bool) {
    let tabs = page.subject.tabs(catalog);
    let here = tabs.iter().position(|(subject, _)| *subject == page.subject).unwrap_or(0);
    let next = here + if is_forward { 1 } else { tabs.len() - 1 };
    show_tab(page, tabs[next % tabs.len()].0.clone());
}

pub(super) fn show_tab(page: &mut Page, subject: PageSubject) {
    if page.subject != subject {
        *page = Page { order: page.order, ..Page::new(subject) };
    }
}

/// Builds the rows of the page. Requests the first call, the dates of files and the source of the selected row, if the
/// page shows them and they are not yet requested.
pub(super) fn reconcile(model: &mut Model, catalog: &Arc<Catalog>, effects: &mut Vec<Effect>) {
    let Some(page) = &mut model.page else { return };
    let packages = model.packages.read().map_or(0, |used| used.catalog.generation);
    if page.made_for.is_none_or(|made_for| made_for.generation != catalog.generation) {
        page.card_ticket = 0;
        page.dates_ticket = 0;
        page.counted = None;
    }
    // What a number counts is found anew with the packages.
    let is_counted = matches!(page.subject, PageSubject::Ledger(LedgerPage::Counted(_)));
    if is_counted && page.made_for.is_some_and(|made_for| made_for.packages != packages) {
        page.card_ticket = 0;
    }
    let list = page.subject.area(model.size).list;
    let upgrade = model.upgrade.shown(catalog).map(|marks| &**marks);
    let packages = model.packages.read().map(|used| &**used);
    page.make(&PageSources { catalog, call_lines: &model.call_lines, upgrade, packages }, list.width);
    page.settle(usize::from(list.height));
    if let (PageSubject::About(Topic::Definition(id)), 0) = (&page.subject, page.card_ticket) {
        model.ticket += 1;
        page.card_ticket = model.ticket;
        effects.push(first_call::request(catalog, *id, model.ticket));
    }
    if let (PageSubject::Part(part), 0) = (&page.subject, page.card_ticket) {
        model.ticket += 1;
        page.card_ticket = model.ticket;
        effects.push(Effect::Job(Job::ReadArguments(ReadArgumentsJob { ticket: model.ticket, part: part.clone() })));
    }
    if let (PageSubject::Ledger(subject @ (LedgerPage::Call(_) | LedgerPage::Counted(_))), 0) =
        (&page.subject, page.card_ticket)
    {
        model.ticket += 1;
        page.card_ticket = model.ticket;
        effects.extend(ledger::request(&model.packages, catalog, subject, model.ticket));
    }
    if let (PageSubject::Calls(query), CallOrder::Newest, 0) = (&page.subject, page.order, page.dates_ticket) {
        let paths = paths(&catalog.index, query);
        model.ticket += 1;
        page.dates_ticket = model.ticket;
        if !paths.is_empty() {
            effects.push(Effect::Job(Job::DateFiles(DateFilesJob {
                ticket: model.ticket,
                catalog: Arc::clone(catalog),
                paths,
            })));
        }
    }
    let shows = page.selected().and_then(|item| item.shows);
    let part = match (&page.subject, shows) {
        (PageSubject::Part(part), Some(SourcePlace::Part(at))) => Some(part.other(at)),
        _ => None,
    };
    let generation = part.as_ref().map_or(catalog.generation, |part| part.api.generation);
    let wanted = shows.map(|shows| (generation, shows));
    if page.source_view.wanted != wanted {
        page.source_view.wanted = wanted;
        (page.source_view.scroll, page.source_view.columns) = (0, 0);
        model.ticket += 1;
        page.source_view.ticket = model.ticket;
        match shows {
            Some(_) if let Some(part) = part => {
                effects.push(Effect::Job(Job::ReadPart(ReadPartJob { ticket: model.ticket, part })));
            }
            Some(shows) => {
                effects.push(Effect::Job(Job::ReadExcerpt(ReadExcerptJob {
                    ticket: model.ticket,
                    catalog: Arc::clone(catalog),
                    shows,
                })));
            }
            None => page.source_view.shown = None,
        }
    }
}

/// Requests the source text of the calls in visible rows, and in a screenful of rows above and below.
pub(super) fn request_call_lines(model: &mut Model, catalog: &Arc<Catalog>, effects: &mut Vec<Effect>) {
    let (items, offset, height) = match (&model.page, &model.tuning) {
        (Some(page), _) => (&page.items, page.cursor.offset, page.subject.area(model.size).list.height),
        (None, Some(tuning)) => (&tuning.items, tuning.cursor.offset, geometry::tuning(model.size).list.height),
        (None, None) => return,
    };
    let height = usize::from(height);
    let seen = items.iter().skip(offset.saturating_sub(height)).take(3 * height);
    let of = |item: &PageItem| match &item.body {
        ItemBody::Call(call) => Some(call.call),
        _ => None,
    };
    let mut calls: Vec<_> = seen.filter_map(of).filter(|call| !model.call_lines.has(*call)).collect();
    // A filter needs the text of the other calls, too; visible rows come first.
    let all = model.page.as_ref().and_then(|page| page.filter.all.as_ref()).filter(|_| calls.is_empty());
    if let Some(all) = all {
        let further = all.iter().filter_map(of).take(MAX_FILTERED_CALLS).filter(|call| !model.call_lines.has(*call));
        calls.extend(further.take(CALLS_PER_REQUEST));
    }
    let calls = model.call_lines.missing(catalog.generation, calls.into_iter());
    if !calls.is_empty() {
        effects.push(Effect::Job(Job::ReadCalls(ReadCallsJob { catalog: Arc::clone(catalog), calls })));
    }
}

/// Stores an excerpt, unless a newer request is pending.
pub(super) fn excerpt_read(model: &mut Model, ticket: u64, result: Result<Excerpt, String>) {
    if let Some(page) = model.page.as_mut().filter(|page| page.source_view.ticket == ticket) {
        page.source_view.shown = Some(result);
    }
}

/// Stores the dates of files.
pub(super) fn files_dated(
    model: &mut Model,
    ticket: u64,
    changed: Arc<FxHashMap<CompactString, i64>>,
    beyond_limit: usize,
) {
    if let Some(page) = model.page.as_mut().filter(|page| page.dates_ticket == ticket) {
        // The first dates reorder the list by age, so the selection returns to the first row.
        if page.dates.is_none() {
            page.clear_rows();
        }
        page.dates = Some((ticket, changed));
        model.files_beyond_history = beyond_limit;
    }
}
