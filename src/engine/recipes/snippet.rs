//! The code of a recipe, as the sources write it.
//!
//! The best of the first few places is quoted: the statements of its calls, with the statements that bind their names.
//! A place with long lines is quoted only if there is no other.

use std::cell::Cell;

use crate::{
    index::Index,
    program::CallId,
    snippet::{self, CodeText, Example, ExampleImport},
    source::SourceText,
    stub::public_import,
    unprintable::escaped_text,
};

use super::{Recipe, RecipePlace};

/// The number of places that are read, and the number of bytes of their files after which no further place is read: each
/// place is parsed anew, which takes long in a large file.
const MOST_READ: usize = 6;
const MOST_BYTES: usize = 100_000;
/// The greatest number of lines of a snippet, and the greatest number of characters of a line.
const MOST_LINES: usize = 24;
const LONGEST_LINE: usize = 120;
/// The cost of a name that the reader has to provide, in characters of code.
const MISSING_NAME: usize = 40;

/// The code of a recipe at one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecipeSnippet {
    /// The code, without characters that have no shape.
    pub code: String,
    /// The number of lines at the beginning of `code` that import names.
    pub imports: usize,
    /// The calls that the code shows.
    pub place: RecipePlace,
}

/// The code of a recipe; `read` reads a file of the index by its path. If no place can be read, or all are too long, the
/// typical call of the last symbol. `None` if there is none.
pub fn snippet(index: &Index, recipe: &Recipe, read: &dyn Fn(&str) -> Option<SourceText>) -> Option<RecipeSnippet> {
    let bytes = Cell::new(0);
    let counting_read = |path: &str| read(path).inspect(|text| bytes.set(bytes.get() + text.source.len()));
    let few = recipe.places.iter().take(MOST_READ).take_while(|_| bytes.get() < MOST_BYTES);
    let quotes = few.filter_map(|place| quote(index, place, &counting_read));
    // The places come in the order of how well they teach; among equals the shortest one is the best.
    let best = quotes.min_by_key(|(cost, _)| *cost).map(|(_, snippet)| snippet);
    best.or_else(|| {
        let typical = index.definition(*recipe.symbols.last()?).typical_call.as_deref()?;
        let place = recipe.places.first()?.clone();
        Some(RecipeSnippet { code: escaped_text(typical), imports: 0, place })
    })
}

/// The code of a place and its cost to the reader; `None` if the code is too long, or if the file has changed.
fn quote(
    index: &Index,
    place: &RecipePlace,
    read: &dyn Fn(&str) -> Option<SourceText>,
) -> Option<(usize, RecipeSnippet)> {
    let first = index.call(*place.calls.first()?);
    let file = index.file(first.file);
    let text = CodeText::new(&file.path, read(&file.path)?, file.language, index.is_quoted_code(first.file));
    let names: Option<Vec<usize>> = place.calls.iter().map(|&call| name_at(index, &text, call)).collect();
    let example = snippet::sequence(text.code(), &file.path, file.language, &names?)?;
    let mut lines = import_lines(index, place, &example);
    let imports = lines.len();
    lines.extend(example.lines.iter().cloned());
    if lines.len() > MOST_LINES || lines.iter().any(|line| line.chars().count() > LONGEST_LINE) {
        return None;
    }
    let length: usize = lines.iter().map(String::len).sum();
    let missing = example.unbound.len() + example.given.len();
    let fails = place.calls.iter().any(|&call| index.call(call).expects_error);
    let cost = length + MISSING_NAME * missing + if fails { MOST_LINES * LONGEST_LINE } else { 0 };
    Some((cost, RecipeSnippet { code: escaped_text(&lines.join("\n")), imports, place: place.clone() }))
}

/// The byte of the name of a call's callee, if the file still has a name there.
fn name_at(index: &Index, text: &CodeText, call: CallId) -> Option<usize> {
    let site = index.call(call);
    text.offset(site.line, site.col).filter(|&at| snippet::name_length(&text.code()[at..]) > 0)
}

/// The lines that import the names of an example, as a user of the library writes them.
fn import_lines(index: &Index, place: &RecipePlace, example: &Example) -> Vec<String> {
    let file = place.calls.first().map(|&call| index.call(call).file);
    let public = |import: &ExampleImport| file.and_then(|file| public_import(index, file, import));
    let imports: Vec<ExampleImport> =
        example.imports.iter().map(|import| public(import).unwrap_or_else(|| import.clone())).collect();
    let language = file.map(|file| index.file(file).language).unwrap_or_default();
    ExampleImport::lines(&imports, language)
}
