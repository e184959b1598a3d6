//! Reads pieces of the sources: the lines around a place, and calls as they are written. The caller opens the files.

mod colour;
mod first_call;

use std::{collections::HashMap, ops::Range};

pub use colour::{colour_call_lines, colour_excerpt, colour_first_call};

use super::model::{CallLine, Catalog, Excerpt, page::SourcePlace};
use apidisc::{
    program::{CallId, DefinitionId, FileId, ReadId},
    snippet,
    source::{SourceLines, SourceText},
};

/// The number of lines above and below a place; no screen shows more.
const CONTEXT_LINES: usize = 150;
/// The greatest number of files whose texts are kept in memory while calls are read.
const MAX_FILES: usize = 64;

/// The length in bytes at which a line is cut off.
const MAX_LINE_BYTES: usize = 2_000;

/// Reads a file of the sources by its path; `None` if that fails.
pub type OpenFile<'a> = dyn Fn(&str) -> Option<SourceText> + 'a;

/// Reads the files of one index.
pub struct SourceReader<'a> {
    catalog: &'a Catalog,
    open: &'a OpenFile<'a>,
}

/// A call in its file.
struct FoundCall<'f> {
    lines: &'f SourceLines,
    /// The byte offset of the callee's name.
    name: usize,
    /// The bytes of the whole call.
    range: Range<usize>,
}

impl<'a> SourceReader<'a> {
    /// A reader of the files of an index.
    pub fn new(catalog: &'a Catalog, open: &'a OpenFile<'a>) -> Self {
        Self { catalog, open }
    }

    fn open(&self, id: FileId) -> Result<SourceLines, String> {
        let index = &self.catalog.index;
        let Some(file) = index.files.get(id.index()) else {
            return Err("the index does not say where it stands".to_owned());
        };
        if let Some(absent) = index.absence_in_words(id) {
            return Err(absent);
        }
        let text = (self.open)(&file.path).ok_or_else(|| format!("{} is not there any more", file.path))?;
        Ok(SourceLines::new(text))
    }

    /// The lines around a place, without colours.
    ///
    /// # Errors
    /// The reason why the file cannot be read, as a message for the user.
    pub fn excerpt(&self, shows: SourcePlace) -> Result<Excerpt, String> {
        match shows {
            SourcePlace::Call(id) => self.around_call(id),
            SourcePlace::Read(id) => self.around_read(id),
            SourcePlace::Definition(id) => self.around_definition(id),
            SourcePlace::File(id) => Ok(self.cut(id, &self.open(id)?, 0..0)),
            SourcePlace::Line(id, line) => {
                let lines = self.open(id)?;
                let start = lines.start(lines.of_file_line(line, 0).min(lines.line_count() - 1));
                Ok(self.cut(id, &lines, start..start))
            }
            SourcePlace::Part(_) => Err("a part of an API document is no place in a file of the index".to_owned()),
        }
    }

    fn around_call(&self, id: CallId) -> Result<Excerpt, String> {
        let call = self.catalog.index.call(id);
        let lines = self.open(call.file)?;
        let line = lines.of_file_line(call.line, call.col);
        let changed = || format!("{} has changed since it was indexed", self.catalog.index.file(call.file).path);
        if line >= lines.line_count() {
            return Err(changed());
        }
        let language = self.catalog.index.file(call.file).language;
        let range =
            lines.offset(line, call.col).and_then(|name| snippet::call_range(&lines.text.source, name, language));
        Ok(match range {
            Some(range) => self.cut(call.file, &lines, range),
            None => self.cut(call.file, &lines, lines.start(line)..lines.start(line)),
        })
    }

    fn around_read(&self, id: ReadId) -> Result<Excerpt, String> {
        let read = self.catalog.index.read(id);
        let lines = self.open(read.file)?;
        let line = lines.of_file_line(read.line, read.col).min(lines.line_count() - 1);
        let name = self.catalog.index.definition(read.attribute).name.as_str();
        let is_name = |at: &usize| lines.text.source.get(*at..).is_some_and(|text| text.starts_with(name));
        let start = lines.start(line);
        // Marks the attribute's name if it is still there.
        let range = lines.offset(line, read.col).filter(is_name).map_or(start..start, |at| at..at + name.len());
        Ok(self.cut(read.file, &lines, range))
    }

    /// The lines around a definition. What calls show of a package that cannot be read stands where it is called first.
    fn around_definition(&self, id: DefinitionId) -> Result<Excerpt, String> {
        let index = &self.catalog.index;
        let place = index.definition(id).place;
        if index.is_absent_file(place.file) {
            let typical = index.typical_calls(id).first().copied();
            if let Some(call) = typical.or_else(|| index.usage(id).calls.first().copied()) {
                return self.around_call(call);
            }
        }
        let lines = self.open(place.file)?;
        let line = lines.of_file_line(place.line, 0).min(lines.line_count() - 1);
        let name = self.catalog.index.definition(id).name.as_str();
        let start = lines.start(line);
        // Marks the definition's name if it is on the line.
        let range = lines.line(line).find(name).map_or(start..start, |at| start + at..start + at + name.len());
        Ok(self.cut(place.file, &lines, range))
    }

