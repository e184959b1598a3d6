//! API documents with the uses of their operations, and what the search by intent finds in them: operations, webhooks
//! and schemas.

use std::sync::Arc;

use super::{find::OperationId, matching::ApiUses};
use crate::openapi::{ApiIndex, Chunk, ChunkKind, ChunkMatches, Operation};
use apidisc_answering::discover::{ExternalEntries, ExternalEntry, ExternalMatch, ExternalMatches};
use apidisc_indexing::index::Index;

/// API documents, and how the sources of an index use their operations.
#[derive(Clone, Debug, Default)]
pub struct UsedApis {
    /// The documents.
    pub documents: Arc<ApiIndex>,
    /// The uses of their operations.
    pub uses: Arc<ApiUses>,
}

impl UsedApis {
    /// Counts the uses of the operations in the sources of `index`.
    pub fn new(documents: impl Into<Arc<ApiIndex>>, index: &Index) -> Self {
        let documents = documents.into();
        let uses = Arc::new(ApiUses::new(&documents.api, index));
        Self { documents, uses }
    }

    /// `None` if there are no documents.
    pub fn non_empty(&self) -> Option<&Self> {
        (!self.documents.api.is_empty()).then_some(self)
    }

    /// The operation of a chunk.
    fn operation(&self, chunk: &Chunk) -> Option<(OperationId, &Operation)> {
        let id = OperationId { document: chunk.document?, operation: chunk.operation? };
        Some((id, id.of(&self.documents.api).1))
    }
}

impl ExternalEntries for UsedApis {
    fn matches(&self, intent: &str) -> ExternalMatches {
        let ChunkMatches { words, information, named, .. } = self.documents.matches(intent);
        let found = |(at, words): (u32, &f64)| {
            let chunk = self.documents.chunks.chunk(at);
            let is_named = named.binary_search(&at).is_ok();
            if !is_discoverable(chunk.kind) || (*words <= 0.0 && !is_named) {
                return None;
            }
            let operation = self.operation(chunk);
            let calls = |id| self.uses.of(id).map_or(0, |uses| uses.total_calls);
            let is_called = chunk.kind == ChunkKind::Operation;
            Some(ExternalMatch {
                at,
                words: *words as f32,
                is_named,
                calls: operation.filter(|_| is_called).map(|(id, _)| calls(id)),
                is_deprecated: operation.is_some_and(|(_, operation)| operation.is_deprecated),
            })
        };
        ExternalMatches { information: information as f32, all: (0..).zip(&words).filter_map(found).collect() }
    }

    fn describe(&self, at: u32) -> ExternalEntry {
        let chunk = self.documents.chunks.chunk(at);
        let api = &self.documents.api;
        let node = api.files.node(&chunk.place);
        let own = |key: &str| node.as_ref().and_then(|node| node.text(key)).map(str::to_owned);
        let (name, text) = match self.operation(chunk) {
            Some((_, operation)) => {
                let text = [&operation.summary, &operation.description].into_iter().flatten().next();
                (operation.title(), text.cloned())
            }
            None => (chunk.title.clone(), own("description").or_else(|| own("title"))),
        };
        ExternalEntry {
            id: chunk.id.clone(),
            name,
            kind: chunk.kind.word(),
            text: text.unwrap_or_default(),
            path: api.files.file(chunk.place.file).path.to_string(),
            line: node.map_or(1, |node| node.line),
            source: api.files.source(chunk.place.file).map(str::to_owned),
        }
    }
}

/// True for a chunk that an intent may look for: an operation, a webhook, or a schema.
fn is_discoverable(kind: ChunkKind) -> bool {
    let is_schema = matches!(kind, ChunkKind::Schema | ChunkKind::LongComponent { is_schema: true });
    is_schema || matches!(kind, ChunkKind::Operation | ChunkKind::Webhook)
}
