//! `breaks`: what another version of a package does to the calls of a program.

use std::{
    collections::BTreeMap,
    io::{self, Write},
    path::PathBuf,
};

use anyhow::{Context as _, anyhow, bail};

use super::{Input, input::InputContent, output, progress::ProgressLine, terminal_text::write_json};
use crate::{
    cache::Cache,
    upgrades::{Change, RevisionRange, Upgrade, UpgradeRequest},
};
use apidisc::{
    breaks::report::{Finding, Report, Rule, Verdict},
    control::Control,
    environment::python::EnvironmentSetting,
    index::Index,
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
    /// What is compared.
    pub what: Compared,
    /// The form of the answer.
    pub format: BreaksFormat,
    /// The verdict from which on the command fails; `None` to succeed whatever is found.
    pub fail_on: Option<Verdict>,
    /// The file to write; standard output if `None`.
    pub output: Option<PathBuf>,
    /// Report every environment that was looked at, and every file that could not be read in full.
    pub verbose: bool,
}

/// Two versions that are compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Compared {
    /// Versions of a package that the program uses.
    Package {
        /// The environment that holds the installed version.
        environment: EnvironmentSetting,
        /// The name of the package.
        package: String,
        /// The environment, folder or archive with the other version.
        to: PathBuf,
    },
    /// Revisions of the program itself.
    Revisions {
        /// The revisions.
        range: RevisionRange,
        /// The folders of programs that use the code.
        used_by: Vec<PathBuf>,
    },
}

/// What was found, with the words for it.
struct Answer {
    /// What was compared, on one line.
    title: String,
    /// The name of what is used.
    name: String,
    report: Report,
    /// The index with the first version.
    index: Index,
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
        let answer = self.compare()?;
        let report = &answer.report;
        output::write(self.output.as_deref(), |out| match self.format {
            BreaksFormat::Table => write_table(&answer, out),
            BreaksFormat::Json => report.findings.iter().try_for_each(|finding| {
                write_json(out, finding)?;
                out.write_all(b"\n")
            }),
            BreaksFormat::Markdown => write_markdown(&answer, out),
            BreaksFormat::Github => write_github(report, out),
        })?;
        self.input.report(&answer.index, self.verbose)?;
        match (self.fail_on, report.worst()) {
            (Some(limit), Some(worst)) if worst <= limit => {
                let count = report.findings.iter().filter(|finding| finding.verdict <= limit).count();
                let uses = if count == 1 { "use" } else { "uses" };
                bail!("{count} {uses} of {} would fail the check", escaped_line(&answer.name))
            }
            _ => Ok(()),
        }
    }

    fn compare(&self) -> anyhow::Result<Answer> {
        let mut line = ProgressLine::new();
        let mut observe = |progress| {
            line.show(&progress);
            Control::Continue
        };
        let cancelled = "indexing was cancelled; run it again";
        let answer = match &self.what {
            Compared::Package { environment, package, to } => {
                let InputContent::Source(source, _) = self.input.content()? else {
                    bail!("breaks needs the folder of the program; name a folder to look at")
                };
                let cache = self.cache.as_ref();
                let request = UpgradeRequest { source: &source, environment, cache, package, other: to };
                let read = Upgrade::read(&request, &mut observe).map_err(|why| anyhow!(why))?;
                let upgrade = read.context(cancelled)?;
                let (title, report) = (upgrade.title(), upgrade.report());
                Answer { title, name: upgrade.package.package.clone(), report, index: upgrade.before.index }
            }
            Compared::Revisions { range, used_by } => {
                let Input::Folder(folder) = &self.input else {
                    bail!("revisions are compared of one repository; name its folder")
                };
                let read = Change::read(folder, range, used_by, self.cache.as_ref(), &mut observe)
                    .map_err(|why| anyhow!(why))?;
                let change = read.context(cancelled)?;
                let report = change.report().map_err(|why| anyhow!(why))?;
                let folder = folder.canonicalize().unwrap_or_else(|_| folder.clone());
                let name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
                let title = format!("{name} {}", range.title());
                Answer { title, name, report, index: change.before.index }
            }
        };
        line.erase();
        Ok(answer)
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
    let of_change = of_change(group);
    Some(format!("{}  {}{param}{rule}{now}  {} {uses}{of_change}", word(*verdict), escaped_line(symbol), group.len()))
}

/// Of revisions: where the uses are, and how many of them the change itself adapted.
fn of_change(group: &[&Finding]) -> String {
    let Some(adapted) = group.iter().map(|finding| finding.adapted.map(usize::from)).sum::<Option<usize>>() else {
        return String::new();
    };
    let mut users: BTreeMap<&str, usize> = BTreeMap::new();
    for user in group.iter().filter_map(|finding| finding.user.as_deref()) {
        *users.entry(user).or_default() += 1;
    }
    let users = users.iter().map(|(user, count)| format!("{count} in {}", escaped_line(user)));
    let users = users.collect::<Vec<_>>().join(", ");
    let adapted = match adapted {
        0 => "none adapted".to_owned(),
        all if all == group.len() => "all adapted".to_owned(),
        some => format!("{some} adapted"),
    };
    format!(": {users}; {adapted}")
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

/// The first places; those that a change did not adapt come before the others.
fn places(group: &[&Finding]) -> Vec<String> {
    let mut group = group.to_vec();
    group.sort_by_key(|finding| finding.adapted);
    let named =
        group.iter().take(MAX_PLACES).map(|finding| format!("{}:{}", escaped_line(&finding.path), finding.line));
    let rest = group.len().saturating_sub(MAX_PLACES);
    named.chain((rest > 0).then(|| format!("and {rest} more"))).collect()
}

/// The last line: how much of what is used works in the other version.
fn summary(Answer { report, name, .. }: &Answer) -> String {
    let all = report.findings.len();
    let fine = all - report.count(Verdict::Break) - report.count(Verdict::Unknown);
    format!("{fine} of {all} uses of {} bind", escaped_line(name))
}

fn write_table(answer: &Answer, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", escaped_line(&answer.title))?;
    for group in groups(&answer.report) {
        writeln!(out, "{}", headline(&group).unwrap_or_default())?;
        for place in places(&group) {
            writeln!(out, "    {place}")?;
        }
    }
    writeln!(out, "{}", summary(answer))
}

fn write_markdown(answer: &Answer, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "### {}\n", escaped_line(&answer.title))?;
    for group in groups(&answer.report) {
        writeln!(out, "- {}", headline(&group).unwrap_or_default())?;
        for place in places(&group) {
            writeln!(out, "  - `{place}`")?;
        }
    }
    writeln!(out, "\n{}", summary(answer))
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
