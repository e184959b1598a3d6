//! `get_chunks`: the chunks with the requested ids, and the chunks to which they refer.

use std::collections::{BTreeMap, VecDeque};

use serde::{Deserialize, Serialize};

use super::{ApiIndex, pointer, text};
use apidisc_answering::answers::{Answer, AnswerError, NotFound, budget, in_range};
use apidisc_tokens::{Encoding, Tokenizer};

/// The greatest depth of an expansion. The deepest real documents that were measured have 14 levels.
pub const MAX_DEPTH: i64 = 100;
/// The greatest number of chunks of an answer.
pub const MAX_CHUNKS: i64 = 1_000;
/// The greatest number of ids of a request.
const MAX_IDS: usize = 100;
/// The greatest number of ids that are named among those left out.
const MAX_NAMED: usize = 20;

/// The request of [`get_chunks`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct GetChunks {
    /// From 1 to 100 ids of chunks.
    pub chunk_ids: Vec<String>,
    /// The number of references to follow from each chunk, from 0 to [`MAX_DEPTH`].
    pub expand_depth: i64,
    /// The greatest number of chunks, from 1 to [`MAX_CHUNKS`].
    pub max_total_chunks: i64,
    /// The budget of the answer in tokens, from 1 to
    /// [`MAX_ANSWER_TOKENS`](apidisc_answering::answers::MAX_ANSWER_TOKENS).
    pub max_tokens: i64,
}

impl Default for GetChunks {
    fn default() -> Self {
        Self { chunk_ids: Vec::new(), expand_depth: 3, max_total_chunks: 100, max_tokens: 10_000 }
    }
}

/// A chunk with its content.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FullChunk {
    /// The id.
    pub chunk_id: String,
    /// The content: JSON on one line.
    pub content: String,
    /// The metadata.
    pub metadata: ChunkMetadata,
    /// `requested` or `expanded`.
    pub source: &'static str,
    /// The number of references from the nearest requested chunk.
    pub expansion_depth: usize,
    /// The ids of the chunks to which this chunk refers.
    pub ref_ids: Vec<String>,
}

/// The metadata of a chunk: its title, its place and its size.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChunkMetadata {
    /// The title.
    pub title: String,
    /// The kind: `operation`, `schema`, `component`, …
    pub chunk_type: &'static str,
    /// The path of the file that contains the content. References to other files are relative to this path.
    pub file: String,
    /// The JSON pointer of the content.
    pub pointer: String,
    /// The line of the content, from 1.
    pub line: u32,
    /// The exact number of tokens of the content.
    pub tokens: usize,
}

/// The answer of [`get_chunks`].
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Retrieved {
    /// The chunks that were asked for, in the order of the request.
    pub requested_chunks: Vec<FullChunk>,
    /// The chunks to which the requested chunks refer, directly or not, breadth first.
    pub expanded_chunks: Vec<FullChunk>,
    /// The number of all chunks of the answer.
    pub total_chunks: usize,
    /// The exact number of tokens of all contents.
    pub total_tokens: usize,
    /// For each depth, the number of chunks.
    pub expansion_stats: BTreeMap<usize, usize>,
    /// True if chunks within the depth were left out, because there are too many chunks or tokens.
    pub truncated: bool,
    /// The first ids of the chunks that were left out. Chunks to which only these refer are not among them.
    pub left_out: Vec<String>,
    /// The ids that no chunk has, with the nearest ids.
    pub not_found: Vec<NotFound>,
}

