//! The commands, and the options of those that have only a few.

#![allow(clippy::doc_markdown, reason = "documentation of options is printed as text")]

use std::{path::PathBuf, str::FromStr as _};

use clap::{ArgGroup, Args, Subcommand, ValueEnum, builder::PossibleValuesParser};
use clap_complete::Shell;

use super::{
    CommonArgs, HelpArg, Invocation,
    ask::{AgentArgs, AskArgs},
    breaks::BreaksArgs,
    cache::{CacheArgs, CheckIndexArgs},
    discover::DiscoverArgs,
    docs::DocsArgs,
    doctor::DoctorArgs,
    environment::EnvironmentArgs,
    facts::FactsArgs,
    route::RouteArgs,
    serve::ServeArgs,
    setup::SetupArgs,
    source::SourceArgs,
};
use crate::cli::{
    AskedPlace, Completions, ExplainCalls, Input, ManPage, PrintCalls, PrintDependencies, PrintReads, PrintUses,
    ShowConfig, WriteIndex, WriteReport,
};

#[derive(Subcommand)]
#[command(disable_help_flag = true)]
pub(super) enum Subcommands {
    /// Write what was counted to a file that --index reads.
    ///
    /// Writes `api_metadata.yaml`: for every definition its rank, its calls, and per parameter whether it is required
    /// and how often it is passed. A file is replaced whole or not at all.
    Index(IndexArgs),
    /// Write calls and definitions as Parquet files.
    ///
    /// For engines such as DuckDB and Spark, and for `index --facts`. Below DIR, `calls`, `definitions`, `reads`,
    /// `uses` and `ledger` have a folder per source, and in it a file per commit.
    /// Equal sources give equal bytes. What is there and whole is kept, so a run that was stopped goes on where it was.
    #[allow(clippy::doc_markdown, reason = "the text is printed")]
    Facts(FactsArgs),
    /// Print every call site, and which parameters it passes.
    ///
    /// Prints one JSON object per call site, resolved or not, sorted by path, line and column. Calls of installed
    /// packages have the definition and the name of the package.
    Calls(CallsArgs),
    /// Print which installed packages the code uses, and how much.
    ///
    /// For each package that the code imports or reaches: its version, the number of files that import it, the calls
    /// that go to it, and the number of definitions and parameters that are used.
    Deps(DepsArgs),
    /// Write the API as it is used to one page of HTML.
    ///
    /// The page has the start page, the most used symbols with first calls, arguments, calls and members, and a search
    /// by name. It is one file that loads nothing, for people without a terminal.
    Report(ReportArgs),
    /// Say which calls another version or a change breaks.
    ///
    /// The code is resolved with both versions, and each use of the package gets a verdict: break (it fails), silent
    /// (it works and means something else), deprecated, unknown (it passes *args or **kwargs, or the other version does
    /// not show what is used). Only what the code uses is read. Nothing of it is executed. Nothing is downloaded but a
    /// repository that --to names by its URL.
    ///
    /// With --rev A..B and no package: what a change of the repository in PATH does to the uses of its own code. The
    /// tests, examples and documents of A are resolved with the code of both revisions. --rev A alone compares A with
    /// the files as they are; A...B begins where B left A.
    Breaks(BreaksArgs),
    /// Print every read of an attribute that the sources define.
    ///
    /// Prints one JSON object per read on a receiver of known type, in the form of `calls`, sorted by path, line and
    /// column.
    Reads(RowsArgs),
    /// Serve agents over the Model Context Protocol.
    ///
    /// An agent asks for the help of a module, finds symbols and reads sources, in the bytes that --export prints. The
    /// index is made behind the first request, and follows the files. Without --http the server speaks over standard
    /// input and output with the client that starts it.
    Serve(ServeArgs),
    /// Add the server to an agent's client, or take it back.
    ///
    /// Shows what changes in the client's file of servers, and a skill that tells an agent when to ask. With --write
    /// the files are changed, after asking on the terminal; everything else in them stays, and a copy of the file of
    /// servers stands beside it. With --remove both are as they were.
    Setup(SetupArgs),
    /// Say whether an index is stale, and which files have changed.
    ///
    /// Of a folder, the index that the cache keeps is checked; of a file that `index` wrote, the counts in it. An index
    /// is stale if a file has other content than when it was made, if files came or went, or if it is older than
    /// --max-age. The files are read, not parsed. The exit code is 0 in both cases.
    CheckIndex(CheckIndexArgs),
    /// Find what does something: symbols, recipes, documents.
    ///
    /// INTENT is what to do, such as "retry with backoff". Names, documentation, callers and documents are searched;
    /// what is public and much used comes first. No model is asked.
    Discover(DiscoverArgs),
    /// Search and print API documents: OpenAPI, Swagger 2.
    Docs(DocsArgs),
    /// Say which functions gather the context of a task, or gather it.
    ///
    /// The route follows from what the task names: a file, a symbol, a module, other words. No model is asked. With a
    /// source, names are looked up in its index, a file must exist, and the tokens are those of the answers; without
    /// one, they are estimates.
    Route(RouteArgs),
    /// Answer a question about the sources, with a model or without.
    ///
    /// Without a model, the best context that the sources have for the question is printed: stubs, recipes and sections
    /// of documents, within --max-tokens. With a model, the context is its first prompt; it may read more, and answers
    /// with code and with the places that the answer comes from. A place that was not read is marked.
    Ask(AskArgs),
    /// Run an agent that reads the files of a project.
    ///
    /// The agent lists and reads files below PATH, writes nothing, and prints its result. Its steps are said on
    /// standard error.
    Agent(AgentArgs),
    /// Show what is kept between runs, or clear it.
    ///
    /// A file that was parsed once is not parsed again: what it says is kept by its content, for all repositories and
    /// versions of a file, in the cache folder. What was used longest ago goes when there is more than 1 GB of it.
    /// --no-cache goes without it once, the environment variable APIDISC_CACHE=off always.
    #[allow(clippy::doc_markdown, reason = "the text is printed")]
    Cache(CacheArgs),
    /// Print what is configured, or where its files live.
    ///
    /// The explorer reads `config.toml` in the platform's folder for configurations: the theme, and the keys of every
    /// command. Begin one with: `apidisc-tui config --print`. A mistake in it is told in a line that says where it is
    /// and what to write; the rest of the file still counts.
    Config(ConfigArgs),
    /// Say what works here, and what to do about the rest.
    ///
    /// Looks at the terminal, its size and colours, the clipboard, git, the configuration, the folders of cache and
    /// state, the environment of PATH, and the models. Nothing is sent anywhere. The exit code is 1 if something that
    /// is configured or needed does not work.
    Doctor(DoctorArgs),
    /// Print what lets a shell complete options and commands.
    ///
    /// For bash: apidisc-tui completions bash > ~/.local/share/bash-completion/completions/apidisc-tui. For fish:
    /// apidisc-tui completions fish > ~/.config/fish/completions/apidisc-tui.fish. For zsh, _apidisc-tui in a folder of
    /// $fpath.
    Completions(CompletionsArgs),
    /// Print the manual page, of the program or of a command.
    ///
    /// To read it: apidisc-tui man | man -l -. To keep it: apidisc-tui man > ~/.local/share/man/man1/apidisc-tui.1
    Man(ManArgs),
}

