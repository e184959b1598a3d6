//! The comparison of two stubs, which scroll together. The left column is the exhaustive stub; lines that the present
//! stub lacks are struck out. The right column is the present stub. If there is no room for two columns, the lines of
//! both stubs are merged into one.

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
        tuning::{ComparisonRow, StubComparison, Tuning},
    },
    view::{message, preview::source_line},
    widgets::{RowPainter, grouped, scroll_mark},
};
use apidisc::usage::percent;

pub(super) fn draw(model: &Model, tuning: &Tuning, area: &TuningArea, buffer: &mut Buffer) {
    let comparison = match &tuning.comparison.answer {
        Some((_, Ok(comparison))) => comparison,
        Some((_, Err(why))) => return message(model, area.comparison, buffer, &[&why.to_string()]),
        None => return message(model, area.comparison, buffer, &["cutting both stubs…"]),
    };
    let roles = &model.theme.roles;
    if area.is_beside {
        two_columns(model, tuning, comparison, area, buffer);
    } else {
        let mut head = RowPainter::new(buffer, area.comparison_head, 0);
        head.gap(1)
            .margin(1)
            .right(&after(model, comparison), roles.text)
            .margin(2)
            .left(&before(comparison), roles.dim);
        for (y, line) in
            (area.comparison.y..area.comparison.bottom()).zip(comparison.rows(area.is_beside).iter().skip(tuning.row))
        {
            let row = Rect { y, height: 1, ..area.comparison };
            draw_line(model, comparison, *line, row, buffer);
        }
    }
    scroll_mark(
        buffer,
        area.whole,
        area.comparison,
        tuning.row,
        comparison.rows(area.is_beside).len(),
        roles.border_focused,
    );
}

/// The heading of the exhaustive stub, such as `everything: 3,138 tokens`.
fn before(comparison: &StubComparison) -> String {
    format!("everything: {} tokens", grouped(comparison.before.tokens))
}

/// The heading of the present stub, such as `budget 1,000: 998 tokens, −68%`.
fn after(model: &Model, comparison: &StubComparison) -> String {
    let (all, left) = (comparison.before.tokens, comparison.after.tokens);
    let saved = match percent(left as u32, all as u32) {
        Some(share) if left < all => format!(", −{}%", 100 - share),
        _ => String::new(),
    };
    format!("{}: {} tokens{saved}", in_words(model.settings.strategy), grouped(left))
}

fn two_columns(model: &Model, tuning: &Tuning, comparison: &StubComparison, area: &TuningArea, buffer: &mut Buffer) {
    let roles = &model.theme.roles;
    let halves = |of: Rect| {
        let [left, gap, right] =
            Layout::horizontal([Constraint::Fill(1), Constraint::Length(1), Constraint::Fill(1)]).areas(of);
        (left, gap, right)
    };
    let (left, gap, right) = halves(area.comparison_head);
    RowPainter::new(buffer, left, 0).gap(1).left(&before(comparison), roles.dim);
    RowPainter::new(buffer, gap, 0).left("│", roles.border);
    RowPainter::new(buffer, right, 0).gap(1).left(&after(model, comparison), roles.text);
    for (y, line) in
        (area.comparison.y..area.comparison.bottom()).zip(comparison.rows(area.is_beside).iter().skip(tuning.row))
    {
        let (left, gap, right) = halves(Rect { y, height: 1, ..area.comparison });
        // A line that differs is struck out on the left and marked as added on the right.
        let is_kept = comparison.is_kept(*line);
        draw_line(model, comparison, ComparisonRow { after: line.after.filter(|_| is_kept), ..*line }, left, buffer);
        RowPainter::new(buffer, gap, 0).left("│", roles.border);
        if line.after.is_some() {
            draw_line(
                model,
                comparison,
                ComparisonRow { before: line.before.filter(|_| is_kept), ..*line },
                right,
                buffer,
            );
        }
    }
}

/// Draws one line with its mark: removed, added, or none.
fn draw_line(model: &Model, comparison: &StubComparison, line: ComparisonRow, area: Rect, buffer: &mut Buffer) {
    let roles = &model.theme.roles;
    let (mark, mark_style, text, style) = match line {
        ComparisonRow { before: Some(at), after: None } => {
            ("-", roles.error, &comparison.before.lines[at], struck(model))
        }
        ComparisonRow { before: None, after: Some(at) } => {
            ("+", roles.success, &comparison.after.lines[at], roles.value)
        }
        ComparisonRow { before: Some(_), after: Some(at) } => {
            let runs = comparison.after.runs.get(at).map_or(&[][..], Vec::as_slice);
            let code = Rect { x: area.x + 3, width: area.width.saturating_sub(4), ..area };
            return source_line(&model.theme, &comparison.after.lines[at], runs, 0, code, buffer);
        }
        ComparisonRow { before: None, after: None } => return,
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
    if model.ascii { style } else { style.add_modifier(Modifier::CROSSED_OUT) }
}
