//! The colour depth of a terminal, and the quantization of colours to it.

use std::{fmt, str::FromStr};

use ratatui::style::Color;

/// The number of colours that a terminal shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ColourDepth {
    /// No colours; bold, underlined and reversed text remain.
    None,
    /// The sixteen ANSI colours, whose values the terminal chooses.
    Sixteen,
    /// 256 colours: a cube of 216, 24 greys, and the sixteen.
    Palette,
    /// 24-bit colours.
    True,
}

impl fmt::Display for ColourDepth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "no colours",
            Self::Sixteen => "16 colours",
            Self::Palette => "256 colours",
            Self::True => "24-bit colours",
        })
    }
}

/// The user's choice of a colour depth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColourChoice {
    /// The depth that the environment variables imply.
    #[default]
    Auto,
    /// This depth.
    Always(ColourDepth),
}

impl ColourChoice {
    /// The words for the choices on the command line and in `config.toml`.
    pub const WORDS: [(&str, Self); 5] = [
        ("auto", Self::Auto),
        ("truecolor", Self::Always(ColourDepth::True)),
        ("256", Self::Always(ColourDepth::Palette)),
        ("16", Self::Always(ColourDepth::Sixteen)),
        ("never", Self::Always(ColourDepth::None)),
    ];

    /// The word for the choice.
    pub fn word(self) -> &'static str {
        Self::WORDS.iter().find(|(_, choice)| *choice == self).map_or("auto", |(word, _)| word)
    }

    /// The colour depth in an environment. The terminal itself is not queried, since it might not answer.
    pub fn depth(self, variable: impl Fn(&str) -> Option<String>) -> ColourDepth {
        match self {
            Self::Always(depth) => depth,
            Self::Auto => ColourDepth::detect(variable),
        }
    }
}

impl FromStr for ColourChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let words = Self::WORDS.map(|(word, _)| word).join(", ");
        let found = Self::WORDS.iter().find(|(word, _)| *word == text);
        found.map(|(_, choice)| *choice).ok_or_else(|| format!("there is no `{text}`; write one of {words}"))
    }
}

/// Names of terminals in `TERM` that imply 24-bit colours.
const TRUE_COLOUR: [&str; 7] = ["kitty", "alacritty", "wezterm", "foot", "ghostty", "iterm", "contour"];

impl ColourDepth {
    fn detect(variable: impl Fn(&str) -> Option<String>) -> Self {
        // By https://no-color.org the variable counts if it is set and not empty.
        if variable("NO_COLOR").is_some_and(|value| !value.is_empty()) {
            return Self::None;
        }
        let colours = variable("COLORTERM").unwrap_or_default();
        let term = variable("TERM").unwrap_or_default();
        if matches!(colours.as_str(), "truecolor" | "24bit") || term.contains("-direct") {
            return Self::True;
        }
        if TRUE_COLOUR.iter().any(|name| term.contains(name)) || variable("WT_SESSION").is_some() {
            return Self::True;
        }
        if term.contains("256color") {
            return Self::Palette;
        }
        match term.as_str() {
            "" if cfg!(windows) => Self::True,
            "dumb" | "vt100" | "vt102" | "vt220" => Self::None,
            _ => Self::Sixteen,
        }
    }

    /// For an RGB colour, the nearest colour among the 256 or the sixteen. At the other depths, and for a colour that
    /// is not RGB, the colour itself.
    pub fn nearest(self, colour: Color) -> Color {
        let (Color::Rgb(r, g, b), Self::Palette | Self::Sixteen) = (colour, self) else { return colour };
        if self == Self::Palette { palette([r, g, b]) } else { sixteen([r, g, b]) }
    }
}

/// The values of a channel in the 6×6×6 colour cube of the 256 colours.
const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];

/// The nearest colour of the cube and the greys. The sixteen are left out, since each terminal chooses its own.
fn palette(colour: [u8; 3]) -> Color {
    let step = |value: u8| {
        let distances = LEVELS.iter().enumerate().map(|(at, level)| (level.abs_diff(value), at));
        distances.min().map_or(0, |(_, at)| at)
    };
    let cube = colour.map(step);
    let grey = (u32::from(colour[0]) + u32::from(colour[1]) + u32::from(colour[2])) / 3;
    let grey = (grey.saturating_sub(3) / 10).min(23) as u8;
    let shade = 8 + 10 * grey;
    if distance(colour, [shade; 3]) < distance(colour, cube.map(|at| LEVELS[at])) {
        Color::Indexed(232 + grey)
    } else {
        Color::Indexed((16 + 36 * cube[0] + 6 * cube[1] + cube[2]) as u8)
    }
}

