//! The uses of a package in two indexes of one program, with their verdicts.

use std::{cell::RefCell, rc::Rc};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    arguments::{self, Binding},
    replacement,
    report::{Finding, Report, Rule, Verdict, Violation},
    symbols::{Presence, Symbols},
    version::Version,
};
use apidisc_facts::program::{CallSite, DefinitionId};
use apidisc_indexing::{
    index::{Definition, Index},
    packages::{Dependency, InstalledModule},
};

/// The greatest number of lines of a definition in which messages about its parameters are looked for.
const MAX_LINES: usize = 3_000;

/// The verdicts on all uses of a package, when the version in `after` takes the place of that in `before`.
pub fn compare(before: &Version<'_>, after: &Version<'_>, package: &Dependency) -> Report {
    let path = |file| after.index.file(file).path.as_str();
    let calls = after.index.calls.iter().map(|call| ((path(call.file), call.line, call.col), call));
    let reads = after.index.reads.iter().map(|read| (path(read.file), read.line, read.col));
    let comparison = Comparison {
        before,
        after,
        package,
        old: Symbols::new(before),
        new: Symbols::new(after),
        calls: calls.collect(),
        reads: reads.collect(),
        texts: RefCell::default(),
    };
    let mut findings = comparison.calls();
    findings.extend(comparison.reads());
    findings.extend(comparison.imports());
    findings.sort();
    Report { findings }
}

/// A place in a file: path, line and column.
type Place<'v> = (&'v str, u32, u32);

struct Comparison<'v> {
    before: &'v Version<'v>,
    after: &'v Version<'v>,
    package: &'v Dependency,
    old: Symbols<'v>,
    new: Symbols<'v>,
    /// The calls of the new index.
    calls: FxHashMap<Place<'v>, &'v CallSite>,
    /// The places at which the new index has reads of attributes.
    reads: FxHashSet<Place<'v>>,
    /// The texts of files of packages that were read, by whether they are of the new version, and by path.
    texts: RefCell<FxHashMap<(bool, String), Rc<str>>>,
}

