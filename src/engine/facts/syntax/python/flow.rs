//! Flow analysis: the reaching definitions of every read, computed in one pass over structured code.
//!
//! Every branch starts from the flow state before it. Where branches join, the bindings that reach a name are the union
//! over the branches that end normally. The state is one map with an undo log, so that a branch costs time for
//! its changes only.

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::facts::{Binding, BindingId, BindingKind, DefId, ExprId, FileFacts, NameId, ReachingBindings, ScopeId};

/// The greatest number of `break`s and `continue`s together that are recorded per loop. Further ones are ignored,
/// because recording one takes time in proportion to the changes in the loop before it.
const MAX_JUMPS: usize = 64;

/// The flow state of one function, class body or module.
#[derive(Debug)]
pub(super) struct FlowState {
    pub(super) scope: ScopeId,
    /// The function or class whose body is lowered; `None` for the module.
    pub(super) def: Option<DefId>,
    /// The innermost function with a name, which calls are attributed to.
    pub(super) caller: Option<DefId>,
    /// The name of the receiver parameter, in a method.
    pub(super) receiver: Option<NameId>,
    /// False in unreachable code, such as after `return` and `raise`.
    pub(super) reachable: bool,
    /// The number of bindings of the file before the function or class.
    pub(super) bindings_before: usize,
    /// True inside an `except` clause.
    pub(super) in_except: bool,
    /// The number of statements with branches around the present statement, in the same body.
    pub(super) branches: u32,
    /// True if an access path with an index may have been bound.
    pub(super) has_items: bool,
    /// The access paths of the items that were assigned.
    pub(super) changed_items: FxHashSet<NameId>,
    reaching_names: FxHashMap<NameId, ReachingBindings>,
    undo_log: Vec<(NameId, Option<ReachingBindings>)>,
    /// The access paths that were ever set in `reaching_names`, by each path that they extend.
    paths: FxHashMap<NameId, FxHashSet<NameId>>,
    loops: Vec<OpenLoop>,
}

/// A loop whose body is being lowered.
#[derive(Debug, Default)]
struct OpenLoop {
    /// The index of the first binding made in the loop.
    first_binding: usize,
    /// The length of the undo log at the start of the loop: breaks and continues record their changes since then.
    log_start: usize,
    breaks: Vec<BranchChanges>,
    continues: Vec<BranchChanges>,
    /// Reads in the loop, which bindings of the previous iteration may reach.
    reads: Vec<(ExprId, NameId)>,
}

/// A point in the undo log, to which [`FlowState::rollback`] returns.
#[derive(Clone, Copy, Debug)]
pub(super) struct FlowSnapshot {
    undo_log: usize,
    pub(super) reachable: bool,
}

/// The changes that a branch made to the flow state.
#[derive(Debug)]
pub(super) struct BranchChanges {
    changes: FxHashMap<NameId, Option<ReachingBindings>>,
    reachable: bool,
}

impl BranchChanges {
    /// The same changes, marked as reachable: an exception handler may start at any point inside the branch, even if
    /// the end of the branch is unreachable.
    pub(super) fn as_partial(&self) -> Self {
        Self { changes: self.changes.clone(), reachable: true }
    }
}

impl FlowState {
    pub(super) fn new(scope: ScopeId, def: Option<DefId>, caller: Option<DefId>, bindings_before: usize) -> Self {
        Self {
            scope,
            def,
            caller,
            receiver: None,
            reachable: true,
            bindings_before,
            in_except: false,
            branches: 0,
            has_items: false,
            changed_items: FxHashSet::default(),
            reaching_names: FxHashMap::default(),
            undo_log: Vec::new(),
            paths: FxHashMap::default(),
            loops: Vec::new(),
        }
    }

    /// The bindings that reach `name`.
    pub(super) fn get(&self, name: NameId) -> ReachingBindings {
        self.reaching_names.get(&name).copied().unwrap_or(ReachingBindings::NONE)
    }

