//! The links of calls to earlier calls on the same values. A language says which value each call is made on.

use std::hash::Hash;

use rustc_hash::FxHashMap;

use crate::program::ReceiverLink;

/// A value that a call is made on. `C` names calls, `V` variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum ReceiverOrigin<C, V> {
    /// The result of a call.
    Result(C),
    /// A value that comes from elsewhere, by the variable or parameter that holds it.
    Variable(V),
}

/// The links of some calls of a file to earlier ones of them. `order` names the calls in the order of the text; `origin`
/// returns the value that a call is made on, if it is known.
pub(super) fn receiver_links<C: Copy + Eq + Hash, V: Eq + Hash>(
    order: &[C],
    origin: impl Fn(C) -> Option<ReceiverOrigin<C, V>>,
) -> Vec<ReceiverLink> {
    let positions: FxHashMap<C, usize> = order.iter().enumerate().map(|(at, &call)| (call, at)).collect();
    let mut first_on: FxHashMap<V, usize> = FxHashMap::default();
    let link = |(own, &call): (usize, &C)| match origin(call) {
        Some(ReceiverOrigin::Result(maker)) => {
            positions.get(&maker).map_or_else(ReceiverLink::default, |&at| ReceiverLink::new(own, at, false))
        }
        Some(ReceiverOrigin::Variable(variable)) => {
            ReceiverLink::new(own, *first_on.entry(variable).or_insert(own), true)
        }
        None => ReceiverLink::default(),
    };
    order.iter().enumerate().map(link).collect()
}
