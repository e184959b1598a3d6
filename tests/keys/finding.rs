//! The finder: searching by name, and going to a hit.

use apidisc::{control::Control, index::Scope, indexer::build, source::Source};
use apidisc_tui::tui::{
    geometry::{self, Pane},
    input::{Mouse, MouseAction},
    message::Message,
    model::{Overlay, Topic, page::PageSubject},
};

use crate::support::{drive::Explorer, station};

fn explorer() -> Explorer {
    let mut explorer = Explorer::new(120, 40);
    explorer.index(station().build(true));
    explorer
}

/// The full names of the hits, best first.
fn found(explorer: &Explorer) -> Vec<&str> {
    let Some(Overlay::Find(finder)) = &explorer.model.overlay else { panic!("the finder is closed") };
    finder.hits.iter().map(|hit| hit.full_name.as_str()).collect()
}

#[track_caller]
fn assert_found(typed: &str, expected: &[&str]) {
    let mut explorer = explorer();
    explorer.keys("f").keys(typed);
    assert_eq!(found(&explorer), expected, "{typed}");
}

#[test]
fn likely_names_come_first() {
    let mut explorer = explorer();
    explorer.keys("fagent");
    // The most called class, the package, then other names that contain the letters.
    assert_eq!(found(&explorer)[..3], ["station.Agent", "station.agents", "station.agents.core.Agent.run"]);
    explorer.keys("<Esc>frun");
    assert_eq!(found(&explorer)[0], "station.agents.core.Agent.run");
    // A full name, by the module that defines the class.
    explorer.keys("<Esc>fstation.agents.core.Agent.run");
    assert_eq!(found(&explorer)[0], "station.agents.core.Agent.run");
    // Words match in any order.
    explorer.keys("<Esc>frun agent");
    assert_eq!(found(&explorer)[0], "station.agents.core.Agent.run");
}

#[test]
fn types_lead_to_what_makes_and_takes_them() {
    let mut explorer = Explorer::demo(120, 40);
    explorer.keys("fmakes:Store kind:function");
    assert_eq!(found(&explorer), ["windvane.open_store"]);
    explorer.keys("<Esc>f-> Store");
    assert!(found(&explorer).contains(&"windvane.open_store"), "{:?}", found(&explorer));
    explorer.keys("<Esc>fis:Store");
    assert_eq!(found(&explorer).len(), 2, "{:?}", found(&explorer));
    explorer.keys("<Esc>fwindvane.Store<Enter><Enter>/open_store<Enter>");
    let text = explorer.text();
    assert!(text.contains("Made by") && text.contains("open_store"), "{text}");
}

#[test]
fn filters_narrow_what_is_found() {
    assert_found("kind:class", &["station.Agent", "station.agents.core.BaseAgent"]);
    assert_found("kind:constant", &["station.tools.LIMIT"]);
    assert_found("kind:mod tools", &["station.tools"]);
    assert_found("unused kind:function", &["station.tools.unused"]);
    assert_found("unused kind:param in:agents", &["station.Agent(before_call)"]);
    assert_found("param:retr kind:func", &["station.tools.fetch"]);
    assert_found("in:core kind:method", &["station.agents.core.Agent.run", "station.agents.core.Agent.close"]);
    assert_found("kind:parameter timeo", &["station.agents.core.Agent.run(timeout)"]);
    assert_found("kind:class in:nowhere", &[]);
}

#[test]
fn a_name_beyond_ascii_is_found_by_its_letters() {
    let mut explorer = explorer();
    explorer.keys("fgrosse");
    assert_eq!(found(&explorer), [] as [&str; 0]);
    explorer.keys("<Esc>fgröße");
    assert_eq!(found(&explorer)[0], "station.agents.größe");
    explorer.keys("<Esc>fgro kind:func");
    assert_eq!(found(&explorer), ["station.agents.größe"]);
    explorer.keys("<Esc>fbreite 日");
    assert_eq!(found(&explorer), ["station.agents.größe(breite_in_日本)"]);
}

