//! The words of a task, by category.

use serde::Serialize;

use super::vocabulary::{category, is_compounding, is_untelling, module};
use crate::answers::terms::{is_stop_word, singular};

/// The longest task that is read, in bytes.
const LONGEST_TASK: usize = 16 << 10;

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
    /// Neighbouring words that name one thing, such as `error_handling`.
    pub compound_terms: Vec<String>,
    /// The modules that words belong to by convention, in the order of the task.
    pub inferred_modules: Vec<String>,
}

impl Keywords {
    /// At most `limit` terms to search for, best first: names, compound terms, words without a category, words of a
    /// category other than operations, operations. Words without a category name the domain of the code.
    pub fn search_terms(&self, limit: usize) -> Vec<String> {
        let mut words: Vec<&Keyword> = self.keywords.iter().filter(|keyword| !is_no_term(keyword)).collect();
        words.sort_by_key(|keyword| match keyword.category {
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

/// True for a keyword that is not added to the search terms: a name, which is among the symbol candidates, and a word
/// that any task may have.
fn is_no_term(keyword: &Keyword) -> bool {
    keyword.category == Some(Category::SymbolName) || is_untelling(singular(&keyword.term))
}

/// The words of the first 16 KiB of a task, without file names.
pub fn extract_keywords(task: &str) -> Keywords {
    let task = &task[..task.floor_char_boundary(LONGEST_TASK)];
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

/// The words of a task between white space, quotes and brackets.
pub(super) fn words(task: &str) -> impl Iterator<Item = &str> {
    task.split(|c: char| c.is_whitespace() || "\"'`<>{}[]“”‘’".contains(c)).filter(|word| !word.is_empty())
}

/// The name in a word that is written like the name of a symbol, qualified or not: in camel case or snake case, or
/// before `()`. `None` for any other word.
pub(super) fn symbol_in(word: &str) -> Option<&str> {
    let word = word.trim_start_matches(['(', '@', '*']);
    let is_called = word.contains("()");
    let name = word.split('(').next().unwrap_or(word).trim_end_matches(|c: char| !c.is_alphanumeric() && c != '_');
    let parts = || name.split(['.', '#']);
    let is_identifier = |part: &str| {
        part.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && part.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$')
    };
    let is_name = !name.is_empty() && parts().all(is_identifier);
    (is_name && (is_called || parts().any(is_compound_name))).then_some(name)
}

/// True for a name of several words, such as `handleLogin`, `HTTPServer` or `max_tokens`.
fn is_compound_name(name: &str) -> bool {
    let has_underscore = name.trim_matches('_').contains('_') || name.starts_with("__");
    let chars: Vec<char> = name.chars().collect();
    let has_small = name.contains(char::is_lowercase);
    // A capital after another letter, as in `aB` and `ABc`; not the plural of an abbreviation, as in `APIs`.
    let inner_capital = chars.windows(2).any(|pair| pair[0].is_lowercase() && pair[1].is_uppercase())
        || chars.windows(4).any(|four| {
            four[0].is_uppercase() && four[1].is_uppercase() && four[2].is_lowercase() && four[3].is_lowercase()
        });
    has_underscore || has_small && inner_capital
}

/// The path in a word that names a file, and the lines after it: `src/a.ts:45`, `a.ts:45-60`, `a.ts#L45`.
pub(super) fn file_in(word: &str) -> Option<(&str, Option<(u32, u32)>)> {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric() && !"_./~\\".contains(c)).trim_end_matches('.');
    let end = word.find("#L").or_else(|| word.find(':').filter(|at| *at > 1)).unwrap_or(word.len());
    let (path, rest) = word.split_at(end);
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let (stem, ending) = file.rsplit_once('.')?;
    let is_ending = (1..=5).contains(&ending.len()) && ending.chars().all(char::is_alphanumeric);
    // `Node.js` is no file, `index.js` is one.
    let is_code = crate::language::Language::of_path(file).is_some() && !stem.starts_with(char::is_uppercase);
    let is_file = is_ending && !stem.is_empty() && !path.contains("//") && (is_code || !folder.is_empty());
    is_file.then(|| (path, lines_in(rest)))
}

/// The first and the last line that the text behind a path names.
fn lines_in(text: &str) -> Option<(u32, u32)> {
    let mut numbers = text.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse::<u32>().ok());
    let first = numbers.next().filter(|line| *line > 0)?;
    // `:45:3` is a line and a column.
    let last = numbers.next().filter(|last| *last >= first && text.contains('-'));
    Some((first, last.unwrap_or(first)))
}
