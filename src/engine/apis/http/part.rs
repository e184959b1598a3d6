//! The text of a part of API documents that is no operation: its content on several lines.

use serde::Serialize;

use super::OperationError;
use crate::openapi::{ApiDocuments, ChunkKind, Chunks};
use apidisc_tokens::Tokenizer;

/// The text of a part, such as a schema.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PartText {
    /// JSON on several lines.
    #[serde(rename = "stub")]
    pub text: String,
    /// The number of its tokens.
    pub tokens: usize,
    /// The budget.
    pub max_tokens: Option<usize>,
    /// The id of the chunk.
    pub chunk_id: String,
}

/// The position of the chunk with a name: its id, or the name of a schema or of another component. Of several, the
/// first one in the order of the documents; a schema comes before other components.
pub fn find_part(chunks: &Chunks, name: &str) -> Option<u32> {
    let name = name.trim();
    let component = |is_wanted: fn(ChunkKind) -> bool| {
        let mut all = (0..).zip(chunks.all());
        all.find(|(_, chunk)| is_wanted(chunk.kind) && chunk.title == name).map(|(at, _)| at)
    };
    let is_schema = |kind| matches!(kind, ChunkKind::Schema | ChunkKind::LongComponent { is_schema: true });
    let is_other = |kind| matches!(kind, ChunkKind::Component | ChunkKind::LongComponent { is_schema: false });
    chunks.find(name).or_else(|| component(is_schema)).or_else(|| component(is_other))
}

/// The text of a part, which is never cut.
///
/// # Errors
/// If the text is larger than the budget.
pub fn part_text(
    documents: &ApiDocuments,
    chunks: &Chunks,
    at: u32,
    max_tokens: Option<usize>,
    tokenizer: &Tokenizer,
) -> Result<PartText, OperationError> {
    let chunk_id = chunks.chunk(at).id.clone();
    let text = chunks.content_in_lines(documents, at);
    let tokens = tokenizer.count(&text);
    match max_tokens {
        Some(max_tokens) if tokens > max_tokens => {
            Err(OperationError::BudgetTooSmall { name: chunk_id, smallest: tokens, max_tokens })
        }
        _ => Ok(PartText { text, tokens, max_tokens, chunk_id }),
    }
}
