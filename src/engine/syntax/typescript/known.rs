//! What tests have told of names and chains such as `a.b`, while it holds.
//!
//! The facts stand in one list in the order in which they were learnt, so that the end of a branch is a shorter
//! list. An assignment ends those about what it assigns to; a branch that is left takes that back, and where
//! branches meet, the assignments of all of them are made again.

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::{
    conditions::Condition,
    facts::{Expr, ExprId, Guard, GuardId, NameId, Test},
    frame::Words,
    lower::Lowering,
};

/// A name, or a chain of them, outermost first. `this` counts as a name.
pub(super) type Path = SmallVec<[NameId; 4]>;

/// Longer chains are not told apart.
const MAX_PATH: usize = 5;
/// Guards kept of one read.
const MAX_GUARDS: usize = 6;
/// Facts kept of one name and the chains that begin with it.
const MAX_FACTS: usize = 48;

/// What is known at a place.
#[derive(Debug, Default)]
pub(super) struct Known {
    facts: Vec<Fact>,
    by_root: FxHashMap<NameId, SmallVec<[u32; 4]>>,
    /// Facts that assignments have ended, in order.
    ended: Vec<u32>,
    /// What was assigned to, in order.
    assigned: Vec<Path>,
    /// Facts before this one were learnt outside of the function.
    outside: u32,
    /// Facts before this one do not hold in the function, which may run at any time.
    hidden: u32,
    /// The reads that are wrapped in guards.
    pub(super) narrowed: Vec<Narrowed>,
}

#[derive(Debug)]
struct Fact {
    path: Path,
    /// The property of it that the test reads.
    property: Option<NameId>,
    guard: GuardId,
    /// It only tells whether there is a value.
    is_presence: bool,
    root: ExprId,
    holds: bool,
}

/// A read that is wrapped in a guard. Whether the guard speaks of the same variable is told when all names are known.
#[derive(Debug)]
pub(super) struct Narrowed {
    /// The [`Expr::Narrowed`].
    pub(super) expr: ExprId,
    /// The name or `this` that the chain read begins with.
    pub(super) root: ExprId,
    /// The same of the chain tested.
    pub(super) tested: ExprId,
    /// The guard holds only if nothing is ever assigned to the name: the read stands in a function inside.
    pub(super) in_closure: bool,
    /// A later round of a loop ends it.
    pub(super) is_ended: bool,
    path: Path,
    property: Option<NameId>,
    fact: u32,
}

/// A place to return to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    facts: usize,
    ended: usize,
    assigned: usize,
    narrowed: usize,
    pub(super) reachable: bool,
}

/// What a branch leaves behind.
#[derive(Clone, Copy, Debug)]
pub(super) struct Branch {
    pub(super) reachable: bool,
    assigned: (usize, usize),
}

/// The bounds of the function around one that was entered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outside(u32, u32, Mark);

impl Known {
    fn add(&mut self, fact: Fact) {
        let facts = self.by_root.entry(fact.path[0]).or_default();
        if facts.len() < MAX_FACTS {
            facts.push(self.facts.len() as u32);
            self.facts.push(fact);
        }
    }

    fn end(&mut self, path: &Path) {
        let Some(facts) = self.by_root.get(&path[0]) else { return };
        for &at in facts {
            let fact = &mut self.facts[at as usize];
            if fact.holds && (fact.path.starts_with(path) || is_property(path, &fact.path, fact.property)) {
                fact.holds = false;
                self.ended.push(at);
            }
        }
    }

    fn rollback(&mut self, mark: &Mark) {
        for at in self.ended.drain(mark.ended..) {
            self.facts[at as usize].holds = true;
        }
        while self.facts.len() > mark.facts {
            if let Some(fact) = self.facts.pop()
                && let Some(facts) = self.by_root.get_mut(&fact.path[0])
            {
                facts.pop();
            }
        }
    }

    fn replay(&mut self, (from, to): (usize, usize)) {
        for at in from..to {
            let path = self.assigned[at].clone();
            self.end(&path);
        }
    }
}

/// True where `path` is that property of `object`.
fn is_property(path: &Path, object: &Path, property: Option<NameId>) -> bool {
    property.is_some_and(|property| path.split_last() == Some((&property, &object[..])))
}

