//! The content of chunks: the JSON that is delivered, and the values that are searched for references.
//!
//! Content is JSON on one line. Indentation would add a third to its tokens, and models read JSON without it.

use super::{
    ApiDocuments,
    chunk::{Chunk, ChunkKind},
    examples,
    files::{ApiFileId, ApiFiles},
    keys::Keys,
    node::Node,
    operation::{Operation, is_success},
    value::Value,
};
use apidisc_base::unprintable::escaped_json;

/// The keys of the root that are the information about an API.
const INFO: &[&str] = &["openapi", "swagger", "info", "externalDocs"];
/// The keys of the root that are its servers; the last three are those of Swagger 2.
const SERVERS: &[&str] = &["servers", "schemes", "host", "basePath"];

/// A field of the content of a chunk.
pub(super) struct Field<'a> {
    key: &'a str,
    content: FieldContent<'a>,
}

enum FieldContent<'a> {
    /// A value as it stands in a file.
    Value(LocatedValue<'a>),
    /// Some entries of an object.
    Object(Vec<(&'a str, LocatedValue<'a>)>),
    /// Items of several lists.
    List(Vec<LocatedValue<'a>>),
}

/// A value with its file, in which its references are resolved.
#[derive(Clone, Copy)]
pub(super) struct LocatedValue<'a> {
    pub(super) value: &'a Value,
    pub(super) file: ApiFileId,
    /// The role of the keys of the value.
    pub(super) keys: Keys,
}

/// The content of a chunk as JSON on one line.
pub(super) fn json(api: &ApiDocuments, chunk: &Chunk) -> String {
    let Some(node) = api.files.node(&chunk.place) else { return "null".to_owned() };
    let text = match chunk.kind {
        ChunkKind::LongComponent { .. } => to_json(&examples::without(node.value, component_keys(chunk))),
        ChunkKind::Examples => {
            let found = examples::of(node.value, component_keys(chunk));
            object(found.iter().map(|(pointer, value)| (pointer.as_str(), to_json(value))))
        }
        ChunkKind::Schema | ChunkKind::Component | ChunkKind::Part => to_json(node.value),
        _ => object(fields(api, chunk, &node).iter().map(|field| (field.key, field_json(field)))),
    };
    escaped_json(text)
}

/// True for a chunk of [`ChunkKind::Examples`] whose content is not empty.
pub(super) fn has_examples(api: &ApiDocuments, chunk: &Chunk) -> bool {
    let node = api.files.node(&chunk.place);
    node.is_some_and(|node| !examples::of(node.value, component_keys(chunk)).is_empty())
}

/// The values of a chunk in which references are searched.
pub(super) fn parts<'a>(api: &'a ApiDocuments, chunk: &Chunk) -> Vec<LocatedValue<'a>> {
    let Some(node) = api.files.node(&chunk.place) else { return Vec::new() };
    match chunk.kind {
        ChunkKind::Examples => Vec::new(),
        ChunkKind::Schema | ChunkKind::Component | ChunkKind::LongComponent { .. } | ChunkKind::Part => {
            vec![LocatedValue { value: node.value, file: node.place.file, keys: component_keys(chunk) }]
        }
        _ => {
            let mut parts = Vec::new();
            for field in fields(api, chunk, &node) {
                match field.content {
                    FieldContent::Value(part) => parts.push(part),
                    FieldContent::Object(entries) => parts.extend(entries.into_iter().map(|(_, part)| part)),
                    FieldContent::List(items) => parts.extend(items),
                }
            }
            parts
        }
    }
}

/// The role of the keys of a component or of another value. The key that holds a value decides whether the value is a
/// map of names.
fn component_keys(chunk: &Chunk) -> Keys {
    let key = chunk.place.pointer.rsplit('/').next().unwrap_or_default();
    match chunk.kind {
        ChunkKind::Part => Keys::Words.below(key, false).unwrap_or(Keys::Words),
        _ => Keys::Words,
    }
}

