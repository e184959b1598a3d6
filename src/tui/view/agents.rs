//! The page of agents: sessions with their requests, and the answer to the selected request beside or below the list.
//!
//! ```text
//! ╭ Agents ─ 2 sessions, 1 live ─────────── Esc closes ╮╭ get_module_help ──────────╮
//! │ ● claude-code 2.1   3 requests  1,480 tokens       ││ 812 tokens  12 ms         │
//! │▌▾ now    get_module_help  windvane     812   12 ms ││ module_name  windvane     │
//! │     C Station                              43      ││                           │
//! │ ▸ 1 min  search_symbols   station      668    1 ms ││ class Station:            │
//! ╰────────────────────────────────────────────────────╯╰───────────────────────────╯
//! ```

use ratatui::{
    buffer::Buffer,
    layout::{Margin, Rect},
};

use super::{clear, message, pane, preview::source_line, symbols::glyph};
use crate::{
    requests::Request,
    tui::{
        geometry,
        model::{
            Disclosure, Model,
            agents::{self, AgentRow, AgentSession, AgentsPage},
        },
        widgets::{Border, RowPainter, grouped, scroll_mark, short, width},
    },
};

/// The widths in cells of the columns of ages, of tokens and of durations.
const AGE: u16 = 7;
const TOKENS: usize = 7;
const DURATION: usize = 8;
/// The greatest width of the column of tools.
const MAX_TOOL: u16 = 20;
/// The signs of a session whose server runs, and of one whose server has ended.
const LIVE: &str = "●";
const ENDED: &str = "○";

pub(super) fn draw(model: &Model, page: &AgentsPage, buffer: &mut Buffer) {
    let roles = &model.theme.roles;
    let mut area = geometry::page(model.size);
    clear(model, area.frame.union(area.detail), buffer);
    if page.rows.is_empty() {
        area.frame = area.frame.union(area.detail);
        Border { line: roles.border_focused, background: roles.background }.draw(area.frame, buffer);
        title(model, page, area.frame, buffer);
        return empty(model, page, area.frame.inner(Margin::new(1, 1)), buffer);
    }
    Border { line: roles.border_focused, background: roles.background }.draw(area.frame, buffer);
    Border { line: roles.border, background: roles.background }.draw(area.detail, buffer);
    title(model, page, area.frame, buffer);
    let requests = || page.rows.iter().filter_map(|row| request_of(page, *row));
    let tool = requests().map(|request| width(&request.tool)).max().unwrap_or(0);
    let tool = u16::try_from(tool).unwrap_or(MAX_TOOL).min(MAX_TOOL).min(area.list.width / 3);
    let has_spared = requests().any(|request| request.spared > 0);
    for (line, at, selected) in pane::visible(area.list, page.cursor.offset, page.cursor.selected, page.rows.len()) {
        let mut row = RowPainter::new(buffer, area.list, line);
        row.left(pane::mark(model, selected), roles.accent).margin(1);
        match page.rows[at] {
            AgentRow::Session(at) => session(model, &page.sessions[at], page.now, row),
            AgentRow::Request(number) => {
                let Some(asked) = page.request(number) else { continue };
                let disclosure = match asked.delivered.len() {
                    0 => Disclosure::Leaf,
                    _ if page.is_open(number) => Disclosure::Open,
                    _ => Disclosure::Closed,
                };
                row.left(pane::disclosure(disclosure), roles.dim);
                request(model, asked, page.now, tool, has_spared, row);
            }
            AgentRow::Delivered(number, at) => {
                let name = page.request(number).and_then(|request| request.delivered.get(at));
                delivered(model, name.map_or("", String::as_str), row);
            }
        }
        if selected {
            pane::highlight(area.list, line, roles.selected, buffer);
        }
    }
    scroll_mark(buffer, area.frame, area.list, page.cursor.offset, page.rows.len(), roles.border_focused);
    match (page.selected(), page.selected_request()) {
        (_, Some(request)) => answer(model, page, request, area.detail, buffer),
        (Some(AgentRow::Session(at)), None) => sums(model, page, &page.sessions[at], area.detail, buffer),
        _ => {}
    }
}

fn request_of(page: &AgentsPage, row: AgentRow) -> Option<&Request> {
    match row {
        AgentRow::Request(number) => page.request(number),
        _ => None,
    }
}

