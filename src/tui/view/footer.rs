//! The last row: strategy, tokenizer and the settings that differ from their defaults, then a toast or the key hints.

use ratatui::buffer::Buffer;

use crate::tui::{
    layout::Areas,
    model::{Model, Tone},
    widgets::RowPainter,
};

pub(super) fn draw(model: &Model, areas: &Areas, buffer: &mut Buffer) {
    let roles = &model.theme.roles;
    let footer = areas.footer(model);
    if model.shows_strategy() {
        RowPainter::new(buffer, footer.chip, 0).left(&format!(" {} ", model.settings.describe()), roles.chip);
        RowPainter::new(buffer, footer.encoding, 0).left(model.settings.encoding.name(), roles.dim);
    }
    for (area, words, _) in &footer.states {
        RowPainter::new(buffer, *area, 0).left(words, roles.value);
    }
    if let Some(toast) = &model.toast {
        let style = match toast.tone {
            Tone::Note => roles.note,
            Tone::Success => roles.success,
            Tone::Error => roles.error,
        };
        RowPainter::new(buffer, footer.rest, 0).left(&toast.text, style);
        return;
    }
    for hint in &footer.hints {
        let mut row = RowPainter::new(buffer, hint.area, 0);
        row.left(&hint.key, roles.key);
        if hint.word.is_empty() {
            row.left("/", roles.dim);
        } else {
            row.gap(1).left(hint.word, roles.dim);
        }
    }
}
