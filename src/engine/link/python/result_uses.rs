//! The members that the code around a call takes of its result: of a tuple or a dict.
//!
//! A result is unpacked (`size, _ = f()`), used at once (`f()["size"]`), or held by a variable of a function
//! (`result["size"]`, `result.get("size")`). If the code uses such a variable otherwise, for example as an argument, it
//! may take any member. Of a result that is passed on, returned, iterated over, or stored in an attribute, nothing is
//! known.

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::linked::LinkedSignature;
use apidisc_facts::{
    program::{ArgumentKind, ParameterSet, ResultShape, ReturnedObject, TakenMembers},
    syntax::python::facts::{
        BindingId, BindingKind, CallExprId, Expr, ExprId, Extraction, FileFacts, NameId, NarrowingTest,
        ReachingBindings, ScopeKind, UnpackStep,
    },
};

/// The greatest number of wrappers between an expression and the call in it, and of narrowings of a variable.
const MAX_STEPS: u32 = 16;

/// The uses of the results of calls in one file.
pub(super) type ResultUses = FxHashMap<CallExprId, ResultUse>;

/// A part of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// `result["key"]`
    Key(NameId),
    /// `result[0]`
    Position(i16),
    /// `result.name`
    Attribute(NameId),
}

/// What the code around one call does with its result.
#[derive(Debug, Default)]
pub(super) struct ResultUse {
    /// The parts that it takes, each once.
    parts: SmallVec<[Part; 4]>,
    /// The targets to which it unpacks the result, each with true if the name of the target says that it is used.
    targets: SmallVec<[(UnpackStep, bool); 4]>,
    /// It may take further members.
    is_open: bool,
    /// It awaits the result.
    is_awaited: bool,
}

impl ResultUse {
    fn add(&mut self, part: Part) {
        if !self.parts.contains(&part) {
            self.parts.push(part);
        }
    }

    /// The members of the object that `signature` returns which the code takes. `None` if nothing is known of them.
    pub(super) fn taken_members(&self, facts: &FileFacts, signature: &LinkedSignature) -> Option<TakenMembers> {
        let object = signature.result.as_ref().filter(|_| self.is_awaited == signature.is_async)?;
        let mut taken = TakenMembers { members: ParameterSet::new(), is_open: self.is_open };
        for part in &self.parts {
            match position(facts, object, *part) {
                Some(position) => taken.members.insert(position),
                // The code takes a member that the object is not known to have.
                None => taken.is_open = true,
            }
        }
        if !self.targets.is_empty() {
            self.add_targets(object, &mut taken);
        }
        (!taken.is_open || taken.members.iter().next().is_some()).then_some(taken)
    }

    /// Adds the items of a tuple that the code unpacks. A target that is no variable has no binding, so it may take the
    /// items that no other target takes.
    fn add_targets(&self, object: &ReturnedObject, taken: &mut TakenMembers) {
        let len = object.members.len();
        if object.shape == ResultShape::Object {
            taken.is_open = true;
            return;
        }
        let mut seen = ParameterSet::new();
        for &(step, is_used) in &self.targets {
            let items = match step {
                UnpackStep::Item(at) => usize::from(at)..usize::from(at) + 1,
                UnpackStep::ItemFromEnd(at) => {
                    let at = len.checked_sub(1 + usize::from(at));
                    at.map_or(0..0, |at| at..at + 1)
                }
                UnpackStep::Rest { before, after } => usize::from(before)..len.saturating_sub(usize::from(after)),
                _ => 0..0,
            };
            for item in items.filter(|item| *item < len) {
                seen.insert(item);
                if is_used {
                    taken.members.insert(item);
                }
            }
        }
        taken.is_open |= seen.iter().count() < len;
    }
}

/// The position of a part among the members of an object.
fn position(facts: &FileFacts, object: &ReturnedObject, part: Part) -> Option<usize> {
    let named = |name: NameId| object.members.iter().position(|member| member.name == *facts.name(name));
    match (object.shape, part) {
        (ResultShape::Object, Part::Key(key)) => named(key),
        (ResultShape::NamedTuple, Part::Attribute(name)) => named(name),
        (ResultShape::Tuple | ResultShape::NamedTuple, Part::Position(at)) => {
            super::literal_items::position(at, object.members.len()).filter(|at| *at < object.members.len())
        }
        _ => None,
    }
}

