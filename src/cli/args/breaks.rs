//! The options of `breaks`.

#![allow(clippy::doc_markdown, reason = "documentation of options is printed as text")]

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{CommonArgs, environment::EnvironmentArgs, source::SourceArgs};
use crate::{
    cli::{BreaksFormat, Compared, Input, PrintBreaks},
    upgrades::RevisionRange,
};
use apidisc::breaks::report::Verdict;

#[derive(Args)]
pub(super) struct BreaksArgs {
    #[command(flatten)]
    source: SourceArgs,
    #[command(flatten)]
    environment: EnvironmentArgs,
    /// The package.
    ///
    /// Its name, as `deps` prints it, or a module of it.
    #[arg(long, value_name = "NAME", help_heading = "What to compare", required_unless_present = "rev")]
    #[arg(requires = "to")]
    package: Option<String>,
    /// Where the other version is: an environment, a folder, an archive, or a repository.
    ///
    /// Of Python an environment such as .venv-new, a wheel (.whl) or a source distribution (.tar.gz); of npm a folder
    /// with node_modules, the folder of the package, or an archive (.tgz). Of both the URL of the package's repository,
    /// with a branch, a tag or the whole hash of a commit behind an @: https://github.com/encode/httpx@0.28.0.
    #[arg(long, value_name = "PLACE", help_heading = "What to compare", requires = "package")]
    to: Option<String>,
    /// With --rev: a program that uses the code. May be repeated.
    ///
    /// Its uses are compared with those of the tests, examples and documents.
    #[arg(long, value_name = "FOLDER", help_heading = "What to compare", requires = "rev", conflicts_with = "package")]
    used_by: Vec<PathBuf>,
    /// Leave out the findings of an earlier answer.
    ///
    /// A file that `--format json` wrote. A finding is known by its file, symbol, rule and parameter, also where lines
    /// have moved; as many of a kind are known as the file has.
    #[arg(long, value_name = "FILE", help_heading = "What to compare")]
    baseline: Option<PathBuf>,
    /// List the changes of the API that affect no use, too.
    ///
    /// Both versions are read in full for this. Formats: table, markdown, json.
    #[arg(long, help_heading = "What to compare")]
    changelog: bool,
    /// Fail if a use breaks.
    ///
    /// The exit code is 1 then.
    #[arg(long, help_heading = "What to compare")]
    check: bool,
    /// The least verdict that fails a check.
    #[arg(long, value_enum, value_name = "VERDICT", help_heading = "What to compare", default_value = "break")]
    #[arg(requires = "check")]
    fail_on: FailOn,
    /// A table, one JSON object, one JSON object per use, a list in Markdown, marks for GitHub, or SARIF.
    #[arg(long, value_enum, value_name = "FORMAT", help_heading = "Printing", default_value = "table")]
    format: Format,
    /// The file to write; without it, standard output.
    #[arg(short, long, value_name = "FILE", help_heading = "Printing")]
    output: Option<PathBuf>,
    #[command(flatten)]
    common: CommonArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FailOn {
    Break,
    Silent,
    Deprecated,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Table,
    Json,
    Jsonl,
    Markdown,
    Github,
    Sarif,
}

impl From<BreaksArgs> for PrintBreaks {
    fn from(args: BreaksArgs) -> Self {
        let BreaksArgs { source, environment, package, to, baseline, changelog, check, fail_on, .. } = args;
        let BreaksArgs { used_by, format, output, common, .. } = args;
        let fail_on = check.then_some(match fail_on {
            FailOn::Break => Verdict::Break,
            FailOn::Silent => Verdict::Silent,
            FailOn::Deprecated => Verdict::Deprecated,
        });
        let format = match format {
            Format::Table => BreaksFormat::Table,
            Format::Json => BreaksFormat::Json,
            Format::Jsonl => BreaksFormat::Jsonl,
            Format::Markdown => BreaksFormat::Markdown,
            Format::Github => BreaksFormat::Github,
            Format::Sarif => BreaksFormat::Sarif,
        };
        let (cache, verbose) = (common.cache(), common.verbose);
        let (input, what) = match (source.into(), package, to) {
            (Input::Revision(folder, range), None, _) => {
                (Input::Folder(folder), Compared::Revisions { range: RevisionRange::parse(&range), used_by })
            }
            (input, package, to) => {
                let (package, to) = (package.unwrap_or_default(), to.unwrap_or_default());
                (input, Compared::Package { environment: environment.into(), package, to })
            }
        };
        Self { input, cache, what, format, baseline, changelog, fail_on, output, verbose }
    }
}
