//! The calls into public definitions that even the stub of everything does not count as covered, with the reasons.

use rustc_hash::FxHashSet;

use super::PricedTree;
use crate::{index::Definition, program::DefinitionId, stub::text::pluralized};

/// Why a public definition of the scope has no node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reason {
    /// A constructor that is called by its own name, as in `super().__init__()`: the class shows its signature.
    Constructor,
    /// A function that is a property of an options object or of a type alias.
    WithinType,
    /// Its name is taken by another declaration, cannot be written, or is nested too deep.
    Name,
}

impl Reason {
    const ALL: [Self; 3] = [Self::Constructor, Self::WithinType, Self::Name];

    /// The end of a sentence that begins with a number of calls.
    fn words(self) -> &'static str {
        match self {
            Self::Constructor => "of constructors by their own names",
            Self::WithinType => "of functions within options and type aliases",
            Self::Name => "of names that are taken or cannot be written",
        }
    }
}

impl PricedTree {
    /// The last line of a stub that shows everything: the calls into public definitions of the scope that it does not
    /// count as covered, and why. Empty if there are none.
    pub(crate) fn unshown_line(&self) -> String {
        let shown: FxHashSet<DefinitionId> = self.definitions().map(|(id, _)| id).collect();
        let mut calls = [0; Reason::ALL.len()];
        let mut worklist = self.index.members(self.scope);
        worklist.retain(|&id| self.index.definition(id).language == self.language);
        let mut seen: FxHashSet<DefinitionId> = worklist.iter().copied().collect();
        // The definitions whose types, as the stub writes them, describe their members. A definition precedes its
        // members.
        let mut described: FxHashSet<DefinitionId> = FxHashSet::default();
        while let Some(id) = worklist.pop() {
            let definition = self.index.definition(id);
            let is_banned = self.overrides.of(id).is_some_and(|overrides| overrides.is_banned);
            if !definition.is_public || is_banned {
                continue;
            }
            let is_within_type = definition.parent.is_some_and(|parent| described.contains(&parent));
            if !shown.contains(&id) {
                let covered = if is_within_type { Self::known_uses(definition).calls } else { 0 };
                calls[self.reason(definition) as usize] += definition.usage.total_calls - covered;
            }
            let is_written = shown.contains(&id) && definition.annotation.is_some();
            if self.is_described_by_type(id) && (is_written || is_within_type) {
                described.insert(id);
            }
            worklist.extend(self.index.members_of(id).filter(|&member| seen.insert(member)));
        }
        let reasons = Reason::ALL.into_iter().zip(calls).filter(|&(_, calls)| calls > 0);
        let parts: Vec<String> =
            reasons.map(|(reason, calls)| format!("{} {}", pluralized(calls, "call"), reason.words())).collect();
        if parts.is_empty() {
            return String::new();
        }
        format!("{} not shown: {}\n", self.comment_prefix(), parts.join(", "))
    }

    fn reason(&self, definition: &Definition) -> Reason {
        if matches!(definition.name.as_str(), "__init__" | "__new__" | "constructor") && definition.parent.is_some() {
            return Reason::Constructor;
        }
        match definition.parent {
            Some(parent) if !self.renderer.holds_members(&self.index, parent) => Reason::WithinType,
            _ => Reason::Name,
        }
    }
}