/// A variable that holds the result of a call.
struct Holder {
    call: CallExprId,
    is_awaited: bool,
}

/// The uses of the results of the calls `wanted` of a file.
pub(super) fn result_uses(facts: &FileFacts, wanted: &FxHashSet<CallExprId>) -> ResultUses {
    let mut finder = Finder {
        facts,
        wanted,
        holders: FxHashMap::default(),
        names: FxHashSet::default(),
        accounted: FxHashSet::default(),
        assigned: FxHashSet::default(),
        uses: ResultUses::default(),
    };
    if !wanted.is_empty() {
        finder.find_targets();
        finder.find_uses_by_bindings();
        finder.find_parts();
        finder.find_other_uses();
    }
    finder.uses
}

struct Finder<'f> {
    facts: &'f FileFacts,
    wanted: &'f FxHashSet<CallExprId>,
    /// The bindings that give a variable the result of a call.
    holders: FxHashMap<BindingId, Holder>,
    /// The names of these variables.
    names: FxHashSet<NameId>,
    /// The reads of these variables whose use is known.
    accounted: FxHashSet<ExprId>,
    /// The names of these variables with the keys that code assigns: `result["key"] = …` has the form of a read.
    assigned: FxHashSet<(&'f str, &'f str)>,
    uses: ResultUses,
}

