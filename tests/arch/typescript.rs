//! The linker of TypeScript: a core of inference, and readers above it that the core does not know.

use crate::{
    layers::{Layer, Table, differences, differences_of},
    sources::File,
};

const TYPESCRIPT: Table = Table {
    folder: "src/engine/link/typescript",
    module: "crate::link::typescript",
    root: "mod",
    package: "src/engine",
    common: &["compact_str", "crate::syntax::typescript", "rustc_hash", "smallvec"],
    layers: LAYERS,
};

/// The folders in the order in which they may use each other. `infer` is the core; what follows reads what it infers.
const LAYERS: &[Layer] = &[
    Layer { name: "source_file", uses: &[], outside: &["crate::language", "crate::link::linked", "serde"] },
    Layer {
        name: "modules",
        uses: &[],
        outside: &["crate::diagnostic", "crate::nesting", "crate::source", "jsonc_parser"],
    },
    Layer { name: "program", uses: &["modules"], outside: &["crate::ids", "crate::nesting", "indexmap"] },
    Layer { name: "types", uses: &["program"], outside: &["crate::ids", "crate::nesting", "hashbrown"] },
    Layer {
        name: "infer",
        uses: &["modules", "program", "types"],
        outside: &[
            "crate::control",
            "crate::language",
            "crate::link::limits",
            "crate::link::memo",
            "crate::nesting",
            "indexmap",
        ],
    },
    Layer {
        name: "rows",
        uses: &["source_file", "modules", "program", "infer"],
        outside: &["crate::language", "crate::link::linked"],
    },
    Layer {
        name: "call_sites",
        uses: &["source_file", "program", "types", "infer", "rows"],
        outside: &[
            "arcstr",
            "crate::language",
            "crate::link::linked",
            "crate::link::receiver_links",
            "crate::nesting",
            "crate::program",
        ],
    },
    Layer {
        name: "reads",
        uses: &["program", "types", "infer", "rows", "call_sites"],
        outside: &["crate::link::linked", "crate::program"],
    },
    Layer {
        name: "describe",
        uses: &["modules", "program", "types", "infer", "rows", "call_sites"],
        outside: &[
            "crate::documentation",
            "crate::link::limits",
            "crate::link::linked",
            "crate::nesting",
            "crate::program",
            "crate::syntax",
        ],
    },
    Layer {
        name: "http",
        uses: &["program", "types", "infer", "rows", "call_sites"],
        outside: &["crate::link::http", "crate::link::linked", "crate::nesting"],
    },
    Layer {
        name: "mod",
        uses: &["source_file", "modules", "program", "infer", "rows", "call_sites", "reads", "describe", "http"],
        outside: &["crate::control", "crate::language", "crate::link::linked", "crate::source"],
    },
];

#[test]
fn each_folder_of_the_linker_uses_only_what_the_table_allows() {
    let found = differences(&TYPESCRIPT);
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

#[test]
fn the_core_names_no_reader() {
    for reader in ["rows", "call_sites", "reads", "describe", "http"] {
        let text = format!("use crate::link::typescript::{reader}::X;");
        let here = "src/engine/link/typescript/infer/new.rs";
        let there = File::new(&format!("src/engine/link/typescript/{reader}/mod.rs"), "");
        let found = differences_of(&TYPESCRIPT, &[File::new(here, &text), there]);
        assert!(found.iter().any(|line| line.starts_with(here)), "{reader}");
    }
}
