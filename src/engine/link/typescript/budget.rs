//! The budget of a question: the number of steps that resolving one call, or describing one definition, may take.
//!
//! Types such as towers of mapped types take a number of steps that is exponential in the size of the program. A question
//! that takes more steps than its budget is cut short: every further type is `any`, and the types whose computations were
//! in progress are kept as they are, so that the next question does not take the same steps again. A kept type of this
//! kind is a cut type. A question that uses a cut type and finds no answer is too complex as well.

use rustc_hash::FxHashSet;

use super::{
    infer::TypeQuery,
    program::FileIndex,
    types::{InternedType, Substitution},
};
use crate::{control::StepCounter, syntax::typescript::facts::ExprId};

/// The number of steps of one question. Questions about large public repositories take up to a quarter of it.
const MAX_STEPS: u32 = 2_000_000;

/// The least number of steps of one question. Each question that exhausts its budget halves the budget of all later
/// questions down to this number, so that many such questions do not take the full number of steps each.
const MIN_STEPS: u32 = 10_000;

/// The key of a computed type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum ComputedType {
    Expression(FileIndex, ExprId),
    Query(TypeQuery),
    Substituted(InternedType, Substitution),
}

/// Counts the steps of the current question, and tells whether linking is cancelled.
#[derive(Debug)]
pub(super) struct Budget {
    steps: StepCounter,
    /// The steps that a question gets.
    granted: u32,
    /// The steps that the current question may still take.
    left: u32,
    cut: FxHashSet<ComputedType>,
    has_used_cut: bool,
}

impl Budget {
    pub(super) fn new(steps: StepCounter) -> Self {
        Self { steps, granted: MAX_STEPS, left: MAX_STEPS, cut: FxHashSet::default(), has_used_cut: false }
    }

    /// Begins a question.
    pub(super) fn begin_question(&mut self) {
        if self.left == 0 {
            self.granted = (self.granted / 2).max(MIN_STEPS);
        }
        self.left = self.granted;
        self.has_used_cut = false;
    }

    /// Counts one step. Returns false if the step may not be taken: the budget is exhausted, or linking is cancelled.
    #[inline]
    pub(super) fn step(&mut self) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        self.steps.step()
    }

    /// True if the current question has taken all its steps.
    #[inline]
    pub(super) fn is_exhausted(&self) -> bool {
        self.left == 0
    }

    /// True if the current question has used a cut type.
    pub(super) fn has_used_cut(&self) -> bool {
        self.has_used_cut
    }

    pub(super) fn is_cancelled(&self) -> bool {
        self.steps.is_cancelled()
    }

    /// Notes that the computation of a type has ended. If the budget was exhausted meanwhile, the type is cut.
    #[inline]
    pub(super) fn end_computation(&mut self, ty: ComputedType) {
        if self.left == 0 {
            self.cut.insert(ty);
        }
    }

    /// Notes that a type is used which was computed before.
    #[inline]
    pub(super) fn use_computed(&mut self, ty: ComputedType) {
        if !self.cut.is_empty() && self.cut.contains(&ty) {
            self.has_used_cut = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{infer::Linker, modules::ModuleResolver, platform, program::ProgramFacts};
    use super::*;
    use crate::{
        control::StepReports,
        program::UnresolvedReason,
        syntax::typescript::{self, facts::CallExprId},
    };

    #[test]
    fn a_call_that_exhausts_the_budget_is_too_complex_and_the_next_one_is_resolved() {
        let functions: Vec<String> = (1..=50).map(|i| format!("function f{i}() {{ return f{}(); }}", i - 1)).collect();
        let text = format!(
            "class A {{ m() {{}} }}\nfunction f0() {{ return new A(); }}\n{}\nconst a = f50();\na.m();\na.m();\nnew A().m();\n",
            functions.join("\n")
        );
        let facts = typescript::read(&text, typescript::Dialect::TypeScript, false);
        let reasons = |granted: u32| {
            let resolver = ModuleResolver::new(&["a.ts"], &[]);
            let (steps, _reports) = StepReports::new();
            let mut linker = Linker::new(ProgramFacts::new(vec![&facts, platform()]), resolver, steps);
            (linker.budget.granted, linker.budget.left) = (granted, granted);
            let calls = (0..facts.calls.len()).filter(|site| facts.calls[*site].line > 53);
            let resolved = calls.map(|site| linker.resolve_call(FileIndex::new(0), CallExprId::new(site)));
            resolved.map(|call| call.candidates.is_empty().then_some(call.why)).collect::<Vec<_>>()
        };
        assert_eq!(reasons(MAX_STEPS), [None; 4]);
        let complex = Some(UnresolvedReason::TooComplex);
        let few = reasons(40);
        assert_eq!((few[0], few[1]), (complex, complex), "{few:?}");
        assert_eq!(few[2..], [None; 2], "{few:?}");
    }
}