impl Finder<'_> {
    /// Finds the targets to which results are unpacked, and the variables that hold results.
    fn find_targets(&mut self) {
        let facts = self.facts;
        for (at, binding) in facts.bindings.iter().enumerate() {
            let BindingKind::Assign { value: Some(value), unpack, extraction: Extraction::Value, .. } = &binding.kind
            else {
                continue;
            };
            let (origin, is_awaited) = unwrapped(facts, *value);
            let Expr::Call(call) = facts.expr(origin) else { continue };
            if !self.wanted.contains(&call) {
                continue;
            }
            let binding_id = BindingId::new(at);
            // Other files may use the variables of a module and of a class.
            let is_shared = unpack.is_none() && !self.is_local(binding_id);
            let result = self.uses.entry(call).or_default();
            result.is_awaited |= is_awaited;
            result.is_open |= is_shared;
            match facts.steps(*unpack).first() {
                Some(step) => result.targets.push((*step, is_used(facts, binding.name, facts.steps(*unpack)))),
                None if facts.name(binding.name).contains('.') => result.is_open = true,
                None => {
                    self.holders.insert(binding_id, Holder { call, is_awaited });
                    self.names.insert(binding.name);
                }
            }
        }
    }

    /// True for a variable of a function that no other function can change.
    fn is_local(&self, binding: BindingId) -> bool {
        let binding = &self.facts.bindings[binding.index()];
        let is_outer =
            |other: &BindingId| matches!(self.facts.bindings[other.index()].kind, BindingKind::OuterScope { .. });
        self.facts.scopes[binding.scope.index()].kind == ScopeKind::Function
            && !self.facts.bindings_of(binding.scope, binding.name).iter().any(is_outer)
    }

    /// Finds the variables that are unpacked, changed or tested, and the keys that are assigned.
    fn find_uses_by_bindings(&mut self) {
        let facts = self.facts;
        if self.names.is_empty() {
            return;
        }
        for binding in &facts.bindings {
            match &binding.kind {
                BindingKind::Assign { value: Some(value), unpack, extraction: Extraction::Value, .. } => {
                    if let Some(&step) = facts.steps(*unpack).first()
                        && let Expr::Name { .. } = facts.expr(unwrapped(facts, *value).0)
                    {
                        let target = (step, is_used(facts, binding.name, facts.steps(*unpack)));
                        self.for_each_result(*value, |result| result.targets.push(target));
                    }
                }
                BindingKind::Augmented { before, .. } => {
                    for (call, _) in self.held(*before) {
                        self.uses.entry(call).or_default().is_open = true;
                    }
                }
                BindingKind::Narrow { before, test: NarrowingTest::IsNone | NarrowingTest::Truthy, .. } => {
                    self.accounted.insert(*before);
                }
                _ => {}
            }
            if let Some((variable, item)) = facts.name(binding.name).split_once(".[\"")
                && let Some(key) = item.strip_suffix("\"]")
            {
                self.assigned.insert((variable, key));
            }
        }
    }

    /// Finds the items, keys and attributes that the code takes.
    fn find_parts(&mut self) {
        let facts = self.facts;
        for expr in &facts.exprs {
            match *expr {
                Expr::Subscript { value, index, .. } => {
                    let part = match facts.expr(index) {
                        Expr::Str(Some(key)) => Some(Part::Key(key)),
                        Expr::Position(at) => Some(Part::Position(at)),
                        _ => None,
                    };
                    self.take(value, part);
                }
                Expr::Attribute { value, name, .. } if facts.name(name) != "get" => {
                    self.take(value, Some(Part::Attribute(name)));
                }
                _ => {}
            }
        }
        for site in &facts.calls {
            let Expr::Attribute { value, name, .. } = facts.expr(site.callee) else { continue };
            if facts.name(name) == "get" {
                let key = site.arguments.first().filter(|argument| argument.kind == ArgumentKind::Positional);
                let part = match key.map(|key| facts.expr(key.value)) {
                    Some(Expr::Str(Some(key))) => Some(Part::Key(key)),
                    _ => None,
                };
                self.take(value, part);
            }
        }
    }

    /// Adds a part that the code takes of an expression; `None` if it may be any part.
    fn take(&mut self, value: ExprId, part: Option<Part>) {
        let facts = self.facts;
        let variable = match facts.expr(unwrapped(facts, value).0) {
            Expr::Call(_) => None,
            Expr::Name { name, .. } => Some(facts.name(name)),
            _ => return,
        };
        let is_assigned = match (variable, part) {
            (Some(variable), Some(Part::Key(key))) => self.assigned.contains(&(variable, facts.name(key))),
            _ => false,
        };
        let part = part.filter(|_| !is_assigned);
        self.for_each_result(value, |result| match part {
            Some(part) => result.add(part),
            None => result.is_open = true,
        });
    }

    /// Passes the results that an expression may be to `use_result`: of a call, or of a variable that holds one.
    fn for_each_result(&mut self, value: ExprId, use_result: impl Fn(&mut ResultUse)) {
        let (origin, is_awaited) = unwrapped(self.facts, value);
        let results = match self.facts.expr(origin) {
            Expr::Call(call) if self.wanted.contains(&call) => SmallVec::from_iter([(call, false)]),
            Expr::Name { name, reaching, .. } if self.names.contains(&name) => self.held(reaching),
            _ => return,
        };
        for (call, was_awaited) in results {
            let result = self.uses.entry(call).or_default();
            result.is_awaited |= is_awaited || was_awaited;
            use_result(result);
            self.accounted.insert(origin);
        }
    }

    /// The calls whose results the bindings hold, each with true if it is awaited.
    fn held(&self, reaching: ReachingBindings) -> SmallVec<[(CallExprId, bool); 2]> {
        let mut found = SmallVec::new();
        let mut waiting: SmallVec<[ReachingBindings; 4]> = SmallVec::from_iter([reaching]);
        for _ in 0..MAX_STEPS {
            let Some(reaching) = waiting.pop() else { break };
            for binding in self.facts.reaching(reaching) {
                if let Some(holder) = self.holders.get(binding) {
                    found.push((holder.call, holder.is_awaited));
                } else if let BindingKind::Narrow { before, .. } = self.facts.bindings[binding.index()].kind
                    && let Expr::Name { reaching, .. } = self.facts.expr(before)
                {
                    waiting.push(reaching);
                }
            }
        }
        found
    }

    /// Marks the results of variables that code uses in any other way.
    fn find_other_uses(&mut self) {
        let facts = self.facts;
        for (at, expr) in facts.exprs.iter().enumerate() {
            let Expr::Name { name, scope, reaching } = *expr else { continue };
            if !self.names.contains(&name) || self.accounted.contains(&ExprId::new(at)) {
                continue;
            }
            for (call, _) in self.held(reaching) {
                self.uses.entry(call).or_default().is_open = true;
            }
            // A function inside reads the variable.
            if facts.reaching(reaching).is_empty()
                && let Some((_, bindings)) = facts.scopes_binding(scope, name).next()
            {
                for holder in bindings.iter().filter_map(|binding| self.holders.get(binding)) {
                    self.uses.entry(holder.call).or_default().is_open = true;
                }
            }
        }
    }
}

