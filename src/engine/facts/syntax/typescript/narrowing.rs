//! Type narrowing: the type guards that hold at each read of a reference (TypeScript handbook, "Narrowing").
//!
//! A reference is a name, `this`, or a chain of properties and items such as `a.b[0]` and `a[key]` for a constant
//! `key`. A condition establishes facts ([`NarrowingFact`]) about references. The facts are kept in one list in the
//! order of the walk, so that the end of a branch truncates the list. An assignment invalidates the facts about its
//! target. The end of a branch undoes the invalidation, and a control-flow join repeats the assignments of all branches
//! that reach it. Branches and joins are in [`super::branches`].

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::{
    conditions::NarrowingCondition,
    context::WellKnownNames,
    facts::{Expr, ExprId, GuardId, NameId, NarrowingTest},
    lower::Lowering,
};

/// The properties that a test reads.
pub(super) type TestedProperties = SmallVec<[NameId; 2]>;

/// The names of a reference in source order: `a`, `b` for `a.b`. `this`, the position in `a[0]` and the constant in
/// `a[key]` count as names.
pub(super) type ReferencePath = SmallVec<[NameId; 4]>;

/// The names in brackets in a reference: `key` in `a[key]`.
pub(super) type IndexNames = SmallVec<[ExprId; 1]>;

/// The greatest number of names in a property chain that is narrowed.
const MAX_PATH: usize = 5;
/// The first of the names in a path that stand for the positions of items. No file has so many names.
const FIRST_ITEM: usize = u32::MAX as usize - u16::MAX as usize - 1;
/// The first of the names in a path that stand for items at a named index: the index of the name is added to it.
const FIRST_NAMED_ITEM: usize = 1 << 31;
/// The greatest number of guards that are kept for one read: the latest ones.
const MAX_GUARDS: usize = 6;
/// The greatest number of facts that are kept for one name and the chains that begin with it.
const MAX_FACTS: usize = 48;

/// The state of narrowing at one point of the walk.
#[derive(Debug, Default)]
pub(super) struct NarrowingState {
    pub(super) facts: Vec<NarrowingFact>,
    /// The indices of the facts about a name and the chains that begin with it.
    pub(super) by_root: FxHashMap<NameId, SmallVec<[u32; 4]>>,
    /// The indices of facts that assignments have invalidated, in the order of the walk.
    pub(super) invalidated: Vec<u32>,
    /// The targets of assignments, in the order of the walk.
    pub(super) assigned: Vec<ReferencePath>,
    /// Facts below this index were established outside the current function.
    pub(super) function_start: u32,
    /// Facts below this index do not hold in the current function, since the function may be called at any time.
    pub(super) first_visible: u32,
    /// Facts below this index were established outside the current loop.
    pub(super) loop_start: u32,
    /// The reads that are wrapped in guards, in the order of the walk.
    pub(super) reads: Vec<NarrowedRead>,
}

/// A guard that holds for a reference from one point of the walk on.
#[derive(Clone, Debug)]
pub(super) struct NarrowingFact {
    pub(super) path: ReferencePath,
    /// The properties of the reference that the test reads.
    pub(super) properties: TestedProperties,
    pub(super) guard: GuardId,
    /// True if the test is for truthiness, or a comparison with `null` or `undefined`.
    pub(super) is_presence: bool,
    /// True if the test is the value of a constant: the guard holds only if the tested name is never reassigned.
    pub(super) is_aliased: bool,
    /// The name or `this` that begins the tested reference.
    pub(super) root: ExprId,
    /// The name or `this` that begins the reference in the other branches of a control-flow join.
    pub(super) joined_roots: SmallVec<[ExprId; 1]>,
    /// The names in brackets in the reference.
    pub(super) indices: IndexNames,
    /// False after an assignment to the reference.
    pub(super) holds: bool,
}

impl NarrowingFact {
    /// The fact that `guard` holds for the reference `path`, which `root` begins.
    pub(super) fn new(path: ReferencePath, root: ExprId, guard: GuardId) -> Self {
        let properties = TestedProperties::new();
        let joined_roots = SmallVec::new();
        let indices = IndexNames::new();
        Self {
            path,
            properties,
            guard,
            is_presence: false,
            is_aliased: false,
            root,
            joined_roots,
            indices,
            holds: true,
        }
    }
}

