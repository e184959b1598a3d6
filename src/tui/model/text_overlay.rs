//! Texts that are read over the panes: the help, the legend and the problems, with a filter for their lines.

use super::{Model, TextField, legend};
use crate::tui::{
    command::{COMMANDS, CommandContext, CommandGroup},
    geometry,
    keymap::Keymap,
    widgets::{grouped, width, wrap},
};
use apidisc::{
    diagnostic::{Diagnostic, LimitCounts, Problem},
    search,
};

/// Text is never wrapped into pieces narrower than this, in cells.
const MIN_WIDTH: usize = 20;

/// The text that is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextKind {
    /// The table of commands with their keys, and the legend.
    Help,
    /// The signs that rows begin with, and the bars.
    Legend,
    /// Files that could not be read in full, and mistakes in the configuration.
    Problems,
}

/// A text over the panes: its scroll offset and its filter.
#[derive(Debug)]
pub struct TextOverlay {
    /// The text.
    pub kind: TextKind,
    /// The first visible line.
    pub offset: usize,
    /// The filter: only lines that contain every word are shown.
    pub filter: TextField,
    /// True while the filter is being typed.
    pub is_typing: bool,
}

impl TextOverlay {
    /// Opens a text at its beginning.
    pub fn new(kind: TextKind) -> Self {
        Self { kind, offset: 0, filter: TextField::default(), is_typing: false }
    }

    /// The lines that pass the filter, with the headings above them.
    pub fn lines(&self, model: &Model) -> Vec<TextLine> {
        let lines = self.kind.text(model);
        if self.filter.value().trim().is_empty() {
            return self.kind.fitted(lines, model);
        }
        let texts: Vec<String> = lines.iter().map(TextLine::text).collect();
        let mut keep = vec![false; lines.len()];
        for (row, _) in search::substring_matches(self.filter.value(), &texts) {
            keep[row] = !matches!(lines[row], TextLine::Heading(_) | TextLine::Blank);
        }
        let mut out: Vec<TextLine> = Vec::new();
        let mut heading = None;
        for (line, keep) in lines.into_iter().zip(keep) {
            if matches!(line, TextLine::Heading(_)) {
                heading = Some(line);
            } else if keep {
                if let Some(heading) = heading.take() {
                    out.extend((!out.is_empty()).then_some(TextLine::Blank));
                    out.push(heading);
                }
                out.push(line);
            }
        }
        self.kind.fitted(out, model)
    }

    /// The greatest scroll offset.
    pub fn last_line(&self, model: &Model) -> usize {
        let height = geometry::text_overlay(model.size, self.kind.lines(model).len()).height;
        self.lines(model).len().saturating_sub(usize::from(height.saturating_sub(2)))
    }
}

/// A line of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextLine {
    /// A heading.
    Heading(String),
    /// Two columns.
    Pair(String, String),
    /// Text in one column.
    Text(String),
    /// An empty line.
    Blank,
}

impl TextLine {
    /// The text that the filter searches.
    fn text(&self) -> String {
        match self {
            Self::Heading(text) | Self::Text(text) => text.clone(),
            Self::Pair(left, right) => format!("{left} {right}"),
            Self::Blank => String::new(),
        }
    }
}

impl TextKind {
    /// The title.
    pub fn title(self) -> &'static str {
        match self {
            Self::Help => "Keys",
            Self::Legend => "Signs",
            Self::Problems => "Problems",
        }
    }

    /// All lines, wrapped to the width of the window.
    pub fn lines(self, model: &Model) -> Vec<TextLine> {
        self.fitted(self.text(model), model)
    }

    /// Wraps long lines. A text continues two cells further to the right, a pair continues in its second column.
    fn fitted(self, lines: Vec<TextLine>, model: &Model) -> Vec<TextLine> {
        // Borders, margins and the indentation take six cells.
        let room = usize::from(geometry::text_overlay(model.size, 1).width).saturating_sub(6);
        let beside = room.saturating_sub(self.column(model) + 2).max(MIN_WIDTH);
        let mut out = Vec::with_capacity(lines.len());
        for line in lines {
            match line {
                TextLine::Text(text) if width(&text) > room => {
                    let pieces = wrap(&text, room.saturating_sub(2).max(MIN_WIDTH)).into_iter().enumerate();
                    out.extend(
                        pieces.map(|(at, piece)| TextLine::Text(if at == 0 { piece } else { format!("  {piece}") })),
                    );
                }
                TextLine::Pair(key, text) if width(&text) > beside => {
                    let keys = std::iter::once(key).chain(std::iter::repeat(String::new()));
                    out.extend(keys.zip(wrap(&text, beside)).map(|(key, piece)| TextLine::Pair(key, piece)));
                }
                line => out.push(line),
            }
        }
        out
    }

    /// The width of the first column.
    pub fn column(self, model: &Model) -> usize {
        let width = |line: &TextLine| match line {
            TextLine::Pair(key, _) => width(key),
            _ => 0,
        };
        self.text(model).iter().map(width).max().unwrap_or(0)
    }

    fn text(self, model: &Model) -> Vec<TextLine> {
        match self {
            Self::Help => help(model),
            Self::Legend => legend::lines(),
            Self::Problems => problems(model),
        }
    }
}

