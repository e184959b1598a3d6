//! Another version of an installed package, or of the code itself: what it does to the uses, for panes and pages.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Catalog, page::SourcePlace};
use apidisc::{
    breaks::{
        groups::Group,
        report::{Finding, Report, Verdict},
    },
    program::{CallId, DefinitionId, FileId, ModuleId, ReadId},
};

/// What has another version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Versioned {
    /// The installed package of this name: the other version comes after the installed one.
    Package(String),
    /// The code: the other version is a revision before the files as they are.
    Code,
}

impl Versioned {
    /// True if the panes show it: packages or code.
    pub fn is_in(&self, catalog: &Catalog) -> bool {
        catalog.index.is_of_packages() == matches!(self, Self::Package(_))
    }

    /// The name for people.
    pub fn name(&self) -> &str {
        match self {
            Self::Package(name) => name,
            Self::Code => "the code",
        }
    }
}

/// Two versions to compare.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UpgradeQuestion {
    /// What has two versions.
    pub of: Versioned,
    /// Where the other version is, as it was typed: the path of an environment, a folder or an archive, or the name of
    /// a revision.
    pub other: String,
}

/// A place where another version may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionPlace {
    /// The path or the name of a revision, as it can be typed.
    pub path: String,
    /// What is there.
    pub what: &'static str,
    /// True for a folder that holds no version itself.
    pub is_folder: bool,
}

/// The comparison of two versions.
#[derive(Debug)]
pub struct ReadUpgrade {
    /// What was asked.
    pub question: UpgradeQuestion,
    /// What was compared, and its two versions.
    pub title: String,
    /// How much of what is used works.
    pub summary: String,
    /// The verdicts.
    pub report: Report,
    /// The index with the other version.
    pub other: Arc<Catalog>,
}

/// What is said of a definition, module or parameter: the worst verdict on its uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UpgradeMark {
    /// The verdict.
    pub verdict: Verdict,
    /// The number of uses with this verdict.
    pub uses: u32,
}

/// A comparison in terms of the index that the panes show.
#[derive(Debug)]
pub struct UpgradeMarks {
    /// The comparison.
    pub read: Arc<ReadUpgrade>,
    /// The generation of the index.
    pub generation: u64,
    definitions: FxHashMap<DefinitionId, UpgradeMark>,
    parameters: FxHashMap<(DefinitionId, usize), UpgradeMark>,
    modules: FxHashMap<ModuleId, UpgradeMark>,
    /// The definitions by the names of the findings.
    symbols: FxHashMap<String, DefinitionId>,
    /// The places of the findings that say something, by path, line and column.
    places: FxHashMap<(String, u32, u32), SourcePlace>,
}

/// The other version with which the user compares.
#[derive(Debug, Default)]
pub struct UpgradeView {
    /// The question whose answer is pending.
    pub reading: Option<UpgradeQuestion>,
    /// The generation of the index that was compared last, or is being compared.
    pub compared: u64,
    /// The last answer.
    pub marks: Option<Arc<UpgradeMarks>>,
    /// The row of the page of the upgrade to which the last step led.
    pub row: Option<String>,
    /// The package or code whose list of versions is open.
    pub asked: Option<Versioned>,
}

impl UpgradeView {
    /// The marks, if they are of the index that the panes show.
    pub fn shown(&self, catalog: &Catalog) -> Option<&Arc<UpgradeMarks>> {
        self.marks.as_ref().filter(|marks| marks.generation == catalog.generation)
    }
}

impl UpgradeMarks {
    /// The marks of a comparison for an index of what has two versions.
    pub fn new(read: &Arc<ReadUpgrade>, catalog: &Catalog) -> Self {
        let index = &catalog.index;
        let said = || read.report.findings.iter().filter(|finding| finding.verdict != Verdict::Ok);
        let wanted: FxHashSet<&str> = said().map(|finding| finding.symbol.as_str()).collect();
        let mut symbols = FxHashMap::default();
        for (id, definition) in index.every_definition() {
            let names = [&definition.alias, &definition.fqn].into_iter().chain(&definition.aliases);
            for name in names.filter(|name| wanted.contains(name.as_str())) {
                symbols.entry(name.to_string()).or_insert(id);
            }
        }
        let mut marks = Self {
            generation: catalog.generation,
            definitions: FxHashMap::default(),
            parameters: FxHashMap::default(),
            modules: FxHashMap::default(),
            places: places(catalog, said()),
            symbols,
            read: Arc::clone(read),
        };
        for finding in said() {
            if let Some(&id) = marks.symbols.get(&finding.symbol) {
                marks.add(catalog, id, finding);
            }
        }
        marks
    }