/// The chunks with these ids, and those to which they refer, breadth first: each chunk once, so that cycles end. A
/// chunk that does not fit into the budget is left out, and so are the chunks to which it alone refers.
///
/// # Errors
/// [`AnswerError`] for numbers out of range, and for a budget into which not even one chunk fits.
pub fn get_chunks(index: &ApiIndex, request: &GetChunks, encoding: Encoding) -> Result<Answer<Retrieved>, AnswerError> {
    let depth = in_range("expand_depth", request.expand_depth, 0, MAX_DEPTH)?;
    let most = in_range("max_total_chunks", request.max_total_chunks, 1, MAX_CHUNKS)?;
    let max_tokens = budget(request.max_tokens)?;
    if request.chunk_ids.is_empty() || request.chunk_ids.len() > MAX_IDS {
        return Err(AnswerError::WrongCount { name: "chunk_ids", given: request.chunk_ids.len(), most: MAX_IDS });
    }
    let tokenizer = Tokenizer::load(encoding);
    let mut data = Retrieved::default();
    let mut waiting: VecDeque<(u32, usize)> = VecDeque::new();
    let mut is_seen = vec![false; index.chunks.all().len()];
    for id in &request.chunk_ids {
        match index.chunks.find(id).or_else(|| index.chunks.find(&pointer::percent_decoded(id))) {
            Some(at) if !std::mem::replace(&mut is_seen[at as usize], true) => waiting.push_back((at, 0)),
            Some(_) => {}
            None => data.not_found.push(NotFound { name: id.clone(), nearest: index.nearest(id) }),
        }
    }
    let (mut left_out, mut smallest) = (0_usize, None::<usize>);
    let mut spent = tokenizer.count(&text::retrieved(&data, usize::MAX));
    let least = spent;
    while let Some((at, depth_here)) = waiting.pop_front() {
        let chunk = (data.total_chunks < most).then(|| full(index, &tokenizer, at, depth_here));
        let price = chunk.as_ref().map(|chunk| tokenizer.count(&text::chunk(chunk)));
        let fitting = chunk.zip(price).filter(|(_, price)| spent + price <= max_tokens);
        let Some((chunk, price)) = fitting else {
            smallest = smallest.into_iter().chain(price).min();
            left_out += 1;
            if data.left_out.len() < MAX_NAMED {
                data.left_out.push(index.chunks.chunk(at).id.clone());
            }
            continue;
        };
        spent += price;
        data.push(chunk);
        if depth_here < depth {
            for to in &index.chunks.chunk(at).references {
                if !std::mem::replace(&mut is_seen[*to as usize], true) {
                    waiting.push_back((*to, depth_here + 1));
                }
            }
        }
    }
    data.truncated = left_out > 0;
    if let Some(smallest) = smallest.filter(|_| data.total_chunks == 0) {
        return Err(AnswerError::BudgetTooSmall { smallest: least + smallest, max_tokens });
    }
    fit(data, left_out, &tokenizer, max_tokens)
}

/// The answer with these chunks. The head counts the chunks that are left out, and the tokens of the parts may not add
/// up to those of the whole text, so the last chunks are left out until the text fits.
fn fit(
    mut data: Retrieved,
    mut left_out: usize,
    tokenizer: &Tokenizer,
    max_tokens: usize,
) -> Result<Answer<Retrieved>, AnswerError> {
    loop {
        let text = text::retrieved(&data, left_out);
        let tokens = tokenizer.count(&text);
        if tokens <= max_tokens {
            return Ok(Answer { text, tokens, data, delivered: Vec::new() });
        }
        if !data.leave_out_last() {
            return Err(AnswerError::BudgetTooSmall { smallest: tokens, max_tokens });
        }
        left_out += 1;
    }
}

impl Retrieved {
    /// Adds a chunk: a requested one has the depth 0.
    fn push(&mut self, chunk: FullChunk) {
        self.total_chunks += 1;
        self.total_tokens += chunk.metadata.tokens;
        *self.expansion_stats.entry(chunk.expansion_depth).or_default() += 1;
        let list = if chunk.expansion_depth == 0 { &mut self.requested_chunks } else { &mut self.expanded_chunks };
        list.push(chunk);
    }

    /// Moves the last chunk to those that are left out; false if there is no chunk.
    fn leave_out_last(&mut self) -> bool {
        let Some(chunk) = self.expanded_chunks.pop().or_else(|| self.requested_chunks.pop()) else { return false };
        self.truncated = true;
        self.total_chunks -= 1;
        self.total_tokens -= chunk.metadata.tokens;
        if let Some(count) = self.expansion_stats.get_mut(&chunk.expansion_depth) {
            *count -= 1;
        }
        self.expansion_stats.retain(|_, count| *count > 0);
        self.left_out.insert(0, chunk.chunk_id);
        self.left_out.truncate(MAX_NAMED);
        true
    }
}

fn full(index: &ApiIndex, tokenizer: &Tokenizer, at: u32, depth: usize) -> FullChunk {
    let chunk = index.chunks.chunk(at);
    let content = index.chunks.content(&index.api, at);
    let tokens = tokenizer.count(&content);
    FullChunk {
        chunk_id: chunk.id.clone(),
        metadata: ChunkMetadata {
            title: chunk.title.clone(),
            chunk_type: chunk.kind.word(),
            file: index.api.files.file(chunk.place.file).path.to_string(),
            pointer: chunk.place.pointer.clone(),
            line: index.api.files.node(&chunk.place).map_or(1, |node| node.line),
            tokens,
        },
        content,
        source: if depth == 0 { "requested" } else { "expanded" },
        expansion_depth: depth,
        ref_ids: index.ids(&chunk.references),
    }
}
