//! Checks whether the pins and bans can be kept in the stubs of one scope.

use rustc_hash::FxHashMap;

use super::PricedTree;
use crate::{
    overrides::{OverrideError, OverrideProblem, OverrideTarget, Overrides},
    stub::node_text::NodeBody,
};
use apidisc_facts::program::{DefinitionId, ParameterSet};
use apidisc_indexing::index::Scope;

impl PricedTree {
    /// Checks every pin and ban that concerns a definition of `scope`, bans first. `nodes` contains every definition
    /// that can be shown, with its node.
    ///
    /// # Errors
    /// The first pin or ban that cannot be kept.
    pub(crate) fn check_overrides(
        &self,
        overrides: &Overrides,
        scope: Scope,
        nodes: &FxHashMap<DefinitionId, usize>,
    ) -> Result<(), OverrideError> {
        if overrides.is_empty() {
            return Ok(());
        }
        let members = self.index.members(scope);
        for (target, is_pin) in
            overrides.banned.iter().map(|t| (t, false)).chain(overrides.pinned.iter().map(|t| (t, true)))
        {
            let Ok((id, position)) = target.find(&self.index) else { continue };
            let problem = match nodes.get(&id) {
                None if is_pin && self.is_within(&members, id) => Some(OverrideProblem::Unwritable),
                None => None,
                Some(&node) if is_pin => self.pin_problem(node, position),
                Some(&node) => self.ban_problem(node, position),
            };
            if let Some(problem) = problem {
                return Err(OverrideError::new(target, is_pin, problem));
            }
        }
        Ok(())
    }

    /// True if `id` is one of `members`, or nested in one of them.
    fn is_within(&self, members: &[DefinitionId], id: DefinitionId) -> bool {
        std::iter::successors(Some(id), |&at| self.index.definition(at).parent).any(|at| members.contains(&at))
    }

    /// The problem of a pinned argument that cannot be written, or that cannot be shown without a banned argument.
    fn pin_problem(&self, node: usize, position: Option<usize>) -> Option<OverrideProblem> {
        let priced = self.priced(node);
        let (position, NodeBody::Callable(callable)) = (position?, priced.body()) else { return None };
        if !callable.is_showable(position) {
            return Some(OverrideProblem::Unwritable);
        }
        let (id, definition) = self.definition(node)?;
        let whole = priced.with_required(&**callable, &std::iter::once(position).collect());
        let banned = self.overrides.of(id)?.banned.iter().find(|&banned| whole.contains(banned))?;
        Some(OverrideProblem::Banned(OverrideTarget::of(definition, Some(banned)).parameter?))
    }

    /// The problem of a banned argument that is required, or without which a required parameter cannot be shown.
    fn ban_problem(&self, node: usize, position: Option<usize>) -> Option<OverrideProblem> {
        let priced = self.priced(node);
        let (position, NodeBody::Callable(callable)) = (position?, priced.body()) else { return None };
        let is_required = priced.with_required(&**callable, &ParameterSet::new()).contains(position);
        is_required.then(|| OverrideProblem::Needed("what is required".to_owned()))
    }
}
