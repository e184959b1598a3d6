//! The options of `route`.

#![allow(clippy::doc_markdown, reason = "documentation of options is printed as text")]

use clap::{Args, ValueEnum};

use super::{CommonArgs, source::SourceArgs};
use crate::cli::PrintRoute;

/// The budget of the context, if none is given.
const DEFAULT_BUDGET: usize = 4_000;

#[derive(Args)]
pub(super) struct RouteArgs {
    /// The task, in one argument: "Fix the handleLogin function".
    #[arg(value_name = "TASK")]
    task: String,
    #[command(flatten)]
    source: SourceArgs,
    /// The modules that exist, where there is no index: api,components,lib.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    modules: Option<Vec<String>>,
    /// Print the context of the task instead: the answers of the functions, one after the other.
    #[arg(long)]
    run: bool,
    /// With --run: fit into N tokens [default: 4000].
    #[arg(long, alias = "budget", value_name = "N", requires = "run")]
    max_tokens: Option<usize>,
    /// Lines for people, or one object.
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text", help_heading = "Printing")]
    format: RouteFormat,
    #[command(flatten)]
    common: CommonArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum RouteFormat {
    /// The route, and a line per function; with --run the context as an agent reads it
    Text,
    /// One object: route_type, tool_sequence, arguments, estimated_tokens, reasoning; with --run also context, tokens
    Json,
}

impl From<RouteArgs> for PrintRoute {
    fn from(RouteArgs { task, source, modules, run, max_tokens, format, common }: RouteArgs) -> Self {
        let has_index = run || source.is_named();
        Self {
            task,
            cache: common.cache(),
            input: has_index.then(|| source.into()),
            modules: modules.map(|modules| modules.into_iter().filter(|module| !module.is_empty()).collect()),
            run: run.then(|| max_tokens.unwrap_or(DEFAULT_BUDGET)),
            json: format == RouteFormat::Json,
            verbose: common.verbose,
        }
    }
}
