//! The tuning page: the cost and gain of each notch of the setting, for the scope of the stub. A notch is the smallest
//! step of the strategy's parameter. The page shares the setting and the stub with the panes, and adds the curve and
//! the neighbouring settings.

mod comparison;
mod items;
mod neighbours;
mod scale;

pub use comparison::{Baseline, ComparedStub, ComparisonRow, Relation, StubComparison, Surplus};
pub use neighbours::{Neighbour, Neighbours, StubSize};
pub use scale::{GUTTER, PlotPoint, PlotScale};

use super::{
    ActiveOverrides, Catalog, Cursor, Model, PreviewRequest, Topic, name_of_all,
    page::{PageItem, rows},
};
use crate::tui::geometry::TuningArea;
use apidisc::{
    delivery::{StubRequest, curve::Curve, evaluate::EvaluationTotals},
    index::Scope,
    program::DefinitionId,
    stub::Style,
    tokens::Encoding,
};

/// A tab of the page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TuningTab {
    /// The curve, and the changes that a notch less and a notch more would make.
    #[default]
    Curve,
    /// Another stub compared with the present one.
    Comparison,
}

impl TuningTab {
    /// Every tab, in the order of display.
    pub const ALL: [Self; 2] = [Self::Curve, Self::Comparison];

    /// The label.
    pub fn word(self) -> &'static str {
        match self {
            Self::Curve => "Curve",
            Self::Comparison => "Compare",
        }
    }
}

/// The request for a curve: everything that the curve depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CurveRequest {
    /// The generation of the index.
    pub generation: u64,
    /// The scope.
    pub scope: Scope,
    /// The style of the stubs.
    pub style: Style,
    /// The tokenizer.
    pub encoding: Encoding,
    /// The revision of the pins and bans.
    pub revision: u64,
}

impl From<PreviewRequest> for CurveRequest {
    fn from(request: PreviewRequest) -> Self {
        let PreviewRequest { generation, scope, style, encoding, revision, .. } = request;
        Self { generation, scope, style, encoding, revision }
    }
}

/// A request to a worker, and the last answer.
#[derive(Debug)]
pub struct WorkerQuery<Q, A> {
    /// The present request.
    pub wanted: Option<Q>,
    /// The ticket of the request.
    pub ticket: u64,
    /// The last answer with the request that it answers, which may be older than `wanted`.
    pub answer: Option<(Q, A)>,
}

impl<Q: PartialEq + Copy, A> WorkerQuery<Q, A> {
    /// The answer to the present request.
    pub fn current(&self) -> Option<&A> {
        self.answer.as_ref().filter(|(question, _)| Some(*question) == self.wanted).map(|(_, answer)| answer)
    }

    /// Stores an answer if its ticket is that of the present request.
    pub(in crate::tui) fn accept(&mut self, ticket: u64, answer: A) -> bool {
        let Some(question) = self.wanted.filter(|_| self.ticket == ticket) else { return false };
        self.answer = Some((question, answer));
        true
    }
}

impl<Q, A> Default for WorkerQuery<Q, A> {
    fn default() -> Self {
        Self { wanted: None, ticket: 0, answer: None }
    }
}

/// The state of a measurement of held-out coverage: the share of calls that a stub covers among calls that it was not
/// made from.
#[derive(Clone, Debug, PartialEq)]
pub enum HeldOut {
    /// The number of stubs measured so far, and the number of all stubs.
    Measuring(usize, usize),
    /// The result, or the reason why there is none.
    Done(Result<EvaluationTotals, String>),
}

/// The state of the page.
#[derive(Debug, Default)]
pub struct Tuning {
    /// The tab that is shown.
    pub tab: TuningTab,
    /// Coverage against tokens.
    pub curve: WorkerQuery<CurveRequest, Curve>,
    /// The neighbouring settings.
    pub neighbours: WorkerQuery<PreviewRequest, Neighbours>,
    /// Held-out coverage.
    pub held_out: WorkerQuery<PreviewRequest, HeldOut>,
    /// The stub with which the present one is compared.
    pub baseline: Baseline,
    /// Both stubs. The number of the request grows with each change of the baseline.
    pub comparison: WorkerQuery<(PreviewRequest, u32), Result<StubComparison, String>>,
    /// The number of changes of the baseline.
    pub baseline_changes: u32,
    /// The first visible row of the comparison.
    pub row: usize,
    /// The rows: the losses and gains of the neighbours, and the overrides.
    pub items: Vec<PageItem>,
    /// The selection and the scroll offset of the rows.
    pub cursor: Cursor,
    /// The request whose answer `items` was built from.
    made_for: Option<PreviewRequest>,
}

impl Tuning {
    /// The selected row.
    pub fn selected(&self) -> Option<&PageItem> {
        rows::selected(&self.items, &self.cursor)
    }

    /// The target of `pin` and `ban` in the selected row.
    pub fn target(&self) -> Option<(DefinitionId, Option<usize>)> {
        match self.selected()?.link.as_ref()?.topic() {
            Topic::Definition(id) => Some((id, None)),
            Topic::Argument(id, at) => Some((id, Some(at.into()))),
            Topic::Repository | Topic::Module(_) => None,
        }
    }

