//! API documents: OpenAPI 3.0, 3.1 and 3.2, and Swagger 2.0, in JSON and YAML.
//!
//! Documents are read as values with JSON pointers, not into types: real documents break the schema of their version,
//! and values that no type describes must still be delivered. The target of a reference is never copied into the place
//! of the reference, so that cycles and wide fans of references cost nothing.
//!
//! | file | input → output |
//! | --- | --- |
//! | `value` | JSON values that keep the order of their keys, and lines |
//! | `read` | a text → a value, with limits on nesting and aliases |
//! | `pointer` | JSON pointers and percent escapes |
//! | `keys` | keywords, names and data among the keys of a document |
//! | `found_reference` | a value → the references in it |
//! | `target` | a reference → the path that it names, which stays in the source |
//! | `version`, `parse` | a text → the value of a file, its version, its anchors |
//! | `load` | a source → its API documents, and the files that they refer to |
//! | `files`, `node` | files → the value at a place, and the target of a reference |
//! | `document`, `operation` | the root of a document → its operations and components |
//! | `problems` | files and documents → the mistakes in them |
//! | `chunk`, `chunks` | documents → the chunks that are found and delivered, linked by their references |
//! | `content`, `examples` | a chunk → its JSON; the examples of a long component |
//! | `index` | documents → their chunks with the index of their words |
//! | `search_words`, `search` | a chunk → its words; a query → the chunks that match |
//! | `requested_action` | a query → the HTTP methods that its first verb asks for |
//! | `requested_schema` | a query → the components that it names, and whether it asks for a schema |
//! | `expand` | ids → chunks, and those to which they refer |
//! | `context` | documents → a line each |
//! | `text` | answers as text for an agent |

mod chunk;
#[cfg(test)]
mod chunk_tests;
mod chunks;
mod content;
mod context;
mod document;
mod examples;
mod expand;
mod files;
mod found_reference;
mod index;
mod keys;
mod load;
mod node;
mod operation;
mod parse;
mod pointer;
mod problems;
mod read;
mod requested_action;
mod requested_schema;
mod search;
mod search_words;
mod target;
#[cfg(test)]
mod tests;
mod text;
mod value;
mod version;

pub use chunk::{Chunk, ChunkKind, operation_id};
pub use chunks::Chunks;
pub use context::api_context;
pub use document::{Component, Document};
pub use expand::{ChunkMetadata, FullChunk, GetChunks, MAX_CHUNKS, MAX_DEPTH, Retrieved, get_chunks};
pub use files::{ApiFile, ApiFileId, ApiFiles};
pub use index::ApiIndex;
pub use node::{Node, Place};
pub use operation::{Body, Operation, Parameter, Response};
pub(crate) use search::ChunkMatches;
pub use search::{ChunkSummary, MAX_FOUND, SearchChunks, SearchResults, rank_chunks, search_chunks};
pub use target::Target;
pub use value::{Entry, Object, Value};
pub use version::Version;

use apidisc_base::{diagnostic::Diagnostic, hash::ContentHash};
use apidisc_facts::source::{Source, WalkError};

/// The API documents of a source. They do not change; documents that were changed are read again as a whole.
#[derive(Debug, Default)]
pub struct ApiDocuments {
    /// The files.
    pub files: ApiFiles,
    /// The documents, sorted by the paths of their files.
    pub documents: Vec<Document>,
    /// The problems: files that were not read, and mistakes in those that were. Sorted by path.
    pub diagnostics: Vec<Diagnostic>,
}

impl ApiDocuments {
    /// Reads every API document of a source, and the files to which these refer.
    ///
    /// # Errors
    /// If the source cannot be walked.
    pub fn read(source: &Source) -> Result<Self, WalkError> {
        let mut diagnostics = Vec::new();
        let files = load::load(source, &mut diagnostics)?;
        let documents: Vec<Document> =
            files.iter().filter_map(|(id, file)| Some(Document::read(&files, id, file.version?))).collect();
        problems::add(&files, &documents, &mut diagnostics);
        diagnostics.sort();
        Ok(Self { files, documents, diagnostics })
    }

    /// A hash of the files of these documents, and of the files that may be further documents of the source. The hash
    /// changes when one of these files changes.
    ///
    /// # Errors
    /// If the source cannot be walked.
    pub fn content_hash(&self, source: &Source) -> Result<ContentHash, WalkError> {
        load::content_hash(source, &self.files)
    }

    /// True if there is no document.
    pub fn is_empty(&self) -> bool {
        self.documents.is_empty()
    }

    /// Every operation with its document.
    pub fn operations(&self) -> impl Iterator<Item = (&Document, &Operation)> {
        self.documents
            .iter()
            .flat_map(|document| document.operations.iter().map(move |operation| (document, operation)))
    }
}
