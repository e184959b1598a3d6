//! The options of a command line without a command: which stub is requested, and how it is printed.

use std::path::PathBuf;

use clap::{
    ArgGroup, Args, ValueEnum,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
    error::ErrorKind,
};

use super::{Invocation, docs_option::DocsOption, wrong_usage};
use crate::cache::Cache;
use crate::cli::{Check, Evaluate, ExportOperation, ExportStub, GivenOptions, Input, Measured, RequestSource};
use apidisc::{
    delivery::{Format, StubRequest},
    overrides::{OverrideTarget, Overrides},
    strategy::Strategy,
    stub::{Docs, Wording},
    tokens::Encoding,
    usage::Weights,
};

/// The options that a profile replaces; they cannot be combined with `--profile`.
const IN_A_PROFILE: [&str; 13] = [
    "module",
    "symbol",
    "strategy",
    "max_tokens",
    "min_frequency",
    "target",
    "wording",
    "docs",
    "encoding",
    "format",
    "weights",
    "pin",
    "ban",
];

#[derive(Args)]
#[command(group = ArgGroup::new("number").multiple(false))]
pub(super) struct RequestArgs {
    /// A module, or a package with all that is below it.
    ///
    /// In full (google.adk.agents), by an alias, or by a suffix that only one has (agents). A package stands for its
    /// public API, ranked together.
    #[arg(long, value_name = "FQN", help_heading = "What to look at")]
    module: Option<String>,
    /// A class or function, by its name likewise.
    #[arg(long, value_name = "NAME", help_heading = "What to look at")]
    symbol: Option<String>,
    /// token-budget, threshold, coverage, exhaustive.
    ///
    /// token-budget, the default: the most coverage that fits into --max-tokens.
    ///
    /// threshold: what at least --min-frequency of the calls pass.
    ///
    /// coverage: the smallest stub that makes --target of the calls possible.
    ///
    /// exhaustive: everything. Required arguments always stay.
    #[arg(long, value_enum, value_name = "NAME", help_heading = "How to cut it")]
    #[arg(hide_possible_values = true)]
    strategy: Option<StrategyName>,
    /// Fit into N tokens [default: 1000].
    ///
    /// Implies --strategy token-budget. The delivered stub, the envelope of Markdown included, never takes more.
    #[arg(long, value_name = "N", help_heading = "How to cut it", group = "number", allow_negative_numbers = true)]
    #[arg(value_parser = tokens)]
    max_tokens: Option<usize>,
    /// Keep what F of the calls pass [default: 0.2].
    ///
    /// F is a share, from 0 to 1. Implies --strategy threshold.
    #[arg(long, value_name = "F", help_heading = "How to cut it", allow_negative_numbers = true, group = "number", value_parser = share, hide_short_help = true)]
    min_frequency: Option<f64>,
    /// Make F of the calls possible [default: 0.95].
    ///
    /// F is a share, from 0 to 1. Implies --strategy coverage.
    #[arg(long, value_name = "F", help_heading = "How to cut it", allow_negative_numbers = true, group = "number", value_parser = share, hide_short_help = true)]
    target: Option<f64>,
    /// auto, full, lean, calls.
    ///
    /// auto, the default: within --max-tokens, what is used most in full, what follows on one line, and the rest as
    /// call shapes; without a budget everything in full.
    ///
    /// full: types, required arguments, shares, a line for each argument.
    ///
    /// lean: one line with types, short defaults and shares.
    ///
    /// calls: one line with names only, as in get(self, url, *, timeout=...).
    #[arg(long, value_name = "NAME", help_heading = "How to cut it", value_parser = wording())]
    #[arg(hide_possible_values = true)]
    wording: Option<Wording>,
    /// none, summary, full.
    ///
    /// What the sources say of members and arguments. A deprecation is always written.
    ///
    /// summary, the default: first sentences, as far as the budget allows.
    ///
    /// full: all that is said of members, arguments, results and errors.
    ///
    /// Or a FILE or folder with OpenAPI documents: the explorer lists them, in place of those in PATH. With --export,
    /// --symbol names an operation, as in 'POST /campaigns', whose use the calls of the API in PATH say, or a schema, or
    /// the id of another part.
    #[arg(long, value_name = "NAME|FILE", help_heading = "How to cut it", value_parser = DocsOption::read)]
    docs: Option<DocsOption>,
    /// Show a member or an argument in any case.
    ///
    /// Written Client, Client.get, Client(timeout). May be given several times. What is pinned is shown within the
    /// budget, or the answer is the budget that it takes.
    #[arg(long, value_name = "NAME", help_heading = "How to cut it")]
    pin: Vec<OverrideTarget>,
    /// Never show a member or an argument.
    ///
    /// Written likewise; may be given several times. Calls that need what is banned count as not covered; required
    /// arguments stay.
    #[arg(long, value_name = "NAME", help_heading = "How to cut it")]
    ban: Vec<OverrideTarget>,
    /// Count calls by where they stand: tests=0,examples=3.
    ///
    /// For src, tests, examples and docs, from 0 to 10, otherwise 1: 0 leaves the calls out, 3 counts each of them
    /// three times.
    #[arg(long, value_name = "WEIGHTS", help_heading = "How to cut it")]
    weights: Option<Weights>,
    #[arg(help = "The tokenizer that counts [default: o200k_base]", long_help = encodings())]
    #[arg(long, value_name = "NAME", help_heading = "How to cut it", value_parser = encoding())]
    #[arg(hide_possible_values = true, hide_short_help = true)]
    encoding: Option<Encoding>,
    /// Take all of this from a profile.
    ///
    /// By NAME from PATH/.apidisc/NAME.toml, or from a FILE. The explorer saves profiles. Only printing is left to say:
    /// -o, --copy.
    #[arg(long, value_name = "NAME|FILE", help_heading = "How to cut it", conflicts_with_all = IN_A_PROFILE)]
    profile: Option<String>,
}

