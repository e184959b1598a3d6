//! The screen in ASCII: special characters of the interface, such as borders and bars, are replaced by similar ones.

use ratatui::buffer::Buffer;

/// Characters of the interface, one cell each, and their replacements.
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
    ("±", "+"),
    ("≠", "#"),
    ("ƒ", "f"),
    ("↑", "^"),
    ("↓", "v"),
    ("←", "<"),
    ("→", ">"),
    ("✓", "v"),
    ("✗", "x"),
];

/// Replaces the characters of the table, also in text from the sources. Characters outside the table stay.
pub fn to_ascii(buffer: &mut Buffer) {
    for cell in &mut buffer.content {
        if !cell.symbol().is_ascii()
            && let Some((_, plain)) = PLAIN.iter().find(|(known, _)| known.contains(cell.symbol()))
        {
            cell.set_symbol(plain);
        }
    }
}
