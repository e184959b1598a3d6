//! The code of a recipe, as the sources write it.
//!
//! The best of a few places, or the first good one, is quoted: the statements of its calls, with the statements and
//! imports that bind their names. The best place has the lowest cost: it leaves few names unbound and is short. A place
//! with long lines, and one in a large file, is quoted only if there is no other.

use std::cell::Cell;

use apidisc_base::{sort::SharedSort as _, unprintable::escaped_text};
use apidisc_facts::{program::CallId, source::SourceText};
use apidisc_indexing::{
    index::{Index, Teaching},
    snippet::{self, CodeText, ExampleImport, is_receiver},
};
use apidisc_stubs::stub::imports_of_example;

use super::{Recipe, RecipePlace};

/// The greatest number of places that are read.
const MAX_PLACES_READ: usize = 8;
/// The greatest number of bytes of the files of these places: the file of each place is parsed anew, which takes long
/// for a large file.
const MAX_BYTES_READ: usize = 60_000;
/// The number of places of one kind (examples, the library's own code, tests) that are read before any further ones.
const MAX_OF_A_KIND: usize = 3;
/// The greatest number of lines of a snippet.
const MAX_LINES: usize = 24;
/// The greatest number of characters of a line of a snippet.
const MAX_LINE_CHARS: usize = 120;
/// The cost of a name that the reader has to provide, in characters of code; a receiver `self` or `this` costs twice as
/// much, since the code belongs into a class.
const MISSING_NAME: usize = 160;
/// The cost of code that is no example and no document, in characters.
const NO_EXAMPLE: usize = 160;
/// If the cost of a place is at most this number, no further place is read: the code is short and binds all of its
/// names.
const GOOD: usize = 320;

/// The code of a recipe at one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecipeSnippet {
    /// The code, without characters that have no shape.
    pub code: String,
    /// The number of lines at the beginning of `code` that import names.
    pub imports: usize,
    /// The names that the code uses and does not bind: the reader provides them.
    pub missing: Vec<String>,
    /// The calls that the code shows.
    pub place: RecipePlace,
}

/// The code of a recipe; `read` reads a file of the index by its path. If no place can be read, or all are too long,
/// the typical call of the last symbol. `None` if there is none.
pub fn snippet(index: &Index, recipe: &Recipe, read: &dyn Fn(&str) -> Option<SourceText>) -> Option<RecipeSnippet> {
    let bytes = Cell::new(0);
    let places = places(index, recipe);
    let mut best: Option<(usize, RecipeSnippet)> = None;
    // The place in the smallest of the files that are too large.
    let mut large: Option<(usize, &RecipePlace)> = None;
    for place in places.into_iter().take(MAX_PLACES_READ) {
        let too_large = Cell::new(None);
        let read_within = |path: &str| {
            let text = read(path)?;
            let length = text.source.len();
            if bytes.get() + length > MAX_BYTES_READ {
                too_large.set(Some(length));
                return None;
            }
            bytes.set(bytes.get() + length);
            Some(text)
        };
        let quoted = quote(index, recipe, place, &read_within);
        if let Some(length) = too_large.get()
            && large.is_none_or(|(other, _)| length < other)
        {
            large = Some((length, place));
        }
        // Of two places with the same cost the first one is taken: examples and documents come first.
        best = [best, quoted].into_iter().flatten().min_by_key(|(cost, _)| *cost);
        if best.as_ref().is_some_and(|(cost, _)| *cost <= GOOD) {
            break;
        }
    }
    let best = best.or_else(|| large.and_then(|(_, place)| quote(index, recipe, place, read)));
    let best = best.map(|(_, snippet)| snippet);
    best.or_else(|| {
        let typical = index.definition(*recipe.symbols.last()?).typical_call.as_deref()?;
        let place = recipe.places.first()?.clone();
        Some(RecipeSnippet { code: escaped_text(typical), imports: 0, missing: Vec::new(), place })
    })
}

/// The places of a recipe in the order in which they are read: the first place of each kind, the second one of each
/// kind, and so on, then the others.
fn places<'r>(index: &Index, recipe: &'r Recipe) -> Vec<&'r RecipePlace> {
    let mut last: Option<(Teaching, usize)> = None;
    let numbered = recipe.places.iter().map(|place| {
        let kind = place.calls.first().map_or(Teaching::StandIn, |&call| index.teaching(index.call(call)));
        let number = last.filter(|(other, _)| *other == kind).map_or(0, |(_, number)| number + 1);
        last = Some((kind, number));
        (number.min(MAX_OF_A_KIND), place)
    });
    let mut numbered: Vec<(usize, &RecipePlace)> = numbered.collect();
    numbered.shared_sort_by_key(|(number, _)| *number);
    numbered.into_iter().map(|(_, place)| place).collect()
}

/// The code of a place and its cost to the reader; `None` if the code is too long, or if the file has changed.
fn quote(
    index: &Index,
    recipe: &Recipe,
    place: &RecipePlace,
    read: &dyn Fn(&str) -> Option<SourceText>,
) -> Option<(usize, RecipeSnippet)> {
    let first = index.call(*place.calls.first()?);
    let file = index.file(first.file);
    let text = CodeText::new(&file.path, read(&file.path)?, file.language, index.is_quoted_code(first.file));
    let names: Option<Vec<usize>> = place.calls.iter().map(|&call| name_at(index, &text, call)).collect();
    let example = text.sequence(&names?)?;
    let (imports, mut missing) = imports_of_example(index, &recipe.symbols, Some(first.file), &example);
    // A file that is loaded by its path is missing as well, and has no name.
    let relative = example.relative_loads();
    missing.extend(example.declared);
    let mut lines = ExampleImport::lines(&imports, file.language);
    let imports = lines.len();
    lines.extend(example.lines);
    if lines.len() > MAX_LINES || lines.iter().any(|line| line.chars().count() > MAX_LINE_CHARS) {
        return None;
    }
    let length: usize = lines.iter().map(String::len).sum();
    let receivers = missing.iter().filter(|name| is_receiver(name)).count();
    let names = missing.len() + receivers + relative;
    let fails = place.calls.iter().any(|&call| index.call(call).syntax.expects_error);
    let is_example = index.teaching(first) == Teaching::Example;
    let cost = length
        + MISSING_NAME * names
        + if is_example { 0 } else { NO_EXAMPLE }
        + if fails { MAX_LINES * MAX_LINE_CHARS } else { 0 };
    let missing = missing.iter().map(|name| escaped_text(name)).collect();
    Some((cost, RecipeSnippet { code: escaped_text(&lines.join("\n")), imports, missing, place: place.clone() }))
}

/// The byte of the name of a call's callee, if the file still has a name there.
pub(super) fn name_at(index: &Index, text: &CodeText, call: CallId) -> Option<usize> {
    let site = index.call(call);
    text.offset(site.line, site.col).filter(|&at| snippet::name_length(&text.code()[at..]) > 0)
}
