//! The counts of the calls of one definition, while they are counted.

use compact_str::CompactString;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::{ArgumentSet, MemberUsage, OverloadUsage, ParameterUsage, PassedArguments, Usage, canonical_literal};
use apidisc_facts::program::{CallId, FileId, OverloadChoice, ParameterSet, Signature};

/// Counts the calls of one definition, one after the other.
///
/// A parameter that is passed only by calls that are expected to fail counts as never passed, unless it is required. A
/// call that is expected to fail counts like any other call, but without such parameters and without its literals.
#[derive(Debug)]
pub(crate) struct UsageCounter {
    usage: Usage,
    /// The parameters that are required, or that other calls pass.
    used: ParameterSet,
    counts: ParameterCounts,
    /// For each overload, the calls that certainly take it, and their counts if there are any.
    overloads: Vec<(u32, Option<ParameterCounts>)>,
    /// The counts of each member of the returned object.
    taken: Vec<MemberUsage>,
    /// The calls of each argument set, without the calls that are expected to fail.
    sets: FxHashMap<SetKey, SetCount>,
    /// The calls of each argument set that are expected to fail.
    failing_sets: FxHashMap<SetKey, SetCount>,
}

/// The parameters of an argument set, and whether it is open.
type SetKey = (ParameterSet, bool);

impl UsageCounter {
    /// A counter for a definition with this signature and this number of overloads. `used` are parameters that other
    /// calls pass.
    pub(crate) fn new(signature: Option<&Signature>, overloads: usize, mut used: ParameterSet) -> Self {
        let parameters = signature.map_or(&[][..], |signature| &signature.parameters);
        used.extend_with(&(0..parameters.len()).filter(|&position| parameters[position].required).collect());
        let members =
            signature.and_then(|signature| signature.result.as_ref()).map_or(0, |result| result.members.len());
        Self {
            usage: Usage::default(),
            used,
            counts: ParameterCounts::new(parameters.len()),
            overloads: (0..overloads).map(|_| (0, None)).collect(),
            taken: vec![MemberUsage::default(); members],
            sets: FxHashMap::default(),
            failing_sets: FxHashMap::default(),
        }
    }

    /// Counts one call. Calls must be added file by file, and a call that counts several times must be added several
    /// times in a row. `origin` is the position of the call's origin in [`apidisc_facts::source::Origin::ALL`].
    pub(crate) fn add(&mut self, call: &PassedArguments<'_>, id: CallId, file: FileId, origin: usize) {
        let parameters = self.counts.rows.len();
        self.usage.total_calls += 1;
        self.usage.origins[origin] += 1;
        self.counts.add(call);
        for (position, row) in self.taken.iter_mut().enumerate() {
            let Some(taken) = call.taken else { break };
            let is_taken = taken.members.contains(position);
            row.count += u32::from(is_taken);
            row.known += u32::from(is_taken || !taken.is_open);
        }
        let set = call.set(parameters);
        if let Some(OverloadChoice::Taken(overload)) = call.choice {
            let (calls, counts) = &mut self.overloads[usize::from(overload)];
            *calls += 1;
            counts.get_or_insert_with(|| ParameterCounts::new(parameters)).add(call);
        }
        self.usage.ledger.spread += u32::from(call.spread);
        let sets = if call.expects_error { &mut self.failing_sets } else { &mut self.sets };
        sets.entry((set, call.open)).or_default().add(id, file);
    }

    /// The usage, without call sites and with all values.
    pub(crate) fn finish(self) -> Usage {
        let Self { mut usage, mut used, counts, overloads, taken, mut sets, failing_sets } = self;
        let parameters = counts.rows.len();
        used.extend_with(&(0..parameters).filter(|&position| counts.rows[position].count > 0).collect());
        for ((passed, open), count) in failing_sets {
            let is_kept = |position: &usize| *position >= parameters || used.contains(*position);
            sets.entry((passed.iter().filter(is_kept).collect(), open)).or_default().merge(count);
        }
        if taken.iter().any(|row| row.known > 0) {
            usage.taken = taken;
        }
        usage.ledger.resolved = usage.total_calls;
        usage.argument_sets =
            sets.into_iter().map(|((parameters, open), count)| count.finish(parameters, open)).collect();
        usage.sort_argument_sets();
        usage.parameters = counts.finish(&used);
        let finish = |(calls, counts): (u32, Option<ParameterCounts>)| OverloadUsage {
            calls,
            parameters: counts.map_or_else(Vec::new, |counts| counts.finish(&used)),
        };
        usage.overloads = overloads.into_iter().map(finish).collect();
        usage
    }
}

/// The counts of each parameter, by position in the signature.
#[derive(Debug)]
struct ParameterCounts {
    rows: Vec<ParameterUsage>,
    values: Vec<FxHashMap<CompactString, u32>>,
    /// Per parameter, the calls that pass it and are expected to fail, and those of them that pass it by position.
    failing: Vec<(u32, u32)>,
}

impl ParameterCounts {
    fn new(parameters: usize) -> Self {
        Self {
            rows: vec![ParameterUsage::default(); parameters],
            values: vec![FxHashMap::default(); parameters],
            failing: Vec::new(),
        }
    }

