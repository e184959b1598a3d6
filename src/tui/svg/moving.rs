//! Draws several screens as one picture that moves. It moves by a style sheet: a page that shows it runs no script.

use std::fmt::Write as _;

use ratatui::{buffer::Buffer, layout::Position};

use super::{BASELINE, CELL, FONT_SIZE, FONTS, MARGIN, background, begin, cells, escaped};

/// How long each screen is shown, in milliseconds.
const SHOWN: usize = 2_500;
/// The height of the line below a screen that names its keys, in pixels.
const KEYS: u32 = 2 * CELL.1;

/// A screen, and the keys that led to it.
pub struct Frame {
    /// The cells.
    pub buffer: Buffer,
    /// The text cursor, if there is one.
    pub cursor: Option<Position>,
    /// The names of the keys that were pressed since the screen before.
    pub keys: Vec<String>,
}

/// Draws screens of one size, each for the same time, again and again. The first one is what a viewer shows that does
/// not move pictures, or whose user does not want it to.
pub fn draw(frames: &[Frame], title: &str) -> String {
    let Some(first) = frames.first() else { return String::new() };
    let background = background(&first.buffer);
    let mut out = begin(&first.buffer, KEYS, background, title);
    let (whole, part) = (frames.len() * SHOWN, 100.0 / frames.len() as f32);
    let _ = writeln!(
        out,
        "<style>\n@keyframes frame{{0%{{visibility:visible}}{part:.4}%{{visibility:hidden}}}}\n\
         .frame{{visibility:hidden;animation:frame {whole}ms step-end infinite}}.first{{visibility:visible}}\n\
         @media (prefers-reduced-motion:reduce){{.frame{{animation:none}}}}\n</style>"
    );
    for (number, frame) in frames.iter().enumerate() {
        let first = if number == 0 { " first" } else { "" };
        let _ = writeln!(out, "<g class=\"frame{first}\" style=\"animation-delay:{}ms\">", number * SHOWN);
        cells(&mut out, &frame.buffer, frame.cursor, background);
        keys(&mut out, frame);
        out.push_str("</g>\n");
    }
    out.push_str("</svg>\n");
    out
}

/// The keys of a screen, each in a frame of its own, in the middle below the screen.
fn keys(out: &mut String, frame: &Frame) {
    let cells = |key: &String| key.chars().count() as u32 + 2;
    let whole: u32 = frame.keys.iter().map(cells).sum();
    let mut left = MARGIN + (u32::from(frame.buffer.area.width).saturating_sub(whole)) * CELL.0 / 2;
    let top = 2 * MARGIN + u32::from(frame.buffer.area.height) * CELL.1;
    let _ =
        writeln!(out, "<g font-family=\"{FONTS}\" font-size=\"{FONT_SIZE}\" fill=\"#d4d9e2\" text-anchor=\"middle\">");
    for key in &frame.keys {
        let width = cells(key) * CELL.0;
        let _ = writeln!(
            out,
            "<rect x=\"{}\" y=\"{top}\" width=\"{}\" height=\"24\" rx=\"4\" fill=\"none\" stroke=\"#6b7588\"/>\n\
             <text x=\"{}\" y=\"{}\">{}</text>",
            left + 2,
            width - 4,
            left + width / 2,
            top + BASELINE + 2,
            escaped(key)
        );
        left += width;
    }
    out.push_str("</g>\n");
}

#[cfg(test)]
mod tests {
    use ratatui::layout::Rect;

    use super::*;

    fn frame(text: &str, keys: &[&str]) -> Frame {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 10, 1));
        buffer.set_stringn(0, 0, text, 10, ratatui::style::Style::new());
        Frame { buffer, cursor: None, keys: keys.iter().map(|key| (*key).to_owned()).collect() }
    }

    #[test]
    fn each_screen_is_shown_in_its_own_part_of_the_time_with_its_keys() {
        let drawn = draw(&[frame("one", &[]), frame("two", &["f", "<"])], "a & b");
        assert!(drawn.contains("<title>a &amp; b</title>") && drawn.contains("height=\"80\""), "{drawn}");
        assert!(drawn.contains("50.0000%{visibility:hidden}") && drawn.contains("frame 5000ms"), "{drawn}");
        let [_, one, two] = &drawn.split("<g class=\"frame").collect::<Vec<_>>()[..] else { panic!("{drawn}") };
        assert!(one.starts_with(" first\" style=\"animation-delay:0ms\">") && one.contains(">one<"), "{one}");
        assert!(two.starts_with("\" style=\"animation-delay:2500ms\">") && two.contains(">two<"), "{two}");
        assert!(!one.contains("rx=\"4\"") && two.contains(">f</text>") && two.contains(">&lt;</text>"), "{drawn}");
    }
}
