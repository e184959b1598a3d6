//! What the value of a TypeScript call is attached to: the call is an argument of a decorator, the default of a
//! parameter, an element of an array or object with a name, or the value of a property of a class.

use std::ops::Range;

use super::{is_key, is_name, last_part, opening_line};
use crate::snippet::call_text::name_length;

/// The words before the name of a member of a class.
const MODIFIERS: [&str; 9] =
    ["accessor", "async", "declare", "override", "private", "protected", "public", "readonly", "static"];

/// The texts before and after a call that say what its value is attached to: `const plugins = [` and `, ...]`.
pub(super) fn attachment(code: &str, call: &Range<usize>) -> Option<(String, String)> {
    let line = code[..call.start].rfind('\n').map_or(0, |at| at + 1);
    let after = code[call.end..].trim_start();
    let indented = &code[line..call.start];
    let before = indented.trim_start();
    let above = || opening_line(code, line, indented.len() - before.len());
    if let Some(at) = last_open_bracket(before) {
        let (opening, own) = before.split_at(at + 1);
        let rest_of_line = code[call.end..].lines().next().unwrap_or_default();
        return inside(opening, last_part(own), after, rest_of_line.trim_end().ends_with('{'));
    }
    let opening = above()?;
    property(opening, before, after).or_else(|| inside(opening, last_part(before), after, false))
}

/// What an element behind an opening text is part of. `begins_body` is true if the line of the call ends with the
/// brace of a body.
fn inside(opening: &str, element: &str, after: &str, begins_body: bool) -> Option<(String, String)> {
    decorator(opening, element, after)
        .or_else(|| parameter(opening, element, after, begins_body))
        .or_else(|| element_of_registry(opening, element, after))
}

/// An argument of a decorator, or a property or element of its only argument.
fn decorator(opening: &str, element: &str, after: &str) -> Option<(String, String)> {
    let at = opening.find('(').filter(|_| opening.starts_with('@'))?;
    let is_path = opening[1..at].split('.').all(is_name);
    let (bracket, closing) = brackets(opening[at + 1..].trim_end());
    let fits = match bracket {
        "" | "[" => element.is_empty(),
        "{" => is_key(element),
        _ => false,
    };
    let (before, more) = held(bracket, closing, element, after)?;
    (is_path && fits).then(|| (format!("{}({before}", &opening[..at]), format!("{more})")))
}

/// A parameter of a function, if the call is its default.
fn parameter(opening: &str, element: &str, after: &str, begins_body: bool) -> Option<(String, String)> {
    let head = opening.strip_suffix('(')?.trim_end();
    let words: Vec<&str> = head.split(' ').filter(|word| !matches!(*word, "export" | "default")).collect();
    let function = match &words[..] {
        [words @ .., "=" | "= async"] | [words @ .., "=", "async"] if matches!(words, ["const", name] if is_name(name)) =>
        {
            format!("{} = ", words.join(" "))
        }
        [words @ .., name] if is_name(name) => {
            let is_said = words.iter().any(|word| *word == "function" || MODIFIERS.contains(word));
            let is_plain = words.iter().all(|word| matches!(*word, "function" | "async") || MODIFIERS.contains(word));
            let is_function = is_said || *name == "constructor" || begins_body && words.is_empty();
            let is_keyword = matches!(*name, "if" | "while" | "for" | "switch" | "catch" | "with");
            (is_plain && is_function && !is_keyword).then(|| [words, &[*name]].concat().join(" "))?
        }
        _ => return None,
    };
    let rest = element.trim_end().strip_suffix('=').filter(|rest| !rest.ends_with(['=', '!', '<', '>']))?;
    let mut named = rest.trim_end();
    while let Some((_, more)) = named.split_once(' ').filter(|(word, _)| MODIFIERS.contains(word)) {
        named = more;
    }
    let begins = name_length(named) > 0 && matches!(named[name_length(named)..].chars().next(), None | Some(':' | '?'));
    let end = if function.ends_with("= ") { ") => ..." } else { ") { ... }" };
    (begins && after.starts_with([',', ')'])).then(|| (format!("{function}({element}"), end.to_owned()))
}

/// An element of an array, or a property of an object, that has a name: `const plugins = [`, `plugins: [`.
fn element_of_registry(opening: &str, element: &str, after: &str) -> Option<(String, String)> {
    let at = opening.rfind(['[', '{'])?;
    let (head, bracket) = opening.split_at(at);
    let name = match head.trim_end().strip_suffix('=') {
        Some(assigned) => {
            let assigned = assigned.trim_end();
            let declared = assigned.split_once(": ").map_or(assigned, |(name, _)| name);
            let declared = declared.strip_prefix("export ").unwrap_or(declared);
            let name = declared.split_once(' ').map_or(declared, |(_, name)| name);
            let is_declared = ["const ", "let ", "var "].iter().any(|word| declared.starts_with(word));
            (is_name(name) && (is_declared || declared == name)).then(|| format!("{declared} = "))?
        }
        None if head == "export default " => head.to_owned(),
        None => head.strip_suffix(": ").filter(|name| is_name(name) && bracket == "[").map(|_| head.to_owned())?,
    };
    let closing = if bracket == "[" { "]" } else { "}" };
    let fits = if bracket == "[" { element.is_empty() } else { is_key(element) };
    let (before, more) = held(bracket, closing, element, after).filter(|_| fits)?;
    Some((format!("{name}{before}"), more))
}