/// The fields of a chunk that is more than one value of a file.
fn fields<'a>(api: &'a ApiDocuments, chunk: &Chunk, node: &Node<'a>) -> Vec<Field<'a>> {
    let document = chunk.document.and_then(|at| api.documents.get(at));
    let operation = document.zip(chunk.operation).and_then(|(document, at)| document.operations.get(at));
    let file = node.place.file;
    match (chunk.kind, operation) {
        (ChunkKind::Info, _) => chosen(node, INFO),
        (ChunkKind::Tags, _) => chosen(node, &["tags"]),
        (ChunkKind::Servers, _) => chosen(node, SERVERS),
        (ChunkKind::Security, _) => chosen(node, &["security"]),
        (ChunkKind::Errors, Some(_)) => responses(node, |status| !is_success(status))
            .into_iter()
            .map(|(key, part)| Field { key, content: FieldContent::Value(part) })
            .collect(),
        (_, Some(operation)) => operation_fields(&api.files, operation, node, file),
        _ => Vec::new(),
    }
}

fn chosen<'a>(node: &Node<'a>, keys: &[&str]) -> Vec<Field<'a>> {
    let entries = node.value.entries().iter().filter(|entry| keys.contains(&&*entry.key));
    let part = |value| LocatedValue { value, file: node.place.file, keys: Keys::Words };
    entries.map(|entry| Field { key: &entry.key, content: FieldContent::Value(part(&entry.value)) }).collect()
}

fn operation_fields<'a>(
    files: &'a ApiFiles,
    operation: &Operation,
    node: &Node<'a>,
    file: ApiFileId,
) -> Vec<Field<'a>> {
    let mut fields = Vec::new();
    let mut parameters = parameters(files, operation, node);
    for entry in node.value.entries() {
        let content = match &*entry.key {
            "parameters" => FieldContent::List(std::mem::take(&mut parameters)),
            "responses" => FieldContent::Object(responses(node, is_success)),
            key => {
                let is_list = matches!(entry.value, Value::List(_));
                let keys = Keys::Words.below(key, is_list).unwrap_or(Keys::Words);
                FieldContent::Value(LocatedValue { value: &entry.value, file, keys })
            }
        };
        fields.push(Field { key: &entry.key, content });
    }
    if !parameters.is_empty() {
        fields.push(Field { key: "parameters", content: FieldContent::List(parameters) });
    }
    fields
}

/// The parameters as written: the parameters of the operation, then the parameters of the path that the operation does
/// not replace.
fn parameters<'a>(files: &'a ApiFiles, operation: &Operation, node: &Node<'a>) -> Vec<LocatedValue<'a>> {
    let part = |node: Node<'a>| LocatedValue { value: node.value, file: node.place.file, keys: Keys::Words };
    let own = node.get_resolved("parameters");
    let of_path = operation.path_parameters.as_ref().and_then(|place| files.node(place));
    let is_kept = |node: &Node<'a>| {
        let resolved = node.clone().resolved().place;
        operation.parameters.iter().any(|parameter| parameter.place == resolved)
    };
    let own = own.iter().flat_map(Node::items).map(part);
    own.chain(of_path.iter().flat_map(Node::items).filter(is_kept).map(part)).collect()
}

/// The responses whose status `is_wanted`.
fn responses<'a>(operation: &Node<'a>, is_wanted: impl Fn(&str) -> bool) -> Vec<(&'a str, LocatedValue<'a>)> {
    let responses = operation.get_resolved("responses");
    let entries = responses.iter().flat_map(Node::entries).filter(|(status, _)| is_wanted(status) && *status != "$ref");
    entries
        .map(|(status, node)| (status, LocatedValue { value: node.value, file: node.place.file, keys: Keys::Words }))
        .collect()
}

/// True if an operation has responses other than those of success.
pub(super) fn has_errors(operation: &Operation) -> bool {
    operation.responses.iter().any(|response| !response.is_success())
}

fn field_json(field: &Field<'_>) -> String {
    match &field.content {
        FieldContent::Value(part) => to_json(part.value),
        FieldContent::Object(entries) => object(entries.iter().map(|(key, part)| (*key, to_json(part.value)))),
        FieldContent::List(items) => {
            let items: Vec<String> = items.iter().map(|part| to_json(part.value)).collect();
            format!("[{}]", items.join(","))
        }
    }
}

fn object<'k>(entries: impl Iterator<Item = (&'k str, String)>) -> String {
    let entries: Vec<String> = entries.map(|(key, value)| format!("{}:{value}", to_json(&key))).collect();
    format!("{{{}}}", entries.join(","))
}

fn to_json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
