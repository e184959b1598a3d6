//! The commands that are useful in the present state: the footer shows them, and a click on a hint runs its command.

use super::{
    IndexingState, Model, Overlay, SavePrompt, Saving,
    page::{Page, PageSubject},
};
use crate::tui::command::Command;
use crate::tui::geometry::Pane;
use crate::tui::widgets::truncate;
use apidisc::{
    strategy::Strategy,
    stub::{Docs, Style, Wording},
    tokens::Encoding,
    unprintable::escaped_line,
};

/// The greatest width of a question in the title of the stub and in the footer, in cells.
const MAX_QUESTION: usize = 25;

/// The most useful commands of the page of agents.
const AGENTS: [(Command, &str); 7] = [
    (Command::Help, "help"),
    (Command::Enter, "open, go there"),
    (Command::Toggle, "scroll"),
    (Command::NextPane, "next session"),
    (Command::Copy, "copy"),
    (Command::Clear, "close"),
    (Command::Find, "find"),
];

/// The most useful commands of the tuning page.
const TUNING: [(Command, &str); 13] = [
    (Command::Help, "help"),
    (Command::Left, ""),
    (Command::Right, "less, more"),
    (Command::NextStrategy, "strategy"),
    (Command::Compare, "compare"),
    (Command::SaveProfile, "save"),
    (Command::Pin, ""),
    (Command::Ban, "pin, ban"),
    (Command::Knee, "knee"),
    (Command::NextPane, "next tab"),
    (Command::Enter, "follow"),
    (Command::Clear, "close"),
    (Command::Copy, "copy"),
];

impl Model {
    /// Commands with a word each, most useful first. A command with an empty word shares the word of the next one.
    pub fn hints(&self) -> Vec<(Command, &'static str)> {
        match &self.overlay {
            Some(overlay) => overlay.hints(),
            None => self.hints_behind_overlay(),
        }
    }

    /// The commands of what an overlay covers, or of what is shown if there is none.
    pub fn hints_behind_overlay(&self) -> Vec<(Command, &'static str)> {
        if let Some(page) = &self.page {
            if page.filter.is_typing {
                return vec![(Command::Accept, "keep"), (Command::Cancel, "show all"), (Command::NextMatch, "next")];
            }
            return self.page_hints(page);
        }
        if self.agents.is_some() {
            return AGENTS.to_vec();
        }
        if self.ask.is_open {
            return self.ask_hints();
        }
        if self.tuning.is_some() {
            return TUNING.to_vec();
        }
        if self.editing.is_some() {
            return vec![(Command::Accept, "keep"), (Command::Cancel, "clear"), (Command::NextMatch, "next")];
        }
        self.pane_hints()
    }

    /// The most useful commands of the focused pane.
    fn pane_hints(&self) -> Vec<(Command, &'static str)> {
        let mut hints = Vec::new();
        if self.arrangement.is_zoomed {
            hints.push((Command::Zoom, "all panes"));
        }
        if matches!(self.indexing, IndexingState::Parsing { .. }) {
            hints.push((Command::Stop, "stop"));
        }
        match self.focus {
            Pane::Modules => hints.extend([(Command::Enter, "open"), (Command::Page, "page")]),
            Pane::Symbols => hints.extend([(Command::Enter, "page"), (Command::Calls, "calls")]),
            Pane::Arguments => hints.extend([(Command::Enter, "argument"), (Command::Calls, "calls")]),
            Pane::Preview => {
                hints.push((Command::Enter, "page"));
                hints.extend(self.tuning_hints());
            }
        }
        hints.extend([(Command::Find, "find"), (Command::Filter, "filter"), (Command::Copy, "copy stub")]);
        if self.focus == Pane::Symbols {
            hints.push((Command::CopyCall, "copy call"));
        }
        hints.extend([
            (Command::Help, "help"),
            (Command::Palette, "commands"),
            (Command::NextPane, "pane"),
            (Command::Tune, "tune"),
            (Command::Ask, "ask"),
            (Command::Packages, "packages"),
            (Command::Origins, "origins"),
        ]);
        hints
    }

