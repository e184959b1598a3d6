//! The tuning page: moving the setting, following its rows, asking for what it shows.

use std::sync::Arc;

use super::{card, history, take, toast, tune};
use crate::tui::{
    command::Command,
    effect::Effect,
    jobs::{CompareCutsJob, HoldOutJob, PriceStepsJob, TraceCurveJob},
    layout,
    model::{
        Catalog, Model, Tone,
        card::{Subject, rows},
        tuning::{Ground, Scale, Tab, Tuning},
    },
};
use apidisc::{delivery::curve::Point, strategy::Strategy};

/// Opens the page.
pub(super) fn open(model: &mut Model) {
    let Some(catalog) = model.catalog.clone() else { return };
    history::leave(model, &catalog);
    model.card = None;
    model.tuning = Some(Tuning::default());
}

/// Does what a command says to the page; false where the page has nothing to do with it.
pub(super) fn run(model: &mut Model, command: Command, effects: &mut Vec<Effect>) -> bool {
    let (Some(catalog), Some(tuning)) = (model.catalog.clone(), &mut model.tuning) else { return false };
    let area = layout::tuning(model.size);
    let [page, cuts_page] = [area.list, area.cuts].map(|area| isize::try_from(area.height.max(2) - 1).unwrap_or(1));
    match command {
        Command::Left => tune::step(model, false, effects),
        Command::Right => tune::step(model, true, effects),
        Command::Up => step(tuning, -1),
        Command::Down => step(tuning, 1),
        Command::PageUp => turn(tuning, -page, -cuts_page),
        Command::PageDown => turn(tuning, page, cuts_page),
        Command::First => step(tuning, isize::MIN),
        Command::Last => step(tuning, isize::MAX),
        Command::NextPane | Command::PreviousPane => {
            tuning.tab = if tuning.tab == Tab::Curve { Tab::Cuts } else { Tab::Curve };
        }
        Command::Knee => to_knee(model, effects),
        // A row of the other part is not seen.
        Command::Enter | Command::Page | Command::Calls | Command::Recipes | Command::Edit
            if tuning.tab == Tab::Cuts => {}
        Command::Enter => follow(model, &catalog, effects),
        Command::Page | Command::Calls | Command::Recipes => beside(model, &catalog, command),
        Command::Edit => {
            let shows = tuning.selected().and_then(|item| item.shows);
            take::edit_place(model, &catalog, shows, effects);
        }
        Command::Tune | Command::Clear | Command::Quit => model.tuning = None,
        // They belong to the panes, which are not seen.
        Command::Filter | Command::Toggle => {}
        _ => return false,
    }
    true
}

fn step(tuning: &mut Tuning, by: isize) {
    match tuning.tab {
        Tab::Curve => rows::step(&tuning.items, &mut tuning.cursor, by),
        Tab::Cuts => scroll(tuning, by),
    }
}

fn turn(tuning: &mut Tuning, by: isize, cuts_by: isize) {
    match tuning.tab {
        Tab::Curve => rows::page(&tuning.items, &mut tuning.cursor, by),
        Tab::Cuts => scroll(tuning, cuts_by),
    }
}

/// Scrolls both stubs.
pub(super) fn scroll(tuning: &mut Tuning, by: isize) {
    tuning.row = tuning.row.saturating_add_signed(by);
}

/// Sets the budget after which tokens buy less.
fn to_knee(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(curve) = model.tuning.as_ref().and_then(|tuning| tuning.curve.current()) else { return };
    match curve.knee() {
        Some(knee) if curve.complete => model.settings.set_budget(knee.tokens),
        Some(_) => toast(model, Tone::Note, "the curve is still being drawn".to_owned(), effects),
        None => toast(model, Tone::Note, "the curve has no knee: every token buys the same".to_owned(), effects),
    }
}

