//! Axes of Python programs.

use crate::work::assert_linear;

#[test]
fn functions_that_call_the_one_before() {
    assert_linear(2_000, |size| {
        let mut text = "def f0(): return 1\n".to_owned();
        for i in 1..size {
            text += &format!("def f{i}(): return f{}()\n", i - 1);
        }
        vec![("a.py".to_owned(), text)]
    });
}
