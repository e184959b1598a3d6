//! The links of calls to earlier calls on the same value. The linker of a language gives the receiver of each call.

use std::hash::Hash;

use rustc_hash::FxHashMap;

use apidisc_facts::program::ReceiverLink;

/// The origin of the receiver of a call. `C` is the id of a call, `V` the id of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum ReceiverOrigin<C, V> {
    /// The result of a call.
    Result(C),
    /// A value of any other origin, by the variable or parameter that holds it.
    Variable(V),
}

/// The links of the calls in `order`, one each: to the call that returned the receiver, or to the first call on the
/// same variable. `order` holds calls of one file in the order of the text; `origin` returns the origin of the receiver
/// of a call, if it is known.
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
