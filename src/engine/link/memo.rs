//! Memo tables whose computations may request the table again.
//!
//! Linking works on demand: the type of an expression requests the types of other expressions, a class's members
//! request the members of its bases. Real programs contain cycles (functions that call each other, modules that import
//! each other), so an entry is marked while its value is being computed. A request for an entry that is marked does not
//! recurse: it gets a fallback value that the caller chooses.
//!
//! | type | role |
//! | --- | --- |
//! | [`MemoSlot`] | one entry: vacant, in progress, or computed |
//! | [`Memo`] | a hash table of slots; a key that counts from 0 needs only a `Vec<MemoSlot<V>>` |
//! | [`Recursion`] | the nesting depth of running computations, and the outermost one that a cycle has reached |
//!
//! **Provisional values.** A value that was computed with a fallback in place of an outer, unfinished value is
//! provisional: once the outer computation has ended, computing it again may give more. [`Recursion`] distinguishes
//! provisional from final values. The caller decides whether to keep a provisional value; [`MemoSlot::discard`] drops a
//! provisional value a bounded number of times, so that a cycle cannot make the work quadratic.
//!
//! **Threads.** There are no locks. A table belongs to one linker, which runs on one thread and is borrowed mutably by
//! every computation.

use std::hash::Hash;

use rustc_hash::FxHashMap;

/// One entry of a memo table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MemoSlot<V> {
    /// Not computed, or computed and discarded `discards` times.
    Vacant { discards: u8 },
    /// Being computed by a computation that started at `depth`.
    InProgress { depth: u32, discards: u8 },
    /// Computed and kept.
    Computed(V),
}

impl<V> Default for MemoSlot<V> {
    fn default() -> Self {
        Self::Vacant { discards: 0 }
    }
}

/// The outcome of [`MemoSlot::request`].
pub(crate) enum MemoRequest<V> {
    /// The value is known.
    Computed(V),
    /// A cycle: the computation that started at `depth` has requested its own value.
    InProgress { depth: u32 },
    /// The slot was vacant and is now marked as in progress. The caller has to compute the value and end with
    /// [`MemoSlot::keep`], [`MemoSlot::discard`] or [`MemoSlot::clear`].
    Started,
}

impl<V: Clone> MemoSlot<V> {
    /// Returns the value of a computed slot, or marks a vacant slot as in progress at `depth`. A slot in progress stays
    /// as it is.
    #[inline]
    pub(crate) fn request(&mut self, depth: u32) -> MemoRequest<V> {
        match self {
            Self::Computed(value) => MemoRequest::Computed(value.clone()),
            Self::InProgress { depth, .. } => MemoRequest::InProgress { depth: *depth },
            Self::Vacant { discards } => {
                *self = Self::InProgress { depth, discards: *discards };
                MemoRequest::Started
            }
        }
    }

    /// Ends a computation: the slot keeps `value`.
    #[inline]
    pub(crate) fn keep(&mut self, value: V) {
        *self = Self::Computed(value);
    }

    /// Ends a computation with the provisional result `value`. The slot drops the value, so that the next request
    /// computes it again; after `max_discards` discards the slot keeps the value.
    #[inline]
    pub(crate) fn discard(&mut self, value: V, max_discards: u8) {
        *self = match *self {
            Self::InProgress { discards, .. } if discards < max_discards => Self::Vacant { discards: discards + 1 },
            _ => Self::Computed(value),
        };
    }

    /// Makes the slot vacant, and sets the number of discards back to 0.
    #[inline]
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Returns the value of a slot, and calls `compute` for it on the first request. A request from within `compute`
    /// gets `fallback`. Every value is kept, provisional ones too.
    ///
    /// `slot` finds the slot in the `linker` that owns the table. It is called anew after `compute`, which may have
    /// moved the table's entries.
    #[inline]
    pub(crate) fn get_or_compute<L>(
        linker: &mut L,
        slot: impl Fn(&mut L) -> &mut Self,
        fallback: impl FnOnce(&mut L) -> V,
        compute: impl FnOnce(&mut L) -> V,
    ) -> V {
        match slot(linker).request(0) {
            MemoRequest::Computed(value) => value,
            MemoRequest::InProgress { .. } => fallback(linker),
            MemoRequest::Started => {
                let value = compute(linker);
                slot(linker).keep(value.clone());
                value
            }
        }
    }
}

/// A hash table of [`MemoSlot`]s. A request and its end cost one look-up each.
#[derive(Clone, Debug)]
pub(crate) struct Memo<K, V>(FxHashMap<K, MemoSlot<V>>);

