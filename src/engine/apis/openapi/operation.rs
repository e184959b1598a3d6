//! Operations: a method of a path or webhook, with its parameters, body and responses.

use super::{
    document::described,
    node::{Node, Place},
    version::Version,
};

/// The keys of a path that are operations, in the order of the specification. Version 3.2 has `query`, and others under
/// `additionalOperations`.
const METHODS: [&str; 9] = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"];

/// An operation of an API.
#[derive(Clone, Debug, PartialEq)]
pub struct Operation {
    /// The method as the document writes it: `get`.
    pub method: String,
    /// The path as the document writes it, such as `/pets/{id}`; for a webhook, its name.
    pub path: String,
    /// True for a request that the API sends.
    pub is_webhook: bool,
    /// The `operationId`.
    pub operation_id: Option<String>,
    /// The summary; that of the path if the operation has none.
    pub summary: Option<String>,
    /// The description.
    pub description: Option<String>,
    /// The names of its tags.
    pub tags: Vec<String>,
    /// The parameters, after references: those of the operation, then those of the path that it does not replace. In
    /// Swagger 2 those in `formData` are among them, that in `body` is [`Self::body`].
    pub parameters: Vec<Parameter>,
    /// The body of the request.
    pub body: Option<Body>,
    /// The responses, in the order of the document.
    pub responses: Vec<Response>,
    /// The alternatives of security, each a list of names of security schemes; `None` if those of the document apply.
    pub security: Option<Vec<Vec<String>>>,
    /// True if the document states that the operation is deprecated.
    pub is_deprecated: bool,
    /// The place of the operation in the document, before references are followed.
    pub place: Place,
    /// The place of the content. It differs from [`Self::place`] if the operation or its path is a reference.
    pub content: Place,
    /// The place of the parameters of the whole path; `None` if the path has none.
    pub path_parameters: Option<Place>,
    /// The line of its key, from 1, in the file of [`Self::content`]; of its method if it is a reference.
    pub line: u32,
}

/// A parameter of an operation.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// The name.
    pub name: String,
    /// The part of the request: `path`, `query`, `querystring`, `header`, `cookie`, or `formData` of Swagger 2.
    pub location: String,
    /// True if every request must pass the parameter.
    pub is_required: bool,
    /// True if the document states that the parameter is deprecated.
    pub is_deprecated: bool,
    /// The description.
    pub description: Option<String>,
    /// The place of the parameter, after references are followed.
    pub place: Place,
    /// The place of the schema, before references are followed. In Swagger 2 a parameter is its own schema.
    pub schema: Option<Place>,
}

/// The body of a request.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// True if every request must have the body.
    pub is_required: bool,
    /// The place of the body, after references are followed.
    pub place: Place,
    /// The media types with the places of their schemas, before references.
    pub content: Vec<(String, Place)>,
}

/// A response of an operation.
#[derive(Clone, Debug, PartialEq)]
pub struct Response {
    /// The status code as the document writes it: `200`, `4XX`, `default`.
    pub status: String,
    /// The description.
    pub description: Option<String>,
    /// The place of the response, after references are followed.
    pub place: Place,
    /// The media types with the places of their schemas, before references.
    pub content: Vec<(String, Place)>,
}

impl Response {
    /// True for a status of success.
    pub fn is_success(&self) -> bool {
        is_success(&self.status)
    }
}

/// True for a status code of success: `200`, `2XX`.
pub(super) fn is_success(status: &str) -> bool {
    status.starts_with('2')
}

impl Operation {
    /// The method and the path: `POST /pets`. The title of a webhook is `webhook NAME`, since clients do not call it; a
    /// method other than the usual `POST` follows in brackets.
    pub fn title(&self) -> String {
        let method = self.method.to_uppercase();
        match (self.is_webhook, &*method) {
            (false, _) => format!("{method} {}", self.path),
            (true, "POST") => format!("webhook {}", self.path),
            (true, _) => format!("webhook {} ({method})", self.path),
        }
    }
}

/// The operations of the document with this root: those of paths, then those of webhooks.
pub(super) fn read_all(root: &Node<'_>, version: Version) -> Vec<Operation> {
    let mut all = Vec::new();
    for (key, is_webhook) in [("paths", false), ("webhooks", true), ("x-webhooks", true)] {
        let Some(paths) = root.get_resolved(key) else { continue };
        for (path, item) in paths.entries().filter(|(path, _)| is_webhook || !path.starts_with("x-")) {
            for method in methods(&item) {
                all.push(read(path, is_webhook, &item, method, root, version));
            }
        }
    }
    all
}

/// A method of a path, as it stands there.
struct PathMethod<'a> {
    name: &'a str,
    node: Node<'a>,
}

/// The operations of a path: the operations in the path item, then the operations of the path item to which it refers.
fn methods<'a>(item: &Node<'a>) -> Vec<PathMethod<'a>> {
    let target = item.clone().resolved();
    let mut found: Vec<PathMethod<'a>> = Vec::new();
    for item in [item, &target] {
        let additional = item.get_resolved("additionalOperations");
        let own = item.entries().filter(|(key, _)| METHODS.contains(key));
        for (name, node) in own.chain(additional.iter().flat_map(Node::entries)) {
            let is_operation = node.value.as_object().is_some();
            if is_operation && found.iter().all(|other| other.name != name) {
                found.push(PathMethod { name, node });
            }
        }
    }
    found
}

