//! The words of a task, by category.

use serde::Serialize;

/// What a word is about.
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
    /// The word.
    pub term: String,
    /// Its category; `None` for a word that is worth a search but belongs to none.
    pub category: Option<Category>,
}

/// The words of a task.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Keywords {
    /// All words, in the order of the task, each once.
    pub keywords: Vec<Keyword>,
    /// The words that look like names of symbols.
    pub symbol_candidates: Vec<String>,
    /// Neighbouring words that name one thing, such as `error_handling`.
    pub compound_terms: Vec<String>,
    /// Names of modules that such tasks are about.
    pub inferred_modules: Vec<String>,
}

impl Keywords {
    /// The best terms to search for, best first.
    pub fn search_terms(&self, limit: usize) -> Vec<String> {
        let _ = limit;
        todo!()
    }
}

/// The words of a task.
pub fn extract_keywords(task: &str) -> Keywords {
    let _ = task;
    todo!()
}