impl Comparison<'_> {
    fn is_of_package(&self, index: &Index, definition: &Definition) -> bool {
        let path = &index.file(definition.place.file).path;
        InstalledModule::of_file(path).is_some_and(|module| self.package.holds(module))
    }

    fn calls(&self) -> Vec<Finding> {
        let index = self.before.index;
        let mut findings = Vec::new();
        for call in index.calls.iter() {
            let Some(id) = callee(index, call) else { continue };
            let definition = index.definition(id);
            let is_of_package = self.is_of_package(index, definition);
            if !is_of_package && !is_made_of_fields(index, definition) {
                continue;
            }
            let path = index.file(call.file).path.as_str();
            let new = self.calls.get(&(path, call.line, call.col)).copied();
            let finding = Finding::new(path, call.line, call.col, public_name(definition), Verdict::Ok);
            let resolved = new.and_then(|new| Some((new, callee(self.after.index, new)?)));
            let verdict = match resolved {
                Some((new, new_id)) => self.call((call, id), (new, new_id)),
                None if is_of_package => self.gone(call, id),
                None => UseVerdict::Unknown,
            };
            // A class whose constructor is the same in both versions says nothing about the package.
            if !is_of_package && matches!(verdict, UseVerdict::Ok | UseVerdict::Unknown) {
                continue;
            }
            findings.push(verdict.on(finding));
        }
        findings
    }

    /// The verdict on a call that both versions resolve.
    fn call(&self, (old, old_id): (&CallSite, DefinitionId), (new, new_id): (&CallSite, DefinitionId)) -> UseVerdict {
        let (before, after) = (self.before.index, self.after.index);
        let (old_definition, new_definition) = (before.definition(old_id), after.definition(new_id));
        let broken = self.arguments((old, old_definition), (new, new_definition));
        match new_definition.deprecation() {
            // What fails now matters more than what fails later.
            Some(message) if broken.as_ref().is_none_or(|found| found.verdict != Verdict::Break) => {
                let name = new_definition.name.as_str();
                let now = replacement::advised(&format!("{name} {message}"), name).next();
                UseVerdict::found(Verdict::Deprecated, Rule::DeprecatedSymbol, now)
            }
            _ => {
                let has_spread = before.calls.arguments(old).iter().any(|argument| argument.kind.is_spread());
                let without = if has_spread { UseVerdict::Unknown } else { UseVerdict::Ok };
                broken.map_or(without, UseVerdict::Found)
            }
        }
    }

    /// The worst that the new signature does to the arguments of a call.
    fn arguments(
        &self,
        (old, old_definition): (&CallSite, &Definition),
        (new, new_definition): (&CallSite, &Definition),
    ) -> Option<Violation> {
        let (old_signature, new_signature) = (old_definition.signature.as_ref()?, new_definition.signature.as_ref()?);
        let (old_arguments, new_arguments) =
            (self.before.index.calls.arguments(old), self.after.index.calls.arguments(new));
        if old.syntax.expects_error || (old_signature == new_signature && old_arguments == new_arguments) {
            return None;
        }
        let [old_file, new_file] =
            [(false, old_definition), (true, new_definition)].map(|(is_new, definition)| self.text(is_new, definition));
        let old = Binding {
            signature: old_signature,
            arguments: old_arguments,
            text: text_of(old_definition, &old_file),
            file_text: &old_file,
        };
        let new = Binding {
            signature: new_signature,
            arguments: new_arguments,
            text: text_of(new_definition, &new_file),
            file_text: &new_file,
        };
        arguments::worst_violation(old, new)
    }

    /// The verdict on a call that goes to the definition `id` in the old version and to nothing known in the new one.
    fn gone(&self, call: &CallSite, id: DefinitionId) -> UseVerdict {
        let index = self.before.index;
        let definition = index.definition(id);
        // By the path that the call writes.
        let path = index.file(call.file).path.as_str();
        let libraries = self.before.libraries;
        let named = [&libraries.python.called, &libraries.node.called].into_iter().find_map(|called| {
            let calls = called.get(path)?;
            let at = calls.binary_search_by_key(&(call.line, call.col), |(place, _)| *place).ok()?;
            Some(calls[at].1.as_str())
        });
        if let Some(name) = named.filter(|name| self.old.presence(name) == Presence::Present) {
            return self.symbol(name);
        }
        // By the class of the receiver.
        let class = call.receiver.or(definition.parent).map(|class| index.definition(class));
        let Some(class) = class.and_then(|class| self.found_in_new(class)) else { return UseVerdict::Unknown };
        self.gone_member(class, definition)
    }

    fn gone_member(&self, class: DefinitionId, definition: &Definition) -> UseVerdict {
        match self.new.member(class, &definition.name) {
            Presence::Absent => {
                let now = self.advised_by_file(definition, &definition.name);
                let now = now.map(|name| name.rsplit('.').next().unwrap_or(&name).to_owned());
                UseVerdict::found(Verdict::Break, Rule::RemovedSymbol, now)
            }
            _ => UseVerdict::Unknown,
        }
    }

    /// The definition of the new version that has a name of a definition of the old one.
    fn found_in_new(&self, definition: &Definition) -> Option<DefinitionId> {
        let names = std::iter::once(&definition.alias).chain([&definition.fqn]).chain(&definition.aliases);
        names.into_iter().find_map(|name| self.new.find(name))
    }

    /// The verdict on a full name that the old version has.
    fn symbol(&self, name: &str) -> UseVerdict {
        let last = name.rsplit(['.', '#']).next().unwrap_or(name);
        match self.new.presence(name) {
            Presence::Present => UseVerdict::Ok,
            Presence::Unknown => UseVerdict::Unknown,
            Presence::Deprecated(message) => {
                let now = replacement::advised(&message, last).next().map(|now| self.qualified(name, now));
                UseVerdict::found(Verdict::Deprecated, Rule::DeprecatedSymbol, now)
            }
            Presence::Absent => {
                let definition = self.old.find(name).map(|id| self.before.index.definition(id));
                let advised = definition.and_then(|definition| self.advised_by_file(definition, last));
                UseVerdict::found(Verdict::Break, Rule::RemovedSymbol, advised.map(|now| self.qualified(name, now)))
            }
        }
    }

    /// The full name of a replacement, if the module of the old name has it.
    fn qualified(&self, old: &str, now: String) -> String {
        let Some(at) = old.rfind(['.', '#']) else { return now };
        let beside = format!("{}{now}", &old[..=at]);
        if self.new.find(&beside).is_some() { beside } else { now }
    }

    fn reads(&self) -> Vec<Finding> {
        let index = self.before.index;
        let mut findings = Vec::new();
        for read in index.reads.iter() {
            let attribute = index.definition(read.attribute);
            if !self.is_of_package(index, attribute) {
                continue;
            }
            let path = index.file(read.file).path.as_str();
            let finding = Finding::new(path, read.line, read.col, public_name(attribute), Verdict::Ok);
            let verdict = if self.reads.contains(&(path, read.line, read.col)) {
                UseVerdict::Ok
            } else {
                let class = read.receiver.or(attribute.parent).map(|class| index.definition(class));
                let class = class.and_then(|class| self.found_in_new(class));
                class.map_or(UseVerdict::Unknown, |class| self.gone_member(class, attribute))
            };
            findings.push(verdict.on(finding));
        }
        findings
    }

    /// The names that import statements name and that are gone or deprecated. An import that works is no finding.
    fn imports(&self) -> Vec<Finding> {
        let libraries = self.before.libraries;
        let mut findings = Vec::new();
        for imported in [&libraries.python.imported_names, &libraries.node.imported_names] {
            for (path, names) in imported {
                for (line, name) in names {
                    let is_of_package = self.module_of(name).is_some_and(|module| self.package.holds(module));
                    if !is_of_package || self.old.presence(name) != Presence::Present {
                        continue;
                    }
                    let verdict = self.symbol(name);
                    if matches!(verdict, UseVerdict::Found(_)) {
                        findings.push(verdict.on(Finding::new(path, *line, 0, name, Verdict::Ok)));
                    }
                }
            }
        }
        findings
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

    /// The first name that the file of a definition of the old version advises to use instead of `name`.
    fn advised_by_file(&self, definition: &Definition, name: &str) -> Option<String> {
        replacement::advised(&self.text(false, definition), name).next()
    }

    /// The text of the file of a definition; empty if it cannot be read.
    fn text(&self, is_new: bool, definition: &Definition) -> Rc<str> {
        let version = if is_new { self.after } else { self.before };
        let path = version.index.file(definition.place.file).path.to_string();
        let read = |(_, path): &(bool, String)| (version.read)(path).unwrap_or_default().into();
        Rc::clone(self.texts.borrow_mut().entry((is_new, path)).or_insert_with_key(read))
    }
}

