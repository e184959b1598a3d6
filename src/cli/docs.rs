//! `docs`: searches and prints API documents.

use std::{
    fmt::Write as _,
    path::{Path, PathBuf},
    time::Instant,
};

use anyhow::bail;
use clap::ValueEnum;
use serde::Serialize;

use super::{note, output, terminal_text::write_json};
use apidisc::{
    delivery::fenced_as,
    openapi::{
        ApiIndex, FullChunk, GetChunks, Retrieved, SearchChunks, SearchResults, api_context, get_chunks, search_chunks,
    },
    source::{LinkedSources, NamedSource, Source},
    tokens::Encoding,
    unprintable::{escaped_json, escaped_line},
};

/// Searches or prints API documents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrintDocs {
    /// The folders and files.
    pub paths: Vec<PathBuf>,
    /// The content to print.
    pub command: DocsCommand,
    /// The form of the output.
    pub format: DocsFormat,
    /// Name every problem of the documents.
    pub verbose: bool,
}

/// The content of API documents that is printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DocsCommand {
    /// The documents with their numbers of chunks and references, and all problems.
    Index,
    /// The documents, a line each.
    Context,
    /// The chunks that match a query.
    Search(SearchChunks),
    /// Chunks by their ids.
    Get(GetChunks),
}

/// The form of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DocsFormat {
    /// The text that agents get
    Text,
    /// One object
    Json,
    /// A list, or a section per chunk
    Markdown,
}

/// The object that `docs index` prints.
#[derive(Serialize)]
struct IndexedDocuments {
    documents: Vec<IndexedDocument>,
    files: usize,
    chunks: usize,
    references: usize,
    problems: Vec<ProblemRow>,
}

/// A document in [`IndexedDocuments`].
#[derive(Serialize)]
struct IndexedDocument {
    file: String,
    title: String,
    version: String,
    format: String,
    operations: usize,
    webhooks: usize,
    components: usize,
}

/// A problem in [`IndexedDocuments`].
#[derive(Serialize)]
struct ProblemRow {
    path: String,
    message: String,
}

impl PrintDocs {
    /// Reads the documents and prints what is asked.
    ///
    /// # Errors
    /// If there is no document, and for a request that has no answer.
    pub fn run(&self) -> anyhow::Result<()> {
        let index = read(&source(&self.paths))?;
        match &self.command {
            DocsCommand::Index => self.print(&indexed(&index), || (indexed_text(&index), indexed_text(&index)))?,
            DocsCommand::Context => {
                let context = api_context(&index.api);
                self.print(&serde_json::json!({ "api_context": context }), || (context.clone(), context.clone()))?;
            }
            DocsCommand::Search(request) => {
                let start = Instant::now();
                let mut answer = search_chunks(&index, request, Encoding::default())?;
                answer.data.search_time_ms = (start.elapsed().as_secs_f64() * 1e5).round() / 100.0;
                self.print(&answer.data, || (answer.text.clone(), found(&answer.data)))?;
            }
            DocsCommand::Get(request) => {
                let answer = get_chunks(&index, request, Encoding::default())?;
                self.print(&answer.data, || (answer.text.clone(), retrieved(&answer.data)))?;
            }
        }
        self.report(&index);
        Ok(())
    }

    /// Prints an answer. `texts` are its text for agents and its text as Markdown.
    fn print(&self, data: &impl Serialize, texts: impl FnOnce() -> (String, String)) -> anyhow::Result<()> {
        output::write(None, |out| match self.format {
            DocsFormat::Text => out.write_all(texts().0.as_bytes()),
            DocsFormat::Markdown => out.write_all(texts().1.as_bytes()),
            DocsFormat::Json => {
                write_json(out, data)?;
                out.write_all(b"\n")
            }
        })
    }

    /// Reports the problems. `docs index` prints them itself.
    fn report(&self, index: &ApiIndex) {
        if self.command != DocsCommand::Index {
            report(index, self.verbose);
        }
    }
}

/// Says on standard error how many problems API documents have, or each of them if `verbose`.
pub(super) fn report(index: &ApiIndex, verbose: bool) {
    let problems = &index.api.diagnostics;
    match problems.len() {
        0 => {}
        _ if verbose => problems.iter().for_each(|problem| note(&problem.to_string())),
        1 => note(&problems[0].to_string()),
        count => note(&format!("{count} problems in the documents; --verbose names them")),
    }
}

/// The API documents below `named`, or those in a source if no path is named; `None` if the source has none.
///
/// # Errors
/// If a named path has no document.
pub(super) fn documents(named: Option<&Path>, source: Option<&Source>) -> anyhow::Result<Option<ApiIndex>> {
    if let Some(path) = named {
        return read(&Source::Folder(path.to_owned())).map(Some);
    }
    // If the source cannot be walked, indexing reports the error.
    let index = source.and_then(|source| ApiIndex::read(source).ok());
    Ok(index.filter(|index| !index.api.is_empty()))
}

