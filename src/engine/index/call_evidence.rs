//! The call sites behind a number: each says what it passes, and so which numbers it is part of.

use compact_str::CompactString;

use super::Index;
use crate::program::{CallId, DefinitionId};
use crate::{program::ParameterSet, source::Origin, usage};

/// What one call site says of the definition that it calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallEvidence {
    /// CallFilter.
    pub call: CallId,
    /// What its file is for.
    pub origin: Origin,
    /// The parameters that it passes.
    pub passed: ParameterSet,
    /// Those of them that it passes by position.
    pub positional: ParameterSet,
    /// The parameters that it may pass unseen.
    pub unknown: ParameterSet,
    /// It may pass more than is seen.
    pub open: bool,
    /// Short literals that it passes, with the parameters that they land on.
    pub values: Vec<(u16, CompactString)>,
}

/// Some of the calls of a definition: those of which everything here is true.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallFilter {
    /// They pass these parameters.
    pub passing: ParameterSet,
    /// They are known not to pass these.
    pub omitting: ParameterSet,
    /// They pass exactly these, seen whole or not.
    pub exactly: Option<(ParameterSet, bool)>,
    /// They pass this literal for that parameter.
    pub value: Option<(u16, CompactString)>,
    /// They may pass that parameter unseen.
    pub unknown: Option<u16>,
    /// They pass that parameter by position.
    pub positional: Option<u16>,
    /// They pass that parameter by its name.
    pub keyword: Option<u16>,
    /// Their files are for that.
    pub origin: Option<Origin>,
}

impl CallFilter {
    /// All of them.
    pub fn all() -> Self {
        Self::default()
    }

    /// Those that pass a parameter.
    pub fn passing(position: usize) -> Self {
        Self { passing: [position].into_iter().collect(), ..Self::default() }
    }

    /// True where a call is one of them.
    pub fn holds(&self, witness: &CallEvidence) -> bool {
        let omits = |position| !witness.passed.contains(position) && !witness.unknown.contains(position);
        self.passing.is_subset(&witness.passed)
            && self.omitting.iter().all(omits)
            && self.exactly.as_ref().is_none_or(|(set, open)| *set == witness.passed && *open == witness.open)
            && self.value.as_ref().is_none_or(|value| witness.values.contains(value))
            && self.unknown.is_none_or(|position| witness.unknown.contains(position.into()))
            && self.positional.is_none_or(|position| witness.positional.contains(position.into()))
            && self.keyword.is_none_or(|position| {
                witness.passed.contains(position.into()) && !witness.positional.contains(position.into())
            })
            && self.origin.is_none_or(|origin| witness.origin == origin)
    }
}

impl Index {
    /// Every call site that is counted for a definition, by path, line and column. Each is counted by itself with
    /// what counts them together, so that numbers and call sites cannot disagree. None where the index was read from
    /// a file.
    pub fn witnesses(&self, id: DefinitionId) -> Vec<CallEvidence> {
        let definition = self.definition(id);
        let witness = |&id: &CallId| {
            let call = self.call(id);
            let counted = usage::count(definition.signature.as_deref(), &self.calls, std::iter::once(id), |_| 0);
            let rows = || counted.parameters.iter().enumerate();
            CallEvidence {
                call: id,
                origin: self.file(call.file).origin,
                passed: rows().filter(|(_, row)| row.count > 0).map(|(at, _)| at).collect(),
                positional: rows().filter(|(_, row)| row.positional > 0).map(|(at, _)| at).collect(),
                unknown: rows().filter(|(_, row)| row.unknown > 0).map(|(at, _)| at).collect(),
                open: counted.argument_sets.iter().any(|set| set.open),
                values: rows()
                    .flat_map(|(at, row)| row.values.iter().map(move |(text, _)| (at as u16, text.clone())))
                    .collect(),
            }
        };
        definition.usage.calls.iter().map(witness).collect()
    }

    /// Orders calls of a definition by how typical they are: those of the commonest argument set first, then by
    /// path, line and column.
    pub fn sort_by_typicality(&self, id: DefinitionId, witnesses: &mut [CallEvidence]) {
        let sets = &self.usage(id).argument_sets;
        witnesses.sort_by_cached_key(|witness| {
            let is_own = |set: &usage::ArgumentSet| set.parameters == witness.passed && set.open == witness.open;
            (sets.iter().position(is_own).unwrap_or(sets.len()), witness.call)
        });
    }
}