    /// The lines around a range of a text.
    fn cut(&self, file: FileId, lines: &SourceLines, range: Range<usize>) -> Excerpt {
        let (first, last) = (lines.line_at(range.start), lines.line_at(range.end));
        let from = first.saturating_sub(CONTEXT_LINES);
        let to = (last + 1 + CONTEXT_LINES).min(lines.line_count());
        let column = |line: usize, at: usize| {
            let text = lines.line(line);
            displayed(text.get(..at.saturating_sub(lines.start(line))).unwrap_or(text)).len()
        };
        Excerpt {
            path: self.catalog.index.file(file).path.to_string(),
            first: lines.number(from),
            lines: (from..to).map(|line| displayed(lines.line(line))).collect(),
            runs: Vec::new(),
            focus: first - from..last + 1 - from,
            columns: (column(first, range.start), column(last, range.end)),
        }
    }

    /// The whole documentation of a definition, line by line; empty if there is none.
    pub fn documentation(&self, id: DefinitionId) -> Vec<String> {
        let definition = self.catalog.index.definition(id);
        let Ok(lines) = self.open(definition.place.file) else { return Vec::new() };
        // The text of a notebook has other positions than its file.
        let line = lines.of_file_line(definition.place.line, 0).saturating_add(1) as u32;
        let path = &self.catalog.index.file(definition.place.file).path;
        let (code, language) = (&lines.text.source, definition.language);
        let found = snippet::documentation(code, path, language, line, &definition.name);
        found.unwrap_or_default().iter().map(|line| displayed(line)).collect()
    }

    /// Calls on one line each, from the name of the callee on, without its receiver; without colours.
    pub fn call_lines(&self, calls: &[CallId]) -> Vec<(CallId, Option<CallLine>)> {
        let index = &self.catalog.index;
        let mut files = HashMap::new();
        let mut call_line = |id: CallId| {
            let FoundCall { lines, name, range } = self.find(id, &mut files)?;
            let source = &lines.text.source;
            let text = snippet::one_line(&source[name..range.end], index.file(index.call(id).file).language);
            let callee = snippet::name_length(&source[name..]);
            // The callee's name may be longer than the line.
            let has_parenthesis = text.get(callee..).is_some_and(|rest| rest.starts_with('('));
            let arguments = if has_parenthesis { callee } else { 0 };
            Some(CallLine { text, runs: Vec::new(), arguments })
        };
        calls.iter().map(|id| (*id, call_line(*id))).collect()
    }

    /// Finds a call in its file, and opens the file if it is not in `files`.
    fn find<'f>(&self, id: CallId, files: &'f mut HashMap<FileId, SourceLines>) -> Option<FoundCall<'f>> {
        let index = &self.catalog.index;
        let call = index.call(id);
        if !files.contains_key(&call.file) {
            if files.len() == MAX_FILES {
                files.clear();
            }
            files.insert(call.file, self.open(call.file).ok()?);
        }
        let lines = &files[&call.file];
        let name = lines.offset(lines.of_file_line(call.line, call.col), call.col)?;
        let range = snippet::call_range(&lines.text.source, name, index.file(call.file).language)?;
        Some(FoundCall { lines, name, range })
    }
}

/// A line as it is displayed: tabs become four spaces, and the end of a very long line is cut off.
fn displayed(line: &str) -> String {
    line[..line.floor_char_boundary(MAX_LINE_BYTES)].replace('\t', "    ")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use apidisc::{control::Control, indexer, source};

    use super::*;

    #[test]
    fn names_of_any_length_are_read() {
        for length in [599, 600, 601, 5_000, 19_999, 20_001, 50_000] {
            for letter in ["a", "名"] {
                let name = letter.repeat(length);
                let text = format!("def {name}(a): ...\n\r\nx = {name}(1)\r\n{name}(\n  a=2,\n)\n");
                let files = vec![("a.py".to_owned(), text.into_bytes().into())];
                let source = source::Source::Memory { name: "m".to_owned(), files };
                let index = indexer::build(&source, &mut |_| Control::Continue).expect("files").expect("an index");
                let catalog = Catalog::new(Arc::new(index), 1);
                let open = |path: &str| source::reread(&source, path);
                let reader = SourceReader::new(&catalog, &open);
                let calls = [CallId::new(0), CallId::new(1)];
                let lines = reader.call_lines(&calls);
                assert!(lines.iter().all(|(_, line)| line.is_some()));
                assert!(reader.first_call(DefinitionId::new(0), &calls).problem.is_none());
                for call in calls {
                    assert!(reader.excerpt(SourcePlace::Call(call)).is_ok());
                }
                assert!(reader.excerpt(SourcePlace::Definition(DefinitionId::new(0))).is_ok());
            }
        }
    }
}
