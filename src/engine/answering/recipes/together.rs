//! The definitions that functions use together with another one, and how: `12 functions pass the result of A to B`.
//!
//! A function counts once. The calls on the object of a class by the class itself do not count, nor do the members of a
//! class beside the class: the stub of the class shows them.

use std::cmp::Reverse;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    related::{MAX_CALLS, Side, others_of_function},
    snippet::name_at,
};
use apidisc_base::sort::SharedSort as _;
use apidisc_facts::{
    program::{CallId, DefinitionId, DefinitionKind, FileId, ReceiverValue},
    source::SourceText,
};
use apidisc_indexing::{index::Index, snippet::CodeText};

/// The greatest number of definitions.
const MAX_TOGETHER: usize = 3;
/// The least number of functions that use both definitions.
const MIN_FUNCTIONS: u32 = 3;
/// One in this many of the functions that call the definition uses the other one as well.
const LEAST_SHARE: u32 = 10;
/// The greatest number of bytes of the files that are read to see what is passed: each is parsed.
const MAX_BYTES_READ: usize = 120_000;

/// A definition that functions use together with another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Together {
    /// The other definition.
    pub definition: DefinitionId,
    /// The number of functions that call both.
    pub functions: u32,
    /// How most of these functions use the two.
    pub how: How,
    /// The function of the fewest lines; ties by path and line.
    pub shortest: DefinitionId,
    /// The calls of both in this function, the call of the other definition last.
    pub calls: [CallId; 2],
}

/// How functions use a definition together with another one. The variants are ordered: of two that hold for as many
/// functions, the first one is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum How {
    /// The definition is called on the result of the other definition.
    MadeBy,
    /// The other definition is called on the result of the definition.
    Makes,
    /// Both are called on one value.
    OnOneValue,
    /// The result of the definition is an argument of a call of the other definition.
    PassedTo,
    /// The result of the other definition is an argument of a call of the definition.
    Takes,
    /// Nothing more than that one function calls both is known.
    Beside,
}

impl How {
    /// The words for the relation, before the name of the other definition.
    pub fn words(self) -> &'static str {
        match self {
            Self::MadeBy => "called on the result of",
            Self::Makes => "its result calls",
            Self::OnOneValue => "on one value with",
            Self::PassedTo => "passed to",
            Self::Takes => "takes the result of",
            Self::Beside => "beside",
        }
    }
}

/// The functions that use a definition together with one other.
#[derive(Default)]
struct Uses {
    functions: u32,
    how: FxHashMap<How, u32>,
    /// The shortest function: its lines, its path and line, and the calls of both.
    shortest: Option<(u32, DefinitionId, [CallId; 2])>,
}

/// The definitions that several functions, and a tenth of those that call a definition, use together with it, those of
/// the most functions first; ties by name. At most three. `read` reads a file of the index by its path. Empty if the
/// index was read from a file.
pub fn together(index: &Index, id: DefinitionId, read: &dyn Fn(&str) -> Option<SourceText>) -> Vec<Together> {
    let mut found: FxHashMap<DefinitionId, Uses> = FxHashMap::default();
    let mut seen: FxHashSet<DefinitionId> = FxHashSet::default();
    for &call in index.definition(id).usage.calls.iter().take(MAX_CALLS) {
        let site = index.call(call);
        let Some(function) = site.caller.filter(|caller| is_function(index, *caller)) else { continue };
        if site.syntax.expects_error || site.is_on_own_object() || !seen.insert(function) {
            continue;
        }
        // The first way in which the function uses each other definition that says the most.
        let mut ways: FxHashMap<DefinitionId, (How, CallId)> = FxHashMap::default();
        for side in [Side::Before, Side::After] {
            for (at, other) in others_of_function(index, id, call, side) {
                if index.call(at).is_on_own_object() || is_obvious(index, id, other) {
                    continue;
                }
                let way = (how(index, call, at), at);
                let known = ways.entry(other).or_insert(way);
                *known = (*known).min(way);
            }
        }
        let lines = lines_of(index, function);
        for (other, (how, at)) in ways {
            let uses = found.entry(other).or_default();
            uses.functions += 1;
            *uses.how.entry(how).or_default() += 1;
            let candidate = (lines, function, [call, at]);
            uses.shortest = Some(uses.shortest.map_or(candidate, |shortest| shortest.min(candidate)));
        }
    }
    let least = MIN_FUNCTIONS.max(seen.len() as u32 / LEAST_SHARE);
    let mut found: Vec<(DefinitionId, Uses)> = found.into_iter().filter(|(_, uses)| uses.functions >= least).collect();
    found.shared_sort_by(|(a, uses), (b, others)| {
        let names = || index.definition(*a).fqn.cmp(&index.definition(*b).fqn);
        others.functions.cmp(&uses.functions).then_with(names)
    });
    let mut texts = Texts { index, read, left: MAX_BYTES_READ, files: FxHashMap::default() };
    let together = found.into_iter().take(MAX_TOGETHER).filter_map(|(definition, uses)| {
        let (_, shortest, calls) = uses.shortest?;
        let how = uses.how.into_iter().max_by_key(|(how, count)| (*count, Reverse(*how)))?.0;
        let how = if how == How::Beside { texts.how(calls) } else { how };
        Some(Together { definition, functions: uses.functions, how, shortest, calls })
    });
    together.collect()
}

