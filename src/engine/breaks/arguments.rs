//! The arguments of a call under two signatures.

use std::ptr;

use crate::{
    code::{FunctionCode, Said, is_mark},
    conditions::Passed,
    replacement,
    report::{Rule, Verdict, Violation},
    symbols::has_literal,
};
use apidisc_facts::program::{Argument, BoundParameter, Parameter, ParameterKind, Signature};

/// The lines around a literal in which a function refuses it.
const REFUSAL_LINES: usize = 4;

/// A call as one version resolves it.
#[derive(Clone, Copy)]
pub(crate) struct Binding<'v> {
    pub(crate) signature: &'v Signature,
    pub(crate) arguments: &'v [Argument],
    /// The text of the definition.
    pub(crate) text: &'v str,
    /// The text of its file.
    pub(crate) file_text: &'v str,
    /// The code of the function if it is one of Python.
    pub(crate) code: Option<&'v FunctionCode>,
}

impl<'v> Binding<'v> {
    fn bound(&self, argument: &Argument) -> Option<&'v Parameter> {
        match argument.bound {
            BoundParameter::Parameter(at) => self.signature.parameters.get(usize::from(at)),
            _ => None,
        }
    }

    pub(crate) fn named(&self, name: &str) -> Option<&'v Parameter> {
        self.signature.parameters.iter().find(|parameter| parameter.object.is_none() && parameter.name == name)
    }

    /// True for a parameter that stands for a keyword in `**kwargs`, and for `**kwargs`.
    fn is_open(&self, parameter: &Parameter) -> bool {
        let kind = |at: u16| self.signature.parameters.get(usize::from(at)).map(|object| object.kind);
        parameter.kind == ParameterKind::VarKeyword
            || parameter.object.and_then(kind) == Some(ParameterKind::VarKeyword)
    }

    /// Whether `**kwargs: Unpack[T]` takes a keyword (PEP 692); `None` without such a type, and if the file of the
    /// function does not define `T` by its keys alone.
    fn is_taken(&self, keyword: &str) -> Option<bool> {
        let kwargs = self.signature.parameters.iter().find(|p| p.kind == ParameterKind::VarKeyword)?;
        let dict = kwargs.annotation.as_deref()?.split_once("Unpack[")?.1.strip_suffix(']')?;
        let mut lines = self.file_text.lines().skip_while(|line| {
            let bases = line.strip_prefix("class ").and_then(|rest| rest.strip_prefix(dict)?.strip_prefix('('));
            !bases.is_some_and(|bases| bases.contains("TypedDict"))
        });
        lines.next()?;
        let body = lines.take_while(|line| line.is_empty() || line.starts_with([' ', '\t']));
        let mut keys = body.filter_map(|line| Some(line.split_once(':')?.0.trim()));
        Some(keys.any(|key| key == keyword))
    }
}

/// All that a new signature does to a call.
pub(crate) fn violations(before: Binding<'_>, after: Binding<'_>) -> Vec<Violation> {
    let mut found = Vec::new();
    for (old, new) in before.arguments.iter().zip(after.arguments) {
        if old.kind.is_spread() {
            continue;
        }
        found.extend(if old.kind.is_positional() {
            positional(&before, &after, old, new)
        } else {
            keyword(&before, &after, old, new)
        });
        found.extend(properties(&before, &after, old, new));
    }
    let has_spread = before.arguments.iter().any(|argument| argument.kind.is_spread());
    if !has_spread && !after.signature.is_incomplete {
        found.extend(left_out(&before, &after));
    }
    found
}

fn violation(verdict: Verdict, rule: Rule, param: &str, now: Option<String>) -> Violation {
    Violation { verdict, rule, param: Some(param.to_owned()), now }
}

/// What to write instead of a parameter that is gone.
fn instead(before: &Binding<'_>, after: &Binding<'_>, old: &Parameter) -> Option<String> {
    let texts = [after.text, before.text, after.file_text, before.file_text];
    let mut advised = texts.into_iter().flat_map(|text| replacement::advised(text, &old.name));
    let advised = advised.find(|name| after.named(name).is_some() || after.is_taken(name) == Some(true));
    advised.or_else(|| replacement::renamed(old, before.signature, after.signature))
}

