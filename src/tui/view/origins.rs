//! The list of origins, and of sources if there are several, with their weights.
//!
//! ```text
//! ╭ Origins ────────────────────────────── Esc closes ╮
//! │ where calls stand, and how often they count       │
//! │                                                   │
//! │▌1 src        −  ×1  +  ━━━━━━━━━━━━  12,402   61% │
//! │ 2 tests      −  out +  ─────────────  8,120    0% │
//! │   my-app     −  ×3  +  ━━━━────────     402   31% │
//! ╰───────────────────────────────────────────────────╯
//! ```

use ratatui::buffer::Buffer;

use super::{clear, pane};
use crate::tui::{
    command::Command,
    layout,
    model::{CallGroup, Model, Origins},
    widgets::{Border, RowPainter, grouped},
};

pub(super) fn draw(model: &Model, list: &Origins, buffer: &mut Buffer) {
    let roles = &model.theme.roles;
    let groups = model.call_groups();
    let has_sources = groups.iter().any(|group| matches!(group, CallGroup::Source(_)));
    let area = layout::origins(model);
    clear(model, area.frame, buffer);
    Border { line: roles.border_focused, background: roles.background }.draw(area.frame, buffer);
    let key = |command| model.keymap.first(command).unwrap_or_default();
    let mut top = Border::top(area.frame, buffer);
    top.right(&format!(" {} closes ", key(Command::Clear)), roles.dim);
    top.left(if has_sources { " Origins and sources " } else { " Origins " }, roles.title_focused);
    RowPainter::new(buffer, area.head, 0).gap(1).left("where calls stand, and how often they count", roles.dim);
    let shown = groups.iter().enumerate().skip(list.cursor.offset).take(area.list.height.into());
    for (line, (position, group)) in (0..).zip(shown) {
        let known = model.calls_of(group);
        let selected = list.cursor.selected == position;
        let weight = group.weight(&model.settings.weights);
        let name = if weight == 0 { roles.dim } else { roles.text };
        let mut row = RowPainter::new(buffer, area.list, line);
        row.left(pane::mark(model, selected), roles.accent);
        let digit = group.toggle_command().map_or_else(|| " ".to_owned(), key);
        row.left(&digit, roles.key).gap(1).left(group.name(), name);
        let words = if weight == 0 { "out".to_owned() } else { format!("×{weight}") };
        RowPainter::new(buffer, area.less, line).gap(1).left("−", roles.key);
        RowPainter::new(buffer, area.weight, line).left(&words, if weight == 1 { roles.text } else { roles.value });
        RowPainter::new(buffer, area.more, line).gap(1).left("+", roles.key);
        let mut row = RowPainter::new(buffer, area.list, line);
        row.gap(area.more.right() - area.list.x + 1).margin(1);
        if let Some((calls, share)) = known {
            let percent = share.map_or_else(String::new, |share| format!("{share}%"));
            row.right(&format!("{:>9}{percent:>6}", grouped(calls as usize)), roles.count).margin(1);
            let cells = row.room();
            row.bar(cells, f64::from(share.unwrap_or(0)) / 100.0, roles.bar, roles.bar_track);
        }
        if selected {
            pane::highlight(area.list, line, roles.selected, buffer);
        }
    }
    let hint = format!(
        "{} in or out · {} {} weight, 0 to {}",
        key(Command::Toggle),
        key(Command::Lower),
        key(Command::Raise),
        apidisc::usage::Weights::MAX,
    );
    RowPainter::new(buffer, area.foot, 0).gap(1).left(&hint, roles.dim);
}
