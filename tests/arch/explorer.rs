//! Inside the explorer: the runtime alone touches the world, update draws nothing, view changes nothing.

use crate::{
    layers::{Layer, Table, differences, differences_of},
    sources::{File, below, check, is_at_or_below},
};

const EXPLORER: Table = Table {
    folder: "src/tui",
    module: "crate::tui",
    root: "mod",
    package: ".",
    common: &["apidisc", "compact_str", "rustc_hash"],
    layers: LAYERS,
};

/// The layers of the explorer. `mod` is its own module, which `main` calls.
const LAYERS: &[Layer] = &[
    Layer {
        name: "widgets",
        uses: &[],
        outside: &[
            "ratatui::buffer",
            "ratatui::layout",
            "ratatui::style",
            "ratatui::widgets",
            "unicode_segmentation",
            "unicode_width",
        ],
    },
    Layer { name: "svg", uses: &["widgets"], outside: &["ratatui::buffer", "ratatui::layout", "ratatui::style"] },
    Layer { name: "input", uses: &[], outside: &[] },
    Layer { name: "command", uses: &["input"], outside: &[] },
    Layer { name: "keymap", uses: &["input", "command"], outside: &[] },
    Layer { name: "geometry", uses: &["widgets"], outside: &["ratatui::layout"] },
    Layer { name: "arrangement", uses: &["geometry"], outside: &["ratatui::layout"] },
    Layer { name: "complaint", uses: &["widgets"], outside: &[] },
    Layer { name: "theme", uses: &["complaint"], outside: &["ratatui::style", "thiserror", "toml"] },
    Layer { name: "config", uses: &["input", "command", "keymap", "complaint", "theme"], outside: &["strsim", "toml"] },
    Layer {
        name: "options",
        uses: &["complaint", "theme", "config"],
        outside: &["apidisc_agents", "crate::cache", "crate::clones", "crate::requests"],
    },
    Layer {
        name: "model",
        uses: &["widgets", "input", "command", "keymap", "geometry", "arrangement", "theme", "options"],
        outside: &[
            "apidisc_agents",
            "crate::requests",
            "ratatui::layout",
            "serde",
            "serde_json",
            "similar",
            "smallvec",
            "tui_input",
        ],
    },
    Layer {
        name: "layout",
        uses: &["widgets", "command", "geometry", "arrangement", "model"],
        outside: &["ratatui::layout"],
    },
    Layer { name: "highlight", uses: &["theme", "model"], outside: &["syntect"] },
    Layer { name: "sources", uses: &["model", "highlight"], outside: &[] },
    Layer { name: "session", uses: &["geometry", "arrangement", "options", "model"], outside: &["serde", "toml"] },
    Layer {
        name: "jobs",
        uses: &["geometry", "model", "highlight", "sources", "options", "theme"],
        outside: &["apidisc_agents", "crate::cache::Corpora", "crate::live::PackerCache", "crate::live::PackerKey"],
    },
    Layer { name: "message", uses: &["input", "model", "jobs"], outside: &["crate::requests"] },
    Layer { name: "effect", uses: &["model", "jobs"], outside: &[] },
    Layer {
        name: "update",
        uses: &[
            "widgets",
            "input",
            "command",
            "geometry",
            "arrangement",
            "theme",
            "model",
            "layout",
            "message",
            "jobs",
            "effect",
        ],
        outside: &["crate::requests", "ratatui::layout", "tui_input"],
    },
    Layer {
        name: "view",
        uses: &["widgets", "command", "geometry", "theme", "model", "layout"],
        outside: &[
            "crate::requests",
            "ratatui::buffer",
            "ratatui::layout",
            "ratatui::style",
            "ratatui::widgets",
            "unicode_segmentation",
        ],
    },
    Layer {
        name: "runtime",
        uses: &[
            "svg",
            "input",
            "geometry",
            "complaint",
            "theme",
            "config",
            "options",
            "model",
            "session",
            "message",
            "jobs",
            "effect",
            "update",
            "view",
        ],
        outside: &[
            "anyhow",
            "crate::cache",
            "crate::clipboard",
            "crate::clock",
            "crate::clones",
            "crate::live",
            "crate::models",
            "crate::packages",
            "crate::places",
            "crate::requests",
            "crate::threads",
            "crate::upgrades",
            "crate::writing",
            "crossterm",
            "ratatui",
            "rustix",
            "serde",
            "serde_json",
            "std::env",
            "std::fs",
            "std::io",
            "std::panic",
            "std::process",
            "std::thread",
            "std::time::Instant",
            "std::time::SystemTime",
            "tempfile",
            "tokio",
        ],
    },
    Layer {
        name: "mod",
        uses: &["input", "geometry", "options", "runtime"],
        outside: &["anyhow", "crate::cache", "crate::places"],
    },
];

