//! The available themes (the embedded themes and the user's own themes), and the composition of a theme with its
//! ancestors.

use std::collections::HashSet;

use ratatui::style::Style;

use super::{
    ColourDepth, Roles, SYNTAX, Theme,
    file::{LayerStack, ThemeLayer, ThemeSection},
};
use crate::tui::complaint::Complaint;

/// There is no theme of that name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no theme `{name}`; choose one of {}", names.join(", "))]
pub struct ThemeError {
    name: String,
    names: Vec<String>,
}

macro_rules! embed {
    ($($name:literal,)*) => {
        /// The embedded themes, in the order in which the theme key steps through them; the first is the default.
        const EMBEDDED: &[(&str, &str)] =
            &[$(($name, include_str!(concat!("../../../themes/", $name, ".toml")))),*];
    };
}

embed! {
    "terminal",
    "dark",
    "light",
    "nord",
    "gruvbox",
    "mocha",
    "latte",
    "solarized-light",
    "contrast",
}

/// The theme that a user's theme inherits from if its file names no parent.
const PARENT: &str = "dark";

/// The file of a user's own theme.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserTheme {
    /// The file name without its extension.
    pub name: String,
    /// The path of the file, for complaints.
    pub file: String,
    /// The text of the file.
    pub text: String,
}

/// All themes, for a terminal with a given colour depth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Themes {
    own: Vec<UserTheme>,
    depth: ColourDepth,
}

impl Themes {
    /// The embedded themes and the user's own. A user's theme hides an embedded one of the same name.
    pub fn new(own: Vec<UserTheme>, depth: ColourDepth) -> Self {
        Self { own, depth }
    }

    /// The name of the default theme.
    pub fn default_name() -> &'static str {
        EMBEDDED[0].0
    }

    /// The names of all themes: embedded ones, then the user's own sorted by name.
    pub fn names(&self) -> Vec<String> {
        let embedded = EMBEDDED.iter().map(|(name, _)| *name);
        let mut own: Vec<&str> = self.own.iter().map(|theme| theme.name.as_str()).collect();
        own.retain(|own| EMBEDDED.iter().all(|(name, _)| name != own));
        own.sort_unstable();
        embedded.chain(own).map(str::to_owned).collect()
    }

    /// True for a user's own theme.
    pub fn is_own(&self, name: &str) -> bool {
        self.own.iter().any(|theme| theme.name == name)
    }

    /// The description in a theme's file.
    pub fn about(&self, name: &str) -> String {
        let layer = self.find(name, &HashSet::new()).map(|(_, text)| ThemeLayer::read(text, is_role));
        layer.and_then(|layer| layer.about).unwrap_or_default()
    }

    /// The theme after `name` in the order of the names.
    pub fn after(&self, name: &str) -> String {
        let names = self.names();
        let position = names.iter().position(|known| known == name).map_or(0, |at| (at + 1) % names.len());
        names[position].clone()
    }

    /// Loads a theme and returns it with the mistakes in its file. A style with a mistake is replaced by the inherited
    /// style.
    ///
    /// # Errors
    /// If there is no theme of that name.
    pub fn load(&self, name: &str) -> Result<(Theme, Vec<Complaint>), ThemeError> {
        let unknown = || ThemeError { name: name.to_owned(), names: self.names() };
        let mut seen = HashSet::new();
        let mut layers: Vec<ThemeLayer> = Vec::new();
        let (mut place, text) = self.find(name, &seen).ok_or_else(unknown)?;
        let own = place;
        let mut text = text;
        let mut complaints = Vec::new();
        loop {
            seen.insert(place);
            let mut layer = ThemeLayer::read(text, is_role);
            if layers.is_empty() {
                complaints = std::mem::take(&mut layer.complaints);
            }
            let parent = layer.inherits.clone();
            layers.push(layer);
            let is_own = matches!(place, ThemeFile::Own(_));
            let next = match (&parent, is_own) {
                (Some(parent), _) => self.find(parent, &seen),
                (None, true) => self.find(PARENT, &seen),
                (None, false) => break,
            };
            let found = next.or_else(|| {
                let parent = parent.as_deref().unwrap_or(PARENT);
                complaints
                    .push((0, format!("it cannot inherit from `{parent}`: there is none, or that leads in a circle")));
                self.find(PARENT, &seen)
            });
            let Some(found) = found else { break };
            (place, text) = found;
        }
        let stack = LayerStack::new(layers);
        let mut style = |section, name: &str| stack.style(section, name, &mut complaints).unwrap_or_default();
        let roles = Roles::from_names(|name| style(ThemeSection::Interface, name));
        let mut syntax = [Style::default(); SYNTAX.len()];
        for (name, role) in SYNTAX {
            syntax[role as usize] = style(ThemeSection::Syntax, name);
        }
        let mut theme = Theme { name: name.to_owned(), roles, syntax };
        theme.reduce(self.depth);
        complaints.sort();
        let file = match own {
            ThemeFile::Own(at) => self.own[at].file.clone(),
            ThemeFile::Embedded(_) => format!("themes/{name}.toml"),
        };
        let complaint = |(line, message)| Complaint { file: file.clone(), line, message };
        Ok((theme, complaints.into_iter().map(complaint).collect()))
    }

    /// The first file of this name that is not in `seen`; the user's files come before the embedded ones. Because files
    /// in `seen` are passed over, a user's theme can inherit from the embedded theme of the same name.
    fn find(&self, name: &str, seen: &HashSet<ThemeFile>) -> Option<(ThemeFile, &str)> {
        let own = self.own.iter().enumerate().filter(|(_, theme)| theme.name == name);
        let own = own.map(|(at, theme)| (ThemeFile::Own(at), theme.text.as_str()));
        let embedded = EMBEDDED.iter().enumerate().filter(|(_, (known, _))| *known == name);
        let embedded = embedded.map(|(at, (_, text))| (ThemeFile::Embedded(at), *text));
        own.chain(embedded).find(|(place, _)| !seen.contains(place))
    }
}