/// A read that is wrapped in a guard. Whether the guard tests the same variable is only known when all names are
/// resolved.
#[derive(Debug)]
pub(super) struct NarrowedRead {
    /// The [`Expr::Narrowed`] that wraps the read.
    pub(super) expr: ExprId,
    /// The name or `this` that begins the reference that is read.
    pub(super) root: ExprId,
    /// The name or `this` that begins the tested reference.
    pub(super) tested: ExprId,
    /// The names or `this` that begin the tested references of the other branches of a control-flow join.
    pub(super) joined_roots: SmallVec<[ExprId; 1]>,
    /// The names in brackets in the tested reference.
    pub(super) indices: IndexNames,
    /// True if the guard holds only if the name is never reassigned: the read is in a function inside the tested
    /// branch, or the test is the value of a constant.
    pub(super) needs_constant: bool,
    /// True if an assignment in a loop invalidates the guard for later iterations.
    pub(super) is_invalidated: bool,
    pub(super) path: ReferencePath,
    pub(super) properties: TestedProperties,
    /// The index of the fact from which the guard comes.
    pub(super) fact: u32,
}

impl NarrowingState {
    pub(super) fn add(&mut self, fact: NarrowingFact) {
        let facts = self.by_root.entry(fact.path[0]).or_default();
        if facts.len() < MAX_FACTS {
            facts.push(self.facts.len() as u32);
            self.facts.push(fact);
        }
    }

    /// Invalidates the facts about `path` and about chains that begin with `path`, and the facts whose test reads the
    /// property that `path` denotes. Returns true if a fact about `path` itself held.
    fn invalidate(&mut self, path: &ReferencePath) -> bool {
        let mut was_narrowed = false;
        let Some(facts) = self.by_root.get(&path[0]) else { return was_narrowed };
        for &at in facts {
            let fact = &mut self.facts[at as usize];
            if fact.holds && (fact.path.starts_with(path) || is_property(path, &fact.path, &fact.properties)) {
                was_narrowed |= fact.path == *path;
                fact.holds = false;
                self.invalidated.push(at);
            }
        }
        was_narrowed
    }

    /// Restores the state in which there were `facts` facts and `invalidated` invalidations.
    pub(super) fn roll_back(&mut self, facts: usize, invalidated: usize) {
        for at in self.invalidated.drain(invalidated..) {
            self.facts[at as usize].holds = true;
        }
        while self.facts.len() > facts {
            if let Some(fact) = self.facts.pop()
                && let Some(facts) = self.by_root.get_mut(&fact.path[0])
            {
                facts.pop();
            }
        }
    }

    /// Invalidates the facts about the targets in a range of `assigned` once more.
    pub(super) fn replay(&mut self, (from, to): (usize, usize)) {
        for at in from..to {
            let path = self.assigned[at].clone();
            self.invalidate(&path);
        }
    }
}

/// Whether a name in a path stands for an item.
pub(super) fn is_item(name: NameId) -> bool {
    name.index() >= FIRST_NAMED_ITEM
}

/// True if `path` is one of the properties `properties` of `object`.
fn is_property(path: &ReferencePath, object: &ReferencePath, properties: &[NameId]) -> bool {
    path.split_last().is_some_and(|(last, rest)| rest == &object[..] && properties.contains(last))
}

