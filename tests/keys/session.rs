//! The session: the state that is saved for a repository, how it is restored, and its precedence.

use apidisc::{overrides::Overrides, strategy::Strategy, stub::Wording};
use apidisc_tui::tui::{ExplorerOptions, geometry::Pane, session::Session};

use crate::support::{
    drive::{Explorer, indexed_demo, python_demo},
    station,
};

/// The explorer opened again with the saved session, before it has an index.
fn next(explorer: &Explorer, options: &ExplorerOptions) -> Explorer {
    let text = Session::of(&explorer.model).to_toml("/home/x/windvane");
    let mut next = Explorer::new(120, 40);
    next.source = Some(python_demo());
    if let Some(symbol) = &options.symbol {
        next.model.start_target =
            Some(apidisc_tui::tui::model::StartTarget { module: None, symbol: Some(symbol.clone()) });
    }
    next.model.restore_session(Session::parse(&text).unwrap(), options);
    next
}

fn explorer() -> Explorer {
    let mut explorer = Explorer::new(120, 40);
    explorer.source = Some(python_demo());
    explorer.index(indexed_demo());
    explorer
}

#[test]
fn a_session_is_restored() {
    let mut explorer = explorer();
    // A filter, an argument, a mark, a budget, weights, a pin, another tokenizer, a wider pane, private names.
    explorer.keys("fstation kind:class<Enter>ma<Tab>/lat<Enter>p---e2a>>");
    let before = explorer.text();
    let mut next = next(&explorer, &Explorer::options());
    next.index(indexed_demo());
    assert_eq!(next.model.settings, explorer.model.settings);
    assert_eq!(next.model.overrides.all(), explorer.model.overrides.all());
    assert_eq!((next.model.focus, next.model.has_private), (Pane::Arguments, true));
    // Everything on the screen is the same but the toast.
    let screen = |text: &str| text.lines().take(39).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(screen(&next.text()), screen(&before));
    next.keys("g<Esc><BackTab><BackTab>'a");
    assert!(next.text().contains("Stub · Station "), "{}", next.text());
    // The restored session is saved unchanged.
    let again = Session::of(&next.model);
    assert_eq!(again.marks, Session::of(&explorer.model).marks);
}

#[test]
fn what_is_remembered_can_be_forgotten() {
    let mut explorer = explorer();
    explorer.keys("fstation kind:class<Enter>maa<Tab>p---e>>:forget<Enter>");
    assert!(explorer.text().contains("place, settings, pins and marks are forgotten"), "{}", explorer.text());
    let fresh = self::explorer();
    assert_eq!(Session::of(&explorer.model).to_toml("/x"), Session::of(&fresh.model).to_toml("/x"));
}

#[test]
fn an_open_page_is_restored() {
    let mut explorer = explorer();
    explorer.keys("fstation(latitude<Enter>jjj");
    let before = explorer.text();
    let mut next = next(&explorer, &Explorer::options());
    next.index(indexed_demo());
    assert_eq!(next.text(), before);
    next.keys("<Esc>");
    assert!(next.model.page.is_none());
}

#[test]
fn a_chosen_theme_is_restored() {
    let mut explorer = explorer();
    assert_eq!(Session::of(&explorer.model).theme, None);
    explorer.keys("Tnord<Esc>");
    assert_eq!(Session::of(&explorer.model).theme, None);
    explorer.keys("Tnord<Enter>");
    assert_eq!(Session::of(&explorer.model).theme.as_deref(), Some("nord"));
}

#[test]
fn the_command_line_comes_before_the_session() {
    let mut explorer = explorer();
    explorer.keys("fstation kind:class<Enter>p--ev2");
    let options = ExplorerOptions {
        strategy: Some(Strategy::Exhaustive),
        weights: Some("docs=0".parse().unwrap()),
        overrides: Some(Overrides::default()),
        symbol: Some("Reading".to_owned()),
        ..Explorer::options()
    };
    let mut next = next(&explorer, &options);
    next.index(indexed_demo());
    assert_eq!(next.model.settings.strategy, Strategy::Exhaustive);
    assert_eq!(next.model.settings.weights, "docs=0".parse().unwrap());
    // Settings that the command line does not name are restored, also the budget of a strategy that is not chosen.
    assert_eq!(next.model.settings.encoding, explorer.model.settings.encoding);
    assert_eq!(next.model.settings.wording, Wording::Full);
    assert_eq!(next.model.overrides.revision(), 0);
    assert!(next.text().contains("Stub · Reading"), "{}", next.text());
    next.keys("s");
    assert_eq!(next.model.settings.strategy, explorer.model.settings.strategy);
}

#[test]
fn a_location_opened_before_the_index_arrives_stays() {
    let mut explorer = explorer();
    explorer.keys("fbasesensor kind:class<Enter>");
    let mut next = next(&explorer, &Explorer::options());
    next.keys("<Tab>").index(indexed_demo());
    assert_eq!(next.model.focus, Pane::Symbols);
    assert!(!next.text().contains("Stub · BaseSensor"), "{}", next.text());
}

#[test]
fn the_location_is_restored_once_an_index_contains_it() {
    let mut explorer = explorer();
    explorer.keys("fstation kind:class<Enter>");
    let options = Explorer::options();
    let mut next = next(&explorer, &options);
    next.index(station().build(false));
    assert!(next.model.resume.is_some());
    // Exiting before the location is restored saves it again.
    assert_eq!(Session::of(&next.model).location, Session::of(&explorer.model).location);
    next.index(indexed_demo());
    assert!(next.text().contains("Stub · Station "), "{}", next.text());
}

#[test]
fn names_that_no_longer_exist_are_ignored() {
    let mut explorer = explorer();
    explorer.keys("fstation kind:class<Enter>p<Enter>");
    let mut next = next(&explorer, &Explorer::options());
    // The index of another repository has none of the names; pins of unknown names would break every stub.
    next.index(station().build(true));
    assert_eq!(next.model.overrides.revision(), 0);
    assert!(next.text().contains("no longer pinned or banned"), "{}", next.text());
    assert!(next.model.preview.stub().is_some());
    assert!(next.model.page.is_none());
}

#[test]
fn filters_of_calls_are_restored() {
    let mut explorer = explorer();
    // The calls of one recipe.
    explorer.keys("fstation kind:class<Enter>rjj<Enter>");
    let before = explorer.text();
    assert!(before.contains(" and nothing else"), "{before}");
    let mut next = next(&explorer, &Explorer::options());
    next.index(indexed_demo());
    assert_eq!(next.text(), before);
}
