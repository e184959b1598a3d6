//! The decision tree. A task is searched for a file, then for a symbol, a module and keywords; the first one that is
//! found decides the route. If nothing is found, the route is an overview.

use std::{collections::BTreeSet, fmt::Write as _};

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{Keywords, extract_keywords, gather, lookup};
use crate::{
    answers::{Context, MAX_ANSWER_TOKENS, SearchSymbols, SymbolHit, search_symbols},
    terms::{self, singular},
};
use apidisc_base::unprintable::escaped_line;

/// The number of hits of a search among which the symbol of a route is chosen.
const MAX_CONSIDERED: i64 = 20;
/// The greatest number of terms of a search by keywords.
const MAX_TERMS: usize = 5;
/// The greatest number of symbols with one name that the reasoning of a decision lists.
const MAX_LISTED: usize = 6;
/// The number of lines before and after the lines that a task names.
const LINES_AROUND: u32 = 20;

/// The route by which the context of a task is gathered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum RouteType {
    /// The task names a file.
    DirectFile,
    /// The task names a symbol.
    SymbolSearch,
    /// The task names a module, or words that belong to one.
    ModuleBrowse,
    /// The task has words to search for.
    KeywordSearch,
    /// The task has nothing to search for.
    OverviewOnly,
}

impl RouteType {
    /// The functions of the route, in the order of their calls. None of them is `get_module`.
    pub fn tool_sequence(self) -> &'static [&'static str] {
        match self {
            Self::DirectFile => &["get_symbol_source"],
            Self::SymbolSearch => &["search_symbols", "get_symbol"],
            Self::ModuleBrowse => &["list_symbols", "get_symbol"],
            Self::KeywordSearch => &["search_symbols_batch", "get_symbol"],
            Self::OverviewOnly => &["get_repo_overview"],
        }
    }

    /// The estimated number of tokens of all answers, for a decision without an index.
    pub fn estimate(self) -> usize {
        match self {
            Self::DirectFile => 400,
            Self::SymbolSearch => 750,
            Self::ModuleBrowse => 1_150,
            Self::KeywordSearch => 1_500,
            Self::OverviewOnly => 300,
        }
    }
}

/// A call of a function that a decision asks for.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RoutedCall {
    /// The name of the function.
    pub tool: &'static str,
    /// The arguments. Those that depend on an earlier answer are left out.
    pub arguments: Map<String, Value>,
}

/// The decision of a [`Router`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RoutingDecision {
    /// The route.
    pub route_type: RouteType,
    /// The names of the functions, in the order of their calls.
    pub tool_sequence: Vec<&'static str>,
    /// The functions with their arguments. With an index, a `get_symbol` without a symbol is left out.
    pub arguments: Vec<RoutedCall>,
    /// The number of tokens of all answers: measured with an index, [`RouteType::estimate`] without one or if a
    /// function fails.
    pub estimated_tokens: usize,
    /// The reason for the route, in one line.
    pub reasoning: String,
}

/// Routes tasks.
#[derive(Clone, Copy, Default)]
pub struct Router<'a> {
    /// The modules that exist. If it is `None`, the modules of `context` exist, and without a context any module may
    /// exist.
    pub available_modules: Option<&'a BTreeSet<String>>,
    /// The index in which names are looked up; `None` to route by the words of a task alone.
    pub context: Option<Context<'a>>,
}

