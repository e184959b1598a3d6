//! The stub pane: the request, the stub that is shown, and the scroll offsets.

use std::{ops::Range, sync::Arc};

use compact_str::CompactString;

use super::Cursor;
use crate::tui::theme::SyntaxRuns;

use apidisc::{
    delivery::{Delivery, DeliveryError},
    index::{Index, Scope},
    program::DefinitionId,
    strategy::Strategy,
    stub::Style,
    tokens::Encoding,
};

/// Everything that the stub depends on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PreviewRequest {
    /// The generation of the index.
    pub generation: u64,
    /// The scope.
    pub scope: Scope,
    /// The strategy.
    pub strategy: Strategy,
    /// The style of the stub.
    pub style: Style,
    /// The tokenizer.
    pub encoding: Encoding,
    /// The revision of the pins and bans: see [`super::ActiveOverrides::revision`].
    pub revision: u64,
    /// True if the readable form is shown.
    pub is_readable: bool,
}

/// Everything that the text of a part of API documents depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartRequest {
    /// The generation of the documents.
    pub generation: u64,
    /// The position of the chunk.
    pub at: u32,
    /// The budget of the stub of an operation; `None` for a stub without a limit.
    pub max_tokens: Option<usize>,
    /// The tokenizer.
    pub encoding: Encoding,
}

/// The request for the content of the stub pane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StubPaneRequest {
    /// A stub of code.
    Stub(PreviewRequest),
    /// A part of API documents.
    Part(PartRequest),
}

impl StubPaneRequest {
    /// The request for a stub of code.
    pub fn stub(self) -> Option<PreviewRequest> {
        match self {
            Self::Stub(request) => Some(request),
            Self::Part(_) => None,
        }
    }
}

/// A delivered text, split into lines: a stub of code or of an operation, or a part of an API document.
#[derive(Debug)]
pub struct StubText {
    /// The delivery; its text is copied and written unchanged.
    pub delivery: Delivery,
    /// The form that is shown in its place, for people to read: the same members and parameters in full.
    readable: Option<Delivery>,
    /// The file extension that selects the grammar of its colours.
    pub extension: &'static str,
    /// The byte range of each line of the shown text, without the line feed.
    pub lines: Vec<Range<usize>>,
}

impl StubText {
    /// Splits a delivery into lines.
    pub fn new(delivery: Delivery) -> Self {
        let extension = delivery.language.extension();
        Self::coloured(delivery, extension)
    }

    /// Shows a readable form in place of the delivery.
    pub fn readable(delivery: Delivery, readable: Delivery) -> Self {
        let extension = delivery.language.extension();
        Self { lines: lines(&readable.text), delivery, readable: Some(readable), extension }
    }

    /// Splits a delivery into lines that have the colours of files with this extension.
    pub fn coloured(delivery: Delivery, extension: &'static str) -> Self {
        Self { lines: lines(&delivery.text), delivery, readable: None, extension }
    }

    /// What is shown: the delivery, or its readable form.
    pub fn shown(&self) -> &Delivery {
        self.readable.as_ref().unwrap_or(&self.delivery)
    }

    /// True if the readable form is shown.
    pub fn is_readable(&self) -> bool {
        self.readable.is_some()
    }

    /// The definition that a line shows: of a member within its class, the member. `None` for the title.
    pub fn definition_at(&self, number: usize) -> Option<DefinitionId> {
        let start = self.lines.get(number)?.start;
        let around = self.shown().symbols.iter().filter(|symbol| symbol.range.contains(&start));
        around.min_by_key(|symbol| symbol.range.len()).map(|symbol| symbol.id)
    }

    /// The text of a line.
    pub fn line(&self, number: usize) -> &str {
        self.lines.get(number).map_or("", |range| &self.shown().text[range.clone()])
    }
}

/// The byte range of each line of a text, without the line feed.
fn lines(text: &str) -> Vec<Range<usize>> {
    let mut start = 0;
    let lines = text.split_inclusive('\n').map(|line| {
        let from = start;
        start += line.len();
        from..from + line.trim_end_matches('\n').len()
    });
    lines.collect()
}

/// The stub that is shown.
#[derive(Clone, Debug)]
pub struct ShownStub {
    /// The request that it answers.
    pub request: StubPaneRequest,
    /// The name of its scope, which stays valid in the next index; `None` for the repository.
    pub subject: Option<CompactString>,
    /// The name of its scope in the title.
    pub title: Option<String>,
    /// The stub, or the reason why there is none.
    pub result: Result<Arc<StubText>, DeliveryError>,
    /// The syntax runs of each line, once they are known.
    pub runs: Vec<Option<SyntaxRuns>>,
    /// Lines whose syntax runs have been requested.
    pub asked: Range<usize>,
    /// The ticket of the delivery, under which syntax runs arrive.
    pub ticket: u64,
}

impl ShownStub {
    /// The name of a scope that stays valid in the next index; `None` for the repository.
    pub fn subject_of(index: &Index, scope: Scope) -> Option<CompactString> {
        match scope {
            Scope::Repository => None,
            Scope::Module(id) => Some(index.module(id).fqn.clone()),
            Scope::Definition(id) => Some(index.definition(id).fqn.as_str().into()),
        }
    }
}

/// The size of the exhaustive stub of a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExhaustiveSize {
    /// The generation of the index.
    pub generation: u64,
    /// The scope.
    pub scope: Scope,
    /// The tokenizer.
    pub encoding: Encoding,
    /// The size in tokens.
    pub tokens: usize,
}

/// A command that waits until the stub belongs to the present settings, and no pending match or count will change it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::tui) enum AfterDelivery {
    /// Copy the stub.
    Copy,
    /// Write the stub to this path.
    Write(String),
    /// Save a profile under this name; replace an existing one if the flag is set.
    Save(String, bool),
    /// Open the selected definition in the editor.
    Edit,
    /// Open the page of the selection.
    OpenPage,
}

/// The state of the stub pane.
#[derive(Debug, Default)]
pub struct Preview {
    /// The request for the present settings.
    pub wanted: Option<StubPaneRequest>,
    /// The ticket of that request.
    pub ticket: u64,
    /// The last answer, which may belong to an earlier request.
    pub shown: Option<ShownStub>,
    /// The size of the exhaustive stub.
    pub exhaustive: Option<ExhaustiveSize>,
    /// The selected line and the first visible line.
    pub cursor: Cursor,
    /// The first visible column.
    pub first_column: usize,
    pub(in crate::tui) after_delivery: Option<AfterDelivery>,
}

impl Preview {
    /// The stub that is shown, if there is one.
    pub fn stub(&self) -> Option<&Arc<StubText>> {
        self.shown.as_ref()?.result.as_ref().ok()
    }

    /// True if the stub that is shown answers the present request.
    pub fn is_current(&self) -> bool {
        self.wanted.is_some() && self.shown.as_ref().map(|s| s.request) == self.wanted
    }

    /// The tokens of the exhaustive stub of the same scope, if they are known.
    pub fn exhaustive_tokens(&self) -> Option<usize> {
        let (shown, all) = (self.shown.as_ref()?.request.stub()?, self.exhaustive?);
        let same = all.generation == shown.generation && all.scope == shown.scope && all.encoding == shown.encoding;
        same.then_some(all.tokens)
    }
}
