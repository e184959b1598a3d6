//! Signatures as text: the whole of one, and what two of them have apart.

use apidisc_base::language::Language;
use apidisc_facts::program::{Parameter, ParameterKind, Signature};

/// The signature of `name` on one line, as its language writes it. Properties of objects are part of their types.
pub(crate) fn text(name: &str, signature: &Signature, language: Language) -> String {
    let mut parts = Vec::new();
    let declared: Vec<&Parameter> = signature.parameters.iter().filter(|p| p.object.is_none()).collect();
    for (at, parameter) in declared.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| declared[before].kind);
        if language == Language::Python {
            if before == Some(ParameterKind::PositionalOnly) && parameter.kind != ParameterKind::PositionalOnly {
                parts.push("/".to_owned());
            }
            let is_first_by_name = parameter.kind == ParameterKind::KeywordOnly
                && !matches!(before, Some(ParameterKind::KeywordOnly | ParameterKind::VarPositional));
            if is_first_by_name {
                parts.push("*".to_owned());
            }
        }
        parts.push(match language {
            Language::Python => in_python(parameter),
            Language::TypeScript => in_typescript(parameter),
        });
    }
    let returns = signature.returns.as_deref().map_or(String::new(), |returns| match language {
        Language::Python => format!(" -> {returns}"),
        Language::TypeScript => format!(": {returns}"),
    });
    format!("{name}({}){returns}", parts.join(", "))
}

fn in_python(parameter: &Parameter) -> String {
    let label = parameter.label();
    match (parameter.annotation.as_deref(), parameter.default.as_deref()) {
        (Some(annotation), Some(default)) => format!("{label}: {annotation} = {default}"),
        (Some(annotation), None) if parameter.required || parameter.is_variadic() => format!("{label}: {annotation}"),
        (Some(annotation), None) => format!("{label}: {annotation} = ..."),
        (None, Some(default)) => format!("{label}={default}"),
        (None, None) if parameter.required || parameter.is_variadic() => label.into_string(),
        (None, None) => format!("{label}=..."),
    }
}

fn in_typescript(parameter: &Parameter) -> String {
    let (rest, name) = (if parameter.is_variadic() { "..." } else { "" }, &parameter.name);
    let optional = if parameter.required || parameter.is_variadic() { "" } else { "?" };
    let annotation = parameter.annotation.as_deref().map(|annotation| format!(": {annotation}"));
    format!("{rest}{name}{optional}{}", annotation.unwrap_or_default())
}

/// The greatest number of parameters of a signature that are compared one by one.
const MAX_COMPARED: usize = 200;

/// Two signatures of one function with `…` in place of the parameters that they share. `None` if nothing differs. Of a
/// difference that is about a parameter, `about`, the types and defaults of other parameters play no part.
pub fn apart(old: &str, new: &str, about: Option<&str>) -> Option<(String, String)> {
    if old == new {
        return None;
    }
    let whole = || Some((old.to_owned(), new.to_owned()));
    let (Some(before), Some(after)) = (Parts::of(old), Parts::of(new)) else { return whole() };
    if before.parameters.len().max(after.parameters.len()) > MAX_COMPARED {
        return whole();
    }
    let has_returns = before.returns != after.returns;
    let by_name = about.map(|about| {
        shared(&before.parameters, &after.parameters, |a, b| a == b || name(a) == name(b) && name(a) != about)
    });
    let by_name = by_name.filter(|(old, new)| old.contains(&false) || new.contains(&false));
    if let Some((old_shared, new_shared)) = by_name {
        return Some((before.without(&old_shared, false), after.without(&new_shared, false)));
    }
    let (old_shared, new_shared) = shared(&before.parameters, &after.parameters, |a, b| a == b);
    Some((before.without(&old_shared, has_returns), after.without(&new_shared, has_returns)))
}

/// The name of a parameter.
fn name(parameter: &str) -> &str {
    parameter.split([':', '=', '?']).next().unwrap_or_default().trim()
}

/// Which parameters of two lists are in their longest common subsequence.
fn shared(old: &[&str], new: &[&str], is_same: impl Fn(&str, &str) -> bool) -> (Vec<bool>, Vec<bool>) {
    // `lengths[i][j]` is the length of the longest common subsequence of `old[i..]` and `new[j..]`.
    let mut lengths = vec![vec![0_usize; new.len() + 1]; old.len() + 1];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            lengths[i][j] = if is_same(old[i], new[j]) {
                lengths[i + 1][j + 1] + 1
            } else {
                lengths[i + 1][j].max(lengths[i][j + 1])
            };
        }
    }
    let (mut old_shared, mut new_shared) = (vec![false; old.len()], vec![false; new.len()]);
    let (mut i, mut j) = (0, 0);
    while i < old.len() && j < new.len() {
        if is_same(old[i], new[j]) {
            (old_shared[i], new_shared[j]) = (true, true);
            (i, j) = (i + 1, j + 1);
        } else if lengths[i + 1][j] >= lengths[i][j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    (old_shared, new_shared)
}

/// A signature taken apart.
struct Parts<'s> {
    name: &'s str,
    parameters: Vec<&'s str>,
    returns: &'s str,
}

