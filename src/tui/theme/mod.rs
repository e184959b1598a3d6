//! Colours: one TOML a theme, interface roles and syntax in one file, embedded in the binary.

mod file;

use ratatui::style::{Color, Modifier, Style};

use super::model::Syntax;

/// A theme by that name is not there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ThemeError {
    /// No theme has that name.
    #[error("there is no theme `{0}`; choose one of {list}", list = NAMES.join(", "))]
    Unknown(String),
    /// A theme's file is wrong.
    #[error("theme `{0}`: {1}")]
    Malformed(String, String),
}

/// The themes, in the order of the key; the first is the default.
pub const NAMES: [&str; 3] = ["terminal", "dark", "light"];

const FILES: [&str; 3] = [
    include_str!("../../../themes/terminal.toml"),
    include_str!("../../../themes/dark.toml"),
    include_str!("../../../themes/light.toml"),
];

macro_rules! roles {
    ($($(#[$doc:meta])* $role:ident,)*) => {
        /// A style a role of the interface.
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct Roles {
            $($(#[$doc])* pub $role: Style,)*
        }

        impl Roles {
            fn from_table(table: &mut file::Table) -> Result<Self, String> {
                Ok(Self { $($role: table.take(stringify!($role))?,)* })
            }

            fn each(&mut self, change: impl Fn(&mut Style)) {
                $(change(&mut self.$role);)*
            }
        }
    };
}

roles! {
    /// Behind everything.
    background,
    /// Names and other text.
    text,
    /// What is there for those who look.
    dim,
    /// The program's name, headings, the selected row's mark.
    accent,
    /// A pane's border.
    border,
    /// The border of the pane that keys go to.
    border_focused,
    /// A pane's title.
    title,
    /// The title of the pane that keys go to.
    title_focused,
    /// The selected row of that pane.
    selected,
    /// The selected row of another pane.
    selected_blurred,
    /// Characters that match a filter.
    found,
    /// Numbers at the right.
    count,
    /// A bar of frequencies.
    bar,
    /// What is left of it.
    bar_track,
    /// A gauge of tokens or progress.
    gauge,
    /// What is left of it.
    gauge_track,
    /// A class.
    class,
    /// A function or method.
    function,
    /// A property, attribute or constant.
    value,
    /// The mark of a required parameter.
    required,
    /// What is not known.
    unknown,
    /// A toast that tells.
    note,
    /// A toast of success.
    success,
    /// A toast of failure.
    error,
    /// A key in a hint.
    key,
    /// The strategy in force.
    chip,
}

/// Every style that is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Theme {
    /// Its name.
    pub name: &'static str,
    /// The interface.
    pub roles: Roles,
    colour: bool,
    syntax: [Style; 12],
}

const SYNTAX: [(&str, Syntax); 12] = [
    ("plain", Syntax::Plain),
    ("keyword", Syntax::Keyword),
    ("string", Syntax::String),
    ("number", Syntax::Number),
    ("constant", Syntax::Constant),
    ("comment", Syntax::Comment),
    ("function", Syntax::Function),
    ("type", Syntax::Type),
    ("parameter", Syntax::Parameter),
    ("decorator", Syntax::Decorator),
    ("operator", Syntax::Operator),
    ("punctuation", Syntax::Punctuation),
];

impl Theme {
    /// The theme of that name. Without `colour` it keeps bold, underlined and reversed, and shows by
    /// reversing what it would show by a background.
    ///
    /// # Errors
    /// Where there is none of that name.
    pub fn load(name: &str, colour: bool) -> Result<Self, ThemeError> {
        let position = NAMES.iter().position(|n| *n == name).ok_or_else(|| ThemeError::Unknown(name.to_owned()))?;
        let malformed = |why| ThemeError::Malformed(name.to_owned(), why);
        let (mut interface, mut syntax_table) = file::read(FILES[position]).map_err(malformed)?;
        let roles = Roles::from_table(&mut interface).map_err(malformed)?;
        let mut syntax = [Style::default(); 12];
        for (name, which) in SYNTAX {
            syntax[which as usize] = syntax_table.take(name).map_err(malformed)?;
        }
        interface.finish().and_then(|()| syntax_table.finish()).map_err(malformed)?;
        let mut theme = Self { name: NAMES[position], roles, colour, syntax };
        if !colour {
            theme.roles.each(strip);
            theme.syntax.iter_mut().for_each(strip);
            theme.roles.background = Style::default();
        }
        Ok(theme)
    }

    /// The next theme; this one where that cannot be read.
    #[must_use]
    pub fn next(&self) -> Self {
        let position = NAMES.iter().position(|n| *n == self.name).unwrap_or(0);
        Self::load(NAMES[(position + 1) % NAMES.len()], self.colour).unwrap_or_else(|_| self.clone())
    }

    /// The style of a piece of source text.
    pub fn syntax(&self, syntax: Syntax) -> Style {
        self.syntax[syntax as usize]
    }
}

/// Takes the colours out.
fn strip(style: &mut Style) {
    if style.bg.is_some_and(|bg| bg != Color::Reset) {
        style.add_modifier |= Modifier::REVERSED;
    }
    style.fg = None;
    style.bg = None;
    style.underline_color = None;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_theme_is_whole() {
        for name in NAMES {
            Theme::load(name, true).unwrap();
        }
    }

    #[test]
    fn an_unknown_theme_names_the_others() {
        let error = Theme::load("neon", true).unwrap_err().to_string();
        assert_eq!(error, "there is no theme `neon`; choose one of terminal, dark, light");
    }

    #[test]
    fn without_colour_the_selection_is_still_seen() {
        for name in NAMES {
            let theme = Theme::load(name, false).unwrap();
            let mut roles = theme.roles.clone();
            roles.each(|style| assert_eq!((style.fg, style.bg), (None, None)));
            assert!(theme.roles.selected.add_modifier.contains(Modifier::REVERSED), "{name}");
            assert!(!theme.roles.background.add_modifier.contains(Modifier::REVERSED));
        }
    }
}
