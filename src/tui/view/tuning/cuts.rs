//! Before and after: everything on the left with what is cut struck, what is left of it on the right; in one column
//! where there is no room for two. Both scroll together.

use ratatui::{
    buffer::Buffer,
    layout::{Constraint, Layout, Rect},
    style::{Modifier, Style},
};

use crate::tui::{
    layout::TuningArea,
    model::{
        Model,
        settings::in_words,
        tuning::{Cuts, Line, Tuning},
    },
    view::{message, preview::source_line},
    widgets::{Row, grouped, scroll_mark},
};
use apidisc::usage::percent;

pub(super) fn draw(model: &Model, tuning: &Tuning, area: &TuningArea, buffer: &mut Buffer) {
    let cuts = match &tuning.cuts.answer {
        Some((_, Ok(cuts))) => cuts,
        Some((_, Err(why))) => return message(model, area.cuts, buffer, &[&why.to_string()]),
        None => return message(model, area.cuts, buffer, &["cutting both stubs…"]),
    };
    let roles = &model.theme.roles;
    if area.is_beside {
        beside(model, tuning, cuts, area, buffer);
    } else {
        let mut head = Row::new(buffer, area.cuts_head, 0);
        head.gap(1).margin(1).right(&after(model, cuts), roles.text).margin(2).left(&before(cuts), roles.dim);
        for (y, line) in (area.cuts.y..area.cuts.bottom()).zip(cuts.rows(area.is_beside).iter().skip(tuning.row)) {
            let row = Rect { y, height: 1, ..area.cuts };
            one(model, cuts, *line, row, buffer);
        }
    }
    scroll_mark(buffer, area.whole, area.cuts, tuning.row, cuts.rows(area.is_beside).len(), roles.border_focused);
}

/// `everything: 3,138 tokens`
fn before(cuts: &Cuts) -> String {
    format!("everything: {} tokens", grouped(cuts.before.tokens))
}

/// `budget 1,000: 998 tokens, −68%`
fn after(model: &Model, cuts: &Cuts) -> String {
    let (all, left) = (cuts.before.tokens, cuts.after.tokens);
    let saved = match percent(left as u32, all as u32) {
        Some(share) if left < all => format!(", −{}%", 100 - share),
        _ => String::new(),
    };
    format!("{}: {} tokens{saved}", in_words(model.settings.strategy), grouped(left))
}

fn beside(model: &Model, tuning: &Tuning, cuts: &Cuts, area: &TuningArea, buffer: &mut Buffer) {
    let roles = &model.theme.roles;
    let halves = |of: Rect| {
        let [left, gap, right] =
            Layout::horizontal([Constraint::Fill(1), Constraint::Length(1), Constraint::Fill(1)]).areas(of);
        (left, gap, right)
    };
    let (left, gap, right) = halves(area.cuts_head);
    Row::new(buffer, left, 0).gap(1).left(&before(cuts), roles.dim);
    Row::new(buffer, gap, 0).left("│", roles.border);
    Row::new(buffer, right, 0).gap(1).left(&after(model, cuts), roles.text);
    for (y, line) in (area.cuts.y..area.cuts.bottom()).zip(cuts.rows(area.is_beside).iter().skip(tuning.row)) {
        let (left, gap, right) = halves(Rect { y, height: 1, ..area.cuts });
        // What differs is cut on the left and added on the right.
        let is_kept = cuts.is_kept(*line);
        one(model, cuts, Line { after: line.after.filter(|_| is_kept), ..*line }, left, buffer);
        Row::new(buffer, gap, 0).left("│", roles.border);
        if line.after.is_some() {
            one(model, cuts, Line { before: line.before.filter(|_| is_kept), ..*line }, right, buffer);
        }
    }
}

/// One line with its mark: cut, added, or neither.
fn one(model: &Model, cuts: &Cuts, line: Line, area: Rect, buffer: &mut Buffer) {
    let roles = &model.theme.roles;
    let (mark, mark_style, text, style) = match line {
        Line { before: Some(at), after: None } => ("-", roles.error, &cuts.before.lines[at], struck(model)),
        Line { before: None, after: Some(at) } => ("+", roles.success, &cuts.after.lines[at], roles.value),
        Line { before: Some(_), after: Some(at) } => {
            let runs = cuts.after.runs.get(at).map_or(&[][..], Vec::as_slice);
            let code = Rect { x: area.x + 3, width: area.width.saturating_sub(4), ..area };
            return source_line(&model.theme, &cuts.after.lines[at], runs, 0, code, buffer);
        }
        Line { before: None, after: None } => return,
    };
    let mut row = Row::new(buffer, area, 0);
    row.gap(1).margin(1).left(mark, mark_style).gap(1);
    // What a line is indented by is not struck.
    let code = text.trim_start();
    row.gap((text.len() - code.len()) as u16).left(code, style);
}

/// What is cut: faint, and struck where the terminal can.
fn struck(model: &Model) -> Style {
    let style = model.theme.roles.dim;
    if model.ascii { style } else { style.add_modifier(Modifier::CROSSED_OUT) }
}
