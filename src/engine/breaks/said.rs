//! What the code of a function of the new version says of one call: that the function or an argument is deprecated,
//! that it refuses an argument, or that it fails whatever is passed.

use crate::{
    arguments::Binding,
    code::{FunctionCode, Said},
    conditions::Passed,
    replacement,
    report::{Rule, Verdict, Violation},
};
use apidisc_facts::program::{Argument, BoundParameter, ParameterKind};

/// What the code of the new version says of a call that the old version binds as `before`. `name` is the name of the
/// function.
pub(crate) fn violations(before: &Binding<'_>, after: &Binding<'_>, name: &str) -> Vec<Violation> {
    let Some(code) = after.code else { return Vec::new() };
    let mut found = Vec::new();
    if let Some(error) = code.failure()
        && before.code.is_some_and(|code| code.failure().is_none())
    {
        let now = replacement::recommended(error);
        found.push(Violation { verdict: Verdict::Break, rule: Rule::RemovedSymbol, param: None, now });
    }
    if let Some(message) = code.deprecation() {
        let now = replacement::advised(message, name).next().or_else(|| replacement::recommended(message));
        let now = now.filter(|now| now != name);
        found.push(Violation { verdict: Verdict::Deprecated, rule: Rule::DeprecatedSymbol, param: None, now });
    }
    let left_out = [before, after].map(omitted);
    for (old, new) in before.arguments.iter().zip(after.arguments) {
        let Some(passed) = passed(after, new, &left_out[1]) else { continue };
        match code.says_of(passed) {
            Some(Said::Deprecated(message)) => {
                let now = replacement::advised(&message, passed.name).next();
                let now = now.or_else(|| replacement::recommended(&message)).filter(|now| now != passed.name);
                let param = Some(passed.name.to_owned());
                found.push(Violation { verdict: Verdict::Deprecated, rule: Rule::DeprecatedParameter, param, now });
            }
            Some(Said::Refused(error)) if !was_refused(before, old, &left_out[0]) => {
                let rule = match (passed.value, passed.kwargs) {
                    (_, Some(_)) => Rule::SwallowedByKwargs,
                    (Some(_), None) => Rule::NarrowedType,
                    (None, None) => Rule::RemovedParameter,
                };
                let now = replacement::recommended(&error).filter(|now| after.named(now).is_some());
                found.push(Violation { verdict: Verdict::Break, rule, param: Some(passed.name.to_owned()), now });
            }
            _ => {}
        }
    }
    found
}

/// True if the old code raises an error for an argument as well, or if it is not known.
fn was_refused(before: &Binding<'_>, argument: &Argument, omitted: &[(&str, &str)]) -> bool {
    let says = |code: &FunctionCode| code.says_of(passed(before, argument, omitted)?);
    before.code.is_none_or(|code| matches!(says(code), Some(Said::Refused(_))))
}

/// The parameters that a call leaves out, with their defaults; none for a call that passes `*args` or `**kwargs`.
fn omitted<'b>(binding: &Binding<'b>) -> Vec<(&'b str, &'b str)> {
    if binding.arguments.iter().any(|argument| argument.kind.is_spread()) {
        return Vec::new();
    }
    let is_passed =
        |at: usize| binding.arguments.iter().any(|argument| argument.bound == BoundParameter::Parameter(at as u16));
    let parameters = binding.signature.parameters.iter().enumerate();
    let left = parameters.filter(|(at, parameter)| parameter.object.is_none() && !is_passed(*at));
    left.filter_map(|(_, parameter)| Some((parameter.name.as_str(), parameter.default.as_deref()?))).collect()
}

/// The name of an argument in the code of the function. `None` for `*args` and `**kwargs`, and for an argument that is
/// one of a `*args` of the function.
fn passed<'b>(binding: &Binding<'b>, argument: &'b Argument, omitted: &'b [(&'b str, &'b str)]) -> Option<Passed<'b>> {
    if argument.kind.is_spread() {
        return None;
    }
    let value = argument.value.as_deref();
    match &argument.bound {
        BoundParameter::Parameter(at) => {
            let parameters = &binding.signature.parameters;
            let parameter = parameters.get(usize::from(*at))?;
            let within = parameter.object.and_then(|object| parameters.get(usize::from(object)));
            let kwargs = within.filter(|object| object.kind == ParameterKind::VarKeyword);
            let is_single = !parameter.kind.is_variadic() && (parameter.object.is_none() || kwargs.is_some());
            is_single.then(|| Passed {
                name: &parameter.name,
                value,
                kwargs: kwargs.map(|it| it.name.as_str()),
                omitted,
            })
        }
        BoundParameter::Named(name) => Some(Passed { name, value, kwargs: None, omitted }),
        _ => None,
    }
}
