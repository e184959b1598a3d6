//! What each folder of the packages that make an index may name.

use crate::layers::{Layer, Table};

/// What every part of the engine shares.
pub(crate) const BASE: Table = Table {
    folder: "src/engine/base",
    module: "crate",
    root: "lib",
    package: "src/engine/base",
    common: &["arcstr", "compact_str", "rustc_hash", "serde", "smallvec", "thin_vec", "thiserror"],
    layers: &[
        Layer { name: "packed", uses: &[], outside: &[] },
        Layer { name: "packed_list", uses: &["packed"], outside: &["std::marker"] },
        Layer { name: "ids", uses: &["packed"], outside: &[] },
        Layer { name: "hash", uses: &["packed"], outside: &["blake3"] },
        Layer { name: "control", uses: &[], outside: &[] },
        Layer { name: "environment", uses: &[], outside: &[] },
        Layer { name: "nesting", uses: &[], outside: &["std::marker::PhantomData", "std::ptr::from_ref"] },
        Layer { name: "files", uses: &[], outside: &["rustix", "std::fs", "std::io", "std::os"] },
        Layer { name: "diagnostic", uses: &["packed"], outside: &[] },
        Layer { name: "language", uses: &["packed", "diagnostic"], outside: &[] },
        Layer { name: "unprintable", uses: &[], outside: &["serde_yaml"] },
        Layer { name: "shorten", uses: &[], outside: &[] },
        Layer { name: "sort", uses: &[], outside: &[] },
        Layer { name: "lib", uses: &[], outside: &[] },
    ],
};

/// Where packages are installed. It reads folders that are no repository, and runs nothing.
pub(crate) const ENVIRONMENT: Table = Table {
    folder: "src/engine/environment",
    module: "crate",
    root: "lib",
    package: "src/engine/environment",
    common: &["compact_str", "rustc_hash"],
    layers: &[
        Layer {
            name: "listing",
            uses: &[],
            outside: &["apidisc_base::files", "apidisc_base::hash", "serde", "std::fs"],
        },
        Layer { name: "node", uses: &["listing"], outside: &["serde_json"] },
        Layer {
            name: "python",
            uses: &["listing"],
            outside: &["apidisc_base::environment", "base64", "serde", "serde_json", "sha2", "toml"],
        },
        Layer { name: "lib", uses: &[], outside: &[] },
    ],
};

/// The counts of tokens.
pub(crate) const TOKENS: Table = Table {
    folder: "src/engine/tokens",
    module: "crate",
    root: "lib",
    package: "src/engine/tokens",
    common: &["rayon", "rustc_hash", "smallvec", "thiserror"],
    layers: &[
        Layer { name: "build", uses: &[], outside: &["std::env", "std::fs", "tiktoken_rs"] },
        Layer { name: "line_counts", uses: &[], outside: &[] },
        Layer { name: "rank_table", uses: &[], outside: &[] },
        Layer { name: "encoding", uses: &["rank_table"], outside: &[] },
        Layer { name: "merge", uses: &["rank_table"], outside: &[] },
        Layer { name: "pretokenizer", uses: &["encoding"], outside: &["regex_automata"] },
        Layer { name: "lib", uses: &["encoding", "line_counts", "pretokenizer", "rank_table", "merge"], outside: &[] },
    ],
};

/// The words of names and texts.
pub(crate) const WORDS: Table = Table {
    folder: "src/engine/words",
    module: "crate",
    root: "lib",
    package: "src/engine/words",
    common: &["rustc_hash"],
    layers: &[
        Layer { name: "split", uses: &[], outside: &[] },
        Layer { name: "stem", uses: &[], outside: &["frostem"] },
        Layer { name: "synonyms", uses: &["stem"], outside: &[] },
        Layer { name: "lib", uses: &["split", "stem", "synonyms"], outside: &[] },
    ],
};

