//! The pins and bans of the explorer, and the question for which stubs are ranked.

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

/// Pins and bans and a question, with a revision that is equal for equal ones.
#[derive(Clone, Debug, Default)]
pub struct ActiveOverrides {
    overrides: Arc<Overrides>,
    /// See [`Self::question`].
    question: Option<Arc<str>>,
    revision: u64,
    /// True if the overrides come from an earlier session: their targets may no longer exist.
    is_remembered: bool,
}

/// Pin or ban.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OverrideKind {
    /// Every stub shows the target.
    Pinned,
    /// No stub shows the target.
    Banned,
}

impl ActiveOverrides {
    /// Overrides of the command line or a profile.
    pub fn new(overrides: Overrides) -> Self {
        Self { overrides: Arc::new(overrides), ..Self::default() }.revised()
    }

    /// The same with the revision of its content.
    fn revised(self) -> Self {
        let content = (&self.overrides, &self.question);
        let hash = || BuildHasherDefault::<FxHasher>::default().hash_one(content).max(1);
        let is_empty = self.overrides.is_empty() && self.question.is_none();
        Self { revision: if is_empty { 0 } else { hash() }, ..self }
    }

    /// The same with a question, or without one. A question without words is none.
    #[must_use]
    pub fn with_question(self, question: Option<&str>) -> Self {
        let question = question.map(str::trim).filter(|question| !question.is_empty());
        Self { question: question.map(Arc::from), ..self }.revised()
    }

    /// The words that were searched or asked when a person went to a hit: stubs rank members and parameters by use and
    /// by these words.
    pub fn question(&self) -> Option<&Arc<str>> {
        self.question.as_ref()
    }

    /// Overrides of an earlier session.
    pub fn remembered(overrides: Overrides) -> Self {
        Self { is_remembered: true, ..Self::new(overrides) }
    }

    /// Removes overrides of an earlier session that the index cannot apply, and returns their targets.
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
        *self = Self { overrides: Arc::new(overrides), ..std::mem::take(self) }.revised();
        gone
    }

    /// All pins and bans.
    pub fn all(&self) -> &Arc<Overrides> {
        &self.overrides
    }

    /// A hash of the overrides and the question; 0 if there are none.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// The override of a definition, or of one of its arguments by position.
    pub fn of(&self, definition: &Definition, position: Option<usize>) -> Option<OverrideKind> {
        if self.revision == 0 {
            return None;
        }
        let target = OverrideTarget::of(definition, position);
        let pinned = self.overrides.pinned.contains(&target).then_some(OverrideKind::Pinned);
        pinned.or_else(|| self.overrides.banned.contains(&target).then_some(OverrideKind::Banned))
    }

    /// The overrides that the index can apply, each with its definition and the position of its argument: pins first,
    /// then by name.
    pub fn places(&self, index: &Index) -> Vec<(OverrideKind, DefinitionId, Option<usize>)> {
        let place = |kind, target: &OverrideTarget| {
            let (id, position) = target.resolve(index)?;
            Some((kind, id, position))
        };
        let pinned = self.overrides.pinned.iter().filter_map(|target| place(OverrideKind::Pinned, target));
        let banned = self.overrides.banned.iter().filter_map(|target| place(OverrideKind::Banned, target));
        pinned.chain(banned).collect()
    }

    /// Adds an override, or removes it if it exists; removes the opposite one. Returns the override in force
    /// afterwards.
    ///
    /// # Errors
    /// If the index cannot apply the override in any scope. Nothing is changed then.
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
        // A problem that existed before does not concern this override.
        let problem = overrides
            .problem(index)
            .filter(|problem| is_new && Some(problem) != self.overrides.problem(index).as_ref());
        if let Some(problem) = problem {
            Err(problem)
        } else {
            *self = Self { overrides: Arc::new(overrides), ..std::mem::take(self) }.revised();
            Ok(is_new.then_some(kind))
        }
    }
}
