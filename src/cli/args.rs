//! The command line: its words, their help, and what they ask for.

use std::path::PathBuf;

use clap::{
    ArgGroup, Args, CommandFactory as _, Parser, Subcommand, ValueEnum,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
    error::{ContextKind, ContextValue, ErrorKind},
};

use super::{Calls, Envelope, Export, Input, Selection, WriteIndex};
use crate::engine::{strategy::Strategy, stub::Format, tokens::Encoding};

const EXAMPLES: &str = "\
Examples:
  Explore the repository you are in, or the bundled demo project:
    apidisc-tui
    apidisc-tui --demo

  The most used public API of a repository in a thousand tokens:
    apidisc-tui --export ~/src/adk-python

  One class, only what at least a third of its calls pass, as Markdown:
    apidisc-tui --export --symbol LlmAgent --min-frequency 0.33 --format markdown

  Count once, ask often:
    apidisc-tui index . -o /tmp/api_metadata.yaml
    apidisc-tui --export --index /tmp/api_metadata.yaml --symbol Client --max-tokens 400

  Which calls pass a parameter?
    apidisc-tui calls . | jq -c 'select(any(.args[]; .param == \"timeout\"))'

A folder that is named as a command is: apidisc-tui ./index

Exit codes: 0 done; 1 it failed, with one line that says why; 2 wrong usage.";

/// Shows the part of a Python API that people use, within a token budget.
///
/// apidisc-tui reads a repository, counts at every call site in its code, tests and examples which parameters are
/// really passed, and shows the part of the API that people use, within a token budget, in the exact bytes that an
/// agent would receive. Without --export it opens the explorer.
#[derive(Parser)]
#[command(name = "apidisc-tui", version, after_long_help = EXAMPLES, max_term_width = 100)]
#[command(args_conflicts_with_subcommands = true, disable_help_subcommand = true)]
#[command(override_usage = "apidisc-tui [OPTIONS] [PATH]\n       apidisc-tui --export [OPTIONS] [PATH]\n       \
                            apidisc-tui index [OPTIONS] [PATH]\n       apidisc-tui calls [OPTIONS] [PATH]")]
struct CommandLine {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    show: ShowArgs,
}

#[derive(Subcommand)]
enum Command {
    /// Write what was counted to a file that --index reads.
    ///
    /// Writes `api_metadata.yaml`: for every definition its rank, its calls, and per parameter whether it is required and
    /// how often it is passed. A file is replaced whole or not at all.
    Index(IndexArgs),
    /// Print every call site: what it calls and which parameters it passes.
    ///
    /// Prints one JSON object per call site, resolved or not, sorted by path, line and column.
    Calls(CallsArgs),
}

#[derive(Args)]
struct ShowArgs {
    #[command(flatten)]
    source: SourceArgs,
    /// Read an index that `apidisc-tui index` wrote, instead of a folder.
    #[arg(long, value_name = "FILE", help_heading = "What to look at", conflicts_with_all = ["path", "demo"])]
    index: Option<PathBuf>,
    #[command(flatten)]
    selection: SelectionArgs,
    #[command(flatten)]
    export: ExportArgs,
    /// The explorer's colours: a theme by name.
    #[arg(long, value_name = "NAME", help_heading = "Explorer", conflicts_with = "export")]
    theme: Option<String>,
    #[command(flatten)]
    common: CommonArgs,
}

#[derive(Args)]
struct SourceArgs {
    /// The folder of source code to index [default: .].
    #[arg(value_name = "PATH")]
    path: Option<PathBuf>,
    /// Look at the bundled demo project.
    #[arg(long, help_heading = "What to look at", conflicts_with = "path")]
    demo: bool,
}

