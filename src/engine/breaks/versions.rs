//! Two versions, and the verdict on a use that each resolves for itself.

use std::{cell::RefCell, rc::Rc};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    arguments::{self, Binding},
    replacement,
    report::{Finding, Rule, Verdict, Violation},
    symbols::{Presence, Symbols},
    version::Version,
};
use apidisc_facts::program::{CallSite, DefinitionId};
use apidisc_indexing::index::{Definition, Index};

/// The greatest number of lines of a definition in which messages about its parameters are looked for.
const MAX_LINES: usize = 3_000;

/// A place in a file: path, line and column.
pub(crate) type Place<'v> = (&'v str, u32, u32);

/// Two versions of what a program uses.
pub(crate) struct Versions<'v> {
    pub(crate) before: &'v Version<'v>,
    pub(crate) after: &'v Version<'v>,
    /// The names of `before`.
    pub(crate) old: Symbols<'v>,
    /// The names of `after`.
    pub(crate) new: Symbols<'v>,
    /// The calls of the new index.
    calls: FxHashMap<Place<'v>, &'v CallSite>,
    /// The places at which the new index has reads of attributes.
    reads: FxHashSet<Place<'v>>,
    /// The texts of files that were read, by whether they are of the new version, and by path.
    texts: RefCell<FxHashMap<(bool, String), Rc<str>>>,
}

impl<'v> Versions<'v> {
    pub(crate) fn new(before: &'v Version<'v>, after: &'v Version<'v>) -> Self {
        let path = |file| after.index.file(file).path.as_str();
        let calls = after.index.calls.iter().map(|call| ((path(call.file), call.line, call.col), call));
        let reads = after.index.reads.iter().map(|read| (path(read.file), read.line, read.col));
        Self {
            before,
            after,
            old: Symbols::new(before),
            new: Symbols::new(after),
            calls: calls.collect(),
            reads: reads.collect(),
            texts: RefCell::default(),
        }
    }

    /// The call of the new version at a place.
    pub(crate) fn new_call(&self, place: Place<'_>) -> Option<&'v CallSite> {
        self.calls.get(&place).copied()
    }

    /// True if the new version reads an attribute at a place.
    pub(crate) fn has_new_read(&self, place: Place<'_>) -> bool {
        self.reads.contains(&place)
    }

    /// The verdict on a call that both versions resolve.
    pub(crate) fn call(
        &self,
        (old, old_id): (&CallSite, DefinitionId),
        (new, new_id): (&CallSite, DefinitionId),
    ) -> UseVerdict {
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

    /// The verdict on a use of a member that a class of the new version may no longer have.
    pub(crate) fn gone_member(&self, class: DefinitionId, definition: &Definition) -> UseVerdict {
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
    pub(crate) fn found_in_new(&self, definition: &Definition) -> Option<DefinitionId> {
        let names = std::iter::once(&definition.alias).chain([&definition.fqn]).chain(&definition.aliases);
        names.into_iter().find_map(|name| self.new.find(name))
    }

    /// The first name that the file of a definition of the old version advises to use instead of `name`.
    pub(crate) fn advised_by_file(&self, definition: &Definition, name: &str) -> Option<String> {
        replacement::advised(&self.text(false, definition), name).next()
    }

    /// The text of the file of a definition; empty if it cannot be read.
    fn text(&self, is_new: bool, definition: &Definition) -> Rc<str> {
        let version = if is_new { self.after } else { self.before };
        self.text_at(is_new, version.index.file(definition.place.file).path.to_string())
    }

    /// The text of a file of the old version; empty if it cannot be read.
    pub(crate) fn old_text(&self, path: &str) -> Rc<str> {
        self.text_at(false, path.to_owned())
    }

    fn text_at(&self, is_new: bool, path: String) -> Rc<str> {
        let version = if is_new { self.after } else { self.before };
        let read = |(_, path): &(bool, String)| (version.read)(path).unwrap_or_default().into();
        Rc::clone(self.texts.borrow_mut().entry((is_new, path)).or_insert_with_key(read))
    }
}

/// The verdict on a use.
pub(crate) enum UseVerdict {
    Ok,
    Unknown,
    Found(Violation),
}

impl UseVerdict {
    pub(crate) fn found(verdict: Verdict, rule: Rule, now: Option<String>) -> Self {
        Self::Found(Violation { verdict, rule, param: None, now })
    }

    /// The finding with this verdict.
    pub(crate) fn on(self, finding: Finding) -> Finding {
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
pub(crate) fn callee(index: &Index, call: &CallSite) -> Option<DefinitionId> {
    index.calls.candidates(call).first().copied()
}

/// The shortest public name of a definition.
pub(crate) fn public_name(definition: &Definition) -> &str {
    if definition.alias.is_empty() { &definition.fqn } else { &definition.alias }
}
