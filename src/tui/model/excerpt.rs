//! Source text that the runtime has read: excerpts of files, and single calls.

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::tui::theme::SyntaxRuns;
use apidisc::program::CallId;

/// Lines of a file around a place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Excerpt {
    /// The path of the file, or the name of the content.
    pub path: String,
    /// The number of the first line, from 1; 0 if the lines have no numbers, as the content of a part of API documents.
    pub first: u32,
    /// The lines.
    pub lines: Vec<String>,
    /// The syntax runs of each line; empty until they are known.
    pub runs: Vec<SyntaxRuns>,
    /// The lines of the place itself, as indices into `lines`.
    pub focus: Range<usize>,
    /// The byte at which the place begins on its first line, and the byte at which it ends on its last line.
    pub columns: (usize, usize),
}

impl Excerpt {
    /// The first visible line before the user scrolls: the place is about a third of the height below the top.
    pub fn initial_top(&self, height: usize) -> usize {
        let above = (height.saturating_sub(self.focus.len()) / 3).max(1);
        self.focus.start.saturating_sub(above)
    }

    /// The first of `height` visible lines after scrolling by `scroll` lines.
    pub fn top(&self, height: usize, scroll: isize) -> usize {
        let top = self.initial_top(height).saturating_add_signed(scroll);
        top.min(self.lines.len().saturating_sub(height))
    }
}

/// Code for the first use of a definition, ready to be copied: imports, then a call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FirstCall {
    /// The call in the sources; `None` if the code is made from the typical call of the index, or from the signature.
    pub call: Option<CallId>,
    /// True if the code is made from the signature.
    pub is_made: bool,
    /// Its lines with their syntax runs.
    pub lines: Vec<(String, SyntaxRuns)>,
    /// The number of lines before the call: imports, and an empty line.
    pub imports: usize,
    /// Names in the code for which the reader puts values of their own.
    pub missing: Vec<String>,
    /// Why the calls of the sources could not be read.
    pub problem: Option<String>,
}

impl FirstCall {
    /// The code.
    pub fn text(&self) -> String {
        self.lines.iter().flat_map(|(line, _)| [line.as_str(), "\n"]).collect()
    }
}

/// The texts of a definition that the index does not have, read from the sources.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CardText {
    /// The first call; without lines if code outside of the library cannot import the definition.
    pub first_call: FirstCall,
    /// The whole documentation, line by line.
    pub documentation: Vec<String>,
}

/// The source text of one call on a single line, from the callee's name on, without its receiver.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallLine {
    /// The text.
    pub text: String,
    /// Its syntax runs.
    pub runs: SyntaxRuns,
    /// The byte offset of the `(` right after the callee's name; 0 if another character follows the name.
    pub arguments: usize,
}

/// A cache of the single-line texts of calls.
#[derive(Debug, Default)]
pub struct CallLineCache {
    /// The generation of the index that the calls belong to.
    generation: u64,
    /// `None` for a call whose source cannot be read.
    known: FxHashMap<CallId, Option<CallLine>>,
    /// The calls of the last request.
    asked: Vec<CallId>,
    /// Grows with every change of the cache.
    pub revision: u64,
}

impl CallLineCache {
    /// The cache is emptied when it holds more calls than this.
    const MAX_CALLS: usize = 10_000;

    /// The text of a call, if it is known.
    pub fn get(&self, call: CallId) -> Option<&CallLine> {
        self.known.get(&call)?.as_ref()
    }

    /// True if the call has been read, or cannot be read.
    pub fn has(&self, call: CallId) -> bool {
        self.known.contains_key(&call)
    }

    /// The calls to request: those not in the cache yet; none if the last request was for the same calls.
    pub fn missing(&mut self, generation: u64, calls: impl Iterator<Item = CallId>) -> Vec<CallId> {
        if self.generation != generation || self.known.len() > Self::MAX_CALLS {
            *self = Self { generation, revision: self.revision + 1, ..Self::default() };
        }
        let wanted: Vec<CallId> = calls.filter(|call| !self.known.contains_key(call)).collect();
        if wanted == self.asked {
            return Vec::new();
        }
        self.asked.clone_from(&wanted);
        wanted
    }

    /// Adds the answer to a request, unless the index has changed since.
    pub fn insert(&mut self, generation: u64, call_lines: Vec<(CallId, Option<CallLine>)>) {
        if self.generation == generation {
            self.known.extend(call_lines);
            self.revision += 1;
        }
    }
}