/// How two calls of one function belong together, as far as the index knows it: `call` of the definition, `other` of
/// the other one.
fn how(index: &Index, call: CallId, other: CallId) -> How {
    let (own, others) = (index.calls.receiver_value(call), index.calls.receiver_value(other));
    match (own, others) {
        (Some(ReceiverValue::ResultOf(made)), _) if made == other => How::MadeBy,
        (_, Some(ReceiverValue::ResultOf(made))) if made == call => How::Makes,
        (Some(_), Some(_)) if own == others => How::OnOneValue,
        (_, Some(ReceiverValue::SharedWith(first))) if first == call => How::OnOneValue,
        (Some(ReceiverValue::SharedWith(first)), _) if first == other => How::OnOneValue,
        _ => How::Beside,
    }
}

/// True for two definitions of which one is a class and the other one a member of it.
fn is_obvious(index: &Index, id: DefinitionId, other: DefinitionId) -> bool {
    let holds = |class: DefinitionId, member: DefinitionId| {
        let parent = index.definition(index.declaration(member)).parent;
        parent.is_some_and(|parent| parent == class || index.definition(class).ancestors.contains(&parent))
    };
    holds(id, other) || holds(other, id)
}

fn is_function(index: &Index, id: DefinitionId) -> bool {
    let definition = index.definition(id);
    definition.kind.is_callable() && definition.kind != DefinitionKind::Class
}

fn lines_of(index: &Index, id: DefinitionId) -> u32 {
    let place = index.definition(id).place;
    place.end_line.saturating_sub(place.line) + 1
}

/// The texts of files, read to see what is passed to what.
struct Texts<'a> {
    index: &'a Index,
    read: &'a dyn Fn(&str) -> Option<SourceText>,
    /// The number of bytes that may still be read.
    left: usize,
    files: FxHashMap<FileId, Option<CodeText>>,
}

impl Texts<'_> {
    /// What the code of one function passes: the result of the first call to the second one, or the other way round.
    fn how(&mut self, [call, other]: [CallId; 2]) -> How {
        let index = self.index;
        let Some(text) = self.text(index.call(call).file) else { return How::Beside };
        let (Some(own), Some(others)) = (name_at(index, text, call), name_at(index, text, other)) else {
            return How::Beside;
        };
        if text.is_argument(own, others) {
            How::PassedTo
        } else if text.is_argument(others, own) {
            How::Takes
        } else {
            How::Beside
        }
    }

    fn text(&mut self, id: FileId) -> Option<&CodeText> {
        let (index, read, left) = (self.index, self.read, &mut self.left);
        let open = || {
            let file = index.file(id);
            let text = read(&file.path)?;
            *left = left.checked_sub(text.source.len())?;
            Some(CodeText::new(&file.path, text, file.language, index.is_quoted_code(id)))
        };
        self.files.entry(id).or_insert_with(open).as_ref()
    }
}
