//! Counts the call sites of one definition.

use compact_str::CompactString;
use rustc_hash::FxHashMap;

use super::{ArgumentSet, Ledger, ParameterUsage, Usage};
use crate::program::{Argument, ArgumentKind, BoundParameter, CallForm, CallSite, Calls, ParameterSet, SPREAD};
use crate::program::{CallId, ParameterKind, Signature};

/// Values of one parameter that are kept.
const MAX_VALUES: usize = 8;

/// The usage that these of `calls`, all of them resolved to one definition, make of its signature. `origin` is the
/// place of a call's file in [`crate::source::Origin::ALL`].
pub(crate) fn count(
    signature: Option<&Signature>,
    calls: &Calls,
    ids: impl Iterator<Item = CallId>,
    origin: impl Fn(&CallSite) -> usize,
) -> Usage {
    let parameters = signature.map_or(&[][..], |s| &s.parameters);
    let mut usage = Usage { parameters: vec![ParameterUsage::default(); parameters.len()], ..Usage::default() };
    let mut sets: FxHashMap<(ParameterSet, bool), u32> = FxHashMap::default();
    let mut values: Vec<FxHashMap<CompactString, u32>> = vec![FxHashMap::default(); parameters.len()];
    let objects: ParameterSet = parameters.iter().filter_map(|p| p.within.map(usize::from)).collect();
    for id in ids {
        let call = calls.site(id);
        let arguments = calls.arguments(call);
        usage.total_calls += 1;
        usage.origins[origin(call)] += 1;
        usage.calls.push(id);
        let mut sight = Sight::default();
        for argument in arguments {
            sight.see(argument, &objects, call.form, |place, value| {
                if let Some(value) = value {
                    *values[place].entry(one_spelling(value)).or_default() += 1;
                }
            });
        }
        let Sight { passed, positional, open, .. } = &sight;
        for place in passed.iter() {
            usage.parameters[place].count += 1;
            usage.parameters[place].positional += u32::from(positional.contains(place));
        }
        for place in signature.map(|s| unknown(s, arguments, &sight)).unwrap_or_default().iter() {
            usage.parameters[place].unknown += 1;
        }
        usage.ledger.spread += u32::from(has_spread(arguments));
        *sets.entry((passed.clone(), *open)).or_default() += 1;
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

/// What is seen of what one call passes.
#[derive(Default)]
struct Sight {
    passed: ParameterSet,
    /// Those of `passed` that are first passed by position.
    positional: ParameterSet,
    /// Objects all of whose properties are seen.
    whole: ParameterSet,
    /// More may be passed than is seen.
    open: bool,
}

impl Sight {
    /// Looks at an argument; `pass` is told of everything that it gives. `objects` are parameters with properties.
    fn see(
        &mut self,
        argument: &Argument,
        objects: &ParameterSet,
        form: CallForm,
        mut pass: impl FnMut(usize, Option<&str>),
    ) {
        let place = match argument.bound {
            BoundParameter::Parameter(place) => usize::from(place),
            BoundParameter::Receiver(_) => return,
            BoundParameter::Named(_) | BoundParameter::Unknown => {
                self.open = true;
                return;
            }
        };
        // `f(*args)` may take several arguments of one call: it is passed once.
        if !self.passed.contains(place) && argument.kind == ArgumentKind::Positional {
            self.positional.insert(place);
        }
        self.passed.insert(place);
        pass(place, argument.value.as_deref());
        if !objects.contains(place) {
            return;
        }
        // What is no literal may have any property: of those nothing is known, of the arguments everything is.
        let Some(keys) = &argument.keys else { return };
        let mut hides = false;
        for key in keys {
            if let Some(property) = key.bound.map(usize::from) {
                self.passed.insert(property);
                // A literal within a literal is not looked into.
                self.open |= objects.contains(property);
                pass(property, key.value.as_deref());
            } else {
                hides |= key.is_unseen();
                self.open |= !is_free(form, &key.name);
            }
        }
        if !hides {
            self.whole.insert(place);
        }
    }
}

/// True for attributes that every JSX element takes, whatever its component declares.
fn is_free(form: CallForm, name: &str) -> bool {
    form == CallForm::Jsx && (matches!(name, "key" | "ref" | "children") || name.contains('-'))
}

/// The parameters of which a call does not tell whether it passes them: those that its spreads reach, and properties
/// of objects that are not seen.
fn unknown(signature: &Signature, arguments: &[Argument], sight: &Sight) -> ParameterSet {
    let mut unknown = ParameterSet::new();
    let has = |kind| arguments.iter().any(|a| a.kind == kind);
    let (star, double_star) = (has(ArgumentKind::Star), has(ArgumentKind::DoubleStar));
    for (place, parameter) in signature.parameters.iter().enumerate() {
        let is_reached = match parameter.kind {
            ParameterKind::PositionalOnly | ParameterKind::VarPositional => star,
            ParameterKind::Standard => star || double_star,
            ParameterKind::KeywordOnly | ParameterKind::VarKeyword => double_star,
            ParameterKind::Property => parameter.within.map(usize::from).is_some_and(|object| {
                unknown.contains(object) || sight.passed.contains(object) && !sight.whole.contains(object)
            }),
        };
        if is_reached && !sight.passed.contains(place) {
            unknown.insert(place);
        }
    }
    unknown
}

/// True where something that is passed is not written out.
fn has_spread(arguments: &[Argument]) -> bool {
    let is_spread = |a: &Argument| matches!(a.kind, ArgumentKind::Star | ArgumentKind::DoubleStar);
    let has_spread = |a: &Argument| a.keys.iter().flatten().any(|key| key.name == SPREAD);
    arguments.iter().any(|argument| is_spread(argument) || has_spread(argument))
}

impl Ledger {
    /// Adds one call site to the ledger of a whole index.
    pub(crate) fn add(&mut self, calls: &Calls, call: &CallSite) {
        use crate::program::{Resolution, UnresolvedReason};
        match call.resolution {
            Resolution::Resolved(_) => {
                self.resolved += 1;
                self.spread += u32::from(has_spread(calls.arguments(call)));
            }
            Resolution::Ambiguous(_) => self.ambiguous += 1,
            Resolution::Unresolved(UnresolvedReason::External) => self.external += 1,
            Resolution::Unresolved(UnresolvedReason::UnknownReceiver) => self.unknown_receiver += 1,
            Resolution::Unresolved(UnresolvedReason::UnknownName) => self.unknown_name += 1,
            Resolution::Unresolved(UnresolvedReason::Dynamic) => self.dynamic += 1,
        }
    }
}

/// A literal in the spelling that it is counted by: `'a'` is the same as `"a"`.
pub fn one_spelling(literal: &str) -> CompactString {
    let inner = literal.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
    match inner.filter(|inner| !inner.contains(['\'', '"', '\\'])) {
        Some(inner) => compact_str::format_compact!("\"{inner}\""),
        None => literal.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{CallsBuilder, FileId, Parameter, PropertyArgument, Resolution, UnresolvedReason};

    /// `fetch(url, options?: { timeout?, retries? })`
    fn signature() -> Signature {
        let parameter = |name: &str, kind, within| Parameter {
            name: name.into(),
            kind,
            annotation: None,
            default: None,
            required: false,
            inherited_from: None,
            within,
        };
        let parameters = vec![
            parameter("url", ParameterKind::Standard, None),
            parameter("options", ParameterKind::Standard, None),
            parameter("timeout", ParameterKind::Property, Some(1)),
            parameter("retries", ParameterKind::Property, Some(1)),
        ];
        Signature { parameters: parameters.into(), ..Signature::default() }
    }

    /// Arguments from the first parameter on: `x` for any value, `...` for a spread, names in braces for a literal.
    fn call(form: CallForm, arguments: &[&str]) -> Calls {
        let key = |name: &str| PropertyArgument {
            name: name.into(),
            bound: signature().parameters.iter().position(|p| p.name == name).map(|at| at as u16),
            value: (name == "timeout").then(|| "30".into()),
        };
        let argument = |(at, text): (usize, &&str)| Argument {
            bound: if *text == "..." { BoundParameter::Unknown } else { BoundParameter::Parameter(at as u16) },
            kind: if *text == "..." { ArgumentKind::Star } else { ArgumentKind::Positional },
            value: None,
            keys: text.strip_prefix('{').map(|keys| keys.split_whitespace().map(key).collect()),
        };
        let mut gathered = CallsBuilder::default();
        let arguments: Vec<Argument> = arguments.iter().enumerate().map(argument).collect();
        let arguments = gathered.arguments(&arguments);
        let resolution = Resolution::Unresolved(UnresolvedReason::Dynamic);
        gathered.push(CallSite { file: FileId::new(0), line: 1, col: 0, caller: None, resolution, form, arguments });
        gathered.finish(|text| text.into())
    }

    /// Per parameter, calls that pass it and calls that may; then whether the argument set is open.
    fn counted(form: CallForm, arguments: &[&str]) -> ([(u32, u32); 4], bool) {
        let (signature, call) = (signature(), call(form, arguments));
        let usage = count(Some(&signature), &call, std::iter::once(CallId::new(0)), |_| 0);
        let rows: Vec<(u32, u32)> = usage.parameters.iter().map(|row| (row.count, row.unknown)).collect();
        (rows.try_into().expect("four rows"), usage.argument_sets[0].open)
    }

    #[test]
    fn a_literal_tells_of_every_property() {
        assert_eq!(counted(CallForm::Name, &["x", "{timeout"]), ([(1, 0), (1, 0), (1, 0), (0, 0)], false));
        assert_eq!(counted(CallForm::Name, &["x", "{"]), ([(1, 0), (1, 0), (0, 0), (0, 0)], false));
        let call = call(CallForm::Name, &["x", "{timeout"]);
        let usage = count(Some(&signature()), &call, std::iter::once(CallId::new(0)), |_| 0);
        assert_eq!(usage.parameters[2].values, [("30".into(), 1)]);
        assert_eq!((usage.parameters[1].positional, usage.parameters[2].positional), (1, 0));
    }

    #[test]
    fn without_the_object_its_properties_are_absent() {
        assert_eq!(counted(CallForm::Name, &["x"]), ([(1, 0), (0, 0), (0, 0), (0, 0)], false));
    }

    #[test]
    fn what_a_spread_or_a_computed_name_may_give_is_unknown() {
        let unseen = ([(1, 0), (1, 0), (1, 0), (0, 1)], true);
        assert_eq!(counted(CallForm::Name, &["x", "{... timeout"]), unseen);
        assert_eq!(counted(CallForm::Name, &["x", "{timeout []"]), unseen);
    }

    #[test]
    fn what_is_no_literal_may_have_any_property() {
        // Every argument is seen all the same: the call is known.
        assert_eq!(counted(CallForm::Name, &["x", "x"]), ([(1, 0), (1, 0), (0, 1), (0, 1)], false));
        assert_eq!(counted(CallForm::Name, &["..."]), ([(0, 1), (0, 1), (0, 1), (0, 1)], true));
    }

    #[test]
    fn a_property_that_the_type_does_not_have_leaves_the_call_open() {
        assert_eq!(counted(CallForm::Name, &["x", "{other"]), ([(1, 0), (1, 0), (0, 0), (0, 0)], true));
        // But for those that every element takes.
        assert_eq!(counted(CallForm::Jsx, &["x", "{key data-id"]), ([(1, 0), (1, 0), (0, 0), (0, 0)], false));
    }

    #[test]
    fn a_literal_is_counted_by_one_spelling() {
        for (literal, spelling) in [
            ("'a b'", "\"a b\""),
            ("\"a\"", "\"a\""),
            ("''", "\"\""),
            ("'\"'", "'\"'"),
            ("'\\n'", "'\\n'"),
            ("b'a'", "b'a'"),
            ("'", "'"),
        ] {
            assert_eq!(one_spelling(literal), spelling);
        }
    }
}
