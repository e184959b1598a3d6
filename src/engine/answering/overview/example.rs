//! The first example: code of the README that calls the API, or else the first call of a definition.

use rustc_hash::FxHashSet;

use super::ReadSource;
use crate::first_call::FirstCalls;
use apidisc_base::{language::Language, unprintable::escaped_line};
use apidisc_facts::{
    documents::{Format, blocks},
    program::{DefinitionId, FileId},
};
use apidisc_indexing::index::{File, Index};

/// The greatest number of lines of an example.
const MAX_LINES: usize = 24;
/// The greatest length of a line of a block, in bytes.
const MAX_LINE: usize = 400;
/// The greatest number of lines of a block of code that is quoted.
const MAX_BLOCK: usize = 40;

/// Code with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// Printable lines.
    pub lines: Vec<String>,
    /// `path:line`; `None` for code that is made from a signature.
    pub place: Option<String>,
    /// The language of the code.
    pub language: Language,
}

/// The first block of the README that calls the API; or else the first call of one of `first`.
pub(super) fn example(
    index: &Index,
    readme: Option<&str>,
    among: &FxHashSet<DefinitionId>,
    first: &[DefinitionId],
    read: &ReadSource<'_>,
) -> Option<Example> {
    let quoted = readme.and_then(|path| in_document(index, path, among, read));
    quoted.or_else(|| {
        let mut calls = FirstCalls::new(index, read);
        first.iter().find_map(|&id| {
            let call = calls.of(id)?;
            let lines: Vec<String> = call.imports.into_iter().chain(call.setup).chain(call.call).collect();
            let is_short = !lines.is_empty() && lines.len() <= MAX_LINES && !call.is_made;
            is_short.then(|| Example { lines, place: call.place, language: index.definition(id).language })
        })
    })
}

/// The first block of code in a document that calls a definition in `among`, a member of one, or anything of a file
/// that users import.
fn in_document(index: &Index, path: &str, among: &FxHashSet<DefinitionId>, read: &ReadSource<'_>) -> Option<Example> {
    // The result of a function may be of a type that no module exports.
    let is_api = |id: DefinitionId| {
        let mut around = std::iter::successors(Some(id), |id| index.definition(*id).parent);
        let file = index.definition(id).place.file;
        around.any(|id| among.contains(&id)) || index.files.get(file.index()).is_some_and(File::is_library)
    };
    // A document with code of several languages is several files.
    let start = index.files.partition_point(|file| file.path.as_str() < path);
    let files = (start..index.files.len()).take_while(|at| index.files[*at].path == path);
    let calls = files.flat_map(|at| index.calls_of_file(FileId::new(at))).map(|at| &index.calls[at]);
    let called = calls.filter(|call| call.resolution.definition().is_some_and(is_api));
    let called: Vec<u32> = called.map(|call| call.line).collect();
    if called.is_empty() {
        return None;
    }
    let text = read(path)?.source;
    let blocks = blocks(&text, Format::of_document(path)?);
    let block = blocks.iter().find(|block| {
        let is_short = block.lines.len() <= MAX_BLOCK && block.lines.iter().all(|line| line.text.len() <= MAX_LINE);
        let ends = block.lines.first().zip(block.lines.last()).filter(|_| is_short);
        ends.is_some_and(|(first, last)| called.iter().any(|line| (first.line..=last.line).contains(line)))
    })?;
    let mut lines: Vec<String> =
        block.lines.iter().map(|line| escaped_line(line.text.trim_end()).into_owned()).collect();
    if lines.len() > MAX_LINES {
        lines.truncate(MAX_LINES);
        lines.push(if block.language == Language::Python { "# …" } else { "// …" }.to_owned());
    }
    let first = block.lines.first()?.line;
    Some(Example { lines, place: Some(format!("{}:{first}", escaped_line(path))), language: block.language })
}
