//! Runs the commands of the tuning page, moves the setting, and requests the data that the page shows.

use std::sync::Arc;

use super::{browse, delivery, history, page, settings, toast};
use crate::tui::{
    command::Command,
    effect::Effect,
    geometry,
    jobs::{Answer, CompareStubsJob, HoldOutJob, Job, PriceNeighboursJob, TraceCurveJob},
    model::{
        Catalog, Model, Overlay, Picker, StubPaneRequest, Tone,
        page::{PageSubject, rows},
        tuning::{Baseline, CurveRequest, PlotScale, Tuning, TuningTab},
    },
};
use apidisc::{delivery::curve::CurvePoint, strategy::Strategy};

/// Opens the tuning page, or closes it.
pub(super) fn toggle(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.tuning.take().is_none() && is_stub_of_code(model, effects) {
        open(model);
    }
}

/// True if the stub pane shows a stub of code; else says that the command is for such stubs.
pub(super) fn is_stub_of_code(model: &mut Model, effects: &mut Vec<Effect>) -> bool {
    let is_of_code = model.part().is_none();
    if !is_of_code {
        toast(model, Tone::Note, "that is for stubs of code; select a module of code".to_owned(), effects);
    }
    is_of_code
}

fn open(model: &mut Model) {
    let Some(catalog) = model.catalog.clone() else { return };
    history::record_present(model, &catalog);
    (model.page, model.agents) = (None, None);
    model.ask.is_open = false;
    model.tuning = Some(Tuning::default());
}

/// Takes over an answer to a request of the tuning page, if the page is still open.
pub(super) fn answered(model: &mut Model, answer: Answer) {
    let is_beside = geometry::tuning(model.size).is_beside;
    let Some(tuning) = &mut model.tuning else { return };
    // An answer to an earlier request is dropped.
    let _is_accepted = match answer {
        Answer::Traced { ticket, curve } => tuning.curve.accept(ticket, curve),
        Answer::NeighboursPriced { ticket, neighbours } => tuning.neighbours.accept(ticket, *neighbours),
        Answer::Compared { ticket, comparison } => {
            tuning.compared(ticket, comparison.map(|comparison| *comparison), is_beside)
        }
        Answer::HeldOut { ticket, held_out } => tuning.held_out.accept(ticket, held_out),
        _ => false,
    };
}

/// Lists the settings and profiles with which the present stub can be compared.
pub(super) fn choose_baseline(model: &mut Model, effects: &mut Vec<Effect>) {
    if is_stub_of_code(model, effects) && model.catalog.is_some() {
        model.overlay = Some(Overlay::Picker(Picker::baselines(model)));
        effects.push(Effect::ReadProfiles);
    }
}

/// Compares the present stub with another one, on the page of the setting.
pub(super) fn compare(model: &mut Model, baseline: Baseline) {
    if model.tuning.is_none() {
        open(model);
    }
    if let Some(tuning) = &mut model.tuning {
        tuning.tab = TuningTab::Comparison;
        tuning.baseline = baseline;
        tuning.baseline_changes += 1;
        tuning.row = 0;
    }
}

