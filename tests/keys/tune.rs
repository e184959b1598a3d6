//! Pins, bans and settings: the stub follows them, and equals the output of `--export` for the same choices.

use std::{process::Command, sync::Arc};

use apidisc::{control::Control, indexer};
use apidisc_tui::{
    demo,
    tui::model::{Overlay, OverrideKind},
};
use proptest::prelude::*;

use crate::chance::cases;

use crate::support::{drive::Explorer, station};

fn explorer() -> Explorer {
    let mut explorer = Explorer::new(120, 40);
    explorer.index(station().build(true)).keys("<Tab>");
    explorer
}

fn stub(explorer: &Explorer) -> &str {
    assert!(explorer.model.preview.is_current());
    &explorer.model.preview.stub().unwrap().delivery.text
}

#[test]
fn a_pinned_argument_is_shown_and_a_banned_one_is_not() {
    let mut explorer = explorer();
    // A threshold leaves `planner` out.
    explorer.keys("s<Tab>");
    assert!(!stub(&explorer).contains("planner: ") && stub(&explorer).contains("model: "));
    explorer.keys("/planner<Enter>p");
    assert!(stub(&explorer).contains("planner: "), "{}", stub(&explorer));
    assert!(explorer.text().contains("Agent(planner) is pinned"), "{}", explorer.text());
    explorer.keys("b");
    assert!(!stub(&explorer).contains("planner: "));
    explorer.keys("b<Esc>/model<Enter>b");
    assert!(!stub(&explorer).contains("model: "), "{}", stub(&explorer));
    assert!(explorer.text().contains("✗ model"), "{}", explorer.text());
    explorer.keys("b");
    assert!(stub(&explorer).contains("model: "));
    assert_eq!(explorer.model.overrides.revision(), 0);
}

#[test]
fn the_stub_is_read_in_full_and_copied_as_it_is_delivered() {
    let mut explorer = explorer();
    explorer.keys("vvv");
    let delivered = stub(&explorer).to_owned();
    assert!(delivered.contains("names alone"), "{delivered}");
    explorer.keys("y");
    let copied = explorer.performed.last().cloned();
    explorer.keys("E");
    let shown = explorer.model.preview.stub().unwrap();
    let (text, full) = (explorer.text(), shown.shown().text.clone());
    assert!(text.contains("Stub in full"), "{text}");
    assert!(!full.contains("names alone") && full.contains("name: str") && full.len() > delivered.len(), "{full}");
    assert_eq!(shown.delivery.text, delivered);
    explorer.keys("y");
    assert_eq!(explorer.performed.last().cloned(), copied);
    explorer.keys("E");
    assert!(!explorer.text().contains("Stub in full"), "{}", explorer.text());
}

#[test]
fn on_a_page_the_selected_row_is_pinned() {
    let mut explorer = Explorer::demo(120, 40);
    explorer.keys("fstation kind:class<Enter>d/latitude<Enter>p");
    assert!(explorer.text().contains("Station(latitude) is pinned"), "{}", explorer.text());
    // A call has no page of its own: its callee is pinned.
    explorer.keys("<Esc><Esc>fstation kind:class<Enter>c/balcony<Enter>p");
    assert!(explorer.text().contains("Station is pinned"), "{}", explorer.text());
}

#[test]
fn required_parameters_cannot_be_banned() {
    let mut explorer = explorer();
    explorer.keys("<Tab>/name<Enter>b");
    assert!(explorer.text().contains("Agent(name) cannot be banned: it is required"), "{}", explorer.text());
    assert!(stub(&explorer).contains("name: str"));
}

