//! Counts the call sites of one definition.

use compact_str::CompactString;
use smallvec::SmallVec;

use super::{Usage, counter::UsageCounter, ledger::has_spread};
use apidisc_facts::program::{
    Argument, ArgumentKind, BoundParameter, CallForm, CallId, CallSite, Calls, OverloadChoice, Parameter,
    ParameterKind, ParameterSet, Signature, TakenMembers,
};

/// Counts the calls `ids`, all of them resolved to one definition with this signature and this number of overloads. A
/// call that is listed twice counts twice. The calls of a file, and equal ids, must follow each other. `used` are
/// parameters that other calls pass. `origin` returns the position of a call's origin in
/// [`apidisc_facts::source::Origin::ALL`]. The usage has all values of each parameter: see
/// `Usage::with_most_frequent_values`.
pub fn count(
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
pub struct PassedArguments<'a> {
    /// The parameters that are visibly passed, by position in the signature.
    pub passed: ParameterSet,
    /// The part of `passed` whose first argument in the call is positional.
    pub(crate) positional: ParameterSet,
    /// The parameters that the call may pass in a way that is not visible.
    pub(crate) unknown: ParameterSet,
    /// The literals that are passed, each with the position of its parameter.
    pub(crate) literals: SmallVec<[(usize, &'a str); 4]>,
    /// True if the call may pass more than is visible: see [`super::ArgumentSet::open`].
    pub open: bool,
    /// True if the call has a spread.
    pub spread: bool,
    /// True if the code around the call expects that it fails.
    pub(crate) expects_error: bool,
    /// The members that the code around the call takes of the returned object, if this is known.
    pub(crate) taken: Option<&'a TakenMembers>,
    /// The overload that the call takes.
    pub(crate) choice: Option<OverloadChoice>,
}

impl PassedArguments<'_> {
    /// The argument set of the call: the parameters that it visibly passes and the overload that it takes, which
    /// follows the `parameters` parameters of the signature.
    pub(super) fn set(&self, parameters: usize) -> ParameterSet {
        let mut set = self.passed.clone();
        if let Some(choice) = self.choice {
            set.insert(parameters + choice.position());
        }
        set
    }
}

/// Reads the parameters and literals that the calls of one definition pass.
pub struct CallReader<'s> {
    signature: Option<&'s Signature>,
    overloads: usize,
    /// The parameters that have properties: objects, and `**kwargs` with known keywords. [`Parameter::object`] of each
    /// property names the position of its object.
    objects: ParameterSet,
}

impl<'s> CallReader<'s> {
    /// A reader for a definition with this signature and this number of overloads.
    pub fn new(signature: Option<&'s Signature>, overloads: usize) -> Self {
        let parameters = signature.map_or(&[][..], |signature| &signature.parameters);
        let objects = parameters.iter().filter_map(|p| p.object.map(usize::from)).collect();
        Self { signature, overloads, objects }
    }

    /// The argument set of a call and whether it is open, as [`count`] counts them. `used` are the parameters that
    /// count as passed; other parameters, unless they are required, are removed from the set of a call that is expected
    /// to fail.
    pub(crate) fn argument_set(&self, calls: &Calls, id: CallId, used: &ParameterSet) -> (ParameterSet, bool) {
        let call = self.read(calls, id);
        let parameters = self.signature.map_or(&[][..], |signature| &signature.parameters);
        let set = call.set(parameters.len());
        if !call.expects_error {
            return (set, call.open);
        }
        let is_used = |&at: &usize| parameters.get(at).is_none_or(|p| p.required || used.contains(at));
        (set.iter().filter(is_used).collect(), call.open)
    }

    /// The parameters and literals that a call passes.
    pub fn read<'a>(&self, calls: &'a Calls, id: CallId) -> PassedArguments<'a> {
        let call = calls.site(id);
        let arguments = calls.arguments(call);
        let mut visible = VisibleArguments::default();
        for argument in arguments {
            visible.add(argument, self.signature, &self.objects, call.syntax.form);
        }
        let unknown = self.signature.map(|s| unknown(s, arguments, &visible)).unwrap_or_default();
        let choice = calls.overload(id).filter(|choice| choice.position() < self.overloads);
        let VisibleArguments { passed, positional, literals, open, .. } = visible;
        // A call that no overload accepts cannot be written from any overload, so it counts as open.
        let open = open || self.overloads > 0 && choice.is_none();
        let (spread, expects_error) = (has_spread(arguments), call.syntax.expects_error);
        let taken = calls.taken(id);
        PassedArguments { passed, positional, unknown, literals, open, spread, expects_error, taken, choice }
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
        if !self.passed.contains(position) && argument.kind.is_positional() {
            self.positional.insert(position);
        }
        self.passed.insert(position);
        self.literals.extend(argument.value.as_deref().map(|literal| (position, literal)));
        // An argument in `*args` that the callee passes on to a parameter counts for the keyword of the parameter, too.
        let forwarded = argument.forwarded.as_deref().filter(|_| argument.kind.is_positional());
        if let Some(keyword) = forwarded.and_then(|name| signature?.keyword(name)) {
            self.positional.insert(keyword);
            self.passed.insert(keyword);
            self.literals.extend(argument.value.as_deref().map(|literal| (keyword, literal)));
        }
        if let Some(receiver) = signature.and_then(|signature| signature.receiver_of_keyword(position)) {
            self.passed.insert(receiver);
        }
        let parameter = signature.and_then(|signature| signature.parameters.get(position));
        let is_variadic = parameter.is_some_and(Parameter::is_variadic);
        // If the sources do not declare all parameters, a call may pass parameters that are not known.
        let is_incomplete = signature.is_some_and(|signature| signature.is_incomplete);
        // A keyword without a parameter of its own cannot be shown by its name.
        self.open |= is_variadic && (is_incomplete || argument.kind == ArgumentKind::Keyword);
        if is_variadic || !objects.contains(position) {
            return;
        }
        // An object that is not a literal may have any property. Its properties are unknown, but the call is not open:
        // all of its arguments are visible. A string, a number or a truth value has none of the properties.
        let Some(properties) = &argument.keys else {
            if argument.value.as_deref().is_some_and(is_primitive) {
                self.fully_visible.insert(position);
            }
            return;
        };
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

