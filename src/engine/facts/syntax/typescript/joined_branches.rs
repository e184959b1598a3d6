//! The facts about assigned references after the branches of an `if` join: in `if (typeof x === "string") x = new A();`
//! the value of `x` is the assigned one, or one that is no string.

use smallvec::SmallVec;

use super::{
    branches::{BranchEnd, BranchStart},
    consequences::NarrowingFacts,
    facts::{GuardId, NarrowingTest},
    lower::Lowering,
    narrowing::{NarrowingFact, ReferencePath},
};

/// A branch of an `if` whose end is reachable.
#[derive(Debug)]
struct JoinedBranch {
    /// The facts that the branch establishes and that hold at its end.
    facts: Vec<NarrowingFact>,
    end: BranchEnd,
}

impl Lowering<'_> {
    /// Whether there is an assignment after the start of a branch.
    pub(super) fn has_assigned(&self, start: &BranchStart) -> bool {
        self.narrowing.assigned.len() > start.assigned
    }

    /// Ends the alternative of an `if`, which began at `start`, and continues at the join of both branches. The
    /// consequence had the facts `facts_of_consequence` at its end.
    pub(super) fn join_branches(
        &mut self,
        start: &BranchStart,
        facts_of_consequence: Vec<NarrowingFact>,
        consequence: BranchEnd,
        has_else: bool,
    ) {
        let facts_of_alternative = if self.has_assigned(start) { self.facts_of_branch(start) } else { Vec::new() };
        let alternative = self.end_branch(start);
        let mut branches = [
            JoinedBranch { facts: facts_of_consequence, end: consequence },
            JoinedBranch { facts: facts_of_alternative, end: alternative.after(&consequence) },
        ];
        // Without `else`, the other value comes from the code before.
        if !has_else {
            branches.reverse();
        }
        let joined = self.joined_facts(start, &branches);
        if has_else {
            self.join(alternative);
        }
        self.join(consequence);
        for fact in joined {
            self.narrowing.add(fact);
        }
    }

    /// The facts that a branch establishes and that hold at its end.
    pub(super) fn facts_of_branch(&self, start: &BranchStart) -> Vec<NarrowingFact> {
        let facts = self.narrowing.facts.get(start.facts..).unwrap_or_default();
        facts.iter().filter(|fact| narrows_variable(fact)).cloned().collect()
    }

    /// The facts that hold after a join of two branches, about the references that at least one of them assigns: one of
    /// the facts at the ends of the branches holds. The state is that before the branches.
    fn joined_facts(&mut self, start: &BranchStart, branches: &[JoinedBranch; 2]) -> NarrowingFacts {
        let mut joined = NarrowingFacts::new();
        for path in self.assigned_paths(start, branches) {
            let [first, second] = branches;
            if let Some(mut fact) = self.fact_at_end(start, first, &path)
                && let Some(other) = self.fact_at_end(start, second, &path)
            {
                self.combine_facts(&mut fact, other, NarrowingTest::Either);
                joined.push(fact);
            }
        }
        joined
    }

    /// The references that one of the branches assigns and about which one of the branches has a fact.
    fn assigned_paths(&self, start: &BranchStart, branches: &[JoinedBranch; 2]) -> SmallVec<[ReferencePath; 2]> {
        let mut paths = SmallVec::<[ReferencePath; 2]>::new();
        if self.has_assigned(start) {
            for fact in branches.iter().flat_map(|branch| &branch.facts) {
                let mut assigned = self.narrowing.assigned[start.assigned..].iter();
                if fact.indices.is_empty()
                    && !paths.contains(&fact.path)
                    && assigned.any(|path| fact.path.starts_with(path))
                {
                    paths.push(fact.path.clone());
                }
            }
        }
        paths
    }

    /// The fact about a reference that holds at the end of a branch, if there is one. Facts from before the branch
    /// count if the branch assigns nothing to the reference or to a part of it.
    fn fact_at_end(
        &mut self,
        start: &BranchStart,
        branch: &JoinedBranch,
        path: &ReferencePath,
    ) -> Option<NarrowingFact> {
        let (from, to) = branch.end.assigned;
        let mut all = NarrowingFacts::new();
        if self.narrowing.assigned[from..to].iter().all(|assigned| assigned[0] != path[0]) {
            // An assignment in a loop may invalidate a fact from before the loop.
            let first = self.narrowing.function_start.max(self.narrowing.loop_start) as usize;
            let before = self.narrowing.by_root.get(&path[0]).into_iter().flatten().map(|at| *at as usize);
            let before = before.filter(|at| (first..start.facts).contains(at)).map(|at| &self.narrowing.facts[at]);
            all.extend(before.filter(|fact| fact.path == *path && narrows_variable(fact)).cloned());
        }
        all.extend(branch.facts.iter().filter(|fact| fact.path == *path).cloned());
        let mut all = all.into_iter();
        let mut fact = all.next()?;
        for other in all {
            self.combine_facts(&mut fact, other, NarrowingTest::Both);
        }
        Some(fact)
    }

    /// Adds the facts of the only branch that reaches the code after an `if`, for the references that it assigns.
    pub(super) fn assume_assigned_in_branch(&mut self, start: &BranchStart, facts: Vec<NarrowingFact>) {
        for fact in facts {
            let mut assigned = self.narrowing.assigned[start.assigned..].iter();
            if assigned.any(|path| fact.path.starts_with(path)) {
                self.narrowing.add(fact);
            }
        }
    }

    /// Makes `fact` the fact that `test` of the guards of two facts about the same reference holds.
    fn combine_facts(
        &mut self,
        fact: &mut NarrowingFact,
        other: NarrowingFact,
        test: fn(GuardId, GuardId) -> NarrowingTest,
    ) {
        fact.guard = self.add_guard(test(fact.guard, other.guard), true);
        fact.joined_roots.push(other.root);
        fact.joined_roots.extend(other.joined_roots);
        for property in other.properties {
            if !fact.properties.contains(&property) {
                fact.properties.push(property);
            }
        }
    }
}

/// Whether a fact narrows the type of a variable that is assigned: facts about the presence of a value narrow no type,
/// and those about constants hold only for constants.
fn narrows_variable(fact: &NarrowingFact) -> bool {
    fact.holds && !fact.is_presence && !fact.is_aliased
}
