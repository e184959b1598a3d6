//! The words by which chunks are found.

use super::{
    ApiDocuments,
    chunk::{Chunk, ChunkKind},
    chunks::Chunks,
    node::Place,
    operation::Operation,
    value::{Entry, Value},
};

/// The fields of the inverted index. `NAME` has the operation id, or the name of a component.
pub(super) const NAME: usize = 0;
pub(super) const PATH: usize = 1;
pub(super) const METHOD: usize = 2;
pub(super) const SUMMARY: usize = 3;
pub(super) const DESCRIPTION: usize = 4;
pub(super) const TAGS: usize = 5;
pub(super) const PARAMETERS: usize = 6;
pub(super) const SCHEMAS: usize = 7;
pub(super) const PROPERTIES: usize = 8;
/// The last part of a path that is no parameter.
pub(super) const LAST_PART: usize = 9;
/// The number of fields.
pub(super) const FIELDS: usize = 10;

/// The most properties of one schema that become words.
const MAX_PROPERTIES: usize = 200;

/// Calls `add` with each field of a chunk and a text of it. Summaries are left out unless `with_summaries`.
pub(super) fn add_words(
    api: &ApiDocuments,
    chunks: &Chunks,
    chunk: &Chunk,
    with_summaries: bool,
    add: &mut dyn FnMut(usize, &str),
) {
    let document = chunk.document.and_then(|at| api.documents.get(at));
    let operation = document.zip(chunk.operation).and_then(|(document, at)| document.operations.get(at));
    match (chunk.kind, operation) {
        (ChunkKind::Errors, Some(operation)) => {
            add(NAME, "error errors");
            add(PATH, &operation.path);
            for response in operation.responses.iter().filter(|response| !response.is_success()) {
                add(PROPERTIES, &response.status);
                if let Some(text) = &response.description {
                    add(DESCRIPTION, text);
                }
            }
        }
        (_, Some(operation)) => add_operation(api, operation, with_summaries, add),
        (ChunkKind::Info, _) => {
            if let Some(document) = document {
                add(NAME, &document.title);
                if let Some(text) = &document.description {
                    add(DESCRIPTION, text);
                }
            }
        }
        (ChunkKind::Tags, _) => {
            for (tag, description) in document.iter().flat_map(|document| &document.tags) {
                add(TAGS, tag);
                if let Some(text) = description {
                    add(DESCRIPTION, text);
                }
            }
        }
        (ChunkKind::Servers, _) => {
            add(NAME, "servers base url");
            for url in document.iter().flat_map(|document| &document.servers) {
                add(PATH, url);
            }
        }
        (ChunkKind::Security, _) => add(NAME, "security authentication"),
        (ChunkKind::Examples, _) => {
            add(NAME, &chunk.title);
        }
        _ => {
            add(NAME, &chunk.title);
            if let Some(node) = api.files.node(&chunk.place) {
                add_schema(node.value, add);
            }
        }
    }
    if !matches!(chunk.kind, ChunkKind::Errors) {
        for to in &chunk.references {
            let to = chunks.chunk(*to);
            if matches!(to.kind, ChunkKind::Schema | ChunkKind::LongComponent { .. } | ChunkKind::Part) {
                add(SCHEMAS, &to.title);
            }
        }
    }
}

fn add_operation(api: &ApiDocuments, operation: &Operation, with_summaries: bool, add: &mut dyn FnMut(usize, &str)) {
    if let Some(id) = &operation.operation_id {
        add(NAME, id);
    }
    // Webhooks have names, not paths.
    let mut parts = if operation.is_webhook { vec![&*operation.path] } else { parts(&operation.path) };
    if let Some(last) = parts.pop() {
        add(LAST_PART, last);
    }
    for part in parts {
        add(PATH, part);
    }
    add(METHOD, method_words(operation));
    if let Some(text) = operation.summary.as_ref().filter(|_| with_summaries) {
        add(SUMMARY, text);
    }
    if let Some(text) = &operation.description {
        add(DESCRIPTION, text);
    }
    for tag in &operation.tags {
        add(TAGS, tag);
    }
    for parameter in &operation.parameters {
        add(PARAMETERS, &parameter.name);
    }
    let mut schemas: Vec<&Place> = Vec::new();
    let bodies = operation.body.iter().flat_map(|body| &body.content);
    for (_, place) in bodies {
        if !schemas.contains(&place) {
            schemas.push(place);
        }
    }
    for place in schemas {
        if let Some(node) = api.files.node(place) {
            for property in properties(node.resolved().value) {
                add(PROPERTIES, &property.key);
            }
        }
    }
}

/// The parts of a path that are no parameters.
fn parts(path: &str) -> Vec<&str> {
    path.split('/').filter(|part| !part.is_empty() && !part.starts_with('{')).collect()
}

/// The verbs for a method, and the words for a webhook. `GET` of a path that ends with a parameter gets one resource;
/// `GET` of any other path lists them.
fn method_words(operation: &Operation) -> &'static str {
    if operation.is_webhook {
        return "webhook event";
    }
    let is_one = operation.path.trim_end_matches('/').ends_with('}');
    match (&*operation.method, is_one) {
        ("get" | "query", true) => "get retrieve",
        ("get" | "query", false) => "list get",
        ("head", _) => "check head",
        ("post", true) => "create update post",
        ("post", false) => "create add post",
        ("put", _) => "set update replace put",
        ("patch", _) => "update modify patch",
        ("delete", _) => "delete remove",
        _ => "",
    }
}

fn add_schema(schema: &Value, add: &mut dyn FnMut(usize, &str)) {
    for key in ["title", "summary"] {
        if let Some(text) = schema.text(key) {
            add(SUMMARY, text);
        }
    }
    if let Some(text) = schema.text("description") {
        add(DESCRIPTION, text);
    }
    // Parameters have a name of their own.
    if let Some(name) = schema.text("name") {
        add(PARAMETERS, name);
    }
    for property in properties(schema) {
        add(PROPERTIES, &property.key);
        if let Some(text) = property.value.text("description") {
            add(DESCRIPTION, text);
        }
    }
}

/// The properties of a schema, and of the schemas that it puts together without a reference.
fn properties(schema: &Value) -> impl Iterator<Item = &Entry> {
    let composed = ["allOf", "oneOf", "anyOf"].into_iter().filter_map(|key| schema.get(key)).flat_map(Value::items);
    let schemas = std::iter::once(schema).chain(composed).chain(schema.get("items"));
    let properties = schemas.filter_map(|schema| schema.get("properties"));
    properties.flat_map(Value::entries).take(MAX_PROPERTIES)
}
