//! Opens the page of agents, runs its commands, and watches the log while it is open.

use super::{browse, history, page, toast};
use crate::{
    requests::NewEntries,
    tui::{
        command::Command,
        effect::Effect,
        geometry,
        model::{
            Front, Model, Tone,
            agents::{AgentRow, AgentsPage, topic_named},
            page::PageSubject,
        },
    },
};

/// The number of lines by which one key press scrolls the answer.
const ANSWER_STEP: isize = 3;

/// Opens the page, or closes it if it is in front.
pub(super) fn toggle(model: &mut Model) {
    if model.front() == Front::Agents {
        model.agents = None;
        return;
    }
    if let Some(catalog) = model.catalog.clone() {
        history::record_present(model, &catalog);
    }
    (model.page, model.tuning) = (None, None);
    model.ask.is_open = false;
    model.agents.get_or_insert_default();
}

/// Adds the new entries of the log, if the page is still open.
pub(super) fn read(model: &mut Model, news: NewEntries, now: u64) {
    if let Some(agents) = &mut model.agents {
        agents.add(news, now);
    }
}

/// Runs a command on the page, which is in front.
pub(super) fn run(model: &mut Model, command: Command, effects: &mut Vec<Effect>) {
    let Some(agents) = &mut model.agents else { return };
    let screenful = isize::try_from(geometry::page(model.size).list.height.max(2) - 1).unwrap_or(1);
    match command {
        Command::Up => agents.step(-1),
        Command::Down => agents.step(1),
        Command::PageUp => agents.step(-screenful),
        Command::PageDown => agents.step(screenful),
        Command::First => agents.step(isize::MIN),
        Command::Last => agents.step(isize::MAX),
        Command::Enter | Command::Page | Command::Right => follow(model, effects),
        Command::Left => close_row(agents),
        Command::Toggle => scroll(agents, ANSWER_STEP),
        Command::NextPane => neighbour(agents, true),
        Command::PreviousPane => neighbour(agents, false),
        Command::Copy => {
            if let Some(request) = agents.selected_request() {
                let what = format!("the answer of {}", request.tool);
                effects.push(Effect::Copy { text: request.answer.clone(), description: what });
            }
        }
        Command::Clear | Command::Quit => model.agents = None,
        Command::Stop => browse::run(model, command, effects),
        // The other commands act on the panes, which the page covers.
        _ => {}
    }
}

/// Acts on the selected row: opens or closes a request, goes to the page of a symbol.
pub(super) fn follow(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(agents) = &mut model.agents else { return };
    match agents.selected() {
        None => {}
        Some(AgentRow::Session(_)) => agents.step(1),
        Some(AgentRow::Request(number)) => {
            let is_open = agents.is_open(number);
            agents.set_open(number, !is_open);
            if !is_open {
                agents.select(AgentRow::Delivered(number, 0));
            }
        }
        Some(AgentRow::Delivered(number, at)) => {
            let Some(catalog) = model.catalog.clone() else { return };
            let name = agents.request(number).and_then(|request| request.delivered.get(at).cloned());
            let Some(name) = name else { return };
            match topic_named(&catalog, &name) {
                Some(topic) => page::open(model, &catalog, PageSubject::About(topic)),
                None => toast(model, Tone::Note, format!("{name} is not in the index any more"), effects),
            }
        }
    }
}

/// Goes from a symbol to its request and closes it; goes from a request to its session.
fn close_row(agents: &mut AgentsPage) {
    match agents.selected() {
        Some(AgentRow::Request(number)) if agents.is_open(number) => agents.set_open(number, false),
        Some(AgentRow::Delivered(number, _)) => agents.set_open(number, false),
        Some(AgentRow::Request(_)) => {
            let above =
                agents.rows[..agents.cursor.selected].iter().rposition(|row| matches!(row, AgentRow::Session(_)));
            if let Some(above) = above {
                agents.select(agents.rows[above]);
            }
        }
        Some(AgentRow::Session(_)) | None => {}
    }
}

/// Selects the next or previous session.
fn neighbour(agents: &mut AgentsPage, is_forward: bool) {
    let here = agents.cursor.selected;
    let mut sessions = agents.rows.iter().enumerate().filter(|(_, row)| matches!(row, AgentRow::Session(_)));
    let row =
        if is_forward { sessions.find(|(at, _)| *at > here) } else { sessions.take_while(|(at, _)| *at < here).last() };
    if let Some((_, row)) = row {
        agents.select(*row);
    }
}

/// Scrolls the answer.
pub(super) fn scroll(agents: &mut AgentsPage, lines: isize) {
    agents.first_line = agents.first_line.saturating_add_signed(lines);
}

/// Starts and stops watching the log, and clamps the selection and the scroll offsets.
pub(super) fn reconcile(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.agents.is_some() != model.is_watching_requests {
        model.is_watching_requests = model.agents.is_some();
        effects.push(if model.is_watching_requests { Effect::WatchRequests } else { Effect::StopWatchingRequests });
    }
    let area = geometry::page(model.size);
    if let Some(agents) = &mut model.agents {
        agents.cursor.settle(agents.rows.len(), area.list.height.into());
        let lines = agents.selected_request().map_or(0, |request| request.answer.lines().count());
        agents.first_line = agents.first_line.min(lines.saturating_sub(1));
    }
}