fn keyword(before: &Binding<'_>, after: &Binding<'_>, old: &Argument, new: &Argument) -> Option<Violation> {
    let parameter = before.bound(old)?;
    let name = parameter.name.as_str();
    // A keyword that `**kwargs` took, and that no function behind it names.
    let was_open = before.is_open(parameter) && old.forwarded.is_none();
    match (after.bound(new), &new.bound) {
        (Some(now), _) if after.is_open(now) => {
            if was_open || new.forwarded.is_some() {
                return None;
            }
            let is_refused = match after.is_taken(name) {
                Some(true) => return None,
                Some(false) => true,
                None => refuses(after.text, name),
            };
            let verdict = if is_refused { Verdict::Break } else { Verdict::Silent };
            let rule = if old.forwarded.is_some() { Rule::RemovedParameter } else { Rule::SwallowedByKwargs };
            Some(violation(verdict, rule, name, instead(before, after, parameter)))
        }
        (Some(_), _) => None,
        (None, BoundParameter::Unknown) if !after.signature.is_incomplete => {
            let rule = if was_open { Rule::RemovedKwargs } else { Rule::RemovedParameter };
            if parameter.kind == ParameterKind::VarKeyword {
                // The index does not name the keyword that `**kwargs` itself took.
                return Some(Violation { verdict: Verdict::Break, rule, param: None, now: None });
            }
            let advised = || {
                let kwargs = parameter.object.and_then(|at| before.signature.parameters.get(usize::from(at)))?;
                let passed = Passed { name, value: None, kwargs: Some(&kwargs.name), omitted: &[] };
                let Some(Said::Deprecated(message)) = before.code?.says_of(passed) else { return None };
                replacement::recommended(&message).filter(|name| after.named(name).is_some())
            };
            let now = advised().or_else(|| instead(before, after, parameter));
            Some(violation(Verdict::Break, rule, name, now))
        }
        (None, _) => None,
    }
}

fn positional(before: &Binding<'_>, after: &Binding<'_>, old: &Argument, new: &Argument) -> Option<Violation> {
    let parameter = before.bound(old)?;
    let name = parameter.name.as_str();
    if parameter.kind == ParameterKind::VarPositional {
        return None;
    }
    let Some(now) = after.bound(new) else {
        if !matches!(new.bound, BoundParameter::Unknown) || after.signature.is_incomplete {
            return None;
        }
        let is_by_name = after.named(name).is_some_and(|now| now.kind == ParameterKind::KeywordOnly);
        let rule = if is_by_name { Rule::KeywordOnly } else { Rule::RemovedParameter };
        let instead = if is_by_name { Some(format!("{name}=")) } else { instead(before, after, parameter) };
        return Some(violation(Verdict::Break, rule, name, instead));
    };
    if now.name == parameter.name || now.kind == ParameterKind::VarPositional {
        return None;
    }
    // A parameter that only has another name takes what it took.
    let has_moved = after.named(name).is_some() || before.named(&now.name).is_some();
    if !has_moved {
        return None;
    }
    let is_accepted = old.value.as_deref().and_then(|value| accepts(now.annotation.as_deref()?, value));
    let verdict = if is_accepted == Some(true) { Verdict::Silent } else { Verdict::Break };
    Some(violation(verdict, Rule::MovedPosition, name, None))
}

/// The properties of an object literal that the new type does not have.
fn properties(before: &Binding<'_>, after: &Binding<'_>, old: &Argument, new: &Argument) -> Option<Violation> {
    let now = after.bound(new)?;
    let position = after.signature.parameters.iter().position(|parameter| ptr::eq(parameter, now))?;
    let has_type = after.signature.parameters.iter().any(|p| p.object.map(usize::from) == Some(position));
    let (old_keys, new_keys) = (old.keys.as_deref()?, new.keys.as_deref()?);
    if !has_type {
        return None;
    }
    let mut pairs = old_keys.iter().zip(new_keys);
    let (gone, _) = pairs.find(|(old, new)| old.bound.is_some() && new.bound.is_none())?;
    let parameter = before.signature.parameters.get(usize::from(gone.bound?))?;
    Some(violation(Verdict::Break, Rule::RemovedParameter, &gone.name, instead(before, after, parameter)))
}

