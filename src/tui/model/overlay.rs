//! What lies over the panes and takes the keys.

use tui_input::Input;

use super::Model;
use crate::tui::{
    command::{COMMANDS, Group, keys_of},
    layout,
    widgets::grouped,
};

/// An overlay.
#[derive(Debug)]
pub enum Overlay {
    /// A text to read.
    Page {
        /// Which.
        page: Page,
        /// The first visible line.
        line: usize,
    },
    /// A path to write the stub to.
    Write(WritePrompt),
}

/// A text to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Page {
    /// The table of commands.
    Help,
    /// What was counted, and what could not be.
    Ledger,
}

/// A path that is being typed.
#[derive(Debug)]
pub struct WritePrompt {
    /// The path.
    pub input: Input,
    /// The path to begin with, as long as nobody types another.
    pub suggestion: String,
    /// The command that prints the same bytes.
    pub command: String,
    /// Something is there already: the next Enter replaces it.
    pub confirm: bool,
}

/// A line of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// A heading.
    Heading(String),
    /// Two columns.
    Pair(String, String),
    /// A sentence.
    Text(String),
    /// Nothing.
    Blank,
}

impl Page {
    /// Its title.
    pub fn title(self) -> &'static str {
        match self {
            Self::Help => "Keys",
            Self::Ledger => "Ledger",
        }
    }

    /// Its text.
    pub fn lines(self, model: &Model) -> Vec<Line> {
        match self {
            Self::Help => help(),
            Self::Ledger => ledger(model),
        }
    }

    /// The last line that can be the first visible one.
    pub fn last_line(self, model: &Model) -> usize {
        let lines = self.lines(model).len();
        lines.saturating_sub(usize::from(layout::page(model.size, lines).height.saturating_sub(2)))
    }
}

fn help() -> Vec<Line> {
    let mut lines = Vec::new();
    for group in Group::ALL {
        if !lines.is_empty() {
            lines.push(Line::Blank);
        }
        lines.push(Line::Heading(group.title().to_owned()));
        let entries = COMMANDS.iter().filter(|entry| entry.group == group);
        lines.extend(entries.map(|entry| Line::Pair(keys_of(entry), entry.help.to_owned())));
    }
    lines
}

fn ledger(model: &Model) -> Vec<Line> {
    let Some(catalog) = &model.catalog else {
        return vec![Line::Text("Nothing is indexed yet.".to_owned())];
    };
    let index = &catalog.index;
    let ledger = index.ledger;
    let total = ledger.total();
    let row = |number: u32, what: &str| {
        let share = crate::engine::usage::percent(number, total).map_or(String::new(), |p| format!("{p:>3}%  "));
        Line::Pair(grouped(number as usize), format!("{share}{what}"))
    };
    let mut lines = vec![
        Line::Heading(format!("{} call sites in {} files", grouped(total as usize), grouped(index.files.len()))),
        row(ledger.resolved, "resolved to one definition here, and counted"),
        row(ledger.external, "call something outside: built-in, library"),
        row(ledger.ambiguous, "may mean several definitions: counted for none"),
        row(ledger.unknown_receiver, "a method of something whose type is not known"),
        row(ledger.unknown_name, "a name that leads nowhere known"),
        row(ledger.dynamic, "computed while the program runs"),
        Line::Blank,
        row(ledger.spread, "of the resolved pass *args or **kwargs unseen"),
    ];
    for source in &index.sources {
        lines.push(Line::Blank);
        lines.push(Line::Heading("Source".to_owned()));
        lines.push(Line::Text(source.url.clone()));
        if let Some(commit) = &source.commit {
            lines.push(Line::Text(format!("at commit {commit}")));
        }
    }
    if !index.diagnostics.is_empty() {
        lines.push(Line::Blank);
        lines.push(Line::Heading(format!("{} problems", grouped(index.diagnostics.len()))));
        for diagnostic in &index.diagnostics {
            lines.push(Line::Text(format!("{}: {}", diagnostic.path, diagnostic.message)));
        }
    }
    lines
}