/// The verdict on a use.
enum UseVerdict {
    Ok,
    Unknown,
    Found(Violation),
}

impl UseVerdict {
    fn found(verdict: Verdict, rule: Rule, now: Option<String>) -> Self {
        Self::Found(Violation { verdict, rule, param: None, now })
    }

    /// The finding with this verdict.
    fn on(self, finding: Finding) -> Finding {
        match self {
            Self::Ok => finding,
            Self::Unknown => Finding { verdict: Verdict::Unknown, ..finding },
            Self::Found(Violation { verdict, rule, param, now }) => {
                Finding { verdict, rule: Some(rule), param, now, ..finding }
            }
        }
    }
}

/// The lines of a definition in the text of its file.
fn text_of<'t>(definition: &Definition, file: &'t str) -> &'t str {
    let line_at = |line: usize| {
        let mut breaks = file.match_indices('\n').map(|(at, _)| at + 1);
        if line == 0 { 0 } else { breaks.nth(line - 1).unwrap_or(file.len()) }
    };
    let begin = (definition.place.line as usize).saturating_sub(1);
    let end = (definition.place.end_line as usize).min(begin + MAX_LINES);
    file.get(line_at(begin)..line_at(end)).unwrap_or_default()
}

/// The definition that a call resolves to; of several the first.
fn callee(index: &Index, call: &CallSite) -> Option<DefinitionId> {
    index.calls.candidates(call).first().copied()
}

/// True for a class of the program whose constructor follows from fields, by a base of a package.
fn is_made_of_fields(index: &Index, definition: &Definition) -> bool {
    let is_installed = |id: &DefinitionId| index.module_of_file(index.definition(*id).place.file).is_some();
    definition.signature.as_ref().is_some_and(|signature| signature.is_synthesized)
        && definition.ancestors.iter().any(is_installed)
}

/// The shortest public name of a definition.
fn public_name(definition: &Definition) -> &str {
    if definition.alias.is_empty() { &definition.fqn } else { &definition.alias }
}
