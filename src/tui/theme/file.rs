//! The file of a theme: `inherits` names the parent theme, `[palette]` names colours, `[interface]` and `[syntax]` give
//! styles to roles.
//!
//! A style is a colour (`"blue"`) or a table (`{ fg = "blue", bg = "#202020", modifiers = ["bold"] }`). As in
//! `config.toml`, a mistake costs only the entry that contains it.

use std::{collections::BTreeMap, ops::Range, str::FromStr};

use ratatui::style::{Color, Modifier, Style};
use toml::{
    Spanned,
    de::{DeArray, DeTable, DeValue},
};

use crate::tui::complaint::line;

/// The content of one file. Colours stay names until all layers are read, since a child's palette changes its parents'
/// styles.
#[derive(Debug, Default)]
pub(super) struct ThemeLayer {
    pub(super) inherits: Option<String>,
    pub(super) about: Option<String>,
    palette: BTreeMap<String, String>,
    /// The styles by section and role.
    styles: BTreeMap<(ThemeSection, String), StyleEntry>,
    /// The line and the description of each mistake.
    pub(super) complaints: Vec<(usize, String)>,
}

/// A table of styles in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ThemeSection {
    Interface,
    Syntax,
}

#[derive(Clone, Debug, Default)]
struct StyleEntry {
    line: usize,
    fg: Option<String>,
    bg: Option<String>,
    modifiers: Modifier,
}

impl ThemeLayer {
    /// Reads a file. `is_role` is true if a section has a role of this name.
    pub(super) fn read(text: &str, is_role: impl Fn(ThemeSection, &str) -> bool) -> Self {
        let mut layer = Self::default();
        let (document, errors) = DeTable::parse_recoverable(text);
        for error in errors {
            let place = error.span().unwrap_or_default();
            layer.complain(text, &place, format!("{}; themes/dark.toml is a right one", error.message()));
        }
        for (name, value) in document.get_ref() {
            match (name.get_ref().as_ref(), value.get_ref()) {
                ("inherits", DeValue::String(parent)) => layer.inherits = Some(parent.to_string()),
                ("about", DeValue::String(about)) => layer.about = Some(about.to_string()),
                ("palette", DeValue::Table(table)) => layer.read_palette(text, table),
                ("interface", DeValue::Table(table)) => {
                    layer.read_styles(text, ThemeSection::Interface, table, &is_role);
                }
                ("syntax", DeValue::Table(table)) => layer.read_styles(text, ThemeSection::Syntax, table, &is_role),
                (other, _) => {
                    let what = format!(
                        "`{other}` is not understood; write inherits = \"dark\", about = \"…\", [palette], [interface], [syntax]"
                    );
                    layer.complain(text, &name.span(), what);
                }
            }
        }
        layer
    }

    fn read_palette(&mut self, text: &str, table: &DeTable<'_>) {
        for (name, value) in table {
            match value.get_ref() {
                DeValue::String(colour) if Color::from_str(colour).is_ok() => {
                    self.palette.insert(name.get_ref().to_string(), colour.to_string());
                }
                _ => self.complain(
                    text,
                    &value.span(),
                    format!("`{}` needs a colour such as \"#82aaff\"", name.get_ref()),
                ),
            }
        }
    }

    fn read_styles(
        &mut self,
        text: &str,
        section: ThemeSection,
        table: &DeTable<'_>,
        is_role: &impl Fn(ThemeSection, &str) -> bool,
    ) {
        for (name, value) in table {
            if !is_role(section, name.get_ref()) {
                self.complain(
                    text,
                    &name.span(),
                    format!("`{}` is no role; themes/dark.toml has all of them", name.get_ref()),
                );
            } else if let Some(entry) = self.read_style(text, value) {
                self.styles.insert((section, name.get_ref().to_string()), entry);
            }
        }
    }

