//! The files, symbols and modules of an index that a task names.

use std::cmp::Reverse;

use super::keywords::{file_in, symbol_in, words};
use super::vocabulary::is_untelling;
use crate::{
    answers::{
        AnswerError, Context, find_path,
        terms::{is_stop_word, singular},
    },
    program::{DefinitionId, DefinitionKind, ModuleId},
    source::Origin,
};

/// The greatest number of words of a task that are looked up.
const MOST_WORDS: usize = 200;

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
    for (path, lines) in words(task).filter_map(file_in).take(MOST_WORDS) {
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

/// A name in a task, and the symbols with this name, most used first.
pub(super) struct NamedSymbol {
    pub(super) name: String,
    pub(super) symbols: Vec<DefinitionId>,
}

/// The first name in a task that symbols of the index have. A word that is written like a name may name any symbol. If
/// no such word names a symbol, any other word may name a public top-level definition of the library that is no
/// constant, in any case of letters.
pub(super) fn symbol(task: &str, context: &Context<'_>) -> Option<NamedSymbol> {
    let table = context.symbols;
    for name in words(task).filter(|word| file_in(word).is_none()).filter_map(symbol_in).take(MOST_WORDS) {
        if let Ok(id) = table.find(name) {
            return Some(NamedSymbol { name: name.to_owned(), symbols: vec![id] });
        }
        let symbols = named(context, name, |_| true);
        if !symbols.is_empty() {
            return Some(NamedSymbol { name: name.to_owned(), symbols });
        }
    }
    let index = table.index();
    let is_offered = |id: DefinitionId| {
        let definition = index.definition(id);
        let is_kind = definition.parent.is_none() && definition.kind != DefinitionKind::Constant;
        let file = index.files.get(definition.place.file.index());
        is_kind && definition.is_public && file.is_none_or(|file| file.origin == Origin::Src && !file.is_auxiliary)
    };
    let plain = words(task).filter(|word| file_in(word).is_none()).take(MOST_WORDS);
    let plain = plain.map(|word| word.trim_matches(|c: char| !c.is_alphanumeric() && c != '_'));
    for word in plain.filter(|word| word.chars().count() > 2) {
        let lower = word.to_lowercase();
        if is_stop_word(&lower) || is_untelling(singular(&lower)) {
            continue;
        }
        let symbols = named(context, word, is_offered);
        if !symbols.is_empty() {
            return Some(NamedSymbol { name: word.to_owned(), symbols });
        }
    }
    None
}

/// The wanted symbols whose name without its qualifier equals `name` in any case of letters, most used first.
fn named(context: &Context<'_>, name: &str, is_wanted: impl Fn(DefinitionId) -> bool) -> Vec<DefinitionId> {
    let index = context.symbols.index();
    let lower = name.to_lowercase();
    let is_it = |id: &DefinitionId| {
        let definition = index.definition(*id);
        definition.name.len() == name.len() && definition.name.to_lowercase() == lower && is_wanted(*id)
    };
    let mut found: Vec<DefinitionId> = context.symbols.symbols().iter().copied().filter(is_it).collect();
    found.sort_by_key(|id| (Reverse(index.usage(*id).uses()), *id));
    found
}

/// Looks the names up in their order. A name matches used modules of the library that have it as FQN, or in singular or
/// plural as the last part of the FQN. Returns the most used match of the first name that has matches.
pub(super) fn module(context: &Context<'_>, names: &[String]) -> Option<String> {
    let index = context.symbols.index();
    let is_library = |id: ModuleId| {
        let file = index.module(id).file.map(|file| index.file(file));
        file.is_none_or(|file| file.origin == Origin::Src && !file.is_document())
    };
    for name in names {
        let wanted = singular(name);
        let is_it = |id: &ModuleId| {
            let fqn = index.module(*id).fqn.to_lowercase();
            let last = fqn.rsplit(['.', '/']).next().unwrap_or(&fqn);
            (fqn == *name || singular(last) == wanted) && is_library(*id) && index.module(*id).uses() > 0
        };
        let found = (0..index.modules.len()).map(ModuleId::new).filter(is_it);
        if let Some(id) = found.min_by_key(|id| (Reverse(index.module(*id).uses()), *id)) {
            return Some(index.module(id).fqn.to_string());
        }
    }
    None
}
