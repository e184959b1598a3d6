//! `get_symbol_source`: the source text of a symbol, or lines of a file, with line numbers.

use std::fmt::Write as _;

use compact_str::CompactString;
use serde::Serialize;

use super::{
    Answer, AnswerError, Context, GetSymbolSource, MAX_CONTEXT,
    fit::fit,
    request::{budget, in_range},
    source_names::source_names,
};
use apidisc_base::{
    language::Language,
    unprintable::{escaped_line, escaped_text},
};
use apidisc_facts::{
    documents::Format,
    program::DefinitionPlace,
    source::{SourceText, is_secret_name},
};
use apidisc_indexing::{index::Definition, snippet};
use apidisc_stubs::delivery::{QUOTED_SOURCE, fenced_as};
use apidisc_tokens::Tokenizer;

/// The error of a request with neither `hash` nor `file_path`, or with both.
const ONE_OF_HASH_AND_PATH: &str = "one of hash and file_path is needed, and only one: a symbol, or a file";
/// The greatest number of similar paths in an error.
const MAX_NEAREST: usize = 5;
/// The length in bytes at which a quoted line is cut off.
const MAX_LINE_BYTES: usize = 2_000;

/// The answer of [`get_symbol_source`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SourceAnswer {
    /// The path of the file.
    pub path: String,
    /// The first line of `source` in the file, from 1.
    pub start_line: u32,
    /// The last line of `source` in the file.
    pub end_line: u32,
    /// The number of lines of the file.
    pub file_lines: u32,
    /// The first line that does not fit the budget; `None` if all lines fit.
    pub next_line: Option<u32>,
    /// The lines with their numbers.
    pub source: String,
}

/// The source text of a symbol, or the lines of a file from `start_line` to `end_line`.
///
/// # Errors
/// [`AnswerError`] if the request names neither or both, for an unknown symbol or path, for a path that leads out of
/// the repository, for a file that cannot be read, for lines that the file does not have, and for a budget that is too
/// small.
pub fn get_symbol_source(
    context: &Context<'_>,
    request: &GetSymbolSource,
) -> Result<Answer<SourceAnswer>, AnswerError> {
    let around = in_range("context", request.context, 0, MAX_CONTEXT)? as u32;
    let max_tokens = budget(request.max_tokens)?;
    let given =
        |name: &Option<String>| name.as_deref().map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned);
    let (path, text, lines) = match (given(&request.hash), given(&request.file_path)) {
        (Some(name), None) => {
            let index = context.symbols.index();
            let definition = index.definition(context.symbols.find(&name)?);
            let file = index.files.get(definition.place.file.index()).ok_or(AnswerError::Gone(name))?;
            let text = Numbered::read(context, &file.path)?;
            let lines = text.lines_of(&file.path, definition);
            (file.path.to_string(), text, Some(lines))
        }
        (None, Some(path)) => {
            let most = i64::from(u32::MAX);
            let start = request.start_line.map(|line| in_range("start_line", line, 1, most)).transpose()?;
            let least = request.start_line.unwrap_or(1);
            let end = request.end_line.map(|line| in_range("end_line", line, least, most)).transpose()?;
            let lines = start.or(end).map(|_| (start.unwrap_or(1) as u32, end.or(start).unwrap_or(1) as u32));
            let path = find_path(context, &path)?;
            let text = Numbered::read(context, &path)?;
            (path, text, lines)
        }
        _ => return Err(AnswerError::WrongFields(ONE_OF_HASH_AND_PATH)),
    };
    let (first, last) = lines.unwrap_or((1, text.last()));
    let last_of_file = text.last();
    if first > last_of_file {
        return Err(AnswerError::BeyondTheEnd { path, line: first, lines: last_of_file });
    }
    let range = (first.saturating_sub(around).max(1), last.saturating_add(around).min(last_of_file));
    let rows = text.rows(range);
    let fence = match Format::of_document(&path) {
        Some(Format::Markdown) => "markdown",
        Some(Format::ReStructuredText) => "rst",
        _ => Language::of_path(&path).unwrap_or_default().fence(),
    };
    let shown_path = escaped_line(&path).into_owned();
    let names = source_names(context, &path, range).unwrap_or_default();
    let end_of = |count: usize| rows.get(count.wrapping_sub(1)).map_or(range.0, |(line, _)| *line);
    let code_of = |count: usize| rows[..count].iter().map(|(_, row)| row.as_str()).collect::<String>();
    let render = |count: usize| {
        let mut head = format!("{shown_path}, lines {} to {} of {last_of_file}", range.0, end_of(count));
        if let Some((next, _)) = rows.get(count) {
            let _ = write!(head, "; start_line {next} continues, to line {}", range.1);
        }
        let names = if count == rows.len() { &names } else { "" };
        format!("{head}\n{QUOTED_SOURCE}\n{}{names}", fenced_as(&code_of(count), fence))
    };
    let fitted = fit(&Tokenizer::load(context.encoding), max_tokens, rows.len(), render)?;
    let data = SourceAnswer {
        path,
        start_line: range.0,
        end_line: end_of(fitted.parts),
        file_lines: last_of_file,
        next_line: rows.get(fitted.parts).map(|(line, _)| *line),
        source: code_of(fitted.parts),
    };
    Ok(Answer { text: fitted.text, tokens: fitted.tokens, data, delivered: Vec::new() })
}