    /// Builds the rows from the newest answer, unless they were built from it already. The selection stays on the same
    /// row if that row still exists.
    pub(in crate::tui) fn make(&mut self, overrides: &ActiveOverrides, catalog: &Catalog) {
        let answer = self.neighbours.answer.as_ref().map(|(request, _)| *request);
        if answer == self.made_for && answer.is_some() {
            return;
        }
        let before = self.selected().cloned();
        let was_override = self.cursor.selected >= items::first_override(&self.items);
        self.items = items::items(overrides, catalog, self.neighbours.answer.as_ref().map(|(_, steps)| steps));
        self.made_for = answer;
        let same = |item: &PageItem, other: &PageItem| item.link == other.link && item.shows == other.shows;
        let first_override = items::first_override(&self.items);
        // A row that was pinned or banned moves to the section of overrides; the selection moves to the row after it.
        let choices = || (0..self.items.len()).filter(|row| self.items[*row].is_choice());
        let next = || choices().find(|row| *row >= self.cursor.selected).or(choices().next_back());
        let again = before.and_then(|before| {
            let found = || choices().filter(|row| same(&self.items[*row], &before));
            let here = found().find(|row| (*row >= first_override) == was_override);
            here.or_else(|| if was_override || found().next().is_some() { next() } else { None })
        });
        self.cursor.select(again.or(choices().next()).unwrap_or(0));
    }

    /// Stores a comparison; the line at the top of the screen stays there.
    pub(in crate::tui) fn compared(
        &mut self,
        ticket: u64,
        comparison: Result<StubComparison, String>,
        is_beside: bool,
    ) -> bool {
        let top = |comparison: &StubComparison, row: usize| {
            comparison.rows(is_beside).iter().skip(row).find_map(|line| line.before)
        };
        let old = self.comparison.answer.as_ref().and_then(|(_, comparison)| top(comparison.as_ref().ok()?, self.row));
        if let (Some(old), Ok(new)) = (old, &comparison) {
            let rows = new.rows(is_beside).iter();
            self.row = rows.take_while(|line| line.before.is_none_or(|line| line < old)).count();
        }
        self.comparison.accept(ticket, comparison)
    }

    /// Scrolls the selected row into view, and clamps the scroll offset of the comparison.
    pub(in crate::tui) fn settle(&mut self, area: &TuningArea) {
        rows::settle(&self.items, &mut self.cursor, usize::from(area.list.height));
        let rows = match &self.comparison.answer {
            Some((_, Ok(comparison))) => comparison.rows(area.is_beside).len(),
            _ => 0,
        };
        self.row = self.row.min(rows.saturating_sub(usize::from(area.comparison.height)));
    }

    /// Drops the answers for an earlier index, since its ids are no longer valid.
    pub(in crate::tui) fn forget(&mut self) {
        let baseline = std::mem::take(&mut self.baseline);
        *self = Self { tab: self.tab, baseline, ..Self::default() };
    }
}

impl Model {
    /// The request for the present stub, for use in a profile or an evaluation.
    pub fn stub_request(&self) -> Option<StubRequest> {
        let catalog = self.catalog.as_ref()?;
        let index = &catalog.index;
        let package = self.scope().and_then(|scope| index.package_of(scope));
        let (module, symbol) = match self.scope()? {
            Scope::Repository => (None, None),
            Scope::Module(id) => (Some(index.module(id).fqn.to_string()), None),
            Scope::Definition(id) => (None, Some(index.definition(id).fqn.to_string())),
        };
        Some(StubRequest {
            package: package.map(|package| package.label().into_owned()),
            module,
            symbol,
            intent: self.overrides.question().map(ToString::to_string),
            strategy: self.settings.strategy,
            overrides: (**self.overrides.all()).clone(),
            weights: index.weights.clone(),
            wording: self.settings.wording,
            docs: self.settings.docs,
            encoding: self.settings.encoding,
            format: apidisc::delivery::Format::Stub,
        })
    }

    /// The command lines that print the stub of the profile whose name is typed, and that check the profile.
    pub fn profile_commands(&self) -> [String; 2] {
        let name = match &self.overlay {
            Some(super::Overlay::Save(prompt)) => prompt.input.value().trim(),
            _ => "",
        };
        let name = if name.is_empty() { "NAME" } else { name };
        ["--export", "--check"].map(|what| format!("apidisc-tui {what} {} --profile {name}", self.argument))
    }

    /// The present stub as a point of the curve.
    pub fn here(&self) -> Option<PlotPoint> {
        let delivery = &self.stub_of_scope()?.result.as_ref().ok()?.delivery;
        Some((delivery.tokens, delivery.coverage()?))
    }

    /// The name of the stub's scope, for titles.
    pub fn subject_name(&self) -> Option<String> {
        if let Some(part) = self.part() {
            return Some(part.name());
        }
        let catalog = self.catalog.as_ref()?;
        Some(match self.scope()? {
            Scope::Repository => name_of_all(&catalog.index).to_owned(),
            Scope::Module(id) => catalog.index.module(id).fqn.to_string(),
            Scope::Definition(id) => catalog.label(id, false),
        })
    }
}
