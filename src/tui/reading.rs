//! Pieces of the sources around what the index knows: pure, for the runtime, which opens the files.

use std::{collections::HashMap, ops::Range};

use super::{
    catalog::Catalog,
    highlight::Highlighter,
    model::{CallLine, Excerpt, Quote, page::SourcePlace},
    quote,
};
use apidisc::{
    program::{CallId, DefinitionId, FileId},
    source::SourceText,
};

/// Lines above and below a place; no screen has more.
const AROUND: usize = 150;
/// A line of source is shown up to here.
const LONGEST: usize = 2_000;
/// So many calls are compared to find the shortest.
const COMPARED: usize = 400;
/// So many files are kept while calls are compared.
const KEPT: usize = 64;

/// Finds a file of the sources by its path.
pub type Open<'a> = dyn Fn(&str) -> Option<SourceText> + 'a;

/// Reads the files of one index.
pub struct Reader<'a> {
    catalog: &'a Catalog,
    open: &'a Open<'a>,
}

/// A file, line by line.
struct Lines {
    text: SourceText,
    starts: Vec<usize>,
}

impl<'a> Reader<'a> {
    /// A reader of that index.
    pub fn new(catalog: &'a Catalog, open: &'a Open<'a>) -> Self {
        Self { catalog, open }
    }

    fn open(&self, file: FileId) -> Result<Lines, String> {
        let index = &self.catalog.index;
        let Some(file) = index.files.get(file.index()) else {
            return Err("the index does not say where it stands".to_owned());
        };
        let text = (self.open)(&file.path).ok_or_else(|| format!("{} is not there any more", file.path))?;
        let starts = std::iter::once(0).chain(text.source.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Ok(Lines { text, starts })
    }

    /// The lines around a place, without colours.
    ///
    /// # Errors
    /// Why they cannot be read, in words for people.
    pub fn excerpt(&self, shows: SourcePlace) -> Result<Excerpt, String> {
        match shows {
            SourcePlace::Call(id) => self.around_call(id),
            SourcePlace::Definition(id) => self.around_definition(id),
            SourcePlace::File(id) => Ok(self.cut(id, &self.open(id)?, 0..0)),
        }
    }

    fn around_call(&self, id: CallId) -> Result<Excerpt, String> {
        let call = self.catalog.index.call(id);
        let lines = self.open(call.file)?;
        let line = lines.of_file_line(call.line, call.col);
        let changed = || format!("{} has changed since it was indexed", self.catalog.index.file(call.file).path);
        if line >= lines.starts.len() {
            return Err(changed());
        }
        let language = self.catalog.index.file(call.file).language;
        let range = lines.offset(line, call.col).and_then(|name| quote::call(&lines.text.source, name, language));
        Ok(match range {
            Some(range) => self.cut(call.file, &lines, range),
            None => self.cut(call.file, &lines, lines.starts[line]..lines.starts[line]),
        })
    }

    fn around_definition(&self, id: DefinitionId) -> Result<Excerpt, String> {
        let place = self.catalog.index.definition(id).place;
        let lines = self.open(place.file)?;
        let line = lines.of_file_line(place.line, 0).min(lines.starts.len() - 1);
        let name = self.catalog.index.definition(id).name.as_str();
        let start = lines.starts[line];
        // Its name, where it stands on that line.
        let range = lines.line(line).find(name).map_or(start..start, |at| start + at..start + at + name.len());
        Ok(self.cut(place.file, &lines, range))
    }

    /// The lines around a range of a text.
    fn cut(&self, file: FileId, lines: &Lines, range: Range<usize>) -> Excerpt {
        let (first, last) = (lines.at(range.start), lines.at(range.end));
        let from = first.saturating_sub(AROUND);
        let to = (last + 1 + AROUND).min(lines.starts.len());
        let column = |line: usize, at: usize| shown(&lines.line(line)[..at - lines.starts[line]]).len();
        Excerpt {
            path: self.catalog.index.file(file).path.to_string(),
            first: lines.number(from),
            lines: (from..to).map(|line| shown(lines.line(line))).collect(),
            runs: Vec::new(),
            focus: first - from..last + 1 - from,
            columns: (column(first, range.start), column(last, range.end)),
        }
    }

    /// The shortest of some calls as it stands in its source, as far to the left as it can be; without colours.
    ///
    /// # Errors
    /// Why none can be read, in words for people.
    pub fn shortest(&self, calls: &[CallId]) -> Result<Quote, String> {
        let mut files = HashMap::new();
        let mut best: Option<(usize, CallId, Vec<String>)> = None;
        for id in calls.iter().take(COMPARED) {
            let Some((lines, _, range)) = self.find(*id, &mut files) else { continue };
            let length = range.len();
            if best.as_ref().is_none_or(|(shortest, ..)| length < *shortest) {
                best = Some((length, *id, lines.dedented(range)));
            }
        }
        let Some((_, call, lines)) = best else {
            return Err("the sources have changed since they were indexed".to_owned());
        };
        Ok(Quote { call, lines: lines.into_iter().map(|line| (line, Vec::new())).collect() })
    }

    /// Calls on one line each, from the name of what they call on; without colours.
    pub fn call_lines(&self, calls: &[CallId]) -> Vec<(CallId, Option<CallLine>)> {
        let index = &self.catalog.index;
        let mut files = HashMap::new();
        let mut call_line = |id: CallId| {
            let (lines, name, range) = self.find(id, &mut files)?;
            let source = &lines.text.source;
            let text = quote::line(&source[name..range.end], index.file(index.call(id).file).language);
            let callee = quote::word(&source[name..]);
            let passed = if text[callee..].starts_with('(') { callee } else { 0 };
            Some(CallLine { text, runs: Vec::new(), passed })
        };
        calls.iter().map(|id| (*id, call_line(*id))).collect()
    }

    /// A call in its file: where its name begins, and all of it.
    fn find<'f>(&self, id: CallId, files: &'f mut HashMap<FileId, Lines>) -> Option<(&'f Lines, usize, Range<usize>)> {
        let index = &self.catalog.index;
        let call = index.call(id);
        if !files.contains_key(&call.file) {
            if files.len() == KEPT {
                files.clear();
            }
            files.insert(call.file, self.open(call.file).ok()?);
        }
        let lines = &files[&call.file];
        let name = lines.offset(lines.of_file_line(call.line, call.col), call.col)?;
        let range = quote::call(&lines.text.source, name, index.file(call.file).language)?;
        Some((lines, name, range))
    }
}

