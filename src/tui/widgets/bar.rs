//! A bar of block characters in steps of an eighth of a cell.

use ratatui::{buffer::Buffer, style::Style};

const EIGHTHS: [&str; 8] = ["▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"];

/// Draws a bar of `cells` cells from `(x, y)`: `share` (0 to 1) of it is filled, the remainder is the track. A share
/// above zero is always visible.
pub fn bar(buffer: &mut Buffer, (x, y): (u16, u16), cells: u16, share: f64, fill: Style, track: Style) {
    let share = share.clamp(0.0, 1.0);
    let mut eighths = (share * f64::from(cells) * 8.0).round() as u16;
    if share > 0.0 {
        eighths = eighths.max(1);
    }
    for cell in 0..cells {
        let part = eighths.saturating_sub(cell * 8).min(8);
        let (symbol, style) = match part {
            0 => (" ", track),
            _ => (EIGHTHS[usize::from(part - 1)], track.patch(fill)),
        };
        if let Some(target) = buffer.cell_mut((x + cell, y)) {
            target.set_symbol(symbol).set_style(style);
        }
    }
}
