//! `search_chunks`: the chunks that match a query, best first.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::{
    ApiDocuments, ApiIndex,
    chunk::{Chunk, ChunkKind},
    chunks::Chunks,
    context::api_context,
    operation::Operation,
    requested_action::{Method, RequestedAction},
    requested_schema::RequestedSchema,
    search_words::{self, FIELDS, add_words},
    text,
};
use apidisc_answering::{
    answers::{Answer, AnswerError, budget, fit, in_range},
    discover::{TextTerms, with_query},
    terms::{Field, TermIndex, folded},
};
use apidisc_base::sort::SharedSort as _;
use apidisc_tokens::{Encoding, Tokenizer};

/// The greatest number of results.
pub const MAX_FOUND: i64 = 200;
/// The fewest chunks whose words are collected by a thread of their own.
const MIN_CHUNKS_OF_A_THREAD: usize = 256;
/// The length of a preview in characters.
const PREVIEW_CHARS: usize = 200;
/// The score of a chunk whose name is the query.
const EXACT_NAME_SCORE: f64 = 1.0;
/// The score of a chunk is multiplied by the share of the query's words that the chunk has, raised to this power.
const COVERAGE_EXPONENT: f64 = 0.5;

/// The weights of the fields, and how much their lengths count.
const WEIGHTS: [Field; FIELDS] = {
    let mut fields = [Field { weight: 1.0, b: 0.5 }; FIELDS];
    fields[search_words::NAME] = Field { weight: 4.0, b: 0.9 };
    fields[search_words::PATH] = Field { weight: 1.5, b: 1.0 };
    // The last part of a path names the resource of an operation, the parts before it the resources that contain it.
    fields[search_words::LAST_PART] = Field { weight: 6.0, b: 0.5 };
    fields[search_words::METHOD] = Field { weight: 1.5, b: 0.0 };
    fields[search_words::SUMMARY] = Field { weight: 4.0, b: 0.3 };
    fields[search_words::DESCRIPTION] = Field { weight: 0.5, b: 0.75 };
    fields[search_words::TAGS] = Field { weight: 1.0, b: 0.5 };
    fields[search_words::PARAMETERS] = Field { weight: 0.5, b: 0.5 };
    fields[search_words::SCHEMAS] = Field { weight: 0.6, b: 0.5 };
    fields[search_words::PROPERTIES] = Field { weight: 0.4, b: 0.75 };
    fields
};

/// The request of [`search_chunks`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SearchChunks {
    /// The intent in words; or an operation id, a method with a path, the name of a schema.
    pub query: String,
    /// The greatest number of results, from 1 to [`MAX_FOUND`].
    pub max_chunks: i64,
    /// Only files whose path has this part, in any case.
    pub file_filter: Option<String>,
    /// True if results name the chunks to which they refer.
    pub include_references: bool,
    /// The budget of the text in tokens, from 1 to
    /// [`MAX_ANSWER_TOKENS`](apidisc_answering::answers::MAX_ANSWER_TOKENS).
    pub max_tokens: i64,
}

impl Default for SearchChunks {
    fn default() -> Self {
        Self { query: String::new(), max_chunks: 25, file_filter: None, include_references: false, max_tokens: 2_000 }
    }
}

/// A result of a search.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ChunkSummary {
    /// The id.
    pub chunk_id: String,
    /// The title.
    pub title: String,
    /// The first 200 characters of the content.
    pub content_preview: String,
    /// The kind: `operation`, `schema`, `component`, …
    pub chunk_type: &'static str,
    /// The path of the file.
    pub file_name: String,
    /// The ids of the chunks to which this chunk refers, if the request asks for them.
    pub ref_ids: Vec<String>,
    /// The score, from 0 to 1.
    pub relevance_score: f64,
}

/// The answer of [`search_chunks`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SearchResults {
    /// The results, best first.
    pub chunks: Vec<ChunkSummary>,
    /// The number of chunks that match, before the limit.
    pub total_found: usize,
    /// The duration of the search. The engine has no clock, so the caller sets it.
    pub search_time_ms: f64,
    /// The paths of the documents that were searched.
    pub files_searched: Vec<String>,
    /// A line for each document: see [`api_context`].
    pub api_context: String,
}

/// The match of each chunk with a query.
pub(crate) struct ChunkMatches {
    /// For each chunk, the share of [`Self::information`] that the words of the chunk have, from 0 to 1.
    pub(crate) words: Vec<f64>,
    /// The information of all words of the query, above 0.
    pub(crate) information: f64,
    /// The positions of the chunks whose name is the query, sorted.
    pub(crate) named: Vec<u32>,
    /// The components that the query names beside other words, each once, with the certainty that it means them.
    mentioned: Vec<(u32, f64)>,
    /// True if the query asks for a schema by its kind.
    asks_for_schema: bool,
}

