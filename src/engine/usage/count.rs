//! Counts the call sites of one definition.

use compact_str::CompactString;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::{ArgumentSet, OverloadUsage, ParameterUsage, Usage, ledger::has_spread};
use crate::program::{
    Argument, ArgumentKind, BoundParameter, CallForm, CallId, CallSite, Calls, FileId, OverloadChoice, Parameter,
    ParameterKind, ParameterSet, Signature,
};

/// The greatest number of literal values that are kept for one parameter.
const MAX_VALUES: usize = 8;

/// Counts the calls `ids`, all of them resolved to one definition with this signature and this number of overloads. A
/// call that is listed twice counts twice. The calls of a file, and equal ids, must follow each other. `used` are
/// parameters that other calls pass. `origin` returns the position of a call's origin in
/// [`crate::source::Origin::ALL`].
pub(crate) fn count(
    signature: Option<&Signature>,
    overloads: usize,
    calls: &Calls,
    ids: impl Iterator<Item = CallId>,
    used: ParameterSet,
    origin: impl Fn(&CallSite) -> usize,
) -> Usage {
    let reader = CallReader::new(signature, overloads);
    let mut counter = UsageCounter::new(signature, overloads, used);
    let mut sites = Vec::new();
    for id in ids {
        let call = calls.site(id);
        counter.add(&reader.read(calls, id), id, call.file, origin(call));
        sites.push(id);
    }
    Usage { calls: sites, ..counter.finish() }
}

/// The parameters and literals that one call passes to its callee.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PassedArguments<'a> {
    /// The parameters that are visibly passed, by position in the signature.
    pub(crate) passed: ParameterSet,
    /// The part of `passed` whose first argument in the call is positional.
    pub(crate) positional: ParameterSet,
    /// The parameters that the call may pass in a way that is not visible.
    pub(crate) unknown: ParameterSet,
    /// The literals that are passed, each with the position of its parameter.
    pub(crate) literals: SmallVec<[(usize, &'a str); 4]>,
    /// See [`ArgumentSet::open`].
    pub(crate) open: bool,
    /// True if the call has a spread.
    pub(crate) spread: bool,
    /// True if the code around the call expects that it fails.
    pub(crate) expects_error: bool,
    /// The overload that the call takes.
    pub(crate) choice: Option<OverloadChoice>,
}

/// Reads the parameters and literals that the calls of one definition pass.
pub(crate) struct CallReader<'s> {
    signature: Option<&'s Signature>,
    overloads: usize,
    /// The positions that [`Parameter::object`] of other parameters names: object parameters, and `**kwargs` with known
    /// keywords.
    objects: ParameterSet,
}

impl<'s> CallReader<'s> {
    /// A reader for a definition with this signature and this number of overloads.
    pub(crate) fn new(signature: Option<&'s Signature>, overloads: usize) -> Self {
        let parameters = signature.map_or(&[][..], |signature| &signature.parameters);
        let objects = parameters.iter().filter_map(|p| p.object.map(usize::from)).collect();
        Self { signature, overloads, objects }
    }

    /// The parameters and literals that a call passes.
    pub(crate) fn read<'a>(&self, calls: &'a Calls, id: CallId) -> PassedArguments<'a> {
        let call = calls.site(id);
        let arguments = calls.arguments(call);
        let mut visible = VisibleArguments::default();
        for argument in arguments {
            visible.add(argument, self.signature, &self.objects, call.form);
        }
        let unknown = self.signature.map(|s| unknown(s, arguments, &visible)).unwrap_or_default();
        let choice = calls.overload(id).filter(|choice| choice.position() < self.overloads);
        let VisibleArguments { passed, positional, literals, open, .. } = visible;
        // A call that no overload accepts cannot be written from any overload, so it counts as open.
        let open = open || self.overloads > 0 && choice.is_none();
        let (spread, expects_error) = (has_spread(arguments), call.expects_error);
        PassedArguments { passed, positional, unknown, literals, open, spread, expects_error, choice }
    }
}

