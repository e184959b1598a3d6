//! The uses of a package in two indexes of one program, with their verdicts.

use rustc_hash::FxHashSet;

use crate::{
    exports, guards, moved,
    overrides::overrides,
    presence::Presence,
    replacement,
    report::{Finding, Report, Rule, Verdict},
    signatures,
    version::Version,
    versions::{Module, UseVerdict, Versions, callee, public_name},
};
use apidisc_base::language::Language;
use apidisc_facts::program::{CallSite, DefinitionId};
use apidisc_indexing::{
    index::{Definition, Index},
    indexer::NodeLibraries,
    packages::{Dependency, InstalledModule},
};

/// The verdicts on all uses of a package, when the version in `after` takes the place of that in `before`.
pub fn compare(before: &Version<'_>, after: &Version<'_>, package: &Dependency) -> Report {
    let versions = Versions::new(before, after);
    let mut findings = findings(&versions, package);
    signatures::add(&mut findings, &versions);
    findings.sort();
    Report { findings }
}

/// The verdicts on all uses of a package, in no order.
pub(crate) fn findings(versions: &Versions<'_>, package: &Dependency) -> Vec<Finding> {
    let parts = parts_of(package, &versions.before.libraries.node);
    let comparison = Comparison { versions, package, parts };
    let mut findings = comparison.calls();
    findings.extend(comparison.reads());
    findings.extend(comparison.names(&findings));
    // Of a version that is compared with itself the index knows what is deprecated of what is called and read. Other
    // names would take the parsing of all declarations.
    if !versions.is_one() {
        let is_module = |specifier: &str| comparison.module_of(&format!("{specifier}#")).is_some();
        findings.extend(exports::findings(versions, is_module, |name| comparison.symbol(name)));
    }
    // A name may be found as a call and as a name that the program writes. The worst is sorted first.
    findings.sort();
    findings
        .dedup_by(|a, b| a.col > 0 && a.symbol.contains('#') && (&a.path, a.line, a.col) == (&b.path, b.line, b.col));
    // A version that is compared with itself breaks nothing.
    if !versions.is_one() {
        findings.extend(overrides(versions, &|index, definition| comparison.is_of_package(index, definition)));
        guards::mark_guarded(&mut findings, versions);
    }
    findings
}

/// True for a definition that stands in a file of a package.
pub(crate) fn is_of_package(index: &Index, definition: &Definition, package: &Dependency) -> bool {
    let path = &index.file(definition.place.file).path;
    InstalledModule::of_file(path).is_some_and(|module| package.holds(module))
}

struct Comparison<'v> {
    versions: &'v Versions<'v>,
    package: &'v Dependency,
    /// The packages that only this one imports, and that are a part of it for the program.
    parts: FxHashSet<&'v str>,
}

