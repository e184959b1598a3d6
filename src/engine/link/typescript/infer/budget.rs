//! The budget of a query: the number of steps that resolving one call, or describing one definition, may take.
//!
//! Types such as towers of mapped types take a number of steps that is exponential in the size of the program. A
//! query that takes more steps than its budget is cut short: every type that it asks for from then on is `any`. A
//! type whose computation was in progress is called a cut type. The unfinished result is stored, so that the next
//! query does not take the same steps again. A type that uses a cut type, or whose computation nests too deep, is a
//! cut type, too. A query that uses a cut type and finds no answer is reported as too complex.

use std::cell::{Cell, RefCell};

use rustc_hash::FxHashSet;

use super::{Linker, TypeQuery};
use crate::typescript::{
    program::FileIndex,
    types::{InternedType, Substitution},
};
use apidisc_base::{
    control::StepCounter,
    nesting::{self, Level},
};
use apidisc_facts::syntax::typescript::facts::ExprId;

/// The number of steps of one query. Queries about large public repositories take up to a tenth of it, and more only
/// where types lead back to themselves.
pub(in crate::typescript) const MAX_STEPS: u32 = 500_000;

/// The least number of steps of one query. Each query that exhausts its budget halves the budget of all later
/// queries down to this number, so that many such queries do not take the full number of steps each.
const MIN_STEPS: u32 = 10_000;

/// The key of a computed type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum ComputedType {
    Expression(FileIndex, ExprId),
    Query(TypeQuery),
    Substituted(InternedType, Substitution),
}

/// Counts the steps of the current query, and tells whether linking is cancelled.
#[derive(Debug)]
pub(in crate::typescript) struct Budget {
    steps: RefCell<StepCounter>,
    /// The steps that a query gets.
    granted: u32,
    /// The steps that the current query may still take.
    left: Cell<u32>,
    cut: FxHashSet<ComputedType>,
    /// The number of times that a cut type was used, or a computation was too deep.
    cuts: Cell<u32>,
    /// The value of `cuts` when the current query began.
    cuts_before: u32,
    /// The limit on depth that a computation of the current query has reached first.
    depth_reached: Cell<Option<u32>>,
}

impl Budget {
    pub(super) fn new(steps: StepCounter) -> Self {
        Self {
            steps: RefCell::new(steps),
            granted: MAX_STEPS,
            left: Cell::new(MAX_STEPS),
            cut: FxHashSet::default(),
            cuts: Cell::new(0),
            cuts_before: 0,
            depth_reached: Cell::new(None),
        }
    }

    /// Begins a query.
    pub(in crate::typescript) fn begin_query(&mut self) {
        if self.is_exhausted() {
            self.granted = (self.granted / 2).max(MIN_STEPS);
        }
        self.left.set(self.granted);
        self.cuts_before = self.cuts();
        self.depth_reached.set(None);
    }

    /// The steps that the current query got when it began.
    pub(in crate::typescript) fn granted(&self) -> u32 {
        self.granted
    }

    /// Grants `steps` to the current query and to all later ones.
    #[cfg(test)]
    pub(in crate::typescript) fn grant(&mut self, steps: u32) {
        self.granted = steps;
        self.left.set(steps);
    }

    /// Counts one step. Returns false if the step may not be taken: the budget is exhausted, or linking is cancelled.
    #[inline]
    pub(super) fn step(&self) -> bool {
        let left = self.left.get();
        if left == 0 {
            return false;
        }
        self.left.set(left - 1);
        self.steps.borrow_mut().step()
    }

    /// True if the current query has taken all its steps.
    #[inline]
    pub(in crate::typescript) fn is_exhausted(&self) -> bool {
        self.left.get() == 0
    }

    /// True if the current query has used a cut type, or has computed one.
    pub(in crate::typescript) fn has_used_cut(&self) -> bool {
        self.cuts() != self.cuts_before
    }

    /// The limit on depth that a computation of the current query has reached first.
    pub(in crate::typescript) fn depth_reached(&self) -> Option<u32> {
        self.depth_reached.get()
    }

    /// Notes that a computation is not made because it nests deeper than `limit`.
    #[cold]
    pub(super) fn note_too_deep(&self, limit: u32) {
        self.depth_reached.set(self.depth_reached().or(Some(limit)));
        self.cuts.set(self.cuts().wrapping_add(1));
    }

    /// The number of uses of cut types and of computations that were too deep so far. A computation passes the number
    /// at its beginning to [`Self::end_computation`].
    #[inline]
    pub(super) fn cuts(&self) -> u32 {
        self.cuts.get()
    }

    pub(in crate::typescript) fn is_cancelled(&self) -> bool {
        self.steps.borrow().is_cancelled()
    }

    /// Notes that the computation of a type has ended, which began when [`Self::cuts`] was `before`. The type is cut if
    /// the budget was exhausted meanwhile, if a cut type was used, or if a nested computation was too deep.
    #[inline]
    pub(super) fn end_computation(&mut self, ty: ComputedType, before: u32) {
        if self.is_exhausted() || self.cuts() != before {
            self.cut.insert(ty);
        }
    }

    /// Notes that a type is used which was computed before.
    #[inline]
    pub(super) fn use_computed(&mut self, ty: ComputedType) {
        if !self.cut.is_empty() && self.cut.contains(&ty) {
            self.cuts.set(self.cuts().wrapping_add(1));
        }
    }
}

impl Linker<'_> {
    /// Begins a level of recursion, as [`nesting::descend`] does, and takes a step of the current query. `None` if the
    /// level would be too deep, or if the query has no step left: its answer is not complete then.
    #[inline]
    pub(in crate::typescript) fn descend(&self) -> Option<Level> {
        if !self.budget.step() {
            return None;
        }
        let level = nesting::descend();
        if level.is_none() {
            self.budget.note_too_deep(nesting::MAX_LEVELS);
        }
        level
    }
}
