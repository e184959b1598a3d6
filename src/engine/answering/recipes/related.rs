//! The definitions that functions call before and after another one.
//!
//! A call on the same value, or on the result of a call on that value, counts more than a call that only stands nearby:
//! two calls of one function may be unrelated.

use rustc_hash::{FxHashMap, FxHashSet};

use super::is_api;
use apidisc_base::sort::SharedSort as _;
use apidisc_facts::program::{CallId, DefinitionId, FileId, ReceiverValue};
use apidisc_indexing::index::Index;

/// The greatest number of related definitions on each side.
const MAX_RELATED: usize = 2;
/// The greatest number of calls of the definition that are looked at.
pub(super) const MAX_CALLS: usize = 2_000;
/// The number of nearest calls on each side that count as neighbours, whatever their values.
const NEIGHBOURS: usize = 3;
/// The greatest distance to a call that is looked at, in calls of any definition.
const MAX_DISTANCE: usize = 64;
/// The worth of a call on the same value; that of a mere neighbour is 1.
const SAME_VALUE: u32 = 4;
/// The least number of functions that call both definitions.
const MIN_FUNCTIONS: u32 = 2;

/// The definitions that are often called before and after another one, those of the greatest worth first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallsAround {
    /// At most two definitions.
    pub often_before: Vec<DefinitionId>,
    /// At most two definitions.
    pub often_after: Vec<DefinitionId>,
}

/// For each definition, the sum of its worth, and the number of functions that call it.
type Worth = FxHashMap<DefinitionId, (u32, u32)>;

/// The definitions that are often called before and after another one. Empty if the index was read from a file.
pub fn related(index: &Index, id: DefinitionId) -> CallsAround {
    let [mut before, mut after] = [Worth::default(), Worth::default()];
    let mut seen: FxHashSet<(FileId, Option<DefinitionId>)> = FxHashSet::default();
    for &call in index.definition(id).usage.calls.iter().take(MAX_CALLS) {
        let site = index.call(call);
        // A function counts once, by its first call.
        if site.syntax.expects_error || !seen.insert((site.file, site.caller)) {
            continue;
        }
        add(&mut before, neighbours(index, id, call, Side::Before));
        add(&mut after, neighbours(index, id, call, Side::After));
    }
    let best = |worth: Worth| {
        let mut found: Vec<_> = worth.into_iter().filter(|(_, (_, functions))| *functions >= MIN_FUNCTIONS).collect();
        found.shared_sort_by(|a, b| {
            b.1.cmp(&a.1).then_with(|| index.definition(a.0).fqn.cmp(&index.definition(b.0).fqn))
        });
        found.into_iter().take(MAX_RELATED).map(|(other, _)| other).collect()
    };
    CallsAround { often_before: best(before), often_after: best(after) }
}

/// Adds the worth that definitions have in one function.
fn add(to: &mut Worth, of_function: FxHashMap<DefinitionId, u32>) {
    for (definition, worth) in of_function {
        let (sum, functions) = to.entry(definition).or_default();
        *sum += worth;
        *functions += 1;
    }
}

/// The calls before or after a call.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Before,
    After,
}

/// The definitions that are called before or after `call` in the same function, each with its worth.
fn neighbours(index: &Index, own: DefinitionId, call: CallId, side: Side) -> FxHashMap<DefinitionId, u32> {
    let mut found: FxHashMap<DefinitionId, u32> = FxHashMap::default();
    for (nearest, (other, definition)) in others_of_function(index, own, call, side).enumerate() {
        let (earlier, later) = if side == Side::Before { (other, call) } else { (call, other) };
        let is_on_value = shares_value(index, earlier, later);
        let worth = if is_on_value { SAME_VALUE } else { u32::from(nearest < NEIGHBOURS) };
        if worth > 0 {
            let known = found.entry(definition).or_default();
            *known = (*known).max(worth);
        }
    }
    found
}

/// The calls of other definitions of the API that the function around `call` makes before or after it, the nearest
/// first.
pub(super) fn others_of_function(
    index: &Index,
    own: DefinitionId,
    call: CallId,
    side: Side,
) -> impl Iterator<Item = (CallId, DefinitionId)> {
    let site = index.call(call);
    let step = move |distance: usize| match side {
        Side::Before => call.index().checked_sub(distance),
        Side::After => Some(call.index() + distance).filter(|at| *at < index.calls.len()),
    };
    let near = (1..=MAX_DISTANCE).map_while(step).map(CallId::new);
    let of_file = near.take_while(move |at| index.call(*at).file == site.file);
    of_file.filter_map(move |at| {
        let other = index.call(at);
        let definition = other.resolution.definition().filter(|_| other.caller == site.caller)?;
        (definition != own && is_api(index, definition)).then_some((at, definition))
    })
}

/// True if `later` is made on the result of `earlier`, or on its receiver.
fn shares_value(index: &Index, earlier: CallId, later: CallId) -> bool {
    let receiver = index.calls.receiver_value(later);
    match receiver {
        Some(ReceiverValue::ResultOf(origin) | ReceiverValue::SharedWith(origin)) => {
            origin == earlier || receiver == index.calls.receiver_value(earlier)
        }
        None => false,
    }
}
