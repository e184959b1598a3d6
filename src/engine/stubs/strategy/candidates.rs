//! The input of a strategy: the members of a scope with their usage, and plans that consider prices.

use std::{cell::RefCell, rc::Rc};

use rustc_hash::FxHashMap;

use super::{
    LARGEST_BUDGET,
    baseline::{BaselineOrder, largest_fitting},
    plan::Planners,
};
use crate::stub::{
    Detail, ShownDocs, Style,
    priced_tree::{PricedTree, PricedTrees},
    selection::{NodeForm, Selection},
};
use apidisc_facts::program::{DefinitionId, ParameterSet};
use apidisc_indexing::{
    index::{Definition, Index},
    usage::Usage,
};

/// The members of one scope in the order of its stub. The members of a class follow the class.
#[derive(Debug)]
pub struct Candidates<'a> {
    trees: &'a PricedTrees,
    planners: &'a Planners,
    style: Style,
    /// Tokens that are added to the estimated price of a plan: the tokens of the envelope, and a correction if an
    /// earlier attempt did not have the estimated price.
    overhead: isize,
    /// The last plan. It is cached because a strategy requests the same plan for the members and for the arguments of
    /// each member.
    last_plan: RefCell<Option<(PlanGoal, Plan)>>,
}

/// One member that may be shown.
#[derive(Clone, Copy, Debug)]
pub struct CandidateMember<'a> {
    /// The id of the definition.
    pub id: DefinitionId,
    /// The definition in the index.
    pub definition: &'a Definition,
    /// The definition of the scope whose body contains the member; `None` if there is none.
    pub class: Option<DefinitionId>,
    /// True if the member is always shown: it is the requested definition, or pinned.
    pub is_forced: bool,
}

/// A selection that was computed from the prices and the coverage of all members.
#[derive(Clone, Debug)]
pub struct Plan(Rc<FxHashMap<DefinitionId, PlannedMember>>);

/// The form in which a plan shows one member.
#[derive(Clone, Debug)]
struct PlannedMember {
    parameters: ParameterSet,
    detail: Detail,
    docs: ShownDocs,
}

/// The request that a plan answers.
#[derive(Clone, Copy, Debug, PartialEq)]
enum PlanGoal {
    /// The most coverage within this number of tokens.
    Budget(usize),
    /// The smallest stub that covers this share of uses.
    Coverage(f64),
    /// The longest prefix of an order within this number of tokens.
    InOrder(BaselineOrder, usize),
}

impl<'a> Candidates<'a> {
    pub(crate) fn new(trees: &'a PricedTrees, planners: &'a Planners, style: Style, overhead: isize) -> Self {
        Self { trees, planners, style, overhead, last_plan: RefCell::new(None) }
    }

