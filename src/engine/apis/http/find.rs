//! Finds the operation to which a name refers.

use crate::openapi::{ApiDocuments, operation_id};
use apidisc_indexing::index::nearest;

/// An operation of a set of documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OperationId {
    /// The position in [`ApiDocuments::documents`].
    pub document: usize,
    /// The position in the operations of that document.
    pub operation: usize,
}

/// The error for a name that no operation has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no operation is called `{name}`{}", suggestion(.nearest))]
pub struct UnknownOperation {
    /// The name.
    pub name: String,
    /// The nearest names of operations.
    pub nearest: Vec<String>,
}

fn suggestion(nearest: &[String]) -> String {
    if nearest.is_empty() { String::new() } else { format!("; did you mean {}?", nearest.join(", ")) }
}

/// The operation with a name: its method and path (`POST /campaigns`; `webhook NAME` of a webhook), its operation id,
/// or the id of its chunk (`api.yaml:paths/campaigns/post`). Of several, the first one in the order of the documents.
///
/// # Errors
/// If there is none; the error has the nearest names.
pub fn find_operation(documents: &ApiDocuments, name: &str) -> Result<OperationId, UnknownOperation> {
    let name = name.trim();
    let title = name.split_once(char::is_whitespace).map(|(method, path)| (method, path.trim()));
    let all = || {
        let each = |(document, of): (usize, &'_ crate::openapi::Document)| {
            (0..of.operations.len()).map(move |operation| OperationId { document, operation })
        };
        documents.documents.iter().enumerate().flat_map(each)
    };
    let is_named = |id: &OperationId| {
        let (_, operation) = id.of(documents);
        let has_path = title.is_some_and(|(method, path)| {
            !operation.is_webhook && operation.method.eq_ignore_ascii_case(method) && same_path(&operation.path, path)
        });
        has_path
            || operation.title() == name
            || operation.operation_id.as_deref() == Some(name)
            || id.chunk_id(documents) == name
    };
    if let Some(found) = all().find(is_named) {
        return Ok(found);
    }
    let mut names: Vec<String> = Vec::new();
    for id in all() {
        let (_, operation) = id.of(documents);
        names.push(operation.title());
        names.extend(operation.operation_id.clone());
    }
    let nearest = nearest(name, names.iter().map(|name| (name.as_str(), 0)));
    Err(UnknownOperation { name: name.to_owned(), nearest: nearest.into_iter().map(Into::into).collect() })
}

impl OperationId {
    /// The document and the operation.
    pub fn of(self, documents: &ApiDocuments) -> (&crate::openapi::Document, &crate::openapi::Operation) {
        let document = &documents.documents[self.document];
        (document, &document.operations[self.operation])
    }

    /// The id of the chunk of the operation.
    pub fn chunk_id(self, documents: &ApiDocuments) -> String {
        let (document, operation) = self.of(documents);
        operation_id(&documents.files.file(document.file).path, operation)
    }
}

/// True if two paths differ at most in the names of their parameters and in a slash at the end.
fn same_path(own: &str, wanted: &str) -> bool {
    let is_parameter = |segment: &str| segment.starts_with('{') && segment.ends_with('}');
    let (own, wanted): (Vec<&str>, Vec<&str>) =
        (own.trim_matches('/').split('/').collect(), wanted.trim_matches('/').split('/').collect());
    own.len() == wanted.len()
        && own.iter().zip(&wanted).all(|(own, wanted)| own == wanted || is_parameter(own) && is_parameter(wanted))
}
