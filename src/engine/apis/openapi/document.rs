//! An API document: its operations, webhooks, components, servers and security.

use super::{
    files::{ApiFileId, ApiFiles},
    node::{Node, Place},
    operation::{self, Operation},
    version::Version,
};

/// An API document.
#[derive(Clone, Debug)]
pub struct Document {
    /// The file of its root.
    pub file: ApiFileId,
    /// The version of its format.
    pub version: Version,
    /// The title of the API; empty if there is none.
    pub title: String,
    /// The version of the API; empty if there is none.
    pub api_version: String,
    /// The description of the API; `None` if there is none.
    pub description: Option<String>,
    /// The URLs of its servers, in the order of the document. Variables stay in braces.
    pub servers: Vec<String>,
    /// The alternatives of security of operations without their own, each a list of names of security schemes.
    pub security: Vec<Vec<String>>,
    /// The tags that the document describes, each with its description.
    pub tags: Vec<(String, Option<String>)>,
    /// The operations of its paths, then those of its webhooks, each in the order of the document.
    pub operations: Vec<Operation>,
    /// The components, in the order of the document.
    pub components: Vec<Component>,
}

/// A component: a schema, parameter, response or the like that operations refer to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Component {
    /// The type as OpenAPI 3 calls it: `schemas`, `parameters`, `securitySchemes`. That of `definitions` in Swagger 2
    /// is `schemas`.
    pub kind: String,
    /// The name.
    pub name: String,
    /// The place of the component, before references are followed.
    pub place: Place,
}

/// The names of the lists of components in Swagger 2, with their types in OpenAPI 3.
const SWAGGER_COMPONENTS: [(&str, &str); 4] = [
    ("definitions", "schemas"),
    ("parameters", "parameters"),
    ("responses", "responses"),
    ("securityDefinitions", "securitySchemes"),
];

impl Document {
    /// The document whose root is in `file`.
    pub(super) fn read(files: &ApiFiles, file: ApiFileId, version: Version) -> Self {
        let root = files.root(file);
        let info = root.get_resolved("info");
        let info_text = |key: &str| info.as_ref().and_then(|info| info.text(key)).map(str::to_owned);
        Self {
            file,
            version,
            title: info_text("title").unwrap_or_default(),
            api_version: info_text("version").unwrap_or_default(),
            description: described(info.as_ref()),
            servers: servers(&root, version),
            security: root.get_resolved("security").map(|node| operation::alternatives(&node)).unwrap_or_default(),
            tags: tags(&root),
            operations: operation::read_all(&root, version),
            components: components(&root, version),
        }
    }

    /// The component at a place, or around it.
    pub fn component_at(&self, place: &Place) -> Option<&Component> {
        let holds = |component: &&Component| {
            let rest = place.pointer.strip_prefix(&*component.place.pointer);
            component.place.file == place.file && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        self.components.iter().find(holds)
    }
}

/// The description of a node. It may be a reference to a file with the text.
pub(super) fn described(node: Option<&Node<'_>>) -> Option<String> {
    let description = node?.get_resolved("description")?;
    description.value.as_text().map(str::to_owned)
}

fn servers(root: &Node<'_>, version: Version) -> Vec<String> {
    if version != Version::Swagger2 {
        let servers = root.get_resolved("servers");
        let urls =
            servers.iter().flat_map(Node::items).filter_map(|server| server.resolved().text("url").map(str::to_owned));
        return urls.collect();
    }
    let Some(host) = root.text("host") else {
        return root.text("basePath").map(str::to_owned).into_iter().collect();
    };
    let base = root.text("basePath").unwrap_or_default();
    let schemes: Vec<&str> = root
        .value
        .get("schemes")
        .map_or(&[][..], |schemes| schemes.items())
        .iter()
        .filter_map(|s| s.as_text())
        .collect();
    match schemes[..] {
        [] => vec![format!("{host}{base}")],
        ref schemes => schemes.iter().map(|scheme| format!("{scheme}://{host}{base}")).collect(),
    }
}

fn tags(root: &Node<'_>) -> Vec<(String, Option<String>)> {
    let tags = root.get_resolved("tags");
    let tags = tags.iter().flat_map(Node::items).map(Node::resolved);
    tags.filter_map(|tag| Some((tag.text("name")?.to_owned(), described(Some(&tag))))).collect()
}

fn components(root: &Node<'_>, version: Version) -> Vec<Component> {
    let mut all = Vec::new();
    let mut add = |kind: &str, list: &Node<'_>| {
        // Only the fields of the Components Object itself may be extensions: a component may be called `x-any`.
        for (name, node) in list.entries().filter(|(name, _)| *name != "$ref") {
            all.push(Component { kind: kind.to_owned(), name: name.to_owned(), place: node.place });
        }
    };
    if version == Version::Swagger2 {
        for (key, kind) in SWAGGER_COMPONENTS {
            if let Some(list) = root.get_resolved(key) {
                add(kind, &list);
            }
        }
    } else if let Some(components) = root.get_resolved("components") {
        for (kind, list) in components.entries().filter(|(kind, _)| !kind.starts_with("x-") && *kind != "$ref") {
            add(kind, &list.resolved());
        }
    }
    all
}