#[derive(Args)]
#[command(group = ArgGroup::new("number").multiple(false))]
struct SelectionArgs {
    /// A module, or a package with everything below it.
    ///
    /// In full (google.adk.agents), by an alias, or by a suffix that only one has (agents).
    #[arg(long, value_name = "FQN", help_heading = "What to look at")]
    module: Option<String>,
    /// A class or function, likewise by its full name, an alias or a suffix.
    #[arg(long, value_name = "NAME", help_heading = "What to look at")]
    symbol: Option<String>,
    /// How the API is cut [default: token-budget].
    #[arg(long, value_enum, value_name = "STRATEGY", help_heading = "How to cut it")]
    strategy: Option<StrategyName>,
    /// Fit into N tokens; implies --strategy token-budget [default: 1000].
    ///
    /// The delivered stub, the envelope of Markdown included, never takes more.
    #[arg(long, value_name = "N", help_heading = "How to cut it", group = "number", allow_negative_numbers = true)]
    max_tokens: Option<usize>,
    /// Keep what at least this share of calls pass; implies --strategy threshold [default: 0.2].
    #[arg(long, value_name = "F", help_heading = "How to cut it", allow_negative_numbers = true, group = "number", value_parser = share)]
    min_frequency: Option<f64>,
    /// Make this share of real calls possible; implies --strategy coverage [default: 0.95].
    #[arg(long, value_name = "F", help_heading = "How to cut it", allow_negative_numbers = true, group = "number", value_parser = share)]
    target: Option<f64>,
    /// The tokenizer that counts.
    #[arg(long, value_name = "ENCODING", help_heading = "How to cut it", value_parser = encoding())]
    #[arg(default_value_t)]
    encoding: Encoding,
}

#[derive(Args)]
struct ExportArgs {
    /// Print the stub and exit: the same bytes that the explorer shows and copies.
    #[arg(long, help_heading = "Printing")]
    export: bool,
    /// What is put around the stub [default: stub].
    #[arg(long, value_enum, value_name = "FORMAT", help_heading = "Printing", requires = "export")]
    format: Option<FormatName>,
    /// Write to FILE, which is replaced whole or not at all; `-` is standard output.
    #[arg(short, long, value_name = "FILE", help_heading = "Printing", requires = "export")]
    output: Option<PathBuf>,
    /// Copy the same bytes to the clipboard too.
    #[arg(long, help_heading = "Printing", requires = "export")]
    copy: bool,
}

#[derive(Args)]
struct CommonArgs {
    /// Name every file that could not be read in full, and why.
    #[arg(short, long)]
    verbose: bool,
}

#[derive(Args)]
struct IndexArgs {
    #[command(flatten)]
    source: SourceArgs,
    /// The file to write; without it, standard output.
    #[arg(short, long, value_name = "FILE", help_heading = "Printing")]
    output: Option<PathBuf>,
    /// Leave definitions with fewer calls out of the file.
    #[arg(long, value_name = "N", help_heading = "Printing", default_value_t = 2)]
    min_usage_threshold: u32,
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

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum StrategyName {
    /// The most coverage that fits into --max-tokens
    TokenBudget,
    /// What at least --min-frequency of the calls pass
    Threshold,
    /// The smallest stub that makes --target of the real calls possible
    Coverage,
    /// Everything
    Exhaustive,
}

#[derive(Clone, Copy, ValueEnum)]
enum FormatName {
    /// The stub alone: a valid Python file
    Stub,
    /// A heading and a fenced block
    Markdown,
    /// One object that holds the stub, its tokens and its coverage
    Json,
    /// The same in YAML
    Yaml,
}

#[derive(Clone, Copy, ValueEnum)]
enum RowFormat {
    /// One JSON object a line
    Jsonl,
}

/// What a command line asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum Invocation {
    /// Open the explorer.
    Explore(Explore),
    /// Print a stub.
    Export(Export),
    /// Write an index.
    Index(WriteIndex),
    /// Print call sites.
    Calls(Calls),
}

/// What the explorer opens with.
#[derive(Clone, Debug, PartialEq)]
pub struct Explore {
    /// What is indexed behind it.
    pub input: Input,
    /// What it shows first.
    pub selection: Selection,
    /// The theme's name.
    pub theme: Option<String>,
}

/// Reads the process's arguments. Help, the version and wrong usage end the process here, with 0 or 2.
pub fn parse() -> Invocation {
    CommandLine::try_parse().map_err(plainer).and_then(CommandLine::invocation).unwrap_or_else(|error| error.exit())
}

/// A second path is taken for a command that does not exist.
fn plainer(error: clap::Error) -> clap::Error {
    match error.get(ContextKind::InvalidSubcommand) {
        Some(ContextValue::String(word))
            if error.kind() == ErrorKind::ArgumentConflict && !matches!(word.as_str(), "index" | "calls") =>
        {
            let message = format!("one PATH at a time: `{}` is a second one", word.escape_debug());
            CommandLine::command().error(ErrorKind::TooManyValues, message)
        }
        _ => error,
    }
}

