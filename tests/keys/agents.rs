//! The page of agents: requests appear as they are logged, and their symbols can be gone to.

use apidisc_tui::{
    requests::NewEntries,
    tui::{
        geometry,
        input::{Mouse, MouseAction},
        message::Message,
        model::agents::AgentRow,
    },
};
use serde_json::json;

use crate::support::{asked, drive::Explorer, station};

fn agents() -> Explorer {
    let mut explorer = Explorer::new(120, 40);
    (explorer.requests, explorer.now) = (asked::log(), asked::NOW);
    explorer.index(station().build(true)).keys("A");
    explorer
}

fn row(explorer: &Explorer) -> AgentRow {
    explorer.model.agents.as_ref().expect("the page is open").selected().expect("a row")
}

/// The tool of the selected request.
fn tool(explorer: &Explorer) -> &str {
    &explorer.model.agents.as_ref().expect("the page is open").selected_request().expect("a request").tool
}

/// Another request of the live session.
fn arrive(explorer: &mut Explorer, tool: &str) {
    let request = asked::asked("2-1", 0, tool, json!({}), 7, "new");
    let news = NewEntries { requests: vec![request], live: ["2-1".to_owned()].into(), other_versions: 0 };
    explorer.send(Message::RequestsRead { news, now: asked::NOW });
}

#[test]
fn the_newest_request_is_shown_until_the_user_chooses_one() {
    let mut explorer = agents();
    assert_eq!(tool(&explorer), "get_symbols");
    arrive(&mut explorer, "list_symbols");
    assert_eq!(tool(&explorer), "list_symbols");
    explorer.keys("jj");
    assert_eq!(tool(&explorer), "get_module_help");
    let answer = explorer.text();
    assert!(answer.contains("class Agent(BaseAgent):"), "{answer}");
    arrive(&mut explorer, "get_symbol");
    assert_eq!(tool(&explorer), "get_module_help", "the chosen request stays selected");
    assert!(explorer.text().contains("5 requests"), "{}", explorer.text());
}

#[test]
fn enter_lists_the_symbols_of_an_answer_and_goes_to_one() {
    let mut explorer = agents();
    explorer.keys("j<Enter>");
    assert!(matches!(row(&explorer), AgentRow::Delivered(_, 0)));
    explorer.keys("<Enter>");
    assert!(explorer.text().contains("class Agent "), "{}", explorer.text());
    // The page of the symbol lies over the page of agents; closing it and going back both return there.
    explorer.keys("<Esc>");
    assert!(matches!(row(&explorer), AgentRow::Delivered(_, 0)));
    explorer.keys("<Enter>[");
    assert!(explorer.model.page.is_none() && explorer.model.agents.is_some());
    explorer.keys("jj<Enter>");
    assert!(explorer.text().contains("station.gone is not in the index"), "{}", explorer.text());
    explorer.keys("h");
    assert!(matches!(row(&explorer), AgentRow::Request(_)), "the request is closed");
    explorer.keys("h");
    assert!(matches!(row(&explorer), AgentRow::Session(0)));
    explorer.keys("<Tab>");
    assert!(matches!(row(&explorer), AgentRow::Session(1)));
    explorer.keys("A");
    assert!(explorer.model.agents.is_none());
    explorer.keys("A");
    assert_eq!(tool(&explorer), "get_symbols", "the log is read anew");
}

#[test]
fn the_delivered_bytes_are_copied() {
    let mut explorer = agents();
    explorer.keys("jy");
    let copied = explorer.performed.last().expect("a copy");
    assert!(copied.starts_with("copied class Agent(BaseAgent):") && copied.ends_with("# 412 calls"), "{copied}");
}

#[test]
fn the_panes_behind_the_page_stay() {
    let mut explorer = agents();
    explorer.keys("pbw/x");
    assert!(explorer.model.overlay.is_none() && explorer.model.editing.is_none());
    let overrides = explorer.model.overrides.all();
    assert!(overrides.pinned.is_empty() && overrides.banned.is_empty());
    explorer.keys("fagent kind:class<Enter>");
    assert!(explorer.model.agents.is_none(), "what is found is shown");
    explorer.keys("[");
    assert!(explorer.model.agents.is_some());
    explorer.keys("u");
    assert!(explorer.model.agents.is_none() && explorer.model.tuning.is_some());
}

#[test]
fn the_mouse_selects_opens_scrolls_and_closes() {
    let mut explorer = agents();
    let area = geometry::page(explorer.model.size);
    let mut mouse = |action, column, row| {
        explorer.send(Message::Mouse(Mouse { action, column, row }));
    };
    mouse(MouseAction::Press, area.list.x + 9, area.list.y + 2);
    mouse(MouseAction::WheelDown, area.detail.x + 3, area.detail.y + 3);
    mouse(MouseAction::Press, area.list.x + 9, area.list.y + 2);
    assert!(matches!(row(&explorer), AgentRow::Delivered(_, 0)));
    assert_eq!(explorer.model.agents.as_ref().expect("open").first_line, 3);
    // The hint is there where the border has room for it.
    explorer.send(Message::Resize(90, 40));
    let close = geometry::close_hint(geometry::page(explorer.model.size).frame);
    explorer.send(Message::Mouse(Mouse { action: MouseAction::Press, column: close.x + 1, row: close.y }));
    assert!(explorer.model.agents.is_none());
}
