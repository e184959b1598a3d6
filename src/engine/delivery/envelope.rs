//! What stands around a stub.

use compact_str::CompactString;
use serde::Serialize;

use super::{Delivery, Format};
use crate::{index::Index, language::Language};

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
    shown: Vec<CompactString>,
    hidden: Vec<CompactString>,
    text: &'a str,
}

/// The delivered bytes around the stub that `delivery` is; `None` where nothing stands around it. For JSON and YAML its
/// tokens must be counted already.
pub(super) fn wrap(delivery: &Delivery, index: &Index, heading: &str, format: Format) -> Option<String> {
    let envelope = || envelope(delivery, index);
    match format {
        Format::Stub => None,
        Format::Markdown => Some(markdown(delivery.stub(), heading, delivery.language)),
        // Strings, numbers and lists: these serializers have no way to fail on them.
        Format::Json => Some(serde_json::to_string_pretty(&envelope()).map(|json| json + "\n").unwrap_or_default()),
        Format::Yaml => Some(serde_yaml::to_string(&envelope()).unwrap_or_default()),
    }
}

/// A heading and a fenced block. The fence is longer than any run of backticks in the stub.
pub(super) fn markdown(stub: &str, heading: &str, language: Language) -> String {
    let longest = stub.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("## {heading}\n\n{fence}{}\n{stub}{fence}\n", language.fence())
}

fn envelope<'a>(delivery: &'a Delivery, index: &'a Index) -> Envelope<'a> {
    Envelope {
        stub: delivery.stub(),
        tokens: delivery.tokens,
        max_tokens: delivery.max_tokens,
        strategy: &delivery.strategy,
        encoding: delivery.encoding.name(),
        coverage: delivery.coverage(),
        symbols: delivery
            .symbols
            .iter()
            .map(|symbol| {
                let definition = index.definition(symbol.id);
                Symbol {
                    fqn: &definition.fqn,
                    alias: &definition.alias,
                    kind: definition.kind.word(),
                    total_calls: definition.usage.total_calls,
                    shown: symbol.shown(index),
                    hidden: symbol.hidden(index),
                    text: delivery.part(symbol),
                }
            })
            .collect(),
    }
}
