//! Calls that tests expect to fail: those in the arguments of `expect(() => f()).toThrow()`, `expect(f()).rejects`,
//! `assert.throws(() => f())` and `assert.rejects(f())`. Their other arguments say which error is expected, so
//! that the call of `E` in `assert.throws(f, new E())` is not expected to fail. So are the calls of a `try` that ends
//! with `assert.fail()`.

use super::{
    facts::{CallExprId, Expr, ExprId},
    lower::Lowering,
};

/// The greatest number of names of a callee that are read, as in `expect(f).to.not.throw`.
const MAX_NAMES: usize = 12;

impl Lowering<'_> {
    /// Marks the calls that `site` expects to fail. All of its parts have been lowered; the calls of its first argument
    /// end before the index `first_argument_end`.
    pub(super) fn mark_expected_errors(&mut self, site: CallExprId, first_argument_end: usize) {
        let callee = self.facts.site(site).callee;
        // The calls of a file are in the order in which their callees end: the arguments of a call follow it.
        let expected = match self.facts.expr(self.without_guards(callee)) {
            Expr::Name { name, .. } => {
                let is_assertion =
                    matches!(self.facts.name(name), "assertThrows" | "assertThrowsAsync" | "assertRejects");
                is_assertion.then(|| site.index() + 1..first_argument_end)
            }
            Expr::Property { object, name, .. } => match self.facts.name(name) {
                "throws" | "rejects" | "throwsAsync" if self.is_assertion_object(object) => {
                    Some(site.index() + 1..first_argument_end)
                }
                _ => self.expectation(callee).map(|expect| expect.index() + 1..site.index()),
            },
            _ => None,
        };
        for call in expected.and_then(|range| self.facts.calls.get_mut(range)).unwrap_or_default() {
            call.syntax.expects_error = true;
        }
    }

    /// Marks the calls of a block of `try` before `assert.fail()`, if this is its last call. The calls of the block
    /// begin at the index `first`.
    pub(super) fn mark_failing_try(&mut self, first: usize) {
        let Some(last) = self.facts.calls.len().checked_sub(1).filter(|last| *last > first) else { return };
        let callee = self.facts.calls[last].callee;
        let is_failure = match self.facts.expr(self.without_guards(callee)) {
            Expr::Name { name, .. } => self.facts.name(name) == "fail",
            Expr::Property { object, name, .. } => self.facts.name(name) == "fail" && self.is_assertion_object(object),
            _ => false,
        };
        if is_failure {
            self.facts.calls[first..last].iter_mut().for_each(|call| call.syntax.expects_error = true);
        }
    }

    /// True for the usual names of objects with assertions: `assert` of Node.js, `t` of AVA, tap and tape.
    fn is_assertion_object(&self, object: ExprId) -> bool {
        self.callee_name_matches(object, |name| matches!(name, "assert" | "t"))
    }

    /// The call of `expect` in a callee such as `expect(f()).rejects.toThrow`, if the callee expects an error.
    fn expectation(&self, callee: ExprId) -> Option<CallExprId> {
        let (mut at, mut fails) = (callee, false);
        for _ in 0..MAX_NAMES {
            at = match self.facts.expr(self.without_guards(at)) {
                Expr::Property { object, name, .. } => {
                    match self.facts.name(name) {
                        "not" => return None,
                        "toThrow"
                        | "toThrowError"
                        | "toThrowErrorMatchingSnapshot"
                        | "toThrowErrorMatchingInlineSnapshot"
                        | "throw"
                        | "throws"
                        | "rejects"
                        | "rejectedWith" => fails = true,
                        _ => {}
                    }
                    object
                }
                Expr::Call(call) => {
                    let callee = self.facts.site(call).callee;
                    let is_expect = matches!(self.facts.expr(callee), Expr::Name { .. })
                        && self.callee_name_matches(callee, |name| name == "expect");
                    if is_expect {
                        return fails.then_some(call);
                    }
                    callee
                }
                _ => return None,
            };
        }
        None
    }
}
