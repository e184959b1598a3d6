//! What a person has pinned and banned.

use std::{
    hash::{BuildHasher as _, BuildHasherDefault},
    sync::Arc,
};

use rustc_hash::FxHasher;

use apidisc::{
    index::{Definition, Index},
    overrides::{OverrideError, OverrideTarget, Overrides},
    program::DefinitionId,
};

/// Pins and bans, and a number that is the same for the same ones.
#[derive(Clone, Debug, Default)]
pub struct ActiveOverrides {
    overrides: Arc<Overrides>,
    revision: u64,
    /// They are those of an earlier session: what they name may be gone.
    is_remembered: bool,
}

/// What is wished of a member or an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OverrideKind {
    /// It is always shown.
    Pinned,
    /// It is never shown.
    Banned,
}

impl ActiveOverrides {
    /// Those of the command line or a profile.
    pub fn new(overrides: Overrides) -> Self {
        let hash = || BuildHasherDefault::<FxHasher>::default().hash_one(&overrides).max(1);
        let revision = if overrides.is_empty() { 0 } else { hash() };
        Self { overrides: Arc::new(overrides), revision, is_remembered: false }
    }

    /// Those of an earlier session.
    pub fn remembered(overrides: Overrides) -> Self {
        Self { is_remembered: true, ..Self::new(overrides) }
    }

    /// Takes back what an earlier session has wished of something that is gone by now, and says what that was.
    pub fn forget_gone(&mut self, index: &Index) -> Vec<OverrideTarget> {
        if !std::mem::take(&mut self.is_remembered) {
            return Vec::new();
        }
        let mut overrides = Overrides::clone(&self.overrides);
        let mut gone = Vec::new();
        while let Some(problem) = overrides.problem(index) {
            let side = if problem.is_pin { &mut overrides.pinned } else { &mut overrides.banned };
            if !side.remove(&problem.target) {
                break;
            }
            gone.push(problem.target);
        }
        *self = Self::new(overrides);
        gone
    }

    /// All of them.
    pub fn all(&self) -> &Arc<Overrides> {
        &self.overrides
    }

    /// Equal for equal pins and bans; 0 where there are none.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// What is wished of a definition, or of an argument of it.
    pub fn of(&self, definition: &Definition, position: Option<usize>) -> Option<OverrideKind> {
        if self.revision == 0 {
            return None;
        }
        let target = OverrideTarget::of(definition, position);
        let pinned = self.overrides.pinned.contains(&target).then_some(OverrideKind::Pinned);
        pinned.or_else(|| self.overrides.banned.contains(&target).then_some(OverrideKind::Banned))
    }

    /// Each of them that can be kept, with the definition and the argument that it is about, by position: pins
    /// first, then by name.
    pub fn places(&self, index: &Index) -> Vec<(OverrideKind, DefinitionId, Option<usize>)> {
        let place = |kind, target: &OverrideTarget| {
            let (id, position) = target.place(index)?;
            Some((kind, id, position))
        };
        let pinned = self.overrides.pinned.iter().filter_map(|target| place(OverrideKind::Pinned, target));
        let banned = self.overrides.banned.iter().filter_map(|target| place(OverrideKind::Banned, target));
        pinned.chain(banned).collect()
    }

    /// Wishes that of a member or argument, or no longer, and never the opposite. Says what is wished of it now.
    ///
    /// # Errors
    /// Where that cannot be kept, whatever the scope; nothing is changed then.
    pub fn toggle(
        &mut self,
        index: &Index,
        target: &OverrideTarget,
        kind: OverrideKind,
    ) -> Result<Option<OverrideKind>, OverrideError> {
        let mut overrides = Overrides::clone(&self.overrides);
        let Overrides { pinned, banned } = &mut overrides;
        let (one, other) = match kind {
            OverrideKind::Pinned => (pinned, banned),
            OverrideKind::Banned => (banned, pinned),
        };
        other.remove(target);
        let is_new = !one.remove(target);
        if is_new {
            one.insert(target.clone());
        }
        // Wishes that an older index could keep are no reason to refuse this one.
        let problem = overrides
            .problem(index)
            .filter(|problem| is_new && Some(problem) != self.overrides.problem(index).as_ref());
        if let Some(problem) = problem {
            Err(problem)
        } else {
            *self = Self::new(overrides);
            Ok(is_new.then_some(kind))
        }
    }
}
