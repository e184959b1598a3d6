//! The options of `discover`.

#![allow(clippy::doc_markdown, reason = "documentation of options is printed as text")]

use std::path::PathBuf;

use apidisc::discover::{Discover, Filter, MAX_RESULTS, TypeFilter};
use clap::{Args, ValueEnum};

use super::{CommonArgs, environment::EnvironmentArgs, model::ModelArg, source::SourceArgs, values::share};
use crate::cli::{AskedPackage, DiscoverFormat, PrintDiscovered};

#[derive(Args)]
pub(super) struct DiscoverArgs {
    /// What to do, in one argument: "retry with backoff".
    #[arg(value_name = "INTENT")]
    intent: String,
    #[command(flatten)]
    source: SourceArgs,
    /// Only results of this type [default: all].
    ///
    /// symbol: functions, classes and their members. recipe: ways of calling that the sources use again and again, with
    /// their code. doc: sections of documents, with the symbols that they show, and operations, webhooks and schemas of
    /// OpenAPI documents.
    #[arg(long = "type", value_enum, value_name = "TYPE", default_value = "all", hide_default_value = true)]
    kind: WantedType,
    /// Only results with at least this score, from 0 to 1.
    ///
    /// A score is how well a result matches the intent, multiplied by how far its use can be relied on: up to 1.2 for
    /// much use without an error, down to 0.1 where most uses expect an error, or are deprecated. No score is above
    /// 0.95.
    #[arg(long, value_name = "F", default_value_t = 0.0, hide_default_value = true, allow_negative_numbers = true)]
    #[arg(value_parser = share)]
    min_score: f64,
    /// The greatest number of results, from 1 to 50 [default: 10].
    #[arg(long, value_name = "N", default_value_t = 10, hide_default_value = true, allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(i64).range(1..=MAX_RESULTS))]
    limit: i64,
    /// Add what code often calls before and after each symbol.
    #[arg(long)]
    related: bool,
    /// Search the API documents below DIR.
    ///
    /// DIR is an OpenAPI or Swagger 2 document, or a folder with such documents. By default those of the source are
    /// searched.
    #[arg(long = "docs", value_name = "DIR", help_heading = "What to look at")]
    docs: Option<PathBuf>,
    /// Search an installed package, as the code uses it.
    #[arg(long, value_name = "NAME", help_heading = "What to look at", conflicts_with = "docs")]
    package: Option<String>,
    #[command(flatten)]
    environment: EnvironmentArgs,
    /// Lines for people, one JSON object, or Markdown.
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text", help_heading = "Printing")]
    format: DiscoverFormat,
    #[command(flatten)]
    model: ModelArg,
    #[command(flatten)]
    common: CommonArgs,
}

#[derive(Clone, Copy, ValueEnum)]
enum WantedType {
    All,
    Symbol,
    Recipe,
    Doc,
}

impl From<DiscoverArgs> for PrintDiscovered {
    fn from(arguments: DiscoverArgs) -> Self {
        let DiscoverArgs {
            intent,
            source,
            kind,
            min_score,
            limit,
            related: include_related,
            docs,
            package,
            environment,
            format,
            model,
            common,
        } = arguments;
        let kind = match kind {
            WantedType::All => TypeFilter::All,
            WantedType::Symbol => TypeFilter::Symbol,
            WantedType::Recipe => TypeFilter::Recipe,
            WantedType::Doc => TypeFilter::Doc,
        };
        Self {
            request: Discover { intent, filter: Filter { kind, min_score }, limit, include_related, package: None },
            docs,
            package: AskedPackage { name: package, environment: environment.into() },
            cache: common.cache(),
            input: source.into(),
            model: model.model,
            format,
            verbose: common.verbose,
        }
    }
}