/// The words of all chunks.
#[derive(Debug, Default)]
pub(super) struct ChunkTerms {
    terms: TermIndex,
    /// The names of each chunk, folded, with its position, sorted.
    names: Vec<(String, u32)>,
    /// The method of each chunk that is an operation.
    methods: Vec<Option<Method>>,
}

impl ChunkTerms {
    /// The words of chunks; without those of summaries unless `with_summaries`.
    pub(super) fn new(api: &ApiDocuments, chunks: &Chunks, with_summaries: bool) -> Self {
        let collect = |part: &[Chunk]| {
            let mut terms = TextTerms::new(WEIGHTS);
            for chunk in part {
                terms.begin();
                add_words(api, chunks, chunk, with_summaries, &mut |field, text| terms.add(field, text));
            }
            terms
        };
        // One part for each thread, since every part collects its own table of words.
        let size = chunks.all().len().div_ceil(rayon::current_num_threads()).max(MIN_CHUNKS_OF_A_THREAD);
        let terms =
            chunks.all().par_chunks(size).map(collect).collect::<Vec<_>>().into_iter().reduce(TextTerms::joined);
        let terms = terms.unwrap_or_else(|| TextTerms::new(WEIGHTS));
        let named = chunks.all().iter().zip(0..);
        let mut names: Vec<(String, u32)> = named
            .flat_map(|(chunk, at)| names(api, chunk, with_summaries).into_iter().map(move |name| (name, at)))
            .collect();
        names.sort_unstable();
        let method = |chunk: &Chunk| {
            let operation = operation(api, chunk).filter(|_| chunk.kind == ChunkKind::Operation);
            operation.map(Method::of)
        };
        let methods = chunks.all().iter().map(method).collect();
        Self { terms: TermIndex::new(&terms.finish()), names, methods }
    }

    /// The match of each chunk with a query.
    pub(super) fn matches(&self, query: &str) -> ChunkMatches {
        let mut matches = with_query(query, |words| {
            let matches = self.terms.matches(words.iter().map(Vec::as_slice));
            let information: f32 = words.iter().map(|alternatives| self.terms.information(alternatives)).sum();
            let information = f64::from(information.max(f32::MIN_POSITIVE));
            let count = words.len().max(1) as f64;
            let share = |(score, matched): (&f32, u32)| {
                f64::from(*score) / information * (f64::from(matched) / count).powf(COVERAGE_EXPONENT)
            };
            let mut words: Vec<f64> = matches.scores.iter().zip(matches.matched.iter().copied()).map(share).collect();
            if let Some(asked) = RequestedAction::of(query) {
                for (score, method) in words.iter_mut().zip(&self.methods) {
                    *score *= method.map_or(1.0, |method| asked.share(method));
                }
            }
            let asked = RequestedSchema::of(query);
            let mentioned =
                asked.names.iter().flat_map(|(name, certainty)| self.named(name).map(|at| (at, *certainty)));
            let mut mentioned: Vec<(u32, f64)> = mentioned.collect();
            mentioned.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)));
            mentioned.dedup_by_key(|(at, _)| *at);
            ChunkMatches { words, information, named: Vec::new(), mentioned, asks_for_schema: asked.is_asked_for }
        });
        let folded = folded(query);
        matches.named.extend(self.named(&folded));
        matches.named.sort_unstable();
        matches.named.dedup();
        matches.mentioned.retain(|(at, _)| matches.named.binary_search(at).is_err());
        matches
    }

    /// The positions of the chunks with a folded name.
    fn named<'a>(&'a self, folded: &'a str) -> impl Iterator<Item = u32> + 'a {
        let first = self.names.partition_point(|(name, _)| name.as_str() < folded);
        self.names[first..].iter().take_while(move |(name, _)| name == folded).map(|(_, at)| *at)
    }

    /// The chunks that match a query and that `is_wanted`, with their scores from 0 to 1, best first.
    fn ranked(&self, chunks: &Chunks, query: &str, is_wanted: impl Fn(&Chunk) -> bool) -> Vec<(f64, u32)> {
        let ChunkMatches { words: mut scores, named, mentioned, asks_for_schema, .. } = self.matches(query);
        for at in named {
            scores[at as usize] += EXACT_NAME_SCORE;
        }
        for (at, certainty) in mentioned.into_iter().filter(|(at, _)| is_component(chunks.chunk(*at).kind)) {
            scores[at as usize] += EXACT_NAME_SCORE * certainty;
        }
        let mut ranked: Vec<(f64, u32)> = Vec::new();
        for (at, score) in (0..).zip(&scores) {
            let chunk = chunks.chunk(at);
            if *score > 0.0 && is_wanted(chunk) {
                ranked.push((score * prior(chunk.kind, asks_for_schema), at));
            }
        }
        // The order of the chunks breaks ties.
        ranked.shared_sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let best = ranked.first().map_or(1.0, |(best, _)| best.max(1.0));
        for (score, _) in &mut ranked {
            *score /= best;
        }
        ranked
    }
}

