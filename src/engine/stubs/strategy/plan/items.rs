//! The knapsack items of one definition: the forms in which it can be shown, each with its price and its gain.
//!
//! The parameters of an item are a union of argument sets: a parameter that is in no such union covers no further call.
//! If a definition has few parameters, every union is considered; if it has many, those that [`item_search`] finds.

use std::{borrow::Cow, cmp::Reverse};

use super::{
    argument_bundles::{ArgumentBundles, ParameterMask},
    gain::{Gain, Objective},
    item_search,
};
use crate::stub::{Detail, ShownDocs, node_text::TypeReference, priced_tree::PricedTree, selection::NodeForm};
use apidisc_base::sort::SharedSort as _;
use apidisc_facts::program::ParameterSet;
use apidisc_indexing::usage::{ArgumentSet, Usage};

/// One way to show a definition: an item of the multiple-choice knapsack problem, in which at most one item of each
/// definition is chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KnapsackItem {
    pub(crate) parameters: ParameterSet,
    pub(crate) tokens: usize,
    /// The gain of showing these parameters.
    pub(crate) gain: Gain,
    /// The types that the item names. Their declarations are not part of `tokens`, since other items may name them too.
    pub(crate) references: Box<[TypeReference]>,
    /// See [`NodeForm::tokens_alone`].
    pub(crate) tokens_alone: Option<usize>,
    /// See [`NodeForm::is_listed`].
    pub(super) is_listed: bool,
}

impl KnapsackItem {
    /// The item of a form.
    pub(super) fn new(tree: &PricedTree, node: usize, form: NodeForm, gain: Gain) -> Self {
        Self {
            tokens: form.tokens(tree, node),
            tokens_alone: form.tokens_alone(tree, node),
            is_listed: form.is_listed,
            gain,
            references: form.references,
            parameters: form.parameters,
        }
    }

    /// The form of the item. `detail` is the detail for which `tokens` is the price.
    pub(crate) fn form(&self, detail: Detail) -> NodeForm {
        let (parameters, references) = (self.parameters.clone(), self.references.clone());
        NodeForm::with_price(parameters, detail, self.is_listed, self.tokens, references)
    }
}

/// The largest number of optional parameters for which every union of argument sets is considered.
const MAX_EXACT_PARAMETERS: usize = 12;
/// The largest number of items of one definition. A knapsack table stores item numbers in a byte.
const MAX_ITEMS: usize = 250;

/// The Pareto front of the items of the definition at `node`, cheapest first: each item costs more and gains more than
/// the one before. The first item shows only the required parameters, or more parameters for fewer tokens.
pub(super) fn undominated_items(
    tree: &PricedTree,
    node: usize,
    detail: Detail,
    objective: Objective,
) -> Vec<KnapsackItem> {
    let priced = tree.priced_uncached(node);
    let required = priced.complete(&ParameterSet::new());
    let usage = tree.definition(node).map(|(_, definition)| &definition.usage);
    let bundles =
        usage.map_or_else(ArgumentBundles::default, |usage| ArgumentBundles::new(&priced, usage, &required, objective));
    let masks = if bundles.positions.len() <= MAX_EXACT_PARAMETERS {
        bundles.unions()
    } else {
        item_search::undominated_masks(&bundles)
    };
    let reads = usage.map_or_else(Gain::default, |usage| objective.gain_of_reads(usage));
    let new_item = |parameters: ParameterSet, gain: Gain| KnapsackItem {
        tokens: priced.price(&parameters, detail, &ShownDocs::default()),
        gain: gain + reads,
        references: Box::default(),
        tokens_alone: None,
        is_listed: priced.is_listed(detail),
        parameters,
    };
    let mut items: Vec<KnapsackItem> = masks
        .into_iter()
        .map(|mask| {
            let mut parameters = required.clone();
            bundles.positions(mask).for_each(|position| parameters.insert(position));
            new_item(parameters, bundles.gain(mask))
        })
        .collect();
    // The line of the last unused parameter may cost less than the comment about hidden parameters.
    let all = priced.complete(&ParameterSet::full(priced.parameter_count()));
    if items.iter().all(|item| item.parameters != all) {
        items.push(new_item(all, bundles.gain(ParameterMask::MAX)));
    }
    items.shared_sort_by(|a, b| (a.tokens, b.gain, &a.parameters).cmp(&(b.tokens, a.gain, &b.parameters)));
    let mut front: Vec<KnapsackItem> = Vec::new();
    for item in items {
        if front.last().is_none_or(|last| item.gain > last.gain) {
            front.push(item);
        }
    }
    while front.len() > MAX_ITEMS {
        let last = front.len() - 1;
        let mut position = 0;
        front.retain(|_| {
            position += 1;
            position % 2 == 1 || position == last + 1
        });
    }
    for item in &mut front {
        item.references = priced.body_references(&item.parameters, detail);
        item.tokens_alone = item.form(detail).tokens_alone(tree, node);
    }
    front.shrink_to_fit();
    front
}

/// The argument sets of a definition; those of [`assumed_sets`] if none are known.
pub(super) fn known_sets(usage: &Usage) -> Cow<'_, [ArgumentSet]> {
    if usage.argument_sets.is_empty() && usage.total_calls > 0 {
        Cow::Owned(assumed_sets(usage))
    } else {
        Cow::Borrowed(&usage.argument_sets)
    }
}

/// The gain of showing these parameters, by the known or assumed argument sets.
pub(super) fn known_gain(usage: &Usage, visible: &ParameterSet, objective: Objective) -> Gain {
    let sets = known_sets(usage);
    let covered = sets.iter().filter(|set| !set.open && set.parameters.is_subset(visible));
    let calls: Gain = covered.map(|set| objective.gain(set)).sum();
    calls + objective.gain_of_reads(usage)
}

/// The argument sets for usage that has only frequencies, as in a bare `api_metadata.yaml`: a call that passes an
/// argument is assumed to pass every more frequent argument too. The assumed sets are used for the selection and never
/// reported.
fn assumed_sets(usage: &Usage) -> Vec<ArgumentSet> {
    let mut order: Vec<usize> = (0..usage.parameters.len()).collect();
    order.shared_sort_by_key(|&i| (Reverse(usage.parameters[i].count), i));
    let mut sets = Vec::new();
    let mut parameters = ParameterSet::new();
    let mut calls = usage.total_calls;
    for position in order {
        let count = usage.parameters[position].count.min(calls);
        if calls > count {
            sets.push(ArgumentSet::new(parameters.clone(), false, calls - count));
        }
        parameters.insert(position);
        calls = count;
    }
    if calls > 0 {
        sets.push(ArgumentSet::new(parameters, false, calls));
    }
    sets
}
