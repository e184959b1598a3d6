//! Which bindings reach a name: flow through structured code, solved while it is read.
//!
//! Every branch starts from the environment before it; where branches meet, what reaches a name is the
//! union over those that can be left. The environment is one map with a undo_log of its changes, so that a
//! branch costs what it changes and not what it could see.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::facts::{BindingId, BindingKind, DefId, ExprId, FileFacts, NameId, ReachingBindings, ScopeId};

/// Jumps of one loop that are told apart; each costs what the loop has changed before it.
const MAX_JUMPS: usize = 64;

/// The flow state of one function, class body or module.
#[derive(Debug)]
pub(super) struct FlowState {
    pub(super) scope: ScopeId,
    /// The function or class whose body this is.
    pub(super) def: Option<DefId>,
    /// The innermost named function.
    pub(super) caller: Option<DefId>,
    /// The name of the receiver parameter, in a method.
    pub(super) receiver: Option<NameId>,
    /// False after a `return` and the like.
    pub(super) reachable: bool,
    /// In an `except` clause.
    pub(super) in_except: bool,
    env: FxHashMap<NameId, ReachingBindings>,
    undo_log: Vec<(NameId, Option<ReachingBindings>)>,
    /// Chains that had a value, by the name that they begin with.
    paths: FxHashMap<NameId, SmallVec<[NameId; 4]>>,
    loops: Vec<OpenLoop>,
}

/// A loop that is being read.
#[derive(Debug, Default)]
struct OpenLoop {
    /// Bindings from here on are made in the loop.
    first_binding: usize,
    /// The environment's undo_log where the loop began: breaks and continues are told relative to it.
    log_start: usize,
    breaks: Vec<BranchChanges>,
    continues: Vec<BranchChanges>,
    /// Names read in the loop, whose reach the loop's own end may extend.
    reads: Vec<(ExprId, NameId)>,
}

/// A place to return to.
#[derive(Clone, Copy, Debug)]
pub(super) struct FlowSnapshot {
    undo_log: usize,
    reachable: bool,
}

/// What one branch changed.
#[derive(Debug)]
pub(super) struct BranchChanges {
    changes: FxHashMap<NameId, Option<ReachingBindings>>,
    reachable: bool,
}

impl BranchChanges {
    /// The same changes, left somewhere on the way: where a handler begins.
    pub(super) fn as_partial(&self) -> Self {
        Self { changes: self.changes.clone(), reachable: true }
    }
}

impl FlowState {
    pub(super) fn new(scope: ScopeId, def: Option<DefId>, caller: Option<DefId>) -> Self {
        Self {
            scope,
            def,
            caller,
            receiver: None,
            reachable: true,
            in_except: false,
            env: FxHashMap::default(),
            undo_log: Vec::new(),
            paths: FxHashMap::default(),
            loops: Vec::new(),
        }
    }

    /// What reaches `name` here.
    pub(super) fn get(&self, name: NameId) -> ReachingBindings {
        self.env.get(&name).copied().unwrap_or(ReachingBindings::NONE)
    }

    /// Gives `name` a new value.
    pub(super) fn set(&mut self, name: NameId, reach: ReachingBindings) {
        let old = self.env.insert(name, reach);
        self.undo_log.push((name, old));
    }

    /// Forgets what is known of `name`.
    pub(super) fn unset(&mut self, name: NameId) {
        if let Some(old) = self.env.remove(&name) {
            self.undo_log.push((name, Some(old)));
        }
    }

    /// Gives a chain such as `root.x` a value.
    pub(super) fn set_path(&mut self, root: NameId, chain: NameId, reach: ReachingBindings) {
        let paths = self.paths.entry(root).or_default();
        if !paths.contains(&chain) {
            paths.push(chain);
        }
        self.set(chain, reach);
    }

    /// Forgets paths that begin with `root`: their receiver has changed.
    pub(super) fn forget_paths(&mut self, root: NameId) {
        for chain in self.paths.get(&root).cloned().unwrap_or_default() {
            self.unset(chain);
        }
    }

    pub(super) fn snapshot(&self) -> FlowSnapshot {
        FlowSnapshot { undo_log: self.undo_log.len(), reachable: self.reachable }
    }

    /// Ends a branch: takes its changes back and returns them.
    pub(super) fn rollback(&mut self, snapshot: FlowSnapshot) -> BranchChanges {
        let changes = self.changes_since(snapshot.undo_log);
        while self.undo_log.len() > snapshot.undo_log {
            if let Some((name, old)) = self.undo_log.pop() {
                match old {
                    Some(reach) => self.env.insert(name, reach),
                    None => self.env.remove(&name),
                };
            }
        }
        let reachable = std::mem::replace(&mut self.reachable, snapshot.reachable);
        BranchChanges { changes, reachable }
    }

