//! The explorer's screens, with their styles: by size, by state, by theme.

// Tests may panic: that is how they fail.
#![allow(clippy::unwrap_used)]

#[path = "../support/mod.rs"]
mod support;

#[path = "../support/built.rs"]
mod built;

mod agents;
mod ask;
mod by_meaning;
mod documents;
mod pages;
mod upgrade;

use std::{sync::Arc, time::Duration};

use apidisc_tui::tui::{jobs::Answer, message::Message, theme::ColourDepth};
use support::{drive::Explorer, dump, station, station_and_client};

macro_rules! check {
    ($name:literal, $explorer:expr) => {
        insta::assert_snapshot!($name, dump::styled(&$explorer.draw()))
    };
}

fn browsing(columns: u16, rows: u16) -> Explorer {
    let mut explorer = opened(columns, rows);
    explorer.index(station().build(true));
    explorer
}

fn opened(columns: u16, rows: u16) -> Explorer {
    let mut explorer = Explorer::new(columns, rows);
    explorer.is_canned = true;
    explorer
}

#[test]
fn before_anything_is_indexed() {
    check!("walking", Explorer::new(80, 24));
}

#[test]
fn while_files_are_parsed() {
    let mut explorer = opened(80, 24);
    explorer.send(Message::Parsed {
        done: 812,
        total: 1204,
        calls: 31_002,
        share: 0.75,
        elapsed: Duration::from_millis(1900),
    });
    check!("parsing", explorer);
    // While the parsed files are linked, the counter stops and the header shows the reason.
    explorer.send(Message::Linking);
    check!("parsing_linking", explorer);
    explorer.index(station().build(false));
    check!("partial", explorer);
    explorer.send(Message::Stopped { done: 812, total: 1204 });
    check!("stopped", explorer);
}

#[test]
fn browsing_in_windows_of_other_shapes() {
    check!("browsing_240x40", browsing(240, 40));
    check!("browsing_90x50", browsing(90, 50));
    check!("browsing_48x14", browsing(48, 14));
}

#[test]
fn panes_of_other_sizes() {
    for (columns, rows) in [(80, 24), (160, 45), (60, 60)] {
        let mut explorer = browsing(columns, rows);
        explorer.keys("<Tab><Tab>>>))");
        insta::assert_snapshot!(format!("resized_{columns}x{rows}"), dump::styled(&explorer.draw()));
        explorer.keys("z");
        insta::assert_snapshot!(format!("zoomed_{columns}x{rows}"), dump::styled(&explorer.draw()));
    }
}

#[test]
fn a_window_that_is_too_small() {
    check!("too_small", browsing(40, 8));
    browsing(3, 1).draw();
}

#[test]
fn a_class_with_its_members() {
    let mut explorer = browsing(120, 32);
    explorer.keys("<Tab> j<Tab>j");
    check!("members", explorer);
}

#[test]
fn both_languages_in_one_tree() {
    let mut explorer = opened(120, 32);
    explorer.index(station_and_client().build(true));
    explorer.keys("j<Tab>");
    check!("both_languages", explorer);
    explorer.keys("w");
    assert!(dump::styled(&explorer.draw()).contains("Client.d.ts"));
    explorer.keys("<Esc>");
    explorer.keys("<Tab>/tim");
    check!("properties_filtered", explorer);
}

#[test]
fn filtering() {
    let mut explorer = browsing(80, 24);
    explorer.keys("<Tab>/run");
    check!("filter", explorer);
    explorer.keys("zzz");
    check!("filter_nothing", explorer);
    // If no module matches, the other panes show the whole repository.
    let mut explorer = browsing(80, 24);
    explorer.keys("/agentszzz");
    check!("filter_no_module", explorer);
}

#[test]
fn finding_anything() {
    let mut explorer = browsing(90, 50);
    explorer.keys("fagent");
    check!("find_agent_90x50", explorer);
    let mut explorer = browsing(80, 24);
    explorer.keys("fzzz");
    check!("find_nothing", explorer);
}

/// The results are made by hand: what is found does not concern the screen.
#[test]
fn finding_by_meaning() {
    for (columns, rows) in [(60, 20), (80, 24), (120, 40)] {
        let mut explorer = Explorer::demo(columns, rows);
        explorer.keys("fsensor");
        let ticket = by_meaning::ticket(&explorer);
        let hits = by_meaning::hits(&explorer);
        explorer.send(Message::Answered(Answer::FoundByMeaning { ticket, hits }));
        insta::assert_snapshot!(format!("find_by_meaning_{columns}x{rows}"), dump::styled(&explorer.draw()));
        by_meaning::select_last(&mut explorer);
        insta::assert_snapshot!(format!("find_recipe_{columns}x{rows}"), dump::styled(&explorer.draw()));
        explorer.keys("<Enter>");
        insta::assert_snapshot!(format!("recipe_{columns}x{rows}"), dump::styled(&explorer.draw()));
    }
}