#[test]
fn a_banned_symbol_is_struck_through_in_the_list_and_missing_in_the_module() {
    let mut explorer = explorer();
    explorer.keys("jb<BackTab>");
    let catalog = explorer.model.catalog.clone().unwrap();
    let fetch = catalog.index.definitions.iter().find(|definition| definition.name == "fetch").unwrap();
    assert_eq!(explorer.model.overrides.of(fetch, None), Some(OverrideKind::Banned));
    assert!(!stub(&explorer).contains("def fetch"), "{}", stub(&explorer));
    // The scope of the symbol itself has no stub either; the reason is shown.
    explorer.keys("<Tab>");
    assert!(explorer.text().contains("station.tools.fetch is banned"), "{}", explorer.text());
    assert!(explorer.text().contains("b takes the ban back"), "{}", explorer.text());
    explorer.keys("p<BackTab>");
    assert!(stub(&explorer).contains("def fetch"));
}

#[test]
fn pinning_a_member_leaves_the_scope_of_its_module() {
    let mut explorer = Explorer::new(120, 40);
    explorer.index(station().build(true)).keys("/tools<Enter><Tab>jp");
    assert!(explorer.text().contains("Stub · station.tools "), "{}", explorer.text());
    explorer.keys("P");
    assert!(explorer.text().contains("Save a profile of station.tools under the name "), "{}", explorer.text());
    // The stub is that of the next symbol that is selected.
    explorer.keys("<Esc>k");
    assert!(explorer.text().contains("Stub · fetch "), "{}", explorer.text());
    // The stub of a symbol whose argument is pinned stays.
    explorer.keys("<Tab>p");
    assert!(explorer.text().contains("Stub · fetch "), "{}", explorer.text());
}

#[test]
fn overrides_apply_to_the_next_index() {
    let mut explorer = explorer();
    explorer.keys("s<Tab>/planner<Enter>p<Esc>");
    explorer.index(station().build(true));
    assert!(stub(&explorer).contains("planner: "));
}

#[test]
fn a_selection_that_cannot_be_pinned_is_reported() {
    let mut explorer = explorer();
    explorer.keys("<BackTab>p");
    assert!(explorer.text().contains("select a symbol or an argument first"));
}

fn on_the_demo() -> Explorer {
    let built = indexer::build(&demo::source(), &mut |_| Control::Continue).unwrap();
    let mut explorer = Explorer::new(120, 40);
    "--demo".clone_into(&mut explorer.model.argument);
    explorer.index(built.unwrap());
    explorer
}

/// The output or the error of the command that the prompt shows.
fn exported(explorer: &mut Explorer) -> Result<String, String> {
    explorer.keys("w");
    let Some(Overlay::Write(prompt)) = &explorer.model.overlay else { panic!("no prompt") };
    let words = prompt.command.split(' ').skip(1).map(|word| word.trim_matches('\''));
    let output = Command::new(env!("CARGO_BIN_EXE_apidisc-tui")).args(words).output().unwrap();
    explorer.keys("<Esc>");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    if output.status.success() { Ok(text(output.stdout)) } else { Err(text(output.stderr)) }
}

/// The stub on the screen, or the error in its place.
fn shown(explorer: &Explorer) -> Result<String, String> {
    let preview = &explorer.model.preview;
    assert!(preview.is_current());
    let result = preview.shown.as_ref().unwrap().result.clone();
    result.map(|stub| stub.delivery.text.clone()).map_err(|why| format!("apidisc-tui: {why}\n"))
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 8, ..cases(12) })]

    #[test]
    fn the_preview_equals_the_export(
        keys in prop::collection::vec(
            prop::sample::select(&["<Tab>", "j", "jj", " ", "s", "-", "{", "+", "p", "b", "e", "<BackTab>", "jp", "jjjb", "k", "u", "<Left>", "<Right>", "K", "<Esc>", "2", "3", "W+<Esc>"][..]),
            4..24,
        ),
    ) {
        let mut explorer = on_the_demo();
        explorer.keys(&keys.concat());
        let shown = shown(&explorer);
        let exported = exported(&mut explorer);
        prop_assert_eq!(shown, exported, "after {}", keys.concat());
    }
}