impl<K: Eq + Hash, V> Memo<K, V> {
    /// Forgets the values of all keys for which `is_kept` is false.
    pub(crate) fn retain(&mut self, mut is_kept: impl FnMut(&K) -> bool) {
        self.0.retain(|key, _| is_kept(key));
    }
}

impl<K, V> Default for Memo<K, V> {
    fn default() -> Self {
        Self(FxHashMap::default())
    }
}

impl<K: Eq + Hash, V> Memo<K, V> {
    /// The slot of a key, vacant if the key is new.
    #[inline]
    pub(crate) fn slot(&mut self, key: K) -> &mut MemoSlot<V> {
        self.0.entry(key).or_default()
    }

    /// All slots that were ever requested, in no particular order.
    pub(crate) fn slots_mut(&mut self) -> impl Iterator<Item = &mut MemoSlot<V>> {
        self.0.values_mut()
    }

    /// Forgets all values.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }
}

/// The nesting of running computations, across all memo tables of a linker.
#[derive(Debug)]
pub(crate) struct Recursion {
    depth: u32,
    /// The smallest depth that was given to [`Recursion::note_cycle`] and not forgotten since; `u32::MAX` if there is
    /// none.
    cycle_head: u32,
}

impl Recursion {
    pub(crate) const NEW: Self = Self { depth: 0, cycle_head: u32::MAX };

    /// The number of computations that are nested in each other now.
    #[inline]
    pub(crate) fn depth(&self) -> u32 {
        self.depth
    }

    /// Increases the depth by one.
    #[inline]
    pub(crate) fn descend(&mut self) {
        self.depth += 1;
    }

    /// Decreases the depth by one: the counterpart of [`Recursion::descend`].
    #[inline]
    pub(crate) fn ascend(&mut self) {
        self.depth -= 1;
    }

    /// Notes that the value of a computation that started at `depth` was requested while it was in progress.
    #[inline]
    pub(crate) fn note_cycle(&mut self, depth: u32) {
        self.cycle_head = self.cycle_head.min(depth);
    }

    /// True if no noted cycle reaches a computation at `depth` or at a smaller depth: a value computed at `depth` is
    /// then final.
    #[inline]
    pub(crate) fn is_outside_cycles(&self, depth: u32) -> bool {
        self.cycle_head > depth
    }

    /// Ends a computation that started at `depth`. Returns true if its value is provisional, because a noted cycle
    /// reaches a smaller depth. Otherwise all noted cycles have ended, and are forgotten.
    #[inline]
    pub(crate) fn end(&mut self, depth: u32) -> bool {
        let is_provisional = self.cycle_head < depth;
        if !is_provisional {
            self.cycle_head = u32::MAX;
        }
        is_provisional
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computes `n` from `n + 1`, modulo the number of slots.
    struct Ring {
        values: Memo<u32, u32>,
        computed: u32,
        len: u32,
    }

    impl Ring {
        fn value(&mut self, n: u32) -> u32 {
            MemoSlot::get_or_compute(
                self,
                |ring| ring.values.slot(n),
                |_| 100,
                |ring| {
                    ring.computed += 1;
                    ring.value((n + 1) % ring.len) + 1
                },
            )
        }
    }

    #[test]
    fn a_value_is_computed_once_and_a_cycle_gets_the_fallback() {
        let mut ring = Ring { values: Memo::default(), computed: 0, len: 3 };
        assert_eq!(ring.value(0), 103);
        assert_eq!((ring.value(1), ring.value(2), ring.computed), (102, 101, 3));
    }

    #[test]
    fn a_provisional_value_is_discarded_a_bounded_number_of_times() {
        let mut slot = MemoSlot::<u32>::default();
        for _ in 0..2 {
            assert!(matches!(slot.request(1), MemoRequest::Started));
            slot.discard(7, 2);
        }
        assert!(matches!(slot.request(1), MemoRequest::Started));
        assert!(matches!(slot.request(2), MemoRequest::InProgress { depth: 1 }));
        slot.discard(8, 2);
        assert_eq!(slot, MemoSlot::Computed(8));
    }

    #[test]
    fn a_value_is_provisional_inside_a_cycle_and_final_at_its_head() {
        let mut recursion = Recursion::NEW;
        recursion.note_cycle(2);
        assert!(recursion.end(3));
        assert!(!recursion.is_outside_cycles(2));
        assert!(!recursion.end(2));
        assert!(recursion.is_outside_cycles(2) && !recursion.end(1));
    }
}
