//! Colours pieces of the sources.

use crate::tui::{
    highlight::Highlighter,
    model::{CallLine, Catalog, Excerpt, FirstCall},
};
use apidisc::{index::File, language::Language, program::CallId};

/// Colours an excerpt.
pub fn colour_excerpt(excerpt: &mut Excerpt, highlighter: &Highlighter) {
    let lines = &excerpt.lines;
    excerpt.runs = highlighter.runs(extension(&excerpt.path), |line| lines[line].as_str(), 0..lines.len());
}

/// Colours a first call.
pub fn colour_first_call(first: &mut FirstCall, language: Language, highlighter: &Highlighter) {
    let runs = highlighter.runs(language.extension(), |line| first.lines[line].0.as_str(), 0..first.lines.len());
    for (line, runs) in first.lines.iter_mut().zip(runs) {
        line.1 = runs;
    }
}

/// Colours calls on one line.
pub fn colour_call_lines(call_lines: &mut [(CallId, Option<CallLine>)], catalog: &Catalog, highlighter: &Highlighter) {
    let index = &catalog.index;
    for (call, call_line) in call_lines {
        let Some(call_line) = call_line else { continue };
        let extension = code_extension(index.file(index.call(*call).file));
        call_line.runs = highlighter.runs(extension, |_| call_line.text.as_str(), 0..1).pop().unwrap_or_default();
    }
}

/// The file extension whose grammar colours a piece of code of a file.
fn code_extension(file: &File) -> &str {
    if file.is_document() { file.language.extension() } else { extension(&file.path) }
}

/// The file extension whose grammar colours a file.
fn extension(path: &str) -> &str {
    match path.rsplit_once('.') {
        Some((_, "pyi" | "ipynb")) => "py",
        Some((_, "mts" | "cts")) => "ts",
        Some((_, "jsx" | "mjs" | "cjs")) => "js",
        Some((_, extension)) => extension,
        None => "",
    }
}