    /// The names that several bindings reach, of which one is an import and another one a definition, or a value or
    /// import in an `except` clause.
    pub(super) fn alternatives(&self, facts: &FileFacts) -> Vec<(NameId, ReachingBindings)> {
        let has = |reaching: ReachingBindings, is: fn(&Binding) -> bool| {
            facts.reaching(reaching).iter().any(|binding| is(&facts.bindings[binding.index()]))
        };
        let is_import = |binding: &Binding| {
            !binding.is_fallback && matches!(binding.kind, BindingKind::ImportFrom { .. } | BindingKind::Import { .. })
        };
        let is_definition = |binding: &Binding| match binding.kind {
            BindingKind::Def(_) => true,
            BindingKind::Assign { .. } | BindingKind::ImportFrom { .. } => binding.is_fallback,
            _ => false,
        };
        let several = self.reaching_names.iter().map(|(&name, &reaching)| (name, reaching)).filter(|&(_, reaching)| {
            facts.reaching(reaching).len() > 1 && has(reaching, is_import) && has(reaching, is_definition)
        });
        let mut alternatives: Vec<(NameId, ReachingBindings)> = several.collect();
        alternatives.sort_unstable_by_key(|&(name, _)| name);
        alternatives
    }

    /// Replaces the bindings that reach `name`.
    pub(super) fn set(&mut self, name: NameId, reaching: ReachingBindings) {
        let old = self.reaching_names.insert(name, reaching);
        self.undo_log.push((name, old));
    }

    /// Forgets the bindings that reach `name`.
    pub(super) fn unset(&mut self, name: NameId) {
        if let Some(old) = self.reaching_names.remove(&name) {
            self.undo_log.push((name, Some(old)));
        }
    }

    /// Replaces the bindings that reach the access path `path`, which extends the paths `prefixes`.
    pub(super) fn set_path(&mut self, prefixes: &[NameId], path: NameId, reaching: ReachingBindings) {
        for &prefix in prefixes {
            self.paths.entry(prefix).or_default().insert(path);
        }
        self.set(path, reaching);
    }

    /// Forgets the bindings that reach access paths which extend `prefix`, because the value of `prefix` has changed.
    pub(super) fn forget_paths(&mut self, prefix: NameId) {
        for path in self.paths.get(&prefix).cloned().unwrap_or_default() {
            self.unset(path);
        }
    }

    pub(super) fn snapshot(&self) -> FlowSnapshot {
        FlowSnapshot { undo_log: self.undo_log.len(), reachable: self.reachable }
    }

    /// Ends a branch: undoes its changes and returns them.
    pub(super) fn rollback(&mut self, snapshot: FlowSnapshot) -> BranchChanges {
        let changes = self.changes_since(snapshot.undo_log);
        self.undo(snapshot);
        let reachable = std::mem::replace(&mut self.reachable, snapshot.reachable);
        BranchChanges { changes, reachable }
    }

    /// Undoes the changes since a snapshot of the names' bindings. `reachable` stays as it is.
    pub(super) fn undo(&mut self, snapshot: FlowSnapshot) {
        while self.undo_log.len() > snapshot.undo_log {
            if let Some((name, old)) = self.undo_log.pop() {
                match old {
                    Some(reaching) => self.reaching_names.insert(name, reaching),
                    None => self.reaching_names.remove(&name),
                };
            }
        }
    }

    /// The changes since a snapshot in order: each name, with the bindings that reached the name before.
    pub(super) fn log_since(&self, snapshot: FlowSnapshot) -> &[(NameId, Option<ReachingBindings>)] {
        &self.undo_log[snapshot.undo_log..]
    }

    fn changes_since(&self, undo_log: usize) -> FxHashMap<NameId, Option<ReachingBindings>> {
        self.undo_log[undo_log..].iter().map(|&(name, _)| (name, self.reaching_names.get(&name).copied())).collect()
    }

    /// Joins branches: continues with the union of their changes.
    pub(super) fn join(&mut self, facts: &mut FileFacts, branches: &[BranchChanges]) {
        let live: SmallVec<[&BranchChanges; 4]> = branches.iter().filter(|b| b.reachable).collect();
        self.reachable = self.reachable && !live.is_empty();
        // If no branch ends normally, the following code is unreachable. It is lowered nevertheless, with the union of
        // all branches.
        let live = if live.is_empty() { branches.iter().collect() } else { live };
        let mut names: Vec<NameId> = live.iter().flat_map(|b| b.changes.keys().copied()).collect();
        names.sort_unstable();
        names.dedup();
        for name in names {
            let before = self.get_known(name);
            let values: SmallVec<[Option<ReachingBindings>; 4]> =
                live.iter().map(|b| b.changes.get(&name).copied().unwrap_or(before)).collect();
            self.set_union(facts, name, &values);
        }
    }