/// Sources to the facts of single files.
pub(crate) const FACTS: Table = Table {
    folder: "src/engine/facts",
    module: "crate",
    root: "lib",
    package: "src/engine/facts",
    common: &[
        "apidisc_base::sort",
        "arcstr",
        "compact_str",
        "indexmap",
        "rustc_hash",
        "serde",
        "smallvec",
        "thiserror",
    ],
    layers: &[
        Layer { name: "documentation", uses: &[], outside: &["apidisc_base::packed", "apidisc_base::unprintable"] },
        Layer { name: "documents", uses: &[], outside: &["apidisc_base::language"] },
        Layer {
            name: "source",
            uses: &["documents"],
            outside: &[
                "apidisc_base::diagnostic",
                "apidisc_base::environment",
                "apidisc_base::files",
                "apidisc_base::hash",
                "apidisc_base::language",
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
        Layer { name: "program", uses: &[], outside: &["apidisc_base::ids", "apidisc_base::packed"] },
        Layer {
            name: "syntax",
            uses: &["documentation", "program"],
            outside: &[
                "apidisc_base::diagnostic",
                "apidisc_base::ids",
                "apidisc_base::language",
                "apidisc_base::nesting",
                "memchr",
                "tree_sitter",
                "tree_sitter_python",
                "tree_sitter_typescript",
            ],
        },
        Layer {
            name: "components",
            uses: &["documents", "syntax"],
            outside: &["apidisc_base::diagnostic", "apidisc_base::language", "memchr"],
        },
        Layer { name: "lib", uses: &[], outside: &[] },
    ],
};

/// The facts of all files to a linked program.
pub(crate) const LINK: Table = Table {
    folder: "src/engine/link",
    module: "crate",
    root: "lib",
    package: "src/engine/link",
    common: &["apidisc_base::sort", "arcstr", "compact_str", "indexmap", "rayon", "rustc_hash", "serde", "smallvec"],
    layers: &[
        Layer { name: "explanation", uses: &[], outside: &["apidisc_facts::program"] },
        Layer { name: "limits", uses: &[], outside: &["apidisc_base::diagnostic"] },
        Layer {
            name: "linked",
            uses: &["explanation"],
            outside: &[
                "apidisc_base::diagnostic",
                "apidisc_base::ids",
                "apidisc_base::language",
                "apidisc_facts::documentation",
                "apidisc_facts::program",
                "apidisc_facts::source",
            ],
        },
        Layer { name: "memo", uses: &[], outside: &[] },
        Layer { name: "merge", uses: &["linked"], outside: &["apidisc_facts::program"] },
        Layer { name: "paths", uses: &[], outside: &[] },
        Layer { name: "project_file", uses: &["paths"], outside: &[] },
        Layer { name: "receiver_links", uses: &[], outside: &["apidisc_facts::program"] },
        Layer {
            name: "http",
            uses: &[],
            outside: &["apidisc_base::nesting", "apidisc_facts::program", "apidisc_facts::syntax"],
        },
        Layer {
            name: "python",
            uses: &["explanation", "limits", "http", "linked", "memo", "paths", "project_file", "receiver_links"],
            outside: &[
                "apidisc_base::control",
                "apidisc_base::diagnostic",
                "apidisc_base::ids",
                "apidisc_base::language",
                "apidisc_base::nesting",
                "apidisc_facts::documentation",
                "apidisc_facts::documents",
                "apidisc_facts::program",
                "apidisc_facts::source",
                "apidisc_facts::syntax",
                "toml",
            ],
        },
        Layer {
            name: "typescript",
            uses: &["explanation", "memo", "linked", "limits", "http", "paths", "project_file", "receiver_links"],
            outside: &[
                "apidisc_base::control",
                "apidisc_base::diagnostic",
                "apidisc_base::ids",
                "apidisc_base::language",
                "apidisc_base::nesting",
                "apidisc_facts::documentation",
                "apidisc_facts::program",
                "apidisc_facts::source",
                "apidisc_facts::syntax",
                "hashbrown",
                "jsonc_parser",
            ],
        },
        Layer { name: "lib", uses: &["merge"], outside: &[] },
    ],
};

/// A linked program to an index.
pub(crate) const INDEXING: Table = Table {
    folder: "src/engine/indexing",
    module: "crate",
    root: "lib",
    package: "src/engine/indexing",
    common: &[
        "apidisc_base::sort",
        "arcstr",
        "compact_str",
        "indexmap",
        "rayon",
        "rustc_hash",
        "serde",
        "smallvec",
        "thin_vec",
        "thiserror",
    ],
    layers: &[
        Layer {
            name: "snippet",
            uses: &[],
            outside: &[
                "apidisc_base::language",
                "apidisc_base::nesting",
                "apidisc_base::unprintable",
                "apidisc_facts::components",
                "apidisc_facts::documentation",
                "apidisc_facts::documents",
                "apidisc_facts::source",
                "apidisc_facts::syntax",
                "apidisc_link",
                "tree_sitter",
            ],
        },
        Layer {
            name: "usage",
            uses: &[],
            outside: &["apidisc_base::packed", "apidisc_facts::program", "apidisc_facts::source"],
        },
        Layer {
            name: "packages",
            uses: &[],
            outside: &[
                "apidisc_base::language",
                "apidisc_base::unprintable",
                "apidisc_environment::python",
                "apidisc_facts::source",
            ],
        },
        Layer {
            name: "index",
            uses: &["usage", "packages"],
            outside: &[
                "apidisc_base::control",
                "apidisc_base::diagnostic",
                "apidisc_base::language",
                "apidisc_base::packed",
                "apidisc_base::unprintable",
                "apidisc_facts::documentation",
                "apidisc_facts::program",
                "apidisc_facts::source",
                "apidisc_tokens",
                "serde_json",
                "serde_yaml",
            ],
        },
        Layer {
            name: "facts",
            uses: &["usage", "index"],
            outside: &["apidisc_base::language", "apidisc_facts::program", "apidisc_facts::source", "serde_json"],
        },
        Layer { name: "lib", uses: &[], outside: &[] },
        Layer {
            name: "indexer",
            uses: &["snippet", "packages", "index", "lib"],
            outside: &[
                "apidisc_base::SOURCES",
                "apidisc_base::control",
                "apidisc_base::diagnostic",
                "apidisc_base::hash",
                "apidisc_base::language",
                "apidisc_base::nesting",
                "apidisc_base::packed",
                "apidisc_environment",
                "apidisc_facts::SOURCES",
                "apidisc_facts::components",
                "apidisc_facts::documents",
                "apidisc_facts::program",
                "apidisc_facts::source",
                "apidisc_facts::syntax",
                "apidisc_link",
                "lz4_flex",
                "memchr",
                "postcard",
                "std::panic::resume_unwind",
                "std::thread",
            ],
        },
        Layer {
            name: "dependencies",
            uses: &["usage", "index", "indexer", "packages"],
            outside: &["apidisc_base::language", "apidisc_environment", "apidisc_facts::program", "apidisc_link"],
        },
    ],
};
