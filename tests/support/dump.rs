//! Formats a screen as text together with its styles, so that a change of colour is visible in a diff.

use std::fmt::Write as _;

use ratatui::{
    buffer::Buffer,
    style::{Color, Modifier, Style},
};

/// The text of a screen, one line per row.
pub fn text(buffer: &Buffer) -> String {
    let mut out = String::new();
    for y in 0..buffer.area.height {
        let mut line = String::new();
        let mut skip = 0;
        for x in 0..buffer.area.width {
            let symbol = buffer[(x, y)].symbol();
            if skip == 0 {
                line.push_str(symbol);
                skip = unicode_width::UnicodeWidthStr::width(symbol).saturating_sub(1);
            } else {
                skip -= 1;
            }
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// The text, then a map with a letter per cell for its style, then the style of each letter.
pub fn styled(buffer: &Buffer) -> String {
    in_themes(&[("", buffer)])
}

/// Like [`styled`], for one screen in several themes. The text must be equal in all of them; each letter has a style
/// per theme.
pub fn in_themes(screens: &[(&str, &Buffer)]) -> String {
    let [(_, first), others @ ..] = screens else { return String::new() };
    let mut out = text(first);
    for (theme, other) in others {
        assert_eq!(text(other), out, "{theme} has another text");
    }
    let mut styles: Vec<Vec<Style>> = Vec::new();
    let mut map = String::new();
    for y in 0..first.area.height {
        let mut line = String::new();
        for x in 0..first.area.width {
            let style: Vec<Style> = screens.iter().map(|(_, buffer)| buffer[(x, y)].style()).collect();
            let place = styles.iter().position(|known| *known == style).unwrap_or_else(|| {
                styles.push(style);
                styles.len() - 1
            });
            line.push(letter(place));
        }
        map.push_str(line.trim_end_matches(letter(0)));
        map.push('\n');
    }
    out.push_str("\n---- styles\n");
    out.push_str(&map);
    for (at, (theme, _)) in screens.iter().enumerate() {
        if !theme.is_empty() {
            let _ = writeln!(out, "{theme}");
        }
        for (place, style) in styles.iter().enumerate() {
            let _ = writeln!(out, "{} {}", letter(place), describe(style[at]));
        }
    }
    out
}

fn letter(place: usize) -> char {
    b"-abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"[place] as char
}

fn describe(style: Style) -> String {
    let mut parts = Vec::new();
    for (what, colour) in [("fg", style.fg), ("bg", style.bg)] {
        if let Some(colour) = colour.filter(|c| *c != Color::Reset) {
            parts.push(format!("{what} {colour}"));
        }
    }
    if style.add_modifier != Modifier::empty() {
        parts.push(format!("{:?}", style.add_modifier).to_lowercase());
    }
    if parts.is_empty() { "plain".to_owned() } else { parts.join(", ") }
}