impl Subcommands {
    pub(super) fn invocation(self) -> Result<Invocation, clap::Error> {
        match self {
            Self::Index(IndexArgs { source, facts, output, min_usage_threshold, common }) => {
                let (input, verbose) = (facts.map_or_else(|| source.into(), Input::Facts), common.verbose);
                Ok(Invocation::Index(WriteIndex { input, cache: common.cache(), output, min_usage_threshold, verbose }))
            }
            Self::Facts(facts) => Ok(Invocation::Facts(facts.into())),
            Self::Deps(DepsArgs { source, environment, format, output, common }) => {
                let (input, verbose, cache) = (source.into(), common.verbose, common.cache());
                let (environment, is_json) = (environment.into(), format == DepsFormat::Json);
                Ok(Invocation::Deps(PrintDependencies { input, cache, environment, is_json, output, verbose }))
            }
            Self::Report(ReportArgs { source, max_symbols, output, common }) => {
                let (input, verbose, cache) = (source.into(), common.verbose, common.cache());
                Ok(Invocation::Report(WriteReport { input, cache, most: max_symbols, output, verbose }))
            }
            Self::Breaks(args) => Ok(Invocation::Breaks(args.into())),
            Self::Calls(CallsArgs { rows, environment, explain, uses }) => {
                let RowsArgs { source, format: RowFormat::Jsonl, output, common } = rows;
                let (input, verbose, cache) = (source.into(), common.verbose, common.cache());
                let environment = environment.into();
                Ok(match explain {
                    _ if uses => Invocation::Uses(PrintUses { input, cache, output, verbose }),
                    Some(place) => Invocation::Explain(ExplainCalls { input, place, environment, cache, output }),
                    None => Invocation::Calls(PrintCalls { input, cache, environment, output, verbose }),
                })
            }
            Self::Reads(RowsArgs { source, format: RowFormat::Jsonl, output, common }) => {
                let (input, verbose, cache) = (source.into(), common.verbose, common.cache());
                Ok(Invocation::Reads(PrintReads { input, cache, output, verbose }))
            }
            Self::Serve(arguments) => Ok(arguments.invocation()),
            Self::Setup(arguments) => Ok(Invocation::Setup(arguments.into())),
            Self::CheckIndex(arguments) => arguments.check().map(Invocation::CheckIndex),
            Self::Discover(arguments) => Ok(Invocation::Discover(arguments.into())),
            Self::Docs(arguments) => arguments.command().map(Invocation::Docs),
            Self::Route(arguments) => Ok(Invocation::Route(arguments.into())),
            Self::Cache(arguments) => Ok(Invocation::Cache(arguments.into())),
            Self::Doctor(arguments) => Ok(Invocation::Doctor(arguments.into())),
            Self::Completions(CompletionsArgs { shell, help: _ }) => Ok(Invocation::Completions(Completions { shell })),
            Self::Man(ManArgs { command, help: _ }) => Ok(Invocation::Man(ManPage { command })),
            Self::Config(ConfigArgs { print, paths: _, help: _ }) => {
                Ok(Invocation::Config(if print { ShowConfig::Print } else { ShowConfig::Paths }))
            }
            Self::Ask(arguments) => arguments.command().map(Invocation::Ask),
            Self::Agent(arguments) => Ok(Invocation::Agent(arguments.into())),
        }
    }
}