/// Moves the setting to that column of the plot: to so many tokens, or to the nearest threshold or target.
pub(super) fn point(model: &mut Model, column: u16) {
    let here = model.here();
    let Some(curve) = model.tuning.as_ref().and_then(|tuning| tuning.curve.current()) else { return };
    let Some(scale) = Scale::of(curve, here, layout::tuning(model.size).plot) else { return };
    let tokens = scale.tokens(column.clamp(scale.area.x, scale.area.right() - 1));
    let points = match model.settings.strategy {
        Strategy::Threshold { .. } => &curve.thresholds,
        Strategy::Coverage { .. } => &curve.targets,
        Strategy::TokenBudget { .. } | Strategy::Exhaustive => &Vec::new(),
    };
    // On a scale of factors the nearest is the one that is fewer times larger or smaller.
    let times = |point: &Point| (point.tokens.max(1) as f64 / tokens as f64).ln().abs();
    let nearest = points.iter().min_by(|a, b| times(a).total_cmp(&times(b))).map(|point| point.strategy);
    let knee = curve.knee().filter(|knee| curve.complete && scale.cell((knee.tokens, 0.0)).0 == column);
    let budget = || Strategy::TokenBudget { max_tokens: knee.map_or(tokens, |knee| knee.tokens) };
    model.settings.set(nearest.unwrap_or_else(budget));
}

/// Goes to the page of the selected argument or member, or opens the selected call in the editor.
pub(super) fn follow(model: &mut Model, catalog: &Arc<Catalog>, effects: &mut Vec<Effect>) {
    let Some(item) = model.tuning.as_ref().and_then(Tuning::selected) else { return };
    let (to, shows) = (item.to.clone(), item.shows);
    match to {
        Some(subject) => card::open(model, catalog, subject),
        None => take::edit_place(model, catalog, shows, effects),
    }
}

/// The page, the calls or the recipes of the selected argument or member.
fn beside(model: &mut Model, catalog: &Catalog, command: Command) {
    let Some(item) = model.tuning.as_ref().and_then(Tuning::selected) else { return };
    let subject = match command {
        Command::Calls => item.behind.clone().map(Subject::Calls),
        Command::Recipes => item.to.as_ref().and_then(Subject::definition).map(Subject::Recipes),
        _ => item.to.clone(),
    };
    if let Some(subject) = subject {
        card::open(model, catalog, subject);
    }
}

/// Asks for what the page shows, and makes its rows.
pub(super) fn reconcile(model: &mut Model, catalog: &Arc<Catalog>, effects: &mut Vec<Effect>) {
    let cut = model.cut();
    let (Some(tuning), Some(request)) = (&mut model.tuning, model.preview.wanted) else {
        if std::mem::take(&mut model.is_measuring) {
            effects.push(Effect::StopTuning);
        }
        return;
    };
    model.is_measuring = true;
    let ground = Ground::from(request);
    if tuning.curve.wanted.is_some_and(|old| old.generation != ground.generation) {
        tuning.forget();
    }
    let overrides = || Arc::clone(model.wishes.overrides());
    let mut ticket = || {
        model.ticket += 1;
        model.ticket
    };
    if tuning.steps.wanted != Some(request) {
        (tuning.steps.wanted, tuning.steps.ticket) = (Some(request), ticket());
        effects.push(Effect::PriceSteps(PriceStepsJob {
            ticket: tuning.steps.ticket,
            catalog: Arc::clone(catalog),
            ground,
            overrides: overrides(),
            settings: model.settings,
        }));
    }
    if tuning.curve.wanted != Some(ground) {
        (tuning.curve.wanted, tuning.curve.ticket) = (Some(ground), ticket());
        effects.push(Effect::TraceCurve(TraceCurveJob {
            ticket: tuning.curve.ticket,
            catalog: Arc::clone(catalog),
            ground,
            overrides: overrides(),
        }));
    }
    if let Some(cut) = cut.filter(|_| tuning.held_out.wanted != Some(request)) {
        (tuning.held_out.wanted, tuning.held_out.ticket) = (Some(request), ticket());
        effects.push(Effect::HoldOut(HoldOutJob {
            ticket: tuning.held_out.ticket,
            catalog: Arc::clone(catalog),
            stub: Box::new(cut),
        }));
    }
    if tuning.tab == Tab::Cuts && tuning.cuts.wanted != Some(request) {
        (tuning.cuts.wanted, tuning.cuts.ticket) = (Some(request), ticket());
        effects.push(Effect::CompareCuts(CompareCutsJob {
            ticket: tuning.cuts.ticket,
            catalog: Arc::clone(catalog),
            request,
            overrides: overrides(),
        }));
    }
    tuning.make(&model.wishes, catalog);
    tuning.settle(&layout::tuning(model.size));
}
