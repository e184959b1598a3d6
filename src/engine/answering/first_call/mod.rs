//! The first call of a definition, ready to be copied: what it imports, what it sets up, and the call.
//!
//! The code is that of a typical call in the sources. Imports become those that a user of the library writes. Of
//! several typical calls the one is chosen that leaves the fewest names to the reader, then one outside of tests, then
//! the shortest. If no call can be read, as in an index that was read from a file, the code is that of the typical call
//! which stubs quote. If there is none, or if it belongs into a class, the code is made from the signature.
//!
//! A class that code extends more often than it calls it has the code of a class that extends it in place of a call.
//!
//! The code stands in a file of its own: a name that it uses is imported, bound by the code, a global of the language,
//! or listed among those that the reader provides. An abstract class that no code extends has no call.

mod call_line;
mod candidate;
mod made;

pub use call_line::call_line;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};

use serde::Serialize;

use apidisc_base::{
    language::{Language, Origin},
    unprintable::escaped_text,
};
use apidisc_facts::{
    program::{CallForm, CallId, DefinitionId, DefinitionKind, FileId, OtherUse, UseKind},
    source::SourceText,
};
use apidisc_indexing::{
    index::Index,
    snippet::{self, CodeText, ExampleImport, is_receiver},
};
use candidate::{Candidate, complete, from_quote, of_call};
use made::{from_signature, is_abstract};

/// Reads a file of the sources by its path in the index; `None` if the file cannot be read.
type ReadSource<'a> = dyn Fn(&str) -> Option<SourceText> + 'a;

/// The greatest number of calls whose lengths are compared.
const MAX_COMPARED: usize = 150;
/// The greatest number of further calls that are compared if the typical ones leave names to the reader.
const MAX_FURTHER: usize = 100;
/// The greatest number of calls, the shortest ones, whose code is read.
const MAX_READ: usize = 24;
/// The greatest number of files whose texts are kept in memory.
const MAX_FILES: usize = 64;

/// Code for the first use of a definition. The lines of `imports`, `setup` and `call`, one after the other, are a
/// program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FirstCall {
    /// The import statements.
    pub imports: Vec<String>,
    /// The lines that bind names for the call.
    pub setup: Vec<String>,
    /// The lines of the call, or of the class that extends the definition. Empty if the definition cannot be called, or
    /// not be imported.
    pub call: Vec<String>,
    /// Names in the code for which the reader puts values of their own.
    pub you_provide: Vec<String>,
    /// The place of the call in the sources, `path:line`; `None` if the code is made from the typical call of the
    /// index, or from the signature.
    pub place: Option<String>,
    /// True if the code is made from the signature.
    pub is_made: bool,
    /// The call in the sources.
    #[serde(skip)]
    pub site: Option<CallId>,
    /// Why the calls of the sources could not be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

impl FirstCall {
    /// True if nothing can be written: code outside of the library cannot import the definition.
    pub fn is_empty(&self) -> bool {
        self.imports.is_empty() && self.setup.is_empty() && self.call.is_empty()
    }
}

/// The first call of a definition. `calls` are its typical calls.
pub fn first_call(index: &Index, id: DefinitionId, calls: &[CallId], read: &ReadSource<'_>) -> FirstCall {
    FirstCalls::new(index, read).with_calls(id, calls)
}

/// True for a class that code extends more often than it calls it.
fn is_mostly_a_base(index: &Index, id: DefinitionId) -> bool {
    let definition = index.definition(id);
    let bases = || index.other_uses_of(id).filter(|found| found.kind == UseKind::Base).count();
    definition.kind == DefinitionKind::Class && bases() > definition.usage.total_calls as usize
}

/// The import as a file at the root of the sources writes it: a module of TypeScript that no package exports is found
/// by its path. The path has the ending of a file whose ending decides the kind of its module: `./a.mjs`.
fn from_root(index: &Index, language: Language, import: ExampleImport) -> ExampleImport {
    // A folder may have a dot at the beginning of its name.
    let is_relative = import.module.starts_with("./") || import.module.starts_with("../");
    let is_path = language == Language::TypeScript
        && !is_relative
        && index.module_names.contains_key(import.module.as_str())
        && !index.import_names.contains(import.module.as_str());
    if !is_path {
        return import;
    }
    let file = index.module_names.get(import.module.as_str()).and_then(|&module| index.module(module).file);
    let ending = match file.and_then(|file| index.file(file).path.rsplit_once('.')).map(|(_, ending)| ending) {
        Some("mjs" | "mts") => ".mjs",
        Some("cjs" | "cts") => ".cjs",
        _ => "",
    };
    ExampleImport { module: format!("./{}{ending}", import.module), ..import }
}

