//! What is left of a budget goes to what is worth showing although it covers no further call.
//!
//! In this order: summaries of what is shown, arguments that are passed sometimes, types that are named, unused
//! arguments, further public members. Additions that cover further calls are left to the knapsack, so that a larger
//! budget never covers less.

use std::cmp::Reverse;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::stub::{
    needs::{Need, Needed},
    priced_tree::PricedTree,
    reached::Reached,
    selection::{Selection, Shown, title},
};

/// That share of a budget is used while something worth showing is left.
const USED: f64 = 0.97;
/// Nothing is smaller than that many tokens.
const SMALLEST: usize = 4;
/// When enough is used, that many additions in a row may fail to fit before the rest is left alone.
const PATIENCE: usize = 24;

/// Adds to `selection` what fits into `budget` tokens.
///
/// `members` are those whose required form covers no call, in the order in which they are added.
pub(crate) fn fill(tree: &PricedTree, members: &[usize], selection: &mut Selection, budget: usize) {
    let mut filler =
        Filler { tree, selection, budget, used: 0, failures: 0, named: FxHashSet::default(), additions: Vec::new() };
    filler.count();
    loop {
        let before = filler.used;
        filler.add_summaries();
        filler.settle();
        filler.add_parameters(true);
        filler.settle();
        filler.add_types();
        filler.settle();
        filler.add_parameters(false);
        filler.settle();
        filler.add_members(members);
        filler.settle();
        if filler.used == before || filler.is_full() {
            break;
        }
    }
}

struct Filler<'a> {
    tree: &'a PricedTree,
    selection: &'a mut Selection,
    budget: usize,
    used: usize,
    failures: usize,
    /// Types that are named.
    named: FxHashSet<u32>,
    /// What each addition since the last count has replaced.
    additions: Vec<Vec<(usize, Option<Shown>)>>,
}

