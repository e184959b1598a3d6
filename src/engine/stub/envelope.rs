//! What stands around a stub.

use serde::Serialize;

use super::{Delivery, Format};
use crate::engine::index::Language;

/// The delivered object; its keys are part of the contract.
#[derive(Serialize)]
struct Envelope<'a> {
    stub: &'a str,
    tokens: usize,
    max_tokens: Option<usize>,
    strategy: &'a str,
    encoding: &'a str,
    /// The share of calls that can be written from the stub; null where no call is known.
    coverage: Option<f64>,
    symbols: Vec<Symbol<'a>>,
}

#[derive(Serialize)]
struct Symbol<'a> {
    fqn: &'a str,
    alias: &'a str,
    kind: &'a str,
    total_calls: u32,
    shown: &'a [compact_str::CompactString],
    hidden: &'a [compact_str::CompactString],
    text: &'a str,
}

/// The delivered bytes. For JSON and YAML everything but `text` must be in `delivery` already.
pub(super) fn wrap(delivery: &Delivery, heading: &str, format: Format) -> String {
    match format {
        Format::Stub => delivery.stub.clone(),
        Format::Markdown => markdown(&delivery.stub, heading, delivery.language),
        // Strings, numbers and lists: these serializers have no way to fail on them.
        Format::Json => serde_json::to_string_pretty(&envelope(delivery)).map(|json| json + "\n").unwrap_or_default(),
        Format::Yaml => serde_yaml::to_string(&envelope(delivery)).unwrap_or_default(),
    }
}

/// A heading and a fenced block. The fence is longer than any run of backticks in the stub.
pub(super) fn markdown(stub: &str, heading: &str, language: Language) -> String {
    let longest = stub.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("## {heading}\n\n{fence}{}\n{stub}{fence}\n", language.fence())
}

fn envelope(delivery: &Delivery) -> Envelope<'_> {
    Envelope {
        stub: &delivery.stub,
        tokens: delivery.tokens,
        max_tokens: delivery.max_tokens,
        strategy: &delivery.strategy,
        encoding: delivery.encoding.name(),
        coverage: delivery.coverage(),
        symbols: delivery
            .symbols
            .iter()
            .map(|symbol| Symbol {
                fqn: &symbol.fqn,
                alias: &symbol.alias,
                kind: symbol.kind.word(),
                total_calls: symbol.total_calls,
                shown: &symbol.shown,
                hidden: &symbol.hidden,
                text: &symbol.text,
            })
            .collect(),
    }
}