/// The expression in `await x`, and whether it is awaited.
fn unwrapped(facts: &FileFacts, mut expr: ExprId) -> (ExprId, bool) {
    let mut is_awaited = false;
    for _ in 0..MAX_STEPS {
        let Expr::Await(inner) = facts.expr(expr) else { break };
        (expr, is_awaited) = (inner, true);
    }
    (expr, is_awaited)
}

/// False for a target `_`, which code does not use by convention.
fn is_used(facts: &FileFacts, name: NameId, unpack: &[UnpackStep]) -> bool {
    unpack.len() > 1 || !facts.name(name).chars().all(|c| c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;
    use apidisc_facts::syntax::python::read;

    /// The parts that the code takes of the result of the call of `f` in it; `…` if it may take more, `await` if it
    /// awaits the result. `None` if nothing is known.
    fn taken(code: &str) -> Option<String> {
        let facts = read(code);
        let of_f = facts.calls.iter().position(|site| facts.is_named(site.callee, "f")).expect("a call of `f`");
        let call = CallExprId::new(of_f);
        let mut uses = result_uses(&facts, &std::iter::once(call).collect());
        let result = uses.remove(&call)?;
        let part = |part: &Part| match *part {
            Part::Key(name) => format!("[{}]", facts.name(name)),
            Part::Position(at) => at.to_string(),
            Part::Attribute(name) => format!(".{}", facts.name(name)),
        };
        let mut words: Vec<String> = result.parts.iter().map(part).collect();
        words.extend(result.targets.iter().map(|(step, is_used)| match step {
            UnpackStep::Item(at) if *is_used => format!("={at}"),
            UnpackStep::Item(at) => format!("_{at}"),
            UnpackStep::Rest { .. } => "*".to_owned(),
            _ => "?".to_owned(),
        }));
        words.sort_unstable();
        words.extend(result.is_open.then(|| "…".to_owned()));
        words.extend(result.is_awaited.then(|| "await".to_owned()));
        Some(words.join(" "))
    }

    #[test]
    fn a_result_is_unpacked_used_at_once_or_held() {
        for (code, expected) in [
            ("a, b = f()", "=0 =1"),
            ("_, b = f()", "=1 _0"),
            ("(a, b), _ = f()", "=0 =0 _1"),
            ("a, *rest = f()", "* =0"),
            ("f()[1]", "1"),
            ("f()['a']['b']", "[a]"),
            ("f().get('a', 1)", "[a]"),
            ("def g():\n r = f()\n r['a']\n r.get('b')", "[a] [b]"),
            ("def g():\n r = f()\n a, b = r", "=0 =1"),
            ("def g():\n r = f()\n if r is None: return\n r['a']", "[a]"),
            ("def g():\n if r := f():\n  r['a']", "[a]"),
            ("async def g():\n r = await f()\n r['a']\n (await f())['b']", "[a] await"),
            ("def g():\n r = f()\n r['a'] = 1\n r['b']", "[b] …"),
            ("r = f()\nr['a']", "[a] …"),
            ("def g():\n r = f()", ""),
        ] {
            assert_eq!(taken(code).as_deref(), Some(expected), "{code}");
        }
    }

    #[test]
    fn a_result_that_is_passed_on_is_used_in_an_unknown_way() {
        for use_of_r in [
            "h(r)",
            "return r",
            "[r]",
            "{'k': r}",
            "f'{r}'",
            "r[key]",
            "r[1:]",
            "for x in r: pass",
            "h(*r)",
            "h(**r)",
            "r += h()",
            "s = r",
            "lambda: r",
            "yield r",
            "x.r = r",
            "r.get(key)",
            "r.get",
            "len(r)",
            "'a' in r",
            "[r for x in y]",
            "def inner(): return r['b']",
        ] {
            let code = format!("def g():\n r = f()\n r['a']\n {use_of_r}");
            assert_eq!(taken(&code).as_deref(), Some("[a] …"), "{code}");
        }
        for code in ["h(f())", "for a, b in f(): pass", "f()", "with f() as (a, b): pass", "def g(): return f()"] {
            assert_eq!(taken(code), None, "{code}");
        }
    }
}
