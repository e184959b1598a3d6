//! The engine: its folders in the order of the data flow, and nothing of a screen, a process, a network or a clock.

use std::{fs, path::Path};

use crate::{
    layers::{Layer, Table, differences, differences_of},
    sources::{File, below, check, is_at_or_below},
};

const ENGINE: Table = Table {
    folder: "src/engine",
    module: "crate",
    root: "lib",
    package: "src/engine",
    common: &["arcstr", "compact_str", "indexmap", "rayon", "rustc_hash", "serde", "smallvec", "thin_vec", "thiserror"],
    layers: LAYERS,
};

/// The layers in the order of the data flow: bytes → facts of one file → linked program → usage → index → strategy →
/// stub. No row has to forbid faces or foreign crates: the engine is a package of its own, so the compiler refuses
/// them.
const LAYERS: &[Layer] = &[
    Layer { name: "packed", uses: &[], outside: &[] },
    Layer { name: "packed_list", uses: &["packed"], outside: &["std::marker"] },
    Layer { name: "ids", uses: &["packed"], outside: &[] },
    Layer { name: "hash", uses: &["packed"], outside: &["blake3"] },
    Layer { name: "control", uses: &[], outside: &[] },
    Layer { name: "nesting", uses: &[], outside: &["std::marker::PhantomData", "std::ptr::from_ref"] },
    Layer { name: "files", uses: &[], outside: &["rustix", "std::fs", "std::io", "std::os"] },
    Layer { name: "diagnostic", uses: &["packed"], outside: &[] },
    Layer { name: "language", uses: &["packed", "diagnostic"], outside: &[] },
    Layer { name: "unprintable", uses: &[], outside: &["serde_yaml"] },
    Layer { name: "shorten", uses: &[], outside: &[] },
    Layer { name: "tokens", uses: &[], outside: &["regex_automata"] },
    Layer { name: "documentation", uses: &["packed", "unprintable"], outside: &[] },
    Layer { name: "documents", uses: &["language"], outside: &[] },
    Layer {
        name: "source",
        uses: &["diagnostic", "files", "hash", "language", "documents"],
        outside: &[
            "encoding_rs",
            "git2",
            "ignore",
            "memchr",
            "serde_json",
            "std::fs",
            "std::io",
            "std::os::unix::ffi",
            "std::time::UNIX_EPOCH",
        ],
    },
    Layer { name: "program", uses: &["packed", "ids"], outside: &[] },
    Layer {
        name: "syntax",
        uses: &["ids", "nesting", "diagnostic", "language", "documentation", "program"],
        outside: &["memchr", "tree_sitter", "tree_sitter_python", "tree_sitter_typescript"],
    },
    Layer {
        name: "link",
        uses: &[
            "ids",
            "control",
            "nesting",
            "diagnostic",
            "language",
            "documentation",
            "documents",
            "source",
            "program",
            "syntax",
        ],
        outside: &["hashbrown", "jsonc_parser"],
    },
    Layer {
        name: "snippet",
        uses: &["nesting", "language", "unprintable", "documentation", "documents", "source", "syntax", "link"],
        outside: &["tree_sitter"],
    },
    Layer { name: "usage", uses: &["packed", "source", "program"], outside: &[] },
    Layer {
        name: "index",
        uses: &[
            "packed",
            "control",
            "diagnostic",
            "documentation",
            "language",
            "tokens",
            "unprintable",
            "source",
            "program",
            "usage",
        ],
        outside: &["serde_json", "serde_yaml"],
    },
    Layer { name: "facts", uses: &["language", "source", "program", "usage", "index"], outside: &["serde_json"] },
    Layer {
        name: "indexer",
        uses: &[
            "control",
            "nesting",
            "diagnostic",
            "hash",
            "packed",
            "language",
            "documents",
            "source",
            "program",
            "syntax",
            "link",
            "snippet",
            "index",
        ],
        outside: &["lz4_flex", "memchr", "postcard", "std::panic::resume_unwind", "std::thread"],
    },
    Layer { name: "overrides", uses: &["program", "index"], outside: &[] },
    Layer {
        name: "stub",
        uses: &["language", "tokens", "shorten", "unprintable", "program", "snippet", "usage", "index", "overrides"],
        outside: &[],
    },
    Layer { name: "strategy", uses: &["language", "program", "usage", "index", "stub"], outside: &[] },
    Layer {
        name: "delivery",
        uses: &[
            "hash",
            "control",
            "documentation",
            "language",
            "tokens",
            "unprintable",
            "source",
            "program",
            "usage",
            "index",
            "overrides",
            "stub",
            "strategy",
        ],
        outside: &["serde_json", "toml"],
    },
    Layer {
        name: "entry_points",
        uses: &["control", "files", "tokens", "source", "usage", "index", "indexer", "strategy", "delivery"],
        outside: &["serde_yaml"],
    },
    Layer {
        name: "recipes",
        uses: &[
            "hash",
            "packed",
            "packed_list",
            "unprintable",
            "source",
            "program",
            "snippet",
            "usage",
            "index",
            "stub",
        ],
        outside: &["rayon"],
    },
    Layer {
        name: "search",
        uses: &["language", "source", "program", "usage", "index"],
        outside: &["memchr", "nucleo"],
    },
    Layer { name: "terms", uses: &["packed"], outside: &[] },
    Layer {
        name: "answers",
        uses: &[
            "recipes",
            "terms",
            "hash",
            "language",
            "shorten",
            "unprintable",
            "tokens",
            "source",
            "program",
            "usage",
            "index",
            "stub",
            "strategy",
            "delivery",
        ],
        outside: &["sha2"],
    },
    Layer {
        name: "route",
        uses: &["terms", "language", "unprintable", "tokens", "program", "index", "answers"],
        outside: &["serde_json"],
    },
    Layer {
        name: "discover",
        uses: &[
            "terms",
            "hash",
            "packed",
            "packed_list",
            "language",
            "shorten",
            "unprintable",
            "tokens",
            "documents",
            "source",
            "program",
            "index",
            "indexer",
            "recipes",
            "delivery",
            "answers",
        ],
        outside: &["frostem", "serde_json"],
    },
    Layer {
        name: "code_check",
        uses: &[
            "nesting",
            "unprintable",
            "tokens",
            "language",
            "documents",
            "source",
            "program",
            "syntax",
            "index",
            "indexer",
            "strategy",
            "delivery",
            "answers",
        ],
        outside: &["memchr"],
    },
    Layer {
        name: "openapi",
        uses: &[
            "terms",
            "ids",
            "diagnostic",
            "hash",
            "shorten",
            "unprintable",
            "tokens",
            "source",
            "answers",
            "discover",
        ],
        outside: &["memchr", "rayon", "serde_json", "serde_yaml", "std::io"],
    },
    Layer {
        name: "http",
        uses: &["nesting", "shorten", "unprintable", "tokens", "program", "index", "answers", "discover", "openapi"],
        outside: &[],
    },
    Layer {
        name: "research",
        uses: &[
            "terms",
            "documents",
            "unprintable",
            "tokens",
            "program",
            "index",
            "route",
            "overrides",
            "strategy",
            "delivery",
            "answers",
            "discover",
            "openapi",
            "http",
        ],
        outside: &["serde_json"],
    },
    Layer { name: "session", uses: &["hash", "answers"], outside: &["serde_json"] },
    Layer {
        name: "tools",
        uses: &[
            "tokens", "index", "stub", "strategy", "delivery", "answers", "discover", "openapi", "http", "route",
            "research",
        ],
        outside: &["serde_json"],
    },
    // The items that the root of the crate re-exports.
    Layer { name: "lib", uses: &["source", "index", "strategy", "delivery", "entry_points"], outside: &[] },
    Layer { name: "build", uses: &[], outside: &["blake3", "std::env", "std::fs", "std::io", "tiktoken_rs"] },
];

