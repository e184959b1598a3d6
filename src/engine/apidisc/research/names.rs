//! The names of the API beside those that a search found, a line per class: the definition that a question means may
//! share no word with the question, and a reader who sees its name knows it.

use std::cmp::Reverse;

use compact_str::CompactString;
use rustc_hash::{FxHashMap, FxHashSet};

use super::found::{Found, is_of_api};
use apidisc_answering::{answers::Context, discover::Corpus};
use apidisc_base::{
    language::{Language, Origin},
    sort::SharedSort as _,
    unprintable::escaped_line,
};
use apidisc_facts::program::{CallId, DefinitionId, DefinitionKind};
use apidisc_indexing::index::{Definition, Index};
use apidisc_stubs::stub::import_of;
use apidisc_tokens::Tokenizer;

/// The greatest number of names in the line of a class.
const MAX_MEMBERS: usize = 16;
/// The greatest number of names in the line of functions and classes.
const MAX_FUNCTIONS: usize = 12;
/// The weight of a call in an example or document, where a call in a test has the weight 1: tests also call internals.
const WEIGHT_OF_AN_EXAMPLE: usize = 10;
/// The least part of all calls of users that the most called definition has, as a divisor.
const LEAST_SHARE_OF_THE_MOST_CALLED: usize = 10;
/// The least number of parameters of the most called definition.
const SEVERAL_PARAMETERS: usize = 4;
/// The number of tokens below which no line is tried.
const LEAST_TOKENS_OF_A_LINE: usize = 8;
/// The greatest number of classes of which a line is tried.
const MAX_GROUPS: usize = 16;
/// The greatest number of lines.
const MAX_LINES: usize = 6;
/// What the line of functions and classes begins with.
const OF_MODULES: &str = "functions and classes";

/// The callables of one class, or of all modules.
struct NameGroup {
    /// The class; `None` for the functions and classes of modules.
    class: Option<DefinitionId>,
    /// The callables, those first that users call most.
    callables: Vec<DefinitionId>,
    /// How well the class fits the question and how much users call its members, from 0 to 2.
    weight: f64,
}

/// The functions, classes and methods of the API, without constructors, each with its calls outside of the library by
/// weight.
pub(super) struct Callables<'c> {
    index: &'c Index,
    pub(super) corpus: &'c Corpus,
    calls: FxHashMap<DefinitionId, usize>,
    /// The sum of the calls.
    all_calls: usize,
}

impl<'c> Callables<'c> {
    pub(super) fn new(index: &'c Index, corpus: &'c Corpus) -> Self {
        let is_callable = |(id, definition): &(DefinitionId, &Definition)| {
            definition.kind.is_callable()
                && !definition.is_constructor()
                && !definition.name.starts_with('_')
                && !is_nested(index, definition)
                && is_of_api(index, *id)
                && !corpus.is_inner(*id)
        };
        let callables = index.definitions_with_ids().filter(is_callable);
        let calls: FxHashMap<DefinitionId, usize> =
            callables.map(|(id, definition)| (id, users_calls(index, definition))).collect();
        let all_calls = calls.values().sum();
        Self { index, corpus, calls, all_calls }
    }

    /// The share of a definition in all calls, from 0 to 1: that of its class for a constructor.
    pub(super) fn share_of_calls(&self, id: DefinitionId) -> f64 {
        let calls = self.calls.get(&called(self.index, id)).copied().unwrap_or_default();
        calls as f64 / self.all_calls.max(1) as f64
    }

    /// The class or function with several parameters that has most of the calls, if it has a tenth of all: a question
    /// is often about it, whatever its words are.
    pub(super) fn most_called(&self, language: Language) -> Option<DefinitionId> {
        let index = self.index;
        let parameters = |id: DefinitionId| {
            index.definition(id).signature.as_ref().map_or(0, |signature| signature.parameters.len())
        };
        let is_of_language = |id: DefinitionId| index.definition(id).language == language;
        let several =
            self.calls.iter().filter(|(id, _)| is_of_language(**id) && parameters(**id) >= SEVERAL_PARAMETERS);
        let (id, calls) = several.min_by_key(|(id, calls)| (Reverse(**calls), **id))?;
        (*calls > 0 && *calls >= self.all_calls / LEAST_SHARE_OF_THE_MOST_CALLED).then_some(*id)
    }
}

