//! The comparison of two stubs, which scroll together. The left column is the other stub, the right column the present
//! one. Lines that go are struck out, lines that come are marked, and lines in other words are beside each other. If
//! there is no room for two columns, the lines of both stubs are merged into one.

use ratatui::{
    buffer::Buffer,
    layout::{Constraint, Layout, Rect},
    style::{Modifier, Style},
};

use crate::tui::{
    geometry::TuningArea,
    model::{
        Model,
        settings::in_words,
        tuning::{ComparisonRow, Relation, StubComparison, Surplus, Tuning},
    },
    view::{message, preview::source_line},
    widgets::{RowPainter, grouped, scroll_mark},
};
use apidisc::usage::percent;

pub(super) fn draw(model: &Model, tuning: &Tuning, area: &TuningArea, buffer: &mut Buffer) {
    let comparison = match &tuning.comparison.answer {
        Some((_, Ok(comparison))) => comparison,
        Some((_, Err(why))) => return message(model, area.comparison, buffer, &[why]),
        None => return message(model, area.comparison, buffer, &["cutting both stubs…"]),
    };
    let roles = &model.theme.roles;
    let rows = comparison.rows(area.is_beside);
    let head = |row: u16| Rect { y: area.comparison_head.y + row, height: 1, ..area.comparison_head };
    let (left_name, right_name) = (before(tuning, comparison), after(model, comparison));
    let (left_surplus, right_surplus) = (surplus(comparison.before.surplus), surplus(comparison.after.surplus));
    if area.is_beside {
        for (line, left_text, right_text) in [(0, &left_name, &right_name), (1, &left_surplus, &right_surplus)] {
            let (left, gap, right) = halves(head(line));
            let style = if line == 0 { roles.text } else { roles.dim };
            RowPainter::new(buffer, left, 0).gap(1).left(left_text, style);
            RowPainter::new(buffer, gap, 0).left("│", roles.border);
            RowPainter::new(buffer, right, 0).gap(1).left(right_text, style);
        }
    } else {
        for (line, name, more) in [(0, &left_name, &left_surplus), (1, &right_name, &right_surplus)] {
            let mut row = RowPainter::new(buffer, head(line), 0);
            row.gap(1).margin(1).left(if line == 0 { "- " } else { "+ " }, roles.dim);
            row.left(name, roles.text).gap(2).left(more, roles.dim);
        }
    }
    for (y, line) in (area.comparison.y..area.comparison.bottom()).zip(rows.iter().skip(tuning.row)) {
        let row = Rect { y, height: 1, ..area.comparison };
        if !area.is_beside {
            draw_line(model, comparison, *line, row, buffer);
            continue;
        }
        let (left, gap, right) = halves(row);
        let is_same = line.relation == Relation::Same;
        RowPainter::new(buffer, gap, 0).left("│", roles.border);
        draw_line(model, comparison, ComparisonRow { after: line.after.filter(|_| is_same), ..*line }, left, buffer);
        draw_line(model, comparison, ComparisonRow { before: line.before.filter(|_| is_same), ..*line }, right, buffer);
    }
    scroll_mark(buffer, area.whole, area.comparison, tuning.row, rows.len(), roles.border_focused);
}

/// The two columns of an area, and the line between them.
fn halves(of: Rect) -> (Rect, Rect, Rect) {
    let [left, gap, right] =
        Layout::horizontal([Constraint::Fill(1), Constraint::Length(1), Constraint::Fill(1)]).areas(of);
    (left, gap, right)
}

/// The heading of the other stub, such as `everything: 3,138 tokens`.
fn before(tuning: &Tuning, comparison: &StubComparison) -> String {
    format!("{}: {} tokens", tuning.baseline.name, grouped(comparison.before.tokens))
}

/// The heading of the present stub, such as `budget 1,000: 998 tokens, −68%`.
fn after(model: &Model, comparison: &StubComparison) -> String {
    let (all, left) = (comparison.before.tokens, comparison.after.tokens);
    let saved = match percent(left as u32, all as u32) {
        Some(share) if left < all => format!(", −{}%", 100 - share),
        Some(share) if left > all => format!(", +{}%", share - 100),
        _ => String::new(),
    };
    format!("{}: {} tokens{saved}", in_words(model.settings.strategy), grouped(left))
}

/// What one of two stubs shows and the other does not, in words: `3 members, 1 argument, 210 calls more`. Empty if the
/// difference is not known.
fn surplus(surplus: Option<Surplus>) -> String {
    let Some(surplus) = surplus else { return String::new() };
    let counted = |number: usize, one: &str, many: &str| match number {
        0 => None,
        1 => Some(format!("1 {one}")),
        n => Some(format!("{} {many}", grouped(n))),
    };
    let parts = [
        counted(surplus.members, "member", "members"),
        counted(surplus.arguments, "argument", "arguments"),
        counted(surplus.calls as usize, "call", "calls"),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() { "no member, argument or call more".to_owned() } else { format!("{} more", parts.join(", ")) }
}

/// Draws one line with its mark: removed, added, changed, or no mark.
fn draw_line(model: &Model, comparison: &StubComparison, line: ComparisonRow, area: Rect, buffer: &mut Buffer) {
    let roles = &model.theme.roles;
    let is_changed = line.relation == Relation::Changed;
    let (mark, mark_style, text, style) = match (line.before, line.after) {
        (Some(at), None) if is_changed => ("~", roles.dim, &comparison.before.lines[at], roles.dim),
        (Some(at), None) => ("-", roles.error, &comparison.before.lines[at], struck(model)),
        (None, Some(at)) if is_changed => ("~", roles.value, &comparison.after.lines[at], roles.text),
        (None, Some(at)) => ("+", roles.success, &comparison.after.lines[at], roles.value),
        (Some(_), Some(at)) => {
            let runs = comparison.after.runs.get(at).map_or(&[][..], Vec::as_slice);
            let code = Rect { x: area.x + 3, width: area.width.saturating_sub(4), ..area };
            return source_line(&model.theme, &comparison.after.lines[at], runs, 0, code, buffer);
        }
        (None, None) => return,
    };
    let mut row = RowPainter::new(buffer, area, 0);
    row.gap(1).margin(1).left(mark, mark_style).gap(1);
    // The indentation is not struck out.
    let code = text.trim_start();
    row.gap((text.len() - code.len()) as u16).left(code, style);
}

/// The style of removed lines: dim, and struck out except in ASCII.
fn struck(model: &Model) -> Style {
    let style = model.theme.roles.dim;
    if model.is_ascii { style } else { style.add_modifier(Modifier::CROSSED_OUT) }
}
