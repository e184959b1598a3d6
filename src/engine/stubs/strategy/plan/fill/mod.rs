//! The greedy fill: the rest of a budget is spent on additions that are worth showing although they cover no further
//! use.
//!
//! The additions, in this order:
//!
//! 1. with the wording `auto`: more detail of shown definitions, and their documentation; see [`super::enrichment`]
//! 2. with another wording: the first sentences about shown definitions; see [`super::documentation`]
//! 3. arguments that some calls pass
//! 4. types that the selection names
//! 5. documentation of arguments and results
//! 6. arguments that no call passes
//! 7. further public members
//! 8. properties of objects that no call passes and that the stub has already in another definition: the options of one
//!    method are often those of the next
//!
//! Additions that cover further uses are left to the knapsack, so that a larger budget never covers less.

mod asked;
mod parameters;
mod types;
mod values;

use std::cmp::Reverse;

use crate::stub::{
    Detail, Docs,
    node_text::TypeReference,
    priced_tree::PricedTree,
    selection::{DeclaredTypes, NewTypes, NodeForm, ReferencedTypes, Selection, WrittenNodes, heading},
};

use apidisc_base::sort::SharedSort as _;
use parameters::HiddenParameters;

/// A phase may end before it has tried every addition if at least this share of the budget is used.
const MIN_USED_SHARE: f64 = 0.97;
/// The smallest number of tokens of an addition.
const MIN_ADDITION: usize = 4;
/// If the used share is at least [`MIN_USED_SHARE`], a phase ends after more than this number of failed additions in a
/// row.
const MAX_FAILURES: usize = 24;

/// The additions that a fill may make, and the detail in which it makes them.
#[derive(Clone, Copy)]
pub(super) struct FillOptions<'a> {
    /// The nodes that cover no call with only their required parameters (the required form), in the order in which they
    /// are added.
    pub(super) members: &'a [usize],
    /// The detail in which the fill writes these nodes.
    pub(super) detail: Detail,
    pub(super) kind: FillKind,
    pub(super) docs: Docs,
}

/// The kinds of additions that a fill makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FillKind {
    /// Only what callers pass for parameters of the definitions that are always shown.
    Values,
    /// Only what describes the definitions that an intent names.
    Asked,
    /// Every addition except more detail of shown definitions.
    SameDetail,
    /// Only parameters, types and members, without documentation. No counted call needs them, but future calls may.
    Coverage,
    /// Every addition.
    MoreDetail,
}

/// Makes additions to `selection` as long as they fit into `budget` tokens.
pub(super) fn fill(tree: &PricedTree, options: FillOptions<'_>, selection: &mut Selection, budget: usize) {
    let (types, undo_log) = (DeclaredTypes::default(), Vec::new());
    let mut fill = GreedyFill { tree, options, selection, budget, used: 0, failures: 0, types, undo_log };
    fill.count_used();
    if options.kind == FillKind::Values {
        fill.add_values();
        fill.undo_until_it_fits();
        return;
    }
    if options.kind == FillKind::Asked {
        fill.describe_asked();
        fill.undo_until_it_fits();
        return;
    }
    let mut describes_shapes = false;
    loop {
        let before = fill.used;
        if options.kind == FillKind::MoreDetail {
            fill.enrich(describes_shapes);
            fill.undo_until_it_fits();
        }
        if options.kind == FillKind::SameDetail {
            fill.add_summaries();
            fill.undo_until_it_fits();
        }
        fill.add_parameters(HiddenParameters::Passed);
        fill.undo_until_it_fits();
        fill.add_types();
        fill.undo_until_it_fits();
        if options.kind == FillKind::SameDetail {
            fill.add_descriptions();
            fill.undo_until_it_fits();
        }
        fill.add_summaries_of_types();
        fill.undo_until_it_fits();
        fill.add_parameters(HiddenParameters::New);
        fill.undo_until_it_fits();
        fill.add_members();
        fill.undo_until_it_fits();
        fill.add_parameters(HiddenParameters::Repeated);
        fill.undo_until_it_fits();
        if fill.is_full() || fill.used == before && (describes_shapes || options.kind != FillKind::MoreDetail) {
            break;
        }
        // A call shape whose lean form does not fit is described once nothing else fits.
        describes_shapes |= fill.used == before;
    }
}

pub(super) struct GreedyFill<'a> {
    pub(super) tree: &'a PricedTree,
    pub(super) options: FillOptions<'a>,
    pub(super) selection: &'a mut Selection,
    budget: usize,
    /// Tokens of the selection.
    used: usize,
    /// Failed additions since the last successful one.
    failures: usize,
    /// The types that the selection names.
    types: DeclaredTypes,
    /// The previous forms of the nodes of each addition since the last exact count.
    undo_log: Vec<Vec<(usize, Option<NodeForm>)>>,
}

