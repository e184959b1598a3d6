//! The stub: its numbers, and its exact text, highlighted.

use ratatui::{buffer::Buffer, layout::Rect};
use unicode_segmentation::UnicodeSegmentation;

use super::{message, pane};
use crate::tui::{
    command::Command,
    geometry::Pane,
    layout::Areas,
    model::{IndexingState, Model, ShownStub, StubText},
    theme::{SyntaxRole, SyntaxRun, Theme},
    widgets::{RowPainter, grouped, percentage, put, sanitized, scroll_mark, width},
};
use apidisc::{delivery::DeliveryError, stub::uses_in_words, usage::percent};

pub(super) fn draw(model: &Model, areas: &Areas, buffer: &mut Buffer) {
    let area = areas.pane(Pane::Preview);
    // Until the stub of a new selection arrives, the title belongs to the stub that is still shown.
    let shown = model.preview.shown.as_ref();
    let is_readable = model.preview.stub().is_some_and(|stub| stub.is_readable());
    let word = if is_readable { "Stub in full" } else { "Stub" };
    let question = model.question_in_words().map_or_else(String::new, |question| format!(" {question}"));
    let word = format!("{word}{question}");
    let title = match shown.map_or_else(|| model.subject_name(), |shown| shown.title.clone()) {
        Some(subject) => format!("{word} · {subject}"),
        None => word,
    };
    pane::frame(model, Pane::Preview, area, buffer, &title, "");
    let Some(shown) = shown else {
        let text = match (&model.indexing, model.preview.wanted) {
            (IndexingState::Failed(_), _) => "no index, no stub",
            (_, Some(_)) => "counting tokens…",
            (_, None) => "the stub appears as soon as something is indexed",
        };
        message(model, area.body, buffer, &[text]);
        return;
    };
    match &shown.result {
        Ok(stub) => {
            numbers(model, stub, area.head, buffer);
            text(model, shown, stub, area.body, buffer);
            let roles = &model.theme.roles;
            let border = if model.focus == Pane::Preview { roles.border_focused } else { roles.border };
            scroll_mark(buffer, area.frame, area.body, model.preview.cursor.offset, stub.lines.len(), border);
        }
        Err(DeliveryError::BudgetTooSmall { name, smallest, max_tokens }) => {
            let (smallest, max_tokens) = (grouped(*smallest), grouped(*max_tokens));
            message(
                model,
                area.body,
                buffer,
                &[
                    &format!("{name} needs {smallest} tokens in its shortest form."),
                    &format!("The budget is {max_tokens}; + raises it to {smallest}."),
                ],
            );
        }
        Err(why @ DeliveryError::Banned { .. }) => {
            let back = model.keymap.first(Command::Ban).map(|key| format!("{key} takes the ban back"));
            message(model, area.body, buffer, &[&why.to_string(), back.as_deref().unwrap_or_default()]);
        }
        Err(why) => message(model, area.body, buffer, &[&why.to_string()]),
    }
}

/// Draws the numbers: the tokens and the budget, the share of covered calls, and the share of tokens saved against the
/// exhaustive stub.
pub(super) fn numbers(model: &Model, stub: &StubText, area: Rect, buffer: &mut Buffer) {
    let roles = &model.theme.roles;
    let delivery = &stub.delivery;
    let mut row = RowPainter::new(buffer, area, 0);
    row.gap(1).margin(1);
    let tokens = grouped(delivery.tokens);
    if let Some(budget) = delivery.max_tokens {
        let gauge = (area.width / 6).clamp(6, 16);
        let share = delivery.tokens as f64 / budget.max(1) as f64;
        row.bar(gauge, share, roles.gauge, roles.gauge_track).gap(1);
        row.left(&tokens, roles.text).left(&format!(" of {} tokens", grouped(budget)), roles.dim);
    } else {
        row.left(&tokens, roles.text).left(" tokens", roles.dim);
    }
    row.gap(3);
    let known = delivery.known();
    if let Some(share) = percentage(delivery.covered().total(), known.total()) {
        let long = format!("% of {}", uses_in_words(known));
        let middle =
            if known.reads == 0 { long.clone() } else { format!("% of {} uses", grouped(known.total() as usize)) };
        let short = if known.reads == 0 { "% of calls" } else { "% of uses" };
        // In every other place, uses of inherited members count as uses of the base.
        let inherited = match delivery.inherited.total() {
            0 => String::new(),
            uses => format!(", {} inherited", grouped(uses as usize)),
        };
        let with_inherited = [format!("{long}{inherited}"), format!("{middle}{inherited}")];
        let [long_with, middle_with] = &with_inherited;
        let fits = |words: &&str| width(&share) + width(words) <= usize::from(row.room());
        if let Some(words) = [long_with, middle_with, &long, &middle, short].into_iter().find(fits) {
            row.left(&share, roles.text).left(words, roles.dim).gap(3);
        }
    }
    if let Some(all) = model.preview.exhaustive_tokens().filter(|all| *all > 0) {
        if delivery.tokens >= all {
            if row.room() >= 11 {
                row.left("nothing cut", roles.dim);
            }
            return;
        }
        let saved = format!("−{}", 100 - percent(delivery.tokens as u32, all as u32).unwrap_or(100));
        let long = format!("% against {} in full", grouped(all));
        let medium = format!("% of {}", grouped(all));
        let room = usize::from(row.room());
        let rest = [long.as_str(), &medium, "%"].into_iter().find(|rest| width(&saved) + width(rest) <= room);
        if let Some(rest) = rest {
            row.left(&saved, roles.text).left(rest, roles.dim);
        }
    }
}

