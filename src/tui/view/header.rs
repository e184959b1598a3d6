//! The first row: what is open, and either the progress of the indexing or the ledger in short.

use ratatui::{buffer::Buffer, layout::Rect};

use crate::tui::{
    model::{Indexing, Model},
    widgets::{Row, grouped},
};

pub(super) fn draw(model: &Model, area: Rect, buffer: &mut Buffer) {
    let roles = &model.theme.roles;
    let mut row = Row::new(buffer, area, 0);
    row.gap(1).margin(1).left("apidisc", roles.accent).gap(2);
    // The title keeps a third of the line; the numbers get the rest, longest form that fits.
    let room = usize::from(row.room().saturating_sub((model.title.chars().count() as u16).min(area.width / 3) + 2));
    match &model.indexing {
        Indexing::Walking => {
            row.right("looking for files…", roles.dim);
        }
        Indexing::Parsing { done, total, calls } => {
            let (done_words, total_words) = (grouped(*done), grouped(*total));
            let forms = [
                format!("indexing {done_words} of {total_words} files, {} calls ", grouped(*calls)),
                format!("{done_words} of {total_words} files "),
                format!("{done_words}/{total_words} "),
            ];
            let gauge = 16.min(area.width / 8);
            let text = fitting(&forms, room.saturating_sub(usize::from(gauge)));
            row.left(&model.title, roles.text);
            let start = row.room().saturating_sub(gauge + text.chars().count() as u16);
            row.gap(start).left(text, roles.dim);
            let share = if *total == 0 { 0.0 } else { *done as f64 / *total as f64 };
            row.bar(gauge, share, roles.gauge, roles.gauge_track);
            return;
        }
        Indexing::Failed(_) => {
            row.right("not indexed", roles.error);
        }
        Indexing::Done => {
            if let Some(catalog) = &model.catalog {
                let ledger = catalog.index.ledger;
                let unknown = ledger.unknown_receiver + ledger.unknown_name + ledger.dynamic;
                let [resolved, ambiguous, unknown, files, total] =
                    [ledger.resolved, ledger.ambiguous, unknown, catalog.index.files.len() as u32, ledger.total()]
                        .map(|n| grouped(n as usize));
                let problems = match catalog.index.diagnostics.len() {
                    0 => String::new(),
                    1 => " · 1 problem (i)".to_owned(),
                    n => format!(" · {} problems (i)", grouped(n)),
                };
                let files = if files == "1" { "1 file".to_owned() } else { format!("{files} files") };
                let forms = [
                    format!(
                        "{files} · {total} calls · {resolved} resolved · {ambiguous} ambiguous · {unknown} unknown{problems}"
                    ),
                    format!("{total} calls · {resolved} resolved · {ambiguous} ambiguous · {unknown} unknown"),
                    format!("{resolved} resolved · {ambiguous} ambiguous · {unknown} unknown"),
                    format!("{total} calls · {resolved} resolved"),
                    format!("{total} calls"),
                ];
                row.right(fitting(&forms, room), roles.dim);
            }
        }
    }
    row.left(&model.title, roles.text);
}

/// The first form that fits, else none.
pub(super) fn fitting(forms: &[String], room: usize) -> &str {
    forms.iter().find(|form| crate::tui::widgets::width(form) <= room).map_or("", String::as_str)
}