impl Filler<'_> {
    /// Counts what is used, exactly but for the title, which may come to name every symbol.
    fn count(&mut self) {
        let (tree, selection) = (self.tree, &*self.selection);
        let (covered, reached) = (selection.covered(tree), Reached::new(tree, selection));
        let title = |symbols: usize| tree.tokenizer.count_line(&title(tree, symbols, covered));
        self.used = selection.price(tree) - title(reached.symbols(tree)) + title(tree.symbols);
        self.named = Needed::of(tree, selection, &reached).iter().map(|need| need.ty).collect();
        self.additions.clear();
    }

    /// What types cost that several pieces name, and comments at the left margin, is known only of a whole: takes the
    /// last additions back until it fits.
    fn settle(&mut self) {
        if !self.tree.declares_types() || self.additions.is_empty() {
            return;
        }
        while self.selection.price(self.tree) > self.budget
            && let Some(addition) = self.additions.pop()
        {
            for (node, row) in addition {
                match row {
                    Some(row) => drop(self.selection.show(node, row)),
                    None => self.selection.hide(node),
                }
            }
        }
        self.count();
    }

    /// Shows a row anew.
    fn show(&mut self, rows: Vec<(usize, Shown)>) {
        let replace = |(node, shown): (usize, Shown)| (node, self.selection.show(node, shown));
        let replaced = rows.into_iter().map(replace).collect();
        self.additions.push(replaced);
    }

    fn is_used_enough(&self) -> bool {
        self.used as f64 >= USED * self.budget as f64
    }

    fn is_full(&self) -> bool {
        self.used + SMALLEST > self.budget
    }

    /// True where looking further is not worth the time.
    fn is_done(&self) -> bool {
        self.is_full() || self.failures > PATIENCE && self.is_used_enough()
    }

    /// Takes an addition in that names these types, where it fits.
    fn pay<'n>(&mut self, before: usize, after: usize, needs: impl IntoIterator<Item = &'n Need>) -> bool {
        let mut fresh = Vec::new();
        let mut lines = 0;
        for need in needs.into_iter().filter(|need| !self.named.contains(&need.ty)) {
            fresh.push(need.ty);
            let is_shown = self.tree.node_of(need.ty).is_some_and(|node| self.selection.reaches(self.tree, node));
            lines += if is_shown { 0 } else { self.tree.tokenizer.count_line(&self.tree.short(need)) };
        }
        if lines > 0 && self.named.is_empty() {
            lines += self.tree.tokenizer.count_line(&self.tree.types_line());
        }
        let fits = self.used + lines + after <= self.budget + before;
        if fits {
            self.used = (self.used + lines + after).saturating_sub(before);
            self.named.extend(fresh);
            self.failures = 0;
        } else {
            self.failures += 1;
        }
        fits
    }

    /// Nodes of the scope that are shown, most called first.
    fn shown(&self) -> Vec<usize> {
        let shown = self.selection.iter().map(|(node, _)| node);
        let mut nodes: Vec<usize> = shown.filter(|&node| !self.tree.nodes[node].is_named_type).collect();
        nodes.sort_by_key(|&node| (Reverse(self.calls(node)), node));
        nodes
    }

    fn calls(&self, node: usize) -> u32 {
        self.tree.definition(node).map_or(0, |(_, definition)| definition.usage.total_calls)
    }

    fn add_summaries(&mut self) {
        self.failures = 0;
        for node in self.shown() {
            if self.is_done() {
                return;
            }
            let Some(row) = self.selection.get(node) else { continue };
            let part = self.tree.part(node);
            if row.summary || part.docstring.is_none() {
                continue;
            }
            let with_summary = Shown::new(&part, row.parameters.clone(), true);
            if self.pay(row.tokens(self.tree, node), with_summary.tokens(self.tree, node), []) {
                self.show(vec![(node, with_summary)]);
            }
        }
    }

    /// Adds hidden parameters: those that are passed sometimes, or the others.
    fn add_parameters(&mut self, passed: bool) {
        self.failures = 0;
        let mut hidden = Vec::new();
        for node in self.shown() {
            let Some(row) = self.selection.get(node) else { continue };
            let Some((_, definition)) = self.tree.definition(node) else { continue };
            let part = self.tree.part(node);
            let parameters = definition.signature.as_ref().map_or(&[][..], |s| &s.parameters);
            for (position, parameter) in parameters.iter().enumerate() {
                let count = definition.usage.parameters.get(position).map_or(0, |p| p.count);
                if (count > 0) == passed && part.is_showable(position) && !row.parameters.contains(position) {
                    hidden.push((Reverse(count), Reverse(self.calls(node)), parameter.name.clone(), node, position));
                }
            }
        }
        hidden.sort();
        for (.., node, position) in hidden {
            if self.is_done() {
                return;
            }
            let Some(row) = self.selection.get(node) else { continue };
            let mut parameters = row.parameters.clone();
            parameters.insert(position);
            let part = self.tree.part(node);
            let parameters = part.complete(&parameters);
            let gains = || self.tree.covered(node, &parameters) > self.tree.covered(node, &row.parameters);
            if gains() {
                continue;
            }
            let larger = Shown::new(&part, parameters, row.summary);
            if self.pay(row.tokens(self.tree, node), larger.tokens(self.tree, node), &larger.needs) {
                self.show(vec![(node, larger)]);
            }
        }
    }

    /// Writes out types of the sources that are named, those first that the most calls see: whole, or so much of them
    /// as fits.
    fn add_types(&mut self) {
        self.failures = 0;
        if !self.tree.declares_types() {
            return;
        }
        let mut types: FxHashMap<u32, u32> = FxHashMap::default();
        for node in self.shown() {
            let part = self.tree.part(node);
            let row = self.selection.get(node).into_iter().flat_map(|row| row.needs.iter());
            for need in row.chain(&part.needs) {
                *types.entry(need.ty).or_default() += self.calls(node);
            }
        }
        let mut types: Vec<(Reverse<u32>, usize, u32)> = types
            .into_iter()
            .filter_map(|(ty, calls)| Some((Reverse(calls), self.tree.type_to_write(ty)?, ty)))
            .filter(|&(_, node, _)| !self.selection.reaches(self.tree, node))
            .collect();
        types.sort_unstable();
        for (_, node, ty) in types {
            if self.is_done() {
                return;
            }
            let members: Vec<usize> = self.tree.children(Some(node)).collect();
            let mut count = members.len();
            while !self.add_type(node, ty, &members[..count]) && count > 1 {
                count /= 2;
            }
        }
    }

    /// Writes out a type with these members.
    fn add_type(&mut self, node: usize, ty: u32, members: &[usize]) -> bool {
        let inner = members.iter().flat_map(|&member| member..self.tree.nodes[member].end);
        let rows: Vec<(usize, Shown)> =
            std::iter::once(node).chain(inner).map(|inner| (inner, Shown::whole(&self.tree.part(inner)))).collect();
        let bodies = rows.iter().filter(|(inner, _)| self.tree.has_body(*inner));
        let frames = bodies.map(|(inner, _)| {
            let shown = if *inner == node { members.len() } else { self.tree.children(Some(*inner)).count() };
            self.tree.frame_price(*inner) + self.tree.hidden_price(*inner, shown, true)
        });
        let after =
            frames.sum::<usize>() + rows.iter().map(|(inner, shown)| shown.tokens(self.tree, *inner)).sum::<usize>();
        let before = self.tree.tokenizer.count_line(&self.tree.short(&Need { ty, parameters: 0, is_base: false }));
        let needs: Vec<Need> =
            rows.iter().flat_map(|(inner, shown)| self.named_by(*inner, shown)).filter(|need| need.ty != ty).collect();
        let fits = self.pay(before, after, &needs);
        if fits {
            self.show(rows);
        }
        fits
    }

    /// Adds hidden members in their required form.
    fn add_members(&mut self, members: &[usize]) {
        self.failures = 0;
        for &node in members {
            if self.is_done() {
                return;
            }
            if self.selection.get(node).is_some() {
                continue;
            }
            let before = self.frames(node);
            let own = self.tree.required_price(node);
            if self.used + own > self.budget + before {
                self.failures += 1;
                continue;
            }
            let form = Shown::required(&self.tree.part(node));
            let around = std::iter::successors(self.tree.nodes[node].parent, |&at| self.tree.nodes[at].parent);
            let heads = around.filter(|_| self.tree.declares_types()).flat_map(|at| self.tree.part(at).needs.clone());
            let needs: Vec<Need> = self.named_by(node, &form).into_iter().chain(heads).collect();
            self.selection.show(node, form);
            let after = own + self.frames(node);
            if self.pay(before, after, &needs) {
                self.additions.push(vec![(node, None)]);
            } else {
                self.selection.hide(node);
            }
        }
    }

    /// The types that a node names when it is shown so.
    fn named_by(&self, node: usize, shown: &Shown) -> Vec<Need> {
        shown.needs.iter().chain(&self.tree.part(node).needs).copied().collect()
    }

    /// Tokens of the first and last lines of everything that a node stands in, itself included.
    fn frames(&self, node: usize) -> usize {
        let mut tokens = 0;
        let mut at = Some(node);
        while let Some(frame) = at {
            if self.tree.has_body(frame) && self.selection.reaches(self.tree, frame) {
                let children = self.tree.children(Some(frame));
                let members = children.filter(|&child| self.selection.reaches(self.tree, child)).count();
                let hidden = self.tree.hidden_price(frame, members, self.selection.get(frame).is_some());
                // A blank line comes with it at the left margin, a token or none.
                tokens += self.tree.frame_price(frame) + hidden + usize::from(self.tree.is_top(frame));
            }
            at = self.tree.nodes[frame].parent;
        }
        tokens
    }
}
