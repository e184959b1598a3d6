//! Converts the usage of a definition to a metadata entry and back.

use std::cmp::Reverse;

use compact_str::CompactString;
use indexmap::IndexMap;

use super::document::{
    MetadataArgument, MetadataArgumentSet, MetadataArguments, MetadataEntry, MetadataOverload, MetadataPassed,
};
use super::results::read_taken;
use crate::usage::{ArgumentSet, Ledger, OverloadUsage, ParameterUsage, Usage};
use apidisc_base::sort::SharedSort as _;
use apidisc_facts::{program::ParameterSet, source::Origin};

/// The maximum number of pairs in `co_occurrence` of one definition.
const MAX_PAIRS: usize = 24;

/// The argument sets of a usage. `keys` are the keys of the parameters. A definition without a signature has no keys,
/// and its sets only record whether something was passed.
pub(super) fn argument_sets(keys: &[CompactString], usage: &Usage) -> Vec<MetadataArgumentSet> {
    let key = |position: usize| keys.get(position).cloned();
    let set = |set: &ArgumentSet| MetadataArgumentSet {
        args: set.parameters.iter().filter_map(key).collect(),
        calls: set.calls,
        worth: written_worth(set.worth, set.calls),
        open: set.open,
        overload: set
            .parameters
            .iter()
            .find_map(|position| position.checked_sub(usage.parameters.len()))
            .map(|at| at as u32),
    };
    usage.argument_sets.iter().map(set).collect()
}

/// The worth of uses as a file states it: in calls. `None` if it equals the number of uses, which the file states
/// anyway.
pub(super) fn written_worth(worth: u32, uses: u32) -> Option<f64> {
    let is_number = worth == uses.saturating_mul(ArgumentSet::WORTH_OF_A_CALL);
    (!is_number).then(|| f64::from(worth) / f64::from(ArgumentSet::WORTH_OF_A_CALL))
}

/// The worth of a number of uses from a file.
pub(super) fn read_worth(written: Option<f64>, uses: u32) -> Result<u32, String> {
    let Some(worth) = written else { return Ok(uses.saturating_mul(ArgumentSet::WORTH_OF_A_CALL)) };
    if !(0.0..=f64::from(uses)).contains(&worth) {
        return Err(format!("has `worth: {worth}`; it is between 0 and the number of uses"));
    }
    Ok((worth * f64::from(ArgumentSet::WORTH_OF_A_CALL)).round() as u32)
}

/// The most frequent pairs of parameters that are passed together; ties by key.
pub(super) fn co_occurrence(keys: &[CompactString], usage: &Usage) -> Vec<MetadataArgumentSet> {
    let mut pairs = Vec::new();
    let passed: Vec<usize> = (0..usage.parameters.len()).filter(|&i| usage.parameters[i].count > 0).collect();
    for (i, &a) in passed.iter().enumerate() {
        for &b in &passed[i + 1..] {
            let calls = usage.co_occurrence(a, b);
            if let (Some(first), Some(second), 1..) = (keys.get(a), keys.get(b), calls) {
                pairs.push(MetadataArgumentSet {
                    args: vec![first.clone(), second.clone()],
                    calls,
                    worth: None,
                    open: false,
                    overload: None,
                });
            }
        }
    }
    pairs.shared_sort_by(|a, b| (Reverse(a.calls), &a.args).cmp(&(Reverse(b.calls), &b.args)));
    pairs.truncate(MAX_PAIRS);
    pairs
}

/// The number of uses in each origin that has any.
pub(super) fn origins(usage: &Usage) -> IndexMap<CompactString, u32> {
    let rows = Origin::ALL.into_iter().zip(usage.origins);
    rows.filter(|&(_, uses)| uses > 0).map(|(origin, uses)| (origin.word().into(), uses)).collect()
}

/// The numbers above 0 of a definition's ledger.
pub(super) fn ledger(ledger: &Ledger) -> IndexMap<CompactString, u32> {
    let rows = [
        ("resolved", ledger.resolved),
        ("ambiguous", ledger.ambiguous),
        ("spread", ledger.spread),
        ("unknown_receiver", ledger.unknown_receiver),
    ];
    rows.into_iter().filter(|&(_, calls)| calls > 0).map(|(word, calls)| (word.into(), calls)).collect()
}

/// The usage that an entry with these arguments describes.
///
/// # Errors
/// If the numbers contradict each other. The message continues "`FQN` …".
pub(super) fn usage(entry: &MetadataEntry, arguments: Option<&MetadataArguments>) -> Result<Usage, String> {
    let total_calls = entry.total_calls;
    let empty = MetadataArguments::new();
    let arguments = arguments.unwrap_or(&empty);
    let parameters: Result<Vec<ParameterUsage>, String> =
        arguments.iter().map(|(key, argument)| parameter_usage(key, argument, total_calls)).collect();
    let argument_sets = read_argument_sets(&entry.argument_sets, arguments, entry.overloads.len(), total_calls)?;
    let overloads = entry.overloads.iter().map(|row| overload_usage(row.calls, &row.passed, arguments, total_calls));
    let overloads: Result<Vec<OverloadUsage>, String> = overloads.collect();
    let count = |word: &str| entry.ledger.get(word).copied().unwrap_or_default();
    Ok(Usage {
        total_calls,
        total_reads: entry.total_reads,
        worth_of_reads: read_worth(entry.worth_of_reads, entry.total_reads)?,
        rank: entry.usage_rank,
        parameters: parameters?,
        argument_sets,
        overloads: overloads?,
        taken: read_taken(&entry.taken, total_calls)?,
        origins: Origin::ALL.map(|origin| entry.origins.get(origin.word()).copied().unwrap_or_default()),
        ledger: Ledger {
            resolved: if entry.ledger.is_empty() { total_calls } else { count("resolved") },
            ambiguous: count("ambiguous"),
            spread: count("spread"),
            unknown_receiver: count("unknown_receiver"),
            ..Ledger::default()
        },
        calls: Vec::new(),
        reads: Vec::new(),
    })
}

