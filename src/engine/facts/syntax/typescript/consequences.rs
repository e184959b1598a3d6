//! The consequences of conditions: the type guards that hold after a condition was true, or false.

use smallvec::SmallVec;

use super::{
    conditions::NarrowingCondition,
    facts::{ExprId, Guard, GuardId, NarrowingTest},
    lower::Lowering,
    narrowing::NarrowingFact,
};
use apidisc_base::nesting;

/// Facts that hold together.
pub(super) type NarrowingFacts = SmallVec<[NarrowingFact; 2]>;

/// The greatest number of alternatives, such as the operands of `a || b`, from which facts are combined.
const MAX_ALTERNATIVES: usize = 16;

impl Lowering<'_> {
    /// The facts that follow from `condition` being true (`positive`) or false.
    pub(super) fn consequences(&mut self, condition: &NarrowingCondition, positive: bool) -> NarrowingFacts {
        let Some(_level) = nesting::descend() else { return NarrowingFacts::new() };
        match condition {
            NarrowingCondition::Unknown => NarrowingFacts::new(),
            NarrowingCondition::Tests(tests) => {
                let mut facts = NarrowingFacts::new();
                for (expr, test) in tests {
                    facts.extend(self.tested_fact(*expr, *test, positive));
                }
                facts
            }
            NarrowingCondition::Constant(tests, value) => {
                let mut facts = NarrowingFacts::new();
                for (expr, test) in tests {
                    facts.extend(self.tested_fact(*expr, *test, positive));
                }
                // A property may have been assigned between the condition and the test of the constant.
                let of_value = self.consequences(value, positive).into_iter().filter(|fact| fact.path.len() == 1);
                facts.extend(of_value.map(|fact| NarrowingFact { is_aliased: true, ..fact }));
                facts
            }
            NarrowingCondition::Not(inner) => self.consequences(inner, !positive),
            NarrowingCondition::All(operands) if positive => self.joint_consequences(operands, true),
            NarrowingCondition::Any(operands) if !positive => self.joint_consequences(operands, false),
            NarrowingCondition::All(operands) | NarrowingCondition::Any(operands) => {
                self.consequences_of_one(operands, positive)
            }
        }
    }

    /// The fact that follows from one test of a reference; `None` if `expr` is no reference.
    fn tested_fact(&mut self, expr: ExprId, test: NarrowingTest, positive: bool) -> Option<NarrowingFact> {
        let (path, root) = self.reference_path(expr)?;
        let guard = self.add_guard(test, positive);
        let indices = self.index_names(&path, expr);
        let mut fact = NarrowingFact { indices, ..NarrowingFact::new(path, root, guard) };
        match test {
            NarrowingTest::Discriminant(name, _) | NarrowingTest::HasTruthy(name) | NarrowingTest::In(name) => {
                fact.properties.push(name);
            }
            NarrowingTest::Truthy | NarrowingTest::Nullish => fact.is_presence = true,
            _ => {}
        }
        Some(fact)
    }

    /// The facts that follow if all conditions have the outcome `positive`.
    fn joint_consequences(&mut self, conditions: &[NarrowingCondition], positive: bool) -> NarrowingFacts {
        let mut facts = NarrowingFacts::new();
        for condition in conditions {
            facts.extend(self.consequences(condition, positive));
        }
        facts
    }

    /// The facts that follow if at least one condition has the outcome `positive`: each reference that all of them
    /// narrow has one of the narrowed types.
    pub(super) fn consequences_of_one(&mut self, conditions: &[NarrowingCondition], positive: bool) -> NarrowingFacts {
        let Some((first, rest)) = conditions.split_first() else { return NarrowingFacts::new() };
        if conditions.len() > MAX_ALTERNATIVES {
            return NarrowingFacts::new();
        }
        let facts = self.consequences(first, positive);
        let mut common = self.one_fact_each(facts);
        for condition in rest {
            if common.is_empty() {
                break;
            }
            let facts = self.consequences(condition, positive);
            let facts = self.one_fact_each(facts);
            common = self.common_facts(common, facts);
        }
        common
    }

    /// One fact for each reference that narrows it by all of its facts. Facts about the presence of a value are left
    /// out, because they narrow no type.
    fn one_fact_each(&mut self, facts: NarrowingFacts) -> NarrowingFacts {
        let mut all = NarrowingFacts::new();
        for fact in facts.into_iter().filter(|fact| !fact.is_presence) {
            match all.iter().position(|other| other.path == fact.path) {
                Some(at) => {
                    let guard = self.add_guard(NarrowingTest::Both(all[at].guard, fact.guard), true);
                    merge(&mut all[at], fact, guard);
                }
                None => all.push(fact),
            }
        }
        all
    }

    /// The facts about references that both lists narrow: one of the two guards holds.
    fn common_facts(&mut self, a: NarrowingFacts, b: NarrowingFacts) -> NarrowingFacts {
        let mut b = b;
        let mut common = NarrowingFacts::new();
        for mut fact in a {
            if let Some(at) = b.iter().position(|other| other.path == fact.path) {
                let other = b.swap_remove(at);
                let guard = self.add_guard(NarrowingTest::Either(fact.guard, other.guard), true);
                merge(&mut fact, other, guard);
                common.push(fact);
            }
        }
        common
    }

    pub(super) fn add_guard(&mut self, test: NarrowingTest, positive: bool) -> GuardId {
        let guard = GuardId::new(self.facts.guards.len());
        self.facts.guards.push(Guard { test, positive });
        guard
    }
}

/// Makes `fact` the fact that `guard`, which combines it with `other`, holds.
fn merge(fact: &mut NarrowingFact, other: NarrowingFact, guard: GuardId) {
    fact.guard = guard;
    fact.is_aliased |= other.is_aliased;
    for property in other.properties {
        if !fact.properties.contains(&property) {
            fact.properties.push(property);
        }
    }
}