    /// Adds one call.
    fn add(&mut self, call: &PassedArguments<'_>) {
        for position in call.unknown.iter() {
            self.rows[position].unknown += 1;
        }
        if call.expects_error {
            self.failing.resize(self.rows.len(), (0, 0));
            for position in call.passed.iter() {
                self.failing[position].0 += 1;
                self.failing[position].1 += u32::from(call.positional.contains(position));
            }
            return;
        }
        for position in call.passed.iter() {
            self.rows[position].count += 1;
            self.rows[position].positional += u32::from(call.positional.contains(position));
        }
        for &(position, literal) in &call.literals {
            *self.values[position].entry(canonical_literal(literal)).or_default() += 1;
        }
    }

    /// The counts. Of calls that are expected to fail, only the parameters in `used` count.
    fn finish(mut self, used: &ParameterSet) -> Vec<ParameterUsage> {
        for (row, counts) in self.rows.iter_mut().zip(self.values) {
            row.values = counts.into_iter().collect();
            row.sort_values();
        }
        for (position, (count, positional)) in self.failing.into_iter().enumerate() {
            if used.contains(position) {
                self.rows[position].count += count;
                self.rows[position].positional += positional;
            }
        }
        self.rows
    }
}

/// The calls of one argument set, while they are counted.
#[derive(Debug, Default)]
struct SetCount {
    calls: u32,
    /// The last call.
    last: Option<CallId>,
    /// Per file, the sum of the weights of its call sites, and the number of its call sites.
    files: SmallVec<[(FileId, u32, u32); 1]>,
}

impl SetCount {
    fn add(&mut self, id: CallId, file: FileId) {
        self.calls += 1;
        let is_other = u32::from(self.last.replace(id) != Some(id));
        match self.files.last_mut().filter(|(last, ..)| *last == file) {
            Some((_, calls, different)) => (*calls, *different) = (*calls + 1, *different + is_other),
            None => self.files.push((file, 1, is_other)),
        }
    }

    /// Adds the calls of another set, which has no call in common with this one.
    fn merge(&mut self, other: Self) {
        self.calls += other.calls;
        self.files.extend(other.files);
        self.files.sort_unstable();
        self.files.dedup_by(|next, file| {
            let is_same = next.0 == file.0;
            if is_same {
                (file.1, file.2) = (file.1 + next.1, file.2 + next.2);
            }
            is_same
        });
    }

    /// The counts as an argument set. The worth of the calls of a file is the square root of the number of call sites
    /// in the file, multiplied by their weight.
    fn finish(self, parameters: ParameterSet, open: bool) -> ArgumentSet {
        let of_file =
            |&(_, calls, different): &(FileId, u32, u32)| f64::from(calls) / f64::from(different.max(1)).sqrt();
        let worth = self.files.iter().map(of_file).sum::<f64>() * f64::from(ArgumentSet::WORTH_OF_A_CALL);
        ArgumentSet { parameters, open, calls: self.calls, worth: worth.round() as u32 }
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{call_site, count},
        *,
    };
    use apidisc_facts::program::{
        Argument, ArgumentKind, BoundParameter, CallForm, CallSite, CallSyntax, CallsBuilder, Parameter, ParameterKind,
    };

    /// Per parameter, the calls that pass it, of calls of `f(a, b?, c?)`. Each text names the passed parameters; `!`
    /// begins a call that is expected to fail. Then the argument sets.
    fn counted_with_failures(texts: &[&str]) -> (Vec<u32>, Vec<(Vec<usize>, u32)>) {
        let parameter = |name: &str| Parameter {
            required: name == "a",
            ..Parameter::optional(name.into(), ParameterKind::Standard, None)
        };
        let signature =
            Signature { parameters: ["a", "b", "c"].map(parameter).to_vec().into(), ..Signature::default() };
        let mut calls = CallsBuilder::default();
        for text in texts {
            let position = |c: char| "abc".find(c).map(|at| at as u16);
            let argument = |at| Argument {
                forwarded: None,
                bound: BoundParameter::Parameter(at),
                kind: ArgumentKind::Keyword,
                value: Some("1".into()),
                keys: None,
            };
            let arguments: Vec<Argument> = text.chars().filter_map(position).map(argument).collect();
            let site = call_site(0, CallForm::Name, calls.intern_arguments(&arguments));
            let syntax = CallSyntax { expects_error: text.starts_with('!'), ..site.syntax };
            calls.push(CallSite { syntax, ..site }, None);
        }
        let calls = calls.finish(|text| text.into());
        let ids = (0..texts.len()).map(CallId::new);
        let usage = count(Some(&signature), 0, &calls, ids, ParameterSet::new(), |_| 0);
        let sets = usage.argument_sets.iter().map(|set| (set.parameters.iter().collect(), set.calls)).collect();
        (usage.parameters.iter().map(|row| row.count).collect(), sets)
    }

    #[test]
    fn an_argument_that_only_failing_calls_pass_counts_as_never_passed() {
        let sets = vec![(vec![0, 1], 2), (vec![0], 1)];
        assert_eq!(counted_with_failures(&["ab", "a", "!abc"]), (vec![3, 2, 0], sets));
        // A required parameter counts as passed, and no call is lost.
        assert_eq!(counted_with_failures(&["!a", "!ac"]), (vec![2, 0, 0], vec![(vec![0], 2)]));
        // One call that is meant to work shows that the argument is used.
        assert_eq!(counted_with_failures(&["!ac", "ac"]), (vec![2, 0, 2], vec![(vec![0, 2], 2)]));
    }
}