impl CommandLine {
    fn invocation(self) -> Result<Invocation, clap::Error> {
        match self.command {
            None => self.show.invocation(),
            Some(Command::Index(IndexArgs { source, output, min_usage_threshold, common })) => {
                let (input, verbose) = (source.into(), common.verbose);
                Ok(Invocation::Index(WriteIndex { input, output, min_usage_threshold, verbose }))
            }
            Some(Command::Calls(CallsArgs { source, format: RowFormat::Jsonl, output, common })) => {
                Ok(Invocation::Calls(Calls { input: source.into(), output, verbose: common.verbose }))
            }
        }
    }
}

impl ShowArgs {
    fn invocation(self) -> Result<Invocation, clap::Error> {
        let strategy = self.selection.strategy()?;
        let SelectionArgs { module, symbol, encoding, .. } = self.selection;
        let selection = Selection { module, symbol, strategy, encoding };
        let input = self.index.map_or_else(|| self.source.into(), Input::IndexFile);
        let ExportArgs { export, format, output, copy } = self.export;
        if !export {
            return Ok(Invocation::Explore(Explore { input, selection, theme: self.theme }));
        }
        let envelope = Envelope { format: format.map_or_else(Format::default, Into::into), output, copy };
        Ok(Invocation::Export(Export { input, selection, envelope, verbose: self.common.verbose }))
    }
}

impl SelectionArgs {
    /// The strategy that is named, or that the one given number implies.
    fn strategy(&self) -> Result<Strategy, clap::Error> {
        let number = [
            self.max_tokens.map(|_| ("--max-tokens", StrategyName::TokenBudget)),
            self.min_frequency.map(|_| ("--min-frequency", StrategyName::Threshold)),
            self.target.map(|_| ("--target", StrategyName::Coverage)),
        ];
        let number = number.into_iter().flatten().next();
        if let (Some(named), Some((flag, implied))) = (self.strategy, number)
            && named != implied
        {
            let [named, implied] = [named, implied].map(word);
            let message = format!("{flag} belongs to --strategy {implied}, not to --strategy {named}");
            return Err(CommandLine::command().error(ErrorKind::ArgumentConflict, message));
        }
        let name = self.strategy.or(number.map(|(_, implied)| implied)).unwrap_or(StrategyName::TokenBudget);
        Ok(match name {
            StrategyName::TokenBudget => Strategy::TokenBudget { max_tokens: self.max_tokens.unwrap_or(1000) },
            StrategyName::Threshold => Strategy::Threshold { min_frequency: self.min_frequency.unwrap_or(0.2) },
            StrategyName::Coverage => Strategy::Coverage { target: self.target.unwrap_or(0.95) },
            StrategyName::Exhaustive => Strategy::Exhaustive,
        })
    }
}

fn word(name: StrategyName) -> String {
    name.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
}

fn encoding() -> impl TypedValueParser<Value = Encoding> {
    let names = Encoding::ALL.map(|encoding| PossibleValue::new(encoding.name()));
    PossibleValuesParser::new(names.into_iter().chain([PossibleValue::new("gpt2").hide(true)]))
        .try_map(|name| name.parse::<Encoding>())
}

fn share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        Ok(percent) if (1.0..=100.0).contains(&percent) => {
            Err(format!("a share is between 0 and 1; for {percent}% write {}", percent / 100.0))
        }
        _ => Err("a share is a number between 0 and 1, such as 0.2".to_owned()),
    }
}

impl From<SourceArgs> for Input {
    fn from(SourceArgs { path, demo }: SourceArgs) -> Self {
        if demo { Self::Demo } else { Self::Folder(path.unwrap_or_else(|| PathBuf::from("."))) }
    }
}

impl From<FormatName> for Format {
    fn from(name: FormatName) -> Self {
        match name {
            FormatName::Stub => Self::Stub,
            FormatName::Markdown => Self::Markdown,
            FormatName::Json => Self::Json,
            FormatName::Yaml => Self::Yaml,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strategy(line: &str) -> Result<Strategy, ErrorKind> {
        let words = std::iter::once("apidisc-tui").chain(line.split_whitespace());
        let parsed = CommandLine::try_parse_from(words).and_then(|args| args.show.selection.strategy());
        parsed.map_err(|error| error.kind())
    }

    #[test]
    fn the_definition_of_the_command_line_holds_together() {
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
            "--index file some/path",
            "--export --theme dark",
        ] {
            assert_eq!(strategy(line), Err(ErrorKind::ArgumentConflict), "{line}");
        }
        assert_eq!(strategy("--format json"), Err(ErrorKind::MissingRequiredArgument));
        assert_eq!(strategy("--min-frequency 20"), Err(ErrorKind::ValueValidation));
    }
}
