//! A list to choose from by typing a part of a name: commands, themes, stubs to compare with, or versions of packages.

use std::sync::Arc;

use super::{
    Cursor, Model, SavedProfile, TextField, VersionPlace, Versioned, settings::in_words, tuning::Baseline,
    typed_choices,
};
use crate::tui::{
    command::{COMMANDS, Command, CommandContext},
    theme::{Theme, Themes},
    widgets::width,
};
use apidisc::{delivery::StubRequest, search, strategy::Strategy};

/// The budgets that the list of stubs to compare with offers.
const BUDGETS: [usize; 4] = [500, 1_000, 2_000, 4_000];

/// The picker.
#[derive(Debug)]
pub struct Picker {
    /// The title.
    pub title: &'static str,
    /// What to type, as long as nothing is typed.
    pub hint: &'static str,
    /// The pattern as it is typed.
    pub input: TextField,
    /// All choices: the listed ones, then those that the typed text means.
    pub choices: Vec<PickerChoice>,
    /// The number of listed choices.
    listed: usize,
    /// The kind of the listed items.
    pub kind: PickerKind,
    /// The names of the themes, which commands with an argument can name.
    themes: Vec<String>,
    /// The choices that match, best first.
    pub rows: Vec<PickerMatch>,
    /// The selection and the scroll offset.
    pub cursor: Cursor,
    /// The theme to restore if the picker is cancelled.
    pub old_theme: Option<Box<Theme>>,
}

/// The kind of items that a picker lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PickerKind {
    /// Commands, also typed ones with an argument.
    Commands,
    /// Themes.
    Themes,
    /// Stubs with which the present one can be compared, also typed strategies.
    Baselines,
    /// Places of other versions of a package, also typed paths.
    Versions,
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
    /// Puts the request of a profile in force.
    Replay(SavedProfile),
    /// Compares the present stub with another one.
    Compare(Baseline),
    /// Compares a package with the version at this path.
    Upgrade(String),
    /// Goes to the best hit of the finder for this query.
    Open(String),
    /// Replaces the typed text, so that an argument can be added.
    Type(String),
}

impl Picker {
    /// Lists the commands that can be given in the panes, those of the focused pane first, then those with an argument,
    /// and the profiles of the repository.
    pub fn commands(model: &Model) -> Self {
        let entries = COMMANDS.iter().filter(|entry| entry.context != CommandContext::Typing);
        // What fits the selection comes first.
        let hints = model.hints();
        let mut entries: Vec<_> = entries.collect();
        entries.sort_by_key(|entry| {
            hints.iter().position(|(command, _)| *command == entry.command).unwrap_or(hints.len())
        });
        let choices = entries.into_iter().map(|entry| PickerChoice {
            pick: PickerAction::Command(entry.command),
            name: entry.name.to_owned(),
            help: entry.help.to_owned(),
            note: model.keymap.words(entry.command),
        });
        let profiles = model.profiles.iter().map(|profile| PickerChoice {
            pick: PickerAction::Replay(profile.clone()),
            name: format!("profile {}", profile.name),
            help: profile.describe(),
            note: String::new(),
        });
        let choices = choices.chain(typed_choices::commands()).chain(profiles).collect();
        let mut picker = Self::new(PickerKind::Commands, "Commands", choices);
        picker.themes = model.themes.names();
        picker
    }

    /// Lists the stubs with which the present one can be compared: the exhaustive one, the present setting, which stays
    /// while the setting is changed, other settings, and the profiles of the repository.
    pub fn baselines(model: &Model) -> Self {
        let choice = |name: String, help: &str, request| PickerChoice {
            pick: PickerAction::Compare(Baseline { name: name.clone(), request, other: None }),
            name,
            help: help.to_owned(),
            note: String::new(),
        };
        let mut choices = vec![choice("exhaustive".to_owned(), "everything that is public", None)];
        if let Some(present) = model.stub_request() {
            let help = "the present setting, which stays here while you change it";
            choices.push(choice(in_words(present.strategy), help, Some(Box::new(present.clone()))));
            let others = BUDGETS.map(|max_tokens| Strategy::TokenBudget { max_tokens });
            for strategy in others.into_iter().filter(|strategy| *strategy != present.strategy) {
                let request = StubRequest { strategy, ..present.clone() };
                choices.push(choice(in_words(strategy), "of the same scope", Some(Box::new(request))));
            }
        }
        if let (Some(present), Some(catalog)) = (model.stub_request(), &model.catalog)
            && let Some(marks) = model.upgrade.shown(catalog)
        {
            let baseline = Baseline {
                name: marks.read.title.clone(),
                request: Some(Box::new(present)),
                other: Some(Arc::clone(&marks.read.other)),
            };
            let name = baseline.name.clone();
            let help = "the same setting with the other version".to_owned();
            choices.push(PickerChoice { pick: PickerAction::Compare(baseline), name, help, note: String::new() });
        }
        for profile in &model.profiles {
            if let Ok(request) = &profile.request
                && request.package.is_some() == model.shows_packages()
            {
                let name = format!("profile {}", profile.name);
                choices.push(choice(name, &profile.describe(), Some(request.clone())));
            }
        }
        Self::new(PickerKind::Baselines, "Compare with", choices)
    }