impl Router<'_> {
    /// Decides how the context of a task is gathered.
    pub fn route(&self, task: &str) -> RoutingDecision {
        let (file, unknown) = lookup::file(task, self.context.as_ref());
        let keywords = extract_keywords(task);
        let terms = keywords.search_terms(MAX_TERMS);
        let queries = self.queries(&terms);
        let mut decision = if let Some(file) = file {
            self.file_route(&file)
        } else if let Some(decision) = self.symbol_route(task, &keywords) {
            decision
        } else if let Some((module, why)) = self.module(task, &keywords) {
            let first = self.first_symbol("*", Some(&module));
            let list = arguments(json!({ "module": module }));
            self.decided(RouteType::ModuleBrowse, vec![list, first], why)
        } else if let Some(first) = self.found(&queries) {
            let why = format!("the task names neither a file, a symbol nor a module; its words: {}", terms.join(", "));
            self.decided(RouteType::KeywordSearch, vec![arguments(json!({ "queries": queries })), first], why)
        } else {
            let why = "the task has no word to search for".to_owned();
            let why =
                if terms.is_empty() { why } else { format!("nothing in the index has one of: {}", terms.join(", ")) };
            self.decided(RouteType::OverviewOnly, vec![Map::new()], why)
        };
        if !unknown.is_empty() {
            let _ = write!(decision.reasoning, "; not in the index: {}", escaped_line(&unknown.join(", ")));
        }
        decision
    }

    fn file_route(&self, file: &lookup::NamedFile) -> RoutingDecision {
        let mut source = arguments(json!({ "file_path": file.path }));
        let mut place = String::new();
        if let Some((first, last)) = file.lines {
            source.extend(arguments(json!({ "start_line": first, "end_line": last, "context": LINES_AROUND })));
            place = if first == last { format!(":{first}") } else { format!(":{first}-{last}") };
        }
        let why = format!("the task names the file {}{place}", escaped_line(&file.path));
        self.decided(RouteType::DirectFile, vec![source], why)
    }

    fn symbol_route(&self, task: &str, keywords: &Keywords) -> Option<RoutingDecision> {
        let found = self.context.as_ref().and_then(|context| Some((context, lookup::symbol(task, context)?)));
        let Some((context, found)) = found else {
            let name = keywords.symbol_candidates.first()?;
            let first = self.first_symbol(name, None);
            if self.context.is_some() && first.is_empty() {
                return None;
            }
            let how = if self.context.is_some() {
                "no symbol of the index has exactly this name"
            } else {
                "as names are written"
            };
            let why = format!("the task names a symbol: {}, {how}", escaped_line(name));
            let search = arguments(json!({ "query": name }));
            return Some(self.decided(RouteType::SymbolSearch, vec![search, first], why));
        };
        let names: Vec<String> = found.symbols.iter().map(|id| context.symbols.name_of(*id).to_string()).collect();
        let shown = names.iter().take(MAX_LISTED).map(|name| escaped_line(name)).collect::<Vec<_>>().join(", ");
        let name = escaped_line(&found.name);
        let why = match names.len() {
            1 => format!("the index has the symbol {name}: {shown}"),
            count => format!("{count} symbols of the index are called {name}: {shown}"),
        };
        let search = arguments(json!({ "query": found.name, "limit": names.len().clamp(5, 20) }));
        let get = arguments(json!({ "hash": names[0] }));
        Some(self.decided(RouteType::SymbolSearch, vec![search, get], why))
    }

    /// The module that a task names, or that its words belong to, with the reasoning.
    fn module(&self, task: &str, keywords: &Keywords) -> Option<(String, String)> {
        let said: Vec<String> = keywords.keywords.iter().map(|keyword| keyword.term.to_lowercase()).collect();
        let wanted: Vec<String> = said.iter().chain(&keywords.inferred_modules).cloned().collect();
        let why = |module: &str| format!("the task is about the module {}", escaped_line(module));
        if let Some(modules) = self.available_modules {
            let is_named = |module: &&String| super::words::words(task).any(|word| word == *module);
            let is_it = |module: &&String, name: &String| {
                let lower = module.to_lowercase();
                let last = lower.rsplit(['.', '/']).next().unwrap_or(&lower);
                lower == *name || singular(last) == singular(name)
            };
            let by_name = || wanted.iter().find_map(|name| modules.iter().find(|module| is_it(module, name)));
            let found = modules.iter().find(is_named).or_else(by_name)?;
            return Some((found.clone(), why(found)));
        }
        let found = match &self.context {
            Some(context) => lookup::module(task, keywords, context)?,
            None => keywords.inferred_modules.first()?.clone(),
        };
        let why = why(&found);
        Some((found, why))
    }

    /// The queries of a search by keywords: with an index, first all terms together, for the symbols that have most of
    /// them; then each term.
    fn queries(&self, terms: &[String]) -> Vec<String> {
        let together = (self.context.is_some() && terms.len() > 1).then(|| terms.join(" "));
        together.into_iter().chain(terms.iter().cloned()).collect()
    }

    /// The arguments of `get_symbol` for the best hit of the first query that has one. A hit of all terms together must
    /// share two of them, or the hits of single terms come first. Without an index the arguments are empty. `None` if
    /// there is no query, or if the index has no symbol for any query.
    fn found(&self, queries: &[String]) -> Option<Map<String, Value>> {
        if self.context.is_none() {
            return (!queries.is_empty()).then(Map::new);
        }
        let (together, single) = queries.split_first()?;
        let best = self.best_hit(together, None);
        let is_good = best.as_ref().is_some_and(|hit| single.is_empty() || shared_words(together, hit) > 1);
        let of_single = || single.iter().find_map(|query| self.best_hit(query, None));
        let found = if is_good { best } else { of_single().or(best) };
        found.map(|hit| arguments(json!({ "hash": hit.fqn })))
    }

    /// The arguments of `get_symbol` for the best hit of a search; empty without an index and without a hit.
    fn first_symbol(&self, query: &str, module: Option<&str>) -> Map<String, Value> {
        self.best_hit(query, module).map(|hit| arguments(json!({ "hash": hit.fqn }))).unwrap_or_default()
    }

    /// The best hit of a search: a symbol of the library, if there is one among the first hits.
    fn best_hit(&self, query: &str, module: Option<&str>) -> Option<SymbolHit> {
        let context = self.context.as_ref()?;
        let request = SearchSymbols {
            query: query.to_owned(),
            module: module.map(str::to_owned),
            limit: MAX_CONSIDERED,
            max_tokens: MAX_ANSWER_TOKENS,
            ..SearchSymbols::default()
        };
        let hits = search_symbols(context, &request).ok()?.data.hits;
        let is_library =
            |hit: &SymbolHit| !context.symbols.known(&hit.fqn).is_some_and(|id| lookup::is_aside(context, id));
        let best = hits.iter().position(is_library).unwrap_or(0);
        hits.into_iter().nth(best)
    }

    fn decided(&self, route_type: RouteType, arguments: Vec<Map<String, Value>>, reasoning: String) -> RoutingDecision {
        let tools = route_type.tool_sequence().iter();
        let calls = tools.zip(arguments).map(|(&tool, arguments)| RoutedCall { tool, arguments });
        let calls: Vec<RoutedCall> = calls
            .filter(|call| self.context.is_none() || call.tool != "get_symbol" || !call.arguments.is_empty())
            .collect();
        let mut decision = RoutingDecision {
            route_type,
            tool_sequence: route_type.tool_sequence().to_vec(),
            arguments: calls,
            estimated_tokens: route_type.estimate(),
            reasoning,
        };
        let measured = self.context.as_ref().map(|context| gather(context, &decision, MAX_ANSWER_TOKENS as usize));
        if let Some(Ok(gathered)) = measured {
            decision.estimated_tokens = gathered.tokens;
        }
        decision
    }
}

/// The number of words of a query that the name or the documentation of a hit has.
fn shared_words(query: &str, hit: &SymbolHit) -> usize {
    let text = [hit.fqn.as_str(), hit.summary.as_deref().unwrap_or_default()].join(" ");
    let said: BTreeSet<String> = terms::words(&text).map(|word| singular(&word).to_owned()).collect();
    let wanted: BTreeSet<String> = terms::words(query).map(|word| singular(&word).to_owned()).collect();
    wanted.intersection(&said).count()
}

/// The entries of a JSON object; none of any other value.
fn arguments(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}
