//! Texts that are read over the panes: the help, the legend, the ledger and the problems, with a filter for their
//! lines.

use super::{Model, TextField, legend, page::reason_in_words};
use crate::tui::{
    command::{COMMANDS, CommandContext, CommandGroup},
    geometry,
    keymap::Keymap,
    widgets::{grouped, share_text, width, wrap},
};
use apidisc::{
    dependencies::CallDestinations,
    diagnostic::{Diagnostic, LimitCounts, Problem},
    program::UnresolvedReason,
    search,
    usage::Ledger,
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
    /// The ledger: the numbers of resolved and unresolved calls.
    Ledger,
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
            Self::Ledger => "Ledger",
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
            Self::Ledger => ledger(model),
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

/// What was counted, and what could not be.
fn ledger(model: &Model) -> Vec<TextLine> {
    let Some(catalog) = &model.catalog else {
        return vec![TextLine::Text("Nothing is indexed yet.".to_owned())];
    };
    let index = &catalog.index;
    let ledger = index.ledger;
    let total = ledger.total();
    let row = |number: u32, what: &str| {
        let share = apidisc::usage::percent(number, total).map_or(String::new(), |p| format!("{p:>3}%  "));
        TextLine::Pair(grouped(number as usize), format!("{share}{what}"))
    };
    let files = index.own_files().count();
    let files = if index.files.is_empty() { index.sizes().files as usize } else { files };
    let mut lines =
        vec![TextLine::Heading(format!("{} call sites in {} files", grouped(total as usize), grouped(files)))];
    let destinations = model.packages.read().map(|used| used.destinations);
    let destinations = destinations.map(|found| destination_lines(&found)).unwrap_or_default();
    if index.is_of_packages() {
        lines.extend(destinations);
        return lines;
    }
    lines.extend([
        TextLine::Text(match share_text(ledger.resolved, ledger.internal()) {
            Some(share) => format!(
                "{} are or may be calls into this code: all but those of something outside; {share} of them are resolved",
                grouped(ledger.internal() as usize)
            ),
            None => "no call leads into this code".to_owned(),
        }),
        row(ledger.resolved, "resolved to one definition here, and counted"),
        row(ledger.external, reason_in_words(Some(UnresolvedReason::External))),
        row(ledger.ambiguous, reason_in_words(None)),
        row(ledger.unknown_receiver, reason_in_words(Some(UnresolvedReason::UnknownReceiver))),
        row(ledger.unknown_name, reason_in_words(Some(UnresolvedReason::UnknownName))),
        row(ledger.dynamic, reason_in_words(Some(UnresolvedReason::Dynamic))),
    ]);
    if ledger.too_complex > 0 {
        lines.push(row(ledger.too_complex, reason_in_words(Some(UnresolvedReason::TooComplex))));
    }
    lines.extend([TextLine::Blank, row(ledger.spread, "of the resolved pass *args or **kwargs unseen")]);
    if !destinations.is_empty() {
        lines.extend([TextLine::Blank, TextLine::Heading("With the packages that the code uses".to_owned())]);
        lines.extend(destinations);
    }
    if !index.weights.are_default() {
        lines.push(TextLine::Blank);
        lines.push(TextLine::Heading("Weights".to_owned()));
        lines.push(TextLine::Text(format!("calls are counted otherwise: {}", index.weights.note())));
    }
    for source in &index.sources {
        lines.push(TextLine::Blank);
        lines.push(TextLine::Heading("Source".to_owned()));
        lines.push(TextLine::Text(source.url.clone()));
        if let Some(commit) = &source.commit {
            lines.push(TextLine::Text(format!("at commit {commit}")));
        }
    }
    lines
}

/// Where the calls of the code lead once its packages are read: a line for each destination that has calls.
fn destination_lines(found: &CallDestinations) -> Vec<TextLine> {
    let row = |(number, what): (u32, String)| {
        let share = apidisc::usage::percent(number, found.total()).map_or(String::new(), |p| format!("{p:>3}%  "));
        TextLine::Pair(grouped(number as usize), format!("{share}{what}"))
    };
    let known = found.known().map(|(number, whose)| (number, format!("lead into {whose}")));
    let Ledger { ambiguous, unknown_receiver, unknown_name, dynamic, too_complex, external, .. } = found.unresolved;
    let unresolved = [
        (external, "lead to something else outside, such as methods of strings"),
        (ambiguous, reason_in_words(None)),
        (unknown_receiver, reason_in_words(Some(UnresolvedReason::UnknownReceiver))),
        (unknown_name, reason_in_words(Some(UnresolvedReason::UnknownName))),
        (dynamic, reason_in_words(Some(UnresolvedReason::Dynamic))),
        (too_complex, reason_in_words(Some(UnresolvedReason::TooComplex))),
    ];
    let unresolved = unresolved.map(|(number, what)| (number, what.to_owned()));
    known.into_iter().chain(unresolved).filter(|(number, _)| *number > 0).map(row).collect()
}

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
