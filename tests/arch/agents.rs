//! The framework for agents: only its tools for files touch files, and only models of providers use the network.

use crate::layers::{Layer, Table, differences};

const AGENTS: Table = Table {
    folder: "src/agents",
    module: "crate",
    root: "lib",
    package: "src/agents",
    common: &["serde", "serde_json", "thiserror"],
    layers: LAYERS,
};

/// Parts of an agent, then the loop, then tools, models and agents that are ready.
const LAYERS: &[Layer] = &[
    Layer { name: "nearest", uses: &[], outside: &["apidisc::index"] },
    Layer { name: "tool", uses: &["nearest"], outside: &["schemars", "std::panic::Location"] },
    Layer { name: "registry", uses: &["nearest", "tool"], outside: &["std::panic::Location"] },
    Layer { name: "goal", uses: &[], outside: &[] },
    Layer { name: "memory", uses: &[], outside: &[] },
    Layer { name: "environment", uses: &["tool"], outside: &["chrono"] },
    Layer { name: "prompt", uses: &["memory", "tool"], outside: &["apidisc::tokens", "schemars"] },
    Layer { name: "model", uses: &["memory", "prompt"], outside: &[] },
    Layer { name: "language", uses: &["memory", "model", "prompt", "registry"], outside: &["jsonc_parser"] },
    Layer { name: "limits", uses: &[], outside: &[] },
    Layer { name: "transcript", uses: &["environment", "memory", "model"], outside: &[] },
    Layer {
        name: "agent",
        uses: &[
            "environment",
            "goal",
            "language",
            "limits",
            "memory",
            "model",
            "prompt",
            "registry",
            "tool",
            "transcript",
        ],
        outside: &["apidisc::tokens", "schemars", "std::time::Instant"],
    },
    Layer { name: "steps", uses: &["language", "memory", "model", "transcript"], outside: &[] },
    Layer {
        name: "project",
        uses: &["registry", "tool"],
        outside: &["apidisc::files", "apidisc::source", "globset", "ignore", "schemars", "std::io"],
    },
    Layer {
        name: "providers",
        uses: &["memory", "model", "nearest", "prompt"],
        outside: &[
            "apidisc::unprintable",
            "futures",
            "genai",
            "http_body_util",
            "hyper",
            "hyper_util",
            "reqwest",
            "rustls",
            "std::env",
            "std::io",
            "std::net",
            "std::thread",
            "std::time::Instant",
            "tokio",
        ],
    },
    Layer {
        name: "research",
        uses: &["agent", "goal", "memory", "model", "registry", "tool"],
        outside: &["apidisc", "std::time::Instant"],
    },
    Layer { name: "ready", uses: &["agent", "goal", "model", "project"], outside: &[] },
    Layer {
        name: "lib",
        uses: &[
            "agent",
            "environment",
            "goal",
            "language",
            "limits",
            "memory",
            "model",
            "project",
            "prompt",
            "ready",
            "registry",
            "tool",
            "transcript",
        ],
        outside: &[],
    },
];

#[test]
fn each_folder_uses_only_what_the_table_allows() {
    let found = differences(&AGENTS);
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}
