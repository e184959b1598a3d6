//! The command line: its options, their help, and the invocation that results from them.

mod discover;
mod docs_option;
mod facts;
mod kept;
mod remedy;
mod request;
mod route;
mod serve;
mod source;
pub(super) mod text;

use std::{
    borrow::Cow,
    io::{self, Write as _},
    path::PathBuf,
};

use clap::{
    ArgAction, ArgGroup, Args, CommandFactory as _, Parser, Subcommand, ValueEnum, builder::PossibleValuesParser,
    error::ErrorKind,
};
use clap_complete::Shell;

use self::{
    discover::DiscoverArgs,
    facts::FactsArgs,
    kept::{CacheArgs, CheckIndexArgs},
    request::{PrintArgs, RequestArgs},
    route::RouteArgs,
    serve::ServeArgs,
    source::SourceArgs,
};
use super::{
    Check, CheckIndex, Completions, Evaluate, ExportOperation, ExportStub, GivenOptions, Input, ManPage, NAME,
    PrintCalls, PrintDiscovered, PrintReads, PrintRoute, RequestSource, Screenshot, Serve, ServerConfig, ShowCache,
    ShowConfig, WriteFacts, WriteIndex, note, output, terminal_text,
};
use crate::cache::Cache;
use apidisc::delivery::Format;

/// Shows the part of an API that people use, within a token budget.
///
/// apidisc-tui reads a repository, counts at every call site in its code, tests and examples which parameters are
/// really passed, and shows the part of the API that people use, within a token budget, in the exact bytes that an
/// agent would receive. It opens an explorer; with --export it prints those bytes instead.
#[derive(Parser)]
#[command(name = NAME, version, after_long_help = text::after_help(), max_term_width = 100)]
#[command(args_conflicts_with_subcommands = true, disable_help_subcommand = true)]
#[command(disable_help_flag = true, disable_version_flag = true)]
#[command(override_usage = "apidisc-tui [OPTIONS] [PATH]\n       apidisc-tui --export [OPTIONS] [PATH]\n       \
                            apidisc-tui <COMMAND> [OPTIONS]")]
struct CommandLine {
    #[command(subcommand)]
    command: Option<Subcommands>,
    #[command(flatten)]
    show: ShowArgs,
}

/// The heading of options that belong to no other group.
const OTHER: &str = "Other";