/// The ANSI colour of the same hue and lightness. Only hue and lightness are compared, since each terminal chooses its
/// own shades.
fn sixteen(colour: [u8; 3]) -> Color {
    let [r, g, b] = colour.map(i32::from);
    let (most, least) = (r.max(g).max(b), r.min(g).min(b));
    let light = i32::midpoint(most, least);
    if most - least < 40 || (most - least) * 4 < most {
        return match light {
            0..64 => Color::Black,
            64..150 => Color::DarkGray,
            150..210 => Color::Gray,
            _ => Color::White,
        };
    }
    // A primary colour is part of the hue if its value is above the mean of the largest and the smallest value.
    match (r > light, g > light, b > light, light > 140) {
        (true, false, false, false) => Color::Red,
        (true, false, false, true) => Color::LightRed,
        (false, true, false, false) => Color::Green,
        (false, true, false, true) => Color::LightGreen,
        (true, true, false, false) => Color::Yellow,
        (true, true, false, true) => Color::LightYellow,
        (false, false, true, false) => Color::Blue,
        (false, false, true, true) => Color::LightBlue,
        (true, false, true, false) => Color::Magenta,
        (true, false, true, true) => Color::LightMagenta,
        (false, true, true, false) => Color::Cyan,
        (false, true, true, true) => Color::LightCyan,
        _ => Color::Gray,
    }
}

/// The weighted squared distance of two colours; the weights approximate the sensitivity of the eye.
fn distance(a: [u8; 3], b: [u8; 3]) -> u32 {
    let square = |at: usize| u32::from(a[at].abs_diff(b[at])).pow(2);
    2 * square(0) + 4 * square(1) + 3 * square(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_determines_the_depth() {
        let detect = |set: &[(&str, &str)]| {
            ColourDepth::detect(|name| {
                set.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
            })
        };
        assert_eq!(detect(&[("TERM", "xterm-256color"), ("COLORTERM", "truecolor")]), ColourDepth::True);
        assert_eq!(detect(&[("TERM", "xterm-kitty")]), ColourDepth::True);
        assert_eq!(detect(&[("TERM", "tmux-256color")]), ColourDepth::Palette);
        assert_eq!(detect(&[("TERM", "xterm")]), ColourDepth::Sixteen);
        assert_eq!(detect(&[("TERM", "linux")]), ColourDepth::Sixteen);
        assert_eq!(detect(&[("TERM", "vt100")]), ColourDepth::None);
        assert_eq!(detect(&[("TERM", "xterm-kitty"), ("NO_COLOR", "1")]), ColourDepth::None);
        assert_eq!(detect(&[("TERM", "xterm-kitty"), ("NO_COLOR", "")]), ColourDepth::True);
    }

    #[test]
    fn a_chosen_depth_overrides_the_environment() {
        let no_colour = |name: &str| (name == "NO_COLOR").then(|| "1".to_owned());
        assert_eq!("256".parse::<ColourChoice>().map(|choice| choice.depth(no_colour)), Ok(ColourDepth::Palette));
        assert_eq!(ColourChoice::Auto.depth(no_colour), ColourDepth::None);
        assert!("green".parse::<ColourChoice>().unwrap_err().contains("auto, truecolor, 256, 16, never"));
        for (word, choice) in ColourChoice::WORDS {
            assert_eq!((word.parse(), choice.word()), (Ok(choice), word));
        }
    }

    #[test]
    fn colours_become_the_nearest_of_the_depth() {
        let nearest = |depth: ColourDepth, rgb: u32| depth.nearest(Color::from_u32(rgb));
        for (rgb, index) in
            [(0x00_00_00, 16), (0xff_ff_ff, 231), (0x26_2d_3b, 236), (0x87_af_ff, 111), (0xd7_00_00, 160)]
        {
            assert_eq!(nearest(ColourDepth::Palette, rgb), Color::Indexed(index), "{rgb:06x}");
        }
        for (rgb, colour) in [
            (0x14_17_1d, Color::Black),
            (0xfb_fa_f7, Color::White),
            (0x7a_84_96, Color::DarkGray),
            (0x82_aa_ff, Color::LightBlue),
            (0xe8_80_7a, Color::LightRed),
            (0x39_77_3f, Color::Green),
            (0xe0_b3_6a, Color::LightYellow),
        ] {
            assert_eq!(nearest(ColourDepth::Sixteen, rgb), colour, "{rgb:06x}");
        }
        assert_eq!(nearest(ColourDepth::True, 0x12_34_56), Color::Rgb(0x12, 0x34, 0x56));
        assert_eq!(ColourDepth::Sixteen.nearest(Color::Cyan), Color::Cyan);
    }
}