/// Lines with names of the API as comments of its language: `// Basket: assemble, holds, draw`. They have at most
/// `max_tokens` tokens. Classes that the question finds or that users call much come first, and so do members that
/// users call much. What is `shown` is left out.
pub(super) fn name_lines(
    context: &Context<'_>,
    callables: &Callables<'_>,
    language: Language,
    results: &[Found],
    shown: &FxHashSet<DefinitionId>,
    max_tokens: usize,
    tokenizer: &Tokenizer,
) -> Vec<String> {
    let index = context.symbols.index();
    let comment = match language {
        Language::Python => "#",
        Language::TypeScript => "//",
    };
    let (mut lines, mut left) = (Vec::new(), max_tokens);
    if left < LEAST_TOKENS_OF_A_LINE {
        return lines;
    }
    for group in groups(context, callables, language, results, shown).into_iter().take(MAX_GROUPS) {
        let (title, most) = match group.class {
            Some(class) => (imported_name(index, class), MAX_MEMBERS),
            None => (OF_MODULES.into(), MAX_FUNCTIONS),
        };
        let mut line = format!("{comment} {}: ", escaped_line(&title));
        let mut names = 0;
        for id in group.callables {
            let name = match group.class {
                Some(_) => CompactString::new(&index.definition(id).name),
                None => imported_name(index, id),
            };
            let name = escaped_line(&name);
            let longer = format!("{line}{}{name}", if names == 0 { "" } else { ", " });
            if names == most || tokenizer.count(&format!("{longer}\n")) > left {
                break;
            }
            (line, names) = (longer, names + 1);
        }
        if names > 0 {
            left -= tokenizer.count(&format!("{line}\n"));
            lines.push(line);
        }
        if lines.len() == MAX_LINES || left < LEAST_TOKENS_OF_A_LINE {
            break;
        }
    }
    lines
}

/// The definition that a call names: the class of a constructor.
pub(super) fn called(index: &Index, id: DefinitionId) -> DefinitionId {
    let definition = index.definition(id);
    definition.parent.filter(|_| definition.is_constructor()).unwrap_or(id)
}

/// True for a class inside of another definition, and for its members: an import names the outer one.
fn is_nested(index: &Index, definition: &Definition) -> bool {
    let is_class = definition.kind == DefinitionKind::Class;
    let parent = definition.parent.map(|parent| index.definition(parent));
    parent.is_some_and(|parent| is_class || parent.parent.is_some())
}

/// The calls outside of the library by weight.
fn users_calls(index: &Index, definition: &Definition) -> usize {
    let file = |call: &CallId| index.files.get(index.call(*call).file.index()).filter(|file| !file.is_library());
    let files = definition.usage.calls.iter().filter_map(file);
    files.map(|file| if file.origin == Origin::Tests { 1 } else { WEIGHT_OF_AN_EXAMPLE }).sum()
}

/// The callables of the API in a language that are not `shown`, by class, in the order of their lines.
fn groups(
    context: &Context<'_>,
    callables: &Callables<'_>,
    language: Language,
    results: &[Found],
    shown: &FxHashSet<DefinitionId>,
) -> Vec<NameGroup> {
    let index = context.symbols.index();
    let mut relevance: FxHashMap<Option<DefinitionId>, f64> = FxHashMap::default();
    for result in results {
        let Some(id) = context.symbols.known(&result.id) else { continue };
        let best = relevance.entry(class_of(index, id)).or_default();
        *best = best.max(result.relevance);
    }
    // A member that is shown names its class.
    let named: FxHashSet<DefinitionId> = shown.iter().filter_map(|id| index.definition(*id).parent).collect();
    let mut by_class: FxHashMap<Option<DefinitionId>, Vec<DefinitionId>> = FxHashMap::default();
    let mut uses: FxHashMap<Option<DefinitionId>, usize> = FxHashMap::default();
    let is_of_language = |(id, _): &(&DefinitionId, &usize)| index.definition(**id).language == language;
    for (&id, &calls) in callables.calls.iter().filter(is_of_language) {
        *uses.entry(class_of(index, id)).or_default() += calls;
        if !shown.contains(&id) && !named.contains(&id) {
            by_class.entry(index.definition(id).parent).or_default().push(id);
        }
    }
    let most = |values: &mut dyn Iterator<Item = f64>| values.fold(f64::MIN_POSITIVE, f64::max);
    let most_relevant = most(&mut relevance.values().copied());
    let most_used = most(&mut uses.values().map(|uses| *uses as f64));
    let group = |(class, mut ids): (Option<DefinitionId>, Vec<DefinitionId>)| {
        ids.shared_sort_by_key(|id| (Reverse((callables.calls[id], index.definition(*id).ranking_uses())), *id));
        let relevance = relevance.get(&class).copied().unwrap_or_default() / most_relevant;
        let uses = uses.get(&class).copied().unwrap_or_default() as f64 / most_used;
        NameGroup { class, callables: ids, weight: relevance + uses }
    };
    let mut groups: Vec<NameGroup> = by_class.into_iter().map(group).collect();
    groups.shared_sort_by(|a, b| b.weight.total_cmp(&a.weight).then(a.class.cmp(&b.class)));
    groups
}

/// The name under which files import a definition.
fn imported_name(index: &Index, id: DefinitionId) -> CompactString {
    import_of(index, id).map_or_else(|| CompactString::new(&index.definition(id).name), |import| import.local)
}

/// The class of a member, or a class itself; `None` for a function of a module.
fn class_of(index: &Index, id: DefinitionId) -> Option<DefinitionId> {
    let definition = index.definition(id);
    definition.parent.or_else(|| (!matches!(definition.kind, DefinitionKind::Function)).then_some(id))
}
