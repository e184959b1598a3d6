//! The text of a source file, by line.

use super::SourceText;

/// The text of a file, and the byte offsets of its lines.
#[derive(Debug)]
pub struct SourceLines {
    /// The text.
    pub text: SourceText,
    starts: Vec<usize>,
}

impl SourceLines {
    /// Finds the lines of a text.
    pub fn new(text: SourceText) -> Self {
        let breaks = memchr::memchr_iter(b'\n', text.source.as_bytes());
        let starts = std::iter::once(0).chain(breaks.map(|at| at + 1)).collect();
        Self { text, starts }
    }

    /// The number of lines.
    pub fn line_count(&self) -> usize {
        self.starts.len()
    }

    /// The byte offset of a line in the text.
    pub fn start(&self, line: usize) -> usize {
        self.starts[line]
    }

    /// The line of the text (from 0) that belongs to a line of the file (from 1). In a notebook several lines of the
    /// text may belong to one line of the file; the one with a name at `column` (in bytes) is preferred. `usize::MAX`
    /// if no line of the text belongs to a line of a notebook.
    pub fn of_file_line(&self, line: u32, column: u32) -> usize {
        let Some(lines) = &self.text.lines else { return line.saturating_sub(1) as usize };
        let same = || lines.iter().enumerate().filter(|(_, at)| **at == line).map(|(line, _)| line);
        let has_name = |line: &usize| {
            let text = self.line(*line).get(column as usize..);
            text.is_some_and(|text| text.starts_with(|c: char| c.is_alphabetic() || c == '_'))
        };
        same().find(has_name).or_else(|| same().next()).unwrap_or(usize::MAX)
    }

    /// The line of the file (from 1) that a line of the text (from 0) belongs to.
    pub fn number(&self, line: usize) -> u32 {
        match &self.text.lines {
            Some(lines) => lines.get(line).or(lines.last()).copied().unwrap_or(1),
            None => line as u32 + 1,
        }
    }

    /// A line of the text (from 0) without its line break; empty if there is no such line.
    pub fn line(&self, line: usize) -> &str {
        let Some(start) = self.starts.get(line) else { return "" };
        let end = self.starts.get(line + 1).map_or(self.text.source.len(), |next| next - 1);
        self.text.source[*start..end].trim_end_matches('\r')
    }

    /// The byte offset in the text of a line's column (in bytes); `None` if the line is shorter.
    pub fn offset(&self, line: usize, column: u32) -> Option<usize> {
        (column as usize <= self.line(line).len())
            .then(|| self.starts.get(line).map(|start| start + column as usize))?
    }

    /// The line that contains a byte offset of the text.
    pub fn line_at(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset).saturating_sub(1)
    }
}
