//! The curve of a scope: the tokens and the coverage of one stub for each of many budgets, thresholds and targets.

use super::{Format, Packer};
use crate::{strategy::Strategy, stub::Style};
use apidisc_base::control::Control;

/// The number of budgets in the geometric series of a curve, before equal rounded budgets are merged.
const BUDGETS: usize = 48;
/// The thresholds on a curve, in percent. They are denser near 0, because the stubs differ most there.
const THRESHOLDS: [u32; 19] = [0, 1, 2, 3, 4, 5, 7, 10, 15, 20, 25, 30, 40, 50, 60, 70, 80, 90, 100];
/// The coverage targets on a curve, in percent.
const TARGETS: [u32; 18] = [10, 20, 30, 40, 50, 55, 60, 65, 70, 75, 80, 85, 90, 93, 95, 97, 99, 100];

/// The tokens and the coverage of stubs of one scope.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curve {
    /// The calls of the scope whose arguments are all known, and its reads.
    pub known_uses: u32,
    /// Stubs of token budgets, the smallest budget first. The covered uses never decrease from point to point.
    pub budgets: Vec<CurvePoint>,
    /// Stubs of thresholds, the lowest share first.
    pub thresholds: Vec<CurvePoint>,
    /// Stubs of coverage targets, the lowest first.
    pub targets: Vec<CurvePoint>,
    /// The stub that shows everything.
    pub exhaustive: Option<CurvePoint>,
    /// True once every stub has been tried. Even then, a budget, threshold or target without a stub has no point.
    pub complete: bool,
}

/// One stub on a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurvePoint {
    /// The strategy of the stub.
    pub strategy: Strategy,
    /// Tokens of the delivery.
    pub tokens: usize,
    /// Uses of the scope that can be written from the stub alone.
    pub covered: u32,
}

impl Curve {
    /// Computes the curve of a scope in a style, point by point. `observe` is called with the partial curve as points
    /// are added. `None` if `observe` cancels. A point takes as long as a delivery: some milliseconds on the largest
    /// scopes.
    pub fn trace(
        packer: &Packer,
        style: impl Into<Style>,
        format: Format,
        observe: &mut dyn FnMut(&Self) -> Control,
    ) -> Option<Self> {
        let style = style.into();
        let mut curve = Self { known_uses: packer.known().total(), ..Self::default() };
        let point = |strategy: Strategy| {
            let delivery = packer.deliver_in(style, &strategy, format).ok()?;
            Some(CurvePoint { strategy, tokens: delivery.tokens, covered: delivery.covered().total() })
        };
        let exhaustive = point(Strategy::Exhaustive);
        curve.exhaustive = exhaustive;
        let most = exhaustive.map_or(0, |point| point.tokens);
        for max_tokens in budgets(packer.smallest_budget_in(style, format), most) {
            curve.budgets.extend(point(Strategy::TokenBudget { max_tokens }));
            if observe(&curve) == Control::Cancel {
                return None;
            }
            // This budget covers every use that the exhaustive stub covers. Larger ones only add documentation and
            // members that are never used.
            if curve.budgets.last().is_some_and(|last| exhaustive.is_some_and(|all| last.covered >= all.covered)) {
                break;
            }
        }
        curve.budgets.extend(point(Strategy::TokenBudget { max_tokens: most.max(1) }));
        for percent in THRESHOLDS {
            curve.thresholds.extend(point(Strategy::Threshold { min_frequency: f64::from(percent) / 100.0 }));
            if observe(&curve) == Control::Cancel {
                return None;
            }
        }
        for percent in TARGETS {
            curve.targets.extend(point(Strategy::Coverage { target: f64::from(percent) / 100.0 }));
            if observe(&curve) == Control::Cancel {
                return None;
            }
        }
        curve.complete = true;
        Some(curve)
    }

    /// The knee of the budget curve: the point that lies furthest above the straight line from the origin to the point
    /// of the highest coverage. `None` if no point lies above the line.
    pub fn knee(&self) -> Option<CurvePoint> {
        let end = self.budgets.iter().max_by_key(|point| (point.covered, std::cmp::Reverse(point.tokens)))?;
        let (tokens, covered) = (end.tokens as f64, f64::from(end.covered));
        let height = |point: &CurvePoint| f64::from(point.covered) / covered - point.tokens as f64 / tokens;
        let knee = self.budgets.iter().max_by(|a, b| height(a).total_cmp(&height(b)))?;
        (end.covered > 0 && height(knee) > 0.0).then_some(*knee)
    }

    /// The share of uses that a point covers; `None` if no use is known.
    pub fn coverage(&self, point: &CurvePoint) -> Option<f64> {
        (self.known_uses > 0).then(|| f64::from(point.covered) / f64::from(self.known_uses))
    }
}

/// Budgets in tokens in ascending order: `smallest`, then a geometric series to at least `most`, rounded up to two
/// significant digits.
fn budgets(smallest: usize, most: usize) -> Vec<usize> {
    let (first, last) = (smallest.max(1) as f64, most.max(smallest).max(1) as f64);
    let factor = (last / first).powf(1.0 / (BUDGETS - 1) as f64);
    let budget = |step: usize| {
        let exact = first * factor.powf(step as f64);
        let unit = 10_f64.powf((exact.log10() - 1.0).floor().max(0.0));
        ((exact / unit).ceil() * unit) as usize
    };
    let mut budgets: Vec<usize> = std::iter::once(smallest.max(1)).chain((1..BUDGETS).map(budget)).collect();
    budgets.dedup();
    budgets
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_are_round_and_grow() {
        let budgets = budgets(37, 12_345);
        assert_eq!((budgets[0], budgets.len() > 40), (37, true));
        assert!(budgets.windows(2).all(|pair| pair[0] < pair[1]), "{budgets:?}");
        assert!(budgets.contains(&1200) && *budgets.last().unwrap() >= 12_345, "{budgets:?}");
        assert_eq!(super::budgets(0, 0), [1]);
        assert_eq!(super::budgets(50, 20), [50]);
    }

    #[test]
    fn the_knee_is_where_the_curve_bends() {
        let point =
            |tokens, covered| CurvePoint { strategy: Strategy::TokenBudget { max_tokens: tokens }, tokens, covered };
        let curve = |points: &[(usize, u32)]| Curve {
            known_uses: 100,
            budgets: points.iter().map(|&(tokens, covered)| point(tokens, covered)).collect(),
            ..Curve::default()
        };
        let knee = curve(&[(10, 5), (100, 60), (200, 80), (400, 90), (900, 95), (1000, 95)]).knee();
        assert_eq!(knee, Some(point(200, 80)));
        assert_eq!(curve(&[(10, 1), (100, 10)]).knee(), None, "a straight line");
        assert_eq!(curve(&[(10, 0)]).knee(), None);
        assert_eq!(curve(&[]).knee(), None);
    }
}