/// The text before an element between brackets, and the text after it.
fn held(bracket: &str, closing: &str, element: &str, after: &str) -> Option<(String, String)> {
    let rest = after.strip_prefix(',').map_or(after, str::trim_start);
    let ends = if closing.is_empty() { ")" } else { closing };
    let is_last = rest.starts_with(ends);
    let space = if bracket == "{" { " " } else { "" };
    let more = if is_last { "" } else { ", ..." };
    (is_last || after.starts_with(','))
        .then(|| (format!("{bracket}{space}{element}"), format!("{more}{space}{closing}")))
}

/// A property of a class, if the call is its value.
fn property(opening: &str, before: &str, after: &str) -> Option<(String, String)> {
    let words = || opening.split(' ').filter(|word| !matches!(*word, "export" | "default" | "abstract"));
    let class =
        words().nth(1).filter(|name| words().next() == Some("class") && opening.ends_with('{') && is_name(name))?;
    let named = before.trim_end().strip_suffix('=').filter(|rest| rest.ends_with(' '))?.trim_end();
    let mut declared = named.split(": ").next()?.split(' ').skip_while(|word| MODIFIERS.contains(word));
    let name = declared.next()?.trim_start_matches('#').trim_end_matches(['?', '!']);
    let is_alone = declared.next().is_none() && is_name(name);
    let ends = !after.starts_with(['.', '(', '[', '?', '+', '|', '&']);
    (is_alone && ends).then(|| (format!("class {class} {{ {before}"), " }".to_owned()))
}

/// The bracket that a text is, and the one that closes it; both empty for a text that is none.
fn brackets(text: &str) -> (&str, &str) {
    match text {
        "[" => ("[", "]"),
        "{" => ("{", "}"),
        _ => (text, ""),
    }
}

/// The byte of the last bracket of a text that is not closed in it.
fn last_open_bracket(text: &str) -> Option<usize> {
    let mut open = Vec::new();
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => open.push(at),
            ')' | ']' | '}' => {
                open.pop();
            }
            _ => {}
        }
    }
    open.pop()
}

#[cfg(test)]
mod tests {
    use super::attachment;
    use crate::snippet::call_range;
    use apidisc_base::language::Language;

    #[test]
    fn a_call_says_what_its_value_is_attached_to() {
        let check = |text: &str, expected: Option<&str>| {
            let start = text.find('‸').expect("a mark");
            let text = text.replace('‸', "");
            let call = call_range(&text, start, Language::TypeScript).expect("a call");
            let found =
                attachment(&text, &call).map(|(before, after)| format!("{before}{}{after}", &text[call.clone()]));
            assert_eq!(found.as_deref(), expected, "{text}");
        };
        check("@UseGuards(‸Guard('jwt'))\n", Some("@UseGuards(Guard('jwt'))"));
        check("  @UseGuards(‸Guard('jwt'), Other)\n", Some("@UseGuards(Guard('jwt'), ...)"));
        check("@Column({ as: ‸money(2), b: 1 })\n", Some("@Column({ as: money(2), ... })"));
        check("@Module({\n  imports: [A],\n  store: ‸store(1),\n})\n", Some("@Module({ store: store(1) })"));
        check("const plugins = [‸cache(1), 2];\n", Some("const plugins = [cache(1), ...]"));
        check("export const plugins: P[] = [\n  a,\n  ‸cache(1),\n];\n", Some("const plugins = [cache(1)]"));
        check("export default {\n  plugins: [‸vue(), x],\n}\n", Some("plugins: [vue(), ...]"));
        check("const all = {\n  ram: new ‸Ram(1),\n};\n", Some("const all = { ram: new Ram(1) }"));
        check("export default {\n  store: ‸store(1),\n  b,\n}\n", Some("export default { store: store(1), ... }"));
        check(
            "export function view(limit: Limit = ‸rate(1), b) {\n",
            Some("function view(limit: Limit = rate(1)) { ... }"),
        );
        check("const view = async (limit = ‸rate(1)) => 1;\n", Some("const view = (limit = rate(1)) => ..."));
        check("  view(limit = ‸rate(1)) {\n", Some("view(limit = rate(1)) { ... }"));
        check(
            "  constructor(\n    private limit = ‸rate(1),\n  ) {}\n",
            Some("constructor(private limit = rate(1)) { ... }"),
        );
        let class = "export class Api {\n  a = 1;\n  private readonly log: Log = new ‸Logger('a');\n}\n";
        check(class, Some("class Api { private readonly log: Log = new Logger('a') }"));
        check("class Api extends B {\n  #log = ‸make(1)\n}\n", Some("class Api { #log = make(1) }"));
        for text in [
            "const x = ‸f(1);",
            "g(‸f(1));",
            "g({ a: ‸f(1) });",
            "const x = g([‸f(1)]);",
            "x = ‸f(1);",
            "g(a = ‸f(1));",
            "if (a == ‸f(1)) {",
            "if (a = ‸f(1)) {",
            "while (x = ‸f(1)) {",
            "for (let i = ‸f(1); i;) {",
            "const [a] = [‸f(1).b, 2];",
            "function g() {\n  x = ‸f(1);\n}",
            "class A {\n  b = ‸f(1).c;\n}",
            "switch (a) {\n  case ‸f(1): b\n}",
        ] {
            check(text, None);
        }
    }
}