/// What is said of parameters that the call leaves out.
fn left_out(before: &Binding<'_>, after: &Binding<'_>) -> Vec<Violation> {
    let passed = |parameter: &Parameter| {
        after.arguments.iter().any(|argument| {
            after.bound(argument).is_some_and(|bound| ptr::eq(bound, parameter))
                // A name that `**kwargs` takes and passes on.
                || argument.forwarded.as_deref() == Some(parameter.name.as_str())
        })
    };
    let is_single = |parameter: &&Parameter| parameter.object.is_none() && !parameter.kind.is_variadic();
    let omitted = after.signature.parameters.iter().filter(is_single).filter(|parameter| !passed(parameter));
    let found = omitted.filter_map(|parameter| {
        let known = before.named(&parameter.name);
        if parameter.required {
            let was_required = known.is_some_and(|known| known.required);
            let rule = if after.signature.is_synthesized && before.signature.is_synthesized {
                Rule::FieldBecameRequired
            } else {
                Rule::RequiredParameter
            };
            return (!was_required).then(|| violation(Verdict::Break, rule, &parameter.name, None));
        }
        let new = changed_default(known?, parameter)?;
        Some(violation(Verdict::Silent, Rule::ChangedDefault, &parameter.name, Some(new.to_owned())))
    });
    found.collect()
}

/// The default of `new`, if that of `old` is another value.
pub(crate) fn changed_default<'p>(old: &Parameter, new: &'p Parameter) -> Option<&'p str> {
    let (old, new) = (old.default.as_deref()?, new.default.as_deref()?);
    let differs = is_literal(old) && is_literal(new) && !is_mark(new) && normalized(old) != normalized(new);
    differs.then_some(new)
}

/// True if a function raises an error about a keyword: its text has the name as a literal close to a `raise`.
fn refuses(text: &str, name: &str) -> bool {
    let lines: Vec<&str> = text.lines().collect();
    lines.iter().enumerate().any(|(at, line)| {
        let near = &lines[at..lines.len().min(at + REFUSAL_LINES)];
        has_literal(line, name) && near.iter().any(|line| line.trim_start().starts_with("raise "))
    })
}

/// True for a default that is a value by itself. `None` is not: it often stands for a default that the body sets.
fn is_literal(text: &str) -> bool {
    let is_number = text.starts_with(|c: char| c.is_ascii_digit() || c == '-') && text.parse::<f64>().is_ok();
    let is_string = text.len() > 1
        && matches!(text.chars().next(), Some('"' | '\''))
        && text.chars().next() == text.chars().next_back();
    is_number || is_string || matches!(text, "True" | "False" | "true" | "false")
}

/// A literal in one spelling.
fn normalized(text: &str) -> String {
    match text.parse::<f64>() {
        Ok(number) => number.to_string(),
        Err(_) => text.replace('\'', "\""),
    }
}

/// Whether a parameter with the type `annotation` takes the literal `value`; `None` if the annotation names a class of
/// which only its own package knows what it takes.
fn accepts(annotation: &str, value: &str) -> Option<bool> {
    let words: Vec<&str> =
        annotation.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty()).collect();
    let has = |names: &[&str]| words.iter().any(|word| names.contains(word));
    if has(&["Any", "object", "any", "unknown"]) {
        return Some(true);
    }
    let taking: &[&str] = match value {
        "None" => &["None", "Optional"],
        "True" | "False" | "true" | "false" => &["bool", "int", "float", "complex", "boolean"],
        value if value.starts_with(['"', '\'', '`']) => &["str", "string", "AnyStr"],
        value if value.parse::<i64>().is_ok() => &["int", "float", "complex", "number"],
        value if value.parse::<f64>().is_ok() => &["float", "complex", "number"],
        _ => return None,
    };
    if has(taking) {
        return Some(true);
    }
    // No class but that of `None` has the value `None`.
    let known =
        ["None", "Optional", "Union", "bool", "int", "float", "complex", "str", "bytes", "typing", "list", "dict"];
    (value == "None" || words.iter().all(|word| known.contains(word))).then_some(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_literal_is_compared_with_a_type() {
        assert_eq!(accepts("ssl.SSLContext | str | bool", "None"), Some(false));
        assert_eq!(accepts("float", "True"), Some(true));
        assert_eq!(accepts("Timeout | None", "3"), None);
        assert_eq!(accepts("bytes", "\"x\""), Some(false));
    }

    #[test]
    fn defaults_are_compared_as_values() {
        assert!(
            is_literal("1") && is_literal("'a'") && !is_literal("None") && !is_literal("_UNSET") && !is_literal("'")
        );
        assert_eq!(normalized("1.0"), normalized("1"));
        assert_eq!(normalized("'a'"), normalized("\"a\""));
    }
}