/// Runs a command on the page, which is in front. The panes run those that the page does not know: their selection
/// determines the stub that is tuned.
pub(super) fn run(model: &mut Model, command: Command, effects: &mut Vec<Effect>) {
    let (Some(catalog), Some(tuning)) = (model.catalog.clone(), &mut model.tuning) else { return };
    let area = geometry::tuning(model.size);
    let [page, comparison_page] =
        [area.list, area.comparison].map(|area| isize::try_from(area.height.max(2) - 1).unwrap_or(1));
    match command {
        Command::Left => settings::step(model, false, effects),
        Command::Right => settings::step(model, true, effects),
        Command::Up => step(tuning, -1),
        Command::Down => step(tuning, 1),
        Command::PageUp => move_page(tuning, -page, -comparison_page),
        Command::PageDown => move_page(tuning, page, comparison_page),
        Command::First => step(tuning, isize::MIN),
        Command::Last => step(tuning, isize::MAX),
        Command::NextPane | Command::PreviousPane => {
            tuning.tab = if tuning.tab == TuningTab::Curve { TuningTab::Comparison } else { TuningTab::Curve };
        }
        // These commands act on rows, which are on the other tab.
        Command::Enter | Command::Page | Command::Calls | Command::Recipes | Command::Edit
            if tuning.tab == TuningTab::Comparison => {}
        Command::Enter => follow(model, &catalog, effects),
        Command::Page | Command::Calls | Command::Recipes => open_related(model, &catalog, command),
        Command::Edit => {
            let shows = tuning.selected().and_then(|item| item.shows);
            delivery::edit_place(model, &catalog, shows, effects);
        }
        Command::Clear | Command::Quit => model.tuning = None,
        // These commands act on the panes, which the page covers.
        Command::Filter | Command::Toggle => {}
        _ => browse::run(model, command, effects),
    }
}

fn step(tuning: &mut Tuning, by: isize) {
    match tuning.tab {
        TuningTab::Curve => rows::step(&tuning.items, &mut tuning.cursor, by),
        TuningTab::Comparison => scroll(tuning, by),
    }
}

fn move_page(tuning: &mut Tuning, by: isize, comparison_by: isize) {
    match tuning.tab {
        TuningTab::Curve => rows::move_rows(&tuning.items, &mut tuning.cursor, by),
        TuningTab::Comparison => scroll(tuning, comparison_by),
    }
}

/// Scrolls the comparison.
pub(super) fn scroll(tuning: &mut Tuning, by: isize) {
    tuning.row = tuning.row.saturating_add_signed(by);
}

/// Sets the budget to the tokens of the curve's knee. Beyond the knee, a token adds less coverage than the average
/// token of the curve. Only the tuning page has a curve.
pub(super) fn set_knee_budget(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(tuning) = &model.tuning else {
        return toast(model, Tone::Note, "the knee is on the tuning page".to_owned(), effects);
    };
    let Some(curve) = tuning.curve.current() else { return };
    match curve.knee() {
        Some(knee) if curve.complete => model.settings.set_budget(knee.tokens),
        Some(_) => toast(model, Tone::Note, "the curve is still being drawn".to_owned(), effects),
        None => toast(model, Tone::Note, "the curve has no knee: every token buys the same".to_owned(), effects),
    }
}

/// Moves the setting to a column of the plot. A threshold or target becomes the nearest one on the curve. Any other
/// setting becomes the budget at this column, or the exact budget of the knee if the knee is in this column.
pub(super) fn move_setting_to(model: &mut Model, column: u16) {
    let here = model.here();
    let Some(curve) = model.tuning.as_ref().and_then(|tuning| tuning.curve.current()) else { return };
    let Some(scale) = PlotScale::of(curve, here, geometry::tuning(model.size).plot) else { return };
    let tokens = scale.tokens(column.clamp(scale.area.x, scale.area.right() - 1));
    let points = match model.settings.strategy {
        Strategy::Threshold { .. } => &curve.thresholds,
        Strategy::Coverage { .. } => &curve.targets,
        Strategy::TokenBudget { .. } | Strategy::Exhaustive => &Vec::new(),
    };
    // The scale is logarithmic, so the nearest point is the one whose ratio to `tokens` is closest to 1.
    let times = |point: &CurvePoint| (point.tokens.max(1) as f64 / tokens as f64).ln().abs();
    let nearest = points.iter().min_by(|a, b| times(a).total_cmp(&times(b))).map(|point| point.strategy);
    let knee = curve.knee().filter(|knee| curve.complete && scale.cell((knee.tokens, 0.0)).0 == column);
    let budget = || Strategy::TokenBudget { max_tokens: knee.map_or(tokens, |knee| knee.tokens) };
    model.settings.set(nearest.unwrap_or_else(budget));
}