/// The file of a theme: an index into the user's themes or the embedded ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum ThemeFile {
    Own(usize),
    Embedded(usize),
}

fn is_role(section: ThemeSection, name: &str) -> bool {
    match section {
        ThemeSection::Interface => Roles::NAMES.contains(&name),
        ThemeSection::Syntax => SYNTAX.iter().any(|(known, _)| *known == name),
    }
}

#[cfg(test)]
mod tests {
    use ratatui::style::{Color, Modifier, Style};

    use super::*;

    fn own(files: &[(&str, &str)]) -> Themes {
        let theme = |(name, text): &(&str, &str)| UserTheme {
            name: (*name).to_owned(),
            file: format!("{name}.toml"),
            text: (*text).to_owned(),
        };
        Themes::new(files.iter().map(theme).collect(), ColourDepth::True)
    }

    fn load(themes: &Themes, name: &str) -> (Theme, Vec<String>) {
        let (theme, complaints) = themes.load(name).unwrap();
        (theme, complaints.iter().map(ToString::to_string).collect())
    }

    /// In Solarized the terminal's bright black is the background; in light palettes its white is.
    #[test]
    fn the_terminal_theme_writes_with_no_grey() {
        let (mut theme, _) = load(&own(&[]), "terminal");
        assert_eq!((theme.roles.dim.fg, theme.roles.dim.add_modifier), (None, Modifier::DIM));
        let greys = [Color::Black, Color::DarkGray, Color::Gray, Color::White];
        let check = |style: &mut Style| {
            let is_on_colour = style.bg.is_some_and(|ground| !greys.contains(&ground));
            assert!(is_on_colour || style.fg.is_none_or(|colour| !greys.contains(&colour)), "{style:?}");
        };
        theme.roles.for_each_style(check);
        theme.syntax.iter_mut().for_each(check);
    }