impl Comparison<'_> {
    fn is_of_package(&self, index: &Index, definition: &Definition) -> bool {
        self.holds(&index.file(definition.place.file).path)
    }

    /// True for the path of a file of the package, or of a part of it.
    fn holds(&self, path: &str) -> bool {
        InstalledModule::of_file(path)
            .is_some_and(|module| self.package.holds(module) || self.parts.contains(module.name()))
    }

    /// True for a class of the program whose constructor follows from fields, by a base of the package.
    fn is_made_of_fields(&self, index: &Index, definition: &Definition) -> bool {
        definition.signature.as_ref().is_some_and(|signature| signature.is_synthesized)
            && definition.ancestors.iter().any(|id| self.is_of_package(index, index.definition(*id)))
    }

    /// The modules of the package and of its parts.
    fn modules(&self) -> FxHashSet<Module<'_>> {
        let own = self.package.modules.iter().map(|name| (self.package.language, name.as_str()));
        own.chain(self.parts.iter().map(|name| (Language::TypeScript, *name))).collect()
    }

    fn calls(&self) -> Vec<Finding> {
        let index = self.versions.before.index;
        let uses = &self.versions.uses;
        let mut findings = Vec::new();
        let of_package = self.modules().into_iter().flat_map(|module| uses.calls(module)).copied();
        let is_elsewhere =
            |call: &&CallSite| callee(index, call).is_some_and(|id| !self.is_of_package(index, index.definition(id)));
        let of_fields = uses.of_fields.iter().copied().filter(is_elsewhere);
        for call in of_package.chain(of_fields) {
            let Some(id) = callee(index, call) else { continue };
            let definition = index.definition(id);
            let is_of_package = self.is_of_package(index, definition);
            if !is_of_package && !self.is_made_of_fields(index, definition) {
                continue;
            }
            let path = index.file(call.file).path.as_str();
            let new = self.versions.new_call((path, call.line, call.col));
            let finding = Finding::new(path, call.line, call.col, public_name(definition), Verdict::Ok);
            let resolved = new.and_then(|new| Some((new, callee(self.versions.after.index, new)?)));
            let verdict = match resolved {
                Some((new, new_id)) => self.versions.call((call, id), (new, new_id)),
                None if is_of_package => self.gone(call, id),
                None => UseVerdict::Unknown,
            };
            findings.push(verdict.on(finding));
        }
        findings
    }

    /// The verdict on a call that goes to the definition `id` in the old version and to nothing known in the new one.
    fn gone(&self, call: &CallSite, id: DefinitionId) -> UseVerdict {
        let index = self.versions.before.index;
        let definition = index.definition(id);
        // By the path that the call writes.
        let written = self.called_name(call).filter(|name| name.contains('#'));
        let written = written.filter(|name| exports::is_there(&self.versions.old.presence(name)));
        if let Some(found @ UseVerdict::Found(_)) = written.map(|name| self.symbol(name)) {
            return found;
        }
        let dotted = self.called_name(call).filter(|name| !name.contains('#'));
        if let Some(name) = dotted.filter(|name| self.versions.old.presence(name) == Presence::Present) {
            let class = name.rsplit_once('.').and_then(|(class, _)| self.versions.new.find(class));
            // A class has more members than the index, which knows those that are used.
            return class.map_or_else(|| self.symbol(name), |class| self.versions.gone_member(class, definition));
        }
        // By the class of the receiver.
        let class = call.receiver.or(definition.parent).map(|class| index.definition(class));
        let Some(class) = class.and_then(|class| self.versions.found_in_new(class)) else { return UseVerdict::Unknown };
        self.versions.gone_member(class, definition)
    }

    /// The full name that a call writes, if it begins with an imported name; empty for a built-in name.
    fn called_name(&self, call: &CallSite) -> Option<&str> {
        let path = self.versions.before.index.file(call.file).path.as_str();
        let libraries = self.versions.before.libraries;
        [&libraries.python.called, &libraries.node.called].into_iter().find_map(|called| {
            let calls = called.get(path)?;
            let at = calls.binary_search_by_key(&(call.line, call.col), |(place, _)| *place).ok()?;
            Some(calls[at].1.as_str())
        })
    }

    /// The verdict on a full name that the old version has.
    fn symbol(&self, name: &str) -> UseVerdict {
        let last = name.rsplit(['.', '#']).next().unwrap_or(name);
        let is_python = !name.contains('#');
        match self.versions.new.presence(name) {
            Presence::Present => match self.versions.new.warning(name).filter(|_| is_python) {
                Some(message) => {
                    let now = replacement::advised(&message, last).next();
                    let now = now.or_else(|| replacement::recommended(&message)).filter(|now| now != last);
                    UseVerdict::found(Verdict::Deprecated, Rule::DeprecatedSymbol, now)
                }
                None => UseVerdict::Ok,
            },
            Presence::Unknown => UseVerdict::Unknown,
            Presence::Deprecated(message) => {
                // A comment of a declaration does not name what it stands beside.
                let message = if is_python { message } else { format!("{last} {message}") };
                let now = replacement::advised(&message, last).next().map(|now| self.qualified(name, now));
                UseVerdict::found(Verdict::Deprecated, Rule::DeprecatedSymbol, now)
            }
            Presence::Absent if is_python => {
                let now = moved::instead(self.versions, name);
                UseVerdict::found(Verdict::Break, Rule::RemovedSymbol, now)
            }
            Presence::Absent => {
                let definition = self.versions.old.find(name).map(|id| self.versions.before.index.definition(id));
                let advised = definition.and_then(|definition| self.versions.advised_by_file(definition, last));
                UseVerdict::found(Verdict::Break, Rule::RemovedSymbol, advised.map(|now| self.qualified(name, now)))
            }
        }
    }

    /// The full name of a replacement, if the module of the old name has it.
    fn qualified(&self, old: &str, now: String) -> String {
        let Some(at) = old.rfind(['.', '#']) else { return now };
        let beside = format!("{}{now}", &old[..=at]);
        if self.versions.new.find(&beside).is_some() { beside } else { now }
    }

    fn reads(&self) -> Vec<Finding> {
        let index = self.versions.before.index;
        let mut findings = Vec::new();
        for read in self.modules().into_iter().flat_map(|module| self.versions.uses.reads(module)).copied() {
            let attribute = index.definition(read.attribute);
            let path = index.file(read.file).path.as_str();
            let finding = Finding::new(path, read.line, read.col, public_name(attribute), Verdict::Ok);
            let verdict = if let Some(new) = self.versions.new_read((path, read.line, read.col)) {
                self.versions.read(new)
            } else {
                let class = read.receiver.or(attribute.parent).map(|class| index.definition(class));
                let class = class.and_then(|class| self.versions.found_in_new(class));
                class.map_or(UseVerdict::Unknown, |class| self.versions.gone_member(class, attribute))
            };
            findings.push(verdict.on(finding));
        }
        findings
    }

    /// The names that the program imports or reads of modules, and calls of names that the old version does not resolve
    /// to a definition, if they are gone or deprecated. What works is no finding. `known` are the findings of calls and
    /// reads.
    fn names(&self, known: &[Finding]) -> Vec<Finding> {
        let libraries = self.versions.before.libraries;
        let is_told = |finding: &&Finding| finding.verdict <= Verdict::Deprecated;
        let told: FxHashSet<(&str, u32, &str)> = known
            .iter()
            .filter(is_told)
            .flat_map(|finding| {
                let parts = finding.symbol.split(['.', '#']);
                parts.map(|part| (finding.path.as_str(), finding.line, part))
            })
            .collect();
        let mut findings = Vec::new();
        let mut add = |path: &str, line: u32, col: u32, name: &str| {
            let is_of_package = self.module_of(name).is_some_and(|module| self.package.holds(module));
            let last = name.rsplit(['.', '#']).next().unwrap_or(name);
            // What is called or read of a name that is gone was found with it.
            if !is_of_package || told.contains(&(path, line, last)) {
                return;
            }
            let class = name.rsplit_once('.').map(|(class, _)| class);
            let is_class =
                |class: &str| [&self.versions.old, &self.versions.new].iter().any(|it| it.find(class).is_some());
            let verdict = match self.versions.old.presence(name) {
                Presence::Present if !class.is_some_and(is_class) => self.symbol(name),
                Presence::Deprecated(_) => return,
                _ => self.member(name),
            };
            if matches!(verdict, UseVerdict::Found(_)) {
                findings.push(verdict.on(Finding::new(path, line, col, name, Verdict::Ok)));
            }
        };
        for (path, names) in &libraries.python.imported_names {
            for (line, name) in names {
                add(path, *line, 0, name);
            }
        }
        let index = self.versions.before.index;
        for call in self.versions.uses.unresolved.iter().filter(|call| !call.syntax.expects_error) {
            let path = index.file(call.file).path.as_str();
            if let Some(name) = self.called_name(call).filter(|name| !name.is_empty()) {
                add(path, call.line, call.col, name);
            }
        }
        findings.sort();
        findings.dedup_by(|a, b| (&a.path, a.line, &a.symbol) == (&b.path, b.line, &b.symbol));
        findings
    }

    /// The verdict on a member of a class of Python that only the text of the class shows.
    fn member(&self, name: &str) -> UseVerdict {
        let (old, new) = (&self.versions.old, &self.versions.new);
        if self.versions.is_one()
            || old.member_by_text(name) != Presence::Present
            || new.member_by_text(name) != Presence::Absent
        {
            return UseVerdict::Unknown;
        }
        UseVerdict::found(Verdict::Break, Rule::RemovedSymbol, moved::instead_of_member(self.versions, name))
    }

    fn module_of<'n>(&self, name: &'n str) -> Option<InstalledModule<'n>> {
        match name.split_once('#') {
            Some((specifier, _)) => {
                let modules = self.package.modules.iter();
                let is_of = |module: &&String| {
                    specifier.strip_prefix(module.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
                };
                modules.into_iter().find(is_of).map(|module| InstalledModule::Node(&specifier[..module.len()]))
            }
            None => name.split('.').next().map(InstalledModule::Python),
        }
    }
}

/// The npm packages that the declarations of a package import, and no other package nor the program.
fn parts_of<'v>(package: &'v Dependency, libraries: &'v NodeLibraries) -> FxHashSet<&'v str> {
    let mut parts: FxHashSet<&str> = FxHashSet::default();
    if package.language != Language::TypeScript {
        return parts;
    }
    let is_imported = |name: &str| {
        let name = name.strip_prefix("@types/").unwrap_or(name);
        libraries.imported.binary_search_by(|(known, _)| known.as_str().cmp(name)).is_ok()
    };
    loop {
        let is_of = |name: &str| package.modules.iter().any(|module| module == name);
        let next = libraries.reached.iter().find(|(name, importers)| {
            let is_known = parts.contains(name.as_str()) || is_of(name) || is_imported(name);
            !is_known && importers.iter().all(|importer| is_of(importer) || parts.contains(importer.as_str()))
        });
        match next {
            Some((name, _)) => parts.insert(name),
            None => return parts,
        };
    }
}