/// Counts the calls of one definition, one after the other.
///
/// A parameter that no call passes but those which are expected to fail counts as never passed, unless it is required:
/// nobody uses it. Such a call counts like any other, without that parameter and without its literals.
#[derive(Debug)]
pub(crate) struct UsageCounter {
    usage: Usage,
    /// The parameters that are required, or that other calls pass.
    used: ParameterSet,
    counts: ParameterCounts,
    overloads: Vec<(u32, Option<ParameterCounts>)>,
    /// The calls of each argument set; apart from those that are expected to fail.
    sets: FxHashMap<SetKey, SetCount>,
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
        Self {
            usage: Usage::default(),
            used,
            counts: ParameterCounts::new(parameters.len()),
            overloads: (0..overloads).map(|_| (0, None)).collect(),
            sets: FxHashMap::default(),
            failing_sets: FxHashMap::default(),
        }
    }

    /// Counts one call. The calls of a file, and equal ids, must follow each other. `origin` is the position of the
    /// call's origin in [`crate::source::Origin::ALL`].
    pub(crate) fn add(&mut self, call: &PassedArguments<'_>, id: CallId, file: FileId, origin: usize) {
        let parameters = self.counts.rows.len();
        self.usage.total_calls += 1;
        self.usage.origins[origin] += 1;
        self.counts.add(call);
        let mut set = call.passed.clone();
        if let Some(choice) = call.choice {
            set.insert(parameters + choice.position());
        }
        if let Some(OverloadChoice::Taken(overload)) = call.choice {
            let (calls, counts) = &mut self.overloads[usize::from(overload)];
            *calls += 1;
            counts.get_or_insert_with(|| ParameterCounts::new(parameters)).add(call);
        }
        self.usage.ledger.spread += u32::from(call.spread);
        let sets = if call.expects_error { &mut self.failing_sets } else { &mut self.sets };
        sets.entry((set, call.open)).or_default().add(id, file);
    }

    /// The usage, without call sites.
    pub(crate) fn finish(self) -> Usage {
        let Self { mut usage, mut used, counts, overloads, mut sets, failing_sets } = self;
        let parameters = counts.rows.len();
        used.extend_with(&(0..parameters).filter(|&position| counts.rows[position].count > 0).collect());
        for ((passed, open), count) in failing_sets {
            let is_kept = |position: &usize| *position >= parameters || used.contains(*position);
            sets.entry((passed.iter().filter(is_kept).collect(), open)).or_default().merge(count);
        }
        usage.ledger.resolved = usage.total_calls;
        usage.argument_sets =
            sets.into_iter().map(|((parameters, open), count)| count.finish(parameters, open)).collect();
        usage.argument_sets.sort_unstable_by(|a, b| {
            b.calls.cmp(&a.calls).then_with(|| a.parameters.cmp(&b.parameters)).then(a.open.cmp(&b.open))
        });
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

    /// The counts. Calls that are expected to fail pass the parameters in `used` alone.
    fn finish(mut self, used: &ParameterSet) -> Vec<ParameterUsage> {
        for (row, counts) in self.rows.iter_mut().zip(self.values) {
            row.values = counts.into_iter().collect();
            row.values.sort_unstable_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
            row.values.truncate(MAX_VALUES);
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
    /// Each file with its calls, and how many of them are different.
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

    /// Adds the calls of another set. No call is in both.
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

    /// The worth of the calls of a file is the square root of their number, times their weight.
    fn finish(self, parameters: ParameterSet, open: bool) -> ArgumentSet {
        let of_file =
            |&(_, calls, different): &(FileId, u32, u32)| f64::from(calls) / f64::from(different.max(1)).sqrt();
        let worth = self.files.iter().map(of_file).sum::<f64>() * f64::from(ArgumentSet::WORTH_OF_A_CALL);
        ArgumentSet { parameters, open, calls: self.calls, worth: worth.round() as u32 }
    }
}

/// The arguments of one call that the call site shows.
#[derive(Default)]
struct VisibleArguments<'a> {
    passed: ParameterSet,
    /// The parameters in `passed` whose first argument in the call is positional.
    positional: ParameterSet,
    /// Object parameters whose object literal shows the names of all its properties.
    fully_visible: ParameterSet,
    /// The literals that are passed, each with the position of its parameter.
    literals: SmallVec<[(usize, &'a str); 4]>,
    /// True if the call may pass parameters or properties that the call site does not show.
    open: bool,
}

impl<'a> VisibleArguments<'a> {
    /// Adds an argument. `objects` are the parameters that have properties.
    fn add(&mut self, argument: &'a Argument, signature: Option<&Signature>, objects: &ParameterSet, form: CallForm) {
        let position = match argument.bound {
            BoundParameter::Parameter(position) => usize::from(position),
            BoundParameter::Receiver(_) => return,
            BoundParameter::Named(_) | BoundParameter::Unknown => {
                self.open = true;
                return;
            }
        };
        // A call may pass several arguments to `*args`, but counts only once. Its first argument decides whether the
        // call passes the parameter by position.
        if !self.passed.contains(position) && argument.kind == ArgumentKind::Positional {
            self.positional.insert(position);
        }
        self.passed.insert(position);
        self.literals.extend(argument.value.as_deref().map(|literal| (position, literal)));
        if let Some(receiver) = signature.and_then(|signature| signature.receiver_of_keyword(position)) {
            self.passed.insert(receiver);
        }
        let parameter = signature.and_then(|signature| signature.parameters.get(position));
        let is_variadic = parameter.is_some_and(Parameter::is_variadic);
        // If the sources do not declare all parameters, no call is known to pass all of them.
        let is_incomplete = signature.is_some_and(|signature| signature.is_incomplete);
        // A keyword without a parameter of its own cannot be shown by its name.
        self.open |= is_variadic && (is_incomplete || argument.kind == ArgumentKind::Keyword);
        if is_variadic || !objects.contains(position) {
            return;
        }
        // An object that is no literal may have any property. Its properties are unknown, but the call stays closed:
        // all of its arguments are visible.
        let Some(properties) = &argument.keys else { return };
        let mut hides_names = false;
        for property in properties {
            if let Some(bound) = property.bound.map(usize::from) {
                self.passed.insert(bound);
                // The properties of an object literal inside another one are not recorded.
                self.open |= objects.contains(bound);
                self.literals.extend(property.value.as_deref().map(|literal| (bound, literal)));
            } else {
                hides_names |= property.hides_name();
                self.open |= !is_implicit_attribute(form, &property.name);
            }
        }
        if !hides_names {
            self.fully_visible.insert(position);
        }
    }
}

/// True for an attribute that every JSX element accepts without declaring it: `key`, `ref`, `children`, and names with
/// a hyphen, which the TypeScript handbook ("JSX", attribute type checking) exempts from checking.
fn is_implicit_attribute(form: CallForm, name: &str) -> bool {
    form == CallForm::Jsx && (matches!(name, "key" | "ref" | "children") || name.contains('-'))
}

/// The parameters that the call may or may not pass: those that a spread may reach, and the properties of objects whose
/// property names are not visible.
fn unknown(signature: &Signature, arguments: &[Argument], visible: &VisibleArguments<'_>) -> ParameterSet {
    let mut unknown = ParameterSet::new();
    let has = |kind| arguments.iter().any(|a| a.kind == kind);
    let (star, double_star) = (has(ArgumentKind::Star), has(ArgumentKind::DoubleStar));
    // In a signature, an object parameter precedes its properties. So this loop has decided whether the object is
    // unknown when it reaches the properties.
    for (position, parameter) in signature.parameters.iter().enumerate() {
        let is_reached = match parameter.kind {
            ParameterKind::PositionalOnly | ParameterKind::VarPositional => star,
            ParameterKind::Standard => star || double_star,
            ParameterKind::KeywordOnly | ParameterKind::VarKeyword => double_star,
            ParameterKind::Property if signature.receiver_of_keyword(position).is_some() => double_star,
            ParameterKind::Property => parameter.object.map(usize::from).is_some_and(|object| {
                unknown.contains(object) || visible.passed.contains(object) && !visible.fully_visible.contains(object)
            }),
        };
        if is_reached && !visible.passed.contains(position) {
            unknown.insert(position);
        }
    }
    unknown
}

/// The spelling under which a literal is counted: `'a'` becomes `"a"`.
pub fn canonical_literal(literal: &str) -> CompactString {
    let inner = literal.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
    match inner.filter(|inner| !inner.contains(['\'', '"', '\\'])) {
        Some(inner) => compact_str::format_compact!("\"{inner}\""),
        None => literal.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{CallsBuilder, PropertyArgument, ReceiverLink, Resolution, UnresolvedReason};

    /// `fetch(url, options?: { timeout?, retries? })`
    fn signature() -> Signature {
        let parameter = |name: &str, kind, object| Parameter {
            name: name.into(),
            kind,
            annotation: None,
            default: None,
            required: false,
            inherited_from: None,
            object,
        };
        let parameters = vec![
            parameter("url", ParameterKind::Standard, None),
            parameter("options", ParameterKind::Standard, None),
            parameter("timeout", ParameterKind::Property, Some(1)),
            parameter("retries", ParameterKind::Property, Some(1)),
        ];
        Signature { parameters: parameters.into(), ..Signature::default() }
    }

    /// One call. Each text is an argument, bound by its position: `x` is any value, `...` a spread, and `{` begins an
    /// object literal with the names of its properties.
    fn call(form: CallForm, arguments: &[&str]) -> Calls {
        let property = |name: &str| PropertyArgument {
            name: name.into(),
            bound: signature().parameters.iter().position(|p| p.name == name).map(|at| at as u16),
            value: (name == "timeout").then(|| "30".into()),
        };
        let argument = |(at, text): (usize, &&str)| Argument {
            bound: if *text == "..." { BoundParameter::Unknown } else { BoundParameter::Parameter(at as u16) },
            kind: if *text == "..." { ArgumentKind::Star } else { ArgumentKind::Positional },
            value: None,
            keys: text.strip_prefix('{').map(|names| names.split_whitespace().map(property).collect()),
        };
        let mut calls = CallsBuilder::default();
        let arguments: Vec<Argument> = arguments.iter().enumerate().map(argument).collect();
        let arguments = calls.intern_arguments(&arguments);
        let resolution = Resolution::Unresolved(UnresolvedReason::Dynamic);
        let site = CallSite {
            file: FileId::new(0),
            line: 1,
            col: 0,
            caller: None,
            receiver: None,
            resolution,
            form,
            expects_error: false,
            receiver_link: ReceiverLink::default(),
            arguments,
        };
        calls.push(site, None);
        calls.finish(|text| text.into())
    }

    /// Per parameter, the calls that pass it and the calls that may pass it; then whether the argument set is open.
    fn counted(form: CallForm, arguments: &[&str]) -> ([(u32, u32); 4], bool) {
        let (signature, call) = (signature(), call(form, arguments));
        let usage = count(Some(&signature), 0, &call, std::iter::once(CallId::new(0)), ParameterSet::new(), |_| 0);
        let rows: Vec<(u32, u32)> = usage.parameters.iter().map(|row| (row.count, row.unknown)).collect();
        (rows.try_into().expect("four rows"), usage.argument_sets[0].open)
    }

    /// Per parameter, the calls that pass it, of calls of `f(a, b?, c?)`. Each text names the passed parameters; `!` begins
    /// a call that is expected to fail. Then the argument sets.
    fn counted_with_failures(texts: &[&str]) -> (Vec<u32>, Vec<(Vec<usize>, u32)>) {
        let parameter = |name: &str| Parameter {
            name: name.into(),
            kind: ParameterKind::Standard,
            annotation: None,
            default: None,
            required: name == "a",
            inherited_from: None,
            object: None,
        };
        let signature =
            Signature { parameters: ["a", "b", "c"].map(parameter).to_vec().into(), ..Signature::default() };
        let mut calls = CallsBuilder::default();
        for text in texts {
            let position = |c: char| "abc".find(c).map(|at| at as u16);
            let argument = |at| Argument {
                bound: BoundParameter::Parameter(at),
                kind: ArgumentKind::Keyword,
                value: Some("1".into()),
                keys: None,
            };
            let arguments: Vec<Argument> = text.chars().filter_map(position).map(argument).collect();
            let site = CallSite {
                file: FileId::new(0),
                line: 1,
                col: 0,
                caller: None,
                receiver: None,
                resolution: Resolution::Unresolved(UnresolvedReason::Dynamic),
                form: CallForm::Name,
                expects_error: text.starts_with('!'),
                receiver_link: ReceiverLink::default(),
                arguments: calls.intern_arguments(&arguments),
            };
            calls.push(site, None);
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
        // A required one is passed all the same, and no call is lost.
        assert_eq!(counted_with_failures(&["!a", "!ac"]), (vec![2, 0, 0], vec![(vec![0], 2)]));
        // One call that is meant to work shows that the argument is used.
        assert_eq!(counted_with_failures(&["!ac", "ac"]), (vec![2, 0, 2], vec![(vec![0, 2], 2)]));
    }

    #[test]
    fn an_object_literal_shows_every_property() {
        assert_eq!(counted(CallForm::Name, &["x", "{timeout"]), ([(1, 0), (1, 0), (1, 0), (0, 0)], false));
        assert_eq!(counted(CallForm::Name, &["x", "{"]), ([(1, 0), (1, 0), (0, 0), (0, 0)], false));
        let call = call(CallForm::Name, &["x", "{timeout"]);
        let usage = count(Some(&signature()), 0, &call, std::iter::once(CallId::new(0)), ParameterSet::new(), |_| 0);
        assert_eq!(usage.parameters[2].values, [("30".into(), 1)]);
        assert_eq!((usage.parameters[1].positional, usage.parameters[2].positional), (1, 0));
    }

    /// The worth of the calls, each in one of these files, and then counted `weight` times.
    fn worth(files: &[usize], weight: usize) -> u32 {
        let mut calls = CallsBuilder::default();
        for &file in files {
            let (file, form) = (FileId::new(file), CallForm::Name);
            let (resolution, arguments) =
                (Resolution::Unresolved(UnresolvedReason::Dynamic), calls.intern_arguments(&[]));
            calls.push(
                CallSite {
                    file,
                    line: 1,
                    col: 0,
                    caller: None,
                    receiver: None,
                    resolution,
                    form,
                    expects_error: false,
                    receiver_link: ReceiverLink::default(),
                    arguments,
                },
                None,
            );
        }
        let calls = calls.finish(|text| text.into());
        let ids = (0..files.len()).flat_map(|at| std::iter::repeat_n(CallId::new(at), weight));
        count(None, 0, &calls, ids, ParameterSet::new(), |_| 0).worth() as u32
    }

    #[test]
    fn calls_of_many_files_are_worth_more_than_as_many_of_one_file() {
        let call = ArgumentSet::WORTH_OF_A_CALL;
        assert_eq!([worth(&[0], 1), worth(&[0; 9], 1), worth(&[0, 1, 2, 3], 1)], [call, 3 * call, 4 * call]);
        assert_eq!(worth(&[0, 0, 0, 0, 1], 1), 3 * call);
        // A weight multiplies the worth.
        assert_eq!([worth(&[0], 3), worth(&[0, 0, 0, 0, 1], 3)], [3 * call, 9 * call]);
    }

    #[test]
    fn without_the_object_its_properties_are_not_passed() {
        assert_eq!(counted(CallForm::Name, &["x"]), ([(1, 0), (0, 0), (0, 0), (0, 0)], false));
    }

    #[test]
    fn a_spread_or_a_computed_name_makes_other_properties_unknown() {
        let expected = ([(1, 0), (1, 0), (1, 0), (0, 1)], true);
        assert_eq!(counted(CallForm::Name, &["x", "{... timeout"]), expected);
        assert_eq!(counted(CallForm::Name, &["x", "{timeout []"]), expected);
    }

    #[test]
    fn an_object_that_is_no_literal_may_have_any_property() {
        // All arguments are visible, so the argument set is closed.
        assert_eq!(counted(CallForm::Name, &["x", "x"]), ([(1, 0), (1, 0), (0, 1), (0, 1)], false));
        assert_eq!(counted(CallForm::Name, &["..."]), ([(0, 1), (0, 1), (0, 1), (0, 1)], true));
    }

    #[test]
    fn a_property_that_is_not_declared_opens_the_argument_set() {
        assert_eq!(counted(CallForm::Name, &["x", "{other"]), ([(1, 0), (1, 0), (0, 0), (0, 0)], true));
        // Attributes that every element accepts do not.
        assert_eq!(counted(CallForm::Jsx, &["x", "{key data-id"]), ([(1, 0), (1, 0), (0, 0), (0, 0)], false));
    }

    #[test]
    fn literals_with_either_quote_are_counted_together() {
        for (literal, spelling) in [
            ("'a b'", "\"a b\""),
            ("\"a\"", "\"a\""),
            ("''", "\"\""),
            ("'\"'", "'\"'"),
            ("'\\n'", "'\\n'"),
            ("b'a'", "b'a'"),
            ("'", "'"),
        ] {
            assert_eq!(canonical_literal(literal), spelling);
        }
    }
}
