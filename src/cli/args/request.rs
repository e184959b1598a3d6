//! The options that request a stub: its scope, its strategy, its wording, its pins and bans.

use std::path::PathBuf;

use clap::{ArgGroup, Args, ValueEnum, error::ErrorKind};

use super::{
    docs_option::DocsOption,
    values::{encoding, encodings, share, tokens, wording},
    wrong_usage,
};
use crate::cli::{GivenOptions, RequestSource};
use apidisc::{
    delivery::{Format, StubRequest},
    overrides::{OverrideTarget, Overrides},
    strategy::Strategy,
    stub::{Docs, Wording},
    tokens::Encoding,
    usage::Weights,
};

/// The options that a profile replaces; they cannot be combined with `--profile`.
const IN_A_PROFILE: [&str; 14] = [
    "module",
    "symbol",
    "intent",
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
    /// With --export: what your code should do, in words.
    ///
    /// The members and arguments that the words name are shown although few calls use them, as far as a share of the
    /// budget goes.
    #[arg(long, value_name = "TEXT", help_heading = "How to cut it", requires = "export", hide_short_help = true)]
    pub(super) intent: Option<String>,
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
    #[arg(alias = "budget", value_parser = tokens)]
    max_tokens: Option<usize>,
    /// Keep what F of the calls pass [default: 0.2].
    ///
    /// F is a share, from 0 to 1. Implies --strategy threshold.
    #[arg(long, value_name = "F", help_heading = "How to cut it", allow_negative_numbers = true)]
    #[arg(group = "number", value_parser = share, hide_short_help = true)]
    min_frequency: Option<f64>,
    /// Make F of the calls possible [default: 0.95].
    ///
    /// F is a share, from 0 to 1. Implies --strategy coverage.
    #[arg(long, value_name = "F", help_heading = "How to cut it", allow_negative_numbers = true)]
    #[arg(group = "number", value_parser = share, hide_short_help = true)]
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
    /// --symbol names an operation, as in 'POST /campaigns', whose use the calls of the API in PATH say, or a schema,
    /// or the id of another part.
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
    pub(super) profile: Option<String>,
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

/// The options of a stub of an operation.
pub(super) struct OperationOptions {
    pub(super) symbol: String,
    pub(super) max_tokens: Option<usize>,
    pub(super) encoding: Encoding,
}

impl RequestArgs {
    /// The file or folder of API documents that `--docs` names.
    pub(super) fn documents(&self) -> Option<PathBuf> {
        match &self.docs {
            Some(DocsOption::Documents(documents)) => Some(documents.clone()),
            _ => None,
        }
    }

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
    pub(super) fn operation(self, format: Format) -> Result<OperationOptions, clap::Error> {
        let refused = |what: &str| wrong_usage(ErrorKind::ArgumentConflict, format!("--docs FILE {what}"));
        let max_tokens = match self.strategy()? {
            Strategy::TokenBudget { max_tokens } => Some(max_tokens),
            Strategy::Exhaustive => None,
            _ => return Err(refused("takes --strategy token-budget or exhaustive")),
        };
        if !matches!(format, Format::Stub | Format::Json) {
            return Err(refused("prints --format stub or json"));
        }
        let is_shown = self.intent.is_some() || !self.pin.is_empty() || !self.ban.is_empty();
        if self.module.is_some() || self.wording.is_some() || is_shown {
            return Err(refused("takes no --module, --wording, --intent, --pin or --ban"));
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
        let Self { module, symbol, intent, .. } = self;
        Ok(RequestSource::Request(Box::new(StubRequest {
            package: None,
            module,
            symbol,
            intent,
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

    /// True if the options decide what of a stub is shown beside the budget, or name documents.
    pub(super) fn names_what_is_shown(&self) -> bool {
        self.intent.is_some() || !self.pin.is_empty() || !self.ban.is_empty() || self.documents().is_some()
    }

    /// True if the options name a strategy, or imply one by its number.
    pub(super) fn names_a_strategy(&self) -> bool {
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
