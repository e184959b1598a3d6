//! The page of questions: the conversation, and below it the line in which the next question is typed.
//!
//! ```text
//! ╭ Ask ─ about Station.read ─ ollama:qwen3 ────────────── Esc closes ╮
//! │ How do I retry?                                                   │
//! │   discover  retry                                     812 tokens  │
//! │                                                                   │
//! │ Pass `retries` [station.py:12]:                                   │
//! │   station.read(retries=3)                                         │
//! │                                                                   │
//! │ Sources                                                           │
//! │   station.py:12  Station.read                                     │
//! │ ───────────────────────────────────────────────────────────────── │
//! │ > and without?                                                    │
//! ╰───────────────────────────────────────────────────────────────────╯
//! ```

use ratatui::{
    buffer::Buffer,
    layout::{Position, Rect},
    style::{Modifier, Style},
};

use super::{clear, message, pane, preview::source_line, typed};
use crate::tui::{
    command::Command,
    geometry::{self, AskArea},
    model::{
        Model, agents,
        ask::{AskPage, AskRow, AskRowBody, AskStep, Turn},
    },
    theme::SyntaxRun,
    widgets::{Border, RowPainter, grouped, scroll_mark, width},
};

/// The explanation how to set a model; shown if none is set.
const NO_MODEL: [&str; 4] = [
    "no model is set: questions find their context in the index, and nobody writes an answer",
    "",
    "APIDISC_MODEL=PROVIDER:NAME names one, such as anthropic:claude-sonnet-4-5 or ollama:qwen3;",
    "APIDISC_BASE_URL is the address of a server of your own; [ask] in config.toml names both for good",
];

pub(super) fn draw(model: &Model, buffer: &mut Buffer) -> Option<Position> {
    let (roles, ask) = (&model.theme.roles, &model.ask);
    let area = geometry::ask(model.size);
    clear(model, area.frame, buffer);
    Border { line: roles.border_focused, background: roles.background }.draw(area.frame, buffer);
    title(model, ask, area.frame, buffer);
    if ask.rows.is_empty() {
        nothing(model, area.list, buffer);
    }
    for (line, at, selected) in pane::visible(area.list, ask.cursor.offset, ask.cursor.selected, ask.rows.len()) {
        let selected = selected && ask.is_chosen;
        row(model, ask, &ask.rows[at], selected, Rect { y: area.list.y + line, height: 1, ..area.list }, buffer);
        if selected {
            pane::highlight(area.list, line, roles.selected, buffer);
        }
    }
    scroll_mark(buffer, area.frame, area.list, ask.cursor.offset, ask.rows.len(), roles.border_focused);
    state(model, ask, &area, buffer);
    input(model, ask, &area, buffer)
}

fn title(model: &Model, ask: &AskPage, frame: Rect, buffer: &mut Buffer) {
    let roles = &model.theme.roles;
    let closes = geometry::close_hint(frame);
    if let Some(key) = model.keymap.first(Command::Clear) {
        let what = if ask.running.is_some() { "stops" } else { "closes" };
        RowPainter::new(buffer, closes, 0).right(&format!(" {key} {what} "), roles.dim);
    }
    let mut top = Border::top(frame, buffer);
    top.margin(closes.width).left(" Ask ", roles.title_focused);
    if let Some(name) = ask.assistant.as_deref().filter(|name| width(name) + 30 < usize::from(top.room())) {
        top.right(&format!(" {name} "), roles.count);
    }
    if !ask.about.is_empty() {
        top.left("about ", roles.dim).left(&ask.about, roles.title_focused).left(" ", roles.dim);
    }
}

fn nothing(model: &Model, area: Rect, buffer: &mut Buffer) {
    if model.ask.assistant.is_none() {
        return message(model, area, buffer, &NO_MODEL);
    }
    message(model, area, buffer, &["type a question; the answer names its sources"]);
}

