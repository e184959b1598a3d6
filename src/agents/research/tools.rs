//! The functions of the engine as tools.

use std::fmt::Display;

use apidisc::{
    Strategy, StubRequest,
    answers::{GetSymbolSource, GetSymbols, get_symbol_source, get_symbols},
    delivery::Format,
    discover::{self, Discover, Filter, Wanted},
};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{INDEX, Sources};
use crate::tool::Tool;

/// The budget of an answer, if none is given.
const TOKENS: i64 = 2_000;

fn default_tokens() -> i64 {
    TOKENS
}

/// Finds symbols, recipes (ways of calling that the code uses again and again) and sections of documents by what they do.
#[derive(Deserialize, JsonSchema)]
struct DiscoverArguments {
    /// What to do: retry with backoff.
    intent: String,
    /// The type of the results: all, symbol, recipe or doc.
    #[serde(rename = "type", default)]
    kind: Option<String>,
    /// The greatest number of results.
    #[serde(default = "default_results")]
    limit: i64,
}

fn default_results() -> i64 {
    10
}

/// Shows how a module, class or function is really called: a stub with the arguments that callers pass, most used first.
#[derive(Deserialize, JsonSchema)]
struct GetModuleHelp {
    /// The module or package.
    module_name: Option<String>,
    /// A class, function or method.
    target_symbol: Option<String>,
    /// The greatest number of tokens.
    #[serde(default = "default_tokens")]
    max_tokens: i64,
}

/// Describes symbols: signature, arguments with shares, documentation, callers and a typical call.
#[derive(Deserialize, JsonSchema)]
struct GetSymbolsArguments {
    /// The names of 1 to 20 symbols.
    names: Vec<String>,
    /// Add their source texts.
    #[serde(default)]
    include_source: bool,
    /// The greatest number of tokens.
    #[serde(default = "default_tokens")]
    max_tokens: i64,
}

/// Reads the source text of a symbol, or lines of a file.
#[derive(Deserialize, JsonSchema)]
struct GetSymbolSourceArguments {
    /// The name of the symbol.
    symbol: Option<String>,
    /// The path of a file, in place of a symbol.
    file_path: Option<String>,
    /// The first line of the file, from 1.
    start_line: Option<i64>,
    /// The last line of the file.
    end_line: Option<i64>,
    /// The greatest number of tokens.
    #[serde(default = "default_tokens")]
    max_tokens: i64,
}

/// Every tool.
pub(super) fn all(sources: &Sources) -> Vec<Tool> {
    let [discovering, helping, describing, reading] = [(); 4].map(|()| sources.clone());
    vec![
        Tool::new("discover", move |it: DiscoverArguments| {
            let kind = wanted(it.kind.as_deref())?;
            let filter = Filter { kind, ..Filter::default() };
            let request = Discover { intent: it.intent, filter, limit: it.limit, include_related: false };
            let answer = discovering.with_context(|context| {
                discover::answer(context, &discovering.corpus, &request, TOKENS).map_err(in_words)
            });
            answer.map(|answer| answer.text)
        })
        .tagged(&[INDEX]),
        Tool::new("get_module_help", move |it: GetModuleHelp| {
            let max_tokens = usize::try_from(it.max_tokens).map_err(|_| "max_tokens must be positive".to_owned())?;
            let request = StubRequest {
                module: it.module_name,
                symbol: it.target_symbol,
                strategy: Strategy::TokenBudget { max_tokens },
                format: Format::Stub,
                ..StubRequest::default()
            };
            request.deliver(helping.corpus.symbols().index()).map(|delivery| delivery.text).map_err(in_words)
        })
        .tagged(&[INDEX]),
        Tool::new("get_symbols", move |it: GetSymbolsArguments| {
            let (hashes, include_source, max_tokens) = (it.names, it.include_source, it.max_tokens);
            let request = GetSymbols { hashes, include_source, max_tokens, ..GetSymbols::default() };
            let answer = describing.with_context(|context| get_symbols(context, &request).map_err(in_words));
            answer.map(|answer| answer.text)
        })
        .tagged(&[INDEX]),
        Tool::new("get_symbol_source", move |it: GetSymbolSourceArguments| {
            let request = GetSymbolSource {
                hash: it.symbol,
                file_path: it.file_path,
                start_line: it.start_line,
                end_line: it.end_line,
                max_tokens: it.max_tokens,
                ..GetSymbolSource::default()
            };
            let answer = reading.with_context(|context| get_symbol_source(context, &request).map_err(in_words));
            answer.map(|answer| answer.text)
        })
        .tagged(&[INDEX]),
    ]
}

fn in_words(error: impl Display) -> String {
    error.to_string()
}

/// The type of results with this name.
fn wanted(name: Option<&str>) -> Result<Wanted, String> {
    let name = name.unwrap_or("all");
    let wanted = Wanted::ALL.into_iter().find(|wanted| wanted.word() == name);
    wanted.ok_or_else(|| format!("type is all, symbol, recipe or doc, and not {name:?}"))
}
