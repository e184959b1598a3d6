//! Why a call is counted for a definition, or for none: the steps of its resolution in words, for a person.
//!
//! An explanation is made after a program is linked, by asking the same inference again for the parts of one call.
//! Linking that is not asked for one costs nothing.

use apidisc_base::sort::SharedSort as _;
use apidisc_facts::program::UnresolvedReason;
use compact_str::CompactString;

/// The greatest number of steps of an explanation. A call with more is explained by its first ones.
pub(crate) const MAX_STEPS: usize = 64;

/// The calls that are to be explained, by their place in the sources.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedCalls {
    /// The path of the file, from the root of the sources.
    pub path: CompactString,
    /// The line of the name of the called function, from 1.
    pub line: u32,
    /// A column of that name, from 0, in bytes; `None` for all calls of the line.
    pub col: Option<u32>,
}

impl AskedCalls {
    /// Of the explanations of the calls of a line, those of the asked column: of the last name that begins there or
    /// before it, so that every column of a name means the name.
    pub(crate) fn of_column(&self, mut of_line: Vec<CallExplanation>) -> Vec<CallExplanation> {
        of_line.shared_sort_by_key(|explanation| explanation.col);
        if let Some(asked) = self.col {
            let found = of_line.iter().map(|explanation| explanation.col).filter(|col| *col <= asked).max();
            of_line.retain(|explanation| Some(explanation.col) == found);
        }
        of_line
    }
}

/// How one call was resolved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallExplanation {
    /// The line of the name of the called function, from 1.
    pub line: u32,
    /// The column of that name, from 0, in bytes.
    pub col: u32,
    /// The steps, each of which uses those before it: what is known of each part of the callee.
    pub steps: Vec<ExplainedStep>,
    /// The result: the definitions that the call may call, or why there are none.
    pub result: String,
}

/// What is known of one part of a callee.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExplainedStep {
    /// The code of the part, shortened: arguments are `…`.
    pub code: String,
    /// What the part is, and where that is said.
    pub says: String,
}

/// The names of some things, in a sentence: `a`, `b` or `c`; the first four of many.
pub(crate) fn alternatives(names: &[String]) -> String {
    const SHOWN: usize = 4;
    match names {
        [] => "nothing".to_owned(),
        [one] => one.clone(),
        [first @ .., last] if names.len() <= SHOWN => format!("{} or {last}", first.join(", ")),
        _ => format!("{} or one of {} others", names[..SHOWN].join(", "), names.len() - SHOWN),
    }
}

/// Why a call is counted for no definition.
pub(crate) fn unresolved(why: UnresolvedReason) -> String {
    let words = match why {
        UnresolvedReason::External => "what is called is defined outside the sources",
        UnresolvedReason::UnknownReceiver => "it calls a method of a value whose type is not known",
        UnresolvedReason::UnknownName => "no code that is known binds the called name",
        UnresolvedReason::Dynamic => "the called value is computed at run time",
        UnresolvedReason::TooComplex => "the type of what is called is too large or takes too many steps to infer",
    };
    format!("counted for none ({}): {words}", why.word())
}

/// A text of the sources on one line, cut to a length that a sentence has room for.
pub(crate) fn short(text: &str) -> String {
    const LONGEST: usize = 60;
    let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
