//! Reading beside the rows: lines of the stub, headings of calls, the source that takes the whole screen.

use apidisc_tui::tui::geometry::Pane;

use crate::{
    pages::{demo, rows},
    support::drive::Explorer,
};

#[test]
fn a_line_of_the_stub_opens_what_it_shows() {
    let mut explorer = Explorer::new(120, 40);
    explorer.is_delivering = true;
    explorer.open_demo().keys("fstation kind:class<Enter><Tab><Tab>");
    assert_eq!(explorer.model.focus, Pane::Preview);
    let stub = explorer.model.preview.stub().expect("a stub").clone();
    let line = (0..stub.lines.len()).find(|line| stub.line(*line).contains("def observe("));
    let line = line.unwrap_or_else(|| panic!("a method in {}", stub.delivery.text));
    explorer.keys(&"j".repeat(line)).keys("<Enter>");
    let first = rows(&explorer).into_iter().next();
    assert!(first.as_ref().is_some_and(|row| row.contains("Station.observe")), "{first:?}");
    // The title belongs to the class as a whole.
    explorer.keys("<Esc>fstation kind:class<Enter><Tab><Tab>g<Enter>");
    let first = rows(&explorer).into_iter().next();
    assert!(first.as_ref().is_some_and(|row| row.starts_with("class Station")), "{first:?}");
}

#[test]
fn headings_of_calls_do_not_repeat_what_all_calls_pass() {
    let mut explorer = demo();
    explorer.keys("fwindsensor kind:class<Enter>c");
    let all = "all pass name, height; the headings name what else is passed";
    let found = rows(&explorer);
    assert_eq!(found[1], all);
    let headings = found.iter().filter(|row| row.starts_with("##"));
    assert_eq!(
        headings.collect::<Vec<_>>(),
        ["## pin (2 calls, 50%)", "## nothing else (1 call, 25%)", "## vane (1 call, 25%)"]
    );
}

#[test]
fn the_source_beside_a_page_takes_the_whole_screen_and_scrolls_both_ways() {
    let mut explorer = demo();
    explorer.keys("fstation kind:class<Enter>cG");
    let beside = explorer.text();
    explorer.keys("z");
    let whole = explorer.text();
    assert!(!whole.contains("Recipes") && whole.contains("Esc back"), "{whole}");
    explorer.keys("j");
    assert_ne!(explorer.text(), whole);
    explorer.keys("k");
    assert_eq!(explorer.text(), whole);
    explorer.keys("ll");
    assert_ne!(explorer.text(), whole);
    // What lies behind the end is not scrolled over again.
    explorer.keys("hhG");
    let end = explorer.text();
    explorer.keys("jjjjk");
    assert_ne!(explorer.text(), end);
    explorer.keys("j");
    assert_eq!(explorer.text(), end);
    explorer.keys("g<Esc>kj");
    assert_eq!(explorer.text(), beside);
}
