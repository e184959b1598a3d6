//! The mistakes in API documents that were read: references without a target, and operations with the same id.

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    document::Document,
    files::{ApiFile, ApiFileId, ApiFiles},
    found_reference::{FoundReference, references},
    target::Target,
};
use apidisc_base::{
    diagnostic::{Diagnostic, Problem},
    unprintable::escaped_line,
};

/// The greatest number of problems that are reported one by one for a file.
const MAX_PROBLEMS_OF_A_FILE: usize = 100;
/// The longest text of a document that a message quotes, in characters.
const MAX_QUOTE_CHARS: usize = 200;

/// Adds the problems of documents that were read.
pub(super) fn add(files: &ApiFiles, documents: &[Document], diagnostics: &mut Vec<Diagnostic>) {
    let ids: Vec<(ApiFileId, &ApiFile)> = files.iter().collect();
    let of_files: Vec<Vec<Diagnostic>> = ids.par_iter().map(|(id, file)| of_references(files, *id, file)).collect();
    diagnostics.extend(of_files.into_iter().flatten());
    for document in documents {
        let path = &files.file(document.file).path;
        let mut messages = Vec::new();
        let mut first: FxHashMap<&str, &super::Operation> = FxHashMap::default();
        for operation in &document.operations {
            let Some(id) = &operation.operation_id else { continue };
            let other = *first.entry(id).or_insert(operation);
            if other != operation {
                let (own, other) = (operation.title(), other.title());
                let message = format!("{} has the operationId `{}` of {}", quoted(&own), quoted(id), quoted(&other));
                messages.push((Problem::Malformed, message));
            }
        }
        for key in missing_of_info(files, document) {
            messages.push((Problem::Malformed, format!("it has no `{key}`, which the specification requires")));
        }
        if document.operations.is_empty() && document.components.is_empty() {
            messages.push((Problem::Malformed, "it has neither operations nor components".to_owned()));
        }
        diagnostics.extend(limited(path, messages));
    }
}

/// The required fields of the Info Object, and the object itself, that a document does not have.
fn missing_of_info(files: &ApiFiles, document: &Document) -> Vec<&'static str> {
    let Some(info) = files.root(document.file).get_resolved("info") else { return vec!["info"] };
    [("title", "info.title"), ("version", "info.version")]
        .into_iter()
        .filter(|(key, _)| info.get(key).is_none())
        .map(|(_, name)| name)
        .collect()
}

fn of_references(files: &ApiFiles, id: ApiFileId, file: &ApiFile) -> Vec<Diagnostic> {
    // Each target is reported once, at its first place.
    let mut seen: FxHashSet<&str> = FxHashSet::default();
    let mut messages = Vec::new();
    references(&file.value, &mut |FoundReference { kind, text, line }| {
        if !seen.insert(text) {
            return;
        }
        let (problem, why) = match files.target(id, kind, text) {
            Target::Place(_) | Target::Name => return,
            Target::Url => (Problem::Unreadable, "is a URL, and URLs are not fetched".to_owned()),
            Target::Outside => (Problem::Unreadable, "leads out of the folder, and is not read".to_owned()),
            Target::Missing(None) => (Problem::Malformed, "leads nowhere".to_owned()),
            Target::Missing(Some(why)) => (Problem::Unreadable, format!("cannot be read: {why}")),
        };
        messages.push((problem, format!("line {line}: the reference `{}` {why}", quoted(text))));
    });
    limited(&file.path, messages)
}

/// The messages as diagnostics of a file, up to a limit, and one more that counts the others.
fn limited(path: &str, mut messages: Vec<(Problem, String)>) -> Vec<Diagnostic> {
    let more = messages.len().saturating_sub(MAX_PROBLEMS_OF_A_FILE);
    messages.truncate(MAX_PROBLEMS_OF_A_FILE);
    if more > 0 {
        messages.push((Problem::TooComplex, format!("{more} more problems of this kind")));
    }
    let said = messages.into_iter();
    said.map(|(problem, message)| Diagnostic { path: path.into(), problem, message }).collect()
}

/// The beginning of a text of a document, on one line and without control characters.
fn quoted(text: &str) -> String {
    let short: String = text.chars().take(MAX_QUOTE_CHARS).collect();
    escaped_line(&short).into_owned()
}
