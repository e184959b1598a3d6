//! Counts the call sites of one definition.

use compact_str::CompactString;
use rustc_hash::FxHashMap;

use super::{ArgumentKind, ArgumentSet, Bound, CallSite, Ledger, ParameterSet, ParameterUsage, Usage};
use crate::engine::index::{CallId, ParameterKind, Signature};

/// Values of one parameter that are kept.
const MAX_VALUES: usize = 8;

/// The usage that `calls`, all of them resolved to one definition, make of its signature. `origin` is the
/// place of a call's file in [`super::Origin::ALL`].
pub(crate) fn count<'c>(
    signature: Option<&Signature>,
    calls: impl Iterator<Item = (CallId, &'c CallSite)>,
    origin: impl Fn(&CallSite) -> usize,
) -> Usage {
    let parameters = signature.map_or(&[][..], |s| &s.parameters);
    let mut usage = Usage { parameters: vec![ParameterUsage::default(); parameters.len()], ..Usage::default() };
    let mut sets: FxHashMap<(ParameterSet, bool), u32> = FxHashMap::default();
    let mut values: Vec<FxHashMap<CompactString, u32>> = vec![FxHashMap::default(); parameters.len()];
    for (id, call) in calls {
        usage.total_calls += 1;
        usage.origins[origin(call)] += 1;
        usage.calls.push(id);
        let mut passed = ParameterSet::new();
        let mut open = false;
        for argument in &call.arguments {
            match argument.bound {
                Bound::Parameter(place) => {
                    let place = place as usize;
                    let row = &mut usage.parameters[place];
                    // `f(*args)` may take several arguments of one call: it is passed once.
                    if !passed.contains(place) {
                        row.count += 1;
                        row.positional += u32::from(argument.kind == ArgumentKind::Positional);
                        passed.insert(place);
                    }
                    if let Some(value) = &argument.value {
                        *values[place].entry(value.clone()).or_default() += 1;
                    }
                }
                Bound::Receiver(_) => {}
                Bound::Named(_) | Bound::Unknown => open = true,
            }
        }
        let reach = signature.map(|s| spread_reach(s, call, &passed)).unwrap_or_default();
        for place in reach.iter() {
            usage.parameters[place].unknown += 1;
        }
        let is_spread = call.arguments.iter().any(|a| matches!(a.kind, ArgumentKind::Star | ArgumentKind::DoubleStar));
        usage.ledger.spread += u32::from(is_spread);
        *sets.entry((passed, open)).or_default() += 1;
    }
    usage.ledger.resolved = usage.total_calls;
    usage.argument_sets =
        sets.into_iter().map(|((parameters, open), calls)| ArgumentSet { parameters, open, calls }).collect();
    usage.argument_sets.sort_unstable_by(|a, b| {
        b.calls.cmp(&a.calls).then_with(|| a.parameters.cmp(&b.parameters)).then(a.open.cmp(&b.open))
    });
    for (row, counts) in usage.parameters.iter_mut().zip(values) {
        row.values = counts.into_iter().collect();
        row.values.sort_unstable_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        row.values.truncate(MAX_VALUES);
    }
    usage
}

/// The parameters that the spreads of a call may pass unseen.
fn spread_reach(signature: &Signature, call: &CallSite, passed: &ParameterSet) -> ParameterSet {
    let mut reach = ParameterSet::new();
    let has = |kind| call.arguments.iter().any(|a| a.kind == kind);
    let (star, double_star) = (has(ArgumentKind::Star), has(ArgumentKind::DoubleStar));
    for (place, parameter) in signature.parameters.iter().enumerate() {
        let reached = match parameter.kind {
            ParameterKind::PositionalOnly | ParameterKind::VarPositional => star,
            ParameterKind::Standard => star || double_star,
            ParameterKind::KeywordOnly | ParameterKind::VarKeyword => double_star,
        };
        if reached && !passed.contains(place) {
            reach.insert(place);
        }
    }
    reach
}

impl Ledger {
    /// Adds one call site to the ledger of a whole index.
    pub(crate) fn add(&mut self, call: &CallSite) {
        use super::{Resolution, Why};
        let is_spread = call.arguments.iter().any(|a| matches!(a.kind, ArgumentKind::Star | ArgumentKind::DoubleStar));
        match &call.resolution {
            Resolution::Resolved(_) => {
                self.resolved += 1;
                self.spread += u32::from(is_spread);
            }
            Resolution::Ambiguous(_) => self.ambiguous += 1,
            Resolution::Unresolved(Why::External) => self.external += 1,
            Resolution::Unresolved(Why::UnknownReceiver) => self.unknown_receiver += 1,
            Resolution::Unresolved(Why::UnknownName) => self.unknown_name += 1,
            Resolution::Unresolved(Why::Dynamic) => self.dynamic += 1,
        }
    }
}