    /// The commands that tune the stub.
    fn tuning_hints(&self) -> Vec<(Command, &'static str)> {
        let number = match self.settings.strategy {
            Strategy::TokenBudget { .. } => Some("budget"),
            Strategy::Threshold { .. } => Some("threshold"),
            Strategy::Coverage { .. } => Some("target"),
            Strategy::Exhaustive => None,
        };
        let mut hints = vec![(Command::NextStrategy, "strategy")];
        if let Some(word) = number {
            hints.extend([(Command::Raise, ""), (Command::Lower, word)]);
        }
        hints.extend([
            (Command::Readable, if self.is_stub_readable { "as delivered" } else { "in full" }),
            (Command::NextWording, "wording"),
            (Command::Write, "write"),
            (Command::NextEncoding, "tokenizer"),
        ]);
        hints
    }

    /// True if the footer says how the stub is cut: where it is tuned, or if a person has changed that.
    pub fn shows_strategy(&self) -> bool {
        let is_covered = self.page.is_some() || self.agents.is_some() || self.ask.is_open;
        let is_tuned = self.tuning.is_some() || self.focus == Pane::Preview && !is_covered;
        let is_changed = self.settings.strategy != Strategy::default() || self.settings.encoding != Encoding::default();
        is_tuned || is_changed
    }

    /// The most useful commands of the page of questions.
    fn ask_hints(&self) -> Vec<(Command, &'static str)> {
        let ask = &self.ask;
        if ask.is_typing {
            let accept = if ask.input.value().trim().is_empty() { "open" } else { "ask" };
            let cancel = if ask.conversation.turns.is_empty() { "close" } else { "to the answer" };
            return vec![(Command::Accept, accept), (Command::Cancel, cancel), (Command::NextMatch, "next row")];
        }
        let mut hints = vec![(Command::Help, "help")];
        if ask.running.is_some() {
            hints.push((Command::Clear, "stop"));
        }
        let enter = if ask.selected_source().is_some() { "go there" } else { "ask further" };
        hints.extend([
            (Command::Enter, enter),
            (Command::NextPane, "next source"),
            (Command::Edit, "source"),
            (Command::Copy, "copy"),
        ]);
        if ask.running.is_none() {
            hints.extend([(Command::Clear, "close"), (Command::Ask, "new question")]);
        }
        hints
    }

    /// The most useful commands of a page. Commands about calls are offered where there are calls.
    fn page_hints(&self, page: &Page) -> Vec<(Command, &'static str)> {
        if page.source_view.is_zoomed {
            let moves = [(Command::Down, "scroll"), (Command::Right, "to the right"), (Command::PageDown, "page")];
            let others = [(Command::Wrap, "wrap"), (Command::Edit, "editor"), (Command::Clear, "back")];
            return moves.into_iter().chain(others).collect();
        }
        let index = self.catalog.as_ref().map(|catalog| &catalog.index);
        let definition = index.zip(page.subject.definition()).map(|(index, id)| index.definition(id));
        let has_calls = definition.is_some_and(|definition| definition.usage.total_calls > 0);
        let is_recipe = matches!(page.subject, PageSubject::Recipe(_));
        let has_tabs = self.catalog.as_ref().is_some_and(|catalog| page.subject.tabs(catalog).len() > 1);
        let selected = page.selected();
        let counts_calls = selected.is_some_and(|item| item.calls.is_some());
        let leads_on = selected.is_some_and(|item| item.link.is_some() || item.across.is_some() || item.unfolds);
        let mut hints = Vec::new();
        hints.extend((leads_on || counts_calls).then_some((Command::Enter, "follow")));
        match page.subject {
            PageSubject::Calls(_) => hints.push((Command::Order, "order")),
            PageSubject::Upgrade => hints.push((Command::NextBreak, "next")),
            _ if has_calls || counts_calls => hints.push((Command::Calls, "calls")),
            _ => {}
        }
        hints.push((Command::Clear, if page.filter.is_on() { "show all" } else { "close" }));
        hints.push((Command::Back, "back"));
        hints.extend(has_tabs.then_some((Command::NextPane, "next tab")));
        let copied = if is_recipe { "copy recipe" } else { "copy call" };
        hints.extend((has_calls || is_recipe).then_some((Command::CopyCall, copied)));
        hints.extend([(Command::Filter, "filter"), (Command::Find, "find"), (Command::Help, "help")]);
        let has_source = !page.subject.area(self.size).detail.is_empty();
        hints.extend(has_source.then_some((Command::Zoom, "source")));
        hints.extend(has_source.then_some((Command::Edit, "editor")));
        hints.extend(has_calls.then_some((Command::Recipes, "recipes")));
        hints
    }

