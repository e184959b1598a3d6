//! Tests of the code that search results show, and of the results for fixtures of pytest, which no code calls.

use super::*;

#[test]
fn a_section_shows_the_code_at_which_its_description_ends() {
    let library = "def share(screen):\n    ...\n";
    let page = "# Guide\n\n## Sharing\n\nShare what you see with others:\n\n```python\nfrom lib import share\nshare(1)\n```\n\n\
                ## Hiding\n\nHide what you see from all the others around you.\n\nFirst, look around.\n\n```python\nshare(2)\n```\n";
    let rst =
        "Recording\n=========\n\nRecord everything that you see on the screen while others look::\n\n    share(3)\n";
    let searched = SearchedSources::of(&[("lib.py", library), ("guide.md", page), ("record.rst", rst)]);
    let code = |intent: &str| {
        let filter = Filter { kind: TypeFilter::Doc, min_score: 0.0 };
        let request = Discover { intent: intent.into(), filter, ..Discover::default() };
        searched.discover(&request).expect("results").results.remove(0).code_snippet
    };
    assert_eq!(code("sharing what others see").as_deref(), Some("from lib import share\nshare(1)"));
    assert_eq!(code("hiding"), None);
    assert_eq!(code("recording").as_deref(), Some("share(3)"));
}

#[test]
fn a_fixture_that_more_tests_take_comes_first() {
    let fixture = |name: &str| format!("@pytest.fixture\ndef {name}():\n    \"\"\"A user who is known.\"\"\"\n\n");
    let fixtures = format!("import pytest\n\n{}{}", fixture("alpha"), fixture("omega"));
    let tests = "def test_a(omega): ...\n\ndef test_b(omega): ...\n";
    let files = [("lib.py", "def f(): ...\n"), ("tests/conftest.py", &fixtures), ("tests/test_a.py", tests)];
    assert_eq!(SearchedSources::of(&files).best("a user who is known").name, "tests.conftest.omega");
}