/// Makes the first calls of several definitions. Each file of the sources is read and parsed once, as long as it is
/// among the last ones.
pub struct FirstCalls<'a> {
    index: &'a Index,
    read: &'a ReadSource<'a>,
    /// The files of the calls; `None` for one that cannot be read.
    files: HashMap<FileId, Option<CodeText>>,
    /// True if a call of the present definition was looked for at its place.
    looked_for_calls: bool,
    /// True if a call of the present definition was found at its place.
    found_a_call: bool,
}

impl<'a> FirstCalls<'a> {
    /// Makes first calls from an index, and from the sources that `read` reads.
    pub fn new(index: &'a Index, read: &'a ReadSource<'a>) -> Self {
        Self { index, read, files: HashMap::new(), looked_for_calls: false, found_a_call: false }
    }

    /// The first call of a definition; `None` if code outside of the library cannot import the definition.
    pub fn of(&mut self, id: DefinitionId) -> Option<FirstCall> {
        let calls = self.index.typical_calls(id);
        Some(self.with_calls(id, &calls)).filter(|first| !first.is_empty())
    }

    /// The first call of a definition. `calls` are its typical calls.
    fn with_calls(&mut self, id: DefinitionId, calls: &[CallId]) -> FirstCall {
        let index = self.index;
        (self.looked_for_calls, self.found_a_call) = (false, false);
        let is_abstract = is_abstract(index, id);
        let extending = if is_mostly_a_base(index, id) { self.extending(id) } else { None };
        let found = extending.or_else(|| if is_abstract { None } else { self.found(id, calls) });
        let is_unread = found.is_none() && self.looked_for_calls && !self.found_a_call;
        let problem = is_unread.then(|| "the sources have changed since they were indexed".to_owned());
        let found = found.or_else(|| from_quote(index, id).filter(|_| !is_abstract));
        // Code that belongs into a class is no program.
        let made = found.as_ref().is_none_or(Candidate::needs_receiver).then(|| from_signature(index, id));
        let made = made.filter(|made| found.is_none() || !made.imports.is_empty());
        let is_made = made.is_some();
        let mut candidate = made.or(found).unwrap_or_default();
        let receiver = self.receiver(id, &mut candidate, is_made);
        let language = index.definition(id).language;
        let is_type = matches!(index.definition(id).kind, DefinitionKind::Interface | DefinitionKind::TypeAlias);
        let imports: Vec<ExampleImport> =
            candidate.imports.into_iter().map(|import| from_root(index, language, import)).collect();
        let line = |line: String| if is_type { line.replacen("import ", "import type ", 1) } else { line };
        let setup = candidate.setup_lines.min(candidate.lines.len());
        let call = candidate.lines.split_off(setup);
        let escaped = |lines: Vec<String>| lines.iter().map(|line| escaped_text(line)).collect();
        FirstCall {
            imports: escaped(ExampleImport::lines(&imports, language).into_iter().map(line).collect()),
            setup: escaped(receiver.into_iter().chain(candidate.lines).collect()),
            call: escaped(call),
            you_provide: escaped(candidate.missing),
            place: candidate.place,
            is_made,
            site: candidate.call,
            problem,
        }
    }

    /// The best code among that of the typical calls; among that of all calls if it leaves names to the reader, uses a
    /// value that may be missing, or hides errors from type checkers.
    fn found(&mut self, id: DefinitionId, calls: &[CallId]) -> Option<Candidate> {
        let best = self.best(id, calls, |_| true);
        if calls.is_empty() || best.as_ref().is_some_and(Candidate::is_complete) {
            return best;
        }
        let index = self.index;
        let known: HashSet<CallId> = calls.iter().copied().collect();
        let mut others: Vec<CallId> =
            index.usage(id).calls.iter().copied().filter(|call| !known.contains(call)).collect();
        others.sort_by_key(|&call| (index.teaching(index.call(call)), call));
        others.truncate(MAX_FURTHER);
        let other = self.best(id, &others, |_| true);
        [best, other].into_iter().flatten().min_by_key(Candidate::rank)
    }

    /// The best code among that of some calls that `is_fit` accepts.
    fn best(&mut self, id: DefinitionId, calls: &[CallId], is_fit: impl Fn(&Candidate) -> bool) -> Option<Candidate> {
        let index = self.index;
        let is_written = |call: &&CallId| {
            let syntax = index.call(**call).syntax;
            !syntax.expects_error
                && !syntax.names_constructor
                && !matches!(syntax.form, CallForm::Super | CallForm::SuperAttribute)
        };
        let mut by_length: Vec<(usize, CallId)> = Vec::new();
        for &call in calls.iter().filter(is_written).take(MAX_COMPARED) {
            by_length.extend(self.length(call).map(|length| (length, call)));
        }
        by_length.sort_unstable();
        let mut best: Option<Candidate> = None;
        for (_, call) in by_length.into_iter().take(MAX_READ) {
            let candidate = self.candidate(id, call).filter(&is_fit);
            if let Some(candidate) = candidate
                && best.as_ref().is_none_or(|best| candidate.rank() < best.rank())
            {
                best = Some(candidate);
            }
        }
        best
    }