#[derive(Args)]
#[command(group = ArgGroup::new("printing").multiple(false))]
#[allow(clippy::struct_excessive_bools)] // one a flag
pub(super) struct PrintArgs {
    /// Print the stub and exit.
    ///
    /// The same bytes that the explorer shows and copies.
    #[arg(long, help_heading = "Printing", group = "printing")]
    export: bool,
    /// Print whether --profile still holds.
    ///
    /// The exit code is 1 where its stub breaks its budget or falls below its coverage.
    #[arg(long, help_heading = "Printing", group = "printing", requires = "profile")]
    check: bool,
    /// Print how stubs do on calls they were not cut from.
    ///
    /// Calls are counted in four fifths of the files, and coverage is measured on those of the rest, five times over.
    /// Beside it stand naive ways to prune.
    #[arg(long, help_heading = "Printing", group = "printing")]
    evaluate: bool,
    /// Evaluate these strategies.
    ///
    /// A list such as token-budget,threshold=0.2,coverage=0.95,exhaustive, which is the default.
    #[arg(long, value_name = "LIST", help_heading = "Printing", requires = "evaluate", value_delimiter = ',')]
    #[arg(hide_short_help = true)]
    #[arg(conflicts_with_all = ["strategy", "max_tokens", "min_frequency", "target"], value_parser = measured)]
    strategies: Vec<Measured>,
    /// Evaluate these budgets [default: 500,1000,2000,4000].
    #[arg(long, value_name = "LIST", help_heading = "Printing", requires = "evaluate", value_delimiter = ',')]
    #[arg(hide_short_help = true)]
    #[arg(conflicts_with_all = ["strategy", "max_tokens", "min_frequency", "target"], value_parser = tokens)]
    budgets: Vec<usize>,
    /// stub, markdown, json, yaml; of --evaluate table, json.
    ///
    /// stub, the default: valid Python or TypeScript and nothing else.
    ///
    /// markdown: a heading and a fenced block.
    ///
    /// json: one object that holds the stub, its tokens and its coverage.
    ///
    /// yaml: the same in YAML.
    ///
    /// table: lines for people; the default of --evaluate.
    #[arg(long, value_enum, value_name = "FORMAT", help_heading = "Printing", requires = "printing")]
    #[arg(hide_possible_values = true)]
    format: Option<FormatName>,
    /// Write to FILE, whole or not at all.
    ///
    /// What is there is replaced; `-` is standard output.
    #[arg(short, long, value_name = "FILE", help_heading = "Printing", requires = "printing")]
    output: Option<PathBuf>,
    /// Copy the same bytes to the clipboard too.
    #[arg(long, help_heading = "Printing", requires = "export")]
    copy: bool,
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

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FormatName {
    /// The stub alone: a valid Python file
    Stub,
    /// A heading and a fenced block
    Markdown,
    /// One object that holds the stub, its tokens and its coverage
    Json,
    /// The same in YAML
    Yaml,
    /// Of --evaluate: lines for people
    Table,
}

impl PrintArgs {
    /// True if something is printed instead of opening the explorer.
    pub(super) fn prints(&self) -> bool {
        self.export || self.check || self.evaluate
    }

