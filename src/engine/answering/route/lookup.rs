//! The files, symbols and modules of an index that a task names.

use std::cmp::Reverse;

use super::{
    Keywords,
    ordinary::is_ordinary,
    vocabulary::{self, category, is_task_word},
    words::{TaskWord, file_in, is_dotted, symbol_in, words, words_in_place},
};
use crate::{
    answers::{AnswerError, Context, find_path},
    terms::{is_stop_word, singular},
};
use apidisc_base::{language::QualifiedName, sort::SharedSort as _};
use apidisc_facts::program::{DefinitionId, DefinitionKind, ModuleId};
use apidisc_indexing::index::{File, Index};

/// The greatest number of words of a task that are looked up.
const MAX_WORDS: usize = 200;

/// A file that a task names.
pub(super) struct NamedFile {
    pub(super) path: String,
    /// The first and the last line that the task names.
    pub(super) lines: Option<(u32, u32)>,
}

/// The first file of the index that a task names, and the paths before it in the task that are not in the index.
/// Without an index every path counts as a file.
pub(super) fn file(task: &str, context: Option<&Context<'_>>) -> (Option<NamedFile>, Vec<String>) {
    let mut unknown = Vec::new();
    for (path, lines) in words(task).filter_map(file_in).take(MAX_WORDS) {
        let found = match context {
            None => Ok(path.to_owned()),
            Some(context) => find_path(context, path),
        };
        match found {
            Ok(path) => return (Some(NamedFile { path, lines }), unknown),
            Err(AnswerError::File { nearest, .. }) if !nearest.is_empty() => {
                unknown.push(format!("{path} (the nearest: {})", nearest.join(", ")));
            }
            Err(_) => unknown.push(path.to_owned()),
        }
    }
    (None, unknown)
}

/// A name in a task, and the symbols with this name: those that users import first, most used first.
pub(super) struct NamedSymbol {
    pub(super) name: String,
    pub(super) symbols: Vec<DefinitionId>,
}

/// The first name in a task that symbols of the index have. These words are looked up, one kind after the other:
///
/// 1. A word that is written like a name: between quotes, with dots, in camel case or snake case, or before `()`. It
///    may name any symbol.
/// 2. A word with a capital that does not begin a sentence, for a symbol that is written the same.
/// 3. A word beside the kind of a definition, as in `the echo function` or `class Context`, for a symbol of this kind.
/// 4. Any other word that is not [ordinary](is_ordinary), in any case of letters.
///
/// A word of the last three kinds names only a public top-level definition of the library that is no constant.
pub(super) fn symbol(task: &str, context: &Context<'_>) -> Option<NamedSymbol> {
    let index = context.symbols.index();
    let task: Vec<TaskWord<'_>> =
        words_in_place(task, MAX_WORDS).into_iter().filter(|word| file_in(word.text).is_none()).collect();
    let named_symbol = |name: &str, symbols: Vec<DefinitionId>| {
        (!symbols.is_empty()).then(|| NamedSymbol { name: name.to_owned(), symbols })
    };
    let as_name = |word: &TaskWord<'_>| {
        let name = symbol_in(word.text);
        let name = name.or_else(|| (word.is_quoted || is_dotted(word.bare)).then_some(word.bare))?;
        let found = context.symbols.meant(name).map(|id| vec![id]);
        named_symbol(name, found.unwrap_or_else(|| called(context, name, |_| true)))
    };
    let is_plain = |word: &TaskWord<'_>| word.bare.chars().count() > 2 && !is_stop_word(&word.bare.to_lowercase());
    let with_capital = |word: &TaskWord<'_>| {
        let name = word.bare;
        let is_written_so = !word.is_first && name.starts_with(char::is_uppercase) && name.contains(char::is_lowercase);
        let wanted = |id| is_offered(index, id) && index.definition(id).name == name;
        (is_written_so && is_plain(word)).then(|| called(context, name, wanted)).and_then(|ids| named_symbol(name, ids))
    };
    let beside_kind = |at: usize| {
        let kind = kind_beside(&task, at).filter(|_| is_plain(&task[at]))?;
        let wanted = |id| is_offered(index, id) && (kind)(index.definition(id).kind);
        named_symbol(task[at].bare, called(context, task[at].bare, wanted))
    };
    let in_plain_text = |at: usize| {
        let lower = task[at].bare.to_lowercase();
        let name = singular(&lower);
        let is_common =
            is_ordinary(name) || is_task_word(name) || category(name).is_some() || is_beside_module(&task, at);
        let found =
            (is_plain(&task[at]) && !is_common).then(|| called(context, task[at].bare, |id| is_offered(index, id)));
        found.and_then(|ids| named_symbol(task[at].bare, ids))
    };
    let places = || 0..task.len();
    (task.iter().find_map(as_name))
        .or_else(|| task.iter().find_map(with_capital))
        .or_else(|| places().find_map(beside_kind))
        .or_else(|| places().find_map(in_plain_text))
}

/// True for a public top-level definition of the library that is no constant.
fn is_offered(index: &Index, id: DefinitionId) -> bool {
    let definition = index.definition(id);
    let is_kind = definition.parent.is_none() && definition.kind != DefinitionKind::Constant;
    is_kind && definition.is_public && file_of(index, id).is_none_or(File::is_library)
}

fn file_of(index: &Index, id: DefinitionId) -> Option<&File> {
    index.files.get(index.definition(id).place.file.index())
}