impl<'s> Parts<'s> {
    fn of(signature: &'s str) -> Option<Self> {
        let begin = signature.find('(')?;
        let mut open: Vec<char> = Vec::new();
        let (mut quote, mut last) = (None, ' ');
        let (mut from, mut parameters) = (begin + 1, Vec::new());
        for (at, c) in signature[begin..].char_indices().map(|(at, c)| (at + begin, c)) {
            match (quote, c) {
                (Some(begun), c) if begun == c && last != '\\' => quote = None,
                (Some(_), _) => {}
                (None, '"' | '\'' | '`') => quote = Some(c),
                (None, '(' | '[' | '{' | '<') => open.push(c),
                // A `>` that no `<` has opened is an arrow or a comparison.
                (None, '>') => {
                    open.pop_if(|open| *open == '<' && !matches!(last, '-' | '='));
                }
                (None, ')' | ']' | '}') => {
                    // A `<` that nothing has closed is a comparison.
                    while open.pop_if(|open| *open == '<').is_some() {}
                    let closed = open.pop()?;
                    if !matches!((closed, c), ('(', ')') | ('[', ']') | ('{', '}')) {
                        return None;
                    }
                    if open.is_empty() {
                        parameters.push(signature[from..at].trim());
                        parameters.retain(|parameter| !parameter.is_empty());
                        return Some(Self { name: &signature[..begin], parameters, returns: &signature[at + 1..] });
                    }
                }
                (None, ',') if open.len() == 1 => {
                    parameters.push(signature[from..at].trim());
                    from = at + 1;
                }
                _ => {}
            }
            // A backslash behind a backslash escapes nothing.
            last = if quote.is_some() && last == '\\' && c == '\\' { ' ' } else { c };
        }
        None
    }

    /// The signature with `…` in place of the parameters that are shared, and without what it returns unless asked.
    fn without(&self, is_shared: &[bool], has_returns: bool) -> String {
        let shown = self.parameters.iter().zip(is_shared).map(|(part, shared)| if *shared { "…" } else { part });
        let mut shown: Vec<&str> = shown.collect();
        shown.dedup_by(|a, b| *a == "…" && *b == "…");
        format!("{}({}){}", self.name, shown.join(", "), if has_returns { self.returns } else { "" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_parameters_are_left_out() {
        let apart = |old, new| apart(old, new, None).unwrap();
        let texts = |old: &str, new: &str| (old.to_owned(), new.to_owned());
        assert_eq!(apart("go(a, b=0, c=1)", "go(a, b=0, *, d=1)"), texts("go(…, c=1)", "go(…, *, d=1)"));
        assert_eq!(apart("go(a, b, c)", "go(b, a, c)"), texts("go(a, …)", "go(…, a, …)"));
        assert_eq!(apart("go(a) -> int", "go(a) -> str"), texts("go(…) -> int", "go(…) -> str"));
        let (old, new) = apart("f(a: (x: A, y: B) => void, b = \",)\")", "f(a: (x: A) => void, b = \",)\")");
        assert_eq!((old.as_str(), new.as_str()), ("f(a: (x: A, y: B) => void, …)", "f(a: (x: A) => void, …)"));
        assert_eq!(super::apart("go()", "go()", None), None);
        let about = |old, new, about| super::apart(old, new, Some(about)).unwrap();
        assert_eq!(about("go(a, b=0, c=1)", "go(a: int, b: int = 0)", "c"), texts("go(…, c=1)", "go(…)"));
        assert_eq!(about("go(a, b=0)", "go(a: int, b: int = 1)", "b"), texts("go(…, b=0)", "go(…, b: int = 1)"));
        assert_eq!(about("go(a, b=0)", "go(a: int, b=0)", "c"), texts("go(a, …)", "go(a: int, …)"));
        assert_eq!(apart("go(a=x >> 3, b=1)", "go(a=x >> 3)"), texts("go(…, b=1)", "go(…)"));
        assert_eq!(apart("go(a=x < (3), b=1)", "go(b=1)"), texts("go(a=x < (3), b=1)", "go(b=1)"));
        assert_eq!(apart("no list", "go(a"), texts("no list", "go(a"));
    }
}
