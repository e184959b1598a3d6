//! Journeys: sequences of keys and clicks, and the state of the explorer after them.

use std::time::Duration;

use apidisc::{
    index::Scope,
    strategy::Strategy,
    stub::{Docs, Wording},
};
use apidisc_tui::tui::{geometry::Pane, message::Message};

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
    &explorer.model.preview.stub().unwrap().delivery.text
}

#[test]
fn the_preview_shows_the_selection() {
    let mut explorer = explorer();
    assert_eq!(explorer.model.scope(), Some(Scope::Repository));
    explorer.keys("<Tab>");
    assert!(stub(&explorer).contains("class Agent"));
    explorer.keys("j");
    assert!(stub(&explorer).contains("def fetch"));
    assert!(!stub(&explorer).contains("class Agent"));
    // The preview keeps its scope when it gets the focus.
    explorer.keys("<Tab><Tab>");
    assert_eq!(explorer.model.focus, Pane::Preview);
    assert!(stub(&explorer).contains("def fetch"));
    explorer.keys("<Tab>");
    assert_eq!(explorer.model.scope(), Some(Scope::Repository));
}

#[test]
fn arrows_and_letters_walk_the_tree() {
    let mut explorer = explorer();
    // From `everything` to `station`, then to its most called module.
    explorer.keys("jj");
    assert!(explorer.text().contains("Stub · station.agents "));
    // Open the package, go in, come back.
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
fn copying_waits_for_the_filter() {
    let mut explorer = explorer();
    explorer.keys("<Tab>");
    explorer.is_slow = true;
    explorer.keys("/fet<Enter>y").settle();
    assert_eq!(explorer.performed.len(), 1);
    assert!(
        explorer.performed[0].starts_with("copied") && explorer.performed[0].contains("def fetch"),
        "{:?}",
        explorer.performed
    );

    explorer.keys("<Esc>/agent<Enter>o").settle();
    assert!(
        explorer.performed[1].starts_with("opened") && explorer.performed[1].ends_with("core.py:10"),
        "{:?}",
        explorer.performed
    );

    explorer.keys("<Esc>/fet<Enter>w").settle();
    let screen = explorer.text();
    assert!(screen.contains("fetch.pyi") && screen.contains("fetch "), "{screen}");
    explorer.keys("<Enter>").settle();
    assert!(
        explorer.performed[2].starts_with("wrote") && explorer.performed[2].contains("def fetch"),
        "{:?}",
        explorer.performed
    );
}

#[test]
fn a_filter_selects_the_best_match_and_can_be_removed() {
    let mut explorer = explorer();
    explorer.keys("<Tab>/fet");
    assert_eq!(symbol(&explorer), "fetch");
    explorer.keys("<Enter>");
    assert_eq!(explorer.model.editing, None);
    assert!(explorer.model.symbols.state.filter.is_on());
    explorer.keys("<Esc>");
    assert!(!explorer.model.symbols.state.filter.is_on());
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
    assert_eq!(explorer.model.modules.state.filter.pattern(), "qs");
    explorer.keys("<C-u>");
    assert!(!explorer.model.modules.state.filter.is_on());
    explorer.keys("<Esc>q");
    assert!(explorer.has_quit);
}

#[test]
fn answers_to_older_jobs_are_dropped() {
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
fn a_copy_waits_for_its_stub() {
    let mut explorer = explorer();
    explorer.is_slow = true;
    explorer.keys("<Tab>jy");
    assert!(explorer.performed.is_empty());
    explorer.settle();
    assert_eq!(explorer.performed, [format!("copied {}", stub(&explorer))]);
    assert!(explorer.text().contains("tokens by OSC 52"));
}

#[test]
fn writing_asks_before_it_replaces() {
    let mut explorer = explorer();
    explorer.keys("w<C-u>there.pyi<Enter>");
    assert!(explorer.performed.is_empty());
    assert!(explorer.text().contains("is there already"));
    // The question is asked again for another path.
    explorer.keys("x<Backspace>");
    assert!(!explorer.text().contains("is there already"));
    explorer.keys("<Enter><Enter>");
    assert_eq!(explorer.performed, [format!("wrote {}", stub(&explorer))]);
    assert!(explorer.text().contains("to there.pyi"));
}

#[test]
fn the_prompt_names_the_command_that_prints_the_same_bytes() {
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
fn a_key_goes_through_the_wordings() {
    let mut explorer = explorer();
    let last_line = |explorer: &Explorer| explorer.text().lines().last().unwrap_or_default().to_owned();
    assert_eq!(explorer.model.settings.wording, Wording::Auto);
    for wording in [Wording::Full, Wording::Lean, Wording::Calls] {
        explorer.keys("v");
        assert_eq!(explorer.model.settings.wording, wording);
        assert!(last_line(&explorer).contains(wording.name()), "{}", last_line(&explorer));
    }
    assert!(stub(&explorer).contains("names alone"), "{}", stub(&explorer));
    explorer.keys("v");
    assert_eq!(explorer.model.settings.wording, Wording::Auto);
}

#[test]
fn a_key_goes_through_the_amounts_of_documentation() {
    let mut explorer = explorer();
    assert_eq!(explorer.model.settings.docs, Docs::Summary);
    for docs in [Docs::Full, Docs::None, Docs::Summary] {
        explorer.keys("V");
        assert_eq!(explorer.model.preview.stub().unwrap().delivery.docs, docs);
        let says_so = explorer.text().contains(&format!("docs {}", docs.name()));
        assert_eq!(says_so, docs != Docs::Summary, "{}", explorer.text());
    }
}

#[test]
fn a_step_up_from_a_budget_that_is_too_small_reaches_one_that_works() {
    let mut explorer = explorer();
    explorer.keys("<Tab>{{{{{{{{{{{{");
    assert!(explorer.model.preview.shown.as_ref().unwrap().result.is_err());
    explorer.keys("+");
    let Strategy::TokenBudget { max_tokens } = explorer.model.settings.strategy else { panic!("no budget") };
    assert!(explorer.model.preview.stub().unwrap().delivery.tokens <= max_tokens);
}

#[test]
fn a_new_index_keeps_the_location_by_name() {
    let mut explorer = Explorer::new(120, 40);
    explorer.index(station().build(false)).keys("jj<Tab>j");
    let before = symbol(&explorer);
    // The next index has other ids: a module and a definition come before all others.
    let mut builder = crate::support::Builder::default();
    let first = builder.module("first", apidisc::source::Origin::Src, false);
    builder.define(first, None, apidisc::program::DefinitionKind::Function, "aaa", 9_000, &[]);
    let builder = crate::support::fill(builder);
    explorer.index(builder.build(true));
    assert_eq!(symbol(&explorer), before);
    assert_eq!(explorer.model.focus, Pane::Symbols);
    assert!(explorer.text().contains(&before));
}

#[test]
fn a_new_index_keeps_the_scroll_position_of_the_stub() {
    let mut explorer = Explorer::new(120, 20);
    explorer.index(station().build(true)).keys("<Tab>j<BackTab>jj<Tab><Tab><Tab>jjj");
    let (line, name) = (explorer.model.preview.cursor.selected, symbol(&explorer));
    assert_eq!(line, 3);
    let mut builder = crate::support::Builder::default();
    let first = builder.module("first", apidisc::source::Origin::Src, false);
    builder.define(first, None, apidisc::program::DefinitionKind::Function, "aaa", 9_000, &[]);
    explorer.index(crate::support::fill(builder).build(true));
    assert_eq!((explorer.model.preview.cursor.selected, symbol(&explorer)), (line, name));
}

#[test]
fn indexing_can_be_stopped_and_continued() {
    let parsed =
        || Message::Parsed { done: 500, total: 1000, calls: 7_000, share: 0.5, elapsed: Duration::from_secs(2) };
    for key in ["x", "<Esc>"] {
        let mut explorer = Explorer::new(120, 40);
        explorer.send(parsed());
        assert!(
            explorer.text().contains("500 of 1,000 files · 7,000 calls · 250 files/s · 2 s left"),
            "{}",
            explorer.text()
        );
        explorer.index(station().build(false)).send(parsed()).keys(key);
        assert_eq!(explorer.performed, ["stopped"], "{key}");
        explorer.send(Message::Stopped { done: 500, total: 1000 });
        assert!(explorer.text().contains("stopped at 500 of 1,000 files · R goes on"), "{}", explorer.text());
        explorer.keys("R");
        assert_eq!(explorer.performed, ["stopped", "indexed again"]);
    }
    // Without indexing in progress Esc has its other meaning.
    let mut explorer = explorer();
    explorer.keys("/agents<Enter><Esc><Esc>x");
    assert!(explorer.performed.is_empty() && explorer.text().contains("nothing is being indexed"));
}

#[test]
fn problems_have_their_own_page() {
    let mut explorer = explorer();
    explorer.keys("!");
    assert!(explorer.text().contains("Everything was read in full."));
    let mut index = station().build(true);
    let problem = apidisc::diagnostic::Problem::Syntax;
    let message = "line 3: not valid syntax".to_owned();
    index.diagnostics.push(apidisc::diagnostic::Diagnostic { path: "a.py".into(), problem, message });
    explorer.keys("q").index(index);
    assert!(explorer.text().contains("1 problem (!)"), "{}", explorer.text());
    explorer.keys("!/a.py");
    let screen = explorer.text();
    assert!(screen.contains("1 with syntax errors") && screen.contains("a.py: line 3: not valid syntax"), "{screen}");
}

#[test]
fn without_a_selection_the_list_stays_at_the_top() {
    let mut explorer = Explorer::new(120, 40);
    explorer.index(station().build(false));
    assert_eq!(symbol(&explorer), "Agent");
    let mut builder = station();
    let module = builder.module("busy", apidisc::source::Origin::Src, false);
    builder.define(module, None, apidisc::program::DefinitionKind::Function, "top", 10_000, &[]);
    explorer.index(builder.build(true));
    assert_eq!(symbol(&explorer), "top");
}

#[test]
fn every_module_lists_the_definitions_of_its_stub() {
    let mut paused = |_| apidisc::control::Control::Continue;
    let demo = apidisc::indexer::build(&apidisc_tui::demo::source(), &mut paused).unwrap().unwrap();
    for index in [demo, station().build(true)] {
        let catalog = apidisc_tui::tui::model::Catalog::new(std::sync::Arc::new(index), 1);
        let modules = (0..catalog.index.modules.len()).map(|i| Scope::Module(apidisc::program::ModuleId::new(i)));
        for scope in modules.chain([Scope::Repository]) {
            let listed = catalog.listed(scope, false);
            let (mut listed_ids, mut members) = (listed.to_vec(), catalog.index.members(scope));
            listed_ids.sort_unstable();
            members.sort_unstable();
            assert_eq!(listed_ids, members);
            let uses = listed.iter().map(|id| catalog.index.uses_within(*id));
            assert!(
                uses.is_sorted_by(|above, below| above >= below),
                "a class is listed by the uses of its members, too"
            );
        }
    }
}

#[test]
fn private_definitions_can_be_listed() {
    let mut explorer = explorer();
    assert!(!explorer.text().contains("_private"));
    explorer.keys("a");
    assert!(explorer.text().contains("_private"));
}

#[test]
fn the_editor_opens_the_definition() {
    let mut explorer = explorer();
    explorer.keys("<Tab>jo");
    let line = 10 * 6;
    assert_eq!(explorer.performed, [format!("opened station/tools.py:{line}")]);
}

#[test]
fn the_palette_runs_a_command_by_its_name() {
    let mut explorer = explorer();
    explorer.keys(":prev strat");
    assert!(explorer.text().contains("previous-strategy"), "{}", explorer.text());
    explorer.keys("<Enter>");
    assert!(explorer.model.overlay.is_none());
    assert_eq!(explorer.model.settings.strategy, Strategy::Exhaustive);
    // Letters are text, not commands; a text that matches nothing runs nothing.
    explorer.keys(":qqqq<Enter>");
    assert!(!explorer.has_quit && explorer.text().contains("nothing matches"));
    explorer.keys("<Esc>");
    assert!(explorer.model.overlay.is_none());
}

#[test]
fn the_palette_takes_arguments() {
    let mut explorer = explorer();
    for (typed, words) in
        [("budget 1,500", "budget 1,500"), ("threshold 35%", "threshold 35%"), ("coverage 80", "coverage 80%")]
    {
        explorer.keys(":").keys(typed).keys("<Enter>");
        assert_eq!(explorer.model.settings.describe(), words);
    }
    explorer.keys(":theme no<Enter>");
    assert_eq!(explorer.model.theme.name, "nord");
    explorer.keys(":open fetch<Enter>");
    assert_eq!((explorer.model.overlay.is_none(), symbol(&explorer).as_str()), (true, "fetch"));
    // A command without its argument waits for the argument.
    explorer.keys(":budg<Enter>700<Enter>");
    assert_eq!(explorer.model.settings.describe(), "budget 700");
    // An invalid argument means nothing.
    explorer.keys(":coverage 101<Enter>");
    assert_eq!(explorer.model.settings.describe(), "budget 700");
}

#[test]
fn the_help_can_be_filtered() {
    let mut explorer = explorer();
    explorer.keys("?/notch");
    let screen = explorer.text();
    assert!(screen.contains("Tune") && screen.contains("lower it by a notch"), "{screen}");
    assert!(!screen.contains("one row up") && !screen.contains("Take along"), "{screen}");
    // Esc removes the filter, the next Esc closes the page.
    explorer.keys("<Enter><Esc>");
    assert!(explorer.text().contains("one row up"));
    explorer.keys("<Esc>");
    assert!(explorer.model.overlay.is_none());
}

#[test]
fn configured_keys_apply_everywhere() {
    let text = "[keys]\nfilter = \"f\"\nhelp = \"ctrl-g\"\ncopy = [\"f8\", \"f2\"]\n";
    let (config, complaints) = apidisc_tui::tui::config::UserConfig::read("config.toml", text);
    assert_eq!(complaints, []);
    let mut explorer = explorer();
    explorer.model.keymap = config.keymap;
    assert!(explorer.text().contains("Ctrl-g help") && explorer.text().contains("f filter"), "{}", explorer.text());
    explorer.keys("y").send(Message::Key("f8".parse().unwrap()));
    assert_eq!(explorer.performed.len(), 1);
    explorer.send(Message::Key("ctrl-g".parse().unwrap())).keys("fcopy the");
    assert!(explorer.text().contains("F8 F2"), "{}", explorer.text());
}

#[test]
fn mistakes_in_the_configuration_are_listed_on_a_page() {
    let mut explorer = explorer();
    explorer.send(Message::Complaints(vec!["config.toml:3: no".to_owned(), "config.toml:4: no".to_owned()]));
    assert!(explorer.text().contains("config.toml:3: no (and 1 more)"), "{}", explorer.text());
}

#[test]
fn a_theme_is_previewed_while_it_is_selected() {
    let mut explorer = explorer();
    assert_eq!(explorer.model.theme.name, "dark");
    explorer.keys("T<Down>");
    assert_eq!(explorer.model.theme.name, "light");
    explorer.keys("nord");
    assert_eq!(explorer.model.theme.name, "nord");
    explorer.keys("<Esc>");
    assert_eq!(explorer.model.theme.name, "dark");
    explorer.keys("Tnord<Enter>");
    assert_eq!(explorer.model.theme.name, "nord");
    assert!(explorer.text().contains("theme = \"nord\" in config.toml keeps it"), "{}", explorer.text());
    explorer.keys("t");
    assert_eq!(explorer.model.theme.name, "gruvbox");
}