#[test]
fn enter_goes_to_the_hit() {
    let mut explorer = explorer();
    explorer.keys("ffetch<Enter>");
    assert!(explorer.model.overlay.is_none());
    assert_eq!(explorer.model.focus, Pane::Symbols);
    let Some(Scope::Definition(id)) = explorer.model.scope() else { panic!("no definition is selected") };
    assert_eq!(explorer.model.catalog.as_ref().unwrap().index.definition(id).fqn, "station.tools.fetch");
    // The module of the hit is selected too.
    assert!(explorer.text().contains("▌"), "{}", explorer.text());
    assert_eq!(explorer.model.modules.selected().unwrap().scope, Scope::Module(apidisc::program::ModuleId::new(3)));
    // Going to a parameter opens its page, and behind it the class that contains its method.
    explorer.keys("<C-p>timeout<Enter>");
    let page = explorer.model.page.as_ref().expect("the page of the argument is open");
    assert!(matches!(page.subject, PageSubject::About(Topic::Argument(..))), "{:?}", page.subject);
    explorer.keys("<Esc>");
    assert_eq!(explorer.model.focus, Pane::Arguments);
    assert!(explorer.text().contains("timeout: float = 30.0"), "{}", explorer.text());
    // Going to a module.
    explorer.keys("ftools kind:module<Enter>");
    assert_eq!(explorer.model.focus, Pane::Modules);
    assert!(explorer.text().contains("Stub · station.tools "), "{}", explorer.text());
    // Going to a private definition lists private definitions.
    explorer.keys("f_private<Enter>");
    assert!(explorer.model.has_private && explorer.text().contains("Stub · _private "), "{}", explorer.text());
}

#[test]
fn enter_waits_for_the_hits_of_the_typed_query() {
    let mut explorer = explorer();
    explorer.is_slow = true;
    explorer.keys("ffetch<Enter>");
    assert!(explorer.model.overlay.is_some(), "the answer is still on its way");
    explorer.settle();
    assert!(explorer.model.overlay.is_none());
    explorer.settle();
    assert!(explorer.text().contains("Stub · fetch "), "{}", explorer.text());
}

#[test]
fn keys_after_enter_apply_to_the_place_of_the_hit() {
    let mut explorer = explorer();
    explorer.is_slow = true;
    explorer.keys("frun kind:method<Enter>dc");
    assert!(explorer.text().contains("> run kind:method "), "{}", explorer.text());
    explorer.settle();
    let page = explorer.model.page.as_ref().expect("the page of calls is open");
    assert!(matches!(page.subject, PageSubject::Calls(_)) && explorer.model.overlay.is_none());
    // The first of the two keys was applied too.
    explorer.keys("[").settle();
    assert!(matches!(explorer.model.page.as_ref().unwrap().subject, PageSubject::About(_)));
    // Hits of the present query are accepted without a wait.
    explorer.keys("<Esc>ffetch").settle();
    explorer.keys("<Enter>");
    assert!(explorer.model.overlay.is_none());
    // Waiting can be cancelled.
    explorer.settle().keys("fnothing_of_that_name<Enter>j<Esc>").settle();
    assert!(explorer.model.overlay.is_none() && explorer.model.page.is_none());
}

#[test]
fn definitions_come_before_their_parameters_and_files() {
    let mut explorer = Explorer::demo(120, 40);
    explorer.keys("fstatn");
    assert!(found(&explorer)[0].ends_with(".Station"), "{:?}", &found(&explorer)[..3]);
    // A definition comes before the file of the same name; a package named in full comes before its contents.
    let text = "export function widget(a: number) {}\nexport function other() {}\nother();\nother();\nwidget(1);\n";
    let files = vec![("src/widget.ts".into(), text.as_bytes().into())];
    let source = Source::Memory { name: "widgets".to_owned(), files };
    let mut explorer = Explorer::new(120, 40);
    explorer.index(build(&source, &mut |_| Control::Continue).unwrap().unwrap()).keys("fwidget");
    let topic = |explorer: &Explorer| match &explorer.model.overlay {
        Some(Overlay::Find(finder)) => Topic::from(finder.hits[0].target),
        _ => panic!("the finder is closed"),
    };
    assert!(matches!(topic(&explorer), Topic::Definition(_)), "{:?}", found(&explorer));
    let mut explorer = Explorer::demo(120, 40);
    explorer.keys("fwindvane.sensors");
    assert!(matches!(topic(&explorer), Topic::Module(_)), "{:?}", &found(&explorer)[..3]);
    explorer.keys("<Esc>");
    // A class comes before its members, though they match by its name too and are called more often.
    explorer.keys("<Esc>fbasesensor");
    assert!(found(&explorer)[0].ends_with(".BaseSensor"), "{:?}", &found(&explorer)[..3]);
}

