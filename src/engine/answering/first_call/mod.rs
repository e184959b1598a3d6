//! The first call of a definition, ready to be copied: what it imports, what it sets up, and the call.
//!
//! The code is that of a typical call in the sources. Imports become those that a user of the library writes. Of
//! several typical calls the one is chosen that leaves the fewest names to the reader, then one outside of tests, then
//! the shortest. If no call can be read, as in an index that was read from a file, the code is that of the typical call
//! which stubs quote. If there is none, or if it belongs into a class, the code is made from the signature.
//!
//! The code stands in a file of its own: a name that it uses is imported, bound by the code, a global of the language,
//! or listed among those that the reader provides. An abstract class has no call.

mod made;

use std::collections::{HashMap, HashSet};

use serde::Serialize;

use apidisc_base::{language::Language, unprintable::escaped_text};
use apidisc_facts::{
    program::{Argument, BoundParameter, CallForm, CallId, DefinitionId, DefinitionKind, FileId},
    source::SourceText,
};
use apidisc_indexing::{
    index::{Index, Teaching},
    snippet::{self, CodeText, Example, ExampleImport},
    usage::canonical_literal,
};
use apidisc_stubs::stub::{import_of, imports_of_example};
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

/// The number of bytes that are deducted from the length of code, in the comparison of lengths, for each call that
/// passes a literal which the code passes: common values are worth some bytes.
const BYTES_PER_COMMON_VALUE: usize = 8;
/// The greatest number of such calls that are deducted.
const MAX_COMMON_VALUES: usize = 12;

/// Code for the first use of a definition. The lines of `imports`, `setup` and `call`, one after the other, are a
/// program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FirstCall {
    /// The import statements.
    pub imports: Vec<String>,
    /// The lines that bind names for the call.
    pub setup: Vec<String>,
    /// The lines of the call. Empty if the definition cannot be called, or not be imported.
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
    let mut reader = Reader { index, read, files: HashMap::new(), looked_for_calls: false, found_a_call: false };
    let is_abstract = is_abstract(index, id);
    let found = if is_abstract { None } else { reader.found(id, calls) };
    let is_unread = found.is_none() && reader.looked_for_calls && !reader.found_a_call;
    let problem = is_unread.then(|| "the sources have changed since they were indexed".to_owned());
    let found = found.or_else(|| from_quote(index, id).filter(|_| !is_abstract));
    // Code that belongs into a class is no program.
    let made = found.as_ref().is_none_or(Candidate::needs_receiver).then(|| from_signature(index, id));
    let made = made.filter(|made| found.is_none() || !made.imports.is_empty());
    let is_made = made.is_some();
    let mut candidate = made.or(found).unwrap_or_default();
    let receiver = reader.receiver(id, &mut candidate);
    let language = index.definition(id).language;
    let is_type = matches!(index.definition(id).kind, DefinitionKind::Interface | DefinitionKind::TypeAlias);
    let imports: Vec<ExampleImport> =
        candidate.imports.into_iter().map(|import| from_root(index, language, import)).collect();
    let line = |line: String| if is_type { line.replacen("import ", "import type ", 1) } else { line };
    let setup = candidate.setup_lines.min(candidate.lines.len());
    let call = candidate.lines.split_off(setup);
    let escaped = |lines: Vec<String>| lines.iter().map(|line| escaped_text(line)).collect();
    let place = candidate.call.map(|call| index.call(call));
    FirstCall {
        imports: escaped(ExampleImport::lines(&imports, language).into_iter().map(line).collect()),
        setup: escaped(receiver.into_iter().chain(candidate.lines).collect()),
        call: escaped(call),
        you_provide: escaped(candidate.missing),
        place: place.map(|site| format!("{}:{}", escaped_text(&index.file(site.file).path), site.line)),
        is_made,
        site: candidate.call,
        problem,
    }
}

/// The import as a file at the root of the sources writes it: a module of TypeScript that no package exports is found
/// by its path.
fn from_root(index: &Index, language: Language, import: ExampleImport) -> ExampleImport {
    let is_path = language == Language::TypeScript
        && !import.module.starts_with('.')
        && index.module_names.contains_key(import.module.as_str())
        && !index.import_names.contains(import.module.as_str());
    let module = if is_path { format!("./{}", import.module) } else { import.module };
    ExampleImport { module, ..import }
}

/// The code of one call, with the imports of a user of the library.
#[derive(Debug, Default)]
struct Candidate {
    call: Option<CallId>,
    root: Option<String>,
    imports: Vec<ExampleImport>,
    lines: Vec<String>,
    /// The number of lines before the statement of the call.
    setup_lines: usize,
    /// The call without the rest of its statement.
    alone: Vec<String>,
    missing: Vec<String>,
    is_test: bool,
    /// The number of calls of the definition that pass the same literals as this call.
    common_values: usize,
}

fn is_receiver(name: &str) -> bool {
    matches!(name, "self" | "cls" | "this")
}

impl Candidate {
    fn needs_receiver(&self) -> bool {
        self.missing.iter().any(|name| is_receiver(name))
    }

