//! The exits of a sequence of tests, of which each one may be the last: the operands of `and` and `or`.
//!
//! The state at each exit follows from that at the exit before by few changes. To join all exits takes time for the
//! changes alone, while [`FlowState::join`] takes time for all changes of each of its branches.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::{
    facts::{FileFacts, NameId, ReachingBindings},
    flow::{FlowSnapshot, FlowState},
};

/// The flow states at the exits of a sequence of tests, as their differences.
#[derive(Debug)]
pub(super) struct Exits {
    /// The state before the first test.
    start: FlowSnapshot,
    /// The state up to which the changes are recorded.
    recorded: FlowSnapshot,
    /// The names that were changed before the last recorded exit, with the bindings that reach them at the exits.
    names: FxHashMap<NameId, ExitValues>,
    /// The names that were changed since the last recorded exit.
    changed: Vec<NameId>,
    /// The number of recorded exits.
    count: usize,
}

/// The bindings that reach one name.
#[derive(Debug)]
struct ExitValues {
    before: Option<ReachingBindings>,
    /// The bindings at the exits. Those of an exit are left out if they are the ones of the exit before.
    at_exits: SmallVec<[Option<ReachingBindings>; 4]>,
}

impl FlowState {
    /// Begins a sequence of tests.
    pub(super) fn begin_exits(&self) -> Exits {
        let start = self.snapshot();
        Exits { start, recorded: start, names: FxHashMap::default(), changed: Vec::new(), count: 0 }
    }

    /// Records that the sequence may end in the present state. A state that is not reachable is left out, unless the
    /// whole sequence is not reachable.
    pub(super) fn record_exit(&self, exits: &mut Exits) {
        exits.note_changes(self);
        if !self.reachable && exits.start.reachable {
            return;
        }
        for name in exits.changed.drain(..) {
            let Some(values) = exits.names.get_mut(&name) else { continue };
            if values.at_exits.is_empty() && exits.count > 0 {
                values.at_exits.push(values.before);
            }
            let value = self.get_known(name);
            if values.at_exits.last() != Some(&value) {
                values.at_exits.push(value);
            }
        }
        exits.count += 1;
    }

    /// Undoes the changes since `snapshot`, which lead to an exit only.
    pub(super) fn undo_exit(&mut self, exits: &mut Exits, snapshot: FlowSnapshot) {
        exits.note_changes(self);
        exits.changed.extend(self.log_since(snapshot).iter().map(|(name, _)| *name));
        self.undo(snapshot);
        self.reachable = snapshot.reachable;
        exits.recorded = self.snapshot();
    }

    /// Ends a sequence of tests: continues with the union of the states at its exits.
    pub(super) fn join_exits(&mut self, facts: &mut FileFacts, exits: Exits) {
        self.undo(exits.start);
        self.reachable = exits.start.reachable && exits.count > 0;
        let mut names: Vec<(NameId, ExitValues)> = exits.names.into_iter().collect();
        names.sort_unstable_by_key(|(name, _)| *name);
        for (name, values) in names {
            if !values.at_exits.is_empty() {
                self.set_union(facts, name, &values.at_exits);
            }
        }
    }
}

impl Exits {
    /// Notes the names that were changed since the last call.
    fn note_changes(&mut self, flow: &FlowState) {
        for &(name, before) in flow.log_since(self.recorded) {
            self.names.entry(name).or_insert_with(|| ExitValues { before, at_exits: SmallVec::new() });
            self.changed.push(name);
        }
        self.recorded = flow.snapshot();
    }
}