#[derive(Args)]
pub(super) struct IndexArgs {
    #[command(flatten)]
    source: SourceArgs,
    /// Add up the facts that `apidisc-tui facts` wrote.
    #[arg(long, value_name = "DIR", help_heading = "What to look at")]
    #[arg(conflicts_with_all = ["path", "rev", "config", "demo"])]
    facts: Option<PathBuf>,
    /// The file to write; without it, standard output, or what --config names.
    #[arg(short, long, value_name = "FILE", help_heading = "Printing")]
    output: Option<PathBuf>,
    /// Leave definitions with fewer calls out of the file [default: 2].
    ///
    /// What the stub of a definition in the file depends on stays: its class, public members, types. 1 leaves out what
    /// is never called. 0 leaves out nothing, public or not: then every answer from the file is that from the sources.
    #[arg(long, value_name = "N", help_heading = "Printing")]
    min_usage_threshold: Option<u32>,
    #[command(flatten)]
    common: CommonArgs,
}

#[derive(Args)]
pub(super) struct RowsArgs {
    #[command(flatten)]
    source: SourceArgs,
    /// The form of a row.
    #[arg(long, value_enum, value_name = "FORMAT", help_heading = "Printing", default_value = "jsonl")]
    format: RowFormat,
    /// The file to write; without it, standard output.
    #[arg(short, long, value_name = "FILE", help_heading = "Printing")]
    output: Option<PathBuf>,
    #[command(flatten)]
    common: CommonArgs,
}

