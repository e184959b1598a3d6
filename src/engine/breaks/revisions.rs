//! What a change of a repository does to the uses of its own code.
//!
//! The tests, examples and documents of the old revision are resolved with the code of both revisions, so that each use
//! stands at one place in both. The code itself differs between the revisions; of its calls those are compared whose
//! line the change left alone.

use std::cell::OnceCell;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    edits::Edits,
    removed::Removed,
    report::{Finding, Report, Rule, Verdict},
    signatures,
    version::Version,
    versions::{UseVerdict, Versions, callee, public_name},
};
use apidisc_base::language::Language;
use apidisc_facts::{
    program::{CallSite, DefinitionId, ReadSite, Resolution, UnresolvedReason},
    source::SourceText,
};
use apidisc_indexing::{
    index::{Definition, File, Index},
    snippet::{CodeText, ImportedName, call_range},
};

/// The verdicts on the uses of a repository's own code. `before` is the old revision, and `after` the code of the new
/// one under the tests, examples and documents of the old one.
///
/// A use whose line the change itself edited is reported for public names alone, since code outside the repository
/// cannot use private ones.
pub fn compare_revisions(before: &Version<'_>, after: &Version<'_>, edits: &Edits<'_>) -> Report {
    let versions = Versions::new(before, after);
    let removed = Removed::new(&versions, edits);
    let same = Version { index: before.index, libraries: before.libraries, read: before.read };
    let comparison = Comparison { versions: &versions, edits, removed, same: &same, own: OnceCell::new() };
    let mut imports = comparison.imports();
    let moved: FxHashMap<(String, String), String> = imports.iter().filter_map(Found::moved_module).collect();
    let adapted = imports.iter().filter(|found| found.finding.adapted == Some(true));
    let adapted: FxHashSet<(String, String)> =
        adapted.map(|Found { finding, .. }| (finding.path.clone(), finding.symbol.clone())).collect();
    let mut found = comparison.calls();
    found.extend(comparison.reads());
    for found in found.iter_mut().chain(&mut imports) {
        found.move_along(&moved, &comparison.removed);
    }
    for Found { finding, .. } in &mut found {
        // The change rewrote the import that the use depends on.
        let mut symbol = finding.symbol.as_str();
        while finding.rule == Some(Rule::RemovedSymbol) && finding.adapted == Some(false) {
            if adapted.contains(&(finding.path.clone(), symbol.to_owned())) {
                finding.adapted = Some(true);
            }
            let Some((container, _)) = symbol.rsplit_once(['.', '#']) else { break };
            symbol = container;
        }
    }
    found.extend(imports);
    for Found { finding, .. } in &mut found {
        finding.user = Some(edits.user(&finding.path));
    }
    let is_met = |found: &Found| found.is_public || found.finding.adapted == Some(false);
    let mut findings: Vec<Finding> = found.into_iter().filter(is_met).map(|found| found.finding).collect();
    signatures::add(&mut findings, &versions);
    findings.sort();
    Report { findings }
}

/// A finding, and whether it is about the public API.
struct Found {
    finding: Finding,
    is_public: bool,
}

impl Found {
    /// Of an import that was moved together with what it imports: its file, and the old and the new name of the module.
    fn moved_module(&self) -> Option<((String, String), String)> {
        let Finding { path, symbol, verdict, now, .. } = &self.finding;
        let new = now.as_deref().filter(|_| *verdict == Verdict::Moved)?;
        Some(((path.clone(), module_of(symbol).to_owned()), module_of(new).to_owned()))
    }

    /// The use of a name that is gone works if the change left it alone, and moved the module of the name together with
    /// the file of the use.
    fn move_along(&mut self, moved: &FxHashMap<(String, String), String>, removed: &Removed<'_>) {
        let finding = &mut self.finding;
        if finding.rule != Some(Rule::RemovedSymbol) || finding.adapted != Some(false) {
            return;
        }
        let key = (finding.path.clone(), module_of(&finding.symbol).to_owned());
        let Some(new) = moved.get(&key) else { return };
        let Some((_, inner)) = finding.symbol.split_once('#') else { return };
        let now = format!("{new}#{inner}");
        if removed.is_new(&format!("{new}#{}", inner.split('.').next().unwrap_or(inner))) {
            (finding.verdict, finding.rule, finding.now) = (Verdict::Moved, None, Some(now));
        }
    }
}