    /// The same list made anew, with the same text and the same selection.
    #[must_use]
    pub fn again(&self, model: &Model) -> Option<Self> {
        let mut picker = match self.kind {
            PickerKind::Commands => Self::commands(model),
            PickerKind::Baselines => Self::baselines(model),
            PickerKind::Themes | PickerKind::Versions => return None,
        };
        picker.input = self.input.clone();
        picker.refresh();
        let name = self.selected().map(|choice| &choice.name);
        let row = picker.rows.iter().position(|row| Some(&picker.choices[row.choice].name) == name);
        picker.cursor.select(row.unwrap_or(0));
        Some(picker)
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
        let mut picker = Self::new(PickerKind::Themes, "Themes", choices.collect());
        picker.cursor.select(names.iter().position(|name| *name == current.name).unwrap_or(0));
        picker.old_theme = Some(Box::new(current.clone()));
        picker
    }

    /// Asks for another version. The places are listed once they are found.
    pub fn versions(of: &Versioned) -> Self {
        let title = match of {
            Versioned::Package(_) => "Other version",
            Versioned::Code => "Changes since a revision",
        };
        let hint = match of {
            Versioned::Package(_) => "a path: environment or archive",
            Versioned::Code => "a branch, tag or commit; HEAD for what is not committed",
        };
        Self { hint, ..Self::new(PickerKind::Versions, title, Vec::new()) }
    }

    /// Lists the places that were found for a typed text, unless another text was typed meanwhile.
    pub fn set_versions(&mut self, typed: &str, places: Vec<VersionPlace>) {
        // An empty text lists everything, which what is typed meanwhile filters.
        let is_wanted = self.input.value() == typed || typed.is_empty() && self.listed == 0;
        if self.kind == PickerKind::Versions && is_wanted {
            self.choices = version_choices(places);
            self.listed = self.choices.len();
            self.refresh();
        }
    }

    fn new(kind: PickerKind, title: &'static str, choices: Vec<PickerChoice>) -> Self {
        let mut picker = Self {
            title,
            hint: "",
            input: TextField::default(),
            listed: choices.len(),
            kind,
            themes: Vec::new(),
            choices,
            rows: Vec::new(),
            cursor: Cursor::default(),
            old_theme: None,
        };
        picker.refresh();
        picker
    }

    /// Matches again and selects the best match. Names are matched fuzzily. A description matches if it contains every
    /// word of the pattern; choices of which only the description matches come last. The choices that the typed text
    /// itself describes come first.
    pub fn refresh(&mut self) {
        let pattern = self.input.value();
        self.choices.truncate(self.listed);
        let mut typed = match self.kind {
            PickerKind::Themes => Vec::new(),
            PickerKind::Versions => typed_path(pattern, &self.choices),
            PickerKind::Commands | PickerKind::Baselines => typed_choices::choices(pattern, &self.themes),
        };
        if self.kind == PickerKind::Baselines {
            typed.retain(|choice| matches!(choice.pick, PickerAction::Strategy(_)));
        }
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
        if self.kind == PickerKind::Versions && !self.is_folder_typed() {
            // A listed place is meant rather than the text that was typed on the way to it.
            let typed = meant.map(|choice| PickerMatch { choice, in_name: Vec::new(), in_help: Vec::new() });
            self.rows.extend(typed);
            return self.cursor.select(0);
        }
        self.rows.splice(0..0, meant.map(|choice| PickerMatch { choice, in_name: Vec::new(), in_help: Vec::new() }));
        self.cursor.select(0);
    }

    /// True if the typed path is that of a listed folder, or of a folder in which no version is listed.
    fn is_folder_typed(&self) -> bool {
        let typed = self.input.value();
        let listed = &self.choices[..self.listed];
        let holds_version = listed.iter().any(|choice| matches!(choice.pick, PickerAction::Upgrade(_)));
        listed.iter().any(|choice| choice.name == typed) || (typed.ends_with('/') && !holds_version)
    }

    /// The width in cells of a row with the longest name, the longest description and the longest note, or of the hint.
    pub fn width(&self) -> usize {
        let listed = &self.choices[..self.listed];
        let longest = |part: fn(&PickerChoice) -> &str| listed.iter().map(|c| width(part(c))).max().unwrap_or(0);
        let row = longest(|c| &c.name) + longest(|c| &c.help) + longest(|c| &c.note) + 8;
        row.max(width(self.hint) + 6)
    }

    /// The selected choice.
    pub fn selected(&self) -> Option<&PickerChoice> {
        self.rows.get(self.cursor.selected).map(|row| &self.choices[row.choice])
    }
}

/// The places of other versions as choices. A folder is completed, so that what is in it can be chosen.
fn version_choices(places: Vec<VersionPlace>) -> Vec<PickerChoice> {
    let choice = |VersionPlace { path, what, is_folder }: VersionPlace| PickerChoice {
        pick: if is_folder { PickerAction::Type(format!("{path}/")) } else { PickerAction::Upgrade(path.clone()) },
        name: path,
        help: what.to_owned(),
        note: String::new(),
    };
    places.into_iter().map(choice).collect()
}

/// The typed text as a choice, unless it is listed.
fn typed_path(typed: &str, listed: &[PickerChoice]) -> Vec<PickerChoice> {
    let is_listed = |choice: &PickerChoice| matches!(&choice.pick, PickerAction::Upgrade(path) if path == typed);
    if typed.is_empty() || listed.iter().any(is_listed) {
        return Vec::new();
    }
    let (pick, name) = (PickerAction::Upgrade(typed.to_owned()), typed.to_owned());
    vec![PickerChoice { pick, name, help: "as typed".to_owned(), note: String::new() }]
}
