//! The contents of the plot: a line for each strategy with a parameter, a mark each for the exhaustive stub, the knee
//! ([`Curve::knee`]) and the present setting, and a legend in the lower border.

use ratatui::{buffer::Buffer, layout::Rect, style::Style};

use super::plot::{Plot, PlotLine, PlotMark};
use crate::tui::{
    model::{
        Model,
        tuning::{PlotScale, Tuning},
    },
    view::message,
    widgets::{RowPainter, grouped, width},
};
use apidisc::{
    delivery::{
        DeliveryError,
        curve::{Curve, CurvePoint},
    },
    strategy::Strategy,
};

/// The symbol of a line or mark, and its replacement in ASCII.
struct Glyph(&'static str, &'static str);

const HERE: Glyph = Glyph("●", "@");
const KNEE: Glyph = Glyph("◆", "K");
const BUDGET: Glyph = Glyph("⠒⠒", "--");
const THRESHOLD: Glyph = Glyph("×", "x");
const TARGET: Glyph = Glyph("+", "+");
const EVERYTHING: Glyph = Glyph("■", "#");

impl Glyph {
    fn of(&self, model: &Model) -> &'static str {
        if model.is_ascii { self.1 } else { self.0 }
    }
}

pub(super) fn draw(model: &Model, tuning: &Tuning, frame: Rect, area: Rect, buffer: &mut Buffer) {
    let failure = model.preview.shown.as_ref().and_then(|shown| shown.result.as_ref().err());
    if failure.is_some_and(|why| !matches!(why, DeliveryError::BudgetTooSmall { .. })) {
        return;
    }
    let Some(curve) = tuning.curve.current().filter(|curve| !curve.budgets.is_empty()) else {
        message(model, area, buffer, &["drawing the curve…"]);
        return;
    };
    if curve.known_uses == 0 {
        message(model, area, buffer, &["no use of it is known:", "nothing says what a token buys"]);
        return;
    }
    let here = model.here();
    if let Some(scale) = PlotScale::of(curve, here, area) {
        plot(model, curve, here).draw(&scale, area, model, buffer);
    }
    legend(model, curve, here, frame, buffer);
}

fn plot(model: &Model, curve: &Curve, here: Option<(usize, f64)>) -> Plot {
    let roles = &model.theme.roles;
    let place = |point: &CurvePoint| (point.tokens, curve.coverage(point).unwrap_or_default());
    let line = |points: &[CurvePoint]| points.iter().map(place).collect::<Vec<_>>();
    let marks = |points: &[CurvePoint], glyph: &Glyph, style: Style| {
        let mark = |point: &CurvePoint| PlotMark { at: place(point), glyph: glyph.of(model), style };
        points.iter().map(mark).collect::<Vec<_>>()
    };
    let mut all = marks(&curve.thresholds, &THRESHOLD, roles.value);
    all.extend(marks(&curve.targets, &TARGET, roles.success));
    all.extend(marks(curve.exhaustive.as_slice(), &EVERYTHING, roles.dim));
    all.extend(marks(knee(curve).as_slice(), &KNEE, roles.unknown));
    all.extend(here.map(|at| PlotMark { at, glyph: HERE.of(model), style: roles.accent }));
    Plot {
        lines: vec![
            PlotLine { points: line(&curve.thresholds), style: roles.value, is_dotted: true },
            PlotLine { points: line(&curve.targets), style: roles.success, is_dotted: true },
            PlotLine { points: line(&curve.budgets), style: roles.bar, is_dotted: false },
        ],
        marks: all,
        guide: here.map(|(tokens, _)| tokens),
    }
}

/// The knee, once all points of the budget curve are known. Thresholds are measured after budgets.
fn knee(curve: &Curve) -> Option<CurvePoint> {
    let is_traced = curve.complete || !curve.thresholds.is_empty();
    curve.knee().filter(|_| is_traced)
}

/// Draws the legend, as far as there is room.
fn legend(model: &Model, curve: &Curve, here: Option<(usize, f64)>, frame: Rect, buffer: &mut Buffer) {
    let roles = &model.theme.roles;
    let strategy = model.settings.strategy;
    let mut entries: Vec<(&Glyph, Style, String, bool)> = Vec::new();
    if here.is_some() {
        entries.push((&HERE, roles.accent, "here".to_owned(), true));
    }
    if let Some(knee) = knee(curve) {
        entries.push((&KNEE, roles.unknown, format!("knee {}", grouped(knee.tokens)), false));
    }
    let is = |other: Strategy| strategy.name() == other.name();
    entries.push((&BUDGET, roles.bar, "budget".to_owned(), is(Strategy::default())));
    if !curve.thresholds.is_empty() {
        let is_present = is(Strategy::Threshold { min_frequency: 0.0 });
        entries.push((&THRESHOLD, roles.value, "threshold".to_owned(), is_present));
    }
    if !curve.targets.is_empty() {
        entries.push((&TARGET, roles.success, "target".to_owned(), is(Strategy::Coverage { target: 0.0 })));
    }
    if curve.complete {
        entries.push((&EVERYTHING, roles.dim, "all".to_owned(), is(Strategy::Exhaustive)));
    } else {
        entries.push((&Glyph("…", "~"), roles.dim, "drawing".to_owned(), false));
    }
    let mut row = RowPainter::new(buffer, Rect { y: frame.bottom().saturating_sub(1), height: 1, ..frame }, 0);
    row.gap(2).margin(2);
    let room = usize::from(row.room());
    let mut entries: Vec<_> = entries
        .into_iter()
        .map(|(glyph, style, word, is_present)| (glyph.of(model), style, word, is_present))
        .collect();
    let total = |entries: &[(&str, Style, String, bool)], spaces: usize| -> usize {
        entries.iter().map(|(glyph, _, word, _)| width(glyph) + width(word) + spaces).sum()
    };
    // If room is short, the entry of the present setting is left out, since its mark is recognizable without it.
    if here.is_some() && total(&entries, 3) > room {
        entries.remove(0);
    }
    let after = if total(&entries, 3) > room { "" } else { " " };
    for (glyph, style, word, is_present) in entries {
        if width(glyph) + width(&word) + 2 + after.len() > usize::from(row.room()) {
            break;
        }
        let words = if is_present { roles.text } else { roles.dim };
        row.left(" ", roles.dim).left(glyph, style).left(" ", roles.dim).left(&word, words).left(after, roles.dim);
    }
}
