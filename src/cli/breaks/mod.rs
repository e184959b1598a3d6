//! `breaks`: what another version of a package, or a change of the program itself, does to the calls of a program.

mod changelog;
mod sarif;

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context as _, anyhow, bail};
use serde::Serialize;

use super::{Input, input::InputContent, output, progress::ProgressLine, terminal_text::write_json};
use crate::{
    cache::Cache,
    upgrades::{Change, IndexedProgram, RevisionRange, Upgrade, UpgradeRequest},
};
use apidisc::{
    breaks::{
        ApiChange, KnownFindings,
        groups::Group,
        report::{Finding, Report, Verdict},
        unmet,
    },
    control::Control,
    environment::python::EnvironmentSetting,
    files,
    unprintable::escaped_line,
};

/// The number of places of a group that are named.
const MAX_PLACES: usize = 5;
/// The greatest size of a file with known findings, in bytes.
const MAX_BASELINE: u64 = 256 << 20;

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
    /// An earlier answer as JSON, whose findings are left out; `None` to leave nothing out.
    pub baseline: Option<PathBuf>,
    /// Say what else changed in the API.
    pub changelog: bool,
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
        /// The path or URL of the other version.
        to: String,
    },
    /// Revisions of the program itself.
    Revisions {
        /// The revisions.
        range: RevisionRange,
        /// The folders of programs that use the code.
        used_by: Vec<PathBuf>,
    },
}

/// The form of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BreaksFormat {
    /// Lines for people.
    Table,
    /// One JSON object.
    Json,
    /// One JSON object a use.
    Jsonl,
    /// A list for comments on changes.
    Markdown,
    /// Commands of a workflow on GitHub, which mark the lines.
    Github,
    /// SARIF, which code scanning services read.
    Sarif,
}

/// What was found, with the words for it.
struct Answer {
    /// What was compared, on one line.
    title: String,
    /// The name of what is used.
    name: String,
    /// The first version, if it has a name.
    from: Option<String>,
    /// The second version.
    to: Option<String>,
    /// The program with the first version.
    before: IndexedProgram,
    /// The findings; once the known ones are taken out, without them.
    report: Report,
    /// How much of all uses works.
    summary: String,
    /// The number of known findings that are left out.
    left_out: usize,
    /// The changes of the API that no use meets; `None` if nobody asked for them.
    others: Option<Vec<ApiChange>>,
}

impl PrintBreaks {
    /// Indexes the program with both versions, compares, prints, and reports problems.
    pub fn run(&self) -> anyhow::Result<()> {
        if self.changelog && !matches!(self.format, BreaksFormat::Table | BreaksFormat::Json | BreaksFormat::Markdown) {
            bail!("--changelog needs --format table, json or markdown")
        }
        let known = self.baseline.as_deref().map(known).transpose()?;
        let mut answer = self.compare()?;
        if let Some(known) = known {
            answer.left_out = known.take_out_of(&mut answer.report);
        }
        let report = &answer.report;
        output::write(self.output.as_deref(), |out| match self.format {
            BreaksFormat::Table => answer.write_table(out),
            BreaksFormat::Json => answer.write_json(out),
            BreaksFormat::Jsonl => report.findings.iter().try_for_each(|finding| {
                write_json(out, finding)?;
                out.write_all(b"\n")
            }),
            BreaksFormat::Markdown => answer.write_markdown(out),
            BreaksFormat::Github => write_github(report, out),
            BreaksFormat::Sarif => sarif::write(&answer, out),
        })?;
        self.input.report(&answer.before.index, self.verbose)?;
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
                let other = self.input.other_version(to)?;
                let request = UpgradeRequest { source: &source, environment, cache, package, other: &other };
                let read = Upgrade::read(&request, &mut observe).map_err(|why| anyhow!(why))?;
                let upgrade = read.context(cancelled)?;
                let (title, report) = (upgrade.title(), upgrade.report());
                let others = if self.changelog {
                    let changes = upgrade.api_changes(cache, &mut observe).map_err(|why| anyhow!(why))?;
                    Some(unmet(changes.context(cancelled)?, &report))
                } else {
                    None
                };
                let Upgrade { package, other_version: to, before, .. } = upgrade;
                let summary = report.summary(&package.package);
                let (name, from) = (package.package, package.version);
                Answer { title, name, from, to, before, report, summary, left_out: 0, others }
            }
            Compared::Revisions { range, used_by } => {
                let Input::Folder(folder) = &self.input else {
                    bail!("revisions are compared of one repository; name its folder")
                };
                let read = Change::read(folder, range, used_by, self.cache.as_ref(), &mut observe)
                    .map_err(|why| anyhow!(why))?;
                let change = read.context(cancelled)?;
                let report = change.report().map_err(|why| anyhow!(why))?;
                let changes = self.changelog.then(|| change.api_changes()).transpose();
                let others = changes.map_err(|why| anyhow!(why))?.map(|changes| unmet(changes, &report));
                let folder = folder.canonicalize().unwrap_or_else(|_| folder.clone());
                let name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
                let title = format!("{name} {}", range.title());
                let (from, to) = (Some(range.old_title()), range.new_title());
                let summary = report.summary(&name);
                let before = change.before;
                Answer { title, name, from, to, before, report, summary, left_out: 0, others }
            }
        };
        line.erase();
        Ok(answer)
    }
}

