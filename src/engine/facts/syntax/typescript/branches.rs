//! Branches of control flow, their ends and their joins, for [`super::narrowing`].

use rustc_hash::FxHashSet;

use super::{lower::Lowering, narrowing::ReferencePath};

/// The point of the walk at which a branch begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct BranchStart {
    pub(super) facts: usize,
    invalidated: usize,
    pub(super) assigned: usize,
    reads: usize,
    reachable: bool,
}

/// The effects of a branch on the code after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct BranchEnd {
    /// The end of the branch is reachable.
    pub(super) reachable: bool,
    /// The range of the assignments of the branch in [`super::narrowing::NarrowingState::assigned`].
    pub(super) assigned: (usize, usize),
}

impl BranchEnd {
    /// The end of this branch with the assignments after those of `other`, a branch with the same start.
    pub(super) fn after(self, other: &Self) -> Self {
        Self { assigned: (other.assigned.1, self.assigned.1), ..self }
    }
}

/// The narrowing state of a function while a function inside it is lowered.
#[derive(Clone, Copy, Debug)]
pub(super) struct EnclosingFunction {
    function_start: u32,
    first_visible: u32,
    branch: BranchStart,
}

impl Lowering<'_> {
    pub(super) fn start_branch(&self) -> BranchStart {
        let state = &self.narrowing;
        BranchStart {
            facts: state.facts.len(),
            invalidated: state.invalidated.len(),
            assigned: state.assigned.len(),
            reads: state.reads.len(),
            reachable: self.frame.reachable,
        }
    }

    /// Ends a branch: restores the state at its start.
    pub(super) fn end_branch(&mut self, start: &BranchStart) -> BranchEnd {
        let assigned = (start.assigned, self.narrowing.assigned.len());
        let end = BranchEnd { reachable: self.frame.reachable, assigned };
        self.narrowing.roll_back(start.facts, start.invalidated);
        self.frame.reachable = start.reachable;
        end
    }

    /// Continues at a control-flow join after `branch`. The assignments of the branch count only if its end is
    /// reachable.
    pub(super) fn join(&mut self, branch: BranchEnd) {
        if branch.reachable {
            self.narrowing.replay(branch.assigned);
        }
    }

    /// Ends a branch and continues at a join that control may reach from any point of the branch, such as the code
    /// after `a && b`. The assignments of the branch count even if its end is unreachable.
    pub(super) fn end_branch_and_join(&mut self, start: &BranchStart) {
        let branch = self.end_branch(start);
        self.narrowing.replay(branch.assigned);
    }

    /// Ends the body of a loop. If the body invalidates a fact from before the loop, the fact does not hold at the
    /// start of a later iteration. Reads in the body therefore lose the guards that come from such a fact.
    pub(super) fn end_loop(&mut self, start: &BranchStart) {
        let assigned: FxHashSet<ReferencePath> = self.narrowing.assigned[start.assigned..].iter().cloned().collect();
        if !assigned.is_empty() {
            for read in &mut self.narrowing.reads[start.reads..] {
                let is_from_before = (read.fact as usize) < start.facts;
                if !is_from_before {
                    continue;
                }
                read.is_invalidated |= (1..=read.path.len()).any(|n| assigned.contains(&read.path[..n]));
                for property in &read.properties {
                    let mut path = read.path.clone();
                    path.push(*property);
                    read.is_invalidated |= assigned.contains(&path);
                }
            }
        }
        self.end_branch_and_join(start);
    }

    /// Enters a function. In a closure, the facts from the enclosing function remain visible.
    pub(super) fn enter_function(&mut self, is_closure: bool) -> EnclosingFunction {
        let enclosing = EnclosingFunction {
            function_start: self.narrowing.function_start,
            first_visible: self.narrowing.first_visible,
            branch: self.start_branch(),
        };
        self.narrowing.function_start = self.narrowing.facts.len() as u32;
        if !is_closure {
            self.narrowing.first_visible = self.narrowing.function_start;
        }
        enclosing
    }

    pub(super) fn leave_function(&mut self, enclosing: &EnclosingFunction) {
        self.end_branch_and_join(&enclosing.branch);
        self.narrowing.function_start = enclosing.function_start;
        self.narrowing.first_visible = enclosing.first_visible;
    }
}
