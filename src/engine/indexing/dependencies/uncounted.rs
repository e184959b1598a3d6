//! The calls of a program that are counted for no definition: where they stand, why, and what they name.

use std::cmp::Reverse;

use compact_str::CompactString;
use rustc_hash::FxHashMap;

use super::{CallOrigins, WhyAbsent};
use crate::index::Index;
use apidisc_base::sort::SharedSort as _;
use apidisc_facts::program::{Resolution, UnresolvedReason};

/// What a call names is not known.
const NAMELESS: u32 = u32::MAX;

/// The calls of a program that are counted for no definition, by file.
#[derive(Clone, Debug, Default)]
pub struct UncountedCalls {
    names: Vec<CompactString>,
    /// By the path of the file; the calls of a file in the order of their places.
    files: Vec<(CompactString, Vec<UncountedCall>)>,
}

/// A call that is counted for no definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UncountedCall {
    /// Its line, from 1.
    pub line: u32,
    /// Its column, from 0, in UTF-8 bytes.
    pub col: u32,
    /// Why it is not counted.
    pub why: WhyUncounted,
    name: u32,
}

/// Why a call is counted for no definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhyUncounted {
    /// It may mean several definitions.
    Ambiguous,
    /// It leads out of the sources and of the packages that are read: there, or, if that is `None`, to something else,
    /// such as a method of a string.
    Outside(Option<WhyAbsent>),
    /// Nothing is known of its callee, for a reason other than [`UnresolvedReason::External`].
    Unresolved(UnresolvedReason),
}

impl UncountedCalls {
    /// The calls of a program. `index` has its packages, and `origins` are those of its calls.
    pub fn of(index: &Index, origins: &CallOrigins<'_>) -> Self {
        let mut found = Self::default();
        let mut positions: FxHashMap<CompactString, u32> = FxHashMap::default();
        for call in index.calls.iter() {
            let file = index.file(call.file);
            let place = (call.line, call.col);
            let (why, name) = match call.resolution {
                Resolution::Resolved(_) => continue,
                Resolution::Ambiguous(_) => (WhyUncounted::Ambiguous, None),
                Resolution::Unresolved(UnresolvedReason::External) => {
                    let origin = origins.of_call(&file.path, file.language, place).map(|origin| origin.why);
                    (WhyUncounted::Outside(origin), origins.name_of_call(&file.path, file.language, place))
                }
                Resolution::Unresolved(reason) => (WhyUncounted::Unresolved(reason), None),
            };
            let name = name.filter(|name| !name.is_empty()).map_or(NAMELESS, |name| {
                *positions.entry(name.into()).or_insert_with(|| {
                    found.names.push(name.into());
                    found.names.len() as u32 - 1
                })
            });
            let row = UncountedCall { line: call.line, col: call.col, why, name };
            match found.files.last_mut() {
                Some((path, rows)) if *path == file.path => rows.push(row),
                _ => found.files.push((file.path.clone(), vec![row])),
            }
        }
        found
    }

    /// The calls that are not counted for this reason, each with the path of its file, by path and place.
    pub fn with(&self, why: WhyUncounted) -> impl Iterator<Item = (&str, &UncountedCall)> {
        let calls = self.files.iter().flat_map(|(path, calls)| calls.iter().map(move |call| (path.as_str(), call)));
        calls.filter(move |(_, call)| call.why == why)
    }

    /// The name that a call writes, such as `os.path.join`; `None` for a built-in name, and if it is not known.
    pub fn name(&self, call: &UncountedCall) -> Option<&str> {
        self.names.get(call.name as usize).map(CompactString::as_str)
    }

    /// The names that the calls of the standard library write, each with the number of its calls, the most called
    /// first. The calls that write a built-in name have the name `None`.
    pub fn names_of_standard_library(&self) -> Vec<(Option<&str>, u32)> {
        let mut counts: FxHashMap<u32, u32> = FxHashMap::default();
        for (_, call) in self.with(WhyUncounted::Outside(Some(WhyAbsent::StandardLibrary))) {
            *counts.entry(call.name).or_default() += 1;
        }
        let named = |(name, count): (u32, u32)| (self.names.get(name as usize).map(CompactString::as_str), count);
        let mut found: Vec<(Option<&str>, u32)> = counts.into_iter().map(named).collect();
        found.shared_sort_by_key(|&(name, count)| (Reverse(count), name));
        found
    }
}