impl Lines {
    /// The text's line (from 0) that is a line of the file (from 1): in a notebook several may be, of which the one is
    /// meant that has a name at `column`.
    fn of_file_line(&self, line: u32, column: u32) -> usize {
        let Some(lines) = &self.text.lines else { return line.saturating_sub(1) as usize };
        let same = || lines.iter().enumerate().filter(|(_, at)| **at == line).map(|(line, _)| line);
        let has_name = |line: &usize| {
            let text = self.line(*line).get(column as usize..);
            text.is_some_and(|text| text.starts_with(|c: char| c.is_alphabetic() || c == '_'))
        };
        same().find(has_name).or_else(|| same().next()).unwrap_or(usize::MAX)
    }

    /// The number of the file's line that a line of the text is.
    fn number(&self, line: usize) -> u32 {
        match &self.text.lines {
            Some(lines) => lines.get(line).or(lines.last()).copied().unwrap_or(1),
            None => line as u32 + 1,
        }
    }

    fn line(&self, line: usize) -> &str {
        let Some(start) = self.starts.get(line) else { return "" };
        let end = self.starts.get(line + 1).map_or(self.text.source.len(), |next| next - 1);
        self.text.source[*start..end].trim_end_matches('\r')
    }

    /// Where a column of a line is in the text.
    fn offset(&self, line: usize, column: u32) -> Option<usize> {
        (column as usize <= self.line(line).len())
            .then(|| self.starts.get(line).map(|start| start + column as usize))?
    }

    /// The line that a place in the text is on.
    fn at(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset).saturating_sub(1)
    }

    /// The lines of a range, each without what its first line is indented by.
    fn dedented(&self, range: Range<usize>) -> Vec<String> {
        let first = self.line(self.at(range.start));
        let indent = first.len() - first.trim_start().len();
        let mut lines = self.text.source[range].lines();
        let head = lines.next().map(shown);
        let rest = lines.map(|line| {
            let white = line.len() - line.trim_start().len();
            shown(&line[white.min(indent)..])
        });
        head.into_iter().chain(rest).collect()
    }
}

/// A line as it is shown: tabs have a width, and the end of a very long one is left out.
fn shown(line: &str) -> String {
    let mut end = line.len().min(LONGEST);
    while !line.is_char_boundary(end) {
        end -= 1;
    }
    line[..end].replace('\t', "    ")
}

/// Colours an excerpt.
pub fn colour(excerpt: &mut Excerpt, highlighter: &Highlighter) {
    let lines = &excerpt.lines;
    excerpt.runs = highlighter.runs(extension(&excerpt.path), |line| lines[line].as_str(), 0..lines.len());
}

/// Colours a quote.
pub fn colour_quote(quote: &mut Quote, catalog: &Catalog, highlighter: &Highlighter) {
    let index = &catalog.index;
    let path = &index.file(index.call(quote.call).file).path;
    let runs = highlighter.runs(extension(path), |line| quote.lines[line].0.as_str(), 0..quote.lines.len());
    for (line, runs) in quote.lines.iter_mut().zip(runs) {
        line.1 = runs;
    }
}

/// Colours what calls say.
pub fn colour_call_lines(call_lines: &mut [(CallId, Option<CallLine>)], catalog: &Catalog, highlighter: &Highlighter) {
    let index = &catalog.index;
    for (call, call_line) in call_lines {
        let Some(call_line) = call_line else { continue };
        let extension = extension(&index.file(index.call(*call).file).path);
        call_line.runs = highlighter.runs(extension, |_| call_line.text.as_str(), 0..1).pop().unwrap_or_default();
    }
}

fn extension(path: &str) -> &str {
    match path.rsplit_once('.') {
        Some((_, "pyi" | "ipynb")) => "py",
        Some((_, "mts" | "cts")) => "ts",
        Some((_, "jsx" | "mjs" | "cjs")) => "js",
        Some((_, extension)) => extension,
        None => "",
    }
}
