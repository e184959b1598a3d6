//! Sets of type variables, for a quick test whether a substitution changes a type.

use super::{program::GlobalTypeParam, types::TypeVariable};

/// The bits for type parameters. Type parameters share them; `this` has the last bit alone.
const PARAM_BITS: usize = 31;

/// A set of type variables that may contain more than was added to it. Two sets without a common element are certainly
/// disjoint if [`Self::may_intersect`] is false; the empty set is exact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct VariableSet(u32);

impl VariableSet {
    pub(super) const EMPTY: Self = Self(0);

    #[inline]
    pub(super) fn of(variable: TypeVariable) -> Self {
        match variable {
            TypeVariable::Parameter(param) => Self::of_param(param),
            TypeVariable::This => Self(1 << PARAM_BITS),
        }
    }

    #[inline]
    pub(super) fn of_param(param: GlobalTypeParam) -> Self {
        Self(1 << (param.index() % PARAM_BITS))
    }

    #[inline]
    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[inline]
    pub(super) fn may_intersect(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    #[inline]
    pub(super) fn add(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl FromIterator<VariableSet> for VariableSet {
    fn from_iter<I: IntoIterator<Item = VariableSet>>(sets: I) -> Self {
        Self(sets.into_iter().fold(0, |all, set| all | set.0))
    }
}
