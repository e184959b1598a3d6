//! Writes and reads the usage of a definition in each source.
//!
//! A definition whose entry has no `by_source` is unused, or is used only by the source that defines it, and that
//! source has the weight 1.

use std::sync::Arc;

use compact_str::CompactString;
use indexmap::IndexMap;

use super::{
    document::{
        FIRST_WITH_SOURCES, MetadataArguments, MetadataEntry, MetadataHeader, MetadataOverloadUsage,
        MetadataSourceUsage,
    },
    results, usage,
};
use crate::{
    index::{
        Definition, Index,
        source_usages::{SourceUsages, UsagesBySource},
    },
    usage::{Ledger, OverloadUsage, Usage, Weights},
};
use apidisc_base::sort::SharedSort as _;
use apidisc_facts::program::DefinitionId;

/// The value of `by_source` of a definition. `keys` are the keys of the parameters.
pub(super) fn entries(
    index: &Index,
    usages: Option<&SourceUsages>,
    id: DefinitionId,
    keys: &[CompactString],
) -> IndexMap<CompactString, MetadataSourceUsage> {
    let parts = usages.map_or(&[][..], |usages| usages.of(id));
    let name = |source: u32| index.sources.get(source as usize).map(|source| source.name.clone());
    if let [(source, _)] = parts
        && *source == own_source(index, index.definition(id))
        && name(*source).is_some_and(|name| index.weights.of_source(&name) == 1)
    {
        return IndexMap::new();
    }
    let entry = |part: &Usage| MetadataSourceUsage {
        total_calls: part.total_calls,
        total_reads: part.total_reads,
        worth_of_reads: usage::written_worth(part.worth_of_reads, part.total_reads),
        spread: part.ledger.spread,
        args: usage::passed(keys, &part.parameters),
        argument_sets: usage::argument_sets(keys, part),
        taken: results::taken(part),
        overloads: if part.overloads.iter().any(|overload| overload.calls > 0) {
            let row = |usage: &OverloadUsage| MetadataOverloadUsage {
                calls: usage.calls,
                passed: usage::passed(keys, &usage.parameters),
            };
            part.overloads.iter().map(row).collect()
        } else {
            Vec::new()
        },
    };
    parts.iter().filter_map(|(source, part)| Some((name(*source)?, entry(part)))).collect()
}

/// The source of the file that defines a definition.
fn own_source(index: &Index, definition: &Definition) -> u32 {
    index.files.get(definition.place.file.index()).map_or(0, |file| file.source)
}

/// The sources of a file that names the source of each use.
pub(super) struct HeaderSources {
    /// The names in the order of the index, each with the weight that the counts in the file have.
    weights: IndexMap<CompactString, u32>,
}

impl HeaderSources {
    /// The sources that a header names; `None` if there is only one, or if the file does not name the source of each
    /// use.
    pub(super) fn new(header: &MetadataHeader, weights: &Weights) -> Option<Self> {
        let names = header.sources.iter().map(|source| source.name.clone());
        let weights: IndexMap<_, _> = names.map(|name| (name.clone(), weights.of_source(&name).into())).collect();
        (header.schema >= FIRST_WITH_SOURCES && weights.len() > 1 && weights.len() == header.sources.len())
            .then_some(Self { weights })
    }

    /// The usages that an entry states for single sources, ordered by source; empty if the entry has no `by_source`.
    /// `arguments` are those of the entry.
    ///
    /// # Errors
    /// If the numbers contradict each other. The message continues "`FQN` …".
    pub(super) fn read(
        &self,
        entry: &MetadataEntry,
        arguments: Option<&MetadataArguments>,
    ) -> Result<UsagesBySource, String> {
        if entry.by_source.is_empty() {
            return Ok(UsagesBySource::default());
        }
        let empty = MetadataArguments::new();
        let arguments = arguments.unwrap_or(&empty);
        let (mut calls, mut reads) = (0_u64, 0_u64);
        let mut parts = Vec::with_capacity(entry.by_source.len());
        for (name, row) in &entry.by_source {
            let Some((position, _, weight)) = self.weights.get_full(name) else {
                return Err(format!("has uses in `{}`, which is none of the sources", name.escape_debug()));
            };
            calls += u64::from(*weight) * u64::from(row.total_calls);
            reads += u64::from(*weight) * u64::from(row.total_reads);
            parts.push((position as u32, Arc::new(part(row, arguments, entry.overloads.len())?)));
        }
        if (calls, reads) != (u64::from(entry.total_calls), u64::from(entry.total_reads)) {
            return Err("has other uses in its sources than altogether".to_owned());
        }
        parts.shared_sort_by_key(|(source, _)| *source);
        Ok(parts.into())
    }

    /// The usages of all definitions and inherited members of an index. `parts` are those that [`Self::read`] returned,
    /// in the order of [`Index::every_definition`].
    pub(super) fn usages(index: &Index, parts: impl Iterator<Item = UsagesBySource>) -> SourceUsages {
        let mut usages = SourceUsages::default();
        for ((id, definition), parts) in index.every_definition().zip(parts) {
            if !parts.is_empty() {
                usages.insert(id, parts);
            } else if definition.usage.uses() > 0 {
                usages.insert(id, [(own_source(index, definition), Arc::clone(&definition.usage))].into());
            }
        }
        usages
    }
}

/// The usage in a source of a definition with these arguments and this number of overloads.
fn part(row: &MetadataSourceUsage, arguments: &MetadataArguments, overloads: usize) -> Result<Usage, String> {
    let calls = row.total_calls;
    let unused = MetadataOverloadUsage::default();
    let overload_rows = (0..overloads).map(|at| row.overloads.get(at).unwrap_or(&unused));
    let overload_usages = overload_rows.map(|row| usage::overload_usage(row.calls, &row.passed, arguments, calls));
    Ok(Usage {
        total_calls: calls,
        total_reads: row.total_reads,
        worth_of_reads: usage::read_worth(row.worth_of_reads, row.total_reads)?,
        parameters: usage::passed_parameters(&row.args, arguments, calls, "a source")?,
        argument_sets: usage::read_argument_sets(&row.argument_sets, arguments, overloads, calls)?,
        overloads: overload_usages.collect::<Result<_, _>>()?,
        taken: results::read_taken(&row.taken, calls)?,
        ledger: Ledger { resolved: calls, spread: row.spread, ..Ledger::default() },
        ..Usage::default()
    })
}