#[test]
fn a_stub_for_a_question() {
    let mut explorer = Explorer::demo(120, 40);
    explorer.keys("fsensor");
    let ticket = by_meaning::ticket(&explorer);
    let mut hits = by_meaning::hits(&explorer);
    hits.truncate(2);
    explorer.send(Message::Answered(Answer::FoundByMeaning { ticket, hits }));
    by_meaning::select_last(&mut explorer);
    explorer.keys("<Enter>");
    check!("stub_for_a_question", explorer);
}

#[test]
fn the_matching_part_of_a_long_name_is_visible() {
    let mut builder = station();
    let module = builder.module("long", apidisc::source::Origin::Src, false);
    let kind = apidisc::program::DefinitionKind::Function;
    let name = "report_the_temperature_of_every_station_in_reach_of_the_windvane";
    let id = builder.define(module, None, kind, name, 3, &[("maximum_delay", "int", Some("9"), 2)]);
    builder.change(id, |d| d.is_public = true);
    let mut explorer = Explorer::new(80, 24);
    explorer.index(builder.build(true)).keys("fdelay");
    assert!(explorer.text().contains("reach_of_the_windvane(maximum_delay) "), "{}", explorer.text());
    explorer.keys("<C-u>report_the");
    assert!(
        explorer.text().contains("ƒ report_the_temper…ry_station_in_reach_of_the_windvane "),
        "{}",
        explorer.text()
    );
}

#[test]
fn overlays() {
    let mut explorer = browsing(100, 30);
    explorer.keys("?");
    check!("help", explorer);
    explorer.keys("/notch");
    check!("help_filter", explorer);
    explorer.keys("<Esc><Esc>:pane");
    check!("palette", explorer);
    explorer.keys("<Esc>i");
    check!("ledger", explorer);
    explorer.keys("<Esc>w");
    check!("write", explorer);
}

#[test]
fn origins_in_a_small_window() {
    let mut explorer = Explorer::demo(48, 14);
    explorer.keys("2W");
    check!("origins_48x14", explorer);
}

#[test]
fn the_newest_calls_in_two_themes() {
    for (columns, rows) in [(80, 24), (120, 40), (200, 60)] {
        for theme in ["dark", "light"] {
            let mut explorer = Explorer::with_theme(columns, rows, theme, ColourDepth::True);
            explorer.open_demo().keys("fstation kind:class<Enter>cO");
            insta::assert_snapshot!(format!("newest_{theme}_{columns}x{rows}"), dump::styled(&explorer.draw()));
        }
    }
}

#[test]
fn unknown_and_missing_numbers() {
    let mut explorer = browsing(80, 24);
    explorer.keys("<Tab>jj");
    assert!(explorer.text().contains(" ?"), "the share of `x` is not known:\n{}", explorer.text());
    check!("unknown", explorer);
    explorer.keys("j");
    check!("constructor_elsewhere", explorer);
    explorer.keys("<End><Tab>");
    check!("not_called", explorer);
}

#[test]
fn a_budget_that_is_too_small() {
    let mut explorer = browsing(80, 24);
    explorer.keys("<Tab>").keys("{{{{{");
    check!("budget_too_small", explorer);
}

#[test]
fn an_empty_or_failed_index() {
    let mut explorer = Explorer::new(80, 24);
    explorer.index(support::Builder::default().build(true));
    check!("empty", explorer);
    let mut explorer = Explorer::new(80, 24);
    explorer.send(Message::NotIndexed("/nowhere does not exist; name a folder that holds source code".to_owned()));
    check!("failed", explorer);
}

#[test]
fn every_theme() {
    let wearing = |theme: &str, depth: ColourDepth| {
        let mut explorer = Explorer::with_theme(80, 24, theme, depth);
        explorer.is_canned = true;
        explorer.index(station().build(true)).keys("<Tab>");
        explorer
    };
    for theme in ["terminal", "light", "nord"] {
        insta::assert_snapshot!(format!("theme_{theme}"), dump::styled(&wearing(theme, ColourDepth::True).draw()));
    }
    check!("colours_256", wearing("dark", ColourDepth::Palette));
    check!("colours_16", wearing("dark", ColourDepth::Sixteen));
    check!("no_color", wearing("dark", ColourDepth::None));
    let mut explorer = wearing("dark", ColourDepth::None);
    explorer.model.is_ascii = true;
    check!("ascii", explorer);
    let text = explorer.text();
    assert!(text.lines().all(|line| line.is_ascii() || line.contains("größe")), "{text}");
}

#[test]
fn choosing_a_theme() {
    let mut explorer = browsing(80, 24);
    explorer.keys("Tlat");
    check!("themes", explorer);
}

