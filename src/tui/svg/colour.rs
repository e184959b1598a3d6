//! The colours of a cell in a picture, with fixed values for the colours that each terminal chooses itself.

use std::fmt;

use ratatui::{
    buffer::Cell,
    style::{Color, Modifier},
};

/// Red, green, blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rgb(u8, u8, u8);

impl fmt::Display for Rgb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(red, green, blue) = self;
        write!(f, "#{red:02x}{green:02x}{blue:02x}")
    }
}

/// The background if a theme leaves it to the terminal.
pub(super) const BACKGROUND: Rgb = Rgb(0x14, 0x17, 0x1d);
/// The foreground if a theme leaves it to the terminal.
const TEXT: Rgb = Rgb(0xd4, 0xd9, 0xe2);
/// The sixteen ANSI colours.
const SIXTEEN: [Rgb; 16] = [
    Rgb(0x1c, 0x21, 0x2b),
    Rgb(0xe0, 0x6c, 0x75),
    Rgb(0x8f, 0xc3, 0x7c),
    Rgb(0xe0, 0xb3, 0x6a),
    Rgb(0x82, 0xaa, 0xff),
    Rgb(0xc5, 0x92, 0xea),
    Rgb(0x6c, 0xc5, 0xcf),
    Rgb(0xa9, 0xb2, 0xc3),
    Rgb(0x6b, 0x75, 0x88),
    Rgb(0xf0, 0x8a, 0x90),
    Rgb(0xa9, 0xd8, 0x96),
    Rgb(0xf0, 0xc9, 0x86),
    Rgb(0xa3, 0xc1, 0xff),
    Rgb(0xd6, 0xae, 0xf3),
    Rgb(0x8d, 0xd9, 0xe1),
    Rgb(0xf2, 0xf4, 0xf8),
];
/// The levels of the 6×6×6 colour cube of xterm.
const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];

/// The style of a cell, resolved to colours.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools)] // one bool per modifier
pub(super) struct CellStyle {
    pub(super) colour: Rgb,
    pub(super) background: Rgb,
    /// The colour of the underline.
    pub(super) underline: Option<Rgb>,
    pub(super) is_struck: bool,
    pub(super) is_bold: bool,
    pub(super) is_italic: bool,
    pub(super) is_hidden: bool,
}

impl CellStyle {
    pub(super) fn of(cell: &Cell) -> Self {
        let has = |modifier| cell.modifier.contains(modifier);
        let (mut colour, mut background) = (rgb(cell.fg, TEXT), rgb(cell.bg, BACKGROUND));
        if has(Modifier::REVERSED) {
            std::mem::swap(&mut colour, &mut background);
        }
        if has(Modifier::DIM) {
            colour = blend(colour, background);
        }
        Self {
            colour,
            background,
            underline: has(Modifier::UNDERLINED).then(|| rgb(cell.underline_color, colour)),
            is_struck: has(Modifier::CROSSED_OUT),
            is_bold: has(Modifier::BOLD),
            is_italic: has(Modifier::ITALIC),
            is_hidden: has(Modifier::HIDDEN),
        }
    }

    /// The same style under the text cursor.
    pub(super) fn reversed(self) -> Self {
        Self { colour: self.background, background: self.colour, ..self }
    }

    /// True if texts of both styles can be one run: their backgrounds may differ.
    pub(super) fn writes_like(&self, other: &Self) -> bool {
        (self.colour, self.is_bold, self.is_italic) == (other.colour, other.is_bold, other.is_italic)
    }
}

fn rgb(colour: Color, reset: Rgb) -> Rgb {
    match colour {
        Color::Reset => reset,
        Color::Rgb(red, green, blue) => Rgb(red, green, blue),
        Color::Indexed(index) => indexed(index),
        Color::Black => SIXTEEN[0],
        Color::Red => SIXTEEN[1],
        Color::Green => SIXTEEN[2],
        Color::Yellow => SIXTEEN[3],
        Color::Blue => SIXTEEN[4],
        Color::Magenta => SIXTEEN[5],
        Color::Cyan => SIXTEEN[6],
        Color::Gray => SIXTEEN[7],
        Color::DarkGray => SIXTEEN[8],
        Color::LightRed => SIXTEEN[9],
        Color::LightGreen => SIXTEEN[10],
        Color::LightYellow => SIXTEEN[11],
        Color::LightBlue => SIXTEEN[12],
        Color::LightMagenta => SIXTEEN[13],
        Color::LightCyan => SIXTEEN[14],
        Color::White => SIXTEEN[15],
    }
}

/// A colour of xterm's 256: sixteen, the cube of 216, and 24 greys.
fn indexed(index: u8) -> Rgb {
    match index {
        0..16 => SIXTEEN[usize::from(index)],
        16..232 => {
            let at = usize::from(index - 16);
            Rgb(LEVELS[at / 36], LEVELS[at / 6 % 6], LEVELS[at % 6])
        }
        232.. => {
            let grey = 8 + 10 * (index - 232);
            Rgb(grey, grey, grey)
        }
    }
}

/// The colour of dim text: mixed with its background.
fn blend(colour: Rgb, background: Rgb) -> Rgb {
    let mix = |a: u8, b: u8| ((u16::from(a) * 3 + u16::from(b) * 2) / 5) as u8;
    Rgb(mix(colour.0, background.0), mix(colour.1, background.1), mix(colour.2, background.2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_colour_is_converted_to_rgb() {
        for (colour, shown) in [
            (Color::Reset, "#d4d9e2"),
            (Color::Rgb(1, 2, 255), "#0102ff"),
            (Color::LightBlue, "#a3c1ff"),
            (Color::Indexed(12), "#a3c1ff"),
            (Color::Indexed(111), "#87afff"),
            (Color::Indexed(236), "#303030"),
            (Color::Indexed(255), "#eeeeee"),
        ] {
            assert_eq!(rgb(colour, TEXT).to_string(), shown);
        }
    }

    #[test]
    fn dim_text_is_mixed_with_its_own_background() {
        let mut cell = Cell::default();
        cell.modifier = Modifier::DIM | Modifier::REVERSED;
        let style = CellStyle::of(&cell);
        assert_eq!(style.background, TEXT);
        assert_eq!(style.colour, blend(BACKGROUND, TEXT));
    }
}