fn row(model: &Model, ask: &AskPage, row: &AskRow, selected: bool, area: Rect, buffer: &mut Buffer) {
    let roles = &model.theme.roles;
    let mut painter = RowPainter::new(buffer, area, 0);
    painter.left(pane::mark(model, selected), roles.accent).margin(1);
    let turn = ask.conversation.turns.get(row.turn);
    match (&row.body, turn) {
        (AskRowBody::Question(text), _) => {
            painter.left(text, roles.accent.add_modifier(Modifier::BOLD));
        }
        (AskRowBody::Heading(text), _) => {
            painter.left(text, roles.title_focused);
        }
        (AskRowBody::Text { text, is_in_code }, _) => prose(model, text, *is_in_code, &mut painter),
        (AskRowBody::Note(text), _) => {
            painter.left(text, roles.dim);
        }
        (AskRowBody::Sources, _) => {
            painter.left("Sources", roles.accent);
        }
        (AskRowBody::RunStep(at), Some(turn)) => step(model, &turn.steps[*at], ask, &mut painter),
        (AskRowBody::Source(at), Some(turn)) => source(model, turn, *at, &mut painter),
        (AskRowBody::Code { line, part, text, .. }, Some(turn)) => {
            let runs = part_of(turn.colours.get(*line).map_or(&[][..], |runs| runs), part.start, part.end);
            let cells = Rect { x: area.x + 3, width: area.width.saturating_sub(3), ..area };
            source_line(&model.theme, text, &runs, 0, cells, buffer);
        }
        (AskRowBody::PastHeading, _) => {
            painter.left("Earlier questions", roles.accent);
        }
        (AskRowBody::Past(at), _) => {
            let Some(past) = ask.past.get(*at) else { return };
            let turns = if past.turns > 1 { format!("{} questions  ", past.turns) } else { String::new() };
            painter.gap(2).right(&format!("{turns}{:>6}", agents::age(ask.now, past.started)), roles.dim);
            painter.margin(2).left(&past.question, roles.text);
        }
        _ => {}
    }
}

/// The runs of the bytes from `start` to `end` of a line.
fn part_of(runs: &[SyntaxRun], start: usize, end: usize) -> Vec<SyntaxRun> {
    let within = runs.iter().filter(|run| run.end > start);
    within.map(|run| SyntaxRun { end: run.end.min(end) - start, role: run.role }).collect()
}

/// Draws a line of text, with code in backticks in another style.
fn prose(model: &Model, text: &str, is_in_code: bool, painter: &mut RowPainter<'_>) {
    let roles = &model.theme.roles;
    for (position, piece) in text.split('`').enumerate() {
        let is_code = (position % 2 == 1) != is_in_code;
        if position > 0 {
            painter.left("`", roles.dim);
        }
        painter.left(piece, if is_code { roles.function } else { roles.text });
    }
}

fn step(model: &Model, step: &AskStep, ask: &AskPage, painter: &mut RowPainter<'_>) {
    let roles = &model.theme.roles;
    let (result, style): (String, Style) = match (step.tokens, &step.error) {
        (_, Some(_)) => ("failed".to_owned(), roles.error),
        (Some(tokens), None) => (format!("{} tokens", grouped(tokens)), roles.count),
        (None, None) if ask.running.is_some() => ("…".to_owned(), roles.dim),
        (None, None) => ("not called".to_owned(), roles.dim),
    };
    painter.gap(2).right(&result, style).margin(2);
    painter.left(&step.tool, roles.function).gap(2);
    match &step.error {
        Some(error) => painter.left(error, roles.error),
        None => painter.left(&step.question, roles.dim),
    };
}

fn source(model: &Model, turn: &Turn, at: usize, painter: &mut RowPainter<'_>) {
    let roles = &model.theme.roles;
    let Some(source) = turn.sources.get(at) else { return };
    painter.gap(2);
    if !source.was_read {
        painter.right("not read", roles.error).margin(2);
    }
    let widest = turn.sources.iter().map(|source| width(&source.place)).max().unwrap_or(0);
    let places = u16::try_from(widest).unwrap_or(u16::MAX).min(painter.room() * 3 / 5);
    painter.column(&source.place, places, roles.text).gap(2).left(&source.name, roles.dim);
}

/// Draws the rule above the line of the question, and in it the state of the run.
fn state(model: &Model, ask: &AskPage, area: &AskArea, buffer: &mut Buffer) {
    let roles = &model.theme.roles;
    let mut row = RowPainter::new(buffer, area.rule, 0);
    let words = match (ask.running, ask.asked) {
        (None, _) => String::new(),
        (Some(_), None) => " looking into the sources… ".to_owned(),
        (Some(_), Some((number, tokens))) => format!(" reply {number}, to {} tokens… ", grouped(tokens)),
    };
    row.left("─", roles.border).left(&words, roles.note);
    let rest = "─".repeat(row.room().into());
    row.left(&rest, roles.border);
}

fn input(model: &Model, ask: &AskPage, area: &AskArea, buffer: &mut Buffer) -> Option<Position> {
    let roles = &model.theme.roles;
    let mut row = RowPainter::new(buffer, area.input, 0);
    row.margin(1);
    if !ask.is_typing {
        let key = model.keymap.first(Command::Filter).unwrap_or_default();
        let words = if ask.conversation.turns.is_empty() { "asks" } else { "asks further" };
        row.left(&format!("{key} {words}"), roles.dim);
        return None;
    }
    row.left("> ", roles.accent);
    Some(typed(&mut row, &ask.input, roles.text))
}