impl GreedyFill<'_> {
    /// Begins a phase, in which one kind of additions is made. Each phase counts its failed additions from 0.
    pub(super) fn start_phase(&mut self) {
        self.failures = 0;
    }

    /// Counts the used tokens exactly, except that the title line is counted at its longest.
    fn count_used(&mut self) {
        let (tree, selection) = (self.tree, &*self.selection);
        let (covered, written) = (selection.covered(tree), WrittenNodes::new(tree, selection));
        let legend = selection.legend(tree, &written);
        let heading = |symbols: usize| tree.tokenizer.count_line(&heading(tree, symbols, covered, legend));
        self.used = selection.price(tree) - heading(written.symbol_count(tree)) + heading(tree.symbols);
        self.types = DeclaredTypes::of(tree, &ReferencedTypes::of(tree, selection, &written), &written);
        self.undo_log.clear();
    }

    /// Undoes the last additions until the selection fits. The cost of a type that several nodes name, of comments at
    /// the left margin, and of the legend is known only for a whole selection.
    fn undo_until_it_fits(&mut self) {
        // Lists of names and classes on one line do not add up.
        let has_lists = self.options.detail == Detail::Calls;
        let has_types = self.tree.declares_types() || self.tree.has_keyword_classes();
        let adds_up = !has_types && self.options.kind == FillKind::SameDetail && !has_lists;
        if adds_up || self.undo_log.is_empty() {
            return;
        }
        while self.selection.price(self.tree) > self.budget
            && let Some(addition) = self.undo_log.pop()
        {
            for (node, previous) in addition {
                match previous {
                    Some(form) => drop(self.selection.show(node, form)),
                    None => self.selection.hide(node),
                }
            }
        }
        self.count_used();
    }

    /// Shows nodes in new forms, as one addition.
    pub(super) fn show(&mut self, forms: Vec<(usize, NodeForm)>) {
        let replace = |(node, form): (usize, NodeForm)| (node, self.selection.show(node, form));
        let replaced = forms.into_iter().map(replace).collect();
        self.undo_log.push(replaced);
    }

    fn is_used_enough(&self) -> bool {
        self.used as f64 >= MIN_USED_SHARE * self.budget as f64
    }

    pub(super) fn is_full(&self) -> bool {
        self.used + MIN_ADDITION > self.budget
    }

    /// True if the current phase ends.
    pub(super) fn is_done(&self) -> bool {
        self.is_full() || self.failures > MAX_FAILURES && self.is_used_enough()
    }

    /// Accounts for an addition that replaces `before` tokens by `after` tokens and names the types in `references`.
    /// Returns false if the addition does not fit.
    pub(super) fn reserve_tokens<'n>(
        &mut self,
        before: usize,
        after: usize,
        references: impl IntoIterator<Item = &'n TypeReference>,
    ) -> bool {
        let new = self.new_types(references);
        self.reserve_with(before, after, new)
    }

    /// The types among `references` that the selection does not name yet.
    pub(super) fn new_types<'n>(&self, references: impl IntoIterator<Item = &'n TypeReference>) -> NewTypes {
        let is_shown = |node: usize| self.selection.shows_within(self.tree, node);
        self.types.price(self.tree, references.into_iter().copied(), is_shown)
    }

    fn reserve_with(&mut self, before: usize, after: usize, new: NewTypes) -> bool {
        let fits = self.used + new.tokens + after <= self.budget + before;
        if fits {
            self.used = (self.used + new.tokens + after).saturating_sub(before);
            self.types.add(new);
            self.failures = 0;
        } else {
            self.failures += 1;
        }
        fits
    }

    /// Nodes of the scope that are shown, most used first.
    pub(super) fn shown_nodes(&self) -> Vec<usize> {
        let shown = self.selection.iter().map(|(node, _)| node);
        let mut nodes: Vec<usize> = shown.filter(|&node| !self.tree.nodes[node].is_named_type).collect();
        nodes.shared_sort_by_key(|&node| (Reverse(self.uses(node)), node));
        nodes
    }

    /// Uses of the definition at a node.
    pub(super) fn uses(&self, node: usize) -> u32 {
        self.tree.definition(node).map_or(0, |(_, definition)| definition.ranking_uses())
    }

    /// Adds hidden members in their required form.
    fn add_members(&mut self) {
        self.start_phase();
        let FillOptions { members, detail, .. } = self.options;
        for &node in members {
            if self.is_done() {
                return;
            }
            if self.selection.get(node).is_some() {
                continue;
            }
            let before = self.frame_tokens(node);
            let own = self.tree.required_price(node, detail);
            if self.used + own > self.budget + before {
                self.failures += 1;
                continue;
            }
            let form = NodeForm::required(&self.tree.priced(node), detail);
            let ancestors = std::iter::successors(self.tree.nodes[node].parent, |&at| self.tree.nodes[at].parent);
            let heads = ancestors
                .filter(|_| self.tree.declares_types())
                .flat_map(|at| self.tree.priced(at).head_references(detail).to_vec());
            let references: Vec<TypeReference> = self.references_of(node, &form).into_iter().chain(heads).collect();
            self.selection.show(node, form);
            let after = own + self.frame_tokens(node);
            if self.reserve_tokens(before, after, &references) {
                self.undo_log.push(vec![(node, None)]);
            } else {
                self.selection.hide(node);
            }
        }
    }

    /// The types that a node names in a form.
    fn references_of(&self, node: usize, form: &NodeForm) -> Vec<TypeReference> {
        form.references.iter().chain(self.tree.priced(node).head_references(form.detail)).copied().collect()
    }

    /// The tokens of the frames of a node and its ancestors, as far as the selection writes these frames.
    fn frame_tokens(&self, node: usize) -> usize {
        let (mut tokens, detail) = (0, self.selection.detail());
        let mut at = Some(node);
        while let Some(frame) = at {
            if self.tree.has_frame(frame) && self.selection.shows_within(self.tree, frame) {
                if let Some(alone) = self.selection.tokens_alone(self.tree, frame) {
                    let constructor = self.selection.get(frame).map_or(0, |form| form.tokens(self.tree, frame));
                    tokens += alone.saturating_sub(constructor);
                    at = self.tree.nodes[frame].parent;
                    continue;
                }
                let children = self.tree.children(Some(frame));
                let members = children.filter(|&child| self.selection.shows_within(self.tree, child)).count();
                let hidden = self.tree.hidden_price(frame, members, self.selection.get(frame).is_some(), detail);
                // A blank line at the left margin takes at most one token.
                tokens += self.tree.frame_price(frame) + hidden + usize::from(self.tree.is_top_level(frame));
            }
            at = self.tree.nodes[frame].parent;
        }
        tokens
    }
}
