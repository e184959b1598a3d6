//! What is left of a budget goes to what is worth showing although it covers no further call.
//!
//! In this order: summaries of what is shown, arguments that are passed sometimes, unused arguments,
//! further public members. Additions that cover further calls are left to the knapsack, so that a larger
//! budget never covers less.

use std::cmp::Reverse;

use crate::engine::{
    strategy::plan::knapsack::required_form,
    stub::{
        selection::{Selection, Shown, title},
        sheet::{Body, Sheet},
    },
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
pub(crate) fn fill(sheet: &Sheet, members: &[usize], selection: &mut Selection, budget: usize) {
    let covered = selection.covered(sheet);
    let count = |text: &str| sheet.tokenizer.count_line(text);
    // The title may come to name every symbol.
    let longest = count(&title(sheet, sheet.symbols, covered));
    let used = selection.price(sheet) - count(&selection.title(sheet, covered)) + longest;
    let mut filler = Filler { sheet, selection, budget, used, failures: 0 };
    loop {
        let before = filler.used;
        filler.add_summaries();
        filler.add_parameters(true);
        filler.add_parameters(false);
        filler.add_members(members);
        if filler.used == before || filler.is_full() {
            break;
        }
    }
}

struct Filler<'a> {
    sheet: &'a Sheet,
    selection: &'a mut Selection,
    budget: usize,
    used: usize,
    failures: usize,
}

impl Filler<'_> {
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

    /// Takes an addition in where it fits.
    fn pay(&mut self, before: usize, after: usize) -> bool {
        let fits = self.used + after <= self.budget + before;
        if fits {
            self.used = self.used + after - before;
            self.failures = 0;
        } else {
            self.failures += 1;
        }
        fits
    }

    /// Nodes that are shown, most called first.
    fn shown(&self) -> Vec<usize> {
        let mut nodes: Vec<usize> =
            (0..self.sheet.nodes.len()).filter(|&node| self.selection.rows[node].is_some()).collect();
        nodes.sort_by_key(|&node| (Reverse(self.calls(node)), node));
        nodes
    }

    fn calls(&self, node: usize) -> u32 {
        self.sheet.definition(node).map_or(0, |(_, definition)| definition.usage.total_calls)
    }

    fn add_summaries(&mut self) {
        self.failures = 0;
        for node in self.shown() {
            if self.is_done() {
                return;
            }
            let Some(row) = &self.selection.rows[node] else { continue };
            if row.summary || self.sheet.pieces(node).docstring.is_none() {
                continue;
            }
            let with_summary = Shown::new(self.sheet, node, row.parameters.clone(), true);
            if self.pay(row.tokens, with_summary.tokens) {
                self.selection.rows[node] = Some(with_summary);
            }
        }
    }

    /// Adds hidden parameters: those that are passed sometimes, or the others.
    fn add_parameters(&mut self, passed: bool) {
        self.failures = 0;
        let mut hidden = Vec::new();
        for node in self.shown() {
            let (Some(row), Body::Callable(callable)) = (&self.selection.rows[node], &self.sheet.pieces(node).body)
            else {
                continue;
            };
            let Some((_, definition)) = self.sheet.definition(node) else { continue };
            let parameters = definition.signature.as_ref().map_or(&[][..], |s| &s.parameters);
            for (position, parameter) in parameters.iter().enumerate() {
                let count = definition.usage.parameters.get(position).map_or(0, |p| p.count);
                if (count > 0) == passed && callable.is_showable(position) && !row.parameters.contains(position) {
                    hidden.push((Reverse(count), Reverse(self.calls(node)), parameter.name.clone(), node, position));
                }
            }
        }
        hidden.sort();
        for (.., node, position) in hidden {
            if self.is_done() {
                return;
            }
            let Some(row) = &self.selection.rows[node] else { continue };
            let mut parameters = row.parameters.clone();
            parameters.insert(position);
            let parameters = self.sheet.complete(node, &parameters);
            let gains = || self.sheet.covered(node, &parameters) > self.sheet.covered(node, &row.parameters);
            if gains() {
                continue;
            }
            let larger = Shown::new(self.sheet, node, parameters, row.summary);
            if self.pay(row.tokens, larger.tokens) {
                self.selection.rows[node] = Some(larger);
            }
        }
    }

    /// Adds hidden members in their required form.
    fn add_members(&mut self, members: &[usize]) {
        self.failures = 0;
        for &node in members {
            if self.is_done() {
                return;
            }
            if self.selection.rows[node].is_some() {
                continue;
            }
            let form = required_form(self.sheet, node);
            let before = self.frames(node);
            self.selection.rows[node] = Some(form);
            let own =
                self.selection.rows[node].as_ref().map_or(0, |row| self.sheet.price(node, &row.parameters, false));
            let after = own + self.frames(node);
            if !self.pay(before, after) {
                self.selection.rows[node] = None;
            }
        }
    }

    /// Tokens of the first and last lines of everything that a node stands in, itself included.
    fn frames(&self, node: usize) -> usize {
        let mut tokens = 0;
        let mut at = Some(node);
        while let Some(frame) = at {
            if self.sheet.has_body(frame) && self.selection.reaches(self.sheet, frame) {
                let children = self.sheet.children(Some(frame));
                let members = children.filter(|&child| self.selection.reaches(self.sheet, child)).count();
                let hidden = self.sheet.hidden_price(frame, members, self.selection.rows[frame].is_some());
                // A blank line comes with it at the left margin, a token or none.
                tokens += self.sheet.pieces(frame).head.tokens + hidden + usize::from(self.sheet.is_top(frame));
            }
            at = self.sheet.nodes[frame].parent;
        }
        tokens
    }
}