/// The API documents of a source.
///
/// # Errors
/// If there is none.
fn read(source: &Source) -> anyhow::Result<ApiIndex> {
    let index = ApiIndex::read(source)?;
    if index.api.is_empty() {
        match index.api.diagnostics.first() {
            Some(problem) => bail!("no API document could be read: {problem}"),
            None => bail!("no OpenAPI or Swagger document was found; name a folder or file that has one"),
        }
    }
    Ok(index)
}

/// The source of these paths. If there are several paths, each path is a separate folder of the source.
fn source(paths: &[PathBuf]) -> Source {
    if let [only] = paths {
        return Source::Folder(only.clone());
    }
    let mut all: Vec<NamedSource> = Vec::new();
    for path in paths {
        let name = path.file_name().map_or_else(|| "root".to_owned(), |name| name.to_string_lossy().into_owned());
        let is_free = |name: &str| all.iter().all(|other| other.name != name);
        let mut numbered = (2..).map(|number| format!("{name}-{number}"));
        let name = if is_free(&name) { name } else { numbered.find(|name| is_free(name)).unwrap_or(name) };
        all.push(NamedSource::new(name, Source::Folder(path.clone())));
    }
    Source::Linked(LinkedSources::new(all))
}

fn indexed(index: &ApiIndex) -> IndexedDocuments {
    let document = |document: &apidisc::openapi::Document| {
        let webhooks = document.operations.iter().filter(|operation| operation.is_webhook).count();
        IndexedDocument {
            file: index.api.files.file(document.file).path.to_string(),
            title: document.title.clone(),
            version: document.api_version.clone(),
            format: document.version.to_string(),
            operations: document.operations.len() - webhooks,
            webhooks,
            components: document.components.len(),
        }
    };
    let problems = index.api.diagnostics.iter();
    IndexedDocuments {
        documents: index.api.documents.iter().map(document).collect(),
        files: index.api.files.iter().count(),
        chunks: index.chunks.all().len(),
        references: index.chunks.all().iter().map(|chunk| chunk.references.len()).sum(),
        problems: problems
            .map(|problem| ProblemRow { path: problem.path.to_string(), message: problem.message.clone() })
            .collect(),
    }
}

fn indexed_text(index: &ApiIndex) -> String {
    let IndexedDocuments { files, chunks, references, problems, .. } = indexed(index);
    let mut text = api_context(&index.api);
    let counted = |count: usize, noun: &str| format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
    let [chunks, references, files] =
        [(chunks, "chunk"), (references, "reference"), (files, "file")].map(|(count, noun)| counted(count, noun));
    let _ = writeln!(text, "{chunks} and {references} in {files}");
    for ProblemRow { path, message } in problems {
        let _ = writeln!(text, "{}: {}", escaped_line(&path), escaped_line(&message));
    }
    text
}

fn found(results: &SearchResults) -> String {
    let mut text = format!("{} of {} chunks\n\n", results.chunks.len(), results.total_found);
    for chunk in &results.chunks {
        let _ = writeln!(text, "- `{}` {}", quoted(&chunk.chunk_id), escaped_line(&chunk.title));
    }
    text
}

fn retrieved(data: &Retrieved) -> String {
    let mut text = String::new();
    for FullChunk { chunk_id, content, metadata, .. } in data.requested_chunks.iter().chain(&data.expanded_chunks) {
        let pretty =
            serde_json::from_str::<serde_json::Value>(content).and_then(|value| serde_json::to_string_pretty(&value));
        let pretty = escaped_json(pretty.unwrap_or_else(|_| content.clone()));
        let content = fenced_as(&(pretty + "\n"), "json");
        let (id, title) = (quoted(chunk_id), escaped_line(&metadata.title));
        let _ = writeln!(text, "## `{id}`\n\n{title}\n\n{content}");
    }
    for missing in &data.not_found {
        let nearest: Vec<String> = missing.nearest.iter().map(|id| format!("`{}`", quoted(id))).collect();
        let _ =
            writeln!(text, "No chunk has the id `{}`. The nearest: {}\n", quoted(&missing.name), nearest.join(", "));
    }
    if !data.left_out.is_empty() {
        let ids: Vec<String> = data.left_out.iter().map(|id| format!("`{}`", quoted(id))).collect();
        let _ = writeln!(text, "Left out for the limits: {}", ids.join(", "));
    }
    text
}

/// A text on one line, to stand between backticks.
fn quoted(text: &str) -> String {
    escaped_line(text).replace('`', "'")
}
