//! The options of `docs`.

#![allow(clippy::doc_markdown, reason = "documentation of options is printed as text")]

use std::path::PathBuf;

use apidisc::openapi::{GetChunks, MAX_CHUNKS, MAX_DEPTH, MAX_FOUND, SearchChunks};
use clap::{Args, ValueEnum, error::ErrorKind};

use super::{HelpArg, OTHER, wrong_usage};
use crate::cli::{DocsCommand, DocsFormat, PrintDocs};

const SEARCH: &str = "docs search";
const GET: &str = "docs get";

#[derive(Args)]
pub(super) struct DocsArgs {
    /// index, context, search or get.
    #[arg(value_name = "ACTION", value_enum, hide_possible_values = true)]
    action: DocsAction,
    /// Folders or files with API documents [default: .].
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// What is wanted: words, an operation id, POST /path.
    #[arg(long, value_name = "TEXT", help_heading = SEARCH)]
    query: Option<String>,
    /// The greatest number of results [default: 25].
    #[arg(long, value_name = "N", help_heading = SEARCH, value_parser = clap::value_parser!(i64).range(1..=MAX_FOUND))]
    max_chunks: Option<i64>,
    /// Only files whose path has this part, in any case.
    #[arg(long, value_name = "PART", help_heading = SEARCH)]
    file_filter: Option<String>,
    /// Name what each result refers to.
    #[arg(long, help_heading = SEARCH)]
    include_references: bool,
    /// The id of a chunk; repeat it for several.
    #[arg(long = "id", value_name = "ID", help_heading = GET)]
    ids: Vec<String>,
    /// Follow so many references [default: 3].
    #[arg(long, value_name = "N", help_heading = GET, value_parser = clap::value_parser!(i64).range(0..=MAX_DEPTH))]
    expand_depth: Option<i64>,
    /// The greatest number of chunks [default: 100].
    #[arg(long, value_name = "N", help_heading = GET, value_parser = clap::value_parser!(i64).range(1..=MAX_CHUNKS))]
    max_total_chunks: Option<i64>,
    /// Fit into N tokens [default: 2000, get: 10000].
    #[arg(long, alias = "budget", value_name = "N", help_heading = "Printing")]
    max_tokens: Option<i64>,
    /// What agents read, one JSON object, or Markdown.
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text", help_heading = "Printing")]
    format: DocsFormat,
    /// Name every problem of the documents.
    #[arg(short, long, help_heading = OTHER)]
    verbose: bool,
    #[command(flatten)]
    help: HelpArg,
}

#[derive(Clone, Copy, ValueEnum)]
enum DocsAction {
    /// What there is, and every problem
    Index,
    /// The documents, a line each
    Context,
    /// The chunks that match --query
    Search,
    /// The chunks with these --id
    Get,
}

impl DocsArgs {
    pub(super) fn command(self) -> Result<PrintDocs, clap::Error> {
        let missing = |what| wrong_usage(ErrorKind::MissingRequiredArgument, what);
        let search = SearchChunks::default();
        let get = GetChunks::default();
        let command = match self.action {
            DocsAction::Index => DocsCommand::Index,
            DocsAction::Context => DocsCommand::Context,
            DocsAction::Search => DocsCommand::Search(SearchChunks {
                query: self.query.ok_or_else(|| missing("docs search needs --query TEXT"))?,
                max_chunks: self.max_chunks.unwrap_or(search.max_chunks),
                file_filter: self.file_filter,
                include_references: self.include_references,
                max_tokens: self.max_tokens.unwrap_or(search.max_tokens),
            }),
            DocsAction::Get if self.ids.is_empty() => return Err(missing("docs get needs --id ID")),
            DocsAction::Get => DocsCommand::Get(GetChunks {
                chunk_ids: self.ids,
                expand_depth: self.expand_depth.unwrap_or(get.expand_depth),
                max_total_chunks: self.max_total_chunks.unwrap_or(get.max_total_chunks),
                max_tokens: self.max_tokens.unwrap_or(get.max_tokens),
            }),
        };
        let paths = if self.paths.is_empty() { vec![PathBuf::from(".")] } else { self.paths };
        Ok(PrintDocs { paths, command, format: self.format, verbose: self.verbose })
    }
}
