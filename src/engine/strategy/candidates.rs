//! What a strategy chooses from: the members of a scope with their usage.

use crate::engine::{
    index::{Definition, DefinitionId},
    usage::Usage,
};

/// The members of one scope, most called first; those of a class follow it.
#[derive(Debug)]
pub struct Candidates<'a> {
    members: Vec<Member<'a>>,
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
}

impl<'a> Candidates<'a> {
    /// Every member.
    pub fn members(&self) -> impl Iterator<Item = Member<'a>> + '_ {
        self.members.iter().copied()
    }
}

impl<'a> Member<'a> {
    /// How it is called.
    pub fn usage(&self) -> &'a Usage {
        &self.definition.usage
    }
}
