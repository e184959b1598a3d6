//! What a person does, and where that leads.

use apidisc::{
    engine::{index::Scope, strategy::Strategy},
    tui::{
        input::{Mouse, MouseAction},
        layout,
        message::Message,
        model::Pane,
    },
};

use crate::support::{drive::Explorer, station};

fn explorer() -> Explorer {
    let mut explorer = Explorer::new(120, 40);
    explorer.index(station().build(true));
    explorer
}

/// The name of the selected symbol.
fn symbol(explorer: &Explorer) -> String {
    let catalog = explorer.model.catalog.as_ref().unwrap();
    explorer.model.definition().map_or(String::new(), |id| catalog.index.definition(id).name.to_string())
}

fn stub(explorer: &Explorer) -> &str {
    assert!(explorer.model.preview.is_current());
    &explorer.model.preview.document().unwrap().delivery.text
}

#[test]
fn the_preview_shows_what_is_selected() {
    let mut explorer = explorer();
    assert_eq!(explorer.model.scope(), Some(Scope::Repository));
    explorer.keys("<Tab>");
    assert!(stub(&explorer).contains("class Agent"));
    explorer.keys("j");
    assert!(stub(&explorer).contains("def fetch"));
    assert!(!stub(&explorer).contains("class Agent"));
    // The preview keeps its subject when it gets the keys.
    explorer.keys("<Tab><Tab>");
    assert_eq!(explorer.model.focus, Pane::Preview);
    assert!(stub(&explorer).contains("def fetch"));
    explorer.keys("<Tab>");
    assert_eq!(explorer.model.scope(), Some(Scope::Repository));
}

#[test]
fn arrows_and_letters_walk_the_tree() {
    let mut explorer = explorer();
    // everything, station, then below it what is called most.
    explorer.keys("jj");
    assert!(explorer.text().contains("Stub · station.agents "));
    // Open it, go in, come back.
    explorer.keys("l");
    assert_eq!(explorer.model.modules.rows.len(), 7);
    explorer.keys("<Down>l");
    assert_eq!(explorer.model.focus, Pane::Symbols);
    explorer.keys("h<Left>");
    assert!(explorer.text().contains("Stub · station.agents "));
    explorer.keys("h");
    assert_eq!(explorer.model.modules.rows.len(), 6);
}

#[test]
fn what_is_taken_along_is_what_the_filter_finds_however_fast_one_types() {
    let mut explorer = explorer();
    explorer.keys("<Tab>");
    explorer.is_slow = true;
    explorer.keys("/fet<Enter>y").settle();
    assert_eq!(explorer.taken.len(), 1);
    assert!(explorer.taken[0].starts_with("copied") && explorer.taken[0].contains("def fetch"), "{:?}", explorer.taken);

    explorer.keys("<Esc>/agent<Enter>o").settle();
    assert!(explorer.taken[1].starts_with("opened") && explorer.taken[1].ends_with("Agent"), "{:?}", explorer.taken);

    explorer.keys("<Esc>/fet<Enter>w").settle();
    let screen = explorer.text();
    assert!(screen.contains("fetch.pyi") && screen.contains("fetch "), "{screen}");
    explorer.keys("<Enter>").settle();
    assert!(explorer.taken[2].starts_with("wrote") && explorer.taken[2].contains("def fetch"), "{:?}", explorer.taken);
}

#[test]
fn a_filter_selects_the_best_match_and_gives_the_list_back() {
    let mut explorer = explorer();
    explorer.keys("<Tab>/fet");
    assert_eq!(symbol(&explorer), "fetch");
    explorer.keys("<Enter>");
    assert_eq!(explorer.model.editing, None);
    assert!(explorer.model.symbols.filter.is_on());
    explorer.keys("<Esc>");
    assert!(!explorer.model.symbols.filter.is_on());
    assert_eq!(explorer.model.symbols.rows.len(), 7);
    assert_eq!(symbol(&explorer), "fetch");
    // A member that was found is shown below its class.
    explorer.keys("/run<Enter><Esc>");
    assert_eq!(symbol(&explorer), "run");
    assert_eq!(explorer.model.symbols.selected().unwrap().depth, 1);
}

#[test]
fn letters_typed_into_a_filter_are_no_commands() {
    let mut explorer = explorer();
    explorer.keys("/qsy?<Backspace><Backspace>");
    assert!(!explorer.has_quit);
    assert_eq!(explorer.model.modules.filter.pattern(), "qs");
    explorer.keys("<C-u>");
    assert!(!explorer.model.modules.filter.is_on());
    explorer.keys("<Esc>q");
    assert!(explorer.has_quit);
}

#[test]
fn answers_to_older_questions_are_dropped() {
    let mut explorer = explorer();
    explorer.keys("<Tab>");
    explorer.is_slow = true;
    explorer.keys("jkj");
    assert!(!explorer.model.preview.is_current());
    explorer.settle();
    assert!(explorer.model.preview.is_current());
    assert!(stub(&explorer).contains("def fetch"));
}

#[test]
fn a_copy_waits_for_the_stub_it_is_meant_for() {
    let mut explorer = explorer();
    explorer.is_slow = true;
    explorer.keys("<Tab>jy");
    assert!(explorer.taken.is_empty());
    explorer.settle();
    assert_eq!(explorer.taken, [format!("copied {}", stub(&explorer))]);
    assert!(explorer.text().contains("tokens by OSC 52"));
}

