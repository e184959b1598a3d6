//! `breaks`: what another version of a package does to the calls of a program.

use std::{
    collections::BTreeMap,
    io::{self, Write},
    path::{Path, PathBuf},
};

use super::{
    Input,
    input::{InputContent, build_with},
    output,
    terminal_text::write_json,
};
use crate::{archives::UnpackedPackage, cache::Cache, packages};
use anyhow::{Context as _, anyhow, bail};
use apidisc::{
    breaks::{
        Version, compare,
        report::{Finding, Report, Rule, Verdict},
    },
    dependencies::dependencies,
    environment::python::EnvironmentSetting,
    index::Index,
    indexer::{Builder, Libraries, LibrarySettings},
    language::Language,
    packages::Dependency,
    source::{LinkedSources, Source, reread},
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

/// A program that was indexed with a version of its packages.
struct Indexed {
    index: Index,
    libraries: Libraries,
    files: Source,
}

impl PrintBreaks {
    /// Indexes the program with both versions, compares, prints, and reports problems.
    pub fn run(&self) -> anyhow::Result<()> {
        let InputContent::Source(source, _) = self.input.content()? else {
            bail!("breaks needs the folder of the program; name a folder to look at")
        };
        let settings = packages::settings(&source, &self.environment)
            .ok_or_else(|| anyhow!("packages are found beside the code of one folder; name a folder to look at"))?;
        let before = self.index(&source, settings.clone(), false)?;
        let packages = dependencies(&before.index, &before.libraries);
        let package = Dependency::find(&packages, &self.package)?;
        // The files of an archive are there as long as this value.
        let unpacked = self.unpacked(package)?;
        let (after, version) = match &unpacked {
            Some(unpacked) => {
                let replaced = vec![unpacked.folder().to_owned()];
                let after = self.index(&source, LibrarySettings { replaced, ..settings }, true)?;
                (after, Some(unpacked.version.clone()).filter(|version| !version.is_empty()))
            }
            None => self.in_folder(&source, settings, package)?,
        };
        let read_before = |path: &str| reread(&before.files, path).map(|text| text.source);
        let read_after = |path: &str| reread(&after.files, path).map(|text| text.source);
        let report = compare(
            &Version { index: &before.index, libraries: &before.libraries, read: &read_before },
            &Version { index: &after.index, libraries: &after.libraries, read: &read_after },
            package,
        );
        let title = Title { package, version: version.as_deref() };
        output::write(self.output.as_deref(), |out| match self.format {
            BreaksFormat::Table => write_table(&report, &title, out),
            BreaksFormat::Json => report.findings.iter().try_for_each(|finding| {
                write_json(out, finding)?;
                out.write_all(b"\n")
            }),
            BreaksFormat::Markdown => write_markdown(&report, &title, out),
            BreaksFormat::Github => write_github(&report, out),
        })?;
        self.input.report(&before.index, self.verbose)?;
        match (self.fail_on, report.worst()) {
            (Some(limit), Some(worst)) if worst <= limit => {
                let count = report.findings.iter().filter(|finding| finding.verdict <= limit).count();
                let uses = if count == 1 { "use" } else { "uses" };
                bail!("{count} {uses} of {} would fail the check", escaped_line(&package.package))
            }
            _ => Ok(()),
        }
    }

    /// The package of an archive; `None` if no archive is named.
    fn unpacked(&self, package: &Dependency) -> anyhow::Result<Option<UnpackedPackage>> {
        if !self.to.is_file() {
            return Ok(None);
        }
        let unpacked = UnpackedPackage::read(&self.to)?;
        let is_same = Dependency::find(std::slice::from_ref(package), &unpacked.name).is_ok();
        if !is_same {
            let (held, wanted) = (escaped_line(&unpacked.name), escaped_line(&package.package));
            bail!("{} holds {held}, not {wanted}; name an archive of {wanted}", self.to.display())
        }
        Ok(Some(unpacked))
    }

    /// The program with the version that a folder holds: an environment, or the package itself.
    fn in_folder(
        &self,
        source: &Source,
        settings: LibrarySettings,
        package: &Dependency,
    ) -> anyhow::Result<(Indexed, Option<String>)> {
        let shown = self.to.display();
        if !self.to.is_dir() {
            bail!("{shown} is not there; name an environment, the folder of a package, or an archive")
        }
        let settings = match package.language {
            Language::Python => settings.with_environment(&EnvironmentSetting::Folder(self.to.clone())),
            Language::TypeScript => {
                let installed = self.to.join("node_modules").join(&package.package);
                let folders = [installed, self.to.join(&package.package), self.to.clone()];
                let holds = |folder: &&PathBuf| Path::is_file(&folder.join("package.json"));
                let folder = folders.iter().find(holds).with_context(|| {
                    format!("{shown} holds no {}; name a folder with its package.json", escaped_line(&package.package))
                })?;
                LibrarySettings { replaced: vec![folder.clone()], ..settings }
            }
        };
        let after = self.index(source, settings, true)?;
        let packages = dependencies(&after.index, &after.libraries);
        let found = Dependency::find(&packages, &package.package).with_context(|| format!("in {shown}"))?;
        let version = found.version.clone();
        Ok((after, version))
    }

    fn index(&self, source: &Source, settings: LibrarySettings, is_other: bool) -> anyhow::Result<Indexed> {
        let mut builder = Builder::new(source.clone());
        builder.set_libraries(Some(settings));
        let open = if is_other { Cache::open_with_other_version } else { Cache::open_with_packages };
        let (builder, index) = build_with(builder, self.cache.as_ref().and_then(|cache| open(cache, source)))?;
        let libraries = builder.into_libraries().unwrap_or_default();
        let files = libraries.python.files.iter().chain(&libraries.node.files).cloned();
        let files = Source::Linked(LinkedSources::with_packages(source.clone(), files));
        Ok(Indexed { index, libraries, files })
    }
}

/// What is compared.
struct Title<'t> {
    package: &'t Dependency,
    version: Option<&'t str>,
}

impl Title<'_> {
    fn text(&self) -> String {
        let name = escaped_line(&self.package.package);
        let old = self.package.version.as_deref().unwrap_or("installed");
        let new = self.version.unwrap_or("other");
        format!("{name} {} → {}", escaped_line(old), escaped_line(new))
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
fn summary(report: &Report, title: &Title<'_>) -> String {
    let all = report.findings.len();
    let fine = all - report.count(Verdict::Break) - report.count(Verdict::Unknown);
    format!("{fine} of {all} uses of {} bind", escaped_line(&title.package.package))
}

fn write_table(report: &Report, title: &Title<'_>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", title.text())?;
    for group in groups(report) {
        writeln!(out, "{}", headline(&group).unwrap_or_default())?;
        for place in places(&group) {
            writeln!(out, "    {place}")?;
        }
    }
    writeln!(out, "{}", summary(report, title))
}

fn write_markdown(report: &Report, title: &Title<'_>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "### {}\n", title.text())?;
    for group in groups(report) {
        writeln!(out, "- {}", headline(&group).unwrap_or_default())?;
        for place in places(&group) {
            writeln!(out, "  - `{place}`")?;
        }
    }
    writeln!(out, "\n{}", summary(report, title))
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