#[derive(Subcommand)]
#[command(disable_help_flag = true)]
enum Subcommands {
    /// Write what was counted to a file that --index reads.
    ///
    /// Writes `api_metadata.yaml`: for every definition its rank, its calls, and per parameter whether it is required
    /// and how often it is passed. A file is replaced whole or not at all.
    Index(IndexArgs),
    /// Write calls and definitions as Parquet files.
    ///
    /// For engines such as DuckDB and Spark, and for `index --facts`. Below DIR, `calls`, `definitions`, `reads` and
    /// `ledger` have a folder per source, and in it a file per commit.
    /// Equal sources give equal bytes. What is there and whole is kept, so a run that was stopped goes on where it was.
    #[allow(clippy::doc_markdown, reason = "the text is printed")]
    Facts(FactsArgs),
    /// Print every call site, and which parameters it passes.
    ///
    /// Prints one JSON object per call site, resolved or not, sorted by path, line and column.
    Calls(CallsArgs),
    /// Print every read of an attribute that the sources define.
    ///
    /// Prints one JSON object per read on a receiver of known type, in the form of `calls`, sorted by path, line and
    /// column.
    Reads(CallsArgs),
    /// Serve agents over the Model Context Protocol.
    ///
    /// An agent asks for the help of a module, finds symbols and reads sources, in the bytes that --export prints. The
    /// index is made behind the first request, and follows the files. Without --http the server speaks over standard
    /// input and output with the client that starts it.
    Serve(ServeArgs),
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
    /// Say which functions gather the context of a task, or gather it.
    ///
    /// The route follows from what the task names: a file, a symbol, a module, other words. No model is asked. With a
    /// source, names are looked up in its index, a file must exist, and the tokens are those of the answers; without
    /// one, they are estimates.
    Route(RouteArgs),
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

#[derive(Args)]
struct ShowArgs {
    #[command(flatten)]
    source: SourceArgs,
    /// Read what `apidisc-tui index` wrote, instead of a folder.
    #[arg(long, value_name = "FILE", help_heading = "What to look at", conflicts_with_all = ["path", "rev", "config", "demo"])]
    index: Option<PathBuf>,
    #[command(flatten)]
    request: RequestArgs,
    #[command(flatten)]
    print: PrintArgs,
    /// The explorer's colours: a theme by its name.
    ///
    /// One of those that `T` lists in the explorer, or one of your own.
    #[arg(long, value_name = "NAME", help_heading = "Explorer", conflicts_with = "printing")]
    theme: Option<String>,
    /// Use so many: auto, truecolor, 256, 16, never.
    ///
    /// By default as many as `COLORTERM` and `TERM` say, and none where `NO_COLOR` is set. The terminal is never asked.
    #[arg(
        long,
        value_name = "COLORS",
        help_heading = "Explorer",
        conflicts_with = "printing",
        hide_possible_values = true
    )]
    #[arg(value_parser = PossibleValuesParser::new(["auto", "truecolor", "256", "16", "never"]))]
    color: Option<String>,
    /// Draw bars, borders and marks with ASCII alone.
    #[arg(long, help_heading = "Explorer", conflicts_with = "printing", hide_short_help = true)]
    ascii: bool,
    /// Do not index again what is saved meanwhile.
    #[arg(long, help_heading = "Explorer", conflicts_with = "printing", hide_short_help = true)]
    no_watch: bool,
    /// Draw the screen into FILE, as SVG, and exit.
    ///
    /// No terminal is needed; `-` is standard output. The picture is that of the screen once everything is indexed: the
    /// same sources, options and keys give the same bytes.
    #[arg(long, value_name = "FILE", help_heading = "Explorer", conflicts_with = "printing")]
    screenshot: Option<PathBuf>,
    /// How large that screen is.
    #[arg(long, value_name = "COLSxROWS", help_heading = "Explorer", requires = "screenshot", hide_short_help = true)]
    #[arg(default_value = "120x36", value_parser = size)]
    size: (u16, u16),
    /// Press these keys first: /agent<enter><ctrl-d>.
    ///
    /// Characters as they are, others by the names that `apidisc-tui config --print` shows; the key `<` is <lt>. Keys
    /// that would copy, write or open something do nothing.
    #[arg(long, value_name = "KEYS", help_heading = "Explorer", requires = "screenshot", default_value = "")]
    #[arg(hide_short_help = true, hide_default_value = true, allow_hyphen_values = true)]
    keys: String,
    #[command(flatten)]
    common: CommonArgs,
    /// Print the version.
    #[arg(short = 'V', long, action = ArgAction::Version, help_heading = OTHER)]
    version: Option<bool>,
}

#[derive(Args)]
struct CommonArgs {
    /// Name every file that was not read in full, and why.
    #[arg(short, long, help_heading = OTHER)]
    verbose: bool,
    /// Parse every file anew, and keep nothing.
    ///
    /// Without it, what was parsed once is kept by its content in the cache folder: see `apidisc-tui cache`. The
    /// answers are the same.
    #[arg(long, help_heading = OTHER, hide_short_help = true)]
    no_cache: bool,
    #[command(flatten)]
    help: HelpArg,
}

impl CommonArgs {
    fn cache(&self) -> Option<Cache> {
        if self.no_cache { None } else { Cache::of_user() }
    }
}

#[derive(Args)]
struct HelpArg {
    /// Print help: -h on one screen, --help in full.
    #[arg(short, long, action = ArgAction::Help, help_heading = OTHER)]
    help: Option<bool>,
}

