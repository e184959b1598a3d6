//! Adds the usages that one definition has in several sources.

use std::cmp::Reverse;

use compact_str::CompactString;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{ArgumentSet, MAX_VALUES, MemberUsage, OverloadUsage, ParameterUsage, Usage};
use apidisc_facts::program::ParameterSet;

/// The sum of the usages of one definition in several sources, each multiplied by a weight. [`Usage::origins`] is the
/// sum without weights. The usages must hold all their values, or those that [`keep_decisive_values`] has kept.
pub(crate) fn sum<'u>(parts: impl Iterator<Item = (u32, &'u Usage)>) -> Usage {
    let mut sum = Usage::default();
    let mut rows: Vec<RowSum<'u>> = Vec::new();
    let mut overloads: Vec<(u32, Vec<RowSum<'u>>)> = Vec::new();
    let mut sets: FxHashMap<(&ParameterSet, bool), (u32, u32)> = FxHashMap::default();
    for (weight, part) in parts {
        let times = |count: u32| count.saturating_mul(weight);
        sum.origins.iter_mut().zip(part.origins).for_each(|(sum, uses)| *sum += uses);
        // Every part has a row for each parameter, even if the weight leaves the part out.
        add_rows(&mut rows, &part.parameters, weight);
        overloads.resize_with(overloads.len().max(part.overloads.len()), Default::default);
        if weight == 0 {
            continue;
        }
        sum.total_calls = sum.total_calls.saturating_add(times(part.total_calls));
        sum.total_reads = sum.total_reads.saturating_add(times(part.total_reads));
        sum.worth_of_reads = sum.worth_of_reads.saturating_add(times(part.worth_of_reads));
        sum.ledger.spread = sum.ledger.spread.saturating_add(times(part.ledger.spread));
        for set in &part.argument_sets {
            let (calls, worth) = sets.entry((&set.parameters, set.open)).or_default();
            *calls = calls.saturating_add(times(set.calls));
            *worth = worth.saturating_add(times(set.worth));
        }
        sum.taken.resize(sum.taken.len().max(part.taken.len()), MemberUsage::default());
        for (sum, row) in sum.taken.iter_mut().zip(&part.taken) {
            sum.count = sum.count.saturating_add(times(row.count));
            sum.known = sum.known.saturating_add(times(row.known));
        }
        for ((calls, rows), overload) in overloads.iter_mut().zip(&part.overloads) {
            *calls = calls.saturating_add(times(overload.calls));
            add_rows(rows, &overload.parameters, weight);
        }
        sum.calls.extend_from_slice(&part.calls);
        sum.reads.extend_from_slice(&part.reads);
    }
    sum.ledger.resolved = sum.total_calls;
    sum.parameters = rows.into_iter().map(RowSum::finish).collect();
    sum.overloads = overloads
        .into_iter()
        .map(|(calls, rows)| OverloadUsage { calls, parameters: rows.into_iter().map(RowSum::finish).collect() })
        .collect();
    let sets = sets.into_iter().map(|((parameters, open), (calls, worth))| ArgumentSet {
        parameters: parameters.clone(),
        open,
        calls,
        worth,
    });
    sum.argument_sets = sets.collect();
    sum.sort_argument_sets();
    // Sites are ordered as in the index, whatever the order of the sources.
    sum.calls.sort_unstable();
    sum.reads.sort_unstable();
    sum
}

/// The sum of the rows of one parameter.
#[derive(Default)]
struct RowSum<'u> {
    count: u32,
    unknown: u32,
    positional: u32,
    values: FxHashMap<&'u str, u32>,
}

fn add_rows<'u>(rows: &mut Vec<RowSum<'u>>, part: &'u [ParameterUsage], weight: u32) {
    rows.resize_with(rows.len().max(part.len()), RowSum::default);
    if weight == 0 {
        return;
    }
    for (sum, row) in rows.iter_mut().zip(part) {
        let add = |sum: &mut u32, count: u32| *sum = sum.saturating_add(count.saturating_mul(weight));
        add(&mut sum.count, row.count);
        add(&mut sum.unknown, row.unknown);
        add(&mut sum.positional, row.positional);
        for (text, calls) in &row.values {
            add(sum.values.entry(text).or_default(), *calls);
        }
    }
}

impl RowSum<'_> {
    fn finish(self) -> ParameterUsage {
        let Self { count, unknown, positional, values } = self;
        let values = values.into_iter().map(|(text, calls)| (text.into(), calls)).collect();
        let mut row = ParameterUsage { count, unknown, positional, values };
        row.sort_values();
        row.keep_most_frequent_values();
        row
    }
}

/// Keeps of each parameter only the values that can be among its most frequent ones for some weights of the sources.
/// `parts` are the usages of one definition in all sources, with all their values.
pub(crate) fn keep_decisive_values(parts: &mut [(u32, Usage)]) {
    let most = |count: fn(&Usage) -> usize| parts.iter().map(|(_, part)| count(part)).max().unwrap_or_default();
    let (parameters, overloads) = (most(|part| part.parameters.len()), most(|part| part.overloads.len()));
    for position in 0..parameters {
        keep_decisive(parts, |part| part.parameters.get_mut(position));
        for overload in 0..overloads {
            keep_decisive(parts, |part| part.overloads.get_mut(overload)?.parameters.get_mut(position));
        }
    }
}

/// [`keep_decisive_values`] for one parameter. `row` returns the counts of the parameter in a part.
fn keep_decisive(parts: &mut [(u32, Usage)], row: impl Fn(&mut Usage) -> Option<&mut ParameterUsage>) {
    let mut values: FxHashMap<CompactString, Vec<(usize, u32)>> = FxHashMap::default();
    for (at, (_, part)) in parts.iter_mut().enumerate() {
        for (text, calls) in row(part).iter().flat_map(|row| &row.values) {
            values.entry(text.clone()).or_default().push((at, *calls));
        }
    }
    if values.len() <= MAX_VALUES {
        return;
    }
    // Sorted so that every value comes after all values that always precede it.
    let mut ordered: Vec<(&CompactString, &Vec<(usize, u32)>)> = values.iter().collect();
    ordered
        .sort_unstable_by_key(|(text, calls)| (Reverse(calls.iter().map(|(_, n)| u64::from(*n)).sum::<u64>()), *text));
    let mut kept: Vec<(&CompactString, &Vec<(usize, u32)>)> = Vec::new();
    for value in ordered {
        if kept.iter().filter(|other| always_precedes(**other, value)).take(MAX_VALUES).count() < MAX_VALUES {
            kept.push(value);
        }
    }
    let kept: FxHashSet<&CompactString> = kept.into_iter().map(|(text, _)| text).collect();
    for (_, part) in parts {
        if let Some(row) = row(part) {
            row.values.retain(|(text, _)| kept.contains(text));
        }
    }
}

/// True if `a` is at least as frequent as `b`, with ties broken by text, for all weights of the sources. A value is a
/// text with the number of calls that pass it in each part that has any, ordered by part. The relation is transitive.
fn always_precedes(a: (&CompactString, &Vec<(usize, u32)>), b: (&CompactString, &Vec<(usize, u32)>)) -> bool {
    let wins_ties = a.0 < b.0;
    b.1.iter().all(|(part, calls)| {
        let others = a.1.binary_search_by_key(part, |(part, _)| *part).map_or(0, |at| a.1[at].1);
        others > *calls || others == *calls && wins_ties
    })
}
