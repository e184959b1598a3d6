//! The API context: a list of the documents with their titles, versions and numbers of operations, in a few lines.

use std::fmt::Write as _;

use rustc_hash::FxHashMap;

use super::{ApiDocuments, Document};
use apidisc_base::{sort::SharedSort as _, unprintable::escaped_line};

/// The greatest number of documents that are described.
const MAX_DOCUMENTS: usize = 50;
/// The greatest number of subjects of a document.
const MAX_SUBJECTS: usize = 8;
/// The longest title or subject, in characters.
const MAX_CHARS: usize = 60;

/// The documents, a line each: path, title, version, counts, and the tags that most of its operations have.
pub fn api_context(api: &ApiDocuments) -> String {
    let mut text = String::new();
    for document in api.documents.iter().take(MAX_DOCUMENTS) {
        let path = escaped_line(&api.files.file(document.file).path);
        let schemas = document.components.iter().filter(|component| component.kind == "schemas").count();
        let operations = document.operations.iter().filter(|operation| !operation.is_webhook).count();
        let webhooks = document.operations.len() - operations;
        let mut counts = vec![counted(operations, "operation"), counted(schemas, "schema")];
        if webhooks > 0 {
            counts.insert(1, counted(webhooks, "webhook"));
        }
        let title = short(&title(document));
        let _ = write!(text, "- {path}: {title} ({}; {})", document.version, counts.join(", "));
        let subjects = subjects(document);
        let _ = if subjects.is_empty() { writeln!(text) } else { writeln!(text, ": {}", subjects.join(", ")) };
    }
    let more = api.documents.len().saturating_sub(MAX_DOCUMENTS);
    if more > 0 {
        let _ = writeln!(text, "- {more} more; file_filter names a part of a path");
    }
    text
}

fn title(document: &Document) -> String {
    [&*document.title, &*document.api_version].join(" ").trim().to_owned()
}

/// The tags, or the first parts of paths where there are none, that most operations have. Ties are broken by name.
fn subjects(document: &Document) -> Vec<String> {
    let mut counts: FxHashMap<&str, usize> = FxHashMap::default();
    for operation in &document.operations {
        let first = operation.path.split('/').find(|part| !part.is_empty() && !part.starts_with('{'));
        let tags = operation.tags.iter().map(String::as_str);
        for subject in tags.chain(first.filter(|_| operation.tags.is_empty())) {
            *counts.entry(subject).or_default() += 1;
        }
    }
    let mut ranked: Vec<(&str, usize)> = counts.into_iter().collect();
    ranked.shared_sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    ranked.into_iter().take(MAX_SUBJECTS).map(|(subject, _)| short(subject)).collect()
}

fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

fn short(text: &str) -> String {
    let short: String = text.chars().take(MAX_CHARS).collect();
    escaped_line(&short).into_owned()
}