    /// The invocation that prints.
    pub(super) fn invocation(
        self,
        input: Input,
        cache: Option<Cache>,
        request: RequestArgs,
        verbose: bool,
    ) -> Result<Invocation, clap::Error> {
        // clap accepts these options without the option that they require, since options of different ways to print
        // exclude each other.
        let stray = [
            (!self.evaluate && !self.strategies.is_empty(), "--strategies", "--evaluate"),
            (!self.evaluate && !self.budgets.is_empty(), "--budgets", "--evaluate"),
            (!self.export && self.copy, "--copy", "--export"),
        ];
        if let Some((_, option, owner)) = stray.into_iter().find(|(is_stray, ..)| *is_stray) {
            return Err(wrong_usage(ErrorKind::ArgumentConflict, format!("{option} belongs to {owner}")));
        }
        let output = self.output;
        if self.check {
            let profile = request.profile.unwrap_or_default();
            return Ok(Invocation::Check(Check { input, cache, profile, output, verbose }));
        }
        let format = match self.format {
            None => Format::default(),
            Some(FormatName::Stub) => Format::Stub,
            Some(FormatName::Markdown) => Format::Markdown,
            Some(FormatName::Json) => Format::Json,
            Some(FormatName::Yaml) => Format::Yaml,
            Some(FormatName::Table) if self.evaluate => Format::default(),
            Some(FormatName::Table) => {
                return Err(wrong_usage(ErrorKind::ArgumentConflict, "--format table belongs to --evaluate"));
            }
        };
        if !self.evaluate {
            if let Some(DocsOption::Documents(documents)) = &request.docs {
                let documents = documents.clone();
                let (output, copy) = (output, self.copy);
                let operation = request.operation(format)?;
                return Ok(Invocation::ExportOperation(ExportOperation {
                    input,
                    cache,
                    documents,
                    output,
                    copy,
                    verbose,
                    symbol: operation.symbol,
                    max_tokens: operation.max_tokens,
                    encoding: operation.encoding,
                    json: format == Format::Json,
                }));
            }
            let request = request.source(format)?;
            return Ok(Invocation::Export(ExportStub { input, cache, request, output, copy: self.copy, verbose }));
        }
        let json = match self.format {
            None | Some(FormatName::Table) => false,
            Some(FormatName::Json) => true,
            Some(_) => {
                return Err(wrong_usage(ErrorKind::ArgumentConflict, "--evaluate prints --format table or json"));
            }
        };
        let mut strategies = self.strategies;
        let is_named = request.profile.is_some() || request.names_a_strategy();
        if strategies.is_empty() && !(is_named && self.budgets.is_empty()) {
            strategies = if self.budgets.is_empty() { Measured::usual() } else { vec![Measured::Budgets] };
        }
        let request = request.source(Format::default())?;
        Ok(Invocation::Evaluate(Evaluate {
            input,
            cache,
            request,
            strategies,
            budgets: self.budgets,
            json,
            output,
            verbose,
        }))
    }
}

/// The options of a stub of an operation.
struct OperationOptions {
    symbol: String,
    max_tokens: Option<usize>,
    encoding: Encoding,
}

impl RequestArgs {
    /// Takes the file or folder of API documents out of `--docs`, which then names no amount of documentation.
    pub(super) fn take_documents(&mut self) -> Option<PathBuf> {
        match self.docs.take() {
            Some(DocsOption::Documents(documents)) => Some(documents),
            docs => {
                self.docs = docs;
                None
            }
        }
    }

    /// The options of the stub of an operation. Others contradict `--docs FILE`.
    fn operation(self, format: Format) -> Result<OperationOptions, clap::Error> {
        let refused = |what: &str| wrong_usage(ErrorKind::ArgumentConflict, format!("--docs FILE {what}"));
        let max_tokens = match self.strategy()? {
            Strategy::TokenBudget { max_tokens } => Some(max_tokens),
            Strategy::Exhaustive => None,
            _ => return Err(refused("takes --strategy token-budget or exhaustive")),
        };
        if !matches!(format, Format::Stub | Format::Json) {
            return Err(refused("prints --format stub or json"));
        }
        if self.module.is_some() || self.wording.is_some() || !self.pin.is_empty() || !self.ban.is_empty() {
            return Err(refused("takes no --module, --wording, --pin or --ban"));
        }
        let symbol = self.symbol.ok_or_else(|| {
            wrong_usage(ErrorKind::MissingRequiredArgument, "--docs FILE needs --symbol, such as 'POST /campaigns'")
        })?;
        Ok(OperationOptions { symbol, max_tokens, encoding: self.encoding.unwrap_or_default() })
    }

