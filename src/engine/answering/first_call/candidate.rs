//! The code of one call, as a user of the library writes it, and its rank among the code of other calls.

use apidisc_base::{
    language::{Language, Origin},
    unprintable::escaped_text,
};
use apidisc_facts::program::{Argument, BoundParameter, CallId, DefinitionId, FileId};
use apidisc_indexing::{
    index::{Index, Teaching},
    snippet::{self, Example, ExampleImport, is_receiver},
    usage::canonical_literal,
};
use apidisc_stubs::stub::{import_of, imports_of_example};

/// The number of bytes that are deducted from the length of code, in the comparison of lengths, for each call that
/// passes a literal which the code passes: common values are worth some bytes.
const BYTES_PER_COMMON_VALUE: usize = 8;
/// The greatest number of such calls that are deducted.
const MAX_COMMON_VALUES: usize = 12;

/// The code of one call, with the imports of a user of the library.
#[derive(Debug, Default)]
pub(super) struct Candidate {
    pub(super) call: Option<CallId>,
    /// The place of the code, `path:line`.
    pub(super) place: Option<String>,
    pub(super) root: Option<String>,
    pub(super) imports: Vec<ExampleImport>,
    pub(super) lines: Vec<String>,
    /// The number of lines before the statement of the call.
    pub(super) setup_lines: usize,
    /// The call without the rest of its statement.
    pub(super) alone: Vec<String>,
    pub(super) missing: Vec<String>,
    /// See [`Example::relative_loads`].
    pub(super) relative_loads: usize,
    /// See [`Example::unguarded`].
    pub(super) unguarded: usize,
    /// See [`Example::is_unchecked`].
    pub(super) is_unchecked: bool,
    pub(super) is_test: bool,
    /// The number of imports from modules of tests, examples and documents.
    pub(super) helpers: usize,
    /// The number of calls of the definition that pass the same literals as this call.
    pub(super) common_values: usize,
}

impl Candidate {
    /// True if the code belongs into a class: it is no program.
    pub(super) fn needs_receiver(&self) -> bool {
        self.missing.iter().any(|name| is_receiver(name))
    }

    /// True if the reader has to supply nothing, and if nothing may be wrong with the code.
    pub(super) fn is_complete(&self) -> bool {
        self.missing.is_empty() && self.unguarded + self.relative_loads == 0 && !self.is_unchecked
    }

    /// The rank of the code, the lowest being the best: the number of parts that the reader has to supply, guards of
    /// values that may be missing and errors that comments hide included, then whether it is that of a test, then the
    /// length in bytes less the common values. Names of receivers count three times, since only code around the call
    /// has them, and helpers of tests and examples twice.
    pub(super) fn rank(&self) -> (usize, bool, usize) {
        let receivers = self.missing.iter().filter(|name| is_receiver(name)).count();
        // Documents leave arguments out with dots.
        let dots = self.alone.iter().filter(|line| line.contains("(...)") || line.contains(" ...")).count();
        let length: usize = self.lines.iter().map(String::len).sum();
        (
            self.missing.len()
                + 2 * (receivers + self.helpers)
                + dots
                + self.relative_loads
                + self.unguarded
                + usize::from(self.is_unchecked),
            self.is_test,
            length.saturating_sub(self.common_values.min(MAX_COMMON_VALUES) * BYTES_PER_COMMON_VALUE),
        )
    }
}

/// The code of an example as a user of the library writes it. `place` is the file and line that has it, if any.
pub(super) fn complete(
    index: &Index,
    id: DefinitionId,
    place: Option<(FileId, u32)>,
    mut example: Example,
) -> Candidate {
    if let Some((file, _)) = place {
        let path = &index.file(file).path;
        example.lines.iter_mut().chain(&mut example.call).for_each(|line| load_from_root(index, path, line));
    }
    let (imports, missing) = imports_of_example(index, &[id], place.map(|(file, _)| file), &example);
    let mut missing: Vec<String> = missing.iter().map(ToString::to_string).collect();
    for declared in &example.declared {
        if !missing.iter().any(|name| *name == *declared) {
            missing.push(declared.to_string());
        }
    }
    let helpers = imports.iter().filter(|import| is_of_example(index, &import.module)).count();
    Candidate {
        place: place.map(|(file, line)| format!("{}:{line}", escaped_text(&index.file(file).path))),
        relative_loads: example.relative_loads(),
        unguarded: example.unguarded,
        is_unchecked: example.is_unchecked,
        root: example.root.map(|root| root.to_string()),
        imports,
        setup_lines: example.setup_lines,
        lines: example.lines,
        alone: example.call,
        missing,
        helpers,
        is_test: place.is_some_and(|(file, _)| index.file(file).origin == Origin::Tests),
        ..Candidate::default()
    }
}

/// The code of an example of a call of the sources.
pub(super) fn of_call(index: &Index, id: DefinitionId, call: CallId, example: Example) -> Candidate {
    let site = index.call(call);
    Candidate {
        call: Some(call),
        is_test: index.teaching(site) > Teaching::Source,
        common_values: common_values(index, id, call),
        ..complete(index, id, Some((site.file, site.line)), example)
    }
}

/// Lets a line load what it loads by a path from its file by the path from the root of the sources: `import("./a")` of
/// `web/b.ts` becomes `import("./web/a")`. A path that leads to no file of the index stays, and counts as relative.
fn load_from_root(index: &Index, path: &str, line: &mut String) {
    for load in ["import(", "require("] {
        let mut from = 0;
        while let Some(at) = line[from..].find(load).map(|at| from + at + load.len()) {
            from = at;
            let quote = line[at..].chars().next().filter(|quote| matches!(quote, '"' | '\'' | '`'));
            let Some(end) = quote.and_then(|quote| line[at + 1..].find(quote)).map(|end| at + 1 + end) else {
                continue;
            };
            let loaded = module_from_root(path, &line[at + 1..end]);
            if let Some(module) = loaded.filter(|module| is_file(index, module)) {
                line.replace_range(at + 1..end, &format!("./{module}"));
            }
        }
    }
}

/// The path from the root of a module that the file at `path` names by a relative path.
fn module_from_root(path: &str, module: &str) -> Option<String> {
    let mut parts: Vec<&str> = path.split('/').collect();
    parts.pop();
    if !module.starts_with("./") && !module.starts_with("../") {
        return None;
    }
    for part in module.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Whether the index has a file of a path, which may lack its ending.
fn is_file(index: &Index, module: &str) -> bool {
    index.module_names.contains_key(module)
        || index.files.iter().any(|file| {
            file.path.strip_prefix(module).is_some_and(|rest| {
                rest.is_empty() || rest.strip_prefix('.').is_some_and(|ending| !ending.contains(['.', '/']))
            })
        })
}

/// True for a module of tests, examples or documents, from which users of the library import nothing.
fn is_of_example(index: &Index, module: &str) -> bool {
    let file = index.module_names.get(module).and_then(|&module| index.module(module).file);
    file.is_some_and(|file| index.file(file).origin != Origin::Src)
}

/// The code of the typical call in the index. `None` if the index has no typical call, or if the call is truncated.
pub(super) fn from_quote(index: &Index, id: DefinitionId) -> Option<Candidate> {
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
