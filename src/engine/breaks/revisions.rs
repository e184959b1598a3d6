//! What a change of a repository does to the uses of its own code.
//!
//! The tests, examples and documents of the old revision are resolved with the code of both revisions, so that each use
//! stands at one place in both. The code itself differs between the revisions; of its calls those are compared whose
//! line the change left alone.

use apidisc_facts::program::{CallSite, DefinitionId};
use apidisc_indexing::{
    index::{Definition, File, Index},
    snippet::{CodeText, ImportedName},
};

use crate::{
    edits::Edits,
    removed::Removed,
    report::{Finding, Report, Rule, Verdict},
    version::Version,
    versions::{UseVerdict, Versions, callee, public_name},
};
use apidisc_facts::source::{RevisedSource, SourceText};

/// The verdicts on the uses of a repository's own code. `before` is the old revision, and `after` the code of the new
/// one under the tests, examples and documents of the old one.
///
/// Uses that the change adapted are told for the public API alone: nobody else meets the others.
pub fn compare_revisions(before: &Version<'_>, after: &Version<'_>, edits: &Edits<'_>) -> Report {
    let versions = Versions::new(before, after);
    let removed = Removed::new(&versions, edits);
    let comparison = Comparison { versions: &versions, edits, removed };
    let mut findings = comparison.calls();
    findings.extend(comparison.reads());
    findings.extend(comparison.imports());
    findings.sort();
    Report { findings }
}

struct Comparison<'v> {
    versions: &'v Versions<'v>,
    edits: &'v Edits<'v>,
    removed: Removed<'v>,
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
        let new = if RevisedSource::is_user(path) { (path.to_owned(), line) } else { kept? };
        Some(Use { path, line, col, new, is_adapted })
    }

    /// True for a definition of the code, and not of its tests, examples or documents.
    fn is_code(&self, definition: &Definition) -> bool {
        !RevisedSource::is_user(&self.index().file(definition.place.file).path)
    }

    fn calls(&self) -> Vec<Finding> {
        let index = self.index();
        let found = |call: &'v CallSite| {
            let id = callee(index, call)?;
            let definition = index.definition(id);
            if !self.is_code(definition) {
                return None;
            }
            let of = self.use_at(index.file(call.file), call.line, call.col)?;
            let new = self.versions.new_call((&of.new.0, of.new.1, of.col));
            let resolved = new.and_then(|new| Some((new, callee(self.versions.after.index, new)?)));
            let verdict = match resolved {
                Some(new) => self.versions.call((call, id), new),
                // A test that expects an error may use what is not there.
                None if call.syntax.expects_error => UseVerdict::Unknown,
                None => self.gone(id, call.receiver),
            };
            finding(&of, definition, verdict)
        };
        index.calls.iter().filter_map(found).collect()
    }

    fn reads(&self) -> Vec<Finding> {
        let index = self.index();
        let found = |read: &'v apidisc_facts::program::ReadSite| {
            let attribute = index.definition(read.attribute);
            if !self.is_code(attribute) {
                return None;
            }
            let of = self.use_at(index.file(read.file), read.line, read.col)?;
            let is_there = self.versions.has_new_read((&of.new.0, of.new.1, of.col));
            let verdict = if is_there { UseVerdict::Ok } else { self.gone(read.attribute, read.receiver) };
            finding(&of, attribute, verdict)
        };
        index.reads.iter().filter_map(found).collect()
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
    fn imports(&self) -> Vec<Finding> {
        let index = self.index();
        let mut findings = Vec::new();
        for file in index.files.iter().filter(|file| RevisedSource::is_user(&file.path)) {
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
                if found.is_public || !is_adapted {
                    let finding = Finding::new(&file.path, line, 0, &found.symbol, Verdict::Ok);
                    findings.push(Finding { adapted: Some(is_adapted), ..found.verdict.on(finding) });
                }
            }
        }
        findings
    }
}

/// A finding; `None` for one that nobody meets.
fn finding(of: &Use<'_>, definition: &Definition, verdict: UseVerdict) -> Option<Finding> {
    let finding = Finding::new(of.path, of.line, of.col, public_name(definition), Verdict::Ok);
    let finding = Finding { adapted: Some(of.is_adapted), ..verdict.on(finding) };
    let is_known = finding.verdict == Verdict::Deprecated && definition.deprecation().is_some();
    let finding = if is_known { Finding::new(of.path, of.line, of.col, &finding.symbol, Verdict::Ok) } else { finding };
    (definition.is_public || !of.is_adapted).then_some(finding)
}
