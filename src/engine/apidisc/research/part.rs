//! A result of a search as a part of a context.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::{
    excerpt::{excerpt, has_block, says_something},
    found::Found,
    question_words::QuestionWords,
};
use apidisc_answering::{
    answers::Context,
    discover::{Corpus, ResultType},
};
use apidisc_base::{
    language::Language,
    unprintable::{escaped_line, escaped_text},
};
use apidisc_facts::{documents, program::DefinitionId};
use apidisc_indexing::index::Scope;
use apidisc_stubs::{
    delivery::{DeliveryForm, Format, deliver_for_intent, fenced, fenced_as},
    intent::IntentWords,
    overrides::{OverrideTarget, Overrides},
    strategy::Strategy,
    stub::{Style, without_hidden_types},
};
use apidisc_tokens::Tokenizer;

/// The tokens of the two fences around code, at most.
pub(super) const FENCES: usize = 12;

/// A part of a context.
#[derive(Debug, Default)]
pub(super) struct ContextPart {
    /// Whole lines; empty if the part does not fit into its budget.
    pub(super) text: String,
    /// The definitions that the part shows.
    pub(super) definitions: Vec<DefinitionId>,
}

/// The result as a part of at most `max_tokens` tokens. `None` if `shown` has its content already.
pub(super) fn part(
    context: &Context<'_>,
    corpus: &Corpus,
    result: &Found,
    words: &QuestionWords,
    shown: &FxHashSet<DefinitionId>,
    max_tokens: usize,
    tokenizer: &Arc<Tokenizer>,
) -> Option<ContextPart> {
    let heading = heading(result);
    let left = max_tokens.saturating_sub(tokenizer.count(&heading) + FENCES);
    match result.kind {
        ResultType::Symbol => {
            let id = context.symbols.known(&result.id).filter(|id| !shown.contains(id))?;
            let together = members_together(context, result, id, words.intent(), &heading, left, tokenizer);
            let options = Overrides { pinned: options_of(context, result, id).collect(), ..Overrides::default() };
            let intent = words.intent();
            let alone = || stub_with(context, Scope::Definition(id), &options, intent, &heading, left, tokenizer);
            Some(together.or_else(alone).unwrap_or_default())
        }
        ResultType::Recipe => {
            let recipe = corpus.recipe(&result.id)?;
            let language = context.symbols.index().definition(*recipe.symbols.first()?).language;
            let code = result.code.as_deref().map(str::trim_end).filter(|code| !code.is_empty())?;
            let code = format!("{code}\n");
            let text = (tokenizer.count(&code) <= left).then(|| format!("{heading}{}", fenced(&code, language)));
            Some(ContextPart { text: text.unwrap_or_default(), definitions: Vec::new() })
        }
        ResultType::Doc => {
            let text = section(context, corpus, result, words, left, tokenizer)?;
            let text = if text.is_empty() { text } else { format!("{heading}{text}") };
            Some(ContextPart { text, definitions: Vec::new() })
        }
    }
}

/// `## Client.get (src/client.py:12)`
fn heading(result: &Found) -> String {
    let place = |(path, line): &(String, u32)| format!(" ({}:{line})", escaped_line(path));
    let place = result.place.as_ref().map(place).unwrap_or_default();
    format!("\n## {}{place}\n", escaped_line(&result.name))
}

/// The properties of the options of a function that the result stands for.
fn options_of<'a>(
    context: &'a Context<'_>,
    result: &'a Found,
    function: DefinitionId,
) -> impl Iterator<Item = OverrideTarget> + 'a {
    let definition = context.symbols.index().definition(function);
    result.options.iter().map(|position| OverrideTarget::of(definition, Some(*position)))
}

/// The stub of a class with a member and those beside it, and no others. `None` if the result is no member, if none is
/// beside it, and if they do not fit.
fn members_together(
    context: &Context<'_>,
    result: &Found,
    member: DefinitionId,
    intent: &IntentWords,
    heading: &str,
    max_tokens: usize,
    tokenizer: &Arc<Tokenizer>,
) -> Option<ContextPart> {
    let index = context.symbols.index();
    let class = index.definition(member).parent.filter(|_| !result.beside.is_empty())?;
    let pinned = [&[member], &*result.beside].concat();
    let target = |id: DefinitionId| OverrideTarget { definition: (&*index.definition(id).fqn).into(), parameter: None };
    let others = index.members_of(class).chain(index.members_of_public_bases(class));
    let is_other = |id: &DefinitionId| {
        let definition = index.definition(*id);
        definition.is_public && definition.kind.is_callable() && !definition.is_constructor() && !pinned.contains(id)
    };
    let banned = others.filter(is_other).map(target).collect();
    let options = options_of(context, result, member);
    let overrides = Overrides { pinned: pinned.iter().copied().map(target).chain(options).collect(), banned };
    stub_with(context, Scope::Definition(class), &overrides, intent, heading, max_tokens, tokenizer)
}

/// The stub of a definition or module for a question, in at most `max_tokens` tokens.
pub(super) fn stub(
    context: &Context<'_>,
    scope: Scope,
    intent: &IntentWords,
    heading: &str,
    max_tokens: usize,
    tokenizer: &Arc<Tokenizer>,
) -> Option<ContextPart> {
    stub_with(context, scope, &Overrides::default(), intent, heading, max_tokens, tokenizer)
}

/// As [`stub`], with pins.
fn stub_with(
    context: &Context<'_>,
    scope: Scope,
    overrides: &Overrides,
    intent: &IntentWords,
    heading: &str,
    max_tokens: usize,
    tokenizer: &Arc<Tokenizer>,
) -> Option<ContextPart> {
    let index = context.symbols.index();
    let strategy = &Strategy::TokenBudget { max_tokens };
    let form = DeliveryForm { style: Style::default(), strategy, format: Format::Stub };
    let delivery = deliver_for_intent(index, scope, overrides, intent, form, tokenizer).ok()?;
    let stub = match delivery.language {
        Language::TypeScript => without_hidden_types(&delivery.text),
        Language::Python => delivery.text,
    };
    let text = format!("{heading}{}", fenced(&stub, delivery.language));
    Some(ContextPart { text, definitions: delivery.symbols.iter().map(|symbol| symbol.id).collect() })
}

/// The lines of a section of a document that answer the question best, in at most `max_tokens` tokens, as text in a
/// fence. Empty if there is no room for more than its heading, which the part has already, and prose. `None` if the
/// document cannot be read, or if the section says nothing below its heading.
fn section(
    context: &Context<'_>,
    corpus: &Corpus,
    result: &Found,
    words: &QuestionWords,
    max_tokens: usize,
    tokenizer: &Tokenizer,
) -> Option<String> {
    let lines = corpus.section_lines(&result.id)?;
    let (path, _) = result.place.as_ref()?;
    let document = (context.read)(path)?;
    let (first, count) = (lines.start.max(1) as usize, lines.len());
    let lines: Vec<&str> = document.source.lines().skip(first - 1).take(count).collect();
    let format = documents::Format::of_document(path)?;
    if !says_something(&lines) {
        return None;
    }
    let escaped = |line: &str| format!("{}\n", escaped_text(line));
    let shown = excerpt(&lines, format, words, max_tokens, |line| tokenizer.count_line(&escaped(line)));
    // A few sentences out of a longer text seldom answer.
    let is_prose_of_more = shown.len() < lines.len() && !has_block(&shown, format);
    if is_prose_of_more || !says_something(&shown) {
        return Some(String::new());
    }
    let text: String = shown.into_iter().map(escaped).collect();
    Some(fenced_as(&format!("{}\n", text.trim_end()), "text"))
}