impl Lowering<'_> {
    /// Records an assignment to `expr`, which invalidates the facts about `expr`. Returns true if there was one.
    pub(super) fn invalidate(&mut self, expr: ExprId) -> bool {
        let Some((path, _)) = self.reference_path(expr) else { return false };
        let was_narrowed = self.narrowing.invalidate(&path);
        self.narrowing.assigned.push(path);
        was_narrowed
    }

    /// Adds the facts that follow from `condition` being true (`positive`) or false.
    pub(super) fn assume(&mut self, condition: &NarrowingCondition, positive: bool) {
        for fact in self.consequences(condition, positive) {
            self.narrowing.add(fact);
        }
    }

    /// Adds the facts that follow from at least one of some conditions being true.
    pub(super) fn assume_one(&mut self, conditions: &[NarrowingCondition]) {
        for fact in self.consequences_of_one(conditions, true) {
            self.narrowing.add(fact);
        }
    }

    /// Adds the fact that `target` has the value `value` from here on.
    pub(super) fn assume_assigned(&mut self, target: ExprId, value: ExprId) {
        let Some((path, root)) = self.reference_path(target) else { return };
        let guard = self.add_guard(NarrowingTest::Assigned(value), true);
        let indices = self.index_names(&path, target);
        self.narrowing.add(NarrowingFact { indices, ..NarrowingFact::new(path, root, guard) });
    }

    /// Wraps the read of a reference in the guards that hold for it.
    pub(super) fn narrow_read(&mut self, read: ExprId) -> ExprId {
        if self.narrowing.facts.len() <= self.narrowing.first_visible as usize {
            return read;
        }
        let Some((path, root)) = self.reference_path(read) else { return read };
        let Some(facts) = self.narrowing.by_root.get(&path[0]) else { return read };
        let is_this = path[..] == [WellKnownNames::this()];
        let mut latest: SmallVec<[u32; MAX_GUARDS]> = SmallVec::new();
        let mut has_presence = false;
        for &at in facts.iter().rev() {
            let fact = &self.narrowing.facts[at as usize];
            let in_closure = at < self.narrowing.function_start;
            if at < self.narrowing.first_visible || latest.len() == MAX_GUARDS {
                break;
            }
            // In a closure, only facts about names hold: a property may have been assigned before the call.
            if fact.holds
                && fact.path == path
                && (!in_closure || path.len() == 1)
                && (!is_this || self.may_narrow_this(fact.guard))
            {
                // Of the tests whether there is a value at all, the latest is enough.
                if fact.is_presence && std::mem::replace(&mut has_presence, true) {
                    continue;
                }
                latest.push(at);
            }
        }
        let mut expr = read;
        for &at in latest.iter().rev() {
            let NarrowingFact {
                guard, root: tested, is_aliased, ref properties, ref joined_roots, ref indices, ..
            } = self.narrowing.facts[at as usize];
            let (properties, joined_roots, indices) = (properties.clone(), joined_roots.clone(), indices.clone());
            expr = self.add_expr(Expr::Narrowed(expr, guard));
            let needs_constant = is_aliased || at < self.narrowing.function_start;
            let path = path.clone();
            let is_invalidated = false;
            let read = NarrowedRead {
                expr,
                root,
                tested,
                joined_roots,
                indices,
                needs_constant,
                is_invalidated,
                path,
                properties,
                fact: at,
            };
            self.narrowing.reads.push(read);
        }
        expr
    }

    /// Whether a guard may tell more of `this` than its class: it tests for another class, or passes `this` to a
    /// function that may have a type predicate.
    fn may_narrow_this(&self, guard: GuardId) -> bool {
        match self.facts.guards[guard.index()].test {
            NarrowingTest::Instanceof(_) => true,
            NarrowingTest::Predicate(_, at) => at != NarrowingTest::RECEIVER,
            _ => false,
        }
    }

    /// The path of a reference, and the name or `this` that begins it; `None` for any other expression.
    pub(super) fn reference_path(&self, expr: ExprId) -> Option<(ReferencePath, ExprId)> {
        let mut path = ReferencePath::new();
        let mut at = expr;
        loop {
            match self.facts.expr(at) {
                Expr::Name { name, .. } => path.push(name),
                Expr::This(_) => path.push(WellKnownNames::this()),
                Expr::Property { object, name, .. } if path.len() < MAX_PATH => {
                    path.push(name);
                    at = object;
                    continue;
                }
                Expr::Item { object, at: position } if path.len() < MAX_PATH => {
                    path.push(NameId::new(FIRST_ITEM + usize::from(position)));
                    at = object;
                    continue;
                }
                Expr::Index { object, index } if path.len() < MAX_PATH => {
                    let Expr::Name { name, .. } = self.facts.expr(self.without_guards(index)) else { return None };
                    path.push(NameId::new(FIRST_NAMED_ITEM + name.index()));
                    at = object;
                    continue;
                }
                Expr::Narrowed(inner, _) | Expr::NonNull(inner) => {
                    at = inner;
                    continue;
                }
                _ => return None,
            }
            path.reverse();
            return Some((path, at));
        }
    }

    /// The names in brackets in the reference `expr` with the names `path`.
    pub(super) fn index_names(&self, path: &ReferencePath, expr: ExprId) -> IndexNames {
        let mut names = IndexNames::new();
        let mut at = expr;
        while path.iter().any(|name| is_item(*name)) {
            at = match self.facts.expr(at) {
                Expr::Property { object, .. } | Expr::Item { object, .. } => object,
                Expr::Index { object, index } => {
                    names.push(self.without_guards(index));
                    object
                }
                Expr::Narrowed(inner, _) | Expr::NonNull(inner) => inner,
                _ => break,
            };
        }
        names
    }
}