pub(super) fn text(model: &Model, shown: &ShownStub, stub: &StubText, area: Rect, buffer: &mut Buffer) {
    let preview = &model.preview;
    let body = Rect { x: area.x + 1, width: area.width.saturating_sub(2), ..area };
    for (line, number) in (0..area.height).zip(preview.cursor.offset..stub.lines.len()) {
        let runs = shown.runs.get(number).and_then(Option::as_deref).unwrap_or_default();
        scrolled_line(
            &model.theme,
            stub.line(number),
            runs,
            preview.first_column,
            Rect { y: body.y + line, height: 1, ..body },
            buffer,
        );
        if model.focus == Pane::Preview && model.tuning.is_none() && number == preview.cursor.selected {
            pane::highlight(area, line, model.theme.roles.selected, buffer);
        }
    }
}

/// Draws a line of source text that is scrolled by `skip` columns; `…` marks text before and beyond the area.
pub(super) fn scrolled_line(
    theme: &Theme,
    line: &str,
    runs: &[SyntaxRun],
    skip: usize,
    area: Rect,
    buffer: &mut Buffer,
) {
    if skip == 0 || line.trim().is_empty() {
        return source_line(theme, line, runs, skip, area, buffer);
    }
    put(buffer, (area.x, area.y), "…", 1, theme.roles.dim);
    let rest = Rect { x: area.x + 1, width: area.width.saturating_sub(1), ..area };
    source_line(theme, line, runs, skip + 1, rest, buffer);
}

/// Draws a line of source text from column `skip` on; `…` marks text beyond the area.
pub(super) fn source_line(theme: &Theme, line: &str, runs: &[SyntaxRun], skip: usize, area: Rect, buffer: &mut Buffer) {
    let is_beyond = source_piece(theme, line, runs, skip, area, buffer);
    if is_beyond && let Some(cell) = buffer.cell_mut((area.right().saturating_sub(1), area.y)) {
        cell.set_symbol("…").set_style(theme.roles.dim);
    }
}

/// Draws the part of a line of source text that begins with column `skip` and fits into the area. Returns true if a
/// part is drawn and text follows behind it.
pub(super) fn source_piece(
    theme: &Theme,
    line: &str,
    runs: &[SyntaxRun],
    skip: usize,
    area: Rect,
    buffer: &mut Buffer,
) -> bool {
    let end = usize::from(area.width);
    let whole = [SyntaxRun { end: line.len(), role: SyntaxRole::Plain }];
    let runs = if runs.is_empty() { &whole[..] } else { runs };
    let (mut start, mut column) = (0, 0);
    let mut is_drawn = false;
    for run in runs {
        let piece = line.get(start..run.end.min(line.len())).unwrap_or_default();
        start = run.end;
        let style = theme.syntax(run.role);
        let piece = sanitized(piece);
        for grapheme in piece.graphemes(true) {
            let cells = width(grapheme);
            if column >= skip && column + cells <= skip + end {
                let x = area.x + (column - skip) as u16;
                put(buffer, (x, area.y), grapheme, cells, style);
                is_drawn = true;
            } else if column >= skip + end {
                return is_drawn;
            }
            column += cells;
        }
    }
    is_drawn && column > skip + end
}