    /// The index of the members.
    pub fn index(&self) -> &'a Index {
        &self.trees.index
    }

    /// Every member.
    pub fn members(&self) -> impl Iterator<Item = CandidateMember<'a>> + '_ {
        let is_member = |&node: &usize| !self.trees.nodes[node].is_named_type;
        (0..self.trees.nodes.len()).filter(is_member).filter_map(|node| self.member(node))
    }

    /// The member at a node.
    pub(crate) fn member(&self, node: usize) -> Option<CandidateMember<'a>> {
        let (id, definition) = self.trees.definition(node)?;
        let class = self.trees.nodes[node].parent.and_then(|parent| self.trees.definition(parent)).map(|(id, _)| id);
        Some(CandidateMember { id, definition, class, is_forced: self.trees.nodes[node].is_forced })
    }

    /// The most coverage for a delivery of at most `max_tokens`; the rest of the budget is filled with documentation
    /// and less used parts. If nothing fits, the plan is the smallest stub.
    pub fn plan_within(&self, max_tokens: usize) -> Plan {
        self.plan(PlanGoal::Budget(max_tokens))
    }

    /// The smallest stub that covers the share `target` of the uses, between 0 and 1.
    pub fn plan_reaching(&self, target: f64) -> Plan {
        self.plan(PlanGoal::Coverage(target))
    }

    /// The longest prefix of an order that fits into a delivery of at most `max_tokens`.
    pub(super) fn plan_in_order(&self, order: BaselineOrder, max_tokens: usize) -> Plan {
        self.plan(PlanGoal::InOrder(order, max_tokens))
    }

    fn in_order(&self, order: BaselineOrder, max_tokens: usize) -> Selection {
        let detail = self.style.wording.detail().unwrap_or_default();
        let tree = self.trees.of(detail);
        let nodes: FxHashMap<DefinitionId, usize> = tree.definitions().collect();
        let items = order.items(self);
        let prefix = |count: usize| {
            let mut sets: FxHashMap<usize, ParameterSet> = FxHashMap::default();
            for &(id, at) in &items[..count] {
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
                let priced = tree.priced(node);
                selection.show(node, NodeForm::new(&priced, priced.complete(&set), detail, ShownDocs::default()));
            }
            selection
        };
        prefix(largest_fitting(items.len(), |count| prefix(count).price(tree) <= max_tokens))
    }

    /// The plan for a goal, cached while the goal stays the same.
    fn plan(&self, goal: PlanGoal) -> Plan {
        if let Some((planned_goal, plan)) = &*self.last_plan.borrow()
            && *planned_goal == goal
        {
            return plan.clone();
        }
        let within = |max_tokens: usize| max_tokens.min(LARGEST_BUDGET).saturating_add_signed(-self.overhead);
        let selection = match goal {
            PlanGoal::Budget(max_tokens) => self.planners.within_budget(self.trees, self.style, within(max_tokens)),
            PlanGoal::Coverage(target) => self.planners.reaching_target(self.trees, self.style.wording, target),
            PlanGoal::InOrder(order, max_tokens) => self.in_order(order, within(max_tokens)),
        };
        let plan = Plan::new(self.trees, &selection);
        *self.last_plan.borrow_mut() = Some((goal, plan.clone()));
        plan
    }
}

impl CandidateMember<'_> {
    /// The number of positions that may be shown: those of the parameters, then those of the overloads.
    pub fn positions(&self) -> usize {
        let parameters = self.definition.signature.as_ref().map_or(0, |signature| signature.parameters.len());
        parameters + self.definition.overloads.len()
    }

    /// The usage of the definition.
    pub fn usage(&self) -> &Usage {
        &self.definition.usage
    }
}

impl Plan {
    fn new(tree: &PricedTree, selection: &Selection) -> Self {
        let mut shown: FxHashMap<DefinitionId, PlannedMember> = FxHashMap::default();
        for (node, form) in selection.iter() {
            let Some((id, _)) = tree.definition(node) else { continue };
            // A definition may have a second node in a type outside of the scope. The first node is that of the scope.
            shown.entry(id).or_insert_with(|| {
                let NodeForm { parameters, detail, docs, .. } = form.clone();
                PlannedMember { parameters, detail, docs }
            });
        }
        Self(Rc::new(shown))
    }

    /// The members that are shown, in no particular order.
    pub fn members(&self) -> Vec<DefinitionId> {
        self.0.keys().copied().collect()
    }

    /// The parameters of a member that are shown.
    pub fn arguments(&self, member: DefinitionId) -> ParameterSet {
        self.0.get(&member).map(|planned| planned.parameters.clone()).unwrap_or_default()
    }

    /// The documentation of a member that is shown.
    pub fn documentation(&self, member: DefinitionId) -> ShownDocs {
        self.0.get(&member).map(|planned| planned.docs.clone()).unwrap_or_default()
    }

    /// The level of detail of a member.
    pub fn detail(&self, member: DefinitionId) -> Detail {
        self.0.get(&member).map(|planned| planned.detail).unwrap_or_default()
    }
}