/// The text of a file with the numbers of its lines. The cells of a notebook have the line numbers of the notebook
/// file.
pub(super) struct Numbered(SourceText);

impl Numbered {
    pub(super) fn read(context: &Context<'_>, path: &str) -> Result<Self, AnswerError> {
        (context.read)(path).map(Self).ok_or_else(|| {
            let path = path.to_owned();
            if is_secret_name(&path) { AnswerError::Secret(path) } else { AnswerError::Gone(path) }
        })
    }

    /// The first and the last line of a definition of the file at `path`. The index has the lines of bodies; those of a
    /// value are looked up in the text.
    pub(super) fn lines_of(&self, path: &str, definition: &Definition) -> (u32, u32) {
        let DefinitionPlace { line, end_line, .. } = definition.place;
        let is_value = end_line <= line && self.0.lines.is_none() && !definition.kind.is_callable();
        let last = || snippet::last_line(&self.0.source, path, definition.language, line, &definition.name);
        let last = is_value.then(last).flatten();
        (line, last.unwrap_or(end_line).max(line))
    }

    /// The number of the last line.
    pub(super) fn last(&self) -> u32 {
        match &self.0.lines {
            Some(lines) => lines.last().copied().unwrap_or(1),
            None => self.0.source.lines().count().max(1) as u32,
        }
    }

    /// The lines of a range, the last one included: for each its number, and its text with the number before it.
    pub(super) fn rows(&self, (first, last): (u32, u32)) -> Vec<(u32, String)> {
        let number = |at: usize| match &self.0.lines {
            Some(lines) => lines.get(at).copied().unwrap_or_default(),
            None => at as u32 + 1,
        };
        let lines = self.0.source.lines().enumerate().map(|(at, line)| (number(at), line));
        let row = |(number, line): (u32, &str)| {
            let cut = &line[..line.floor_char_boundary(MAX_LINE_BYTES)];
            let dots = if cut.len() < line.len() { " [cut]" } else { "" };
            (number, format!("{number}\t{}{dots}\n", escaped_text(cut)))
        };
        lines.filter(|(number, _)| (first..=last).contains(number)).map(row).collect()
    }
}

/// The path of the indexed file that has the path `path`, or of the only one whose path ends in `path`.
///
/// # Errors
/// [`AnswerError::Outside`] for a path that leads out of the repository; [`AnswerError::File`] with the nearest paths
/// if no file or several files match.
pub(crate) fn find_path(context: &Context<'_>, path: &str) -> Result<String, AnswerError> {
    let wanted = path.strip_prefix("./").unwrap_or(path);
    let is_out = |part: &str| part == ".." || part.contains(':');
    if wanted.starts_with(['/', '\\', '~']) || wanted.split(['/', '\\']).any(is_out) {
        return Err(AnswerError::Outside(path.to_owned()));
    }
    // A file of secrets is not indexed. It can be read if the user has allowed it.
    if is_secret_name(wanted) {
        let is_allowed = (context.read)(wanted).is_some();
        return if is_allowed { Ok(wanted.to_owned()) } else { Err(AnswerError::Secret(wanted.to_owned())) };
    }
    let index = context.symbols.index();
    let mut paths: Vec<&CompactString> = index.files.iter().map(|file| &file.path).collect();
    paths.dedup();
    if let Some(found) = paths.iter().find(|path| **path == wanted) {
        return Ok(found.to_string());
    }
    let ends = |path: &&&CompactString| path.strip_suffix(wanted).is_some_and(|rest| rest.ends_with('/'));
    let found: Vec<String> = paths.iter().filter(ends).map(ToString::to_string).collect();
    let (problem, nearest) = match &found[..] {
        [path] => return Ok(path.clone()),
        [] => {
            let name = wanted.rsplit('/').next().unwrap_or(wanted).to_lowercase();
            let stem = name.split('.').next().unwrap_or(&name);
            let has_stem = |path: &&&CompactString| {
                let last = path.rsplit('/').next().unwrap_or_default().to_lowercase();
                !stem.is_empty() && last.contains(stem)
            };
            ("no indexed file has this path", paths.iter().filter(has_stem).map(ToString::to_string).collect())
        }
        _ => ("several files have this path at their end", found),
    };
    Err(AnswerError::File { problem, path: path.to_owned(), nearest: nearest.into_iter().take(MAX_NEAREST).collect() })
}
