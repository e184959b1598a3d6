//! `breaks`: what another version of a package does to the calls of a program.

use std::{
    collections::BTreeMap,
    io::{self, Write},
    path::PathBuf,
};

use anyhow::{anyhow, bail};

use super::{Input, input::InputContent, output, progress::ProgressLine, terminal_text::write_json};
use crate::{
    cache::Cache,
    upgrades::{Upgrade, UpgradeRequest},
};
use apidisc::{
    breaks::report::{Finding, Report, Rule, Verdict},
    control::Control,
    environment::python::EnvironmentSetting,
    unprintable::escaped_line,
};

/// The number of places of a group that are named.
const MAX_PLACES: usize = 5;

/// Prints what another version of a package does to the calls of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrintBreaks {
    /// The input.
    pub input: Input,
    /// The cache of facts; `None` to go without.
    pub cache: Option<Cache>,
    /// The environment that holds the installed version.
    pub environment: EnvironmentSetting,
    /// The name of the package.
    pub package: String,
    /// The environment, folder or archive with the other version.
    pub to: PathBuf,
    /// The form of the answer.
    pub format: BreaksFormat,
    /// The verdict from which on the command fails; `None` to succeed whatever is found.
    pub fail_on: Option<Verdict>,
    /// The file to write; standard output if `None`.
    pub output: Option<PathBuf>,
    /// Report every environment that was looked at, and every file that could not be read in full.
    pub verbose: bool,
}

/// The form of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BreaksFormat {
    /// Lines for people.
    Table,
    /// One JSON object a use.
    Json,
    /// A list for comments on changes.
    Markdown,
    /// Commands of a workflow on GitHub, which mark the lines.
    Github,
}

impl PrintBreaks {
    /// Indexes the program with both versions, compares, prints, and reports problems.
    pub fn run(&self) -> anyhow::Result<()> {
        let InputContent::Source(source, _) = self.input.content()? else {
            bail!("breaks needs the folder of the program; name a folder to look at")
        };
        let request = UpgradeRequest {
            source: &source,
            environment: &self.environment,
            cache: self.cache.as_ref(),
            package: &self.package,
            other: &self.to,
        };
        let mut line = ProgressLine::new();
        let read = Upgrade::read(&request, &mut |progress| {
            line.show(&progress);
            Control::Continue
        });
        line.erase();
        let Some(upgrade) = read.map_err(|why| anyhow!(why))? else { bail!("indexing was cancelled; run it again") };
        let report = upgrade.report();
        output::write(self.output.as_deref(), |out| match self.format {
            BreaksFormat::Table => write_table(&report, &upgrade, out),
            BreaksFormat::Json => report.findings.iter().try_for_each(|finding| {
                write_json(out, finding)?;
                out.write_all(b"\n")
            }),
            BreaksFormat::Markdown => write_markdown(&report, &upgrade, out),
            BreaksFormat::Github => write_github(&report, out),
        })?;
        self.input.report(&upgrade.before.index, self.verbose)?;
        match (self.fail_on, report.worst()) {
            (Some(limit), Some(worst)) if worst <= limit => {
                let count = report.findings.iter().filter(|finding| finding.verdict <= limit).count();
                let uses = if count == 1 { "use" } else { "uses" };
                bail!("{count} {uses} of {} would fail the check", escaped_line(&upgrade.package.package))
            }
            _ => Ok(()),
        }
    }
}

/// Findings of one verdict, symbol, rule and parameter.
type Groups<'r> = BTreeMap<(Verdict, &'r str, Option<Rule>, Option<&'r str>), Vec<&'r Finding>>;

/// The findings that say something, most uses first in each verdict.
fn groups(report: &Report) -> Vec<Vec<&Finding>> {
    let mut groups = Groups::new();
    for finding in report.findings.iter().filter(|finding| finding.verdict != Verdict::Ok) {
        let key = (finding.verdict, finding.symbol.as_str(), finding.rule, finding.param.as_deref());
        groups.entry(key).or_default().push(finding);
    }
    let mut groups: Vec<Vec<&Finding>> = groups.into_values().collect();
    groups.sort_by_key(|group| (group.first().map(|finding| finding.verdict), std::cmp::Reverse(group.len())));
    groups
}

/// A group on one line: the verdict, what is used, the rule, and what to write instead.
fn headline(group: &[&Finding]) -> Option<String> {
    let Finding { verdict, symbol, rule, param, now, .. } = group.first()?;
    let param = param.as_deref().map(|name| format!("({})", escaped_line(name))).unwrap_or_default();
    let rule = rule.map(|rule| format!("  {rule}")).unwrap_or_default();
    let now = now.as_deref().map(|now| format!(" → {}", escaped_line(now))).unwrap_or_default();
    let uses = if group.len() == 1 { "use" } else { "uses" };
    Some(format!("{}  {}{param}{rule}{now}  {} {uses}", word(*verdict), escaped_line(symbol), group.len()))
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Break => "break",
        Verdict::Silent => "silent",
        Verdict::Deprecated => "deprecated",
        Verdict::Unknown => "unknown",
        Verdict::Ok => "ok",
    }
}

fn places(group: &[&Finding]) -> Vec<String> {
    let named =
        group.iter().take(MAX_PLACES).map(|finding| format!("{}:{}", escaped_line(&finding.path), finding.line));
    let rest = group.len().saturating_sub(MAX_PLACES);
    named.chain((rest > 0).then(|| format!("and {rest} more"))).collect()
}

/// The last line: how much of what is used works in the other version.
fn summary(report: &Report, upgrade: &Upgrade) -> String {
    let all = report.findings.len();
    let fine = all - report.count(Verdict::Break) - report.count(Verdict::Unknown);
    format!("{fine} of {all} uses of {} bind", escaped_line(&upgrade.package.package))
}

fn write_table(report: &Report, upgrade: &Upgrade, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", upgrade.title())?;
    for group in groups(report) {
        writeln!(out, "{}", headline(&group).unwrap_or_default())?;
        for place in places(&group) {
            writeln!(out, "    {place}")?;
        }
    }
    writeln!(out, "{}", summary(report, upgrade))
}

fn write_markdown(report: &Report, upgrade: &Upgrade, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "### {}\n", upgrade.title())?;
    for group in groups(report) {
        writeln!(out, "- {}", headline(&group).unwrap_or_default())?;
        for place in places(&group) {
            writeln!(out, "  - `{place}`")?;
        }
    }
    writeln!(out, "\n{}", summary(report, upgrade))
}

/// Each finding as a command that marks its line.
fn write_github(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let is_said = |finding: &&Finding| !matches!(finding.verdict, Verdict::Ok | Verdict::Unknown);
    for finding in report.findings.iter().filter(is_said) {
        let level = if finding.verdict == Verdict::Break { "error" } else { "warning" };
        let path = escaped_line(&finding.path).replace('%', "%25").replace(':', "%3A").replace(',', "%2C");
        let message = headline(&[finding]).unwrap_or_default().replace('%', "%25");
        writeln!(out, "::{level} file={path},line={},col={}::{message}", finding.line, finding.col + 1)?;
    }
    Ok(())
}
