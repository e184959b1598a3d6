//! The options of a command line without a command that prints: a stub, the check of a profile, or an evaluation.

use std::path::PathBuf;

use clap::{ArgGroup, Args, ValueEnum, error::ErrorKind};

use super::{
    Invocation,
    environment::EnvironmentArgs,
    request::{OperationOptions, RequestArgs},
    values::{measured, tokens},
    wrong_usage,
};
use crate::cache::Cache;
use crate::cli::{Check, Evaluate, ExportOperation, ExportStub, ExportedPackage, Input, Measured, TitleCount};
use apidisc::{delivery::Format, environment::python::EnvironmentSetting, strategy::Strategy};

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
    /// Print what to see first in place of the stub.
    ///
    /// The summary, the first example, entry points, the most used definitions and what makes and takes them, modules,
    /// deprecations and the newest changes: of the repository, of --module, or of --package, within --max-tokens.
    #[arg(long, help_heading = "Printing", requires = "export", conflicts_with_all = ["symbol", "profile", "wording"])]
    #[arg(hide_short_help = true)]
    overview: bool,
    /// What the title counts [default: calls].
    ///
    /// calls: calls and reads.
    ///
    /// uses: beside them what passes, holds, extends, annotates with, raises or compares the definitions, as in `no
    /// calls, 12 uses: 9 passed, 3 annotate`.
    #[arg(long, value_enum, value_name = "COUNT", help_heading = "Printing", requires = "export")]
    #[arg(hide_possible_values = true, hide_short_help = true)]
    count: Option<CountName>,
    /// Copy the same bytes to the clipboard too.
    #[arg(long, help_heading = "Printing", requires = "export", hide_short_help = true)]
    copy: bool,
    /// Print how the code uses an installed package.
    ///
    /// By its name as `deps` prints it, or by the Python module that is imported. The stub shows what the code uses of
    /// the package, with the shares and typical calls of the code. --module and --symbol name a part of it.
    #[arg(long, value_name = "NAME", help_heading = "What to look at", requires = "export", hide_short_help = true)]
    package: Option<String>,
    /// Show the optional parameters of --package that no call passes, too.
    #[arg(long, help_heading = "How to cut it", requires = "package", hide_short_help = true)]
    unused: bool,
    #[command(flatten)]
    environment: EnvironmentArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum CountName {
    /// Calls and reads
    Calls,
    /// All uses
    Uses,
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

    /// Where the explorer looks for packages.
    pub(super) fn environment(self) -> EnvironmentSetting {
        self.environment.into()
    }

    /// The invocation that prints.
    pub(super) fn invocation(
        self,
        input: Input,
        cache: Option<Cache>,
        request: RequestArgs,
        verbose: bool,
    ) -> Result<Invocation, clap::Error> {
        self.refuse_stray(&request)?;
        if self.check {
            let profile = request.profile.unwrap_or_default();
            return Ok(Invocation::Check(Check { input, cache, profile, output: self.output, verbose }));
        }
        if self.evaluate {
            return self.evaluation(input, cache, request, verbose);
        }
        let format = self.format()?;
        let Self { output, copy, package, unused, environment, overview, count, .. } = self;
        if overview && request.names_what_is_shown() {
            return Err(wrong_usage(
                ErrorKind::ArgumentConflict,
                "--overview takes no --intent, --pin, --ban or --docs",
            ));
        }
        if overview && !matches!(format, Format::Stub | Format::Json) {
            return Err(wrong_usage(ErrorKind::ArgumentConflict, "--overview prints text, or --format json"));
        }
        if overview && !matches!(request.strategy()?, Strategy::TokenBudget { .. } | Strategy::Exhaustive) {
            return Err(wrong_usage(ErrorKind::ArgumentConflict, "--overview takes --max-tokens, or all of it"));
        }
        let Some(documents) = request.documents() else {
            let request = request.source(format)?;
            let package = package.map(|name| ExportedPackage { name, environment: environment.into(), unused });
            return Ok(Invocation::Export(ExportStub {
                input,
                cache,
                request,
                package,
                is_overview: overview,
                count: match count {
                    Some(CountName::Uses) => TitleCount::Uses,
                    Some(CountName::Calls) | None => TitleCount::Calls,
                },
                output,
                copy,
                verbose,
            }));
        };
        let OperationOptions { symbol, max_tokens, encoding } = request.operation(format)?;
        let json = format == Format::Json;
        let export =
            ExportOperation { input, cache, documents, symbol, max_tokens, encoding, json, output, copy, verbose };
        Ok(Invocation::ExportOperation(export))
    }

    /// Refuses an option that belongs to `--export` or `--evaluate` if that one is not given. The argument parser does
    /// not refuse it, since it ignores a required option that another given option excludes.
    fn refuse_stray(&self, request: &RequestArgs) -> Result<(), clap::Error> {
        let is_without_package = self.prints() && self.package.is_none();
        let stray = [
            (!self.evaluate && !self.strategies.is_empty(), "--strategies", "--evaluate"),
            (!self.evaluate && !self.budgets.is_empty(), "--budgets", "--evaluate"),
            (!self.export && self.copy, "--copy", "--export"),
            (!self.export && self.overview, "--overview", "--export"),
            (!self.export && request.intent.is_some(), "--intent", "--export"),
            (is_without_package && self.environment.names_one(), "--env", "--package"),
            (is_without_package && self.environment.leaves_out(), "--no-deps", "--package"),
        ];
        match stray.into_iter().find(|(is_stray, ..)| *is_stray) {
            Some((_, option, owner)) => {
                Err(wrong_usage(ErrorKind::ArgumentConflict, format!("{option} belongs to {owner}")))
            }
            None => Ok(()),
        }
    }

    /// The format of a stub.
    fn format(&self) -> Result<Format, clap::Error> {
        Ok(match self.format {
            None => Format::default(),
            Some(FormatName::Stub) => Format::Stub,
            Some(FormatName::Markdown) => Format::Markdown,
            Some(FormatName::Json) => Format::Json,
            Some(FormatName::Yaml) => Format::Yaml,
            Some(FormatName::Table) => {
                return Err(wrong_usage(ErrorKind::ArgumentConflict, "--format table belongs to --evaluate"));
            }
        })
    }

    /// The invocation that evaluates strategies: those that are named, or else the usual ones.
    fn evaluation(
        self,
        input: Input,
        cache: Option<Cache>,
        request: RequestArgs,
        verbose: bool,
    ) -> Result<Invocation, clap::Error> {
        let json = match self.format {
            None | Some(FormatName::Table) => false,
            Some(FormatName::Json) => true,
            Some(_) => {
                return Err(wrong_usage(ErrorKind::ArgumentConflict, "--evaluate prints --format table or json"));
            }
        };
        let Self { mut strategies, budgets, output, .. } = self;
        let is_named = request.profile.is_some() || request.names_a_strategy();
        if strategies.is_empty() && !(is_named && budgets.is_empty()) {
            strategies = if budgets.is_empty() { Measured::usual() } else { vec![Measured::Budgets] };
        }
        let request = request.source(Format::default())?;
        Ok(Invocation::Evaluate(Evaluate { input, cache, request, strategies, budgets, json, output, verbose }))
    }
}
