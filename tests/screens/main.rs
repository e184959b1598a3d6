//! The explorer's screens, with their styles: by size, by state, by theme.

// Tests may panic: that is how they fail.
#![allow(clippy::unwrap_used)]

#[path = "../support/mod.rs"]
mod support;

use apidisc::tui::message::Message;
use support::{drive::Explorer, dump, station};

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
    explorer.send(Message::Parsed { done: 812, total: 1204, calls: 31_002 });
    check!("parsing", explorer);
    explorer.index(station().build(false));
    check!("partial", explorer);
}

#[test]
fn browsing_at_every_size() {
    check!("browsing_80x24", browsing(80, 24));
    check!("browsing_120x40", browsing(120, 40));
    check!("browsing_240x40", browsing(240, 40));
    check!("browsing_90x50", browsing(90, 50));
    check!("browsing_48x14", browsing(48, 14));
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
fn filtering() {
    let mut explorer = browsing(80, 24);
    explorer.keys("<Tab>/run");
    check!("filter", explorer);
    explorer.keys("zzz");
    check!("filter_nothing", explorer);
}

#[test]
fn overlays() {
    let mut explorer = browsing(100, 30);
    explorer.keys("?");
    check!("help", explorer);
    explorer.keys("<Esc>i");
    check!("ledger", explorer);
    explorer.keys("<Esc>w");
    check!("write", explorer);
}

#[test]
fn honest_about_what_is_not_known() {
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
    explorer.keys("<Tab>").keys("<<<<<");
    check!("budget_too_small", explorer);
}

#[test]
fn nothing_to_show() {
    let mut explorer = Explorer::new(80, 24);
    explorer.index(support::Builder::default().build(true));
    check!("empty", explorer);
    let mut explorer = Explorer::new(80, 24);
    explorer.send(Message::NotIndexed("/nowhere does not exist; name a folder that holds source code".to_owned()));
    check!("failed", explorer);
}

#[test]
fn every_theme() {
    for theme in ["terminal", "light"] {
        let mut explorer = Explorer::with_theme(80, 24, theme, true);
        explorer.is_canned = true;
        explorer.index(station().build(true)).keys("<Tab>");
        insta::assert_snapshot!(format!("theme_{theme}"), dump::styled(&explorer.draw()));
    }
    let mut explorer = Explorer::with_theme(80, 24, "dark", false);
    explorer.is_canned = true;
    explorer.index(station().build(true)).keys("<Tab>");
    check!("no_color", explorer);
}

#[test]
fn hostile_text_is_inert() {
    let mut builder = station();
    let module = builder.module("evil\x1b[2J\u{202e}", apidisc::engine::usage::Origin::Src, false);
    let kind = apidisc::engine::index::DefinitionKind::Function;
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