/// The module in a name of TypeScript; the whole name if it is that of a module.
fn module_of(symbol: &str) -> &str {
    symbol.split_once('#').map_or(symbol, |(module, _)| module)
}

struct Comparison<'v> {
    versions: &'v Versions<'v>,
    edits: &'v Edits<'v>,
    removed: Removed<'v>,
    /// The old revision once more. It has another address, so that the old one is compared with it in full.
    same: &'v Version<'v>,
    /// The old revision compared with itself, which is made for the first deprecation.
    own: OnceCell<Versions<'v>>,
}

/// The place of a use of the old revision.
struct Use<'v> {
    path: &'v str,
    line: u32,
    col: u32,
    /// The path and the line in the new index.
    new: (String, u32),
    /// True if the change edited or removed the line.
    is_adapted: bool,
}

impl<'v> Comparison<'v> {
    fn index(&self) -> &'v Index {
        self.versions.before.index
    }

    /// A place at which the code is used. `None` for a line of the code itself that the change edited.
    fn use_at(&self, file: &'v File, line: u32, col: u32) -> Option<Use<'v>> {
        let path = file.path.as_str();
        let kept = self.edits.kept(path, line);
        let is_adapted = kept.is_none();
        let new = if self.edits.is_user(path) { (path.to_owned(), line) } else { kept? };
        Some(Use { path, line, col, new, is_adapted })
    }

    /// True for a definition of the code, and not of its tests, examples or documents.
    fn is_code(&self, definition: &Definition) -> bool {
        !self.edits.is_user(&self.index().file(definition.place.file).path)
    }

    fn calls(&self) -> Vec<Found> {
        let index = self.index();
        let in_call = |call: &'v CallSite| {
            let id = callee(index, call)?;
            let definition = index.definition(id);
            if !self.is_code(definition) {
                return None;
            }
            let of = self.use_at(index.file(call.file), call.line, call.col)?;
            let new = self.versions.new_call((&of.new.0, of.new.1, of.col));
            let resolved = new.and_then(|new| Some((new, callee(self.versions.after.index, new)?)));
            let is_edited = |verdict: &UseVerdict| {
                matches!(verdict, UseVerdict::Found(_)) && !of.is_adapted && self.is_edited(&of, definition.language)
            };
            let verdict = match resolved {
                Some(new) => self.versions.call((call, id), new),
                // A test that expects an error may use what is not there.
                None if call.syntax.expects_error => UseVerdict::Unknown,
                // The name may be bound to something else now.
                None if new.is_some_and(|new| goes_elsewhere(new, self.edits.is_user(of.path))) => UseVerdict::Unknown,
                None => self.gone(id, call.receiver),
            };
            let verdict = self.unless_old((call, id), verdict);
            if is_edited(&verdict) {
                // Of the code itself only calls that the change left alone are compared.
                let of = Use { is_adapted: true, ..of };
                return self.edits.is_user(of.path).then(|| found(&of, definition, verdict));
            }
            Some(found(&of, definition, verdict))
        };
        index.calls.iter().filter_map(in_call).collect()
    }

    /// The verdict on a call; no finding for a deprecation that the old revision has already.
    fn unless_old(&self, of: (&CallSite, DefinitionId), verdict: UseVerdict) -> UseVerdict {
        let UseVerdict::Found(new) = &verdict else { return verdict };
        if new.verdict != Verdict::Deprecated {
            return verdict;
        }
        let own = self.own.get_or_init(|| Versions::new(self.versions.before, self.same));
        let is_old = match own.call(of, of) {
            UseVerdict::Found(old) => (old.verdict, old.rule, &old.param) == (new.verdict, new.rule, &new.param),
            UseVerdict::Ok | UseVerdict::Unknown => false,
        };
        if is_old { UseVerdict::Ok } else { verdict }
    }

    /// True if the change edited a line of a call, which may have several.
    fn is_edited(&self, of: &Use<'_>, language: Language) -> bool {
        let text = self.versions.old_text(of.path);
        let Some(line) = text.split_inclusive('\n').nth(of.line as usize - 1) else { return false };
        let begin = line.as_ptr() as usize - text.as_ptr() as usize;
        let range = call_range(&text, begin + of.col as usize, language);
        let lines = range.and_then(|range| text.get(begin..range.end)).map_or(1, |call| call.lines().count());
        let lines = u32::try_from(lines).unwrap_or(u32::MAX);
        (of.line..of.line.saturating_add(lines)).any(|line| self.edits.kept(of.path, line).is_none())
    }

    fn reads(&self) -> Vec<Found> {
        let index = self.index();
        let in_read = |read: &'v ReadSite| {
            let attribute = index.definition(read.attribute);
            if !self.is_code(attribute) {
                return None;
            }
            let of = self.use_at(index.file(read.file), read.line, read.col)?;
            let is_there = self.versions.new_read((&of.new.0, of.new.1, of.col)).is_some();
            let verdict = if is_there { UseVerdict::Ok } else { self.gone(read.attribute, read.receiver) };
            Some(found(&of, attribute, verdict))
        };
        index.reads.iter().filter_map(in_read).collect()
    }

    /// The verdict on a use that the new code does not resolve.
    fn gone(&self, id: DefinitionId, receiver: Option<DefinitionId>) -> UseVerdict {
        let index = self.index();
        let definition = index.definition(id);
        let Some(class) = receiver.or(definition.parent).map(|class| index.definition(class)) else {
            return self.removed.verdict(definition);
        };
        match self.versions.found_in_new(class) {
            Some(new) => self.versions.gone_member(new, definition),
            None => match self.removed.verdict(class) {
                UseVerdict::Found(_) => UseVerdict::found(Verdict::Break, Rule::RemovedSymbol, None),
                other => other,
            },
        }
    }

    /// The names that tests, examples and documents import, and that are gone.
    fn imports(&self) -> Vec<Found> {
        let index = self.index();
        let mut findings = Vec::new();
        for file in index.files.iter().filter(|file| self.edits.is_user(&file.path)) {
            let Some(text) = (self.versions.before.read)(&file.path) else { continue };
            if !self.removed.is_named_in(&text) {
                continue;
            }
            let text = SourceText { source: text, lines: None };
            let code = CodeText::new(&file.path, text, file.language, file.is_document());
            for (line, import) in code.imports() {
                let name = match &import.name {
                    ImportedName::Module => None,
                    ImportedName::Default => Some("default"),
                    ImportedName::Named(name) => Some(name.as_str()),
                };
                let Some(found) = self.removed.import(file, &import.module, name) else { continue };
                let is_adapted = self.edits.kept(&file.path, line).is_none();
                let finding = Finding::new(&file.path, line, 0, &found.symbol, Verdict::Ok);
                let finding = match self.removed.moved_along(file, line, &import.module, name) {
                    Some(now) => Finding { verdict: Verdict::Moved, now: Some(now), ..finding },
                    None => found.verdict.on(finding),
                };
                let finding = Finding { adapted: Some(is_adapted), ..finding };
                findings.push(Found { finding, is_public: found.is_public });
            }
        }
        findings
    }
}

/// True for a call of which the callee is computed, and for a call of the code itself that leads out of the code.
fn goes_elsewhere(call: &CallSite, is_user: bool) -> bool {
    match call.resolution {
        Resolution::Unresolved(UnresolvedReason::External) => !is_user,
        Resolution::Unresolved(UnresolvedReason::Dynamic | UnresolvedReason::TooComplex) => true,
        _ => false,
    }
}

/// What a verdict says of a use of a definition.
fn found(of: &Use<'_>, definition: &Definition, verdict: UseVerdict) -> Found {
    let finding = verdict.on(Finding::new(of.path, of.line, of.col, public_name(definition), Verdict::Ok));
    let is_known = finding.verdict == Verdict::Deprecated && definition.deprecation().is_some();
    let finding = if is_known { Finding::new(of.path, of.line, of.col, &finding.symbol, Verdict::Ok) } else { finding };
    let finding = Finding { adapted: Some(of.is_adapted), ..finding };
    Found { finding, is_public: definition.is_public }
}
