//! The functions of the engine as tools. The arguments of most are passed on as the request of the function, which has
//! the defaults and limits.

use std::fmt::Display;

use apidisc::{
    Strategy, StubRequest,
    answers::{self, Answer, AnswerError, Context},
    delivery::Format,
    discover::{self, Discover, Filter, TypeFilter},
    openapi::{self, ApiIndex},
    route::{Router, extract_keywords},
    tokens::Encoding,
};
use schemars::JsonSchema;
use serde::{Serialize, de::DeserializeOwned};

use super::{
    INDEX, Sources,
    arguments::{
        DiscoverArguments, GetChunks, GetModule, GetModuleHelp, GetRepoOverview, GetSymbol, GetSymbolSource,
        GetSymbols, ListSymbols, SearchChunks, SearchSymbols, SearchSymbolsBatch, Task,
    },
};
use crate::tool::Tool;

/// The greatest number of tokens of an answer of `discover`.
const TOKENS: i64 = 2_000;

/// Every tool. Those of API documents are among them if there are any.
pub(super) fn all(sources: &Sources) -> Vec<Tool> {
    let mut tools = vec![
        discover(sources.clone()),
        of_index::<SearchSymbols, _, _>("search_symbols", sources, answers::search_symbols),
        get_module_help(sources.clone()),
        of_index::<GetSymbols, _, _>("get_symbols", sources, answers::get_symbols),
        of_index::<SearchSymbolsBatch, _, _>("search_symbols_batch", sources, answers::search_symbols_batch),
        of_index::<ListSymbols, _, _>("list_symbols", sources, answers::list_symbols),
        of_index::<GetSymbol, _, _>("get_symbol", sources, answers::get_symbol),
        of_index::<GetSymbolSource, _, _>("get_symbol_source", sources, answers::get_symbol_source),
        of_index::<GetRepoOverview, _, _>("get_repo_overview", sources, answers::get_repo_overview),
        of_index::<GetModule, _, _>("get_module", sources, answers::get_module),
        route(sources.clone()),
        Tool::new("extract_keywords", |it: Task| Ok::<_, String>(extract_keywords(&it.task)))
            .described("The words of a task by category, and its names, modules and compound terms."),
    ];
    if sources.apis().is_some() {
        tools.push(of_documents::<SearchChunks, _, _>("search_chunks", sources, openapi::search_chunks));
        tools.push(of_documents::<GetChunks, _, _>("get_chunks", sources, openapi::get_chunks));
    }
    tools.into_iter().map(|tool| tool.tagged(&[INDEX])).collect()
}

/// A function of [`answers`] as a tool. The fields of `A` are those of the request `R` that a model may set.
fn of_index<A, R, T>(
    name: &str,
    sources: &Sources,
    function: fn(&Context<'_>, &R) -> Result<Answer<T>, AnswerError>,
) -> Tool
where
    A: JsonSchema + DeserializeOwned + Serialize,
    R: DeserializeOwned + 'static,
    T: 'static,
{
    let sources = sources.clone();
    Tool::new(name, move |arguments: A| {
        let request: R = request(&arguments)?;
        sources.with_context(|context| function(context, &request)).map(|answer| answer.text).map_err(in_words)
    })
}

/// A function of [`openapi`] as a tool.
fn of_documents<A, R, T>(
    name: &str,
    sources: &Sources,
    function: fn(&ApiIndex, &R, Encoding) -> Result<Answer<T>, AnswerError>,
) -> Tool
where
    A: JsonSchema + DeserializeOwned + Serialize,
    R: DeserializeOwned + 'static,
    T: 'static,
{
    let sources = sources.clone();
    Tool::new(name, move |arguments: A| {
        let request: R = request(&arguments)?;
        let apis = sources.apis().ok_or("there are no API documents")?;
        function(apis.index, &request, Encoding::default()).map(|answer| answer.text).map_err(in_words)
    })
}

/// The request with these arguments. Fields that they leave out have the defaults of the request.
fn request<R: DeserializeOwned>(arguments: &impl Serialize) -> Result<R, String> {
    let arguments = serde_json::to_value(arguments).map_err(in_words)?;
    serde_json::from_value(arguments).map_err(in_words)
}

fn discover(sources: Sources) -> Tool {
    Tool::new("discover", move |it: DiscoverArguments| {
        let kind = wanted(it.kind.as_deref())?;
        let filter = Filter { kind, ..Filter::default() };
        let request = Discover { intent: it.intent, filter, limit: it.limit, include_related: false };
        let answer = sources.with_context(|context| discover::answer(context, &sources.corpus, &request, TOKENS));
        answer.map(|answer| answer.text).map_err(in_words)
    })
}

fn get_module_help(sources: Sources) -> Tool {
    Tool::new("get_module_help", move |it: GetModuleHelp| {
        let max_tokens = usize::try_from(it.max_tokens).map_err(|_| "max_tokens must be positive".to_owned())?;
        let request = StubRequest {
            module: it.module_name,
            symbol: it.target_symbol,
            strategy: Strategy::TokenBudget { max_tokens },
            format: Format::Stub,
            ..StubRequest::default()
        };
        request.deliver(sources.corpus.symbols().index()).map(|delivery| delivery.text).map_err(in_words)
    })
}

fn route(sources: Sources) -> Tool {
    let route = move |it: Task| {
        let decision =
            sources.with_context(|context| Router { context: Some(*context), ..Router::default() }.route(&it.task));
        serde_json::to_value(decision)
    };
    Tool::new("route", route)
        .described("Which tools with which arguments gather the context of a task, and what they cost.")
}

fn in_words(error: impl Display) -> String {
    error.to_string()
}

/// The type of results with this name.
fn wanted(name: Option<&str>) -> Result<TypeFilter, String> {
    let name = name.unwrap_or("all");
    let wanted = TypeFilter::ALL.into_iter().find(|wanted| wanted.word() == name);
    wanted.ok_or_else(|| format!("type is all, symbol, recipe or doc, and not {name:?}"))
}
