//! The order of results of several types: the first ones have one of each type that serves the intent well.

use super::ResultType;

/// The number of first results of which each type has one.
const FIRST: usize = 3;
/// A type has one of the first results if its best result has at least this share of the best score.
const SHARE_OF_THE_BEST: f64 = 0.75;

/// Puts the best result of each type among the first [`FIRST`], if its score is at least [`SHARE_OF_THE_BEST`] of the
/// best one. A symbol comes before the others then: most intents ask for code, which documents and recipes only show.
/// All other results keep their order. `results` are ordered by score, best first.
pub(super) fn mix<T>(results: &mut [T], of: impl Fn(&T) -> (ResultType, f64)) {
    let Some(best) = results.first().map(|first| of(first).1) else { return };
    let is_good = |result: &T| of(result).1 >= SHARE_OF_THE_BEST * best;
    for wanted in [ResultType::Symbol, ResultType::Doc, ResultType::Recipe] {
        let place = results.iter().position(|result| of(result).0 == wanted);
        if let Some(place) = place.filter(|place| *place >= FIRST && is_good(&results[*place])) {
            // The result that leaves the first ones is the best of the others.
            let repeated = last_repeated(results, &of);
            results[repeated..FIRST].rotate_left(1);
            results[FIRST - 1..=place].rotate_right(1);
        }
    }
    let count = results.len().min(FIRST);
    let first = &mut results[..count];
    first.sort_by(|a, b| of(b).1.total_cmp(&of(a).1));
    let symbol = first.iter().position(|result| of(result).0 == ResultType::Symbol && is_good(result));
    if let Some(place) = symbol {
        first[..=place].rotate_right(1);
    }
}

/// The position of the last of the first results whose type also occurs before it.
fn last_repeated<T>(results: &[T], of: &impl Fn(&T) -> (ResultType, f64)) -> usize {
    let first = &results[..results.len().min(FIRST)];
    let is_repeated = |place: &usize| first[..*place].iter().any(|earlier| of(earlier).0 == of(&first[*place]).0);
    (0..first.len()).rev().find(is_repeated).unwrap_or(FIRST - 1)
}

#[cfg(test)]
mod tests {
    use super::mix;
    use crate::discover::ResultType::{self, Doc, Recipe, Symbol};

    fn mixed(mut results: Vec<(ResultType, f64)>) -> Vec<(ResultType, u32)> {
        mix(&mut results, |result| *result);
        results.into_iter().map(|(kind, score)| (kind, (score * 100.0) as u32)).collect()
    }

    #[test]
    fn each_type_with_a_good_result_is_among_the_first() {
        let results = vec![(Doc, 0.9), (Doc, 0.85), (Doc, 0.82), (Symbol, 0.8), (Recipe, 0.7), (Doc, 0.5)];
        let expected = [(Symbol, 80), (Doc, 90), (Recipe, 70), (Doc, 85), (Doc, 82), (Doc, 50)];
        assert_eq!(mixed(results), expected);
        let results = vec![(Symbol, 0.9), (Symbol, 0.85), (Recipe, 0.8), (Symbol, 0.75), (Doc, 0.7)];
        assert_eq!(mixed(results), [(Symbol, 90), (Recipe, 80), (Doc, 70), (Symbol, 85), (Symbol, 75)]);
    }

    #[test]
    fn a_type_without_a_good_result_stays_behind() {
        let results = vec![(Doc, 0.9), (Doc, 0.85), (Doc, 0.82), (Symbol, 0.6), (Recipe, 0.3)];
        assert_eq!(mixed(results.clone()), results.iter().map(|r| (r.0, (r.1 * 100.0) as u32)).collect::<Vec<_>>());
        assert_eq!(mixed(Vec::new()), []);
        assert_eq!(mixed(vec![(Recipe, 0.5), (Symbol, 0.4)]), [(Symbol, 40), (Recipe, 50)]);
    }
}
