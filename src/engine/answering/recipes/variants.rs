//! Merges recipes that differ little: of several similar recipes one is kept, and the others, its variants, are left
//! out.
//!
//! A recipe R is a variant of another recipe K if K is used at least as often, and if one of these holds:
//!
//! - R calls the same definitions as K in another order;
//! - R consists of the call that makes the value, followed by the calls of K;
//! - R has the calls of K and further ones, and K is used [`TIMES_AS_OFTEN`] times as often;
//! - R and K are one call, and R passes further arguments, each of which few calls pass.
//!
//! A recipe of one call is also a variant of a sequence if nearly all uses of the two are the same calls.

use rustc_hash::FxHashMap;

use super::{ABSORBING_SHARE, MAX_PLACES, Recipe};
use apidisc_facts::program::{CallId, DefinitionId, DefinitionKind};
use apidisc_indexing::index::Index;

/// A recipe with further calls is a variant of one that is used this many times as often.
const TIMES_AS_OFTEN: u32 = 20;
/// A recipe is a variant if its further arguments are passed by less than this share of the calls.
const RARE: f64 = 0.1;

/// The recipes that are kept, each with the number of its variants. The most used recipes come first, in `recipes` and
/// in the result.
pub(super) fn merged(index: &Index, mut recipes: Vec<Recipe>) -> Vec<Recipe> {
    let representatives: Vec<Option<usize>> = {
        let known = RecipesByPart::new(&recipes);
        recipes.iter().enumerate().map(|(at, recipe)| known.representative(index, &recipes, at, recipe)).collect()
    };
    // A recipe with variants may be a variant itself, so the last recipe of the chain is kept. The chain has an end:
    // each recipe of it is used at least as often as the one before, and only the first may be the recipe of one call.
    let last = |first: usize| std::iter::successors(Some(first), |&at| representatives[at]).last().unwrap_or(first);
    for at in (0..recipes.len()).filter(|&at| representatives[at].is_some()) {
        recipes[last(at)].variants += 1;
    }
    let mut is_kept = representatives.iter().map(Option::is_none);
    recipes.retain(|_| is_kept.next().unwrap_or(true));
    recipes
}

/// The positions of recipes by their parts.
struct RecipesByPart {
    /// Sequences by their symbols.
    sequences: FxHashMap<Vec<DefinitionId>, usize>,
    /// The most used sequence of some symbols in any order, by the sorted symbols.
    unordered: FxHashMap<Vec<DefinitionId>, usize>,
    /// Argument sets by their symbol.
    sets: FxHashMap<DefinitionId, Vec<usize>>,
    /// Sequences of which every place is kept, by each of their calls.
    of_call: FxHashMap<CallId, Vec<usize>>,
}

impl RecipesByPart {
    /// `recipes` are sorted, the most used ones first.
    fn new(recipes: &[Recipe]) -> Self {
        let mut known = Self {
            sequences: FxHashMap::default(),
            unordered: FxHashMap::default(),
            sets: FxHashMap::default(),
            of_call: FxHashMap::default(),
        };
        for (at, recipe) in recipes.iter().enumerate() {
            if let [only] = recipe.symbols[..] {
                known.sets.entry(only).or_default().push(at);
                continue;
            }
            known.sequences.insert(recipe.symbols.clone(), at);
            known.unordered.entry(sorted(&recipe.symbols)).or_insert(at);
            if recipe.usage_count as usize <= MAX_PLACES {
                for call in recipe.places.iter().flat_map(|place| &place.calls) {
                    known.of_call.entry(*call).or_default().push(at);
                }
            }
        }
        known
    }

    /// The position of the recipe that represents the recipe at position `at`; `None` if the latter is no variant.
    fn representative(&self, index: &Index, recipes: &[Recipe], at: usize, recipe: &Recipe) -> Option<usize> {
        let other = match recipe.symbols[..] {
            [only] => self.smaller_set(index, recipes, at, only).or_else(|| self.sequence_with(recipes, recipe)),
            _ => self.sequence(index, recipes, recipe),
        };
        other.filter(|&other| other != at)
    }

    /// The sequence of which a recipe of several calls is a variant.
    fn sequence(&self, index: &Index, recipes: &[Recipe], recipe: &Recipe) -> Option<usize> {
        let is_more_used = |other: &usize| recipes[*other].usage_count >= recipe.usage_count;
        let reordered = self.unordered.get(&sorted(&recipe.symbols)).copied();
        let parts = || parts(&recipe.symbols).filter_map(|part| self.sequences.get(&part).copied());
        let is_rare = |other: &usize| recipe.usage_count.saturating_mul(TIMES_AS_OFTEN) <= recipes[*other].usage_count;
        // Only the sequence itself has as many symbols in the same order.
        let reordered = reordered.filter(|&other| recipes[other].symbols != recipe.symbols);
        let rest = self.sequences.get(&recipe.symbols[1..]).copied().filter(is_more_used);
        let rest = rest.filter(|_| makes_value(index, recipe.symbols[0]));
        reordered.or(rest).or_else(|| parts().filter(is_rare).min())
    }

    /// The argument set of which a recipe of one call is a variant: the recipe passes further arguments, each of which
    /// few calls pass.
    fn smaller_set(&self, index: &Index, recipes: &[Recipe], at: usize, symbol: DefinitionId) -> Option<usize> {
        let usage = &index.definition(symbol).usage;
        let is_rare = |position: &usize| usage.frequency(*position).is_some_and(|share| share < RARE);
        self.sets.get(&symbol)?.iter().copied().find(|&other| {
            let (less, more) = (&recipes[other].parameters, &recipes[at].parameters);
            other != at
                && recipes[other].usage_count >= recipes[at].usage_count
                && less.len() < more.len()
                && less.iter().all(|position| more.contains(position))
                && more.iter().filter(|position| !less.contains(position)).all(is_rare)
        })
    }

    /// The sequence that has nearly the same uses as a recipe of one call: nearly all uses of each are uses of the
    /// other.
    fn sequence_with(&self, recipes: &[Recipe], recipe: &Recipe) -> Option<usize> {
        if recipe.usage_count as usize > MAX_PLACES {
            return None;
        }
        let mut shared: FxHashMap<usize, u32> = FxHashMap::default();
        for call in recipe.places.iter().flat_map(|place| &place.calls) {
            self.of_call.get(call).into_iter().flatten().for_each(|&at| *shared.entry(at).or_default() += 1);
        }
        let is_same = |(at, count): &(usize, u32)| {
            let most = recipes[*at].usage_count.max(recipe.usage_count);
            count * 100 >= most * ABSORBING_SHARE
        };
        shared.into_iter().filter(is_same).map(|(at, _)| at).min()
    }
}

/// True for a definition that is called without a value of its class: a class, a function or a method of the class
/// itself.
fn makes_value(index: &Index, id: DefinitionId) -> bool {
    let definition = index.definition(id);
    !matches!(definition.kind, DefinitionKind::Method | DefinitionKind::Property) || definition.modifiers.is_static
}

fn sorted(symbols: &[DefinitionId]) -> Vec<DefinitionId> {
    let mut sorted = symbols.to_vec();
    sorted.sort_unstable();
    sorted
}

/// The sequences that remain if one or more symbols of a sequence are left out.
fn parts(symbols: &[DefinitionId]) -> impl Iterator<Item = Vec<DefinitionId>> {
    (1..(1_u32 << symbols.len()) - 1).map(|kept| {
        let is_kept = |at: usize| kept & (1 << at) != 0;
        symbols.iter().enumerate().filter(|(at, _)| is_kept(*at)).map(|(_, id)| *id).collect()
    })
}
