//! Writes the code of a component as one program, line by line, with the place of each line in the file.

use std::ops::Range;

use crate::documents::Place;

/// The place of code that the file does not contain. Calls and reads at this place are no rows.
const NOWHERE: Place = Place { line: 0, column: 0 };

/// The code of a component while it is written.
pub(super) struct Writer<'t> {
    pub(super) source: &'t str,
    /// The bytes at which the lines of the file begin.
    line_starts: Vec<usize>,
    text: String,
    places: Vec<Place>,
}

impl<'t> Writer<'t> {
    pub(super) fn new(source: &'t str) -> Self {
        let after = memchr::memchr_iter(b'\n', source.as_bytes()).map(|at| at + 1);
        Self { source, line_starts: std::iter::once(0).chain(after).collect(), text: String::new(), places: Vec::new() }
    }

    /// Adds a part of the file, which may have several lines.
    pub(super) fn source(&mut self, range: Range<usize>) {
        let mut at = range.start;
        for line in self.source[range].split_inclusive('\n') {
            self.code(line.trim_end_matches('\n'), at);
            at += line.len();
        }
    }

    /// Adds a line of code that stands for what the file has at the byte `at`.
    pub(super) fn code(&mut self, line: &str, at: usize) {
        let place = self.place(at);
        self.line(line, place);
    }

    /// Adds a line of code that the file does not contain.
    pub(super) fn glue(&mut self, line: &str) {
        self.line(line, NOWHERE);
    }

    fn line(&mut self, line: &str, place: Place) {
        self.text.push_str(line);
        self.text.push('\n');
        self.places.push(place);
    }

    fn place(&self, at: usize) -> Place {
        let line = self.line_starts.partition_point(|start| *start <= at);
        let start = self.line_starts.get(line.wrapping_sub(1)).copied().unwrap_or_default();
        Place { line: line as u32, column: (at - start) as u32 }
    }

    /// The code, and the place of each of its lines.
    pub(super) fn finish(self) -> (String, Vec<Place>) {
        (self.text, self.places)
    }
}
