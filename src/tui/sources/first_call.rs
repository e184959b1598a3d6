//! The first call of a definition, ready to be copied: what it imports, what it sets up, and the call.
//!
//! The code is that of a typical call in the sources. Imports become those that a user of the library writes. Of
//! several typical calls the one is chosen that leaves the fewest names to the reader, then the shortest. If no call
//! can be read, as in an index that was read from a file, the code is that of the typical call which stubs quote. If
//! there is none, the code is made from the signature.

use std::collections::HashMap;

use super::SourceReader;
use crate::tui::model::FirstCall;
use apidisc::{
    index::{Definition, Index},
    language::Language,
    program::{Argument, BoundParameter, CallId, DefinitionId, DefinitionKind, FileId},
    snippet::{self, Example, ExampleImport},
    source::SourceLines,
    stub::{import_of, imports_of_example},
    usage::canonical_literal,
};

/// The greatest number of calls whose lengths are compared.
const MAX_COMPARED: usize = 400;
/// The greatest number of calls, the shortest ones, whose code is read.
const MAX_READ: usize = 24;

/// The number of bytes that are deducted from the length of code, in the comparison of lengths, for each call that
/// passes a literal which the code passes: common values are worth some bytes.
const BYTES_PER_COMMON_VALUE: usize = 8;
/// The greatest number of such calls that are deducted.
const MAX_COMMON_VALUES: usize = 12;

/// The code of one call, with the imports of a user of the library.
#[derive(Debug, Default)]
struct Candidate {
    call: Option<CallId>,
    root: Option<String>,
    imports: Vec<ExampleImport>,
    lines: Vec<String>,
    /// The call without the rest of its statement.
    alone: Vec<String>,
    has_setup: bool,
    missing: Vec<String>,
    /// The number of calls of the definition that pass the same literals as this call.
    common_values: usize,
}

impl Candidate {
    /// The rank of the code, the lowest being the best: the number of parts that the reader has to supply, then the
    /// length in bytes less the common values. Names of receivers count three times, since only code around the call
    /// has them.
    fn rank(&self) -> (usize, usize) {
        let is_receiver = |name: &String| matches!(name.as_str(), "self" | "cls" | "this");
        let receivers = self.missing.iter().filter(|name| is_receiver(name)).count();
        // Documents leave arguments out with dots.
        let dots = self.alone.iter().filter(|line| line.contains("(...)") || line.contains(" ...")).count();
        let length: usize = self.lines.iter().map(String::len).sum();
        (
            self.missing.len() + 2 * receivers + dots,
            length.saturating_sub(self.common_values.min(MAX_COMMON_VALUES) * BYTES_PER_COMMON_VALUE),
        )
    }
}

/// The files of the calls; `None` for one that cannot be read.
type Files = HashMap<FileId, Option<SourceLines>>;