    /// The contrast ratio of two colours by WCAG 2: 1 to 21.
    fn contrast(a: Color, b: Color) -> f64 {
        let light = |colour: Color| {
            let Color::Rgb(r, g, b) = colour else { panic!("{colour} is a name") };
            let linear = |value: u8| {
                let value = f64::from(value) / 255.0;
                if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
            };
            0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
        };
        let (a, b) = (light(a), light(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn every_embedded_theme_is_valid_and_described() {
        let themes = own(&[]);
        assert!(themes.names().len() >= 6);
        for name in themes.names() {
            let (theme, complaints) = load(&themes, &name);
            assert_eq!(complaints, [] as [String; 0], "{name}");
            assert_ne!(theme.roles.selected, Style::default(), "{name}");
            assert_ne!(themes.about(&name), "", "{name}");
        }
    }

    #[test]
    fn every_embedded_theme_has_enough_contrast() {
        let themes = own(&[]);
        for name in themes.names().into_iter().filter(|name| name != "terminal") {
            let (mut theme, _) = load(&themes, &name);
            let ground = theme.roles.background.bg.unwrap();
            let raised = theme.roles.selected.bg.unwrap();
            let text = theme.roles.text.fg.unwrap();
            assert!(contrast(text, ground) >= 4.5 && contrast(text, raised) >= 4.5, "{name}: text");
            let dim = theme.roles.dim.fg.unwrap();
            assert!(contrast(dim, ground) >= 4.5 && contrast(dim, raised) >= 4.0, "{name}: dim");
            let track = theme.roles.bar_track.bg.unwrap();
            assert!(contrast(theme.roles.bar.fg.unwrap(), track) >= 3.0, "{name}: bar");
            let check = |style: &mut Style| {
                let seen = style.fg.filter(|_| style.bg.is_none()).map(|fg| contrast(fg, ground));
                assert!(seen.is_none_or(|seen| seen >= 1.2), "{name}: {style:?}");
            };
            theme.roles.for_each_style(check);
            for style in &theme.syntax {
                assert!(contrast(style.fg.unwrap(), ground) >= 4.5, "{name}: {style:?}");
            }
        }
    }

    #[test]
    fn the_selection_is_visible_with_fewer_colours() {
        for depth in [ColourDepth::Palette, ColourDepth::Sixteen] {
            let themes = Themes::new(vec![], depth);
            for name in themes.names() {
                let (mut theme, _) = load(&themes, &name);
                let roles = theme.roles.clone();
                assert_ne!(roles.selected.bg, roles.background.bg, "{name} {depth:?}");
                assert_ne!(roles.selected.fg.or(roles.text.fg), roles.selected.bg, "{name} {depth:?}");
                theme.roles.for_each_style(|style| {
                    let rgb = |colour: Option<Color>| matches!(colour, Some(Color::Rgb(..)));
                    assert!(!rgb(style.fg) && !rgb(style.bg), "{name} {depth:?}");
                });
            }
        }
    }

    #[test]
    fn the_selection_is_visible_without_colours() {
        let themes = Themes::new(vec![], ColourDepth::None);
        for name in themes.names() {
            let (mut theme, _) = load(&themes, &name);
            theme.roles.for_each_style(|style| assert_eq!((style.fg, style.bg), (None, None)));
            assert!(theme.roles.selected.add_modifier.contains(Modifier::REVERSED), "{name}");
            for plain in [theme.roles.background, theme.roles.bar_track, theme.roles.gauge_track] {
                assert!(!plain.add_modifier.contains(Modifier::REVERSED), "{name}");
            }
        }
    }

    #[test]
    fn a_user_theme_inherits_from_another_one() {
        let themes = own(&[
            ("mine", "inherits = \"base\"\n[interface]\ntext = { fg = \"blue\", modifiers = [\"bold\"] }\n"),
            ("base", "[palette]\nblue = \"#010203\"\nground = \"#000000\"\n"),
        ]);
        let (theme, complaints) = load(&themes, "mine");
        assert_eq!(complaints, [] as [String; 0]);
        let blue = Color::Rgb(1, 2, 3);
        assert_eq!(theme.roles.text, Style::new().fg(blue).add_modifier(Modifier::BOLD));
        assert_eq!(theme.roles.function.fg, Some(blue), "the palette counts for what is inherited");
        assert_eq!(theme.roles.background.bg, Some(Color::Rgb(0, 0, 0)));
        assert_eq!(theme.roles.dim, load(&themes, "dark").0.roles.dim);
        assert_eq!(themes.names().iter().rev().take(2).collect::<Vec<_>>(), ["mine", "base"]);
    }

    #[test]
    fn a_user_theme_inherits_from_the_embedded_one_of_its_name() {
        let themes = own(&[("light", "inherits = \"light\"\n[palette]\nground = \"#ffffff\"\n")]);
        let (theme, complaints) = load(&themes, "light");
        assert_eq!(complaints, [] as [String; 0]);
        assert_eq!(theme.roles.background.bg, Some(Color::Rgb(255, 255, 255)));
        assert_eq!(themes.names().iter().filter(|name| *name == "light").count(), 1);
    }

    #[test]
    fn a_mistake_costs_only_its_entry() {
        let text = "inherits = \"nord\"\ncolour = 1\n[palette]\nink = \"inky\"\n[interface]\ntext = \"nothing\"\n\
                    txet = \"red\"\nkey = { fg = \"red\", modifiers = [\"loud\"] }\nerror = 3\n[syntax]\nstring = \"red\"\n";
        let themes = own(&[("mine", text)]);
        let (theme, complaints) = load(&themes, "mine");
        let starts = [
            "mine.toml:2: `colour` is not understood",
            "mine.toml:4: `ink` needs a colour",
            "mine.toml:6: `nothing` is no colour",
            "mine.toml:7: `txet` is no role",
            "mine.toml:8: write one of bold",
            "mine.toml:9: a style is a colour in quotes",
        ];
        assert_eq!(complaints.len(), starts.len(), "{complaints:?}");
        for (complaint, start) in complaints.iter().zip(starts) {
            assert!(complaint.starts_with(start), "{complaint}");
        }
        let nord = load(&themes, "nord").0;
        assert_eq!((theme.roles.text, theme.roles.error), (nord.roles.text, nord.roles.error));
        let red = nord.roles.error.fg;
        assert!(red.is_some_and(|red| red != Color::Red), "the palette of nord counts");
        assert_eq!((theme.roles.key.fg, theme.syntax(super::super::SyntaxRole::String).fg), (red, red));
    }

    #[test]
    fn cyclic_and_missing_parents_are_replaced_by_the_dark_theme() {
        let themes = own(&[("a", "inherits = \"b\""), ("b", "inherits = \"a\""), ("c", "inherits = \"nothing\"")]);
        let dark = load(&themes, "dark").0;
        for name in ["a", "c"] {
            let (theme, complaints) = load(&themes, name);
            assert_eq!(complaints.len(), 1, "{complaints:?}");
            assert_eq!(theme.roles, dark.roles);
        }
        let error = themes.load("neon").unwrap_err().to_string();
        assert!(error.starts_with("there is no theme `neon`; choose one of terminal, dark, light"), "{error}");
    }
}
