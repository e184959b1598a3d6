//! The source beside a page: the place is visible, and long lines can be wrapped.

use apidisc_tui::tui::{jobs::Answer, message::Message, model::Excerpt};

use crate::pages::demo;

#[test]
fn a_call_far_to_the_right_is_scrolled_into_view() {
    let mut explorer = demo();
    explorer.keys("fstation kind:class<Enter>c");
    let ticket = explorer.model.page.as_ref().unwrap().source_view.ticket;
    let before = "x = ".to_owned() + &"a_long_name + ".repeat(9);
    let line = format!("{before}Station('far away')");
    let excerpt = Excerpt {
        path: "far.py".to_owned(),
        first: 7,
        focus: 1..2,
        columns: (before.len(), line.len()),
        lines: vec!["# what stands above moves along".to_owned(), line],
        runs: Vec::new(),
    };
    explorer.send(Message::Answered(Answer::ExcerptRead { ticket, result: Ok(excerpt) }));
    assert!(explorer.text().contains("Station('far away')"), "{}", explorer.text());
}

#[test]
fn long_lines_of_the_source_are_wrapped() {
    let mut explorer = demo();
    explorer.keys("fstation kind:class<Enter>c");
    let ticket = explorer.model.page.as_ref().unwrap().source_view.ticket;
    let line = format!("say('begins', '{}', '長い行が折り返される', 'ends here')", "and goes on ".repeat(20));
    let excerpt = Excerpt {
        path: "long.py".to_owned(),
        first: 7,
        focus: 1..2,
        columns: (0, 3),
        lines: vec![line.clone(), line, "# the last line".to_owned()],
        runs: Vec::new(),
    };
    explorer.send(Message::Answered(Answer::ExcerptRead { ticket, result: Ok(excerpt) }));
    assert!(!explorer.text().contains("ends here"), "{}", explorer.text());
    explorer.keys(".");
    let text = explorer.text();
    assert!(text.contains("ends here") && text.contains("# the last line"), "{text}");
    // No character is lost where a line continues.
    for character in "長い行が折り返される".chars() {
        assert!(text.contains(character), "{character}: {text}");
    }
    explorer.keys(".");
    assert!(!explorer.text().contains("ends here"), "{}", explorer.text());
}