#[test]
fn the_prompt_names_pins_and_bans() {
    let mut explorer = on_the_demo();
    explorer.keys("<Tab>j<Tab>jjp<BackTab>jb");
    let pins = Arc::clone(explorer.model.overrides.all());
    assert_eq!((pins.pinned.len(), pins.banned.len()), (1, 1));
    explorer.keys("<Tab><Tab><Tab>");
    assert_eq!(shown(&explorer), exported(&mut explorer));
}

/// The demo with the engine's own stubs.
fn demo_explorer(columns: u16) -> Explorer {
    let mut explorer = Explorer::demo(columns, 40);
    explorer.is_canned = false;
    explorer
}

#[test]
fn any_two_settings_are_compared() {
    let mut explorer = demo_explorer(160);
    explorer.keys("C");
    let text = explorer.text();
    assert!(text.contains("Compare with") && text.contains("everything") && text.contains("budget 500"), "{text}");
    explorer.keys("budget 500<Enter>");
    let text = explorer.text();
    assert!(text.contains("budget 500: ") && text.contains("budget 1,000: "), "{text}");
    // Each side says what it has more.
    let has_both = |line: &str| line.matches(" more ").count() == 2;
    assert!(text.lines().any(has_both) && text.contains(" members, "), "{text}");
    // The present setting moves, the other one stays.
    explorer.keys("+");
    let text = explorer.text();
    assert!(text.contains("budget 500: ") && text.contains("budget 1,100: "), "{text}");
    // A typed setting is one to compare with, too.
    explorer.keys("Cthreshold 30<Enter>");
    assert!(explorer.text().contains("threshold 30%: ") && explorer.text().contains("budget 1,100: "));
    assert_eq!(explorer.model.settings.describe(), "budget 1,100");
}

#[test]
fn profiles_are_compared_and_opened() {
    let mut explorer = demo_explorer(160);
    explorer.keys("fstation kind:class<Enter>{<Tab>jjp").keys("P<C-u>small<Enter><Enter>");
    let state = |explorer: &Explorer| {
        (stub(explorer).to_owned(), explorer.model.settings.describe(), explorer.model.overrides.revision())
    };
    let before = state(&explorer);
    explorer.keys("p}}fopen_store kind:function<Enter>");
    assert_ne!(state(&explorer), before);
    explorer.keys("Cprofile small<Enter>");
    let text = explorer.text();
    assert!(text.contains("profile small: ") && text.contains("tune open_store"), "{text}");
    explorer.keys("<Esc>:profile small");
    assert!(explorer.text().contains("budget 500 of windvane.station.Station"), "{}", explorer.text());
    explorer.keys("<Enter>");
    assert_eq!(state(&explorer), before);
    assert!(explorer.model.toast.as_ref().unwrap().text.starts_with("profile small: "));
}

#[test]
fn a_stub_stands_under_its_own_title_alone() {
    let mut explorer = demo_explorer(160);
    explorer.keys("<Tab>");
    let names = |explorer: &Explorer| explorer.model.subject_name().unwrap();
    let first = names(&explorer);
    assert!(explorer.text().contains(&format!("Stub · {first} ")), "{}", explorer.text());
    let old = stub(&explorer).lines().nth(2).unwrap().to_owned();
    // The selection has moved, and the stub of the new one has not come yet.
    explorer.is_slow = true;
    explorer.keys("j");
    let second = names(&explorer);
    assert!(second != first && explorer.text().contains(&format!("Stub · {first} ")), "{}", explorer.text());
    explorer.keys("u");
    let text = explorer.text();
    assert!(text.contains(&format!("tune {second}")) && text.contains("counting tokens…"), "{text}");
    assert!(!text.contains(&old), "{old}\n{text}");
    explorer.is_slow = false;
    explorer.settle();
    explorer.keys("<Esc>");
    assert!(explorer.text().contains(&format!("Stub · {second} ")), "{}", explorer.text());
}
