//! Changing the weights of origins and sources by keys and by the mouse: all calls are counted again.

use apidisc::{
    control::Control,
    index::metadata,
    indexer::build,
    source::{LinkedSources, NamedSource, Origin, Source},
};
use apidisc_tui::tui::{
    input::{Mouse, MouseAction},
    layout,
    message::Message,
};

use crate::support::{
    drive::{Explorer, indexed_demo, python_demo},
    station,
};

fn demo() -> Explorer {
    let mut explorer = Explorer::new(120, 40);
    explorer.source = Some(python_demo());
    explorer.index(indexed_demo());
    explorer
}

/// Calls of the class `Station` by the present weights.
fn calls(explorer: &Explorer) -> u32 {
    let index = &explorer.model.catalog.as_ref().unwrap().index;
    index.definitions.iter().find(|definition| definition.name == "Station").unwrap().usage.total_calls
}

fn origins(explorer: &Explorer) -> [u32; 4] {
    let index = &explorer.model.catalog.as_ref().unwrap().index;
    index.definitions.iter().find(|definition| definition.name == "Station").unwrap().usage.origins
}

fn press(explorer: &mut Explorer, column: u16, row: u16) {
    explorer.send(Message::Mouse(Mouse { action: MouseAction::Press, column, row }));
}

#[test]
fn a_digit_leaves_an_origin_out_and_counts_it_again() {
    let mut explorer = demo();
    explorer.keys("fstation kind:class<Enter>");
    let (all, [_, tests, ..]) = (calls(&explorer), origins(&explorer));
    assert!(tests > 0 && tests < all);
    explorer.keys("2");
    assert_eq!(calls(&explorer), all - tests);
    let text = explorer.text();
    // The calls of the origin are shown as left out, and the selection stays.
    assert!(text.contains("without tests") && text.contains("left out: "), "{text}");
    assert!(text.contains(&format!("tests {tests} left out")), "{text}");
    assert!(text.contains("Stub · Station"), "{text}");
    explorer.keys("2");
    assert_eq!(calls(&explorer), all);
    assert!(!explorer.text().contains("without tests"));
}

#[test]
fn the_list_changes_weights() {
    let mut explorer = demo();
    let (all, [src, tests, examples, _]) = (calls(&explorer), origins(&explorer));
    explorer.keys("W");
    assert!(explorer.text().contains("Origins"), "{}", explorer.text());
    explorer.keys("jj++");
    assert_eq!(calls(&explorer), all + 2 * examples);
    explorer.keys("k ");
    assert_eq!(calls(&explorer), all + 2 * examples - tests);
    assert!(explorer.text().contains("examples x3, without tests"), "{}", explorer.text());
    explorer.keys("kh");
    assert_eq!(calls(&explorer), all + 2 * examples - tests - src);
    explorer.keys("q");
    assert!(explorer.model.overlay.is_none() && !explorer.has_quit);
}

#[test]
fn the_mouse_changes_weights() {
    let mut explorer = demo();
    explorer.keys("W");
    let area = layout::origins(&explorer.model);
    press(&mut explorer, area.more.x + 1, area.list.y + 1);
    assert_eq!(explorer.model.settings.weights.of(Origin::Tests), 2);
    press(&mut explorer, area.less.x + 1, area.list.y + 1);
    press(&mut explorer, area.less.x + 1, area.list.y + 1);
    assert_eq!(explorer.model.settings.weights.of(Origin::Tests), 0);
    // A press on a name selects the origin, a second one includes or excludes it.
    press(&mut explorer, area.list.x + 3, area.list.y + 3);
    assert_eq!(explorer.model.settings.weights.of(Origin::Docs), 1);
    press(&mut explorer, area.list.x + 3, area.list.y + 3);
    assert_eq!(explorer.model.settings.weights.of(Origin::Docs), 0);
    press(&mut explorer, 0, 5);
    assert!(explorer.model.overlay.is_none());
    // The footer names the excluded origins, and a press on it opens the list.
    let footer = layout::areas(&explorer.model).unwrap().footer(&explorer.model);
    let (state, words, _) = footer.states[0].clone();
    assert_eq!(words, "without tests, docs");
    press(&mut explorer, state.x, state.y);
    assert!(explorer.text().contains("where calls stand"), "{}", explorer.text());
}

#[test]
fn the_last_origin_cannot_be_excluded() {
    let mut explorer = demo();
    explorer.keys("1234");
    assert!(explorer.text().contains("with every weight at 0 nothing is counted"), "{}", explorer.text());
    assert_eq!(explorer.model.settings.weights.of(Origin::Docs), 1);
    explorer.keys("W++++++++++++");
    assert_eq!(explorer.model.settings.weights.of(Origin::Src), 10);
}

