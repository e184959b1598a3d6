//! Further definitions that may answer a question, a line each below the imports of all: how each is called, with the
//! required parameters, those that the question names, and those that callers pass most. Of what has no room for a
//! line, the imports have the name. Below them stand [names](super::names) of the rest of the API.

use rustc_hash::FxHashSet;

use super::{
    found::{Found, is_of_api},
    names::{Callables, called, name_lines},
};
use apidisc_answering::{answers::Context, discover::ResultType, first_call::call_line};
use apidisc_base::{language::Language, unprintable::escaped_line};
use apidisc_facts::program::DefinitionId;
use apidisc_indexing::{index::Index, snippet::ExampleImport};
use apidisc_stubs::{
    delivery::fenced,
    intent::{Asked, IntentWords},
    stub::import_of,
};
use apidisc_tokens::Tokenizer;

/// The greatest number of lines.
const MAX_LINES: usize = 20;
/// The greatest number of lines for members of one result.
const MAX_MEMBERS: usize = 4;
/// The budget of which the parameters that the question names use a share, in tokens.
const BUDGET_OF_ASKED: usize = 80;
/// The tokens that are kept for definitions without a line, whose imports say their names.
const TOKENS_OF_IMPORTS: usize = 12;
/// The number of definitions without room after which no further one is tried.
const MAX_MISSES: usize = 8;
/// The greatest number of parameters in a line that the question does not name.
const MAX_OTHERS: usize = 12;
/// The part of the tokens that names of the rest of the API use at least, in percent.
const PERCENT_OF_NAMES: usize = 30;
/// The heading of the lines.
const HEADING: &str = "\n## Other candidates\n";

/// The lines of some results.
pub(super) struct Candidates<'f> {
    pub(super) text: String,
    /// The results that have a line, or an import.
    pub(super) listed: Vec<&'f Found>,
}

/// A line or an import for the definition that users call most, and for each of the first results that are definitions
/// and the members that match with them, as far as `max_tokens` goes; what users cannot import comes last. All are of
/// the public API, and in the language of the first one. What is `shown` has no line, and of several definitions that
/// are called alike only the first one has one. Names of the rest of the API follow.
pub(super) fn candidates<'f>(
    context: &Context<'_>,
    callables: &Callables<'_>,
    results: &'f [Found],
    shown: &FxHashSet<DefinitionId>,
    intent: &IntentWords,
    max_tokens: usize,
    tokenizer: &Tokenizer,
) -> Candidates<'f> {
    let index = context.symbols.index();
    let mut listed = Candidates { text: String::new(), listed: Vec::new() };
    let (mut ids, mut lines, mut misses) = (Vec::new(), Vec::new(), 0);
    let for_lines = max_tokens - max_tokens * PERCENT_OF_NAMES / 100;
    let symbols = results.iter().filter(|result| result.kind == ResultType::Symbol);
    let definitions = symbols.flat_map(|result| {
        let own = context.symbols.known(&result.id).map(|id| (id, Some(result)));
        own.into_iter().chain(result.members.iter().take(MAX_MEMBERS).map(|id| (*id, None)))
    });
    // What users cannot import comes last.
    let (others, inner): (Vec<_>, Vec<_>) = definitions.partition(|(id, _)| !callables.corpus.is_inner(*id));
    let language = others.first().or(inner.first()).map(|(id, _)| index.definition(*id).language);
    let most_called = language.and_then(|language| callables.most_called(language));
    let definitions = most_called.map(|id| (id, None)).into_iter().chain(others).chain(inner);
    let mut tried: FxHashSet<DefinitionId> = shown.clone();
    let mut callees: FxHashSet<String> = FxHashSet::default();
    for (id, result) in definitions {
        let id = called(index, id);
        let definition = index.definition(id);
        let is_other_language =
            ids.first().is_some_and(|first| index.definition(*first).language != definition.language);
        if is_other_language || !definition.kind.is_callable() || !is_of_api(index, id) || !tried.insert(id) {
            continue;
        }
        let asked = Asked::parameters(index, id, intent, BUDGET_OF_ASKED, tokenizer);
        let call = call_line(index, id, asked.as_ref(), MAX_OTHERS);
        let callee = call.split('(').next().unwrap_or_default();
        if !callees.insert(callee.to_owned()) {
            continue;
        }
        ids.push(id);
        lines.push(call);
        let mut text = block(index, &ids, &lines);
        let has_line = tokenizer.count(&text) + TOKENS_OF_IMPORTS <= for_lines;
        if !has_line {
            lines.pop();
            text = block(index, &ids, &lines);
        }
        let has_name = has_line || !lines.is_empty() && definition.parent.is_none() && import_of(index, id).is_some();
        if !has_name || tokenizer.count(&text) > for_lines {
            ids.pop();
            // A shorter one may still fit.
            misses += 1;
            if misses == MAX_MISSES {
                break;
            }
            continue;
        }
        listed.text = text;
        listed.listed.extend(result);
        if lines.len() == MAX_LINES {
            break;
        }
    }
    let Some(language) = language.filter(|_| !ids.is_empty()) else { return listed };
    let left = max_tokens.saturating_sub(tokenizer.count(&listed.text));
    tried.extend(ids.iter().copied());
    lines.extend(name_lines(context, callables, language, results, &tried, left, tokenizer));
    while !lines.is_empty() {
        let text = block(index, &ids, &lines);
        if tokenizer.count(&text) <= max_tokens {
            listed.text = text;
            break;
        }
        lines.pop();
    }
    listed
}

/// The imports of definitions and the lines, in a fence.
fn block(index: &Index, ids: &[DefinitionId], lines: &[String]) -> String {
    let language = ids.first().map_or(Language::Python, |id| index.definition(*id).language);
    let mut imports: Vec<ExampleImport> = Vec::new();
    for import in ids.iter().filter_map(|id| import_of(index, *id)) {
        if !imports.contains(&import) {
            imports.push(import);
        }
    }
    let mut code = String::new();
    for line in ExampleImport::lines(&imports, language).iter().chain(lines) {
        code.extend([&*escaped_line(line), "\n"]);
    }
    format!("{HEADING}{}", fenced(&code, language))
}
