//! The choice of one of several definitions that have the name which a person types.
//!
//! It decides as the finder orders: of names that match equally well the most used one is first. A choice is taken only
//! where the numbers leave no doubt, and it is said, with the other names.

use std::fmt;

use compact_str::CompactString;

use super::{Index, LookupError, Scope};
use apidisc_facts::program::DefinitionId;

/// Of several definitions with a name, one is chosen if it has at least this many times the uses of each other one.
const LEAD: u32 = 4;

/// A definition that was taken for a name although others have the name, too. As text it is one line that says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The name as it was given.
    pub name: String,
    /// The name of the definition that was taken.
    pub taken: CompactString,
    /// Its uses, with those of its members.
    pub uses: u32,
    /// The names of the first few others.
    pub others: Vec<CompactString>,
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, taken, uses, others } = self;
        write!(f, "`{name}` is taken for {taken}, used {uses} times; others: {}", others.join(", "))
    }
}

impl Index {
    /// The scope that a person means by `--module` and `--symbol`: that of [`Index::scope`], or, if several definitions
    /// have the name, the one with at least four times the uses of each other one. Uses of a class include those of its
    /// members. No choice is made if one of the definitions has no uses: every number is many times none.
    ///
    /// # Errors
    /// [`LookupError`] if nothing has the name, or several definitions have it and none is used most by far.
    pub fn scope_meant(
        &self,
        module: Option<&str>,
        symbol: Option<&str>,
    ) -> Result<(Scope, Option<Choice>), LookupError> {
        match self.scope(module, symbol) {
            Ok(scope) => Ok((scope, None)),
            Err(LookupError::Ambiguous { name, mut candidates, leader: Some(leader) }) => {
                let taken = self.unique_name(leader);
                candidates.retain(|candidate| *candidate != taken);
                let choice = Choice { name, taken, uses: self.uses_within(leader), others: candidates };
                Ok((Scope::Definition(leader), Some(choice)))
            }
            Err(error) => Err(error),
        }
    }

    /// The one of several definitions that is used most by far.
    pub(super) fn leader(&self, found: &[DefinitionId]) -> Option<DefinitionId> {
        let mut uses: Vec<(u32, DefinitionId)> = found.iter().map(|&id| (self.uses_within(id), id)).collect();
        uses.sort_unstable();
        let (least, _) = *uses.first()?;
        let [.., (second, _), (most, leader)] = uses[..] else { return None };
        (least > 0 && most / LEAD >= second).then_some(leader)
    }
}
