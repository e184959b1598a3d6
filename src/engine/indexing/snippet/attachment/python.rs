//! What the value of a Python call is attached to: the call is the default of a parameter, metadata of its annotation,
//! or an element of a list or dictionary with a name.

use std::ops::Range;

use super::{is_key, is_name, last_part, opening_line};
use crate::snippet::call_text::name_length;

/// The texts before and after a call that say what its value is attached to: `def view(limit: Limit = ` and `): ...`.
pub(super) fn attachment(code: &str, call: &Range<usize>) -> Option<(String, String)> {
    let line = code[..call.start].rfind('\n').map_or(0, |at| at + 1);
    let after = code[call.end..].trim_start_matches(' ');
    let indented = &code[line..call.start];
    let before = indented.trim_start();
    let own = part_behind_opening(before);
    let opening = if own.len() < before.len() {
        before.strip_suffix(own)?
    } else {
        opening_line(code, line, indented.len() - before.len())?
    };
    let element = last_part(own);
    parameter(opening, element, after).or_else(|| element_of_registry(opening, element, after))
}

/// A parameter of a function, if the call is its default or in its annotation.
fn parameter(opening: &str, element: &str, after: &str) -> Option<(String, String)> {
    let function = opening.strip_prefix("async ").unwrap_or(opening).strip_prefix("def ")?;
    let name = function.split('(').next().filter(|name| is_name(name))?;
    let (parameter, rest) = element.split_at(name_length(element));
    let is_metadata = rest.contains("Annotated[") && rest.ends_with(", ");
    let is_default = rest.trim_end().ends_with('=') && !rest.trim_end().ends_with("==");
    let (closed, after) = if is_metadata { ("]", after.strip_prefix(']')?) } else { ("", after) };
    let begins = rest.starts_with([':', '=', ' ']) && !parameter.is_empty();
    let ends = after.trim_start().starts_with([',', ')', '=']);
    let is_async = if opening.starts_with("async ") { "async " } else { "" };
    (begins && ends && (is_metadata || is_default))
        .then(|| (format!("{is_async}def {name}({element}"), format!("{closed}): ...")))
}

/// An element of a list, tuple or dictionary that has a name.
fn element_of_registry(opening: &str, element: &str, after: &str) -> Option<(String, String)> {
    let (name, bracket) = opening.split_once(" = ")?;
    let name = name.split(": ").next().filter(|name| is_name(name))?;
    let closing = match bracket {
        "[" if element.is_empty() => "]",
        "(" if element.is_empty() => ")",
        "{" if is_key(element) => "}",
        _ => return None,
    };
    let after = after.trim_start();
    let more = if after.starts_with(closing) { "" } else { ", ..." };
    (after.starts_with(closing) || after.starts_with(','))
        .then(|| (format!("{name} = {bracket}{element}"), format!("{more}{closing}")))
}

/// The text behind the last bracket of a line that is open at its end and opens parameters or a list; the whole text
/// without one. Brackets of annotations do not count.
fn part_behind_opening(before: &str) -> &str {
    let opens_function = before.strip_prefix("async ").unwrap_or(before).starts_with("def ");
    let at = match before.split_once(" = ") {
        _ if opens_function => before.find('('),
        Some((name, rest)) if rest.starts_with(['[', '(', '{']) && !name.contains('(') => Some(name.len() + 3),
        _ => None,
    };
    at.map_or(before, |at| &before[at + 1..])
}

#[cfg(test)]
mod tests {
    use super::attachment;
    use crate::snippet::call_range;
    use apidisc_base::language::Language;

    #[test]
    fn a_call_says_what_its_value_is_attached_to() {
        let check = |text: &str, expected: Option<(&str, &str)>| {
            let start = text.find('‸').expect("a mark");
            let text = text.replace('‸', "");
            let call = call_range(&text, start, Language::Python).expect("a call");
            let found = attachment(&text, &call);
            assert_eq!(found, expected.map(|(before, after)| (before.to_owned(), after.to_owned())), "{text}");
        };
        check("def view(limit: Limit = ‸Rate(100), x=1):\n", Some(("def view(limit: Limit = ", "): ...")));
        check("async def view(a, limit=‸Rate(100)):\n", Some(("async def view(limit=", "): ...")));
        check("def view(x: Annotated[int, ‸Query(ge=1)] = 0): ...", Some(("def view(x: Annotated[int, ", "]): ...")));
        let long = "    def view(\n        self,\n        limit: Limit = ‸Rate(100),\n    ): ...\n";
        check(long, Some(("def view(limit: Limit = ", "): ...")));
        check("PLUGINS = [‸Cache(1), 2]\n", Some(("PLUGINS = [", ", ...]")));
        check("PLUGINS: list = [\n    ‸Cache(1),\n]\n", Some(("PLUGINS = [", ", ...]")));
        check("PLUGINS = [\n    Other(),\n    ‸Cache(1)\n]\n", Some(("PLUGINS = [", "]")));
        check("BACKENDS = {\n    \"ram\": ‸Cache(1),\n}\n", Some(("BACKENDS = {\"ram\": ", ", ...}")));
        for text in ["x = ‸f()", "g(‸f())", "x = g(‸f())", "if x == ‸f():", "x: int = ‸f()", "f(a=‸f(), b=1)", "‸f()"]
        {
            check(text, None);
        }
    }
}