fn help(model: &Model) -> Vec<TextLine> {
    let keymap: &Keymap = &model.keymap;
    let mut lines = vec![TextLine::Heading("Here".to_owned())];
    let here = model.hints_behind_overlay().into_iter().filter(|(command, _)| command.entry().context.meets(BROWSE));
    lines.extend(here.map(|(command, _)| TextLine::Pair(keymap.words(command), command.entry().help.to_owned())));
    for group in CommandGroup::ALL {
        if !lines.is_empty() {
            lines.push(TextLine::Blank);
        }
        lines.push(TextLine::Heading(group.title().to_owned()));
        let entries = COMMANDS.iter().filter(|entry| entry.group == group);
        lines.extend(entries.map(|entry| TextLine::Pair(keymap.words(entry.command), entry.help.to_owned())));
    }
    lines.extend([TextLine::Blank, TextLine::Heading("Signs".to_owned())]);
    lines.extend(legend::lines().into_iter().filter(|line| matches!(line, TextLine::Pair(..))));
    lines
}

const BROWSE: CommandContext = CommandContext::Browse;

/// Mistakes in the user's files, then source files by problem.
fn problems(model: &Model) -> Vec<TextLine> {
    let mut lines = Vec::new();
    if !model.complaints.is_empty() {
        lines.push(TextLine::Heading("Configuration".to_owned()));
        lines.extend(model.complaints.iter().cloned().map(TextLine::Text));
    }
    if model.files_beyond_history > 0 {
        if !lines.is_empty() {
            lines.push(TextLine::Blank);
        }
        lines.push(TextLine::Heading("History".to_owned()));
        let files = grouped(model.files_beyond_history);
        let why = "the history of the repository is larger than the limit";
        lines.push(TextLine::Text(format!("{files} of the files last shown by date have no date: {why}")));
    }
    let diagnostics = model.catalog.as_ref().map_or(&[][..], |catalog| &catalog.index.diagnostics);
    let of_documents: Vec<&Diagnostic> = model.api.catalog.iter().flat_map(|api| api.problems()).collect();
    for problem in Problem::ALL {
        let all = diagnostics.iter().chain(of_documents.iter().copied());
        let of_kind: Vec<_> = all.filter(|diagnostic| diagnostic.problem == problem).collect();
        if of_kind.is_empty() {
            continue;
        }
        if !lines.is_empty() {
            lines.push(TextLine::Blank);
        }
        lines.push(TextLine::Heading(format!("{} {}", grouped(of_kind.len()), problem.phrase())));
        lines.extend(of_kind.iter().map(|d| TextLine::Text(format!("{}: {}", d.path, d.message))));
    }
    // An index file lists no problems, but counts the limits that were exceeded.
    let limits = model.catalog.as_ref().filter(|_| diagnostics.is_empty()).map(|catalog| catalog.index.limits());
    for (problem, count) in limits.iter().flat_map(LimitCounts::exceeded) {
        if !lines.is_empty() {
            lines.push(TextLine::Blank);
        }
        lines.push(TextLine::Heading(format!("{} {}", grouped(count as usize), problem.phrase())));
        lines.push(TextLine::Text("when the index file was written".to_owned()));
    }
    if lines.is_empty() {
        lines.push(TextLine::Text("Everything was read in full.".to_owned()));
    }
    lines
}