    /// The bindings that reach `name`; `None` if the flow state has none.
    pub(super) fn get_known(&self, name: NameId) -> Option<ReachingBindings> {
        self.reaching_names.get(&name).copied()
    }

    /// Joins the bindings that reach `name` on several branches.
    pub(super) fn set_union(&mut self, facts: &mut FileFacts, name: NameId, values: &[Option<ReachingBindings>]) {
        let some_unknown = values.iter().any(Option::is_none);
        if some_unknown && may_have_outer_value(facts, name, values) {
            self.unset(name);
            return;
        }
        match union(facts, values.iter().flatten().copied()) {
            Some(reaching) if Some(reaching) != self.get_known(name) => self.set(name, reaching),
            Some(_) => {}
            None => self.unset(name),
        }
    }

    pub(super) fn enter_loop(&mut self, first_binding: usize) {
        self.loops.push(OpenLoop { first_binding, log_start: self.undo_log.len(), ..OpenLoop::default() });
    }

    /// Ends the current branch at a `break` or `continue` of the innermost loop.
    pub(super) fn jump(&mut self, is_break: bool) {
        let Some(log_start) = self.loops.last().map(|l| l.log_start) else { return };
        let is_full = self.loops.last().is_some_and(|l| l.breaks.len() + l.continues.len() >= MAX_JUMPS);
        let branch = BranchChanges { changes: self.changes_since(log_start), reachable: self.reachable };
        if let Some(innermost) = self.loops.last_mut().filter(|_| !is_full) {
            if is_break { innermost.breaks.push(branch) } else { innermost.continues.push(branch) }
        }
        self.reachable = false;
    }

    /// Records that `expr` reads `name`.
    pub(super) fn note_read(&mut self, expr: ExprId, name: NameId) {
        for open_loop in &mut self.loops {
            open_loop.reads.push((expr, name));
        }
    }

    /// Ends the body of a loop. Bindings at its end and at its `continue`s also reach the reads of the next iteration.
    /// Returns the branches that join after the loop.
    pub(super) fn leave_loop(&mut self, facts: &mut FileFacts, start: FlowSnapshot) -> Vec<BranchChanges> {
        let Some(ended) = self.loops.pop() else { return Vec::new() };
        let end = self.rollback(start);
        for &(expr, name) in &ended.reads {
            let from_end: SmallVec<[ReachingBindings; 4]> = std::iter::once(&end)
                .chain(&ended.continues)
                .filter(|b| b.reachable)
                .filter_map(|b| b.changes.get(&name).copied().flatten())
                .collect();
            if !from_end.is_empty() {
                facts.extend_read(expr, ended.first_binding, &from_end);
            }
        }
        let mut branches = ended.breaks;
        branches.extend(ended.continues);
        branches.push(end);
        branches
    }
}

/// True if a name may have a value from a binding that the flow state does not contain: an access path such as
/// `self.x`, or a name of another scope that is only narrowed here.
fn may_have_outer_value(facts: &FileFacts, name: NameId, values: &[Option<ReachingBindings>]) -> bool {
    facts.name(name).contains('.')
        || values
            .iter()
            .flatten()
            .flat_map(|&reaching| facts.reaching(reaching))
            .any(|b| matches!(facts.bindings[b.index()].kind, BindingKind::Narrow { .. }))
}

/// The union of `reaches`; `None` if there are none.
pub(super) fn union(
    facts: &mut FileFacts,
    reaches: impl Iterator<Item = ReachingBindings>,
) -> Option<ReachingBindings> {
    let reaches: SmallVec<[ReachingBindings; 4]> = reaches.collect();
    let first = *reaches.first()?;
    if reaches.iter().all(|reaching| *reaching == first) {
        return Some(first);
    }
    let mut all: SmallVec<[BindingId; 8]> = SmallVec::new();
    for reaching in &reaches {
        all.extend_from_slice(facts.reaching(*reaching));
    }
    all.sort_unstable();
    all.dedup();
    // At most 64 bindings are kept: this bounds the work for names that are assigned on very many branches.
    all.truncate(64);
    // A branch that binds a name also keeps the earlier bindings: often one branch has all of them, and its list serves
    // for the join.
    let known = reaches.into_iter().find(|reaching| facts.reaching(*reaching) == &all[..]);
    Some(known.unwrap_or_else(|| facts.add_reaching(&all)))
}
