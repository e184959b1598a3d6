//! The page of agents.

use apidisc_tui::{requests::NewEntries, tui::theme::ColourDepth};
use serde_json::json;

use crate::support::{asked, drive::Explorer, dump, station};

fn page(columns: u16, rows: u16, theme: &str, depth: ColourDepth, requests: NewEntries) -> Explorer {
    let mut explorer = Explorer::with_theme(columns, rows, theme, depth);
    explorer.is_canned = true;
    explorer.model.has_request_log = true;
    (explorer.requests, explorer.now) = (requests, asked::NOW);
    explorer.index(station().build(true)).keys("A");
    explorer
}

#[test]
fn sessions_requests_and_an_answer() {
    for (columns, rows) in [(80, 24), (200, 50)] {
        for theme in ["dark", "light"] {
            let mut explorer = page(columns, rows, theme, ColourDepth::True, asked::log());
            explorer.keys("j<Enter>");
            insta::assert_snapshot!(format!("agents_{theme}_{columns}x{rows}"), dump::styled(&explorer.draw()));
        }
    }
}

#[test]
fn a_session_in_numbers() {
    let mut explorer = page(120, 30, "dark", ColourDepth::True, asked::log());
    explorer.keys("g");
    insta::assert_snapshot!("agents_session", dump::styled(&explorer.draw()));
    explorer.keys("<Tab>j");
    insta::assert_snapshot!("agents_error", dump::styled(&explorer.draw()));
}

#[test]
fn nobody_has_asked() {
    insta::assert_snapshot!(
        "agents_empty",
        dump::styled(&page(80, 24, "dark", ColourDepth::True, NewEntries::default()).draw())
    );
    let mut explorer =
        page(80, 24, "dark", ColourDepth::True, NewEntries { other_versions: 2, ..NewEntries::default() });
    assert!(explorer.text().contains(" 2 files of another version of the log left out "), "{}", explorer.text());
    explorer.model.has_request_log = false;
    assert!(explorer.text().contains("APIDISC_REQUESTS is off"), "{}", explorer.text());
}

#[test]
fn without_colours_and_with_ascii_alone() {
    let mut explorer = page(48, 14, "dark", ColourDepth::None, asked::log());
    explorer.model.is_ascii = true;
    insta::assert_snapshot!("agents_ascii_48x14", dump::styled(&explorer.draw()));
    let text = explorer.text();
    assert!(text.lines().all(|line| line.is_ascii() || line.contains("größe")), "{text}");
}

#[test]
fn hostile_text_of_a_log_is_inert() {
    let evil = "\x1b[2J\u{202e}\r\n\u{9b}31m";
    let mut asked = asked::asked(evil, 1, evil, json!({ evil: evil, "query": evil }), 5, evil);
    asked.request.client = evil.to_owned();
    asked.request.session = evil.to_owned();
    asked.request.delivered = vec![evil.to_owned()];
    let mut explorer =
        page(80, 24, "dark", ColourDepth::True, NewEntries { requests: vec![asked], ..NewEntries::default() });
    for keys in ["", "<Enter>", "g"] {
        explorer.keys(keys);
        for cell in explorer.draw().content() {
            let hostile = |c: char| c.is_control() || ('\u{202a}'..='\u{202e}').contains(&c);
            assert!(!cell.symbol().contains(hostile), "{:?} reached the screen", cell.symbol());
        }
    }
}