impl Lowering<'_> {
    pub(super) fn mark(&self) -> Mark {
        let known = &self.known;
        Mark {
            facts: known.facts.len(),
            ended: known.ended.len(),
            assigned: known.assigned.len(),
            narrowed: known.narrowed.len(),
            reachable: self.frame.reachable,
        }
    }

    /// Ends a branch: what was learnt since `mark` is forgotten.
    pub(super) fn leave(&mut self, mark: &Mark) -> Branch {
        let branch = self.so_far(mark);
        self.known.rollback(mark);
        self.frame.reachable = mark.reachable;
        branch
    }

    /// What the branch since `mark` would leave behind if it ended here.
    pub(super) fn so_far(&self, mark: &Mark) -> Branch {
        Branch { reachable: self.frame.reachable, assigned: (mark.assigned, self.known.assigned.len()) }
    }

    /// Goes on where a branch may have been taken.
    pub(super) fn meet(&mut self, branch: Branch) {
        if branch.reachable {
            self.known.replay(branch.assigned);
        }
    }

    /// Ends a branch after which it always goes on, such as the right side of `a && b`.
    pub(super) fn leave_and_meet(&mut self, mark: &Mark) {
        let branch = self.leave(mark);
        self.known.replay(branch.assigned);
    }

    /// Ends a loop's body: what is assigned in it was not known at its beginning either.
    pub(super) fn leave_loop(&mut self, mark: &Mark) {
        let assigned: FxHashSet<Path> = self.known.assigned[mark.assigned..].iter().cloned().collect();
        if !assigned.is_empty() {
            for read in &mut self.known.narrowed[mark.narrowed..] {
                let is_before = (read.fact as usize) < mark.facts;
                if !is_before {
                    continue;
                }
                read.is_ended |= (1..=read.path.len()).any(|n| assigned.contains(&read.path[..n]));
                if let Some(property) = read.property {
                    let mut path = read.path.clone();
                    path.push(property);
                    read.is_ended |= assigned.contains(&path);
                }
            }
        }
        self.leave_and_meet(mark);
    }

    /// Enters a function; in a closure, tests of names still hold.
    pub(super) fn enter_function(&mut self, is_closure: bool) -> Outside {
        let outside = Outside(self.known.outside, self.known.hidden, self.mark());
        self.known.outside = self.known.facts.len() as u32;
        if !is_closure {
            self.known.hidden = self.known.outside;
        }
        outside
    }

    pub(super) fn leave_function(&mut self, Outside(outside, hidden, mark): Outside) {
        self.leave_and_meet(&mark);
        (self.known.outside, self.known.hidden) = (outside, hidden);
    }

    /// What is known of `expr` from here on, `expr` having been given a new value.
    pub(super) fn forget(&mut self, expr: ExprId) {
        if let Some((path, _)) = self.path(expr) {
            self.known.end(&path);
            self.known.assigned.push(path);
        }
    }

    /// From here on, `condition` is true or false.
    pub(super) fn assume(&mut self, condition: &Condition, positive: bool) {
        match condition {
            Condition::Plain => {}
            Condition::Tests(tests) => {
                for (expr, test) in tests {
                    let Some((path, root)) = self.path(*expr) else { continue };
                    let guard = GuardId::new(self.facts.guards.len());
                    self.facts.guards.push(Guard { test: *test, positive });
                    let property = match *test {
                        Test::Discriminant(name, _) | Test::HasTruthy(name) | Test::In(name) => Some(name),
                        _ => None,
                    };
                    let is_presence = matches!(test, Test::Truthy | Test::Nullish);
                    self.known.add(Fact { path, property, guard, is_presence, root, holds: true });
                }
            }
            Condition::Not(inner) => self.assume(inner, !positive),
            Condition::All(parts) if positive => parts.iter().for_each(|part| self.assume(part, true)),
            Condition::Any(parts) if !positive => parts.iter().for_each(|part| self.assume(part, false)),
            Condition::All(_) | Condition::Any(_) => {}
        }
    }

    /// Wraps a name or chain that was just read in what is known of it.
    pub(super) fn narrowed(&mut self, read: ExprId) -> ExprId {
        if self.known.facts.len() <= self.known.hidden as usize {
            return read;
        }
        let Some((path, root)) = self.path(read) else { return read };
        let Some(facts) = self.known.by_root.get(&path[0]) else { return read };
        let mut found: SmallVec<[u32; MAX_GUARDS]> = SmallVec::new();
        let mut has_presence = false;
        for &at in facts.iter().rev() {
            let fact = &self.known.facts[at as usize];
            let in_closure = at < self.known.outside;
            if at < self.known.hidden || found.len() == MAX_GUARDS {
                break;
            }
            if fact.holds && fact.path == path && (!in_closure || path.len() == 1) {
                // That it is there at all need not be said twice.
                if fact.is_presence && std::mem::replace(&mut has_presence, true) {
                    continue;
                }
                found.push(at);
            }
        }
        let mut expr = read;
        for &at in found.iter().rev() {
            let Fact { guard, root: tested, property, .. } = self.known.facts[at as usize];
            expr = self.add(Expr::Narrowed(expr, guard));
            let in_closure = at < self.known.outside;
            let path = path.clone();
            let narrowed = Narrowed { expr, root, tested, in_closure, is_ended: false, path, property, fact: at };
            self.known.narrowed.push(narrowed);
        }
        expr
    }

    /// A name or chain as a path, with the expression that it begins with.
    pub(super) fn path(&self, expr: ExprId) -> Option<(Path, ExprId)> {
        let mut path = Path::new();
        let mut at = expr;
        loop {
            match self.facts.expr(at) {
                Expr::Name { name, .. } => path.push(name),
                Expr::This(_) => path.push(Words::this()),
                Expr::Property { object, name, .. } if path.len() < MAX_PATH => {
                    path.push(name);
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
}