    fn changes_since(&self, undo_log: usize) -> FxHashMap<NameId, Option<ReachingBindings>> {
        self.undo_log[undo_log..].iter().map(|&(name, _)| (name, self.env.get(&name).copied())).collect()
    }

    /// Goes on from where `branches` meet.
    pub(super) fn merge(&mut self, facts: &mut FileFacts, branches: &[BranchChanges]) {
        let open: SmallVec<[&BranchChanges; 4]> = branches.iter().filter(|b| b.reachable).collect();
        self.reachable = self.reachable && !open.is_empty();
        // Code after a branch that always leaves is dead, but is still read: keep what is known.
        let open = if open.is_empty() { branches.iter().collect() } else { open };
        let mut names: Vec<NameId> = open.iter().flat_map(|b| b.changes.keys().copied()).collect();
        names.sort_unstable();
        names.dedup();
        for name in names {
            let before = self.env.get(&name).copied();
            let values: SmallVec<[Option<ReachingBindings>; 4]> =
                open.iter().map(|b| b.changes.get(&name).copied().unwrap_or(before)).collect();
            let partial = values.iter().any(Option::is_none);
            if partial && is_borrowed(facts, name, &values) {
                self.unset(name);
                continue;
            }
            match union(facts, values.iter().flatten().copied()) {
                Some(reach) if Some(reach) != before => self.set(name, reach),
                Some(_) => {}
                None => self.unset(name),
            }
        }
    }

    pub(super) fn enter_loop(&mut self, first_binding: usize) {
        self.loops.push(OpenLoop { first_binding, log_start: self.undo_log.len(), ..OpenLoop::default() });
    }

    /// `break` or `continue`.
    pub(super) fn jump(&mut self, is_break: bool) {
        let Some(log_start) = self.loops.last().map(|l| l.log_start) else { return };
        let crowded = self.loops.last().is_some_and(|l| l.breaks.len() + l.continues.len() >= MAX_JUMPS);
        let branch = BranchChanges { changes: self.changes_since(log_start), reachable: self.reachable };
        if let Some(innermost) = self.loops.last_mut().filter(|_| !crowded) {
            if is_break { innermost.breaks.push(branch) } else { innermost.continues.push(branch) }
        }
        self.reachable = false;
    }

    /// Notes that `expr` reads `name`.
    pub(super) fn note_read(&mut self, expr: ExprId, name: NameId) {
        for open in &mut self.loops {
            open.reads.push((expr, name));
        }
    }

    /// Ends a loop's body: what its end brings to the next round reaches its reads; what it and its breaks
    /// leave is returned as branches that meet after the loop.
    pub(super) fn leave_loop(&mut self, facts: &mut FileFacts, start: FlowSnapshot) -> Vec<BranchChanges> {
        let Some(done) = self.loops.pop() else { return Vec::new() };
        let end = self.rollback(start);
        for &(expr, name) in &done.reads {
            let back: SmallVec<[ReachingBindings; 4]> = std::iter::once(&end)
                .chain(&done.continues)
                .filter(|b| b.reachable)
                .filter_map(|b| b.changes.get(&name).copied().flatten())
                .collect();
            if !back.is_empty() {
                facts.extend_read(expr, done.first_binding, &back);
            }
        }
        let mut branches = done.breaks;
        branches.extend(done.continues);
        branches.push(end);
        branches
    }
}

/// True where a name's values may also come from outside what flow knows: a chain such as `self.x`, or a
/// name of another scope that was only narrowed here.
fn is_borrowed(facts: &FileFacts, name: NameId, values: &[Option<ReachingBindings>]) -> bool {
    facts.name(name).contains('.')
        || values
            .iter()
            .flatten()
            .flat_map(|&reach| facts.reach(reach))
            .any(|b| matches!(facts.bindings[b.index()].kind, BindingKind::Narrow { .. }))
}

/// One reach for all of `reaches`; none where there is none.
pub(super) fn union(
    facts: &mut FileFacts,
    reaches: impl Iterator<Item = ReachingBindings>,
) -> Option<ReachingBindings> {
    let mut first = None;
    let mut all: SmallVec<[BindingId; 8]> = SmallVec::new();
    let mut several = false;
    for reach in reaches {
        match first {
            None => first = Some(reach),
            Some(one) => several |= one != reach,
        }
        all.extend_from_slice(facts.reach(reach));
    }
    if !several {
        return first;
    }
    all.sort_unstable();
    all.dedup();
    // A name that is assigned on very many branches is nobody's receiver: what it may be is not kept.
    all.truncate(64);
    Some(facts.add_reach(&all))
}