/// True for the text of a string, a number, a truth value or a null value; false for the name of a constant, which may
/// be an object.
fn is_primitive(value: &str) -> bool {
    let is_quoted = value.starts_with(['"', '\'', '`']);
    let digits = value.strip_prefix(['-', '+']).unwrap_or(value);
    let is_word = matches!(value, "true" | "false" | "null" | "undefined" | "True" | "False" | "None");
    is_quoted || digits.starts_with(|c: char| c.is_ascii_digit()) || is_word
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

/// The canonical spelling of a literal, under which it is counted: `'a'` becomes `"a"`.
pub fn canonical_literal(literal: &str) -> CompactString {
    let inner = literal.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
    match inner.filter(|inner| !inner.contains(['\'', '"', '\\'])) {
        Some(inner) => compact_str::format_compact!("\"{inner}\""),
        None => literal.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{ArgumentSet, call_site},
        *,
    };
    use apidisc_facts::program::{CallsBuilder, PropertyArgument};

    /// `fetch(url, options?: { timeout?, retries? })`
    fn signature() -> Signature {
        let parameter = |name: &str, kind, object| Parameter::optional(name.into(), kind, object);
        let parameters = vec![
            parameter("url", ParameterKind::Standard, None),
            parameter("options", ParameterKind::Standard, None),
            parameter("timeout", ParameterKind::Property, Some(1)),
            parameter("retries", ParameterKind::Property, Some(1)),
        ];
        Signature { parameters: parameters.into(), ..Signature::default() }
    }

    /// One call. Each text is an argument, bound by its position: `x` is any value, `...` a spread, `{` begins an
    /// object literal with the names of its properties, and `=` a short value.
    fn call(form: CallForm, arguments: &[&str]) -> Calls {
        let property = |name: &str| PropertyArgument {
            name: name.into(),
            bound: signature().parameters.iter().position(|p| p.name == name).map(|at| at as u16),
            value: (name == "timeout").then(|| "30".into()),
        };
        let argument = |(at, text): (usize, &&str)| Argument {
            forwarded: None,
            bound: if *text == "..." { BoundParameter::Unknown } else { BoundParameter::Parameter(at as u16) },
            kind: if *text == "..." { ArgumentKind::Star } else { ArgumentKind::Positional },
            value: text.strip_prefix('=').map(Into::into),
            keys: text.strip_prefix('{').map(|names| names.split_whitespace().map(property).collect()),
        };
        let mut calls = CallsBuilder::default();
        let arguments: Vec<Argument> = arguments.iter().enumerate().map(argument).collect();
        let arguments = calls.intern_arguments(&arguments);
        calls.push(call_site(0, form, arguments), None);
        calls.finish(|text| text.into())
    }

    /// Per parameter, the calls that pass it and the calls that may pass it; then whether the argument set is open.
    fn counted(form: CallForm, arguments: &[&str]) -> ([(u32, u32); 4], bool) {
        let (signature, call) = (signature(), call(form, arguments));
        let usage = count(Some(&signature), 0, &call, std::iter::once(CallId::new(0)), ParameterSet::new(), |_| 0);
        let rows: Vec<(u32, u32)> = usage.parameters.iter().map(|row| (row.count, row.unknown)).collect();
        (rows.try_into().expect("four rows"), usage.argument_sets[0].open)
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

    /// The worth of one call in each of these files, if each call counts `weight` times.
    fn worth(files: &[usize], weight: usize) -> u32 {
        let mut calls = CallsBuilder::default();
        for &file in files {
            let arguments = calls.intern_arguments(&[]);
            calls.push(call_site(file, CallForm::Name, arguments), None);
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
        assert_eq!(counted(CallForm::Name, &["x", "=DEFAULTS"]), ([(1, 0), (1, 0), (0, 1), (0, 1)], false));
    }

    #[test]
    fn a_string_a_number_or_a_truth_value_has_no_property() {
        for value in ["'a'", "\"a\"", "-3", "true", "None"] {
            let expected = ([(1, 0), (1, 0), (0, 0), (0, 0)], false);
            assert_eq!(counted(CallForm::Name, &["x", &format!("={value}")]), expected, "{value}");
        }
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
