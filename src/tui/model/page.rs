//! A text to read over the panes: what it says, and how it is narrowed to the lines that one looks for.

use tui_input::Input;

use super::Model;
use crate::tui::{
    command::{COMMANDS, Group},
    keymap::Keymap,
    layout,
    widgets::{grouped, width, wrap},
};
use apidisc::{diagnostic::Problem, search};

/// Nothing is broken into pieces shorter than that.
const NARROWEST: usize = 20;

/// A text to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Page {
    /// The table of commands.
    Help,
    /// What was counted, and what could not be.
    Ledger,
    /// What could not be read in full.
    Problems,
}

/// Where one is in a page.
#[derive(Debug)]
pub struct Reading {
    /// Which.
    pub page: Page,
    /// The first visible line.
    pub line: usize,
    /// What its lines must hold.
    pub filter: Input,
    /// The filter is being typed.
    pub is_typing: bool,
}

impl Reading {
    /// A page from its beginning.
    pub fn new(page: Page) -> Self {
        Self { page, line: 0, filter: Input::default(), is_typing: false }
    }

    /// The lines that hold what is looked for, and the headings above them.
    pub fn lines(&self, model: &Model) -> Vec<Line> {
        let lines = self.page.text(model);
        if self.filter.value().trim().is_empty() {
            return self.page.fitted(lines, model);
        }
        let texts: Vec<String> = lines.iter().map(Line::text).collect();
        let mut keep = vec![false; lines.len()];
        for (row, _) in search::substring_matches(self.filter.value(), &texts) {
            keep[row] = !matches!(lines[row], Line::Heading(_) | Line::Blank);
        }
        let mut out: Vec<Line> = Vec::new();
        let mut heading = None;
        for (line, keep) in lines.into_iter().zip(keep) {
            if matches!(line, Line::Heading(_)) {
                heading = Some(line);
            } else if keep {
                if let Some(heading) = heading.take() {
                    out.extend((!out.is_empty()).then_some(Line::Blank));
                    out.push(heading);
                }
                out.push(line);
            }
        }
        self.page.fitted(out, model)
    }

    /// The last line that can be the first visible one.
    pub fn last_line(&self, model: &Model) -> usize {
        let height = layout::page(model.size, self.page.lines(model).len()).height;
        self.lines(model).len().saturating_sub(usize::from(height.saturating_sub(2)))
    }
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

impl Line {
    /// Its text, as a filter sees it.
    fn text(&self) -> String {
        match self {
            Self::Heading(text) | Self::Text(text) => text.clone(),
            Self::Pair(left, right) => format!("{left} {right}"),
            Self::Blank => String::new(),
        }
    }
}

impl Page {
    /// Its title.
    pub fn title(self) -> &'static str {
        match self {
            Self::Help => "Keys",
            Self::Ledger => "Ledger",
            Self::Problems => "Problems",
        }
    }

    /// Its text, as the window has room for it.
    pub fn lines(self, model: &Model) -> Vec<Line> {
        self.fitted(self.text(model), model)
    }

    /// Breaks what is longer than a line: a sentence goes on below itself, a pair below its second column.
    fn fitted(self, lines: Vec<Line>, model: &Model) -> Vec<Line> {
        // Borders, margins and the indent.
        let room = usize::from(layout::page(model.size, 1).width).saturating_sub(6);
        let beside = room.saturating_sub(self.column(model) + 2).max(NARROWEST);
        let mut out = Vec::with_capacity(lines.len());
        for line in lines {
            match line {
                Line::Text(text) if width(&text) > room => {
                    let pieces = wrap(&text, room.saturating_sub(2).max(NARROWEST)).into_iter().enumerate();
                    out.extend(
                        pieces.map(|(at, piece)| Line::Text(if at == 0 { piece } else { format!("  {piece}") })),
                    );
                }
                Line::Pair(key, text) if width(&text) > beside => {
                    let keys = std::iter::once(key).chain(std::iter::repeat(String::new()));
                    out.extend(keys.zip(wrap(&text, beside)).map(|(key, piece)| Line::Pair(key, piece)));
                }
                line => out.push(line),
            }
        }
        out
    }

    /// How wide its first column is.
    pub fn column(self, model: &Model) -> usize {
        let width = |line: &Line| match line {
            Line::Pair(key, _) => width(key),
            _ => 0,
        };
        self.text(model).iter().map(width).max().unwrap_or(0)
    }

    fn text(self, model: &Model) -> Vec<Line> {
        match self {
            Self::Help => help(&model.keymap),
            Self::Ledger => ledger(model),
            Self::Problems => problems(model),
        }
    }
}

fn help(keymap: &Keymap) -> Vec<Line> {
    let mut lines = Vec::new();
    for group in Group::ALL {
        if !lines.is_empty() {
            lines.push(Line::Blank);
        }
        lines.push(Line::Heading(group.title().to_owned()));
        let entries = COMMANDS.iter().filter(|entry| entry.group == group);
        lines.extend(entries.map(|entry| Line::Pair(keymap.words(entry.command), entry.help.to_owned())));
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
        let share = apidisc::usage::percent(number, total).map_or(String::new(), |p| format!("{p:>3}%  "));
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
    if !index.weights.is_even() {
        lines.push(Line::Blank);
        lines.push(Line::Heading("Weights".to_owned()));
        lines.push(Line::Text(format!("calls are counted otherwise: {}", index.weights.note())));
    }
    for source in &index.sources {
        lines.push(Line::Blank);
        lines.push(Line::Heading("Source".to_owned()));
        lines.push(Line::Text(source.url.clone()));
        if let Some(commit) = &source.commit {
            lines.push(Line::Text(format!("at commit {commit}")));
        }
    }
    lines
}

/// Mistakes in what a person has written, then files by what is wrong with them.
fn problems(model: &Model) -> Vec<Line> {
    let mut lines = Vec::new();
    if !model.complaints.is_empty() {
        lines.push(Line::Heading("Configuration".to_owned()));
        lines.extend(model.complaints.iter().cloned().map(Line::Text));
    }
    let diagnostics = model.catalog.as_ref().map_or(&[][..], |catalog| &catalog.index.diagnostics);
    for problem in Problem::ALL {
        let of_kind: Vec<_> = diagnostics.iter().filter(|diagnostic| diagnostic.problem == problem).collect();
        if of_kind.is_empty() {
            continue;
        }
        if !lines.is_empty() {
            lines.push(Line::Blank);
        }
        lines.push(Line::Heading(format!("{} {}", grouped(of_kind.len()), problem.phrase())));
        lines.extend(of_kind.iter().map(|d| Line::Text(format!("{}: {}", d.path, d.message))));
    }
    if lines.is_empty() {
        lines.push(Line::Text("Everything was read in full.".to_owned()));
    }
    lines
}
