//! What a budget, a threshold or a target buys: coverage against tokens, for one scope.

use super::{Format, Packer};
use crate::{control::Control, strategy::Strategy};

/// Budgets that are looked at, each larger than the one before by the same factor.
const BUDGETS: usize = 48;
/// Thresholds that are looked at, in percent: the rare ones decide most.
const THRESHOLDS: [u32; 19] = [0, 1, 2, 3, 4, 5, 7, 10, 15, 20, 25, 30, 40, 50, 60, 70, 80, 90, 100];
/// Targets that are looked at, in percent.
const TARGETS: [u32; 18] = [10, 20, 30, 40, 50, 55, 60, 65, 70, 75, 80, 85, 90, 93, 95, 97, 99, 100];

/// Coverage against tokens.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curve {
    /// Calls of the scope whose arguments are all known.
    pub known_calls: u32,
    /// Stubs of token budgets, the smallest first; tokens and calls grow.
    pub budgets: Vec<Point>,
    /// Stubs of thresholds, the lowest share first.
    pub thresholds: Vec<Point>,
    /// Stubs of coverage targets, the lowest first.
    pub targets: Vec<Point>,
    /// The stub that shows everything.
    pub exhaustive: Option<Point>,
    /// Every point is there.
    pub complete: bool,
}

/// One stub.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// How it was cut.
    pub strategy: Strategy,
    /// Tokens of the delivery.
    pub tokens: usize,
    /// Calls that can be written from it.
    pub covered: u32,
}

impl Curve {
    /// The curve of a scope, point by point. `observe` is shown what is known after each one, and may cancel:
    /// `None`. A point takes as long as a delivery; on the largest scopes that is some milliseconds.
    pub fn trace(packer: &Packer, format: Format, observe: &mut dyn FnMut(&Self) -> Control) -> Option<Self> {
        let mut curve = Self { known_calls: packer.known_calls(), ..Self::default() };
        let point = |strategy: Strategy| {
            let delivery = packer.deliver(&strategy, format).ok()?;
            Some(Point { strategy, tokens: delivery.tokens, covered: delivery.covered_calls })
        };
        let exhaustive = point(Strategy::Exhaustive);
        curve.exhaustive = exhaustive;
        let most = exhaustive.map_or(0, |point| point.tokens);
        for max_tokens in budgets(packer.smallest_budget(format), most) {
            curve.budgets.extend(point(Strategy::TokenBudget { max_tokens }));
            if observe(&curve) == Control::Cancel {
                return None;
            }
            // What follows is summaries and what nobody calls.
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

    /// The budget after which a token buys less than it does on average up to full coverage: the point that lies
    /// furthest above the straight line to it. `None` where the curve has no bend.
    pub fn knee(&self) -> Option<Point> {
        let end = self.budgets.iter().max_by_key(|point| (point.covered, std::cmp::Reverse(point.tokens)))?;
        let (tokens, covered) = (end.tokens as f64, f64::from(end.covered));
        let height = |point: &Point| f64::from(point.covered) / covered - point.tokens as f64 / tokens;
        let knee = self.budgets.iter().max_by(|a, b| height(a).total_cmp(&height(b)))?;
        (end.covered > 0 && height(knee) > 0.0).then_some(*knee)
    }

    /// The share of calls that a point covers; `None` where no call is known.
    pub fn coverage(&self, point: &Point) -> Option<f64> {
        (self.known_calls > 0).then(|| f64::from(point.covered) / f64::from(self.known_calls))
    }
}

/// Round numbers from the smallest budget to the largest that makes a difference.
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
        let point = |tokens, covered| Point { strategy: Strategy::TokenBudget { max_tokens: tokens }, tokens, covered };
        let curve = |points: &[(usize, u32)]| Curve {
            known_calls: 100,
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
