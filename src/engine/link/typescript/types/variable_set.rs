//! Sets of type variables, for a quick test whether a substitution changes a type.

use super::TypeVariable;

/// The bits for type parameters. Type parameters share them; `this` has the last bit alone.
const PARAM_BITS: usize = 31;

/// A set of type variables, in which some variables cannot be told apart. Two sets have certainly no variable in common
/// if [`Self::may_intersect`] is false.
#[derive(Clone, Copy, Debug)]
pub(super) struct VariableSet(u32);

impl VariableSet {
    pub(in crate::typescript) const EMPTY: Self = Self(0);

    #[inline]
    pub(in crate::typescript) fn of(variable: TypeVariable) -> Self {
        match variable {
            TypeVariable::Parameter(param) => Self(1 << (param.index() % PARAM_BITS)),
            TypeVariable::This => Self(1 << PARAM_BITS),
        }
    }

    #[inline]
    pub(in crate::typescript) fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[inline]
    pub(super) fn may_intersect(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    #[inline]
    pub(in crate::typescript) fn add(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl FromIterator<VariableSet> for VariableSet {
    fn from_iter<I: IntoIterator<Item = VariableSet>>(sets: I) -> Self {
        Self(sets.into_iter().fold(0, |all, set| all | set.0))
    }
}
