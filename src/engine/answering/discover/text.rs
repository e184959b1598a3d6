//! The results of a search by intent as text for an agent, within a budget.

use std::fmt::Write as _;

use super::{Corpus, Discover, DiscoverResponse, DiscoverResult, ResultType, Searched, discover};
use crate::answers::{Answer, AnswerError, Context, SymbolHit, budget, fit, shown};
use apidisc_base::{language::Language, unprintable::escaped_line};
use apidisc_stubs::delivery::{QUOTED_SOURCE, fenced};
use apidisc_tokens::Tokenizer;

/// The results of [`discover`] as text within `max_tokens`, best first: a line for each, which begins with its score,
/// below it the code of a recipe and what is often called before and after a symbol.
///
/// # Errors
/// Those of [`discover`], and a budget that is too small.
pub fn answer<'a>(
    context: &Context<'_>,
    searched: impl Into<Searched<'a>>,
    request: &Discover,
    max_tokens: i64,
) -> Result<Answer<DiscoverResponse>, AnswerError> {
    let max_tokens = budget(max_tokens)?;
    let searched = searched.into();
    let corpus = searched.corpus;
    let mut data = discover(searched, context.read, request)?;
    let parts: Vec<String> = data.results.iter().map(|found| part(corpus, found)).collect();
    let (total, query) = (data.meta.total_found, shown(&request.intent));
    let reason = data.meta.reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
    let render = |count: usize| {
        let number = if count < total { format!("{count} of {total}") } else { total.to_string() };
        let noun = if total == 1 { "result" } else { "results" };
        let cut = if count < parts.len() { "; max_tokens cuts here" } else { "" };
        let more = if parts.len() < total { "; limit and type give others" } else { "" };
        let scores = if count > 0 { "; score (match × reliability)" } else { "" };
        let mut text = format!("{number} {noun} for `{query}`{scores}{cut}{more}{reason}\n");
        if data.results[..count].iter().any(quotes_code) {
            text.push_str(QUOTED_SOURCE);
            text.push('\n');
        }
        parts[..count].iter().for_each(|part| text.push_str(part));
        text
    };
    let fitted = fit(&Tokenizer::load(context.encoding), max_tokens, parts.len(), render)?;
    data.results.truncate(fitted.parts);
    data.meta.returned_count = fitted.parts;
    Ok(Answer { text: fitted.text, tokens: fitted.tokens, data, delivered: Vec::new() })
}

/// True if the lines of a result have code of the sources.
fn quotes_code(found: &DiscoverResult) -> bool {
    found.kind != ResultType::Symbol && found.code_snippet.is_some()
}

/// The score of a result, its factors, and whether the result is deprecated: `0.75 (0.66 × 1.14) `.
fn score(found: &DiscoverResult) -> String {
    let DiscoverResult { score, semantic_score, score_parts, .. } = found;
    let deprecated = if found.is_deprecated { ", deprecated" } else { "" };
    let repeated = score_parts.repetition;
    let repeated = if repeated < 1.0 { format!(" × {repeated:.2}") } else { String::new() };
    format!("{score:.2} ({semantic_score:.2} × {:.2}{repeated}{deprecated}) ", score_parts.reliability)
}

/// The lines of a result.
fn part(corpus: &Corpus, found: &DiscoverResult) -> String {
    let line = match found.kind {
        ResultType::Symbol => match corpus.symbols().find(&found.id) {
            Ok(id) => SymbolHit::with_score(corpus.symbols(), id, found.score).line(),
            Err(_) => found.name.clone(),
        },
        ResultType::Recipe => format!("recipe {}: {}", found.name, found.description),
        ResultType::Doc => {
            let line = format!("doc {} {}: {}", found.name, escaped_line(&found.id), found.description);
            // An operation may have no description, but then its name says what it does.
            let is_described = !found.is_of_api() || !found.description.is_empty();
            if is_described { line } else { line.trim_end_matches(": ").to_owned() }
        }
    };
    let mut text = score(found) + &line;
    text.push('\n');
    let first = found.symbols.first().and_then(|name| corpus.symbols().find(name).ok());
    let language = first.map_or(Language::default(), |id| corpus.index().definition(id).language);
    let code = found.code_snippet.iter().map(|code| fenced(&format!("{}\n", code.trim_end()), language));
    let names = || found.listed_symbols().into_iter().map(escaped_line).collect::<Vec<_>>().join(", ");
    match found.kind {
        ResultType::Recipe => {
            text.extend(code);
        }
        ResultType::Symbol if !found.symbols.is_empty() => {
            let _ = writeln!(text, "  also {}", names());
        }
        ResultType::Doc => {
            text.extend(code);
            if !found.symbols.is_empty() {
                let _ = writeln!(text, "  shows {}", names());
            }
        }
        ResultType::Symbol => {}
    }
    for related in &found.related {
        let _ = writeln!(text, "  {}", related.words());
    }
    text
}
