//! A theme's file: `[palette]` names colours, `[interface]` and `[syntax]` give styles.
//!
//! A style is a colour (`"blue"`) or a table (`{ fg = "blue", bg = "#202020", modifiers = ["bold"] }`).

use std::{collections::BTreeMap, str::FromStr};

use ratatui::style::{Color, Modifier, Style};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    palette: BTreeMap<String, String>,
    interface: BTreeMap<String, Value>,
    syntax: BTreeMap<String, Value>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Value {
    Colour(String),
    Full(Full),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Full {
    fg: Option<String>,
    bg: Option<String>,
    #[serde(default)]
    modifiers: Vec<String>,
}

/// Styles by name, taken one by one so that a name nobody asks for is noticed.
pub(super) struct Table(BTreeMap<String, Style>);

impl Table {
    pub(super) fn take(&mut self, name: &str) -> Result<Style, String> {
        self.0.remove(name).ok_or_else(|| format!("`{name}` has no style"))
    }

    pub(super) fn finish(&self) -> Result<(), String> {
        match self.0.keys().next() {
            Some(name) => Err(format!("`{name}` is no role")),
            None => Ok(()),
        }
    }
}

/// The styles of the interface and of source text.
pub(super) fn read(text: &str) -> Result<(Table, Table), String> {
    let file: File = toml::from_str(text).map_err(|e| e.to_string())?;
    let table = |values: BTreeMap<String, Value>| -> Result<Table, String> {
        let styles = values.into_iter().map(|(name, value)| Ok((name, style(&value, &file.palette)?)));
        Ok(Table(styles.collect::<Result<_, String>>()?))
    };
    Ok((table(file.interface)?, table(file.syntax)?))
}

fn style(value: &Value, palette: &BTreeMap<String, String>) -> Result<Style, String> {
    let mut style = Style::default();
    match value {
        Value::Colour(name) => style.fg = Some(colour(name, palette)?),
        Value::Full(full) => {
            style.fg = full.fg.as_deref().map(|name| colour(name, palette)).transpose()?;
            style.bg = full.bg.as_deref().map(|name| colour(name, palette)).transpose()?;
            for modifier in &full.modifiers {
                style.add_modifier |= match modifier.as_str() {
                    "bold" => Modifier::BOLD,
                    "dim" => Modifier::DIM,
                    "italic" => Modifier::ITALIC,
                    "underlined" => Modifier::UNDERLINED,
                    "reversed" => Modifier::REVERSED,
                    other => return Err(format!("`{other}` is no modifier")),
                };
            }
        }
    }
    Ok(style)
}

fn colour(name: &str, palette: &BTreeMap<String, String>) -> Result<Color, String> {
    let value = palette.get(name).map_or(name, String::as_str);
    Color::from_str(value).map_err(|_| format!("`{value}` is no colour"))
}