impl SourceReader<'_> {
    /// The first call of a definition. Its syntax is not coloured. `calls` are its typical calls.
    pub fn first_call(&self, id: DefinitionId, calls: &[CallId]) -> FirstCall {
        let index = &self.catalog.index;
        let mut files = Files::new();
        let found = self.best(id, calls, &mut files, |_| true);
        let is_unread = found.is_none() && !calls.is_empty();
        let problem = is_unread.then(|| "the sources have changed since they were indexed".to_owned());
        let found = found.or_else(|| from_quote(index, id));
        let is_made = found.is_none();
        let mut candidate = found.unwrap_or_else(|| from_signature(index, id));
        let setup = self.receiver(id, &mut candidate, &mut files);
        let language = index.definition(id).language;
        let mut lines = ExampleImport::lines(&candidate.imports, language);
        if matches!(index.definition(id).kind, DefinitionKind::Interface | DefinitionKind::TypeAlias) {
            for line in &mut lines {
                *line = line.replacen("import ", "import type ", 1);
            }
        }
        if !lines.is_empty() && !candidate.lines.is_empty() {
            lines.push(String::new());
        }
        let imports = lines.len();
        lines.extend(setup.into_iter().chain(candidate.lines));
        let lines = lines.iter().map(|line| (super::displayed(line), Vec::new())).collect();
        FirstCall { call: candidate.call, is_made, lines, imports, missing: candidate.missing, problem }
    }

    /// The best code among those of some calls that `is_fit` accepts.
    fn best(
        &self,
        id: DefinitionId,
        calls: &[CallId],
        files: &mut Files,
        is_fit: impl Fn(&Candidate) -> bool,
    ) -> Option<Candidate> {
        let mut by_length: Vec<(usize, CallId)> = Vec::new();
        for &call in calls.iter().take(MAX_COMPARED) {
            by_length.extend(self.length(call, files).map(|length| (length, call)));
        }
        by_length.sort_unstable();
        let mut best: Option<Candidate> = None;
        for (_, call) in by_length.into_iter().take(MAX_READ) {
            let candidate = self.candidate(id, call, files).filter(&is_fit);
            if let Some(candidate) = candidate
                && best.as_ref().is_none_or(|best| candidate.rank() < best.rank())
            {
                best = Some(candidate);
            }
        }
        best
    }

    fn file<'f>(&self, id: FileId, files: &'f mut Files) -> Option<&'f SourceLines> {
        if files.len() >= super::MAX_FILES && !files.contains_key(&id) {
            files.clear();
        }
        files.entry(id).or_insert_with(|| self.open(id).ok()).as_ref()
    }

    /// The length of a call in bytes.
    fn length(&self, id: CallId, files: &mut Files) -> Option<usize> {
        let index = &self.catalog.index;
        let call = index.call(id);
        let lines = self.file(call.file, files)?;
        let name = lines.offset(lines.of_file_line(call.line, call.col), call.col)?;
        snippet::call_range(&lines.text.source, name, index.file(call.file).language).map(|range| range.len())
    }

    fn candidate(&self, id: DefinitionId, call: CallId, files: &mut Files) -> Option<Candidate> {
        let index = &self.catalog.index;
        let site = index.call(call);
        let lines = self.file(site.file, files)?;
        let (path, language) = (&index.file(site.file).path, index.definition(id).language);
        let (code, is_document) = (&lines.text.source, index.file(site.file).is_document());
        let name = lines.offset(lines.of_file_line(site.line, site.col), site.col);
        let own = name.filter(|_| !is_document).and_then(|name| snippet::example(code, path, language, name));
        let example = own.or_else(|| {
            let (quoted, name) = snippet::quoted_code(path, code, language, site.line, site.col)?;
            snippet::example(&quoted, path, language, name)
        })?;
        Some(complete(index, id, Some((site.file, call)), example))
    }

    /// The statement that makes the receiver of a method, if the code lacks the receiver.
    fn receiver(&self, id: DefinitionId, candidate: &mut Candidate, files: &mut Files) -> Option<String> {
        let index = &self.catalog.index;
        let definition = index.definition(id);
        let is_on_instance =
            matches!(definition.kind, DefinitionKind::Method | DefinitionKind::Property | DefinitionKind::Attribute);
        let class = definition.parent.filter(|_| is_on_instance && !definition.modifiers.is_static)?;
        let root = candidate.root.clone().filter(|root| !matches!(root.as_str(), "self" | "cls" | "this"))?;
        let at = candidate.missing.iter().position(|name| *name == root)?;
        let is_class = index.definition(class).kind == DefinitionKind::Class;
        let calls = if is_class { index.typical_calls(class) } else { Vec::new() };
        let is_fit = |made: &Candidate| made.missing.is_empty() && !made.has_setup && made.alone.len() == 1;
        let made = self.best(class, &calls, files, is_fit).or_else(|| from_quote(index, class).filter(is_fit))?;
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
    Candidate {
        call: place.map(|(_, call)| call),
        root: example.root.map(|root| root.to_string()),
        imports,
        lines: example.lines,
        alone: example.call,
        has_setup: example.has_setup,
        missing: missing.iter().map(ToString::to_string).collect(),
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

/// The example that is made from the signature of a definition where the sources have no call of it: for a function or
/// class a call with the required arguments, for an attribute a read, for anything else the import alone.
fn from_signature(index: &Index, id: DefinitionId) -> Candidate {
    let definition = index.definition(id);
    let Some(own) = import_of(index, id) else { return Candidate::default() };
    let mut candidate = Candidate { imports: vec![own.clone()], ..Candidate::default() };
    let callee = match definition.parent.map(|parent| index.definition(parent)) {
        None => own.local.to_string(),
        Some(parent) => {
            let is_on_class = matches!(parent.kind, DefinitionKind::Enum | DefinitionKind::Namespace)
                || matches!(definition.kind, DefinitionKind::ClassMethod | DefinitionKind::StaticMethod)
                || definition.modifiers.is_static;
            let receiver = if is_on_class { own.local.to_string() } else { variable_of(parent) };
            if !is_on_class {
                candidate.missing.push(receiver.clone());
                candidate.root = Some(receiver.clone());
            }
            format!("{receiver}.{}", definition.name)
        }
    };
    if definition.kind.is_callable() {
        let parameters = definition.signature.as_ref().map_or(&[][..], |signature| &signature.parameters);
        let required: Vec<&str> = parameters
            .iter()
            .filter(|parameter| parameter.required && parameter.object.is_none() && !parameter.is_variadic())
            .map(|parameter| if parameter.name == "{}" { "options" } else { parameter.name.as_str() })
            .collect();
        candidate.missing.extend(required.iter().map(|name| (*name).to_owned()));
        let is_class = definition.kind == DefinitionKind::Class && definition.language == Language::TypeScript;
        let is_new = is_class || definition.modifiers.is_new;
        let new = if is_new { "new " } else { "" };
        candidate.lines = vec![format!("{new}{callee}({})", required.join(", "))];
    } else if definition.parent.is_some() {
        candidate.lines = vec![callee];
    }
    candidate
}

/// A name for a variable that holds an instance of a class: `http_client` for `HttpClient`, in TypeScript `httpClient`.
fn variable_of(class: &Definition) -> String {
    let mut name = String::new();
    let mut was_lower = false;
    for c in class.name.trim_start_matches('_').chars() {
        if c.is_uppercase() && was_lower && class.language == Language::Python {
            name.push('_');
        }
        let begins = !was_lower && name.chars().all(char::is_lowercase);
        was_lower = !c.is_uppercase();
        if class.language == Language::Python || begins {
            name.extend(c.to_lowercase());
        } else {
            name.push(c);
        }
    }
    name
}
