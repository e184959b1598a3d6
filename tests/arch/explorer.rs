//! Inside the explorer: the runtime alone touches the world, update draws nothing, view changes nothing.

use std::{fs, path::Path};

use crate::sources::{File, below, check};

const FOR_THE_RUNTIME: &[&str] = &[
    "std::env",
    "std::fs",
    "std::io",
    "std::net",
    "std::process",
    "std::thread",
    "std::time::Instant",
    "std::time::SystemTime",
    "crate::clipboard",
    "crossterm::execute",
    "crossterm::queue",
    "crossterm::terminal",
    "crossterm::event::read",
    "crossterm::event::poll",
    "crossterm::event::EventStream",
    "tokio",
];
const IN_THE_RUNTIME: &[&str] =
    &["Instant", "SystemTime", "println", "eprintln", "stdout", "stderr", "tokio", "arboard"];

fn touches_the_world(file: &File) -> Option<String> {
    if file.path.starts_with("src/tui/runtime") {
        return None;
    }
    let found = file.names(FOR_THE_RUNTIME).or_else(|| file.says(IN_THE_RUNTIME))?;
    Some(format!("only tui::runtime touches the terminal, the clock, files and processes, but it names {found}"))
}

fn draws(file: &File) -> Option<String> {
    let found = file.names(&["ratatui::widgets", "ratatui::buffer", "ratatui::Frame", "crate::tui::view"]);
    found.or_else(|| file.says(&["Frame", "Buffer", "Widget"])).map(|found| format!("update draws: {found}"))
}

fn mutates(file: &File) -> Option<String> {
    let is_mutable = file.code.contains("&mut Model") || file.code.contains("mut model: Model");
    let cell = file.names(&["std::cell", "std::sync::Mutex", "std::sync::RwLock"]);
    if is_mutable { Some("view changes the model".to_owned()) } else { cell.map(|cell| format!("view holds a {cell}")) }
}

/// The modules of the explorer from the table in its module comment: each may use only those above it.
fn order() -> Vec<String> {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tui/mod.rs")).unwrap();
    let rows = text.lines().filter_map(|line| line.strip_prefix("//! | [`")?.split_once("`]"));
    rows.map(|(module, _)| module.to_owned()).collect()
}

/// A use of a module that is not above the file's own module in `order`.
fn uses_a_later_module(file: &File, order: &[String]) -> Option<String> {
    let position = |module: &str| order.iter().position(|known| known == module);
    let own = file.path.strip_prefix("src/tui/")?.split('/').next()?.trim_end_matches(".rs");
    if own == "mod" {
        return None;
    }
    let Some(own) = position(own) else { return Some(format!("{own} is not in the table of src/tui/mod.rs")) };
    let used = file.paths.iter().filter_map(|path| path.strip_prefix("crate::tui::")?.split("::").next());
    let later = used.into_iter().find(|used| position(used).is_none_or(|used| used > own))?;
    Some(format!("uses {later}, which is not above it in the table of src/tui/mod.rs"))
}

#[test]
fn modules_use_only_those_above_them() {
    let order = order();
    assert!(order.len() > 20, "the table was found");
    check(&below("src/tui"), |file| uses_a_later_module(file, &order));
}

#[test]
fn only_the_runtime_touches_the_world() {
    check(&below("src/tui"), touches_the_world);
}

#[test]
fn update_draws_nothing() {
    check(&below("src/tui/update"), draws);
}

#[test]
fn view_changes_nothing() {
    check(&below("src/tui/view"), mutates);
}

#[test]
fn the_rules_have_teeth() {
    let file = |path, text| File::new(path, text);
    let order = ["model", "view"].map(str::to_owned);
    assert!(uses_a_later_module(&file("src/tui/model/list.rs", "use crate::tui::view::draw;"), &order).is_some());
    assert!(uses_a_later_module(&file("src/tui/view/list.rs", "use super::super::model::Model;"), &order).is_none());
    assert!(touches_the_world(&file("src/tui/model/mod.rs", "use std::{fmt, fs};")).is_some());
    assert!(touches_the_world(&file("src/tui/view/mod.rs", "use ratatui::crossterm::terminal;")).is_some());
    assert!(touches_the_world(&file("src/tui/runtime/clock.rs", "use std::time::Instant;")).is_none());
    assert!(touches_the_world(&file("src/tui/model/mod.rs", "use std::time::Duration;")).is_none());
    assert!(draws(&file("src/tui/update/mod.rs", "use ratatui::{layout::Rect, widgets::Block};")).is_some());
    assert!(mutates(&file("src/tui/view/mod.rs", "fn draw(model: &mut Model) {}")).is_some());
}