#[test]
fn wide_and_combining_characters_align() {
    let mut builder = station();
    let module = builder.module("世界", apidisc::source::Origin::Src, false);
    let kind = apidisc::program::DefinitionKind::Function;
    for (name, calls) in
        [("日本語の名前", 901), ("e\u{301}tat_combine\u{301}", 902), ("👩\u{200d}💻", 903), ("plain", 904)]
    {
        let id =
            builder.define(module, None, kind, name, calls, &[("값", "str", None, calls), ("x", "int", Some("1"), 3)]);
        builder.change(id, |d| d.is_public = true);
    }
    let mut explorer = Explorer::new(120, 40);
    explorer.index(builder.build(true)).keys("<Tab>");
    let areas = apidisc_tui::tui::layout::areas(&explorer.model).unwrap();
    let pane = areas.pane(apidisc_tui::tui::geometry::Pane::Symbols);
    let buffer = explorer.draw();
    for row in pane.body.rows().take(4) {
        let cell = |from_right: u16| buffer[(row.right() - from_right, row.y)].symbol();
        assert_eq!((cell(0), cell(1), cell(4)), ("│", " ", "9"), "{}", explorer.text());
    }
    check!("wide_characters", explorer);
}

#[test]
fn hostile_text_is_inert() {
    let mut builder = station();
    let module = builder.module("evil\x1b[2J\u{202e}", apidisc::source::Origin::Src, false);
    let kind = apidisc::program::DefinitionKind::Function;
    let id = builder.define(
        module,
        None,
        kind,
        "f\x1b]0;owned\x07",
        9999,
        &[("a\r\n\u{9b}31m", "\x1b[31mstr", Some("'\t\x1b'"), 9)],
    );
    builder.change(id, |d| d.is_public = true);
    let mut explorer = Explorer::new(120, 40);
    explorer.index(builder.build(true)).keys("<Tab>");
    let buffer = explorer.draw();
    for cell in buffer.content() {
        let hostile = |c: char| c.is_control() || ('\u{202a}'..='\u{202e}').contains(&c);
        assert!(!cell.symbol().contains(hostile), "{:?} reached the screen", cell.symbol());
    }
    assert!(dump::text(&buffer).contains("f␛]0;owned␇"));
}

/// In a tall window the source is below the page, not beside it.
#[test]
fn a_page_in_a_tall_window() {
    let mut explorer = Explorer::demo(90, 60);
    explorer.keys("fstation kind:class<Enter><Enter>");
    check!("page_class_90x60", explorer);
}

#[test]
fn a_page_of_an_uncalled_definition() {
    let mut explorer = browsing(80, 24);
    explorer.keys("funused kind:func<Enter><Enter>");
    check!("page_not_called", explorer);
    explorer.keys("c");
    check!("page_no_calls", explorer);
}

/// A function that returns a dict, and one that returns a tuple, with the share of the calls that take each member.
#[test]
fn a_page_of_a_function_with_the_members_of_its_result() {
    let library = "def measure(values):\n    return {'mean': 1.5, 'max': values, 'size': 3}\n\n\
                   def load(path):\n    errors = []\n    return path, errors\n";
    let uses = "from library import load, measure\n\ndef main():\n    found = measure([])\n    found['mean']\n    \
                found.get('max')\n    measure([1])['mean']\n    text, _ = load('a')\n    text, errors = load('b')\n";
    let mut explorer = opened(80, 60);
    explorer.index(Arc::unwrap_or_clone(built::index([("library.py", library), ("main.py", uses)])));
    explorer.keys("fmeasure kind:function<Enter><Enter>");
    check!("page_returned_dict", explorer);
    explorer.keys("<Esc>fload kind:function<Enter><Enter>");
    check!("page_returned_tuple", explorer);
}

#[test]
fn a_page_without_colours() {
    let mut explorer = Explorer::with_theme(100, 30, "dark", ColourDepth::None);
    explorer.open_demo().keys("fstation(latitude<Enter>");
    check!("page_no_color", explorer);
}

#[test]
fn tuning_without_colours_and_with_ascii_alone() {
    let mut explorer = Explorer::with_theme(80, 24, "dark", ColourDepth::None);
    explorer.open_demo().keys("fwindvane.sensors kind:module<Enter>u");
    check!("tuning_no_color", explorer);
    explorer.model.is_ascii = true;
    check!("tuning_ascii", explorer);
    explorer.keys("<Tab>");
    check!("tuning_cuts_ascii", explorer);
    let text = explorer.text();
    assert!(text.lines().all(|line| line.is_ascii() || line.contains("größe")), "{text}");
}

#[test]
fn tuning_with_little_data() {
    let mut explorer = browsing(80, 24);
    (explorer.is_canned, explorer.holds_out) = (false, true);
    explorer.keys("funused kind:func<Enter>u");
    check!("tuning_not_called", explorer);
    explorer.is_slow = true;
    explorer.keys("<Esc>ffetch kind:func<Enter>").settle();
    explorer.keys("u");
    check!("tuning_waiting", explorer);
    let mut explorer = browsing(48, 14);
    explorer.keys("u");
    check!("tuning_48x14", explorer);
}

#[test]
fn saving_a_profile() {
    let mut explorer = browsing(80, 24);
    explorer.keys("uP");
    check!("save_profile", explorer);
    explorer.keys("<C-u>there<Enter>");
    check!("save_profile_again", explorer);
    explorer.keys("<Enter>");
    check!("save_profile_done", explorer);
}