    fn read_style(&mut self, text: &str, value: &Spanned<DeValue<'_>>) -> Option<StyleEntry> {
        let mut entry = StyleEntry { line: line(text, &value.span()), ..StyleEntry::default() };
        let table = match value.get_ref() {
            DeValue::String(colour) => {
                entry.fg = Some(colour.to_string());
                return Some(entry);
            }
            DeValue::Table(table) => table,
            _ => {
                let what =
                    "a style is a colour in quotes, or { fg = \"blue\", bg = \"black\", modifiers = [\"bold\"] }";
                self.complain(text, &value.span(), what.to_owned());
                return None;
            }
        };
        for (name, value) in table {
            match (name.get_ref().as_ref(), value.get_ref()) {
                ("fg", DeValue::String(colour)) => entry.fg = Some(colour.to_string()),
                ("bg", DeValue::String(colour)) => entry.bg = Some(colour.to_string()),
                ("modifiers", DeValue::Array(names)) => entry.modifiers = self.read_modifiers(text, names),
                (other, _) => {
                    let what = format!("`{other}` is not understood here; write fg, bg or modifiers");
                    self.complain(text, &name.span(), what);
                }
            }
        }
        Some(entry)
    }

    fn read_modifiers(&mut self, text: &str, names: &DeArray<'_>) -> Modifier {
        let mut modifiers = Modifier::empty();
        for name in names {
            let modifier = name.get_ref().as_str().and_then(|name| MODIFIERS.iter().find(|(known, _)| *known == name));
            if let Some((_, modifier)) = modifier {
                modifiers |= *modifier;
            } else {
                let words = MODIFIERS.map(|(word, _)| word).join(", ");
                self.complain(text, &name.span(), format!("write one of {words}"));
            }
        }
        modifiers
    }

    fn complain(&mut self, text: &str, place: &Range<usize>, what: String) {
        self.complaints.push((line(text, place), what));
    }
}

const MODIFIERS: [(&str, Modifier); 5] = [
    ("bold", Modifier::BOLD),
    ("dim", Modifier::DIM),
    ("italic", Modifier::ITALIC),
    ("underlined", Modifier::UNDERLINED),
    ("reversed", Modifier::REVERSED),
];

/// A theme's own layer, then those of its ancestors.
pub(super) struct LayerStack {
    layers: Vec<ThemeLayer>,
    palette: BTreeMap<String, String>,
}

impl LayerStack {
    pub(super) fn new(layers: Vec<ThemeLayer>) -> Self {
        let mut palette = BTreeMap::new();
        for layer in layers.iter().rev() {
            palette.extend(layer.palette.clone());
        }
        Self { layers, palette }
    }

    /// The style of a role from the first layer with a valid one. Mistakes are reported for the theme's own layer only.
    pub(super) fn style(
        &self,
        section: ThemeSection,
        name: &str,
        complaints: &mut Vec<(usize, String)>,
    ) -> Option<Style> {
        let key = (section, name.to_owned());
        for (depth, layer) in self.layers.iter().enumerate() {
            match layer.styles.get(&key).map(|entry| (entry.line, self.resolve(entry))) {
                Some((_, Ok(style))) => return Some(style),
                Some((line, Err(why))) if depth == 0 => complaints.push((line, why)),
                _ => {}
            }
        }
        None
    }

    fn resolve(&self, entry: &StyleEntry) -> Result<Style, String> {
        let colour = |name: &Option<String>| name.as_deref().map(|name| self.colour(name)).transpose();
        let (fg, bg) = (colour(&entry.fg)?, colour(&entry.bg)?);
        Ok(Style { fg, bg, add_modifier: entry.modifiers, ..Style::default() })
    }

    fn colour(&self, name: &str) -> Result<Color, String> {
        let value = self.palette.get(name).map_or(name, String::as_str);
        Color::from_str(value).map_err(|_| {
            format!("`{name}` is no colour; write one of [palette], \"#82aaff\", or a name such as \"blue\"")
        })
    }
}
