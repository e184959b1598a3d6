//! Themes: a TOML file per theme gives styles to the roles of the interface and of source text. Some are embedded in
//! the binary, others are the user's own; a theme can inherit from another.

mod depth;
mod file;
mod library;
mod syntax;

use ratatui::style::{Color, Modifier, Style};

pub use depth::{ColourChoice, ColourDepth};
pub use library::{ThemeError, Themes, UserTheme};

pub use syntax::{SyntaxRole, SyntaxRun, SyntaxRuns};

macro_rules! roles {
    ($($(#[$doc:meta])* $role:ident,)*) => {
        /// A style for each role of the interface.
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct Roles {
            $($(#[$doc])* pub $role: Style,)*
        }

        impl Roles {
            /// The names of the roles.
            pub const NAMES: &[&str] = &[$(stringify!($role)),*];

            fn from_names(mut style: impl FnMut(&str) -> Style) -> Self {
                Self { $($role: style(stringify!($role)),)* }
            }

            fn for_each_style(&mut self, mut change: impl FnMut(&mut Style)) {
                $(change(&mut self.$role);)*
            }
        }
    };
}

roles! {
    /// The background of the screen.
    background,
    /// Names and other text.
    text,
    /// Secondary text.
    dim,
    /// The program's name, headings, the mark of the selected row.
    accent,
    /// A pane's border.
    border,
    /// The border of the pane with the focus.
    border_focused,
    /// A pane's title.
    title,
    /// The title of the pane with the focus.
    title_focused,
    /// The selected row of the pane with the focus.
    selected,
    /// The selected row of another pane.
    selected_blurred,
    /// Characters that match a filter.
    found,
    /// A count, such as a number of calls.
    count,
    /// The filled part of a frequency bar.
    bar,
    /// The empty part of a frequency bar.
    bar_track,
    /// The filled part of a gauge of tokens or progress.
    gauge,
    /// The empty part of a gauge.
    gauge_track,
    /// A class.
    class,
    /// A function or method.
    function,
    /// A property, attribute or constant.
    value,
    /// The mark of a required parameter.
    required,
    /// Something unknown.
    unknown,
    /// A toast with information.
    note,
    /// A toast of success.
    success,
    /// A toast of failure.
    error,
    /// A key in a hint.
    key,
    /// The strategy in force, which the footer shows, and the selected tab.
    chip,
}

/// A theme, reduced to the terminal's colour depth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Theme {
    /// The name.
    pub name: String,
    /// The styles of the interface.
    pub roles: Roles,
    syntax: [Style; SYNTAX.len()],
}

const SYNTAX: [(&str, SyntaxRole); 12] = [
    ("plain", SyntaxRole::Plain),
    ("keyword", SyntaxRole::Keyword),
    ("string", SyntaxRole::String),
    ("number", SyntaxRole::Number),
    ("constant", SyntaxRole::Constant),
    ("comment", SyntaxRole::Comment),
    ("function", SyntaxRole::Function),
    ("type", SyntaxRole::Type),
    ("parameter", SyntaxRole::Parameter),
    ("decorator", SyntaxRole::Decorator),
    ("operator", SyntaxRole::Operator),
    ("punctuation", SyntaxRole::Punctuation),
];

impl Theme {
    /// The style of source text.
    pub fn syntax(&self, syntax: SyntaxRole) -> Style {
        self.syntax[syntax as usize]
    }

    /// Reduces every style to a colour depth.
    fn reduce(&mut self, depth: ColourDepth) {
        let nearest = |style: &mut Style| {
            style.fg = style.fg.map(|colour| depth.nearest(colour));
            style.bg = style.bg.map(|colour| depth.nearest(colour));
        };
        self.roles.for_each_style(nearest);
        self.syntax.iter_mut().for_each(nearest);
        match depth {
            ColourDepth::True | ColourDepth::Palette => {}
            // Among sixteen colours similar backgrounds become equal, and the selected row would not be seen. Its
            // background is therefore the accent colour; the empty parts of bars and gauges have no background.
            ColourDepth::Sixteen if self.roles.background.bg.is_some() => {
                let roles = &mut self.roles;
                roles.selected = Style { fg: roles.background.bg, bg: roles.accent.fg, ..Style::default() };
                roles.selected_blurred = Style::default().add_modifier(Modifier::UNDERLINED);
                (roles.bar_track.bg, roles.gauge_track.bg) = (None, None);
                // A foreground that becomes equal to its background would be invisible.
                let ground = roles.background.bg;
                let grey = if ground == Some(Color::Black) { Color::DarkGray } else { Color::Gray };
                roles.for_each_style(|style| {
                    if style.fg == ground && style.bg.is_none_or(|bg| Some(bg) == ground) {
                        style.fg = Some(grey);
                    }
                });
            }
            ColourDepth::Sixteen => {}
            ColourDepth::None => {
                let colourless = |style: &mut Style| (style.fg, style.bg) = (None, None);
                self.roles.for_each_style(colourless);
                self.syntax.iter_mut().for_each(colourless);
                let roles = &mut self.roles;
                for reversed in [&mut roles.selected, &mut roles.chip] {
                    reversed.add_modifier |= Modifier::REVERSED;
                }
                roles.selected_blurred.add_modifier |= Modifier::UNDERLINED;
                roles.border_focused.add_modifier |= Modifier::BOLD;
            }
        }
    }
}