fn read(
    path: &str,
    is_webhook: bool,
    item: &Node<'_>,
    PathMethod { name, node }: PathMethod<'_>,
    root: &Node<'_>,
    version: Version,
) -> Operation {
    let (place, content) = (node.place.clone(), node.resolved());
    // `place` is that of the operation below its path. If a reference stands there, the content is elsewhere.
    let texts = |key: &str, node: &Node<'_>| -> Vec<String> {
        node.get_resolved(key)
            .iter()
            .flat_map(Node::items)
            .filter_map(|item| item.value.as_text().map(str::to_owned))
            .collect()
    };
    let item = item.clone().resolved();
    let path_parameters = item.get_resolved("parameters").filter(|node| !node.value.items().is_empty());
    let own = content.get_resolved("parameters");
    let mut parameters: Vec<(Parameter, Node<'_>)> = Vec::new();
    for node in own.iter().chain(&path_parameters).flat_map(Node::items).map(Node::resolved) {
        let Some(parameter) = parameter(&node, version) else { continue };
        let is_same =
            |(other, _): &&(Parameter, Node<'_>)| other.name == parameter.name && other.location == parameter.location;
        if parameters.iter().find(is_same).is_none() {
            parameters.push((parameter, node));
        }
    }
    let body = match parameters.iter().position(|(parameter, _)| parameter.location == "body") {
        Some(at) if version == Version::Swagger2 => {
            let (parameter, node) = parameters.remove(at);
            let types = media_types(&content, root, "consumes");
            let schema = node.get("schema").map_or(node.place.clone(), |schema| schema.place);
            let content = types.into_iter().map(|media| (media, schema.clone())).collect();
            Some(Body { is_required: parameter.is_required, place: node.place, content })
        }
        _ => content.get_resolved("requestBody").map(|body| Body {
            is_required: body.value.get("required").is_some_and(super::Value::is_true),
            content: schemas(&body),
            place: body.place,
        }),
    };
    let security = content.get_resolved("security").map(|security| alternatives(&security));
    Operation {
        method: name.to_owned(),
        path: path.to_owned(),
        is_webhook,
        operation_id: content.text("operationId").map(str::to_owned),
        summary: content.text("summary").or_else(|| item.text("summary")).map(str::to_owned),
        description: described(Some(&content)).or_else(|| described(Some(&item))),
        tags: texts("tags", &content),
        parameters: parameters.into_iter().map(|(parameter, _)| parameter).collect(),
        body,
        responses: responses(&content, root, version),
        security,
        is_deprecated: content.value.get("deprecated").is_some_and(super::Value::is_true),
        place,
        line: content.line,
        content: content.place,
        path_parameters: path_parameters.map(|node| node.place),
    }
}

fn parameter(node: &Node<'_>, version: Version) -> Option<Parameter> {
    let (name, location) = (node.text("name")?, node.text("in")?);
    let schema = match version {
        Version::Swagger2 if location != "body" => Some(node.place.clone()),
        _ => node
            .get("schema")
            .map(|schema| schema.place)
            .or_else(|| schemas(node).into_iter().next().map(|(_, place)| place)),
    };
    Some(Parameter {
        name: name.to_owned(),
        location: location.to_owned(),
        is_required: location == "path" || node.value.get("required").is_some_and(super::Value::is_true),
        is_deprecated: node.value.get("deprecated").is_some_and(super::Value::is_true),
        description: described(Some(node)),
        place: node.place.clone(),
        schema,
    })
}

/// The media types of a node with `content`, with the places of their schemas.
fn schemas(node: &Node<'_>) -> Vec<(String, Place)> {
    let content = node.get_resolved("content");
    let media = content.iter().flat_map(Node::entries);
    media
        .map(|(name, media)| {
            let media = media.resolved();
            // Version 3.2 describes each item of a stream.
            let schema = media.get("schema").or_else(|| media.get("itemSchema"));
            (name.to_owned(), schema.map_or(media.place, |schema| schema.place))
        })
        .collect()
}

/// The media types of an operation of Swagger 2, or those of the document.
fn media_types(operation: &Node<'_>, root: &Node<'_>, key: &str) -> Vec<String> {
    let own = operation.get_resolved(key).or_else(|| root.get_resolved(key));
    let types = own.iter().flat_map(Node::items).filter_map(|item| item.value.as_text().map(str::to_owned));
    let types: Vec<String> = types.collect();
    if types.is_empty() { vec!["application/json".to_owned()] } else { types }
}

fn responses(operation: &Node<'_>, root: &Node<'_>, version: Version) -> Vec<Response> {
    let responses = operation.get_resolved("responses");
    let responses = responses.iter().flat_map(Node::entries).filter(|(status, _)| !status.starts_with("x-"));
    responses
        .map(|(status, node)| {
            let node = node.resolved();
            let content = match (version, node.get("schema")) {
                (Version::Swagger2, Some(schema)) => {
                    let types = media_types(operation, root, "produces").into_iter();
                    types.map(|media| (media, schema.place.clone())).collect()
                }
                (Version::Swagger2, None) => Vec::new(),
                _ => schemas(&node),
            };
            Response { status: status.to_owned(), description: described(Some(&node)), place: node.place, content }
        })
        .collect()
}

/// The alternatives of security, each a list of names.
pub(super) fn alternatives(security: &Node<'_>) -> Vec<Vec<String>> {
    let names = |node: Node<'_>| node.entries().map(|(name, _)| name.to_owned()).collect();
    security.items().map(names).collect()
}
