//! Further definitions that may answer a question, a line each: how each is called, with the parameters that callers
//! pass most and those that the question names, below the imports of all.

use rustc_hash::FxHashSet;

use super::found::{Found, is_of_api};
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
const MAX_MEMBERS: usize = 3;
/// The budget of which the parameters that the question names use a share, in tokens.
const BUDGET_OF_ASKED: usize = 100;
/// The number of lines without room after which no further one is tried.
const MAX_MISSES: usize = 4;
/// The heading of the lines.
const HEADING: &str = "\n## Other candidates\n";

/// The lines of some results.
pub(super) struct Candidates<'f> {
    pub(super) text: String,
    /// The results that have a line.
    pub(super) listed: Vec<&'f Found>,
}

/// A line for each of the first results that are definitions, and for the members that match with them, as far as
/// `max_tokens` goes. All are of the public API, and in the language of the first one. What is `shown` has no line.
pub(super) fn candidates<'f>(
    context: &Context<'_>,
    results: &'f [Found],
    shown: &FxHashSet<DefinitionId>,
    intent: &IntentWords,
    max_tokens: usize,
    tokenizer: &Tokenizer,
) -> Candidates<'f> {
    let index = context.symbols.index();
    let mut listed = Candidates { text: String::new(), listed: Vec::new() };
    let (mut ids, mut lines, mut misses) = (Vec::new(), Vec::new(), 0);
    let symbols = results.iter().filter(|result| result.kind == ResultType::Symbol);
    let definitions = symbols.flat_map(|result| {
        let own = context.symbols.known(&result.id).map(|id| (id, Some(result)));
        own.into_iter().chain(result.members.iter().take(MAX_MEMBERS).map(|id| (*id, None)))
    });
    let mut tried: FxHashSet<DefinitionId> = shown.clone();
    for (id, result) in definitions {
        let definition = index.definition(id);
        let is_other_language =
            ids.first().is_some_and(|first| index.definition(*first).language != definition.language);
        if is_other_language || !definition.kind.is_callable() || !is_of_api(index, id) || !tried.insert(id) {
            continue;
        }
        ids.push(id);
        let asked = Asked::parameters(index, id, intent, BUDGET_OF_ASKED, tokenizer);
        lines.push(call_line(index, id, asked.as_ref()));
        let text = block(index, &ids, &lines);
        if tokenizer.count(&text) > max_tokens {
            ids.pop();
            lines.pop();
            // A shorter line may still fit.
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