/// The paths that only the runtime may use, because they reach the terminal, the clock, files or processes.
const FOR_THE_RUNTIME: &[&str] = &[
    "crate::clipboard",
    "crate::clock",
    "crossterm",
    "notify",
    "ratatui::Terminal",
    "ratatui::backend",
    "rustix",
    "std",
    "tempfile",
    "tokio",
];

/// The words that only the runtime may contain, even without a path, for the same reason.
const IN_THE_RUNTIME: &[&str] =
    &["Instant", "SystemTime", "arboard", "eprintln", "println", "stderr", "stdin", "stdout", "tokio"];

fn touches_the_world(file: &File) -> Option<String> {
    let found = file.says(IN_THE_RUNTIME).filter(|_| !file.path.starts_with("src/tui/runtime"))?;
    Some(format!("only tui::runtime touches the terminal, the clock, files and processes, but it names {found}"))
}

fn draws(file: &File) -> Option<String> {
    file.says(&["Frame", "Buffer", "Widget"]).map(|found| format!("update draws: {found}"))
}

fn mutates(file: &File) -> Option<String> {
    let is_mutable = file.code.contains("&mut Model") || file.code.contains("mut model: Model");
    let cell = file.names(&["std::cell", "std::sync::Mutex", "std::sync::RwLock"]);
    if is_mutable { Some("view changes the model".to_owned()) } else { cell.map(|cell| format!("view holds a {cell}")) }
}

#[test]
fn each_folder_uses_only_what_the_table_allows() {
    let found = differences(&EXPLORER);
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

#[test]
fn only_the_runtime_touches_the_world() {
    for layer in LAYERS.iter().filter(|layer| layer.name != "runtime") {
        for allowed in layer.outside.iter().chain(EXPLORER.common) {
            let found = FOR_THE_RUNTIME.iter().find(|world| is_at_or_below(allowed, world));
            assert_eq!(found, None, "{}", layer.name);
        }
    }
    check(&below("src/tui"), touches_the_world);
}

#[test]
fn update_draws_nothing() {
    for layer in LAYERS.iter().filter(|layer| ["update", "model"].contains(&layer.name)) {
        let drawing = layer.outside.iter().find(|path| path.starts_with("ratatui") && **path != "ratatui::layout");
        assert_eq!(drawing, None, "{}", layer.name);
        assert!(!layer.uses.contains(&"view"), "{}", layer.name);
    }
    check(&below("src/tui/update"), draws);
}

#[test]
fn view_changes_nothing() {
    check(&below("src/tui/view"), mutates);
}

#[test]
fn the_rules_have_teeth() {
    for (path, bad) in [
        ("src/tui/model/new.rs", "use std::{fmt, fs};"),
        ("src/tui/view/new.rs", "use ratatui::crossterm::terminal;"),
        ("src/tui/view/new.rs", "use crate::tui::update;"),
        ("src/tui/update/new.rs", "use ratatui::{layout::Rect, widgets::Block};"),
        ("src/tui/update/new.rs", "use crate::{clipboard::Clipboard, tui::model::Model};"),
        ("src/tui/update/new.rs", "use super::super::view;"),
        ("src/tui/widgets/new.rs", "use crate::tui::model::Model;"),
        ("src/tui/session/new.rs", "std::fs::write(path, text)"),
    ] {
        let others = ["view", "update", "model"].map(|name| File::new(&format!("src/tui/{name}/mod.rs"), ""));
        let found = differences_of(&EXPLORER, &[vec![File::new(path, bad)], others.into()].concat());
        assert!(found.iter().any(|line| line.starts_with(path)), "{path}: {bad}");
    }
    let file = |path, text| File::new(path, text);
    assert!(touches_the_world(&file("src/tui/model/new.rs", "let now = Instant::now();")).is_some());
    assert!(touches_the_world(&file("src/tui/runtime/new.rs", "let now = Instant::now();")).is_none());
    assert!(draws(&file("src/tui/update/new.rs", "fn draw(buffer: &mut Buffer) {}")).is_some());
    assert!(mutates(&file("src/tui/view/new.rs", "fn draw(model: &mut Model) {}")).is_some());
    assert!(mutates(&file("src/tui/view/new.rs", "use std::sync::Mutex;")).is_some());
}
