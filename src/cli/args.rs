//! The command line: its options, their help, and the invocation that results from them.

mod agent_run;
mod allow;
mod ask;
mod breaks;
mod cache;
mod commands;
mod discover;
mod docs;
mod docs_option;
mod doctor;
mod environment;
mod facts;
mod model;
mod print;
mod remedy;
mod request;
mod route;
mod serve;
mod setup;
mod source;
pub(super) mod text;
mod values;

use std::{
    borrow::Cow,
    io::{self, Write as _},
    path::PathBuf,
};

use clap::{ArgAction, Args, CommandFactory as _, Parser, builder::PossibleValuesParser, error::ErrorKind};

use self::{commands::Subcommands, model::ModelArg, print::PrintArgs, request::RequestArgs, source::SourceArgs};
use super::{
    Ask, Check, CheckIndex, Completions, Doctor, Evaluate, ExplainCalls, ExportOperation, ExportStub, GivenOptions,
    Input, ManPage, NAME, PrintBreaks, PrintCalls, PrintDependencies, PrintDiscovered, PrintDocs, PrintReads,
    PrintRoute, PrintUses, PrintVersion, RequestSource, RunAgent, Screenshot, Serve, ServerConfig, Setup, ShowCache,
    ShowConfig, WriteFacts, WriteIndex, WriteReport, note, output, terminal_text,
};
use crate::cache::Cache;
use apidisc::{delivery::Format, environment::python::EnvironmentSetting};

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

#[derive(Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
struct ShowArgs {
    #[command(flatten)]
    source: SourceArgs,
    /// Read what `apidisc-tui index` wrote, instead of a folder.
    #[arg(long, value_name = "FILE", help_heading = "What to look at")]
    #[arg(conflicts_with_all = ["path", "rev", "config", "demo"])]
    index: Option<PathBuf>,
    #[command(flatten)]
    request: RequestArgs,
    #[command(flatten)]
    print: PrintArgs,
    /// The explorer's colours: a theme by its name.
    ///
    /// One of those that `T` lists in the explorer, or one of your own.
    #[arg(long, value_name = "NAME", help_heading = "Explorer", conflicts_with = "printing", hide_short_help = true)]
    theme: Option<String>,
    /// Use so many: auto, truecolor, 256, 16, never.
    ///
    /// By default as many as `COLORTERM` and `TERM` say, and none where `NO_COLOR` is set. The terminal is never asked.
    #[arg(
        long,
        hide_short_help = true,
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
    /// Do not restore the state of the last session.
    ///
    /// The explorer replaces the saved state when it ends.
    #[arg(long, help_heading = "Explorer", conflicts_with = "printing", hide_short_help = true)]
    fresh: bool,
    #[command(flatten, next_help_heading = "Explorer")]
    model: ModelArg,
    /// Draw the screen into FILE, as SVG, and exit.
    ///
    /// No terminal is needed; `-` is standard output. The picture is that of the screen once everything is indexed: the
    /// same sources, options and keys give the same bytes.
    #[arg(long, value_name = "FILE", help_heading = "Explorer", conflicts_with = "printing", hide_short_help = true)]
    screenshot: Option<PathBuf>,
    /// How large that screen is.
    #[arg(long, value_name = "COLSxROWS", help_heading = "Explorer", requires = "screenshot", hide_short_help = true)]
    #[arg(default_value = "120x36", value_parser = size)]
    size: (u16, u16),
    /// Press these keys first: /agent<enter><ctrl-d>.
    ///
    /// Characters as they are, others by the names that `apidisc-tui config --print` shows; the key `<` is <lt>. Keys
    /// that would copy, write or open something do nothing. Given more than once, the picture moves: it shows the
    /// screen after each, with these keys below.
    #[arg(long, value_name = "KEYS", help_heading = "Explorer", requires = "screenshot")]
    #[arg(hide_short_help = true, allow_hyphen_values = true)]
    keys: Vec<String>,
    #[command(flatten)]
    common: CommonArgs,
    /// Print the version; with --verbose, how it was built.
    #[arg(short = 'V', long, help_heading = OTHER)]
    version: bool,
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
    /// Prints the packages that are used.
    Deps(PrintDependencies),
    /// Writes a page of HTML.
    Report(WriteReport),
    /// Prints what another version of a package breaks.
    Breaks(PrintBreaks),
    /// Says how calls are resolved.
    Explain(ExplainCalls),
    /// Prints reads of attributes.
    Reads(PrintReads),
    /// Print the uses that are neither calls nor reads.
    Uses(PrintUses),
    /// Serves agents.
    Serve(Serve),
    /// Prints the configuration of a client of the server.
    ServerConfig(ServerConfig),
    /// Sets a client of the server up.
    Setup(Setup),
    /// Says whether an index is stale.
    CheckIndex(CheckIndex),
    /// Prints the results of a search by intent.
    Discover(PrintDiscovered),
    /// Prints API documents.
    Docs(PrintDocs),
    /// Prints the route of a task, or its context.
    Route(PrintRoute),
    /// Answers a question.
    Ask(Ask),
    /// Runs an agent.
    Agent(RunAgent),
    /// Shows or clears the cache.
    Cache(ShowCache),
    /// Prints the configuration.
    Config(ShowConfig),
    /// Says what works here, and what to do about the rest.
    Doctor(Doctor),
    /// Prints the version.
    Version(PrintVersion),
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
    /// The folder of a model of word vectors; `None` for the one that comes with the program.
    pub model: Option<PathBuf>,
    /// The stub that the explorer shows first.
    pub request: RequestSource,
    /// The settings that the command line gives; the others come from the last session.
    pub given: GivenOptions,
    /// The file or folder of the API documents; `None` for those in the sources.
    pub documents: Option<PathBuf>,
    /// The environment that holds the packages which the code uses.
    pub environment: EnvironmentSetting,
    /// The name of a theme.
    pub theme: Option<String>,
    /// The colour depth, as one of the words of the option.
    pub color: Option<String>,
    /// Only ASCII is drawn.
    pub ascii: bool,
    /// Changed files are not indexed again.
    pub no_watch: bool,
    /// The state of the last session is not restored.
    pub fresh: bool,
}

/// Parses the process's arguments. Help and wrong usage end the process here: with exit code 0 or 2, or 1 if the help
/// cannot be printed.
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
            Some(command) => command.invocation(),
        }
    }
}

impl ShowArgs {
    fn invocation(self) -> Result<Invocation, clap::Error> {
        if self.version {
            return Ok(Invocation::Version(PrintVersion { verbose: self.common.verbose }));
        }
        let input = self.index.map_or_else(|| self.source.into(), Input::IndexFile);
        let cache = self.common.cache();
        if self.print.prints() {
            return self.print.invocation(input, cache, self.request, self.common.verbose);
        }
        let mut request = self.request;
        let documents = request.take_documents();
        let given = request.given();
        let request = request.source(Format::default())?;
        let Self { theme, model, color, ascii, no_watch, fresh, screenshot, size, keys, .. } = self;
        let (model, environment) = (model.model, self.print.environment());
        let explore = Explore {
            input,
            cache,
            model,
            request,
            given,
            documents,
            environment,
            theme,
            color,
            ascii,
            no_watch,
            fresh,
        };
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
        assert_eq!(strategy("--budget 70"), Ok(Strategy::TokenBudget { max_tokens: 70 }));
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
