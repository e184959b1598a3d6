//! Chunks: the parts of API documents that are found and delivered one by one.

use super::{node::Place, operation::Operation};

/// A part of an API document.
#[derive(Clone, Debug)]
pub struct Chunk {
    /// The id. `{file}` is the path of the file from the root of the source:
    ///
    /// | id | content |
    /// | --- | --- |
    /// | `{file}:info`, `{file}:tags`, `{file}:servers`, `{file}:security` | these parts of a document |
    /// | `{file}:paths{path}/{method}` | an operation, with its responses of success |
    /// | `{file}:webhooks/{name}/{method}` | an operation of a webhook |
    /// | `{operation}:errors` | the other responses of an operation |
    /// | `{file}:components/{type}/{name}` | a component |
    /// | `{component}:examples` | the examples of a component of more than 8,000 characters |
    /// | `{file}#{pointer}` | another value that a reference names |
    pub id: String,
    /// The kind.
    pub kind: ChunkKind,
    /// The title: method, path and summary of an operation, the name of a component.
    pub title: String,
    /// The position of the document of the chunk; `None` for a value of a file that is no document.
    pub document: Option<usize>,
    /// The place of the content. For an operation or component that is a reference, this is the target of the
    /// reference.
    pub place: Place,
    /// The positions of the chunks to which this chunk refers, each once, in the order of its content.
    pub references: Vec<u32>,
    /// The position of the operation in its document, for an operation and its errors.
    pub(crate) operation: Option<usize>,
}

/// The kind of a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChunkKind {
    /// Title, version and description of an API.
    Info,
    /// The tags of a document.
    Tags,
    /// The servers of a document.
    Servers,
    /// The security requirements of all operations of a document.
    Security,
    /// An operation of a path.
    Operation,
    /// An operation of a webhook.
    Webhook,
    /// The responses of an operation other than those of success.
    Errors,
    /// A schema.
    Schema,
    /// A component of another type.
    Component,
    /// A component of more than 8,000 characters, without its examples, if it has any.
    LongComponent {
        /// True if the component is a schema.
        is_schema: bool,
    },
    /// The examples of a long component.
    Examples,
    /// Another value that a reference names.
    Part,
}

impl ChunkKind {
    /// The word of answers.
    pub fn word(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Tags => "tags",
            Self::Servers => "servers",
            Self::Security => "security",
            Self::Operation => "operation",
            Self::Webhook => "webhook",
            Self::Errors => "errors",
            Self::Schema | Self::LongComponent { is_schema: true } => "schema",
            Self::Component | Self::LongComponent { is_schema: false } => "component",
            Self::Examples => "examples",
            Self::Part => "part",
        }
    }
}

impl Chunk {
    /// The position of the operation in its document; `None` unless the chunk is an operation or a webhook.
    pub fn operation(&self) -> Option<usize> {
        self.operation.filter(|_| matches!(self.kind, ChunkKind::Operation | ChunkKind::Webhook))
    }
}

/// The id of the chunk of an operation of the document in the file with this path.
pub fn operation_id(file: &str, operation: &Operation) -> String {
    let Operation { path, method, is_webhook, .. } = operation;
    if *is_webhook { format!("{file}:webhooks/{path}/{method}") } else { format!("{file}:paths{path}/{method}") }
}