/// The paths that no row of the table may allow: screens, terminals, processes, networks, clocks, asynchronous
/// runtimes, standard input and output.
const NEVER: &[&str] = &[
    "arboard",
    "clap",
    "crossterm",
    "ratatui",
    "std::env",
    "std::io::stderr",
    "std::io::stdin",
    "std::io::stdout",
    "std::net",
    "std::process",
    "std::time::Instant",
    "std::time::SystemTime",
    "tokio",
];

/// The words that no file of the engine may contain: macros that print, and names of [`NEVER`] that a glob import could
/// bring in without a path.
const NEVER_AS_A_WORD: &[&str] = &[
    "Command",
    "Instant",
    "SystemTime",
    "TcpStream",
    "UdpSocket",
    "dbg",
    "eprint",
    "eprintln",
    "print",
    "println",
    "stderr",
    "stdin",
    "stdout",
];

/// The message about a file that names one of [`NEVER_AS_A_WORD`]. The build script is exempt: cargo reads its standard
/// output.
fn says_something(file: &File) -> Option<String> {
    let found = file.says(NEVER_AS_A_WORD).filter(|_| file.path != "src/engine/build.rs")?;
    Some(format!("the engine knows no face, process, network or clock, but names {found}"))
}

#[test]
fn each_folder_uses_only_what_the_table_allows() {
    let found = differences(&ENGINE);
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

/// The build script counts every source as one that decides what facts are, except those of layers after the facts.
#[test]
fn no_layer_that_makes_facts_uses_one_that_is_left_out_of_their_version() {
    let script = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/engine/build.rs")).unwrap();
    let list = script.split_once("AFTER_FACTS: &[&str] =").unwrap().1.split_once(';').unwrap().0;
    let left_out: Vec<&str> = list.split('"').skip(1).step_by(2).map(|name| name.trim_end_matches(".rs")).collect();
    assert!(left_out.iter().all(|name| ENGINE.layer(name).is_some()), "{left_out:?}");
    // The layers that parse a file, and the linker, whose types of files contain the facts.
    let mut makes_facts = vec!["link", "syntax", "documents", "source"];
    let mut at = 0;
    while let Some(layer) = makes_facts.get(at).and_then(|name| ENGINE.layer(name)) {
        makes_facts.extend(layer.uses);
        at += 1;
    }
    let forgotten: Vec<&&str> = left_out.iter().filter(|name| makes_facts.contains(name)).collect();
    assert!(forgotten.is_empty(), "build.rs leaves out {forgotten:?}");
}

#[test]
fn the_table_allows_no_face_and_no_clock() {
    for layer in LAYERS.iter().filter(|layer| layer.name != "build") {
        for allowed in layer.outside.iter().chain(ENGINE.common) {
            let is_too_much = |never: &&&str| is_at_or_below(allowed, never) || is_at_or_below(never, allowed);
            // `std::io` is allowed for its errors; `NEVER_AS_A_WORD` makes sure that nobody reads or prints.
            let found = NEVER.iter().find(is_too_much).filter(|_| *allowed != "std::io");
            assert_eq!(found, None, "{}", layer.name);
        }
    }
}

#[test]
fn the_engine_says_nothing() {
    check(&below("src/engine"), says_something);
}

/// For every two folders of which the first may not use the second, a file that breaks the rule.
#[test]
fn every_row_has_teeth() {
    let mut refused = 0;
    for (layer, other) in LAYERS.iter().flat_map(|layer| LAYERS.iter().map(move |other| (layer, other))) {
        if layer.name == other.name || layer.uses.contains(&other.name) {
            continue;
        }
        let here = format!("src/engine/{}/new.rs", layer.name);
        let there = File::new(&format!("src/engine/{}/mod.rs", other.name), "");
        let found = differences_of(&ENGINE, &[File::new(&here, &format!("use crate::{}::X;", other.name)), there]);
        assert!(found.iter().any(|line| line.starts_with(&here)), "{} uses {}", layer.name, other.name);
        refused += 1;
    }
    assert!(refused > LAYERS.len() * LAYERS.len() / 2, "{refused}");
}

#[test]
fn the_rules_have_teeth() {
    for bad in [
        "use std::{fmt, process::Command};",
        "use std::net::TcpStream;",
        "use std::time::Instant;",
        "use std::io::{self, stdout};",
        "use rayon::prelude::*; use regex_automata::Input;",
    ] {
        let found = differences_of(&ENGINE, &[File::new("src/engine/usage/new.rs", bad)]);
        assert!(found.iter().any(|line| line.starts_with("src/engine/usage/new.rs")), "{bad}");
    }
    for bad in ["let now = Instant::now();", "println!(\"{}\", 1);", "io::stdout().flush()", "Command::new(\"sh\")"] {
        assert!(says_something(&File::new("src/engine/source/new.rs", bad)).is_some(), "{bad}");
    }
    let good = "//! No println!, no stdout.\nuse std::{fmt, sync::Arc};\nuse super::text;\nlet s = \"Instant\";";
    assert_eq!(says_something(&File::new("src/engine/usage/new.rs", good)), None);
    let found = differences_of(&ENGINE, &[File::new("src/engine/usage/new.rs", good)]);
    assert!(!found.iter().any(|line| line.starts_with("src/engine/usage/new.rs")), "{found:?}");
}
