//! The words of a task, by category.

use serde::Serialize;

use super::{
    vocabulary::{category, is_compounding, is_task_word, module},
    words::{file_in, symbol_in, words},
};
use crate::terms::{is_stop_word, singular};
use apidisc_base::sort::SharedSort as _;

/// The longest task that is read, in bytes.
const MAX_TASK_BYTES: usize = 16 << 10;

/// The category of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Category {
    /// `CamelCase`, `camelCase`, `snake_case`.
    SymbolName,
    /// `async`, `callback`.
    CodeConcept,
    /// `create`, `delete`.
    Operation,
    /// `controller`, `service`.
    Architecture,
    /// `exception`, `crash`.
    Error,
    /// `model`, `schema`.
    Data,
    /// `component`, `button`.
    Ui,
    /// `spec`, `mock`.
    Test,
}

/// A word of a task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Keyword {
    /// The word: a name as it is written, any other word in lower case.
    pub term: String,
    /// Its category; `None` for a word that belongs to none.
    pub category: Option<Category>,
}

/// The words of a task.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Keywords {
    /// The words in the order of the task, each once, without stop words, numbers, single letters and file names.
    pub keywords: Vec<Keyword>,
    /// The words that are written like names of symbols.
    pub symbol_candidates: Vec<String>,
    /// Neighbouring words that name one concept, such as `error_handling`.
    pub compound_terms: Vec<String>,
    /// The modules that words belong to by convention, in the order of the task.
    pub inferred_modules: Vec<String>,
}

impl Keywords {
    /// At most `limit` terms to search for, best first: names, compound terms, words without a category, words of a
    /// category other than operations, operations. Words without a category name the domain of the code.
    pub fn search_terms(&self, limit: usize) -> Vec<String> {
        let mut words: Vec<&Keyword> = self.keywords.iter().filter(|keyword| is_search_term(keyword)).collect();
        words.shared_sort_by_key(|keyword| match keyword.category {
            None => 0,
            Some(Category::Operation) => 2,
            Some(_) => 1,
        });
        let words = words.into_iter().map(|keyword| &keyword.term);
        let mut terms: Vec<String> = Vec::new();
        for term in self.symbol_candidates.iter().chain(&self.compound_terms).chain(words) {
            if terms.len() < limit && !terms.contains(term) {
                terms.push(term.clone());
            }
        }
        terms
    }
}

/// True for a word of the search terms. A name is among the symbol candidates already, and a word that any task may
/// have finds nothing in particular.
fn is_search_term(keyword: &Keyword) -> bool {
    keyword.category != Some(Category::SymbolName) && !is_task_word(singular(&keyword.term))
}

/// The words of the first 16 KiB of a task, without file names.
pub fn extract_keywords(task: &str) -> Keywords {
    let task = &task[..task.floor_char_boundary(MAX_TASK_BYTES)];
    let mut found = Keywords::default();
    let mut before: Option<String> = None;
    for word in words(task) {
        if file_in(word).is_some() {
            before = None;
            continue;
        }
        if let Some(name) = symbol_in(word) {
            push_new(&mut found.symbol_candidates, name.to_owned());
            push_keyword(&mut found.keywords, name.to_owned(), Some(Category::SymbolName));
            before = None;
            continue;
        }
        for part in word.split(|c: char| !c.is_alphanumeric()).filter(|part| part.chars().count() > 1) {
            let term = part.to_lowercase();
            if is_stop_word(&term) || term.chars().all(char::is_numeric) {
                before = None;
                continue;
            }
            if let Some(first) = before.take().filter(|_| is_compounding(&term)) {
                push_new(&mut found.compound_terms, format!("{first}_{term}"));
            }
            if let Some(module) = module(singular(&term)) {
                push_new(&mut found.inferred_modules, module.to_owned());
            }
            push_keyword(&mut found.keywords, term.clone(), category(singular(&term)));
            before = Some(term);
        }
        if word.ends_with([',', '.', ';', ':', '!', '?']) {
            before = None;
        }
    }
    found
}

fn push_new(list: &mut Vec<String>, text: String) {
    if !list.contains(&text) {
        list.push(text);
    }
}

fn push_keyword(list: &mut Vec<Keyword>, term: String, category: Option<Category>) {
    if !list.iter().any(|keyword| keyword.term == term) {
        list.push(Keyword { term, category });
    }
}