#[test]
fn writing_asks_before_it_replaces() {
    let mut explorer = explorer();
    explorer.keys("w<C-u>there.pyi<Enter>");
    assert!(explorer.taken.is_empty());
    assert!(explorer.text().contains("is there already"));
    // Another path needs another answer.
    explorer.keys("x<Backspace>");
    assert!(!explorer.text().contains("is there already"));
    explorer.keys("<Enter><Enter>");
    assert_eq!(explorer.taken, [format!("wrote {}", stub(&explorer))]);
    assert!(explorer.text().contains("to there.pyi"));
}

#[test]
fn the_prompt_names_the_command_that_prints_the_same() {
    let mut explorer = explorer();
    explorer.keys("<Tab>s--w");
    let screen = explorer.text();
    assert!(screen.contains("apidisc-tui --export ~/src/station --symbol station.agents.core.Agent"), "{screen}");
    assert!(screen.contains("--min-frequency 0.1"), "{screen}");
}

#[test]
fn strategies_and_numbers_change_the_stub() {
    let mut explorer = explorer();
    explorer.keys("<Tab>s");
    assert_eq!(explorer.model.settings.strategy, Strategy::Threshold { min_frequency: 0.2 });
    assert!(!stub(&explorer).contains("planner: "));
    explorer.keys("SS");
    assert_eq!(explorer.model.settings.strategy, Strategy::Exhaustive);
    assert!(stub(&explorer).contains("planner: "));
    explorer.keys("+");
    assert!(explorer.text().contains("everything is shown"));
    explorer.keys("e");
    assert!(explorer.text().contains(explorer.model.settings.encoding.name()));
}

#[test]
fn from_a_budget_that_is_too_small_one_step_leads_to_one_that_works() {
    let mut explorer = explorer();
    explorer.keys("<Tab><<<<<<<<<<<<");
    assert!(explorer.model.preview.shown.as_ref().unwrap().result.is_err());
    explorer.keys("+");
    let Strategy::TokenBudget { max_tokens } = explorer.model.settings.strategy else { panic!("no budget") };
    assert!(explorer.model.preview.document().unwrap().delivery.tokens <= max_tokens);
}

#[test]
fn a_new_index_keeps_ones_place_by_name() {
    let mut explorer = Explorer::new(120, 40);
    explorer.index(station().build(false)).keys("jj<Tab>j");
    let before = symbol(&explorer);
    // The next index has other ids: a module and a definition come before all others.
    let mut builder = crate::support::Builder::default();
    let first = builder.module("first", apidisc::engine::usage::Origin::Src, false);
    builder.define(first, None, apidisc::engine::index::DefinitionKind::Function, "aaa", 9_000, &[]);
    let builder = crate::support::fill(builder);
    explorer.index(builder.build(true));
    assert_eq!(symbol(&explorer), before);
    assert_eq!(explorer.model.focus, Pane::Symbols);
    assert!(explorer.text().contains(&before));
}

#[test]
fn who_has_chosen_nothing_stays_at_the_top() {
    let mut explorer = Explorer::new(120, 40);
    explorer.index(station().build(false));
    assert_eq!(symbol(&explorer), "Agent");
    let mut builder = station();
    let module = builder.module("busy", apidisc::engine::usage::Origin::Src, false);
    builder.define(module, None, apidisc::engine::index::DefinitionKind::Function, "top", 10_000, &[]);
    explorer.index(builder.build(true));
    assert_eq!(symbol(&explorer), "top");
}

#[test]
fn the_mouse_selects_opens_and_scrolls() {
    let mut explorer = explorer();
    let areas = layout::areas(&explorer.model).unwrap();
    let at = |pane: Pane, row: u16| {
        let body = areas.pane(pane).body;
        (body.x + 4, body.y + row)
    };
    let mut mouse = |action, (column, row)| {
        explorer.send(Message::Mouse(Mouse { action, column, row }));
    };
    mouse(MouseAction::Press, at(Pane::Symbols, 0));
    mouse(MouseAction::Press, at(Pane::Symbols, 1));
    mouse(MouseAction::WheelDown, at(Pane::Preview, 1));
    assert_eq!(explorer.model.focus, Pane::Symbols);
    assert_eq!(explorer.model.symbols.rows.len(), 10, "the first press opened the class that was selected");
    assert_eq!(symbol(&explorer), "run");
}

#[test]
fn every_module_lists_what_a_stub_of_it_is_made_of() {
    let mut paused = |_| apidisc::engine::index::Control::Continue;
    let demo = apidisc::engine::index::build(&apidisc::demo::source(), &mut paused).unwrap().unwrap();
    for index in [demo, station().build(true)] {
        let catalog = apidisc::tui::model::Catalog::new(std::sync::Arc::new(index), 1);
        let modules = (0..catalog.index.modules.len()).map(|i| Scope::Module(apidisc::engine::index::ModuleId::new(i)));
        for scope in modules.chain([Scope::Repository]) {
            assert_eq!(catalog.listed(scope, false).to_vec(), catalog.index.members(scope));
        }
    }
}

#[test]
fn private_definitions_are_there_for_those_who_ask() {
    let mut explorer = explorer();
    assert!(!explorer.text().contains("_private"));
    explorer.keys("a");
    assert!(explorer.text().contains("_private"));
}

#[test]
fn the_editor_opens_the_definition() {
    let mut explorer = explorer();
    explorer.keys("<Tab>jo");
    explorer.keys("<Enter>");
    assert_eq!(explorer.taken, ["opened station.tools.fetch", "opened station.tools.fetch"]);
}