    /// The rank of the code, the lowest being the best: the number of parts that the reader has to supply, then whether
    /// it is that of a test, then the length in bytes less the common values. Names of receivers count three times,
    /// since only code around the call has them.
    fn rank(&self) -> (usize, bool, usize) {
        let receivers = self.missing.iter().filter(|name| is_receiver(name)).count();
        // Documents leave arguments out with dots.
        let dots = self.alone.iter().filter(|line| line.contains("(...)") || line.contains(" ...")).count();
        let length: usize = self.lines.iter().map(String::len).sum();
        (
            self.missing.len() + 2 * receivers + dots,
            self.is_test,
            length.saturating_sub(self.common_values.min(MAX_COMMON_VALUES) * BYTES_PER_COMMON_VALUE),
        )
    }
}

/// Reads the calls of an index.
struct Reader<'a> {
    index: &'a Index,
    read: &'a ReadSource<'a>,
    /// The files of the calls; `None` for one that cannot be read.
    files: HashMap<FileId, Option<CodeText>>,
    /// True if a call was looked for at its place.
    looked_for_calls: bool,
    /// True if a call was found at its place.
    found_a_call: bool,
}

impl Reader<'_> {
    /// The best code among that of the typical calls; among that of all calls if it leaves names to the reader.
    fn found(&mut self, id: DefinitionId, calls: &[CallId]) -> Option<Candidate> {
        let best = self.best(id, calls, |_| true);
        if calls.is_empty() || best.as_ref().is_some_and(|best| best.missing.is_empty()) {
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
        let (index, read) = (self.index, self.read);
        let site = index.call(id);
        if self.files.len() >= MAX_FILES && !self.files.contains_key(&site.file) {
            self.files.clear();
        }
        let open = || {
            let file = index.file(site.file);
            Some(CodeText::new(&file.path, read(&file.path)?, file.language, index.is_quoted_code(site.file)))
        };
        let text = self.files.entry(site.file).or_insert_with(open).as_ref()?;
        let name = text.offset(site.line, site.col)?;
        Some((text, name))
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
        let index = self.index;
        let file = index.call(call).file;
        let (text, name) = self.code(call)?;
        let example = snippet::example(text.code(), &index.file(file).path, index.definition(id).language, name)?;
        Some(complete(index, id, Some((file, call)), example))
    }

    /// The statement that makes the receiver of a method, if the code lacks the receiver.
    fn receiver(&mut self, id: DefinitionId, candidate: &mut Candidate) -> Option<String> {
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
        if candidate.call.is_none() {
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

/// The code of an example as a user of the library writes it. `place` is its call, with the file that has it.
fn complete(index: &Index, id: DefinitionId, place: Option<(FileId, CallId)>, example: Example) -> Candidate {
    let (imports, missing) = imports_of_example(index, &[id], place.map(|(file, _)| file), &example);
    let mut missing: Vec<String> = missing.iter().map(ToString::to_string).collect();
    for declared in &example.declared {
        if !missing.iter().any(|name| *name == *declared) {
            missing.push(declared.to_string());
        }
    }
    Candidate {
        call: place.map(|(_, call)| call),
        root: example.root.map(|root| root.to_string()),
        imports,
        setup_lines: example.setup_lines,
        lines: example.lines,
        alone: example.call,
        missing,
        is_test: place.is_some_and(|(_, call)| index.teaching(index.call(call)) > Teaching::Source),
        common_values: place.map_or(0, |(_, call)| common_values(index, id, call)),
    }
}

/// The code of the typical call in the index. `None` if the index has no typical call, or if the call is truncated.
fn from_quote(index: &Index, id: DefinitionId) -> Option<Candidate> {
    let definition = index.definition(id);
    let quote = definition.typical_call.as_deref().filter(|quote| !snippet::is_cut_off(quote))?;
    let own = import_of(index, id).filter(|_| definition.parent.is_none());
    let names = [Some(definition.name.as_str()), own.as_ref().map(|own| own.local.as_str())];
    let name = names.into_iter().flatten().find_map(|name| callee_in(quote, name))?;
    let path = match definition.language {
        Language::Python => "call.py",
        Language::TypeScript => "call.tsx",
    };
    let example = snippet::example(quote, path, definition.language, name)?;
    Some(complete(index, id, None, example))
}

/// The byte at which the callee `name` begins in a call. It is no receiver: no dot follows it.
fn callee_in(call: &str, name: &str) -> Option<usize> {
    let is_whole = |at: usize| {
        !call[..at].ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '$'))
            && snippet::name_length(&call[at..]) == name.len()
    };
    let mut found = call.match_indices(name).map(|(at, _)| at).filter(|&at| is_whole(at));
    found.find(|&at| !call[at + name.len()..].starts_with(['.', '?', '!']))
}

/// The number of calls of a definition that pass the same literals as `call`.
fn common_values(index: &Index, id: DefinitionId, call: CallId) -> usize {
    let parameters = &index.usage(id).parameters;
    let count = |argument: &Argument| {
        let BoundParameter::Parameter(at) = argument.bound else { return 0 };
        let value = argument.value.as_deref().map(canonical_literal);
        let row = parameters
            .get(usize::from(at))
            .and_then(|row| row.values.iter().find(|(text, _)| Some(text) == value.as_ref()));
        row.map_or(0, |(_, calls)| *calls as usize)
    };
    index.calls.arguments(index.call(call)).iter().map(count).sum()
}
