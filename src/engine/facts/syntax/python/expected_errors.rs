//! Calls that tests expect to fail: those in the body of `with pytest.raises(E):`, and those in lambdas that are
//! arguments, as in `pytest.raises(E, lambda: f(x))`. Other arguments are evaluated before the error is expected: the
//! call of `E` in `pytest.raises(E("x"))` has to work.

use super::{facts::ExprId, lower::Lowering};

/// The names of the functions and methods of pytest, unittest, Django and NumPy that expect an exception.
const EXPECTING: [&str; 7] = [
    "raises",
    "RaisesGroup",
    "assertRaises",
    "assertRaisesRegex",
    "assertRaisesMessage",
    "assert_raises",
    "assert_raises_regex",
];

/// The known effects of the context managers of a `with` statement on exceptions in its body.
#[derive(Debug, Default)]
pub(super) struct ManagerEffects {
    /// True if one of the managers is known to suppress exceptions.
    pub(super) suppress: bool,
    /// True if one of the managers expects an exception: it fails unless the body raises one.
    pub(super) expect_error: bool,
}

impl Lowering<'_> {
    /// True if the callee expects an exception from the code that is passed to it or that stands in its `with` block.
    pub(super) fn expects_error(&self, callee: ExprId) -> bool {
        EXPECTING.iter().any(|name| self.facts.is_named(callee, name))
    }

    /// Marks the calls from the index `first` on: the code around them expects an exception.
    pub(super) fn expect_error_from(&mut self, first: usize) {
        for call in &mut self.facts.calls[first..] {
            call.syntax.expects_error = true;
        }
    }
}