/// Draws the title, and in the lower border a word about files that are not shown.
fn title(model: &Model, page: &AgentsPage, frame: Rect, buffer: &mut Buffer) {
    let roles = &model.theme.roles;
    let hint = pane::close_hint(model, frame, buffer);
    let mut top = Border::top(frame, buffer);
    top.margin(hint).left(" Agents ", roles.title_focused);
    if !page.sessions.is_empty() {
        let live = page.sessions.iter().filter(|session| session.is_live).count();
        top.left(&format!(" {}, {live} live ", counted(page.sessions.len(), "session")), roles.count);
    }
    if page.other_versions > 0 {
        let files = counted(page.other_versions, "file");
        let text = format!(" {files} of another version of the log left out ");
        RowPainter::new(buffer, Rect { y: frame.bottom().saturating_sub(1), height: 1, ..frame }, 0)
            .gap(2)
            .margin(2)
            .left(&text, roles.unknown);
    }
}

/// Draws the explanation how a client is set up, in place of an empty list.
fn empty(model: &Model, page: &AgentsPage, area: Rect, buffer: &mut Buffer) {
    if !model.has_request_log {
        let lines = ["no log of requests is kept here:", "APIDISC_REQUESTS is off, or there is no home folder"];
        return message(model, area, buffer, &lines);
    }
    if page.now == 0 {
        return message(model, area, buffer, &["reading the log…"]);
    }
    let command = format!("apidisc-tui serve {} --print-config claude-code", model.argument);
    let lines = [
        "no agent has asked about this source yet",
        "",
        "this prints the configuration of a client:",
        &command,
        "",
        "others: cursor, vscode, codex, gemini, zed, claude-desktop, generic",
    ];
    message(model, area, buffer, &lines);
}

fn session(model: &Model, session: &AgentSession, now: u64, mut row: RowPainter<'_>) {
    let roles = &model.theme.roles;
    let (sign, style) = if session.is_live { (LIVE, roles.success) } else { (ENDED, roles.dim) };
    let name = if session.client.is_empty() { "an unnamed client" } else { &session.client };
    let room = usize::from(row.room().saturating_sub(2));
    row.left(sign, style).gap(1);
    let requests = counted(session.requests.len(), "request");
    let tokens = format!("{} tokens", grouped(session.tokens));
    let spared = if session.spared == 0 { String::new() } else { format!("  {} spared", grouped(session.spared)) };
    let ended = if session.is_live { String::new() } else { format!("{} ago  ", agents::age(now, session.last)) };
    let ended = ended.replace("now ago", "just now");
    let forms = [
        format!("{ended}{requests}  {tokens}{spared}"),
        format!("{requests}  {tokens}{spared}"),
        format!("{requests}  {tokens}"),
        tokens.clone(),
    ];
    let shown = width(name).min(room / 2);
    if let Some(numbers) = forms.iter().find(|form| shown + 2 + width(form) <= room) {
        row.right(numbers, roles.dim).margin(2);
    }
    row.left(name, if session.is_live { roles.text } else { roles.dim });
    if !session.key.1.is_empty() {
        row.gap(1).left(&session.key.1, roles.dim);
    }
}

fn request(model: &Model, request: &Request, now: u64, tool: u16, has_spared: bool, mut row: RowPainter<'_>) {
    let roles = &model.theme.roles;
    if row.room() > 60 {
        row.right(&format!("{:>1$}", agents::duration(request.micros), DURATION), roles.dim);
    }
    if has_spared {
        let spared = if request.spared == 0 { String::new() } else { format!("−{}", short(request.spared)) };
        row.right(&format!("{spared:>TOKENS$}"), roles.success);
    }
    row.right(&format!("{:>TOKENS$}", short(request.tokens)), roles.count).margin(1);
    row.column(&agents::age(now, request.time), AGE, roles.dim);
    let style = if request.is_error { roles.error } else { roles.function };
    row.column(&request.tool, tool, style).gap(1);
    row.left(&agents::request_in_words(request), roles.text);
}

