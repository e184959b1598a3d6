//! Counts of calls and reads, and filters of calls, in words.

use crate::tui::{model::calls_by_origin, widgets::grouped};
use apidisc::{
    index::{CallFilter, Definition, Index},
    program::ParameterSet,
    usage::{Usage, Weights, WrittenShare},
};

/// `1 call`, `12,402 calls`.
pub(super) fn calls(number: u32) -> String {
    counted(number as usize, "call", "calls")
}

/// `1 read`, `151 reads`.
pub(super) fn reads(number: u32) -> String {
    counted(number as usize, "read", "reads")
}

pub(super) fn counted(number: usize, one: &str, many: &str) -> String {
    if number == 1 { format!("1 {one}") } else { format!("{} {many}", grouped(number)) }
}

/// The uses of a definition by origin.
pub(super) fn origins(usage: &Usage, weights: &Weights) -> String {
    calls_by_origin(usage, weights).join(" · ")
}

/// The numbers of calls whose arguments or callee are not certain: `3 with a spread · 2 ambiguous`.
pub(super) fn unseen(usage: &Usage) -> String {
    let ledger = usage.ledger;
    let unknown = [
        (ledger.spread, "with a spread"),
        (ledger.ambiguous, "ambiguous"),
        (ledger.unknown_receiver, "on unknown receivers"),
    ];
    let unknown = unknown.into_iter().filter(|(calls, _)| *calls > 0);
    unknown.map(|(calls, what)| format!("{} {what}", grouped(calls as usize))).collect::<Vec<_>>().join(" · ")
}

/// The place of a definition as `path:line`; `None` for what calls show of a package that cannot be read.
pub(super) fn place(index: &Index, definition: &Definition) -> Option<String> {
    let file = index.source_of(definition)?;
    Some(format!("{}:{}", file.path, definition.place.line))
}

/// The share of the known calls that pass a parameter: `passed 37 of 412, 9%; 6 unknown`. The percentage is left out if
/// only rounding would make it 0% or 100%.
pub(super) fn passed(usage: &Usage, position: usize) -> String {
    let Some(row) = usage.parameters.get(position) else { return String::new() };
    if usage.total_calls == 0 {
        return "no call of it was found".to_owned();
    }
    let (_, known) = usage.passed_and_known(position);
    let Some(share) = WrittenShare::new(row.count, known) else {
        return "not known: every call may pass it unseen".to_owned();
    };
    let share = match share {
        WrittenShare::Percent(share) => format!(", {share}%"),
        WrittenShare::NearlyNone | WrittenShare::NearlyAll => String::new(),
    };
    let passed = format!("passed {} of {}{share}", grouped(row.count as usize), grouped(known as usize));
    match row.unknown {
        0 => passed,
        unknown => format!("{passed}; {} unknown", grouped(unknown as usize)),
    }
}

/// The labels of the parameters in a set.
pub(super) fn names(definition: &Definition, set: &ParameterSet) -> Vec<String> {
    let Some(signature) = &definition.signature else { return Vec::new() };
    set.iter().filter(|at| *at < signature.parameters.len()).map(|at| signature.shown_label(at).to_string()).collect()
}

/// The property that all calls of a filter share: `that pass model without tools`.
pub(super) fn shared_property(definition: &Definition, filter: &CallFilter) -> String {
    let mut words = Vec::new();
    let name = |at: u16| names(definition, &[usize::from(at)].into_iter().collect()).concat();
    if let Some((set, open)) = &filter.exactly {
        let names = names(definition, set);
        let names = if names.is_empty() { "nothing".to_owned() } else { names.join(", ") };
        words.push(format!("pass {names} and {}", if *open { "more, unseen" } else { "nothing else" }));
    } else if !filter.passing.is_empty() {
        words.push(format!("pass {}", names(definition, &filter.passing).join(", ")));
    }
    if let Some((at, value)) = &filter.value {
        words.push(format!("pass {value} for {}", name(*at)));
    }
    if let Some(at) = filter.positional {
        words.push(format!("pass {} by position", name(at)));
    }
    if let Some(at) = filter.keyword {
        words.push(format!("pass {} by name", name(at)));
    }
    if let Some(at) = filter.unknown {
        words.push(format!("may pass {} unseen", name(at)));
    }
    if !filter.omitting.is_empty() {
        words.push(format!("leave out {}", names(definition, &filter.omitting).join(", ")));
    }
    if let Some(origin) = filter.origin {
        words.push(format!("stand in {}", origin.word()));
    }
    if words.is_empty() { String::new() } else { format!("that {}", words.join(" and ")) }
}