/// True for a symbol of a test, an example, a script or generated code.
pub(super) fn is_aside(context: &Context<'_>, id: DefinitionId) -> bool {
    file_of(context.symbols.index(), id).is_some_and(|file| !file.is_library())
}

/// The test of a kind of definitions that the word before or after this one names: `class Context`, `the echo
/// function`.
fn kind_beside(task: &[TaskWord<'_>], at: usize) -> Option<fn(DefinitionKind) -> bool> {
    let before = |distance: usize| at.checked_sub(distance).map(|at| task[at].bare.to_lowercase());
    let kind_before = before(1).and_then(|word| kind_named(&word));
    let kind_after = || {
        let has_article = before(1).is_some_and(|word| ["a", "an", "its", "our", "the", "this"].contains(&&*word));
        task.get(at + 1).filter(|_| has_article).and_then(|word| kind_named(&word.bare.to_lowercase()))
    };
    kind_before.or_else(kind_after)
}

fn kind_named(word: &str) -> Option<fn(DefinitionKind) -> bool> {
    Some(match word {
        "class" => |kind| kind == DefinitionKind::Class,
        "decorator" | "function" | "helper" | "hook" => |kind| kind == DefinitionKind::Function,
        "enum" => |kind| kind == DefinitionKind::Enum,
        "interface" => |kind| kind == DefinitionKind::Interface,
        "exception" => |kind| kind == DefinitionKind::Class,
        _ => return None,
    })
}

/// True for a word before or after `module`, `package` or `folder`.
fn is_beside_module(task: &[TaskWord<'_>], at: usize) -> bool {
    let beside = [at.checked_sub(1), Some(at + 1)].into_iter().flatten().filter_map(|at| task.get(at));
    beside
        .map(|word| word.bare.to_lowercase())
        .any(|word| ["module", "package", "folder", "directory"].contains(&&*word))
}

/// The wanted symbols whose name without its qualifier equals `name` in any case of letters: those of the library
/// before those of tests, examples and scripts, public ones first, most used first.
fn called(context: &Context<'_>, name: &str, is_wanted: impl Fn(DefinitionId) -> bool) -> Vec<DefinitionId> {
    let index = context.symbols.index();
    let lower = name.to_lowercase();
    let is_it = |id: &DefinitionId| {
        let definition = index.definition(*id);
        definition.name.len() == name.len() && definition.name.to_lowercase() == lower && is_wanted(*id)
    };
    let mut found: Vec<DefinitionId> = context.symbols.symbols().iter().copied().filter(is_it).collect();
    let order = |&id: &DefinitionId| {
        (is_aside(context, id), !index.definition(id).is_public, Reverse(index.usage(id).uses()), id)
    };
    found.shared_sort_by_key(order);
    found
}

/// The module that a task is about: one that it names by its path, or beside the word `module`, `package` or `folder`;
/// else one to which all of its words belong, by name or by convention.
pub(super) fn module(task: &str, keywords: &Keywords, context: &Context<'_>) -> Option<String> {
    let task = words_in_place(task, MAX_WORDS);
    let by_path = task.iter().filter(|word| word.is_quoted || word.bare.contains(['.', '/'])).map(|word| word.bare);
    let beside = (0..task.len()).filter(|at| is_beside_module(&task, *at)).map(|at| task[at].bare);
    let is_telling = |word: &&str| word.chars().count() > 1 && !is_stop_word(&word.to_lowercase());
    let mut named = by_path.chain(beside).filter(is_telling);
    if let Some(found) = named.find_map(|name| most_used(context, |module| is_called(module, &name.to_lowercase()))) {
        return Some(found);
    }
    // Each word of the domain, with the module to which it belongs by convention.
    let terms = keywords.search_terms(usize::MAX);
    let of_term = |term: &String| {
        let term = term.to_lowercase();
        let module = vocabulary::module(singular(&term)).map(str::to_owned);
        [Some(term), module].into_iter().flatten().collect::<Vec<_>>()
    };
    let wanted: Vec<Vec<String>> = terms.iter().map(of_term).collect();
    let first = wanted.first()?;
    first.iter().find_map(|name| {
        let is_named_by_all =
            |module: &str| wanted.iter().all(|names| names.iter().any(|name| is_called(module, name)));
        most_used(context, |module| is_called(module, name) && is_named_by_all(module))
    })
}

/// True if a name in lower case is the FQN of a module, its end, or in singular or plural its last part.
fn is_called(module: &str, name: &str) -> bool {
    let module = module.to_lowercase();
    let last = module.rsplit(['.', '/']).next().unwrap_or(&module);
    singular(last) == singular(name) || QualifiedName::guess(&module).ends_with(name)
}

/// The most used module of the library that is wanted and used.
fn most_used(context: &Context<'_>, is_wanted: impl Fn(&str) -> bool) -> Option<String> {
    let index = context.symbols.index();
    let is_it = |id: &ModuleId| {
        let module = index.module(*id);
        let is_library = module.file.is_none_or(|file| index.file(file).is_library());
        is_library && module.uses() > 0 && is_wanted(&module.fqn)
    };
    let found = (0..index.modules.len()).map(ModuleId::new).filter(is_it);
    let found = found.min_by_key(|id| (Reverse(index.module(*id).uses()), *id))?;
    Some(index.module(found).fqn.to_string())
}
