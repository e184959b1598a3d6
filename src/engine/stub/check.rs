//! Whether what is pinned and banned can be kept in the stubs of a scope.

use rustc_hash::FxHashMap;

use super::{pieces::Body, priced_tree::PricedTree};
use crate::{
    index::Scope,
    overrides::{OverrideError, OverrideProblem, OverrideTarget, Overrides, error},
    program::{DefinitionId, ParameterSet},
};

impl PricedTree {
    /// Looks at every pin and ban that concerns a definition of `scope`; `nodes` has those that can be shown.
    pub(crate) fn check(
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
            let why = match nodes.get(&id) {
                None if is_pin && self.holds(&members, id) => Some(OverrideProblem::Unwritable),
                None => None,
                Some(&node) if is_pin => self.pin_problem(node, position),
                Some(&node) => self.ban_problem(node, position),
            };
            if let Some(why) = why {
                return Err(error(target, is_pin, why));
            }
        }
        Ok(())
    }

    /// True for members and what stands in them.
    fn holds(&self, members: &[DefinitionId], id: DefinitionId) -> bool {
        std::iter::successors(Some(id), |&at| self.index.definition(at).parent).any(|at| members.contains(&at))
    }

    fn pin_problem(&self, node: usize, position: Option<usize>) -> Option<OverrideProblem> {
        let part = self.part(node);
        let (position, Body::Callable(callable)) = (position?, part.body()) else { return None };
        if !callable.is_showable(position) {
            return Some(OverrideProblem::Unwritable);
        }
        let (id, definition) = self.definition(node)?;
        let whole = part.with_required(callable, &std::iter::once(position).collect());
        let banned = self.rules.of(id)?.banned.iter().find(|&banned| whole.contains(banned))?;
        Some(OverrideProblem::Banned(OverrideTarget::of(definition, Some(banned)).parameter?))
    }

    /// A ban of what a required parameter cannot be shown without.
    fn ban_problem(&self, node: usize, position: Option<usize>) -> Option<OverrideProblem> {
        let part = self.part(node);
        let (position, Body::Callable(callable)) = (position?, part.body()) else { return None };
        let required = part.with_required(callable, &ParameterSet::new()).contains(position);
        required.then(|| OverrideProblem::Needed("what is required".to_owned()))
    }
}