    /// The code of the file of a call, and the byte of the callee's name.
    fn code(&mut self, id: CallId) -> Option<(&CodeText, usize)> {
        let site = self.index.call(id);
        let text = self.text(site.file)?;
        let name = text.offset(site.line, site.col)?;
        Some((text, name))
    }

    /// The code of a file.
    fn text(&mut self, id: FileId) -> Option<&CodeText> {
        let (index, read) = (self.index, self.read);
        if self.files.len() >= MAX_FILES && !self.files.contains_key(&id) {
            self.files.clear();
        }
        let open = || {
            let file = index.file(id);
            Some(CodeText::new(&file.path, read(&file.path)?, file.language, index.is_quoted_code(id)))
        };
        self.files.entry(id).or_insert_with(open).as_ref()
    }

    /// The length of a call in bytes.
    fn length(&mut self, id: CallId) -> Option<usize> {
        let language = self.index.file(self.index.call(id).file).language;
        self.looked_for_calls = true;
        let (text, name) = self.code(id)?;
        let length = snippet::call_range(text.code(), name, language).map(|range| range.len());
        self.found_a_call |= length.is_some();
        length
    }

    fn candidate(&mut self, id: DefinitionId, call: CallId) -> Option<Candidate> {
        let (text, name) = self.code(call)?;
        let example = text.example(name)?;
        Some(of_call(self.index, id, call, example))
    }

    /// The best code of a class that extends the definition and is complete: of a document or example before that of
    /// code, and of code before that of a test, then one that has a body, then the shortest.
    fn extending(&mut self, id: DefinitionId) -> Option<Candidate> {
        let index = self.index;
        let origin = |found: &OtherUse| match index.file(found.file).origin {
            Origin::Docs | Origin::Examples => 0,
            Origin::Src => 1,
            Origin::Tests => 2,
        };
        let mut places: Vec<&OtherUse> = index.other_uses_of(id).filter(|found| found.kind == UseKind::Base).collect();
        places.sort_by_key(|found| origin(found));
        let mut best = None;
        for found in places.into_iter().take(MAX_READ) {
            let code = self.text(found.file).and_then(|text| text.class_example(text.offset(found.line, found.col)?));
            let Some(example) = code else { continue };
            let candidate = complete(index, id, Some((found.file, found.line)), example);
            if !candidate.is_complete() {
                continue;
            }
            let has_body = candidate.lines.iter().any(|line| line.starts_with(' ') && line.trim() != "pass");
            let rank = (origin(found), !has_body, candidate.rank());
            if best.as_ref().is_none_or(|(other, _)| rank < *other) {
                best = Some((rank, candidate));
            }
        }
        best.map(|(_, candidate)| candidate)
    }

    /// The statement that makes the receiver of a method, if the code lacks the receiver. `is_made` is true for code
    /// that is made from the signature.
    fn receiver(&mut self, id: DefinitionId, candidate: &mut Candidate, is_made: bool) -> Option<String> {
        let index = self.index;
        let definition = index.definition(id);
        let is_on_instance =
            matches!(definition.kind, DefinitionKind::Method | DefinitionKind::Property | DefinitionKind::Attribute);
        let class = definition.parent.filter(|_| is_on_instance && !definition.modifiers.is_static)?;
        let root = candidate.root.clone().filter(|root| !is_receiver(root))?;
        let at = candidate.missing.iter().position(|name| *name == root)?;
        let is_class = index.definition(class).kind == DefinitionKind::Class && !is_abstract(index, class);
        if !is_class {
            return None;
        }
        let is_fit = |made: &Candidate| made.missing.is_empty() && made.setup_lines == 0 && made.alone.len() == 1;
        let made = self.best(class, &index.typical_calls(class), is_fit);
        let made = made.or_else(|| from_quote(index, class).filter(is_fit))?;
        candidate.missing.remove(at);
        if is_made {
            // The code made from the signature names the class in no other place.
            candidate.imports.clear();
        }
        for import in made.imports {
            if !candidate.imports.contains(&import) {
                candidate.imports.push(import);
            }
        }
        let declares = if definition.language == Language::TypeScript { "const " } else { "" };
        Some(format!("{declares}{root} = {}", made.alone.concat()))
    }
}
