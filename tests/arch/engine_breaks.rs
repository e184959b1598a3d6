//! What each file of the package that compares versions may name.

use crate::layers::{Layer, Table};

/// What another version of a package does to the calls of a program.
pub(crate) const BREAKS: Table = Table {
    folder: "src/engine/breaks",
    module: "crate",
    root: "lib",
    package: "src/engine/breaks",
    common: &["compact_str", "rustc_hash"],
    layers: &[
        Layer { name: "version", uses: &[], outside: &["apidisc_indexing::index", "apidisc_indexing::indexer"] },
        Layer { name: "report", uses: &[], outside: &["serde"] },
        Layer { name: "type_text", uses: &[], outside: &[] },
        Layer { name: "properties", uses: &["type_text"], outside: &["apidisc_facts::syntax::typescript"] },
        Layer {
            name: "declarations",
            uses: &["version"],
            outside: &[
                "apidisc_base::language",
                "apidisc_base::nesting",
                "apidisc_facts::program",
                "apidisc_facts::syntax::typescript",
                "apidisc_link::typescript::needs",
            ],
        },
        Layer {
            name: "forms",
            uses: &["type_text"],
            outside: &["apidisc_facts::program", "apidisc_facts::syntax::typescript"],
        },
        Layer {
            name: "types",
            uses: &["declarations", "forms", "properties", "type_text"],
            outside: &[
                "apidisc_base::nesting",
                "apidisc_facts::program",
                "apidisc_facts::syntax::typescript",
                "apidisc_indexing::packages",
            ],
        },
        Layer { name: "presence", uses: &[], outside: &[] },
        Layer { name: "statements", uses: &[], outside: &[] },
        Layer { name: "replacement", uses: &["statements"], outside: &["apidisc_facts::program"] },
        Layer { name: "conditions", uses: &["statements"], outside: &[] },
        Layer { name: "decorators", uses: &["statements"], outside: &[] },
        Layer { name: "code", uses: &["conditions", "decorators", "statements"], outside: &["apidisc_base::nesting"] },
        Layer { name: "modules", uses: &["code", "presence", "statements"], outside: &["apidisc_link::python"] },
        Layer {
            name: "npm_names",
            uses: &["declarations", "presence", "types", "version"],
            outside: &[
                "apidisc_facts::program",
                "apidisc_facts::source",
                "apidisc_facts::syntax::typescript",
                "apidisc_indexing::indexer",
            ],
        },
        Layer {
            name: "overloads",
            uses: &["declarations", "forms", "properties", "replacement", "report", "type_text", "types"],
            outside: &["apidisc_facts::program", "apidisc_indexing::index", "apidisc_words"],
        },
        Layer {
            name: "symbols",
            uses: &["modules", "npm_names", "presence", "version"],
            outside: &[
                "apidisc_base::language",
                "apidisc_facts::program",
                "apidisc_facts::source",
                "apidisc_indexing::indexer",
            ],
        },
        Layer { name: "signature_text", uses: &[], outside: &["apidisc_base::language", "apidisc_facts::program"] },
        Layer {
            name: "groups",
            uses: &["report", "signature_text"],
            outside: &["apidisc_base::shorten", "apidisc_base::unprintable"],
        },
        Layer { name: "known", uses: &["report"], outside: &["serde", "serde_json"] },
        Layer {
            name: "arguments",
            uses: &["code", "conditions", "replacement", "report", "symbols"],
            outside: &["apidisc_facts::program", "std::ptr"],
        },
        Layer {
            name: "said",
            uses: &["arguments", "code", "conditions", "replacement", "report"],
            outside: &["apidisc_facts::program"],
        },
        Layer {
            name: "versions",
            uses: &[
                "arguments",
                "code",
                "forms",
                "modules",
                "overloads",
                "presence",
                "replacement",
                "report",
                "said",
                "symbols",
                "version",
            ],
            outside: &["apidisc_base::language", "apidisc_facts::program", "apidisc_indexing", "std::ptr"],
        },
        Layer { name: "guards", uses: &["report", "statements", "versions"], outside: &[] },
        Layer {
            name: "exports",
            uses: &["presence", "report", "versions"],
            outside: &["apidisc_link::typescript::needs"],
        },
        Layer {
            name: "moved",
            uses: &["modules", "presence", "replacement", "statements", "versions"],
            outside: &["apidisc_link::python"],
        },
        Layer {
            name: "overrides",
            uses: &["modules", "report", "statements", "versions"],
            outside: &["apidisc_base::language", "apidisc_facts::program", "apidisc_indexing"],
        },
        Layer {
            name: "signatures",
            uses: &["report", "signature_text", "versions"],
            outside: &["apidisc_base::shorten", "apidisc_facts::program", "apidisc_indexing::index"],
        },
        Layer {
            name: "compare",
            uses: &[
                "exports",
                "guards",
                "moved",
                "overrides",
                "presence",
                "replacement",
                "report",
                "signatures",
                "version",
                "versions",
            ],
            outside: &["apidisc_base::language", "apidisc_facts::program", "apidisc_indexing"],
        },
        Layer {
            name: "deprecated",
            uses: &["compare", "report", "version", "versions"],
            outside: &["apidisc_indexing::packages"],
        },
        Layer { name: "edits", uses: &[], outside: &["apidisc_facts::source", "similar"] },
        Layer {
            name: "removed",
            uses: &["edits", "presence", "replacement", "report", "symbols", "versions"],
            outside: &["apidisc_base::language", "apidisc_facts::source", "apidisc_indexing", "apidisc_words"],
        },
        Layer {
            name: "revisions",
            uses: &["edits", "removed", "report", "signatures", "version", "versions"],
            outside: &["apidisc_base::language", "apidisc_facts::program", "apidisc_facts::source", "apidisc_indexing"],
        },
        Layer {
            name: "api",
            uses: &["arguments", "edits", "removed", "replacement", "report", "version", "versions"],
            outside: &[
                "apidisc_base::language",
                "apidisc_facts::program",
                "apidisc_indexing::index",
                "serde",
                "std::ptr",
            ],
        },
        Layer {
            name: "lib",
            uses: &["api", "compare", "deprecated", "edits", "known", "revisions", "signature_text", "version"],
            outside: &[],
        },
    ],
};
