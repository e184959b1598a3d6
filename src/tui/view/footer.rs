//! The last row: strategy and tokenizer, then a toast or the keys that matter here.

use ratatui::{buffer::Buffer, layout::Rect};

use crate::{
    engine::strategy::Strategy,
    tui::{
        command::{Command, entry},
        model::{Model, Pane, Tone},
        widgets::{Row, width},
    },
};

pub(super) fn draw(model: &Model, area: Rect, buffer: &mut Buffer) {
    let roles = &model.theme.roles;
    let mut row = Row::new(buffer, area, 0);
    row.left(&format!(" {} ", model.settings.describe()), roles.chip);
    row.gap(1).left(model.settings.encoding.name(), roles.dim).gap(2).margin(1);
    if model.private {
        row.left("+private", roles.value).gap(2);
    }
    if let Some(toast) = &model.toast {
        let style = match toast.tone {
            Tone::Note => roles.note,
            Tone::Success => roles.success,
            Tone::Error => roles.error,
        };
        row.left(&toast.text, style);
        return;
    }
    for (command, word) in hints(model) {
        let Some(key) = entry(command).and_then(|entry| entry.keys.first()) else { continue };
        let key = key.to_string();
        let cells = width(&key) + 1 + width(word) + 2;
        if cells > usize::from(row.room()) {
            break;
        }
        row.left(&key, roles.key);
        if word.is_empty() {
            row.left("/", roles.dim);
        } else {
            row.gap(1).left(word, roles.dim).gap(2);
        }
    }
}

/// The commands that matter where one is, the most useful first.
fn hints(model: &Model) -> Vec<(Command, &'static str)> {
    if model.editing.is_some() {
        return vec![(Command::AcceptFilter, "keep"), (Command::CancelFilter, "clear"), (Command::NextMatch, "next")];
    }
    let mut hints = vec![(Command::Help, "help"), (Command::NextStrategy, "strategy")];
    let number = match model.settings.strategy {
        Strategy::TokenBudget { .. } => Some("budget"),
        Strategy::Threshold { .. } => Some("threshold"),
        Strategy::Coverage { .. } => Some("target"),
        Strategy::Exhaustive => None,
    };
    if let Some(word) = number {
        hints.extend([(Command::Raise, ""), (Command::Lower, word)]);
    }
    let here = match model.focus {
        Pane::Modules => (Command::Toggle, "open"),
        _ => (Command::Edit, "source"),
    };
    hints.extend([
        (Command::Filter, "filter"),
        (Command::Copy, "copy"),
        (Command::Write, "write"),
        here,
        (Command::NextPane, "pane"),
        (Command::NextEncoding, "tokenizer"),
    ]);
    hints
}