#[test]
fn a_new_index_is_counted_by_the_same_weights_before_anything_is_copied() {
    let mut explorer = demo();
    explorer.keys("fstation kind:class<Enter>2");
    let without = calls(&explorer);
    explorer.index(indexed_demo());
    assert_eq!(calls(&explorer), without);
    assert!(explorer.text().contains("Stub · Station"), "{}", explorer.text());
    // A copy waits for the stub of the new weights.
    explorer.is_slow = true;
    explorer.keys("2y");
    assert!(explorer.performed.is_empty());
    explorer.settle();
    let [copied] = &explorer.performed[..] else { panic!("{:?}", explorer.performed) };
    assert!(copied.ends_with(&explorer.model.preview.stub().unwrap().delivery.text));
    assert!(calls(&explorer) > without);
}

#[test]
fn weights_that_are_changed_back_need_no_recount() {
    let mut explorer = demo();
    let generation = explorer.model.catalog.as_ref().unwrap().generation;
    explorer.is_slow = true;
    explorer.keys("22").settle();
    assert_eq!(explorer.model.catalog.as_ref().unwrap().generation, generation);
    assert!(explorer.model.counting.is_none());
}

#[test]
fn an_index_without_call_sites_says_so() {
    let mut explorer = Explorer::new(120, 40);
    explorer.index(station().build(true)).keys("2");
    assert!(explorer.text().contains("does not say where its calls stand"), "{}", explorer.text());
    assert!(explorer.model.settings.weights.are_default());
}

/// A library, an application that calls it twice, and a script that calls it once, as three sources.
fn library_and_consumers() -> Explorer {
    let part = |name: &str, path: &str, text: &str| {
        let files = vec![(path.to_owned(), text.as_bytes().to_vec().into())];
        NamedSource::new(name, Source::Memory { name: name.to_owned(), files })
    };
    let source = Source::Linked(LinkedSources::new(vec![
        part("kit", "kit/__init__.py", "class Station:\n    def __init__(self, name): ...\n"),
        part("my-app", "app.py", "import kit\nkit.Station('a')\nkit.Station('b')\n"),
        part("script", "run.py", "import kit\nkit.Station('c')\n"),
    ]));
    let mut explorer = Explorer::new(120, 40);
    explorer.index(build(&source, &mut |_| Control::Continue).unwrap().unwrap());
    explorer.source = Some(source);
    explorer
}

#[test]
fn each_of_several_sources_has_a_weight() {
    let mut explorer = library_and_consumers();
    assert_eq!(calls(&explorer), 3);
    explorer.keys("W");
    let text = explorer.text();
    assert!(text.contains("Origins and sources") && text.contains("67%") && text.contains("33%"), "{text}");
    // Below the four origins and the library: the application.
    explorer.keys("jjjjj++");
    assert_eq!(calls(&explorer), 7);
    assert!(explorer.text().contains("my-app x3") && explorer.text().contains("86%"), "{}", explorer.text());
    explorer.keys("G ");
    assert_eq!(calls(&explorer), 6);
    assert!(explorer.text().contains("left out: 1 call in script"), "{}", explorer.text());
}

#[test]
fn sources_of_an_index_from_a_file_have_weights_but_origins_have_none() {
    let mut explorer = library_and_consumers();
    let index = &explorer.model.catalog.as_ref().unwrap().index;
    let text = metadata::write(index, &metadata::MetadataOptions::default()).unwrap();
    explorer.index(metadata::read(&text).unwrap());
    explorer.keys("W");
    assert!(explorer.text().contains("67%") && explorer.text().contains("33%"), "{}", explorer.text());
    explorer.keys("jjjjj++");
    assert_eq!(calls(&explorer), 7);
    explorer.keys("G ");
    assert_eq!(calls(&explorer), 6);
    explorer.keys("gg ");
    assert!(explorer.text().contains("not by origin"), "{}", explorer.text());
    assert_eq!(calls(&explorer), 6);
}

#[test]
fn the_mouse_reaches_sources_below_the_edge_of_a_small_window() {
    let mut explorer = library_and_consumers();
    explorer.send(Message::Resize(80, 12));
    explorer.keys("W");
    let area = layout::origins(&explorer.model);
    assert_eq!(area.list.height, 6);
    explorer.send(Message::Mouse(Mouse { action: MouseAction::WheelDown, column: area.list.x, row: area.list.y }));
    press(&mut explorer, area.more.x + 1, area.list.bottom() - 1);
    assert_eq!(explorer.model.settings.weights.of_source("script"), 2);
}