/// Opens the page that the selected row links to; without a link, opens the source of the row in the editor.
pub(super) fn follow(model: &mut Model, catalog: &Arc<Catalog>, effects: &mut Vec<Effect>) {
    let Some(item) = model.tuning.as_ref().and_then(Tuning::selected) else { return };
    let (to, shows) = (item.link.clone(), item.shows);
    match to {
        Some(subject) => page::open(model, catalog, subject),
        None => delivery::edit_place(model, catalog, shows, effects),
    }
}

/// Opens the page, the calls or the recipes of the selected row.
fn open_related(model: &mut Model, catalog: &Catalog, command: Command) {
    let Some(item) = model.tuning.as_ref().and_then(Tuning::selected) else { return };
    let subject = match command {
        Command::Calls => item.calls.clone().map(PageSubject::Calls),
        Command::Recipes => item.link.as_ref().and_then(PageSubject::definition).map(PageSubject::Recipes),
        _ => item.link.clone(),
    };
    if let Some(subject) = subject {
        page::open(model, catalog, subject);
    }
}

/// Requests the data that the page shows, and builds its rows.
pub(super) fn reconcile(model: &mut Model, catalog: &Arc<Catalog>, effects: &mut Vec<Effect>) {
    let stub_request = model.stub_request();
    let (Some(tuning), Some(request)) = (&mut model.tuning, model.preview.wanted.and_then(StubPaneRequest::stub))
    else {
        if std::mem::take(&mut model.is_measuring) {
            effects.push(Effect::StopTuning);
        }
        return;
    };
    model.is_measuring = true;
    let curve_request = CurveRequest::from(request);
    if tuning.curve.wanted.is_some_and(|old| old.generation != curve_request.generation) {
        tuning.forget();
    }
    let overrides = || Arc::clone(model.overrides.all());
    let mut ticket = || {
        model.ticket += 1;
        model.ticket
    };
    if tuning.neighbours.wanted != Some(request) {
        (tuning.neighbours.wanted, tuning.neighbours.ticket) = (Some(request), ticket());
        effects.push(Effect::Job(Job::PriceNeighbours(PriceNeighboursJob {
            ticket: tuning.neighbours.ticket,
            catalog: Arc::clone(catalog),
            curve_request,
            overrides: overrides(),
            settings: model.settings.clone(),
        })));
    }
    if tuning.curve.wanted != Some(curve_request) {
        (tuning.curve.wanted, tuning.curve.ticket) = (Some(curve_request), ticket());
        effects.push(Effect::Job(Job::TraceCurve(TraceCurveJob {
            ticket: tuning.curve.ticket,
            catalog: Arc::clone(catalog),
            curve_request,
            overrides: overrides(),
        })));
    }
    if let Some(stub_request) = stub_request.filter(|_| tuning.held_out.wanted != Some(request)) {
        (tuning.held_out.wanted, tuning.held_out.ticket) = (Some(request), ticket());
        effects.push(Effect::Job(Job::HoldOut(HoldOutJob {
            ticket: tuning.held_out.ticket,
            catalog: Arc::clone(catalog),
            stub: Box::new(stub_request),
        })));
    }
    let compared = Some((request, tuning.baseline_changes));
    if tuning.tab == TuningTab::Comparison && tuning.comparison.wanted != compared {
        (tuning.comparison.wanted, tuning.comparison.ticket) = (compared, ticket());
        effects.push(Effect::Job(Job::CompareStubs(CompareStubsJob {
            ticket: tuning.comparison.ticket,
            catalog: Arc::clone(catalog),
            baseline: tuning.baseline.clone(),
            request,
            overrides: overrides(),
        })));
    }
    tuning.make(&model.overrides, catalog);
    tuning.settle(&geometry::tuning(model.size));
}
