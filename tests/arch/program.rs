//! The program around the engine: the faces do not know each other.

use crate::{
    layers::{BY_ITS_OWN_TABLE, Layer, Table, differences, differences_of},
    sources::File,
};

const PROGRAM: Table = Table { folder: "src", module: "crate", root: "lib", package: ".", common: &[], layers: LAYERS };

/// The command line, the explorer and the server meet in `main` alone.
const LAYERS: &[Layer] = &[
    Layer {
        name: "allocator",
        uses: &[],
        outside: &[
            "apidisc::syntax",
            "libmimalloc_sys",
            "std::alloc",
            "std::ffi",
            "std::process::abort",
            "tree_sitter",
        ],
    },
    Layer { name: "clock", uses: &[], outside: &["std::time::SystemTime"] },
    Layer { name: "places", uses: &[], outside: &["apidisc::hash::Fnv", "directories", "std::env"] },
    Layer { name: "clipboard", uses: &[], outside: &["arboard", "base64", "std::env", "std::io", "std::process"] },
    Layer { name: "demo", uses: &[], outside: &["apidisc::source"] },
    Layer {
        name: "writing",
        uses: &[],
        outside: &[
            "std::fs",
            "std::io",
            "std::os",
            "std::path::absolute",
            "std::time::SystemTime",
            "tempfile",
            "thiserror",
        ],
    },
    Layer {
        name: "cache",
        uses: &["places", "writing"],
        outside: &["apidisc", "std::env", "std::fs", "std::io", "std::os", "std::time::SystemTime"],
    },
    Layer {
        name: "models",
        uses: &[],
        outside: &["anyhow", "apidisc", "safetensors", "serde_json", "std::io", "tokenizers"],
    },
    Layer {
        name: "archives",
        uses: &["writing"],
        outside: &["apidisc", "flate2", "std::io", "tar", "tempfile", "thiserror", "zip"],
    },
    Layer { name: "packages", uses: &["cache"], outside: &["apidisc", "std::env", "std::fs", "std::time::SystemTime"] },
    Layer { name: "sessions", uses: &["writing"], outside: &["apidisc", "std::io"] },
    Layer { name: "threads", uses: &[], outside: &["rustix", "std::panic", "thread_priority"] },
    Layer {
        name: "requests",
        uses: &["clock", "places", "writing", "threads"],
        outside: &[
            "apidisc::files",
            "apidisc::unprintable",
            "serde",
            "serde_json",
            "std::env",
            "std::fs",
            "std::io",
            "std::process",
            "std::thread",
            "std::time",
        ],
    },
    Layer {
        name: "live",
        uses: &["threads", "cache"],
        outside: &["apidisc", "compact_str", "notify", "serde", "std::io", "std::thread", "std::time"],
    },
    Layer {
        name: "clones",
        uses: &["places", "writing"],
        outside: &[
            "apidisc",
            "percent_encoding",
            "rustix",
            "std::env",
            "std::fs",
            "std::io",
            "std::os",
            "std::process",
            "std::thread",
            "std::time::SystemTime",
            "tempfile",
        ],
    },
    Layer {
        name: "upgrades",
        uses: &["archives", "cache", "clones", "packages"],
        outside: &["apidisc", "compact_str", "std::env", "std::fs"],
    },
    Layer {
        name: "facts",
        uses: &["writing"],
        outside: &["anyhow", "apidisc", "compact_str", "parquet", "std::fs", "std::io", "std::path::absolute"],
    },
    Layer {
        name: "cli",
        uses: &[
            "facts",
            "clipboard",
            "clones",
            "demo",
            "writing",
            "places",
            "models",
            "packages",
            "upgrades",
            "cache",
            "live",
        ],
        outside: &[
            "anyhow",
            "apidisc",
            "apidisc_agents",
            "clap",
            "clap_complete",
            "clap_mangen",
            "crossterm::terminal::size",
            "jsonc_parser",
            "serde",
            "serde_json",
            "similar",
            "std::env",
            "std::fs",
            "std::io",
            "std::net::SocketAddr",
            "std::panic::resume_unwind",
            "std::path::absolute",
            "std::process::ExitCode",
            "std::process::exit",
            "std::thread",
            "std::time::Instant",
            "std::time::SystemTime",
            "tokio",
            "toml",
        ],
    },
    Layer {
        name: "serve",
        uses: &["clock", "cache", "live", "packages", "requests", "sessions", "upgrades"],
        outside: &[
            "anyhow",
            "apidisc",
            "axum",
            "futures",
            "rmcp",
            "serde",
            "serde_json",
            "std::io",
            "std::net",
            "std::thread",
            "std::time",
            "tokio",
        ],
    },
    Layer {
        name: "tui",
        uses: &[
            "clock",
            "places",
            "clipboard",
            "writing",
            "cache",
            "clones",
            "models",
            "packages",
            "requests",
            "threads",
            "upgrades",
            "live",
        ],
        outside: BY_ITS_OWN_TABLE,
    },
    Layer { name: "build", uses: &[], outside: &["std::env", "std::fs", "std::process"] },
    Layer { name: "lib", uses: &[], outside: &[] },
    Layer {
        name: "main",
        uses: &["allocator", "places", "models", "cache", "clones", "requests", "cli", "serve", "tui"],
        outside: &["anyhow", "apidisc::usage::Weights", "std::process::ExitCode"],
    },
];

#[test]
fn each_folder_uses_only_what_the_table_allows() {
    let found = differences(&PROGRAM);
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

#[test]
fn the_faces_never_call_each_other() {
    for (face, other) in
        [("cli", "tui"), ("tui", "cli"), ("cli", "serve"), ("serve", "cli"), ("tui", "serve"), ("serve", "tui")]
    {
        assert!(PROGRAM.layer(face).is_some_and(|layer| !layer.uses.contains(&other)), "{face} uses {other}");
        let path = format!("src/{face}/new.rs");
        for bad in [format!("use crate::{other}::run;"), format!("fn f() {{ super::super::{other}::run() }}")] {
            let there = File::new(&format!("src/{other}/mod.rs"), "");
            let found = differences_of(&PROGRAM, &[File::new(&path, &bad), there]);
            assert!(found.iter().any(|line| line.starts_with(&path)), "{bad}");
        }
    }
}

#[test]
fn the_rules_have_teeth() {
    for (path, bad) in [
        ("src/places.rs", "use apidisc::index::Index;"),
        ("src/demo.rs", "use apidisc::index::Index;"),
        ("src/clipboard.rs", "use crate::tui;"),
        ("src/cli/new.rs", "use crossterm::terminal;"),
        ("src/cli/new.rs", "use std::process::Command;"),
        ("src/main.rs", "use apidisc_tui::clipboard::Clipboard;"),
        ("src/main.rs", "use std::fs;"),
    ] {
        let others = ["tui", "clipboard"].map(|name| File::new(&format!("src/{name}/mod.rs"), ""));
        let found = differences_of(&PROGRAM, &[vec![File::new(path, bad)], others.into()].concat());
        assert!(found.iter().any(|line| line.starts_with(path)), "{path}: {bad}");
    }
}