    /// Adds a finding to what is said of a definition, of all that is around it, and of the parameter.
    fn add(&mut self, catalog: &Catalog, id: DefinitionId, finding: &Finding) {
        let index = &catalog.index;
        let verdict = finding.verdict;
        for around in std::iter::successors(Some(id), |id| index.definition(*id).parent) {
            add(self.definitions.entry(around).or_insert(UpgradeMark { verdict, uses: 0 }), verdict);
        }
        let module = index.definition(id).module;
        for around in std::iter::successors(Some(module), |id| index.module(*id).parent) {
            add(self.modules.entry(around).or_insert(UpgradeMark { verdict, uses: 0 }), verdict);
        }
        let signature = index.definition(id).signature.as_ref();
        let parameters = signature.map_or(&[][..], |signature| &signature.parameters);
        let at = finding.param.as_deref().and_then(|name| parameters.iter().position(|known| known.name == *name));
        if let Some(at) = at {
            add(self.parameters.entry((id, at)).or_insert(UpgradeMark { verdict, uses: 0 }), verdict);
        }
    }

    /// What is said of a definition and its members.
    pub fn of_definition(&self, id: DefinitionId) -> Option<UpgradeMark> {
        self.definitions.get(&id).copied()
    }

    /// What is said of the parameter at a position.
    pub fn of_parameter(&self, id: DefinitionId, position: usize) -> Option<UpgradeMark> {
        self.parameters.get(&(id, position)).copied()
    }

    /// What is said of a module and those below it.
    pub fn of_module(&self, id: ModuleId) -> Option<UpgradeMark> {
        self.modules.get(&id).copied()
    }

    /// The definition with the name of a finding.
    pub fn definition(&self, finding: &Finding) -> Option<DefinitionId> {
        self.symbols.get(&finding.symbol).copied()
    }

    /// The place of a finding, if the index has it.
    pub fn place(&self, finding: &Finding) -> Option<SourcePlace> {
        self.places.get(&(finding.path.clone(), finding.line, finding.col)).copied()
    }

    /// The findings about a definition itself.
    pub fn groups_of(&self, id: DefinitionId) -> Vec<Group<'_>> {
        let mut groups = self.read.report.groups();
        groups.retain(|group| self.definition(group.first) == Some(id));
        groups
    }
}

/// Counts a use with a verdict: the worst verdict stays.
fn add(mark: &mut UpgradeMark, verdict: Verdict) {
    if verdict < mark.verdict {
        *mark = UpgradeMark { verdict, uses: 0 };
    }
    mark.uses += u32::from(verdict == mark.verdict);
}

/// The places of findings in an index: calls, reads, and lines of imports.
fn places<'r>(
    catalog: &Catalog,
    findings: impl Iterator<Item = &'r Finding>,
) -> FxHashMap<(String, u32, u32), SourcePlace> {
    let index = &catalog.index;
    let mut wanted: FxHashMap<&str, FxHashSet<(u32, u32)>> = FxHashMap::default();
    for finding in findings {
        wanted.entry(&finding.path).or_default().insert((finding.line, finding.col));
    }
    let mut places = FxHashMap::default();
    for (at, file) in index.files.iter().enumerate() {
        for (line, col) in wanted.get(file.path.as_str()).into_iter().flatten() {
            places.insert((file.path.to_string(), *line, *col), SourcePlace::Line(FileId::new(at), *line));
        }
    }
    let key = |file, line, col| -> Option<(String, u32, u32)> {
        let path = index.file(file).path.as_str();
        wanted.get(path)?.contains(&(line, col)).then(|| (path.to_owned(), line, col))
    };
    for (at, read) in index.reads.iter().enumerate() {
        if let Some(key) = key(read.file, read.line, read.col) {
            places.insert(key, SourcePlace::Read(ReadId::new(at)));
        }
    }
    for (at, call) in index.calls.iter().enumerate() {
        if let Some(key) = key(call.file, call.line, call.col) {
            places.insert(key, SourcePlace::Call(CallId::new(at)));
        }
    }
    places
}
