//! A part of API documents.

use std::{fmt, sync::Arc};

use super::ApiCatalog;
use apidisc::openapi::{Chunk, ChunkKind};

/// A part of API documents.
#[derive(Clone)]
pub struct ApiPart {
    /// The documents.
    pub api: Arc<ApiCatalog>,
    /// The position of its chunk.
    pub at: u32,
}

/// The kind of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartKind {
    /// An operation of a path.
    Operation,
    /// An operation of a webhook.
    Webhook,
    /// A schema.
    Schema,
    /// A component of another type.
    Component,
    /// Anything else.
    Other,
}

impl PartKind {
    /// Every kind that is listed among the symbols of a document, in this order.
    pub const LISTED: [Self; 4] = [Self::Operation, Self::Webhook, Self::Schema, Self::Component];

    /// The kind of a chunk.
    pub fn of(kind: ChunkKind) -> Self {
        match kind {
            ChunkKind::Operation => Self::Operation,
            ChunkKind::Webhook => Self::Webhook,
            ChunkKind::Schema | ChunkKind::LongComponent { is_schema: true } => Self::Schema,
            ChunkKind::Component | ChunkKind::LongComponent { is_schema: false } => Self::Component,
            ChunkKind::Info
            | ChunkKind::Tags
            | ChunkKind::Servers
            | ChunkKind::Security
            | ChunkKind::Errors
            | ChunkKind::Examples
            | ChunkKind::Part => Self::Other,
        }
    }
}

impl ApiPart {
    /// The chunk.
    pub fn chunk(&self) -> &Chunk {
        self.api.apis.documents.chunks.chunk(self.at)
    }

    /// The kind.
    pub fn kind(&self) -> PartKind {
        PartKind::of(self.chunk().kind)
    }

    /// The word for the kind.
    pub fn word(&self) -> &'static str {
        self.chunk().kind.word()
    }

    /// The id, which stays valid when the documents are read again.
    pub fn id(&self) -> &str {
        &self.chunk().id
    }

    /// The name for titles and lists: method and path of an operation, the name of a component.
    pub fn name(&self) -> String {
        self.api.name(self.at)
    }

    /// Another part of the same documents.
    #[must_use]
    pub fn other(&self, at: u32) -> Self {
        Self { api: Arc::clone(&self.api), at }
    }
}

impl PartialEq for ApiPart {
    fn eq(&self, other: &Self) -> bool {
        self.at == other.at && self.api.generation == other.api.generation
    }
}

impl Eq for ApiPart {}

impl fmt::Debug for ApiPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ApiPart({}, {})", self.api.generation, self.id())
    }
}
