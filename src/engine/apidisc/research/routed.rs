//! The first part of a context: the file, symbol or module that the question names, according to its route. The results
//! of searches follow this part.

use std::sync::Arc;

use super::{
    PartSource,
    part::{ContextPart, FENCES, stub},
    question_words::QuestionWords,
};
use apidisc_answering::{
    answers::Context,
    discover::ResultType,
    route::{RouteType, RoutingDecision, gather},
};
use apidisc_base::unprintable::{escaped_line, escaped_text};
use apidisc_facts::program::{DefinitionId, ModuleId};
use apidisc_indexing::index::Scope;
use apidisc_stubs::delivery::fenced_as;
use apidisc_tokens::Tokenizer;

/// The part of the sources that a question names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Named {
    /// A file, or lines of one.
    File,
    /// A symbol whose name the question has.
    Symbol(DefinitionId),
    /// A module.
    Module(ModuleId),
    /// Nothing: the index has none of the words of the question.
    Nothing,
}

/// The part of the sources that the question names, by its route. `None` if it has words to search for, and no name.
/// Many words of plain language are names as well, so a symbol is named only if the question writes it as code, or if
/// it is the `best` result of a search. `is_for_users` is true for what users of a library import.
pub(super) fn named(
    context: &Context<'_>,
    decision: &RoutingDecision,
    question: &str,
    best: Option<DefinitionId>,
    is_for_users: impl Fn(DefinitionId) -> bool,
) -> Option<Named> {
    let argument = |tool: &str, name: &str| {
        let call = decision.arguments.iter().find(|call| call.tool == tool)?;
        call.arguments.get(name)?.as_str()
    };
    match decision.route_type {
        RouteType::DirectFile => Some(Named::File),
        RouteType::SymbolSearch => {
            let query = argument("search_symbols", "query")?;
            let id = context.symbols.known(argument("get_symbol", "hash")?)?;
            // If the index does not have the name, the best hit has another name, which the question does not mean.
            let last = query.trim_end_matches("()").rsplit(['.', '#', '/']).next()?;
            let is_it = context.symbols.index().definition(id).last_names().any(|name| name.eq_ignore_ascii_case(last));
            // A word such as `root` or `url` may be a name of the question's own.
            let is_a_word = query == last && last.chars().all(|c| c.is_ascii_lowercase());
            let is_meant = best == Some(id) || is_written_as_code(question, last) && (!is_a_word || is_for_users(id));
            (is_it && is_meant).then_some(Named::Symbol(id))
        }
        RouteType::ModuleBrowse => match context.symbols.index().scope(argument("list_symbols", "module"), None) {
            Ok(Scope::Module(id)) => Some(Named::Module(id)),
            _ => None,
        },
        RouteType::KeywordSearch => None,
        // An empty index has no overview.
        RouteType::OverviewOnly => (!context.symbols.index().definitions.is_empty()).then_some(Named::Nothing),
    }
}

/// True if a question has a name in backticks, before `(` or `.`, or behind `.` or `#`.
fn is_written_as_code(question: &str, name: &str) -> bool {
    question.match_indices(name).any(|(at, _)| {
        let (before, after) = (&question[..at], &question[at + name.len()..]);
        let is_followed = |rest: &str| rest.starts_with(|c: char| c.is_alphanumeric());
        before.ends_with(['`', '.', '#'])
            || after.starts_with(['`', '(', '#'])
            || after.strip_prefix('.').is_some_and(is_followed)
    })
}

/// The named file, symbol or module as a part of a context of at most `max_tokens` tokens, with its source. `None` if
/// the sources do not have it.
pub(super) fn part(
    context: &Context<'_>,
    decision: &RoutingDecision,
    named: Named,
    words: &QuestionWords,
    max_tokens: usize,
    tokenizer: &Arc<Tokenizer>,
) -> Option<(ContextPart, PartSource)> {
    let index = context.symbols.index();
    let place = |id: DefinitionId| {
        let place = index.definition(id).place;
        let path = index.files.get(place.file.index()).map(|file| &file.path);
        path.map_or_else(String::new, |path| format!("{path}:{}", place.line))
    };
    let (name, source, scope) = match named {
        Named::Symbol(id) => {
            let name = context.symbols.name_of(id).to_string();
            (name, place(id), Scope::Definition(id))
        }
        Named::Module(id) => {
            let module = index.module(id);
            let path = module.file.map(|file| format!("{}:1", index.file(file).path)).unwrap_or_default();
            (module.fqn.to_string(), path, Scope::Module(id))
        }
        Named::File | Named::Nothing => return texts(context, decision, named, max_tokens, tokenizer),
    };
    let heading = heading(&name, &source);
    let left = max_tokens.saturating_sub(tokenizer.count(&heading) + FENCES);
    let part = stub(context, scope, words.intent(), &heading, left, tokenizer)?;
    Some((part, PartSource { kind: ResultType::Symbol, name, source, score: 1.0 }))
}

/// A part with the lines of a named file, or with an overview of the sources: the answers of the functions that the
/// route lists.
fn texts(
    context: &Context<'_>,
    decision: &RoutingDecision,
    named: Named,
    max_tokens: usize,
    tokenizer: &Tokenizer,
) -> Option<(ContextPart, PartSource)> {
    let arguments = &decision.arguments.first()?.arguments;
    let path = arguments.get("file_path").and_then(|path| path.as_str()).filter(|_| named == Named::File);
    let line = arguments.get("start_line").and_then(serde_json::Value::as_u64).unwrap_or(1);
    let source = path.map_or_else(String::new, |path| format!("{path}:{line}"));
    let name = path.unwrap_or("Overview").to_owned();
    let heading = heading(&name, &source);
    let left = max_tokens.saturating_sub(tokenizer.count(&heading) + FENCES);
    let gathered = gather(context, decision, left).ok()?;
    let text = escaped_text(gathered.text.trim_end());
    if text.is_empty() {
        return None;
    }
    let text = heading + &fenced_as(&format!("{text}\n"), "text");
    Some((
        ContextPart { text, definitions: Vec::new() },
        PartSource { kind: ResultType::Doc, name, source, score: 1.0 },
    ))
}

/// `## Client.get (src/client.py:12)`
fn heading(name: &str, source: &str) -> String {
    let place = if source.is_empty() { String::new() } else { format!(" ({})", escaped_line(source)) };
    format!("\n## {}{place}\n", escaped_line(name))
}
