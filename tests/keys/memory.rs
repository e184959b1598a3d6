//! One goes on where one left: what is remembered of a repository, and what wins over it.

use apidisc::{control::Control, index::Index, indexer::build, overrides::Overrides, strategy::Strategy};
use apidisc_tui::tui::{Options, geometry::Pane, memory::Memory};

use crate::support::{
    drive::{Explorer, python_demo},
    station,
};

fn index() -> Index {
    build(&python_demo(), &mut |_| Control::Continue).unwrap().unwrap()
}

/// The explorer of the next time, before it has an index.
fn next(explorer: &Explorer, options: &Options) -> Explorer {
    let text = Memory::of(&explorer.model).to_toml("/home/x/windvane");
    let mut next = Explorer::new(120, 40);
    next.source = Some(python_demo());
    if let Some(symbol) = &options.symbol {
        next.model.start_target =
            Some(apidisc_tui::tui::model::StartTarget { module: None, symbol: Some(symbol.clone()) });
    }
    next.model.recall(Memory::parse(&text).unwrap(), options);
    next
}

fn explorer() -> Explorer {
    let mut explorer = Explorer::new(120, 40);
    explorer.source = Some(python_demo());
    explorer.index(index());
    explorer
}

#[test]
fn one_goes_on_where_one_left() {
    let mut explorer = explorer();
    // A filter, an argument, a mark, a budget, weights, a pin, another tokenizer, a wider pane, private names.
    explorer.keys("fstation kind:class<Enter>ma<Tab>/lat<Enter>p---e2a>>");
    let before = explorer.text();
    let mut next = next(&explorer, &Explorer::options());
    next.index(index());
    assert_eq!(next.model.settings, explorer.model.settings);
    assert_eq!(next.model.overrides.all(), explorer.model.overrides.all());
    assert_eq!((next.model.focus, next.model.private), (Pane::Arguments, true));
    // All of the screen is the same but what is said for a moment.
    let screen = |text: &str| text.lines().take(39).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(screen(&next.text()), screen(&before));
    next.keys("g<Esc><BackTab><BackTab>'a");
    assert!(next.text().contains("Stub · Station "), "{}", next.text());
    // And so it is remembered again.
    let again = Memory::of(&next.model);
    assert_eq!(again.marks, Memory::of(&explorer.model).marks);
}

#[test]
fn a_page_is_open_again() {
    let mut explorer = explorer();
    explorer.keys("fstation(latitude<Enter><Enter>jjj");
    let before = explorer.text();
    let mut next = next(&explorer, &Explorer::options());
    next.index(index());
    assert_eq!(next.text(), before);
    next.keys("<Esc>");
    assert!(next.model.page.is_none());
}

#[test]
fn a_theme_that_was_chosen_stays() {
    let mut explorer = explorer();
    assert_eq!(Memory::of(&explorer.model).theme, None);
    explorer.keys("Tnord<Esc>");
    assert_eq!(Memory::of(&explorer.model).theme, None);
    explorer.keys("Tnord<Enter>");
    assert_eq!(Memory::of(&explorer.model).theme.as_deref(), Some("nord"));
}

#[test]
fn the_command_line_wins() {
    let mut explorer = explorer();
    explorer.keys("fstation kind:class<Enter>p--e2");
    let options = Options {
        strategy: Some(Strategy::Exhaustive),
        weights: Some("docs=0".parse().unwrap()),
        overrides: Some(Overrides::default()),
        symbol: Some("Reading".to_owned()),
        ..Explorer::options()
    };
    let mut next = next(&explorer, &options);
    next.index(index());
    assert_eq!(next.model.settings.strategy, Strategy::Exhaustive);
    assert_eq!(next.model.settings.weights, "docs=0".parse().unwrap());
    // What it does not say is as it was, also the budget that is not in force.
    assert_eq!(next.model.settings.encoding, explorer.model.settings.encoding);
    assert_eq!(next.model.overrides.revision(), 0);
    assert!(next.text().contains("Stub · Reading"), "{}", next.text());
    next.keys("s");
    assert_eq!(next.model.settings.strategy, explorer.model.settings.strategy);
}

#[test]
fn whoever_is_elsewhere_already_stays_there() {
    let mut explorer = explorer();
    explorer.keys("fbasesensor kind:class<Enter>");
    let mut next = next(&explorer, &Explorer::options());
    next.keys("<Tab>").index(index());
    assert_eq!(next.model.focus, Pane::Symbols);
    assert!(!next.text().contains("Stub · BaseSensor"), "{}", next.text());
}

#[test]
fn a_partial_index_is_enough_where_the_place_is_in_it_and_else_one_waits() {
    let mut explorer = explorer();
    explorer.keys("fstation kind:class<Enter>");
    let options = Explorer::options();
    let mut next = next(&explorer, &options);
    next.index(station().build(false));
    assert!(next.model.resume.is_some());
    // Leaving before the index is there forgets nothing.
    assert_eq!(Memory::of(&next.model).place, Memory::of(&explorer.model).place);
    next.index(index());
    assert!(next.text().contains("Stub · Station "), "{}", next.text());
}

#[test]
fn what_is_gone_is_no_trap() {
    let mut explorer = explorer();
    explorer.keys("fstation kind:class<Enter>p<Enter>");
    let mut next = next(&explorer, &Explorer::options());
    // Of another repository nothing is found: its pins would break every stub.
    next.index(station().build(true));
    assert_eq!(next.model.overrides.revision(), 0);
    assert!(next.text().contains("no longer pinned or banned"), "{}", next.text());
    assert!(next.model.preview.stub().is_some());
    assert!(next.model.page.is_none());
}

#[test]
fn some_calls_are_remembered_as_those() {
    let mut explorer = explorer();
    // The calls of one recipe.
    explorer.keys("fstation kind:class<Enter>rjj<Enter>");
    let before = explorer.text();
    assert!(before.contains(" and nothing else"), "{before}");
    let mut next = next(&explorer, &Explorer::options());
    next.index(index());
    assert_eq!(next.text(), before);
}