/// The findings of an earlier answer.
fn known(path: &Path) -> anyhow::Result<KnownFindings> {
    let shown = path.display();
    let text = files::read_text(path, MAX_BASELINE).with_context(|| format!("cannot read {shown}"))?;
    KnownFindings::read(&text)
        .map_err(|why| anyhow!("{shown} is no answer of breaks: {why}; name a file that `--format json` wrote"))
}

/// An answer as JSON.
#[derive(Serialize)]
struct JsonAnswer<'a> {
    package: &'a str,
    from: Option<&'a str>,
    to: Option<&'a str>,
    calls: &'a [Finding],
    totals: Totals,
    /// The changes of the API that no use meets; left out if nobody asked for them.
    #[serde(skip_serializing_if = "Option::is_none")]
    others: Option<&'a [ApiChange]>,
}

/// The number of uses of each verdict.
#[derive(Serialize)]
struct Totals {
    r#break: usize,
    silent: usize,
    deprecated: usize,
    moved: usize,
    unknown: usize,
    ok: usize,
    /// Findings that the baseline has.
    known: usize,
}

impl Answer {
    fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        let count = |verdict| self.report.count(verdict);
        let answer = JsonAnswer {
            package: &self.name,
            from: self.from.as_deref(),
            to: self.to.as_deref(),
            calls: &self.report.findings,
            totals: Totals {
                r#break: count(Verdict::Break),
                silent: count(Verdict::Silent),
                deprecated: count(Verdict::Deprecated),
                moved: count(Verdict::Moved),
                unknown: count(Verdict::Unknown),
                ok: count(Verdict::Ok),
                known: self.left_out,
            },
            others: self.others.as_deref(),
        };
        write_json(out, &answer)?;
        out.write_all(b"\n")
    }

    /// The last lines: how much works, and what is left out.
    fn ending(&self) -> Vec<String> {
        let left_out = (self.left_out > 0).then(|| format!("{} known ones are left out", self.left_out));
        let others = self.others.as_deref().map(changelog::summary);
        std::iter::once(self.summary.clone()).chain(left_out).chain(others).collect()
    }

    fn write_table(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", escaped_line(&self.title))?;
        let (groups, unknown) = self.report.decided_groups();
        for group in groups {
            writeln!(out, "{}", group.headline())?;
            for place in group.places(MAX_PLACES) {
                writeln!(out, "    {place}")?;
            }
            for signature in group.signature_lines() {
                writeln!(out, "    {signature}")?;
            }
        }
        unknown.iter().try_for_each(|line| writeln!(out, "{line}"))?;
        for (rule, changes) in changelog::lines(self.others.as_deref().unwrap_or_default()) {
            writeln!(out, "no use  {rule}\n    {changes}")?;
        }
        self.ending().iter().try_for_each(|line| writeln!(out, "{line}"))
    }

    fn write_markdown(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "### {}\n", escaped_line(&self.title))?;
        let (groups, unknown) = self.report.decided_groups();
        for group in groups {
            writeln!(out, "- {}", group.headline())?;
            for place in group.places(MAX_PLACES) {
                writeln!(out, "  - `{place}`")?;
            }
            let signatures = group.signature_lines();
            if !signatures.is_empty() {
                writeln!(out, "\n  ```diff\n  {}\n  ```\n", signatures.join("\n  "))?;
            }
        }
        unknown.iter().try_for_each(|line| writeln!(out, "- {line}"))?;
        for (rule, changes) in changelog::lines(self.others.as_deref().unwrap_or_default()) {
            writeln!(out, "- no use: {rule}: {changes}")?;
        }
        self.ending().iter().try_for_each(|line| writeln!(out, "\n{line}"))
    }
}

/// Each finding as a command that marks its line.
fn write_github(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let is_said = |finding: &&Finding| finding.verdict <= Verdict::Deprecated;
    for finding in report.findings.iter().filter(is_said) {
        let level = if finding.verdict == Verdict::Break { "error" } else { "warning" };
        let path = escaped_line(&finding.path).replace('%', "%25").replace(':', "%3A").replace(',', "%2C");
        let message = Group { first: finding, findings: vec![finding] }.headline().replace('%', "%25");
        writeln!(out, "::{level} file={path},line={},col={}::{message}", finding.line, finding.col + 1)?;
    }
    Ok(())
}
