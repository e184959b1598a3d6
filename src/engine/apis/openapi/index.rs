//! API documents, ready to be searched and delivered.

use super::{
    ApiDocuments,
    chunk::Chunk,
    chunks::Chunks,
    search::{ChunkMatches, ChunkTerms},
};
use apidisc_base::sort::SharedSort as _;
use apidisc_facts::source::{Source, WalkError};

/// The number of ids that are suggested for an unknown one.
const MAX_SUGGESTIONS: usize = 5;

/// API documents with their chunks and the words of these. It does not change.
#[derive(Debug, Default)]
pub struct ApiIndex {
    /// The documents.
    pub api: ApiDocuments,
    /// Their chunks.
    pub chunks: Chunks,
    pub(super) terms: ChunkTerms,
}

impl ApiIndex {
    /// Reads and indexes the API documents of a source.
    ///
    /// # Errors
    /// If the source cannot be walked.
    pub fn read(source: &Source) -> Result<Self, WalkError> {
        ApiDocuments::read(source).map(Self::new)
    }

    /// Indexes documents.
    pub fn new(api: ApiDocuments) -> Self {
        Self::with(api, true)
    }

    /// Indexes documents for an evaluation: without the words of summaries unless `with_summaries`.
    pub fn with(api: ApiDocuments, with_summaries: bool) -> Self {
        let chunks = Chunks::new(&api);
        let terms = ChunkTerms::new(&api, &chunks, with_summaries);
        Self { api, chunks, terms }
    }

    /// The match of each chunk with a query.
    pub(crate) fn matches(&self, query: &str) -> ChunkMatches {
        self.terms.matches(query)
    }

    /// The ids of chunks.
    pub fn ids(&self, positions: &[u32]) -> Vec<String> {
        positions.iter().map(|at| self.chunks.chunk(*at).id.clone()).collect()
    }

    /// Where the chunk with this id stands, as `path:line`; `None` if no chunk has the id.
    pub fn place(&self, id: &str) -> Option<String> {
        let place = &self.chunks.chunk(self.chunks.find(id)?).place;
        let line = self.api.files.node(place).map_or(1, |node| node.line);
        Some(format!("{}:{line}", self.api.files.file(place.file).path))
    }

    /// The known ids nearest to an unknown id: the ids that contain the unknown id, or its last part, ignoring case;
    /// shorter ids first.
    pub(super) fn nearest(&self, id: &str) -> Vec<String> {
        let wanted = id.trim().to_lowercase();
        let last = wanted.rsplit(['/', ':', '#']).find(|part| part.len() > 2).unwrap_or_default();
        let containing = |part: &str| {
            let mut found: Vec<&Chunk> = Vec::new();
            if !part.is_empty() {
                found.extend(self.chunks.all().iter().filter(|chunk| chunk.id.to_lowercase().contains(part)));
            }
            found.shared_sort_by(|a, b| a.id.len().cmp(&b.id.len()).then_with(|| a.id.cmp(&b.id)));
            found
        };
        let mut found = containing(&wanted);
        if found.is_empty() {
            found = containing(last);
        }
        found.into_iter().take(MAX_SUGGESTIONS).map(|chunk| chunk.id.clone()).collect()
    }
}