    /// The requested stub, or the profile that describes it.
    pub(super) fn source(self, format: Format) -> Result<RequestSource, clap::Error> {
        let strategy = self.strategy()?;
        if let Some(profile) = self.profile {
            return Ok(RequestSource::Profile(profile));
        }
        let overrides = Overrides { pinned: self.pin.into_iter().collect(), banned: self.ban.into_iter().collect() };
        let weights = self.weights.unwrap_or_default();
        let encoding = self.encoding.unwrap_or_default();
        let wording = self.wording.unwrap_or_default();
        let docs = match self.docs {
            Some(DocsOption::Documents(_)) => {
                return Err(wrong_usage(ErrorKind::ArgumentConflict, "--docs FILE belongs to --export"));
            }
            Some(DocsOption::Amount(docs)) => docs,
            None => Docs::default(),
        };
        let Self { module, symbol, .. } = self;
        Ok(RequestSource::Request(Box::new(StubRequest {
            module,
            symbol,
            strategy,
            wording,
            docs,
            overrides,
            weights,
            encoding,
            format,
        })))
    }

    /// The settings that are given.
    pub(super) fn given(&self) -> GivenOptions {
        let is_profile = self.profile.is_some();
        GivenOptions {
            strategy: is_profile || self.names_a_strategy(),
            overrides: is_profile || !self.pin.is_empty() || !self.ban.is_empty(),
            weights: is_profile || self.weights.is_some(),
            encoding: is_profile || self.encoding.is_some(),
            wording: is_profile || self.wording.is_some(),
            docs: is_profile || self.docs.is_some(),
        }
    }

    fn names_a_strategy(&self) -> bool {
        self.strategy.is_some() || self.max_tokens.is_some() || self.min_frequency.is_some() || self.target.is_some()
    }

    /// The strategy that is named, or that is implied by the option of its parameter.
    pub(super) fn strategy(&self) -> Result<Strategy, clap::Error> {
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
            return Err(wrong_usage(ErrorKind::ArgumentConflict, message));
        }
        let name = self.strategy.or(number.map(|(_, implied)| implied)).unwrap_or(StrategyName::TokenBudget);
        Ok(match name {
            StrategyName::TokenBudget => Strategy::TokenBudget { max_tokens: self.max_tokens.unwrap_or(1000) },
            StrategyName::Threshold => {
                Strategy::Threshold { min_frequency: self.min_frequency.unwrap_or(Strategy::DEFAULT_MIN_FREQUENCY) }
            }
            StrategyName::Coverage => Strategy::Coverage { target: self.target.unwrap_or(Strategy::DEFAULT_TARGET) },
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

fn wording() -> impl TypedValueParser<Value = Wording> {
    PossibleValuesParser::new(Wording::ALL.map(Wording::name)).try_map(|name| name.parse::<Wording>())
}

fn encodings() -> String {
    let names = Encoding::ALL.map(Encoding::name).join(", ");
    format!("The tokenizer that counts: {names} [default: {}]", Encoding::default().name())
}

fn tokens(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| "write a number of tokens, such as 1000".to_owned())
}

pub(super) fn share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        Ok(percent) if (1.0..=100.0).contains(&percent) => {
            Err(format!("a share is between 0 and 1; for {percent}% write {}", percent / 100.0))
        }
        _ => Err("a share is a number between 0 and 1, such as 0.2".to_owned()),
    }
}

/// Parses a strategy with its parameter, as in `threshold=0.2`.
fn measured(text: &str) -> Result<Measured, String> {
    let (name, number) = text.split_once('=').map_or((text, None), |(name, number)| (name, Some(number)));
    let share_or = |default: f64| number.map_or(Ok(default), share);
    Ok(match (name, number) {
        ("token-budget", None) => Measured::Budgets,
        ("token-budget", Some(number)) => {
            let max_tokens = number.parse().map_err(|_| format!("`{number}` is no number of tokens"))?;
            Measured::Strategy(Strategy::TokenBudget { max_tokens })
        }
        ("threshold", _) => {
            Measured::Strategy(Strategy::Threshold { min_frequency: share_or(Strategy::DEFAULT_MIN_FREQUENCY)? })
        }
        ("coverage", _) => Measured::Strategy(Strategy::Coverage { target: share_or(Strategy::DEFAULT_TARGET)? }),
        ("exhaustive", None) => Measured::Strategy(Strategy::Exhaustive),
        _ => return Err("write token-budget, threshold=0.2, coverage=0.95 or exhaustive".to_owned()),
    })
}
