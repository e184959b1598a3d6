//! The stub on the screen: what was asked for, what came back, where one reads.

use std::{ops::Range, sync::Arc};

use crate::tui::theme::SyntaxRuns;

use compact_str::CompactString;

use apidisc::{
    delivery::{Delivery, DeliveryError},
    index::Scope,
    strategy::Strategy,
    tokens::Encoding,
};

/// Everything that a stub depends on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PreviewRequest {
    /// The index.
    pub generation: u64,
    /// What of it.
    pub scope: Scope,
    /// Cut how.
    pub strategy: Strategy,
    /// Counted by.
    pub encoding: Encoding,
    /// With what pinned and banned: see [`super::Wishes::revision`].
    pub revision: u64,
}

/// A delivered stub and where its lines begin and end.
#[derive(Debug)]
pub struct StubText {
    /// What the engine delivered; the text is shown, copied and written as it is.
    pub delivery: Delivery,
    /// A range of the text a line, without the line feed.
    pub lines: Vec<Range<usize>>,
}

impl StubText {
    /// Finds the lines.
    pub fn new(delivery: Delivery) -> Self {
        let mut start = 0;
        let lines = delivery
            .text
            .split_inclusive('\n')
            .map(|line| {
                let from = start;
                start += line.len();
                from..from + line.trim_end_matches('\n').len()
            })
            .collect();
        Self { delivery, lines }
    }

    /// The text of a line.
    pub fn line(&self, number: usize) -> &str {
        self.lines.get(number).map_or("", |range| &self.delivery.text[range.clone()])
    }
}

/// What is on the screen.
#[derive(Clone, Debug)]
pub struct ShownStub {
    /// What was asked for.
    pub request: PreviewRequest,
    /// Its name, which outlives an index; `None` for the repository.
    pub subject: Option<CompactString>,
    /// What came back.
    pub result: Result<Arc<StubText>, DeliveryError>,
    /// The colours of each line, once they are known.
    pub runs: Vec<Option<SyntaxRuns>>,
    /// Lines whose colours have been asked for.
    pub asked: Range<usize>,
    /// The ticket under which colours arrive.
    pub ticket: u64,
}

/// The tokens of the exhaustive form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExhaustiveSize {
    /// Of which index.
    pub generation: u64,
    /// Of what.
    pub scope: Scope,
    /// Counted by.
    pub encoding: Encoding,
    /// How many.
    pub tokens: usize,
}

/// What is to be done with the stub when it arrives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::tui) enum AfterDelivery {
    /// Copy it.
    Copy,
    /// Write it to that path.
    Write(String),
    /// Save a profile of it under that name, instead of the one that is there where that is meant.
    Save(String, bool),
    /// Open its definition.
    Edit,
    /// Open the page of what is selected by then.
    OpenPage,
}

/// The pane.
#[derive(Debug, Default)]
pub struct Preview {
    /// What should be shown.
    pub wanted: Option<PreviewRequest>,
    /// The ticket of the question for it.
    pub ticket: u64,
    /// What is shown; it may still be the previous one.
    pub shown: Option<ShownStub>,
    /// How large the exhaustive form is.
    pub exhaustive: Option<ExhaustiveSize>,
    /// The first visible line.
    pub first_line: usize,
    /// The first visible column.
    pub first_column: usize,
    pub(in crate::tui) after_delivery: Option<AfterDelivery>,
}

impl Preview {
    /// The stub, where there is one.
    pub fn stub(&self) -> Option<&Arc<StubText>> {
        self.shown.as_ref()?.result.as_ref().ok()
    }

    /// What is shown is what is wanted.
    pub fn is_current(&self) -> bool {
        self.wanted.is_some() && self.shown.as_ref().map(|s| s.request) == self.wanted
    }

    /// The exhaustive form's tokens, where they are those of what is shown.
    pub fn exhaustive_tokens(&self) -> Option<usize> {
        let (shown, all) = (self.shown.as_ref()?.request, self.exhaustive?);
        let same = all.generation == shown.generation && all.scope == shown.scope && all.encoding == shown.encoding;
        same.then_some(all.tokens)
    }
}
