//! The screen with nothing but ASCII: what the interface draws with other characters is drawn with the nearest.

use ratatui::buffer::Buffer;

/// Characters of the interface, one cell each, and what stands for them.
const PLAIN: &[(&str, &str)] = &[
    ("╭╮╰╯┌┐└┘├┤┬┴┼", "+"),
    ("─━", "-"),
    ("│", "|"),
    ("┃█▉▊▋▌▐", "#"),
    ("▍▎▏", "-"),
    ("░▒▓", ":"),
    ("▸", "+"),
    ("▾", "-"),
    ("●", "*"),
    ("◆", "+"),
    ("○", "o"),
    ("·", "-"),
    ("…", "~"),
    ("–−—", "-"),
    ("×", "x"),
    ("ƒ", "f"),
    ("↑", "^"),
    ("↓", "v"),
    ("←", "<"),
    ("→", ">"),
    ("✓", "v"),
    ("✗", "x"),
];

/// Redraws what stands in the table; text of the sources in other scripts stays.
pub fn to_ascii(buffer: &mut Buffer) {
    for cell in &mut buffer.content {
        if !cell.symbol().is_ascii()
            && let Some((_, plain)) = PLAIN.iter().find(|(known, _)| known.contains(cell.symbol()))
        {
            cell.set_symbol(plain);
        }
    }
}
