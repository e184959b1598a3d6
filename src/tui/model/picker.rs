//! A list to choose from by typing a part of a name: commands, themes.

use tui_input::Input;

use super::Cursor;
use crate::tui::{
    command::{COMMANDS, Command, Context},
    keymap::Keymap,
    theme::{Theme, Themes},
    widgets::width,
};
use apidisc::search;

/// The list.
#[derive(Debug)]
pub struct Picker {
    /// Its title.
    pub title: &'static str,
    /// What is typed.
    pub input: Input,
    /// Everything that can be chosen.
    pub choices: Vec<Choice>,
    /// What matches, best first.
    pub rows: Vec<Row>,
    /// Where one is.
    pub cursor: Cursor,
    /// What is put on again where nothing is chosen.
    pub old_theme: Option<Box<Theme>>,
}

/// A row that can be chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// What is chosen.
    pub pick: Pick,
    /// Its name.
    pub name: String,
    /// What it is.
    pub help: String,
    /// What stands at the right, such as its keys.
    pub note: String,
}

/// A choice that matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its position among the choices.
    pub choice: usize,
    /// The characters of its name that match.
    pub in_name: Vec<u32>,
    /// The characters of its help that match.
    pub in_help: Vec<u32>,
}

/// What can be chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pick {
    /// A command to run.
    Command(Command),
    /// A theme to put on.
    Theme(String),
}

impl Picker {
    /// Every command that the panes know.
    pub fn commands(keymap: &Keymap) -> Self {
        let entries = COMMANDS.iter().filter(|entry| entry.context != Context::Typing);
        let choices = entries.map(|entry| Choice {
            pick: Pick::Command(entry.command),
            name: entry.name.to_owned(),
            help: entry.help.to_owned(),
            note: keymap.words(entry.command),
        });
        Self::new("Commands", choices.collect())
    }

    /// Every theme; the one that is on is selected.
    pub fn themes(themes: &Themes, worn: &Theme) -> Self {
        let names = themes.names();
        let choices = names.iter().map(|name| Choice {
            pick: Pick::Theme(name.clone()),
            name: name.clone(),
            help: themes.about(name),
            note: if themes.is_own(name) { "yours" } else { "" }.to_owned(),
        });
        let mut picker = Self::new("Themes", choices.collect());
        picker.cursor.select(names.iter().position(|name| *name == worn.name).unwrap_or(0));
        picker.old_theme = Some(Box::new(worn.clone()));
        picker
    }

    fn new(title: &'static str, choices: Vec<Choice>) -> Self {
        let mut picker = Self {
            title,
            input: Input::default(),
            choices,
            rows: Vec::new(),
            cursor: Cursor::default(),
            old_theme: None,
        };
        picker.refresh();
        picker
    }

    /// Finds anew what matches; the best is selected. A name is matched loosely, what it is by its words.
    pub fn refresh(&mut self) {
        let pattern = self.input.value();
        let names: Vec<&str> = self.choices.iter().map(|choice| choice.name.as_str()).collect();
        let helps: Vec<&str> = self.choices.iter().map(|choice| choice.help.as_str()).collect();
        let row = |(choice, in_name)| Row { choice, in_name, in_help: Vec::new() };
        self.rows = search::fuzzy_matches(pattern, &names).into_iter().map(row).collect();
        for (choice, in_help) in search::substring_matches(pattern, &helps) {
            match self.rows.iter_mut().find(|row| row.choice == choice) {
                Some(row) => row.in_help = in_help,
                None => self.rows.push(Row { choice, in_name: Vec::new(), in_help }),
            }
        }
        self.cursor.select(0);
    }

    /// The cells that its longest row takes.
    pub fn width(&self) -> usize {
        let longest = |part: fn(&Choice) -> &str| self.choices.iter().map(|c| width(part(c))).max().unwrap_or(0);
        longest(|c| &c.name) + longest(|c| &c.help) + longest(|c| &c.note) + 8
    }

    /// What is selected.
    pub fn selected(&self) -> Option<&Choice> {
        self.rows.get(self.cursor.selected).map(|row| &self.choices[row.choice])
    }
}