#[derive(Args)]
struct IndexArgs {
    #[command(flatten)]
    source: SourceArgs,
    /// Add up the facts that `apidisc-tui facts` wrote.
    #[arg(long, value_name = "DIR", help_heading = "What to look at", conflicts_with_all = ["path", "rev", "config", "demo"])]
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
struct CallsArgs {
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
#[command(group = ArgGroup::new("shown").required(true).multiple(false))]
struct ConfigArgs {
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
struct CompletionsArgs {
    /// The shell.
    #[arg(value_name = "SHELL", value_enum)]
    shell: Shell,
    #[command(flatten)]
    help: HelpArg,
}

#[derive(Args)]
struct ManArgs {
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

/// The action that a command line asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum Invocation {
    /// Opens the explorer.
    Explore(Explore),
    /// Draws the explorer's screen.
    Screenshot(Screenshot),
    /// Prints a stub.
    Export(ExportStub),
    /// Prints the stub of an operation of an API document.
    ExportOperation(ExportOperation),
    /// Checks whether the stub of a profile still meets its budget and coverage.
    Check(Check),
    /// Prints the held-out coverage of strategies.
    Evaluate(Evaluate),
    /// Writes an index.
    Index(WriteIndex),
    /// Writes facts.
    Facts(WriteFacts),
    /// Prints call sites.
    Calls(PrintCalls),
    /// Prints reads of attributes.
    Reads(PrintReads),
    /// Serves agents.
    Serve(Serve),
    /// Prints what sets a client of the server up.
    ServerConfig(ServerConfig),
    /// Says whether an index is stale.
    CheckIndex(CheckIndex),
    /// Prints what serves an intent.
    Discover(PrintDiscovered),
    /// Prints the route of a task, or its context.
    Route(PrintRoute),
    /// Shows or clears the cache.
    Cache(ShowCache),
    /// Prints the configuration.
    Config(ShowConfig),
    /// Prints a shell's completions.
    Completions(Completions),
    /// Prints a manual page.
    Man(ManPage),
}

/// The options of the explorer.
#[derive(Clone, Debug, PartialEq)]
pub struct Explore {
    /// The input.
    pub input: Input,
    /// The cache of facts; `None` to go without.
    pub cache: Option<Cache>,
    /// The stub that the explorer shows first.
    pub request: RequestSource,
    /// The settings that the command line gives; the others come from the last session.
    pub given: GivenOptions,
    /// The name of a theme.
    pub theme: Option<String>,
    /// The colour depth, as one of the words of the option.
    pub color: Option<String>,
    /// Only ASCII is drawn.
    pub ascii: bool,
    /// Changed files are not indexed again.
    pub no_watch: bool,
}

/// Parses the process's arguments. Help, the version and wrong usage end the process here: with exit code 0 or 2, or 1
/// if the help cannot be printed.
pub fn parse() -> Invocation {
    let read = CommandLine::try_parse().map_err(remedy::with_remedy).and_then(CommandLine::invocation);
    read.unwrap_or_else(|error| {
        let error = printable(error);
        let printed = error.print().and_then(|()| io::stdout().flush());
        if error.use_stderr() {
            std::process::exit(error.exit_code());
        }
        let outcome = output::standard_output(printed);
        std::process::exit(i32::from(outcome.inspect_err(|error| note(&error.to_string())).is_err()))
    })
}

/// The error with short lines without unprintable characters: words of the command line may be long, and hold any
/// character.
fn printable(error: clap::Error) -> clap::Error {
    let text = error.render().to_string();
    if !error.use_stderr() || text.lines().all(|line| matches!(terminal_text::line(line), Cow::Borrowed(_))) {
        return error;
    }
    let lines: Vec<Cow<'_, str>> = text.lines().map(terminal_text::line).collect();
    clap::Error::raw(error.kind(), lines.join("\n").trim_start_matches("error: ").to_owned() + "\n")
}

/// The definition of the command line, for completions and manual pages.
pub(super) fn definition() -> clap::Command {
    CommandLine::command()
}

impl CommandLine {
    fn invocation(self) -> Result<Invocation, clap::Error> {
        match self.command {
            None => self.show.invocation(),
            Some(Subcommands::Index(IndexArgs { source, facts, output, min_usage_threshold, common })) => {
                let (input, verbose) = (facts.map_or_else(|| source.into(), Input::Facts), common.verbose);
                Ok(Invocation::Index(WriteIndex { input, cache: common.cache(), output, min_usage_threshold, verbose }))
            }
            Some(Subcommands::Facts(facts)) => Ok(Invocation::Facts(facts.into())),
            Some(Subcommands::Calls(CallsArgs { source, format: RowFormat::Jsonl, output, common })) => {
                let (input, verbose, cache) = (source.into(), common.verbose, common.cache());
                Ok(Invocation::Calls(PrintCalls { input, cache, output, verbose }))
            }
            Some(Subcommands::Reads(CallsArgs { source, format: RowFormat::Jsonl, output, common })) => {
                let (input, verbose, cache) = (source.into(), common.verbose, common.cache());
                Ok(Invocation::Reads(PrintReads { input, cache, output, verbose }))
            }
            Some(Subcommands::Serve(arguments)) => Ok(arguments.invocation()),
            Some(Subcommands::CheckIndex(arguments)) => arguments.check().map(Invocation::CheckIndex),
            Some(Subcommands::Discover(arguments)) => Ok(Invocation::Discover(arguments.into())),
            Some(Subcommands::Route(arguments)) => Ok(Invocation::Route(arguments.into())),
            Some(Subcommands::Cache(arguments)) => Ok(Invocation::Cache(arguments.into())),
            Some(Subcommands::Completions(CompletionsArgs { shell, help: _ })) => {
                Ok(Invocation::Completions(Completions { shell }))
            }
            Some(Subcommands::Man(ManArgs { command, help: _ })) => Ok(Invocation::Man(ManPage { command })),
            Some(Subcommands::Config(ConfigArgs { print, paths: _, help: _ })) => {
                Ok(Invocation::Config(if print { ShowConfig::Print } else { ShowConfig::Paths }))
            }
        }
    }
}

impl ShowArgs {
    fn invocation(self) -> Result<Invocation, clap::Error> {
        let input = self.index.map_or_else(|| self.source.into(), Input::IndexFile);
        let cache = self.common.cache();
        if self.print.prints() {
            return self.print.invocation(input, cache, self.request, self.common.verbose);
        }
        let given = self.request.given();
        let request = self.request.source(Format::default())?;
        let Self { theme, color, ascii, no_watch, screenshot, size, keys, .. } = self;
        let explore = Explore { input, cache, request, given, theme, color, ascii, no_watch };
        Ok(match screenshot {
            Some(output) => Invocation::Screenshot(Screenshot { explore, output, size, keys }),
            None => Invocation::Explore(explore),
        })
    }
}

/// Parses the columns and rows of a window.
fn size(text: &str) -> Result<(u16, u16), String> {
    let (columns, rows) = text.split_once(['x', 'X', '×']).ok_or("write columns and rows, such as 120x36")?;
    let cells = |number: &str| number.parse().ok().filter(|cells| (1..=1000).contains(cells));
    cells(columns).zip(cells(rows)).ok_or_else(|| "write two numbers up to 1000, such as 120x36".to_owned())
}

fn wrong_usage(kind: ErrorKind, message: impl std::fmt::Display) -> clap::Error {
    CommandLine::command().error(kind, message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use apidisc::strategy::Strategy;

    fn strategy(line: &str) -> Result<Strategy, ErrorKind> {
        let words = std::iter::once("apidisc-tui").chain(line.split_whitespace());
        let parsed = CommandLine::try_parse_from(words).and_then(|args| args.show.request.strategy());
        parsed.map_err(|error| error.kind())
    }

    #[test]
    fn the_definition_of_the_command_line_is_valid() {
        CommandLine::command().debug_assert();
    }

    #[test]
    fn a_number_implies_its_strategy() {
        assert_eq!(strategy(""), Ok(Strategy::TokenBudget { max_tokens: 1000 }));
        assert_eq!(strategy("--max-tokens 70"), Ok(Strategy::TokenBudget { max_tokens: 70 }));
        assert_eq!(strategy("--min-frequency 0.5"), Ok(Strategy::Threshold { min_frequency: 0.5 }));
        assert_eq!(strategy("--target 1"), Ok(Strategy::Coverage { target: 1.0 }));
        assert_eq!(strategy("--strategy coverage"), Ok(Strategy::Coverage { target: 0.95 }));
    }

    #[test]
    fn contradictions_are_wrong_usage() {
        for line in [
            "--max-tokens 70 --min-frequency 0.5",
            "--strategy exhaustive --max-tokens 70",
            "--strategy coverage --min-frequency 0.5",
            "--demo some/path",
            "--config file some/path",
            "--config file --demo",
            "--config file --rev main",
            "--config file --offline --refresh",
            "--config file --index file",
            "--index file some/path",
            "--export --theme dark",
        ] {
            assert_eq!(strategy(line), Err(ErrorKind::ArgumentConflict), "{line}");
        }
        assert_eq!(strategy("--format json"), Err(ErrorKind::MissingRequiredArgument));
        assert_eq!(strategy("--min-frequency 20"), Err(ErrorKind::ValueValidation));
    }
}