#[derive(Args)]
pub(super) struct DepsArgs {
    #[command(flatten)]
    source: SourceArgs,
    #[command(flatten)]
    environment: EnvironmentArgs,
    /// A table, or one JSON object per package.
    #[arg(long, value_enum, value_name = "FORMAT", help_heading = "Printing", default_value = "table")]
    format: DepsFormat,
    /// The file to write; without it, standard output.
    #[arg(short, long, value_name = "FILE", help_heading = "Printing")]
    output: Option<PathBuf>,
    #[command(flatten)]
    common: CommonArgs,
}

#[derive(Args)]
pub(super) struct ReportArgs {
    #[command(flatten)]
    source: SourceArgs,
    /// The greatest number of symbols: the most used ones are on the page.
    #[arg(long, value_name = "N", help_heading = "Printing", default_value_t = 1000)]
    max_symbols: usize,
    /// The file to write, such as api.html; without it, standard output.
    #[arg(short, long, value_name = "FILE", help_heading = "Printing")]
    output: Option<PathBuf>,
    #[command(flatten)]
    common: CommonArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum DepsFormat {
    Table,
    Json,
}

#[derive(Args)]
pub(super) struct CallsArgs {
    #[command(flatten)]
    rows: RowsArgs,
    #[command(flatten)]
    environment: EnvironmentArgs,
    /// Say in words how the calls of a line are resolved, instead of printing all.
    ///
    /// For each part of the callee: what it is, and which code says so; then what the call is counted for, or why for
    /// nothing. FILE is a path as `calls` prints it, or one that leads there from the working directory. COL, from 0 as
    /// `calls` prints it, picks one of several calls.
    #[arg(long, value_name = "FILE:LINE[:COL]", value_parser = AskedPlace::from_str, conflicts_with = "format")]
    #[arg(help_heading = "Printing")]
    explain: Option<AskedPlace>,
    /// Print the other uses instead: what is passed, held, a base, raised, caught, compared and so on.
    ///
    /// One JSON object for each place that names a function, class or constant of PATH and neither calls it nor reads
    /// an attribute: what it is (`kind`), which definition it names, in which function or class (`user`), and what
    /// takes or holds it (`to`, `param`, `key`).
    #[arg(long, conflicts_with_all = ["explain", "env", "no_deps"], help_heading = "Printing")]
    uses: bool,
}

#[derive(Args)]
#[command(group = ArgGroup::new("shown").required(true).multiple(false))]
pub(super) struct ConfigArgs {
    /// Print what is in force, as a file that can be changed.
    #[arg(long, group = "shown")]
    print: bool,
    /// Print where the configuration, themes, state and cache live.
    #[arg(long, group = "shown")]
    paths: bool,
    #[command(flatten)]
    help: HelpArg,
}

#[derive(Args)]
pub(super) struct CompletionsArgs {
    /// The shell.
    #[arg(value_name = "SHELL", value_enum)]
    shell: Shell,
    #[command(flatten)]
    help: HelpArg,
}

#[derive(Args)]
pub(super) struct ManArgs {
    /// The command; without one, the program.
    #[arg(value_name = "COMMAND", value_parser = PossibleValuesParser::new(ManPage::COMMANDS))]
    command: Option<String>,
    #[command(flatten)]
    help: HelpArg,
}

#[derive(Clone, Copy, ValueEnum)]
enum RowFormat {
    /// One JSON object a line
    Jsonl,
}