fn parameter_usage(key: &str, argument: &MetadataArgument, total_calls: u32) -> Result<ParameterUsage, String> {
    let key = key.escape_debug();
    let freq = argument.freq.unwrap_or(0.0);
    if !(0.0..=1.0).contains(&freq) {
        return Err(format!("has `freq: {freq}` for `{key}`; it is a share between 0 and 1"));
    }
    let count = argument.count.unwrap_or_else(|| (freq * f64::from(total_calls)).round() as u32);
    // An argument with neither a count nor a share is unknown in all calls.
    let unknown = if argument.count.is_none() && argument.freq.is_none() { total_calls } else { argument.unknown };
    if count.checked_add(unknown).is_none_or(|sum| sum > total_calls) {
        return Err(format!("counts more calls for `{key}` than `total_calls`"));
    }
    let values = argument.values.iter().map(|(text, &calls)| (text.clone(), calls)).collect();
    Ok(ParameterUsage { count, unknown, positional: argument.positional, values })
}

/// The usage of an overload of an entry with these arguments and calls.
pub(super) fn overload_usage(
    calls: u32,
    passed: &IndexMap<CompactString, MetadataPassed>,
    arguments: &MetadataArguments,
    total_calls: u32,
) -> Result<OverloadUsage, String> {
    if calls > total_calls {
        return Err("has an overload of more calls than `total_calls`".to_owned());
    }
    let parameters = passed_parameters(passed, arguments, calls, "an overload")?;
    Ok(OverloadUsage { calls, parameters: if calls > 0 { parameters } else { Vec::new() } })
}

/// The usage of every parameter in a part of the calls, such as those of one overload. `calls` is the number of calls
/// in the part; messages call the part `part`.
pub(super) fn passed_parameters(
    passed: &IndexMap<CompactString, MetadataPassed>,
    arguments: &MetadataArguments,
    calls: u32,
    part: &str,
) -> Result<Vec<ParameterUsage>, String> {
    let mut parameters = vec![ParameterUsage::default(); arguments.len()];
    for (key, passed) in passed {
        let shown = key.escape_debug();
        let Some(at) = arguments.get_index_of(key) else {
            return Err(format!("has {part} that counts `{shown}`, which is no argument"));
        };
        let &MetadataPassed { count, unknown, positional, .. } = passed;
        if count.checked_add(unknown).is_none_or(|sum| sum > calls) {
            return Err(format!("has {part} that counts more calls for `{shown}` than its own"));
        }
        let values = passed.values.iter().map(|(text, &calls)| (text.clone(), calls)).collect();
        if let Some(row) = parameters.get_mut(at) {
            *row = ParameterUsage { count, unknown, positional, values };
        }
    }
    Ok(parameters)
}

/// Adds the counts of the calls that take each overload. `keys` are the keys of the implementation's parameters.
pub(super) fn add_overload_counts(overloads: &mut [MetadataOverload], keys: &[CompactString], usage: &Usage) {
    for (overload, usage) in overloads.iter_mut().zip(&usage.overloads) {
        overload.calls = usage.calls;
        overload.passed = passed(keys, &usage.parameters);
    }
}

/// The counts of a part of the calls. `keys` are the keys of the parameters.
pub(super) fn passed(keys: &[CompactString], rows: &[ParameterUsage]) -> IndexMap<CompactString, MetadataPassed> {
    let rows = keys.iter().zip(rows).filter(|(_, row)| **row != ParameterUsage::default());
    let passed = |row: &ParameterUsage| MetadataPassed {
        count: row.count,
        unknown: row.unknown,
        positional: row.positional,
        values: row.values.iter().cloned().collect(),
    };
    rows.map(|(key, row)| (key.clone(), passed(row))).collect()
}

/// The argument sets of calls, of which there are `total_calls`.
pub(super) fn read_argument_sets(
    sets: &[MetadataArgumentSet],
    arguments: &MetadataArguments,
    overloads: usize,
    total_calls: u32,
) -> Result<Vec<ArgumentSet>, String> {
    let sets: Result<Vec<ArgumentSet>, String> =
        sets.iter().map(|set| argument_set(set, arguments, overloads)).collect();
    let sets = sets?;
    if sets.iter().map(|set| u64::from(set.calls)).sum::<u64>() > u64::from(total_calls) {
        return Err("has argument sets of more calls than `total_calls`".to_owned());
    }
    Ok(sets)
}

fn argument_set(
    set: &MetadataArgumentSet,
    arguments: &MetadataArguments,
    overloads: usize,
) -> Result<ArgumentSet, String> {
    let position = |key: &CompactString| {
        let unknown_key = || format!("has an argument set with `{}`, which is no argument", key.escape_debug());
        arguments.get_index_of(key).ok_or_else(unknown_key)
    };
    let positions: Vec<usize> = set.args.iter().map(position).collect::<Result<_, String>>()?;
    let mut parameters: ParameterSet = positions.into_iter().collect();
    if let Some(overload) = set.overload.map(|overload| overload as usize) {
        if overload >= overloads {
            return Err("has an argument set of an overload that it does not have".to_owned());
        }
        parameters.insert(arguments.len() + overload);
    }
    Ok(ArgumentSet { worth: read_worth(set.worth, set.calls)?, ..ArgumentSet::new(parameters, set.open, set.calls) })
}