#[test]
fn the_preview_follows_the_selection() {
    let mut explorer = explorer();
    explorer.keys("ffetch");
    let shown = |explorer: &Explorer| match &explorer.model.overlay {
        Some(Overlay::Find(finder)) => finder.shown.map(|shown| shown.1),
        _ => None,
    };
    assert!(matches!(shown(&explorer), Some(Topic::Definition(_))));
    assert!(explorer.text().contains("88 calls"), "{}", explorer.text());
    explorer.keys("<Down>");
    assert!(matches!(shown(&explorer), Some(Topic::Argument(..))));
    assert!(explorer.text().contains("passed 88 of 88, 100%"), "{}", explorer.text());
}

#[test]
fn a_click_goes_to_the_hit_and_a_new_index_is_searched_again() {
    let mut explorer = explorer();
    explorer.keys("fspread");
    explorer.index(station().build(true));
    assert_eq!(found(&explorer)[0], "station.tools.spread");
    let list = geometry::finder(explorer.model.size).list;
    explorer.send(Message::Mouse(Mouse { action: MouseAction::Press, column: list.x + 3, row: list.y }));
    assert!(explorer.text().contains("Stub · spread "), "{}", explorer.text());
}

#[test]
fn a_target_with_two_names_is_found_by_either_and_counted_once() {
    let mut explorer = Explorer::demo(120, 40);
    explorer.keys("ftemperaturesensor kind:class");
    let [first, ..] = found(&explorer)[..] else { panic!("nothing is found") };
    assert_eq!(first, "windvane.sensors.air.TemperatureSensor");
    let topic = |explorer: &Explorer| match &explorer.model.overlay {
        Some(Overlay::Find(finder)) => Topic::from(finder.hits[0].target),
        _ => panic!("the finder is closed"),
    };
    let by_its_own_name = topic(&explorer);
    explorer.keys("<Esc>fthermometer kind:class");
    assert_eq!(topic(&explorer), by_its_own_name);
    // If both names match, there is one hit.
    explorer.keys("<Esc>fwindvane kind:class");
    let Some(Overlay::Find(finder)) = &explorer.model.overlay else { panic!("the finder is closed") };
    assert_eq!(finder.hits.len(), finder.total);
    assert_eq!(finder.hits.iter().filter(|hit| Topic::from(hit.target) == by_its_own_name).count(), 1);
}

#[test]
fn hits_of_one_name_name_what_tells_them_apart() {
    let mut builder = station();
    let kind = apidisc::program::DefinitionKind::Function;
    for name in ["left", "right"] {
        let module = builder.module(name, apidisc::source::Origin::Src, false);
        let id = builder.define(module, None, kind, "twin", 3, &[]);
        builder.change(id, |d| (d.alias, d.is_public) = ("station.twin".into(), true));
    }
    let mut explorer = Explorer::new(120, 40);
    explorer.index(builder.build(true)).keys("ftwin");
    assert_eq!(found(&explorer), ["station.twin", "station.twin"]);
    let text = explorer.text();
    assert!(text.contains("ƒ twin  left ") && text.contains("ƒ twin  right "), "{text}");
}

#[test]
fn each_number_of_the_ledger_leads_to_what_it_counts() {
    let mut explorer = Explorer::demo(120, 40);
    explorer.keys("i<Enter>");
    let text = explorer.text();
    assert!(text.contains("Calls of this code") && text.contains("definitions are called"), "{text}");
    explorer.keys("[");
    let text = explorer.text();
    assert!(text.contains("Ledger") && text.contains("Not resolved"), "{text}");
    explorer.keys("/outside<Enter><Enter>");
    let text = explorer.text();
    assert!(text.contains("Calls of something outside"), "{text}");
    explorer.keys("<Esc>");
    assert!(explorer.model.page.is_none());
}

#[test]
fn a_call_that_is_not_resolved_says_why() {
    let mut explorer = Explorer::demo(120, 40);
    explorer.keys("i/type<Enter><Enter>");
    let text = explorer.text();
    assert!(text.contains("Calls that are not resolved") && text.contains("type is not known"), "{text}");
    explorer.keys("<Enter>");
    let text = explorer.text();
    for words in ["Not resolved", "Step by step", "counted for none", "Stands in"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    explorer.keys("[[");
    assert!(explorer.text().contains("Ledger"), "{}", explorer.text());
}