/// True for a component, which a query may name beside other words.
fn is_component(kind: ChunkKind) -> bool {
    matches!(kind, ChunkKind::Schema | ChunkKind::LongComponent { .. } | ChunkKind::Component)
}

/// The factor of the scores of chunks of a kind: how likely such a chunk is wanted, for any query that does or does not
/// ask for a schema.
fn prior(kind: ChunkKind, asks_for_schema: bool) -> f64 {
    match kind {
        ChunkKind::Schema | ChunkKind::LongComponent { .. } if asks_for_schema => 1.0,
        ChunkKind::Operation if asks_for_schema => 0.6,
        ChunkKind::Operation => 1.0,
        // The API sends webhooks: a query for an operation to call does not mean them.
        ChunkKind::Webhook => 0.8,
        ChunkKind::Schema | ChunkKind::LongComponent { .. } | ChunkKind::Info => 0.6,
        ChunkKind::Component | ChunkKind::Part | ChunkKind::Tags | ChunkKind::Servers | ChunkKind::Security => 0.5,
        ChunkKind::Errors | ChunkKind::Examples => 0.4,
    }
}

/// The operation of a chunk.
fn operation<'a>(api: &'a ApiDocuments, chunk: &Chunk) -> Option<&'a Operation> {
    api.documents.get(chunk.document?)?.operations.get(chunk.operation?)
}

/// The names of a chunk, folded: its title; of an operation its id, its path, its method with its path, and its summary
/// if `with_summaries`.
fn names(api: &ApiDocuments, chunk: &Chunk, with_summaries: bool) -> Vec<String> {
    let names = match (chunk.kind, operation(api, chunk)) {
        (ChunkKind::Errors | ChunkKind::Examples, _) => Vec::new(),
        (_, Some(operation)) => {
            let summary = operation.summary.as_deref().filter(|_| with_summaries).unwrap_or_default();
            let id = operation.operation_id.as_deref().unwrap_or_default();
            vec![folded(id), folded(&operation.path), folded(&operation.title()), folded(summary)]
        }
        _ => vec![folded(&chunk.title)],
    };
    names.into_iter().filter(|name| !name.is_empty()).collect()
}

/// The positions of the chunks that match a query, best first, for evaluations.
pub fn rank_chunks(index: &ApiIndex, query: &str) -> Vec<u32> {
    index.terms.ranked(&index.chunks, query, |_| true).into_iter().map(|(_, at)| at).collect()
}

/// The chunks that match a query, best first. The caller sets
/// [`SearchResults::search_time_ms`].
///
/// # Errors
/// [`AnswerError`] for an empty query, and for numbers out of range.
pub fn search_chunks(
    index: &ApiIndex,
    request: &SearchChunks,
    encoding: Encoding,
) -> Result<Answer<SearchResults>, AnswerError> {
    let limit = in_range("max_chunks", request.max_chunks, 1, MAX_FOUND)?;
    let max_tokens = budget(request.max_tokens)?;
    if request.query.trim().is_empty() {
        return Err(AnswerError::WrongFields("the query is empty; write the intent in words, or a method with a path"));
    }
    let filter = request.file_filter.as_deref().unwrap_or_default().trim().to_lowercase();
    let passes = |path: &str| filter.is_empty() || path.to_lowercase().contains(&filter);
    let is_file_wanted: Vec<bool> = index.api.files.iter().map(|(_, file)| passes(&file.path)).collect();
    // A chunk belongs to its document also if its content stands in another file.
    let file_of = |chunk: &Chunk| chunk.document.map_or(chunk.place.file, |at| index.api.documents[at].file);
    let ranked = index.terms.ranked(&index.chunks, &request.query, |chunk| is_file_wanted[file_of(chunk).index()]);
    let summary = |&(score, at): &(f64, u32)| {
        let chunk = index.chunks.chunk(at);
        ChunkSummary {
            chunk_id: chunk.id.clone(),
            title: chunk.title.clone(),
            content_preview: index.chunks.content(&index.api, at).chars().take(PREVIEW_CHARS).collect(),
            chunk_type: chunk.kind.word(),
            file_name: index.api.files.file(file_of(chunk)).path.to_string(),
            ref_ids: if request.include_references { index.ids(&chunk.references) } else { Vec::new() },
            relevance_score: (score * 1e4).round() / 1e4,
        }
    };
    let paths = index.api.documents.iter().map(|document| &index.api.files.file(document.file).path);
    let data = SearchResults {
        chunks: ranked.iter().take(limit).map(summary).collect(),
        total_found: ranked.len(),
        search_time_ms: 0.0,
        files_searched: paths.filter(|path| passes(path)).map(ToString::to_string).collect(),
        api_context: api_context(&index.api),
    };
    let tokenizer = Tokenizer::load(encoding);
    let fitted = fit(&tokenizer, max_tokens, data.chunks.len(), |count| text::found(&data, &request.query, count))?;
    Ok(Answer { text: fitted.text, tokens: fitted.tokens, data, delivered: Vec::new() })
}
