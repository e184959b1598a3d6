//! The linker of TypeScript: a core of inference, and readers above it that the core does not know.

use crate::{
    call_graph::{CallGraph, Calls},
    layers::{Layer, Table, differences, differences_of},
    rust,
    sources::{File, below, check},
};

const TYPESCRIPT: Table = Table {
    folder: "src/engine/link/typescript",
    module: "crate::typescript",
    root: "mod",
    package: "src/engine/link",
    common: &["apidisc_base::sort", "compact_str", "apidisc_facts::syntax::typescript", "rustc_hash", "smallvec"],
    layers: LAYERS,
};

/// The folders in the order in which they may use each other. `infer` is the core; what follows reads what it infers.
const LAYERS: &[Layer] = &[
    Layer { name: "source_file", uses: &[], outside: &["apidisc_base::language", "crate::linked", "serde"] },
    Layer {
        name: "modules",
        uses: &[],
        outside: &[
            "apidisc_base::diagnostic",
            "apidisc_base::language",
            "apidisc_base::nesting",
            "apidisc_facts::source",
            "crate::paths",
            "jsonc_parser",
        ],
    },
    Layer { name: "program", uses: &["modules"], outside: &["apidisc_base::ids", "apidisc_base::nesting", "indexmap"] },
    Layer { name: "types", uses: &["program"], outside: &["apidisc_base::ids", "apidisc_base::nesting", "hashbrown"] },
    Layer {
        name: "infer",
        uses: &["modules", "program", "types"],
        outside: &[
            "apidisc_base::control",
            "apidisc_base::language",
            "crate::limits",
            "crate::memo",
            "apidisc_base::nesting",
            "indexmap",
        ],
    },
    Layer {
        name: "callees",
        uses: &["program", "types", "infer"],
        outside: &["crate::limits", "apidisc_base::nesting"],
    },
    Layer {
        name: "rows",
        uses: &["source_file", "modules", "program", "infer", "callees"],
        outside: &["apidisc_base::language", "crate::linked"],
    },
    Layer {
        name: "call_sites",
        uses: &["source_file", "program", "types", "infer", "callees", "rows"],
        outside: &[
            "arcstr",
            "apidisc_base::language",
            "crate::linked",
            "crate::receiver_links",
            "apidisc_base::nesting",
            "apidisc_facts::program",
        ],
    },
    Layer { name: "declarations", uses: &[], outside: &[] },
    Layer { name: "needs", uses: &["source_file"], outside: &["apidisc_base::nesting", "serde"] },
    Layer {
        name: "reads",
        uses: &["program", "types", "infer", "callees", "rows", "call_sites"],
        outside: &["crate::linked", "apidisc_facts::program"],
    },
    Layer {
        name: "other_uses",
        uses: &["program", "infer", "rows", "call_sites"],
        outside: &["crate::linked", "crate::other_uses", "apidisc_base::nesting", "apidisc_facts::program"],
    },
    Layer {
        name: "describe",
        uses: &["modules", "program", "types", "infer", "callees", "rows", "call_sites"],
        outside: &[
            "arcstr",
            "apidisc_facts::documentation",
            "crate::limits",
            "crate::linked",
            "apidisc_base::nesting",
            "apidisc_facts::program",
            "apidisc_facts::syntax",
            "thin_vec",
        ],
    },
    Layer {
        name: "explain",
        uses: &["source_file", "program", "types", "infer", "rows", "call_sites"],
        outside: &["apidisc_base::nesting", "crate::explanation", "crate::linked"],
    },
    Layer {
        name: "http",
        uses: &["program", "types", "infer", "callees", "rows", "call_sites"],
        outside: &["crate::http", "crate::linked", "apidisc_base::nesting"],
    },
    Layer {
        name: "mod",
        uses: &[
            "declarations",
            "source_file",
            "modules",
            "program",
            "infer",
            "rows",
            "call_sites",
            "reads",
            "other_uses",
            "describe",
            "explain",
            "http",
        ],
        outside: &[
            "crate::explanation",
            "apidisc_base::control",
            "apidisc_base::language",
            "crate::linked",
            "crate::project_file",
            "apidisc_facts::source",
        ],
    },
];

#[test]
fn each_folder_of_the_linker_uses_only_what_the_table_allows() {
    let found = differences(&TYPESCRIPT);
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

#[test]
fn the_core_names_no_reader() {
    for reader in ["callees", "rows", "call_sites", "reads", "describe", "http"] {
        let text = format!("use crate::typescript::{reader}::X;");
        let here = "src/engine/link/typescript/infer/new.rs";
        let there = File::new(&format!("src/engine/link/typescript/{reader}/mod.rs"), "");
        let found = differences_of(&TYPESCRIPT, &[File::new(here, &text), there]);
        assert!(found.iter().any(|line| line.starts_with(here)), "{reader}");
    }
}

/// The folders whose files may add methods to the linker.
const CORE: &str = "src/engine/link/typescript/infer/";

/// The message about a reader that adds methods to the linker.
fn extends_the_core(file: &File) -> Option<String> {
    let is_of_linker = |line: &&str| line.starts_with("impl") && rust::words(line).any(|word| word == "Linker");
    let line = file.code.lines().find(is_of_linker)?;
    (!file.path.starts_with(CORE)).then(|| format!("a reader is a struct of its own, but the file says {line}"))
}

#[test]
fn no_reader_is_a_method_of_the_linker() {
    check(&below("src/engine/link/typescript"), extends_the_core);
    let bad = File::new("src/engine/link/typescript/http/new.rs", "impl Linker<'_> { fn f(&self) {} }");
    assert!(extends_the_core(&bad).is_some());
}

/// Resolution of names asks for no type, so that a circle of inference never passes through it.
#[test]
fn resolution_of_names_asks_for_no_type() {
    let graph = CallGraph::read(&below("src/engine/link/typescript/infer"), Calls::All);
    let is_name = |at: usize| graph.functions[at].path().starts_with("src/engine/link/typescript/infer/names/");
    let is_type = |at: usize| {
        let inner = graph.functions[at].path().trim_start_matches(CORE);
        inner.contains('/') && !is_name(at) && graph.functions[at].is_method_of("Linker")
    };
    let mut found = Vec::new();
    for (at, calls) in graph.calls.iter().enumerate().filter(|(at, _)| is_name(*at)) {
        for to in calls.iter().filter(|to| is_type(**to)) {
            found.push(format!("{} calls {}", graph.functions[at].label(), graph.functions[*to].label()));
        }
    }
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}
