//! The call sites behind the numbers of a usage: the arguments that each call passes, and filters that select the calls
//! behind a number.

use compact_str::CompactString;

use super::{Definition, Index};
use crate::usage;
use apidisc_facts::{
    program::{CallId, DefinitionId, ParameterSet},
    source::Origin,
};

/// The contribution of one call site to the usage of the definition that it calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallEvidence {
    /// The call site.
    pub call: CallId,
    /// The origin of the call's file.
    pub origin: Origin,
    /// The parameters that the call passes, and the overload that it takes, as in [`usage::ArgumentSet::parameters`].
    pub passed: ParameterSet,
    /// The part of `passed` that is passed by position.
    pub positional: ParameterSet,
    /// The parameters that the call may or may not pass.
    pub unknown: ParameterSet,
    /// True if the call may pass arguments that the call site does not show: see [`usage::ArgumentSet::open`].
    pub open: bool,
    /// The short literals that the call passes, each with the position of its parameter.
    pub values: Vec<(u16, CompactString)>,
}

/// Conditions on the calls of one definition. A call matches if it meets all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallFilter {
    /// The call passes all of these parameters.
    pub passing: ParameterSet,
    /// The call is known to pass none of these parameters.
    pub omitting: ParameterSet,
    /// The call has exactly this argument set: the passed parameters, and whether the set is open.
    pub exactly: Option<(ParameterSet, bool)>,
    /// The call passes this literal for the parameter at this position.
    pub value: Option<(u16, CompactString)>,
    /// It is unknown whether the call passes the parameter at this position.
    pub unknown: Option<u16>,
    /// The call passes the parameter at this position by position.
    pub positional: Option<u16>,
    /// The call passes the parameter at this position by name.
    pub keyword: Option<u16>,
    /// The call is in a file of this origin.
    pub origin: Option<Origin>,
}

impl CallFilter {
    /// Matches every call.
    pub fn all() -> Self {
        Self::default()
    }

    /// Matches the calls that pass the parameter at `position`.
    pub fn passing(position: usize) -> Self {
        Self { passing: [position].into_iter().collect(), ..Self::default() }
    }

    /// True if the call meets all conditions.
    pub fn matches(&self, call: &CallEvidence) -> bool {
        let omits = |position| !call.passed.contains(position) && !call.unknown.contains(position);
        self.passing.is_subset(&call.passed)
            && self.omitting.iter().all(omits)
            && self.exactly.as_ref().is_none_or(|(set, open)| *set == call.passed && *open == call.open)
            && self.value.as_ref().is_none_or(|value| call.values.contains(value))
            && self.unknown.is_none_or(|position| call.unknown.contains(position.into()))
            && self.positional.is_none_or(|position| call.positional.contains(position.into()))
            && self.keyword.is_none_or(|position| {
                call.passed.contains(position.into()) && !call.positional.contains(position.into())
            })
            && self.origin.is_none_or(|origin| call.origin == origin)
    }
}

impl Index {
    /// The evidence of each counted call of a definition, by path, line and column; empty if the index was read from a
    /// file.
    ///
    /// Each call is counted separately by the function that counts the usage, so the evidence always agrees with the
    /// numbers.
    pub fn call_evidence(&self, id: DefinitionId) -> Vec<CallEvidence> {
        let definition = self.definition(id);
        definition.usage.calls.iter().map(|&call| self.evidence_of(definition, call)).collect()
    }

    /// The evidence of one call of a definition.
    pub(crate) fn evidence_of(&self, definition: &Definition, id: CallId) -> CallEvidence {
        let call = self.call(id);
        let (signature, overloads) = (definition.signature.as_deref(), definition.overloads.len());
        let used = used_parameters(definition);
        let counted = usage::count(signature, overloads, &self.calls, std::iter::once(id), used, |_| 0);
        let counted = counted.with_most_frequent_values();
        let rows = || counted.parameters.iter().enumerate();
        CallEvidence {
            call: id,
            origin: self.file(call.file).origin,
            passed: counted.argument_sets.first().map(|set| set.parameters.clone()).unwrap_or_default(),
            positional: rows().filter(|(_, row)| row.positional > 0).map(|(at, _)| at).collect(),
            unknown: rows().filter(|(_, row)| row.unknown > 0).map(|(at, _)| at).collect(),
            open: counted.argument_sets.iter().any(|set| set.open),
            values: rows()
                .flat_map(|(at, row)| row.values.iter().map(move |(text, _)| (at as u16, text.clone())))
                .collect(),
        }
    }

    /// The argument set of each of some calls of a definition, and whether it is open: [`CallEvidence::passed`] and
    /// [`CallEvidence::open`] without the rest of the evidence.
    pub(crate) fn argument_sets_of<'i>(
        &'i self,
        definition: &'i Definition,
    ) -> impl Fn(CallId) -> (ParameterSet, bool) + 'i {
        let reader = usage::CallReader::new(definition.signature.as_deref(), definition.overloads.len());
        let used = used_parameters(definition);
        move |call| reader.argument_set(&self.calls, call, &used)
    }

    /// Sorts calls of a definition by how typical they are: by the frequency of their argument set, most frequent
    /// first, then by path, line and column.
    pub fn sort_by_typicality(&self, id: DefinitionId, calls: &mut [CallEvidence]) {
        let sets = &self.usage(id).argument_sets;
        calls.sort_by_cached_key(|call| {
            let is_set_of_call = |set: &usage::ArgumentSet| set.parameters == call.passed && set.open == call.open;
            (sets.iter().position(is_set_of_call).unwrap_or(sets.len()), call.call)
        });
    }
}

/// The parameters of a definition that calls pass.
fn used_parameters(definition: &Definition) -> ParameterSet {
    let parameters = definition.usage.parameters.iter().enumerate();
    parameters.filter(|(_, row)| row.count > 0).map(|(position, _)| position).collect()
}
