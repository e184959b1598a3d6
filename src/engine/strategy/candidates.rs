//! What a strategy chooses from: the members of a scope with their usage, and plans over what they cost.

use std::{cell::RefCell, rc::Rc};

use rustc_hash::FxHashMap;

use super::{
    naive::{Order, most},
    plan::Planner,
};
use crate::{
    index::{Definition, Index},
    program::{DefinitionId, ParameterSet},
    stub::{
        priced_tree::PricedTree,
        selection::{Selection, Shown},
    },
    usage::Usage,
};

/// The members of one scope in the order of its stub; those of a class follow it.
#[derive(Debug)]
pub struct Candidates<'a> {
    tree: &'a PricedTree,
    planner: &'a Planner,
    /// Tokens of the envelope and what else is not in the plan's prices.
    overhead: isize,
    plan: RefCell<Option<(Goal, Plan)>>,
}

/// One member that may be shown.
#[derive(Clone, Copy, Debug)]
pub struct Member<'a> {
    /// Which.
    pub id: DefinitionId,
    /// What the index knows about it.
    pub definition: &'a Definition,
    /// The class in whose body it would stand.
    pub class: Option<DefinitionId>,
    /// True where it is the one definition that was asked for, or is pinned: it stays in any case.
    pub is_forced: bool,
}

/// What to show, found by looking at what everything costs and covers.
#[derive(Clone, Debug)]
pub struct Plan(Rc<FxHashMap<DefinitionId, (ParameterSet, bool)>>);

/// What a plan is for.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Goal {
    Budget(usize),
    Coverage(f64),
    InOrder(Order, usize),
}

impl<'a> Candidates<'a> {
    pub(crate) fn new(tree: &'a PricedTree, planner: &'a Planner, overhead: isize) -> Self {
        Self { tree, planner, overhead, plan: RefCell::new(None) }
    }

    /// The index that they come from.
    pub fn index(&self) -> &'a Index {
        &self.tree.index
    }

    /// Every member.
    pub fn members(&self) -> impl Iterator<Item = Member<'a>> + '_ {
        let is_member = |&node: &usize| !self.tree.nodes[node].is_named_type;
        (0..self.tree.nodes.len()).filter(is_member).filter_map(|node| self.member(node))
    }

    pub(crate) fn member(&self, node: usize) -> Option<Member<'a>> {
        let (id, definition) = self.tree.definition(node)?;
        let class = self.tree.nodes[node].parent.and_then(|parent| self.tree.definition(parent)).map(|(id, _)| id);
        Some(Member { id, definition, class, is_forced: self.tree.nodes[node].is_forced })
    }

    /// The most coverage for a delivery of at most `max_tokens`, filled up with what is worth showing beside.
    /// The smallest form where nothing fits.
    pub fn plan_within(&self, max_tokens: usize) -> Plan {
        self.plan(Goal::Budget(max_tokens))
    }

    /// The smallest stub that covers `target` of the calls, between 0 and 1.
    pub fn plan_reaching(&self, target: f64) -> Plan {
        self.plan(Goal::Coverage(target))
    }

    /// The longest beginning of an order that fits into a delivery of at most `max_tokens`.
    pub(super) fn plan_in_order(&self, order: Order, max_tokens: usize) -> Plan {
        self.plan(Goal::InOrder(order, max_tokens))
    }

    fn in_order(&self, order: Order, max_tokens: usize) -> Selection {
        let tree = self.tree;
        let nodes: FxHashMap<DefinitionId, usize> =
            (0..tree.nodes.len()).filter_map(|node| Some((tree.definition(node)?.0, node))).collect();
        let units = order.units(self);
        let first = |count: usize| {
            let mut sets: FxHashMap<usize, ParameterSet> = FxHashMap::default();
            for &(id, at) in &units[..count] {
                let set = sets.entry(nodes[&id]).or_default();
                if let Some(at) = at {
                    set.insert(at);
                }
            }
            for &node in &tree.forced {
                sets.entry(node).or_default();
            }
            let mut selection = Selection::default();
            for (node, set) in sets {
                let part = tree.part(node);
                selection.show(node, Shown::new(&part, part.complete(&set), false));
            }
            selection
        };
        first(most(units.len(), |count| first(count).price(tree) <= max_tokens))
    }

    /// Both decisions of a strategy ask for the same plan: the last one is kept.
    fn plan(&self, goal: Goal) -> Plan {
        if let Some((made_for, plan)) = &*self.plan.borrow()
            && *made_for == goal
        {
            return plan.clone();
        }
        let within = |max_tokens: usize| max_tokens.saturating_add_signed(-self.overhead);
        let selection = match goal {
            Goal::Budget(max_tokens) => self.planner.within(self.tree, within(max_tokens)),
            Goal::Coverage(target) => self.planner.reaching(self.tree, target),
            Goal::InOrder(order, max_tokens) => self.in_order(order, within(max_tokens)),
        };
        let plan = Plan::new(self.tree, &selection);
        *self.plan.borrow_mut() = Some((goal, plan.clone()));
        plan
    }
}

impl Member<'_> {
    /// How it is called.
    pub fn usage(&self) -> &Usage {
        &self.definition.usage
    }
}

impl Plan {
    fn new(tree: &PricedTree, selection: &Selection) -> Self {
        let shown = selection.iter().filter_map(|(node, row)| {
            let (id, _) = tree.definition(node)?;
            Some((id, (row.parameters.clone(), row.summary)))
        });
        Self(Rc::new(shown.collect()))
    }

    /// The members that stay, in no particular order.
    pub fn members(&self) -> Vec<DefinitionId> {
        self.0.keys().copied().collect()
    }

    /// The parameters of a member that stay.
    pub fn arguments(&self, member: DefinitionId) -> ParameterSet {
        self.0.get(&member).map(|(parameters, _)| parameters.clone()).unwrap_or_default()
    }

    /// True where the summary of a member stays.
    pub fn shows_summary(&self, member: DefinitionId) -> bool {
        self.0.get(&member).is_some_and(|&(_, summary)| summary)
    }
}
