//! Pieces of the sources, as the runtime reads them.

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::tui::theme::SyntaxRuns;
use apidisc::program::CallId;

/// Some lines of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Excerpt {
    /// The file.
    pub path: String,
    /// The number of the first line, from 1.
    pub first: u32,
    /// The lines.
    pub lines: Vec<String>,
    /// Their colours; empty until they are known.
    pub runs: Vec<SyntaxRuns>,
    /// The lines that it is about, counted from the first one here.
    pub focus: Range<usize>,
    /// What of the first and last of them it is about, in bytes.
    pub columns: (usize, usize),
}

/// A call as it stands in the source, as far to the left as it can be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quote {
    /// Which.
    pub call: CallId,
    /// Its lines with their colours.
    pub lines: Vec<(String, SyntaxRuns)>,
}

/// A call as it stands in the source, on one line, from the name of what it calls on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallLine {
    /// The line.
    pub text: String,
    /// Its colours.
    pub runs: SyntaxRuns,
    /// Where behind the name begins what it passes, in bytes; 0 where something else follows.
    pub passed: usize,
}

/// The wordings of the calls whose rows have been seen.
#[derive(Debug, Default)]
pub struct CallLineCache {
    /// The index that the calls belong to.
    generation: u64,
    /// None of a call that cannot be read.
    known: FxHashMap<CallId, Option<CallLine>>,
    /// What was asked for last.
    asked: Vec<CallId>,
    /// A number that none of them had before.
    pub revision: u64,
}

impl CallLineCache {
    /// So many are kept.
    const MOST: usize = 10_000;

    /// That of a call, once it is known.
    pub fn get(&self, call: CallId) -> Option<&CallLine> {
        self.known.get(&call)?.as_ref()
    }

    /// True where a call was read, or cannot be.
    pub fn has(&self, call: CallId) -> bool {
        self.known.contains_key(&call)
    }

    /// Which of some calls of an index have to be read; none where just these are being read.
    pub fn ask(&mut self, generation: u64, calls: impl Iterator<Item = CallId>) -> Vec<CallId> {
        if self.generation != generation || self.known.len() > Self::MOST {
            *self = Self { generation, revision: self.revision + 1, ..Self::default() };
        }
        let wanted: Vec<CallId> = calls.filter(|call| !self.known.contains_key(call)).collect();
        if wanted == self.asked {
            return Vec::new();
        }
        self.asked.clone_from(&wanted);
        wanted
    }

    /// Takes those of an index, unless they are of another one.
    pub fn take(&mut self, generation: u64, call_lines: Vec<(CallId, Option<CallLine>)>) {
        if self.generation == generation {
            self.known.extend(call_lines);
            self.revision += 1;
        }
    }
}