fn delivered(model: &Model, name: &str, mut row: RowPainter<'_>) {
    let roles = &model.theme.roles;
    row.gap(5);
    let topic = model.catalog.as_ref().and_then(|catalog| Some((catalog, agents::topic_named(catalog, name)?)));
    let Some((catalog, topic)) = topic else {
        row.left("  ", roles.dim).left(name, roles.dim);
        return;
    };
    if let Some(id) = topic.definition() {
        let definition = catalog.index.definition(id);
        let (sign, style) = glyph(roles, definition.kind);
        row.right(&grouped(definition.usage.uses() as usize), roles.count).margin(2);
        row.left(sign, style).gap(1).left(&catalog.label(id, false), roles.text);
        row.gap(2).left(name, roles.dim);
    } else {
        row.gap(2).left(name, roles.text);
    }
}

/// Draws the numbers of a request, its arguments, and the delivered text.
fn answer(model: &Model, page: &AgentsPage, request: &Request, frame: Rect, buffer: &mut Buffer) {
    let roles = &model.theme.roles;
    Border::top(frame, buffer).left(" ", roles.title).left(&request.tool, roles.title).left(" ", roles.title);
    let area = frame.inner(Margin::new(1, 1));
    let mut row = RowPainter::new(buffer, area, 0);
    row.gap(1).margin(1);
    row.left(&grouped(request.tokens), roles.text).left(" tokens", roles.dim);
    if request.spared > 0 {
        row.gap(3).left(&grouped(request.spared), roles.success).left(" spared", roles.dim);
    }
    row.gap(3).left(&agents::duration(request.micros), roles.text);
    if request.left_out > 0 {
        row.gap(3).left(&format!("the last {} bytes are not kept", grouped(request.left_out)), roles.unknown);
    }
    // The arguments take at most a third of a large area; the text of the answer takes the rest.
    let most = if area.height > 10 { usize::from(area.height / 3) } else { 0 };
    let names = request.arguments.keys().map(|name| width(name)).max().unwrap_or(0);
    let mut line = 1;
    for (name, value) in request.arguments.iter().take(most) {
        let mut row = RowPainter::new(buffer, area, line);
        row.gap(1).margin(1).column(name, u16::try_from(names).unwrap_or(u16::MAX), roles.dim);
        row.gap(2).left(&agents::value_in_words(value), roles.text);
        line += 1;
    }
    line += u16::from(area.height > 10);
    let body = Rect { y: area.y + line, height: area.height.saturating_sub(line), ..area };
    for (at, text) in (0..body.height).zip(request.answer.lines().skip(page.first_line)) {
        let row = Rect { x: body.x + 1, y: body.y + at, width: body.width.saturating_sub(2), height: 1 };
        if request.is_error {
            RowPainter::new(buffer, row, 0).left(text, roles.error);
        } else {
            source_line(&model.theme, text, &[], 0, row, buffer);
        }
    }
    scroll_mark(buffer, frame, body, page.first_line, request.answer.lines().count(), roles.border);
}

/// Draws the tokens of a session by tool.
fn sums(model: &Model, page: &AgentsPage, session: &AgentSession, frame: Rect, buffer: &mut Buffer) {
    let roles = &model.theme.roles;
    let name = if session.client.is_empty() { "an unnamed client" } else { &session.client };
    Border::top(frame, buffer).left(" ", roles.title).left(name, roles.title).left(" ", roles.title);
    let area = frame.inner(Margin::new(1, 1));
    let mut row = RowPainter::new(buffer, area, 0);
    row.gap(1).margin(1).left(&grouped(session.tokens), roles.text).left(" tokens", roles.dim);
    row.gap(3).left(&grouped(session.spared), roles.success).left(" spared", roles.dim);
    let whole = session.tokens.max(1) as f64;
    let tools = page.by_tool(session);
    let names = tools.iter().map(|tool| width(&tool.name)).max().unwrap_or(0);
    let names = geometry::names(u16::try_from(names).unwrap_or(u16::MAX), area.width);
    for (line, tool) in (2..area.height).zip(&tools) {
        let mut row = RowPainter::new(buffer, area, line);
        row.gap(1).margin(1).column(&tool.name, names, roles.function).gap(2);
        let bar = geometry::bar(row.room());
        row.bar(bar, tool.tokens as f64 / whole, roles.bar, roles.bar_track);
        row.left(&format!("{:>8}", grouped(tool.tokens)), roles.count).left(" tokens", roles.dim);
        row.gap(2).left(&counted(tool.requests, "request"), roles.dim);
    }
}

fn counted(number: usize, what: &str) -> String {
    format!("{} {what}{}", grouped(number), if number == 1 { "" } else { "s" })
}
