//! A list to choose from by typing a part of a name: commands or themes.

use tui_input::Input;

use super::{Cursor, typed_choices};
use crate::tui::{
    command::{COMMANDS, Command, CommandContext},
    keymap::Keymap,
    theme::{Theme, Themes},
    widgets::width,
};
use apidisc::{search, strategy::Strategy};

/// The picker.
#[derive(Debug)]
pub struct Picker {
    /// The title.
    pub title: &'static str,
    /// The pattern as it is typed.
    pub input: Input,
    /// All choices: the listed ones, then those that the typed text means.
    pub choices: Vec<PickerChoice>,
    /// The number of listed choices.
    listed: usize,
    /// The names of the themes, if commands with an argument can be typed.
    themes: Option<Vec<String>>,
    /// The choices that match, best first.
    pub rows: Vec<PickerMatch>,
    /// The selection and the scroll offset.
    pub cursor: Cursor,
    /// The theme to restore if the picker is cancelled.
    pub old_theme: Option<Box<Theme>>,
}

/// A choice.
#[derive(Clone, Debug, PartialEq)]
pub struct PickerChoice {
    /// The action of the choice.
    pub pick: PickerAction,
    /// The name.
    pub name: String,
    /// A description.
    pub help: String,
    /// A note at the right, such as the keys.
    pub note: String,
}

/// A choice that matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PickerMatch {
    /// An index into the choices.
    pub choice: usize,
    /// The matching characters of its name.
    pub in_name: Vec<u32>,
    /// The matching characters of its description.
    pub in_help: Vec<u32>,
}

/// The action of a choice.
#[derive(Clone, Debug, PartialEq)]
pub enum PickerAction {
    /// Runs a command.
    Command(Command),
    /// Applies a theme.
    Theme(String),
    /// Puts a strategy in force.
    Strategy(Strategy),
    /// Goes to the best hit of the finder for this query.
    Open(String),
    /// Replaces the typed text, so that an argument can be added.
    Type(String),
}

impl Picker {
    /// Lists the commands that can be given in the panes, and those with an argument.
    pub fn commands(keymap: &Keymap, themes: &Themes) -> Self {
        let entries = COMMANDS.iter().filter(|entry| entry.context != CommandContext::Typing);
        let choices = entries.map(|entry| PickerChoice {
            pick: PickerAction::Command(entry.command),
            name: entry.name.to_owned(),
            help: entry.help.to_owned(),
            note: keymap.words(entry.command),
        });
        let mut picker = Self::new("Commands", choices.chain(typed_choices::commands()).collect());
        picker.themes = Some(themes.names());
        picker
    }

    /// Lists the themes, with the current one selected.
    pub fn themes(themes: &Themes, current: &Theme) -> Self {
        let names = themes.names();
        let choices = names.iter().map(|name| PickerChoice {
            pick: PickerAction::Theme(name.clone()),
            name: name.clone(),
            help: themes.about(name),
            note: if themes.is_own(name) { "yours" } else { "" }.to_owned(),
        });
        let mut picker = Self::new("Themes", choices.collect());
        picker.cursor.select(names.iter().position(|name| *name == current.name).unwrap_or(0));
        picker.old_theme = Some(Box::new(current.clone()));
        picker
    }

    fn new(title: &'static str, choices: Vec<PickerChoice>) -> Self {
        let mut picker = Self {
            title,
            input: Input::default(),
            listed: choices.len(),
            themes: None,
            choices,
            rows: Vec::new(),
            cursor: Cursor::default(),
            old_theme: None,
        };
        picker.refresh();
        picker
    }

    /// Matches again and selects the best match. Names are matched fuzzily. A description matches if it contains every
    /// word of the pattern; choices of which only the description matches come last. What the typed text means comes
    /// first.
    pub fn refresh(&mut self) {
        let pattern = self.input.value();
        self.choices.truncate(self.listed);
        let typed = self.themes.as_ref().map_or_else(Vec::new, |themes| typed_choices::choices(pattern, themes));
        let names: Vec<&str> = self.choices.iter().map(|choice| choice.name.as_str()).collect();
        let helps: Vec<&str> = self.choices.iter().map(|choice| choice.help.as_str()).collect();
        let row = |(choice, in_name)| PickerMatch { choice, in_name, in_help: Vec::new() };
        self.rows = search::fuzzy_matches(pattern, &names).into_iter().map(row).collect();
        for (choice, in_help) in search::substring_matches(pattern, &helps) {
            match self.rows.iter_mut().find(|row| row.choice == choice) {
                Some(row) => row.in_help = in_help,
                None => self.rows.push(PickerMatch { choice, in_name: Vec::new(), in_help }),
            }
        }
        let meant = self.listed..self.listed + typed.len();
        self.choices.extend(typed);
        self.rows.splice(0..0, meant.map(|choice| PickerMatch { choice, in_name: Vec::new(), in_help: Vec::new() }));
        self.cursor.select(0);
    }

    /// The width in cells of a row with the longest name, the longest description and the longest note.
    pub fn width(&self) -> usize {
        let listed = &self.choices[..self.listed];
        let longest = |part: fn(&PickerChoice) -> &str| listed.iter().map(|c| width(part(c))).max().unwrap_or(0);
        longest(|c| &c.name) + longest(|c| &c.help) + longest(|c| &c.note) + 8
    }

    /// The selected choice.
    pub fn selected(&self) -> Option<&PickerChoice> {
        self.rows.get(self.cursor.selected).map(|row| &self.choices[row.choice])
    }
}