    /// The question for which stubs are ranked: `for “retry”`.
    pub fn question_in_words(&self) -> Option<String> {
        self.overrides.question().map(|question| format!("for “{}”", truncate(&escaped_line(question), MAX_QUESTION)))
    }

    /// Settings that differ from their defaults, in a few words each, with the command that changes them.
    pub fn states(&self) -> Vec<(String, Command)> {
        let (Style { wording, docs }, weights) = (self.settings.style(), &self.settings.weights);
        let other = self.upgrade.reading.as_ref().map(|question| format!("comparing with {}…", question.other));
        let question = self.question_in_words();
        let states = [
            (other.is_some(), other.unwrap_or_default(), Command::Upgrade),
            (wording != Wording::default(), wording.name().to_owned(), Command::NextWording),
            (docs != Docs::default(), format!("docs {}", docs.name()), Command::NextDocs),
            (!weights.are_default(), weights.note(), Command::Origins),
            (question.is_some(), question.unwrap_or_default(), Command::NoQuestion),
            (self.is_stub_readable, "in full".to_owned(), Command::Readable),
            (self.has_private, "+private".to_owned(), Command::Private),
            (!self.is_mouse_captured, "mouse off".to_owned(), Command::Mouse),
            (self.arrangement.is_zoomed, "zoomed".to_owned(), Command::Zoom),
        ];
        states.into_iter().filter(|(is_on, ..)| *is_on).map(|(_, words, command)| (words, command)).collect()
    }
}

impl Overlay {
    /// The most useful commands of an overlay, each with a word.
    fn hints(&self) -> Vec<(Command, &'static str)> {
        let typed = |accept| vec![(Command::Accept, accept), (Command::Cancel, "close")];
        match self {
            Self::Find(finder) if finder.is_empty() => vec![(Command::Cancel, "close")],
            Self::Find(_) => {
                let further = [(Command::NextMatch, "next"), (Command::NextMatches, "further")];
                typed("go there").into_iter().chain(further).collect()
            }
            Self::Picker(picker) => {
                let accept = if picker.old_theme.is_some() { "keep" } else { "run" };
                typed(accept).into_iter().chain([(Command::NextMatch, "next")]).collect()
            }
            Self::Text(text) if text.is_typing => {
                vec![(Command::Accept, "keep"), (Command::Cancel, "show all")]
            }
            Self::Text(_) => vec![
                (Command::Up, ""),
                (Command::Down, "scroll"),
                (Command::PageDown, "further"),
                (Command::Filter, "filter"),
                (Command::Clear, "close"),
            ],
            Self::Origins(_) => vec![
                (Command::Toggle, "in or out"),
                (Command::Raise, ""),
                (Command::Lower, "weight"),
                (Command::Clear, "close"),
            ],
            Self::Write(prompt) => typed(if prompt.is_confirming { "replace" } else { "write" }),
            Self::Save(SavePrompt { state: Saving::Done(_), .. }) => vec![(Command::Accept, "close")],
            Self::Save(SavePrompt { state: Saving::Exists(_), .. }) => typed("replace"),
            Self::Save(_) => typed("save"),
        }
    }
}
