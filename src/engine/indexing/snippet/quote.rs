//! Quotes a call on one short line. In a call that is too long, dots replace values or children if the result is valid
//! code; else the end is cut off.

use std::ops::Range;

use super::{
    attachment::attachment,
    call_text::{
        DOTS, balanced_length, element_length, is_name_char, joins_statements, name_length, one_line, shortened,
    },
    elision,
};
use apidisc_base::{language::Language, unprintable::escaped_line};

/// The greatest length in bytes of an element whose children are quoted.
const MAX_ELEMENT_BYTES: usize = 600;

/// A call on one line of at most 100 characters. Its characters are printable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct QuotedCall {
    pub(crate) line: String,
    pub(crate) completeness: Completeness,
}

/// The part of a call that its quote shows, from the whole call to the shortest part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Completeness {
    Whole,
    /// Dots replace values or children. The quote is valid code and names every argument.
    Elided,
    /// The end is cut off.
    Cut,
}

/// Quotes the call at `range` of `code`, whose callee's name begins at byte `name`. The range is that of
/// [`call_range`](super::call_range): that of an element ends with its opening tag.
pub(crate) fn quoted_call(code: &str, range: Range<usize>, name: usize, language: Language) -> QuotedCall {
    let call = &code[range.clone()];
    let line = escaped_line(&one_line(call, language)).into_owned();
    let short = match language {
        Language::TypeScript if call.starts_with('<') && !call.ends_with("/>") => element(code, range, &line),
        _ if is_short(&line) => Some((line.clone(), Completeness::Whole)),
        Language::Python => {
            let arguments = name + name_length(&code[name..])..range.end;
            let callee = escaped_line(&one_line(&code[range.start..arguments.start], language)).into_owned();
            code.get(arguments)
                .and_then(|arguments| elision::elided(&callee, arguments, is_short))
                .map(|line| (line, Completeness::Elided))
        }
        Language::TypeScript => None,
    };
    let (line, completeness) = short.unwrap_or_else(|| (shortened(&line), Completeness::Cut));
    QuotedCall { line, completeness }
}

/// The texts before and after a call whose value a Python statement uses, as in `for line in open(path): ...` and
/// `async with session.get(url) as response: ...`; else those that say what the value is attached to. `None` for other
/// calls.
pub(crate) fn statement_around(code: &str, call: &Range<usize>, language: Language) -> Option<(String, String)> {
    let block = if language == Language::Python { block_around(code, call) } else { None };
    block.or_else(|| attachment(code, call, language))
}

/// The texts before and after a call whose value a block uses.
fn block_around(code: &str, call: &Range<usize>) -> Option<(String, String)> {
    let line = code[..call.start].rfind('\n').map_or(0, |at| at + 1);
    let before = code[line..call.start].trim_start();
    let after = code[call.end..].split('\n').next()?;
    let header = before.strip_prefix("async ").unwrap_or(before);
    let target = match header.strip_prefix("for ").and_then(|header| header.strip_suffix(" in ")) {
        Some(target) => is_target(target).then_some("")?,
        None if header == "with " => match after.strip_prefix(" as ") {
            Some(rest) => rest.split(':').next().filter(|target| is_target(target))?,
            None => "",
        },
        None => return None,
    };
    let named = if target.is_empty() { String::new() } else { format!(" as {target}") };
    let ends = after.strip_prefix(named.as_str())?.starts_with(':');
    ends.then(|| (before.to_owned(), format!("{named}: ...")))
}

/// True for names that a statement binds: `x`, `key, value`.
fn is_target(text: &str) -> bool {
    text.split(", ").all(|name| !name.is_empty() && name.is_ascii() && name_length(name) == name.len())
}

fn is_short(line: &str) -> bool {
    shortened(line).len() == line.len() && !line.ends_with(DOTS)
}

/// The element whose opening tag is at `opening`: as a whole if it is short, else with dots for its children. `line` is
/// the opening tag on one line. `None` if the tag alone is too long.
fn element(code: &str, opening: Range<usize>, line: &str) -> Option<(String, Completeness)> {
    let tag = line.strip_suffix('>')?.trim_end();
    let children = children_line(&code[opening.end..]).map(|children| format!("{tag}>{}", escaped_line(&children)));
    if let Some(whole) = children.filter(|whole| is_short(whole)) {
        return Some((whole, Completeness::Whole));
    }
    let elided = format!("{tag}>...</{}>", tag_name(&tag[1..]));
    is_short(&elided).then_some((elided, Completeness::Elided))
}

/// The name of an element at the beginning of a text: `Menu.Item`, `data-list`.
fn tag_name(text: &str) -> &str {
    let end = text.find(|c: char| !is_name_char(c) && !matches!(c, '.' | '-' | ':'));
    &text[..end.unwrap_or(text.len())]
}

/// The children of an element and its closing tag on one line. `text` begins behind the opening tag. `None` if the
/// element is long, or if a text in it looks like a string or a comment of the language.
fn children_line(text: &str) -> Option<String> {
    let mut line = String::new();
    let (mut at, mut depth) = (0, 1_usize);
    while at <= MAX_ELEMENT_BYTES {
        let rest = &text[at..];
        let length = match rest.chars().next()? {
            '{' => {
                let length = balanced_length(rest, Language::TypeScript, |_, depth| depth == 0);
                if joins_statements(&rest[..length], Language::TypeScript) {
                    return None;
                }
                line.push_str(&one_line(&rest[..length], Language::TypeScript));
                length
            }
            '<' => {
                let name = 1 + tag_name(&rest[1..]).len();
                let length = name + element_length(&rest[name..]);
                let tag = &rest[..length];
                line.push_str(&one_line(tag, Language::TypeScript));
                if tag.starts_with("</") {
                    depth -= 1;
                } else if !tag.ends_with("/>") {
                    depth += 1;
                }
                length
            }
            _ => {
                let length = rest.find(['{', '<']).filter(|length| at + length <= MAX_ELEMENT_BYTES)?;
                let written = &rest[..length];
                if written.contains(['"', '\'', '`', '}']) || written.contains("//") || written.contains("/*") {
                    return None;
                }
                line.push_str(&text_on_one_line(written));
                length
            }
        };
        at += length;
        if depth == 0 {
            return Some(line);
        }
    }
    None
}

/// The text between two tags as JSX reads it: spaces beside a line break are not part of it.
fn text_on_one_line(text: &str) -> String {
    let last = text.matches('\n').count();
    let lines = text.split('\n').enumerate().map(|(at, line)| {
        let line = if at > 0 { line.trim_start() } else { line };
        if at < last { line.trim_end() } else { line }
    });
    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::snippet::call_range;

    /// The quote of the call whose callee's name begins at the mark `‸`.
    #[track_caller]
    fn quoted(text: &str, language: Language) -> (String, Completeness) {
        let name = text.find('‸').expect("a mark");
        let text = text.replace('‸', "");
        let range = call_range(&text, name, language).expect("a call");
        let QuotedCall { line, completeness } = quoted_call(&text, range, name, language);
        assert!(line.chars().count() <= 100, "{line}");
        (line, completeness)
    }

    #[test]
    fn a_short_element_is_quoted_with_its_children() {
        let check = |text: &str, expected: &str| {
            assert_eq!(quoted(text, Language::TypeScript), (expected.to_owned(), Completeness::Whole), "{text}");
        };
        check("x = <‸Field a={1} />;", "<Field a={1} />");
        check("<‸Button kind=\"a\">Save</Button>, 1", "<Button kind=\"a\">Save</Button>");
        check("<‸A\n  b\n>\n  <B>x y</B>\n  {f(1, '>')}\n  more\n</A>\n<C/>", "<A b><B>x y</B>{f(1, '>')}more</A>");
        check("<‸A><A><></></A> </A>", "<A><A><></></A> </A>");
    }

    #[test]
    fn a_statement_that_uses_the_value_of_a_call_is_quoted_around_it() {
        let check = |text: &str, expected: Option<(&str, &str)>| {
            let start = text.find('‸').expect("a mark");
            let text = text.replace('‸', "");
            let call = call_range(&text, start, Language::Python).expect("a call");
            let found = statement_around(&text, &call, Language::Python);
            let expected = expected.map(|(before, after)| (before.to_owned(), after.to_owned()));
            assert_eq!(found, expected, "{text}");
        };
        check("x\n    async with a.‸get(1) as r:\n", Some(("async with ", " as r: ...")));
        check("with ‸lock():\n  pass", Some(("with ", ": ...")));
        check("for k, v in d.‸items():", Some(("for k, v in ", ": ...")));
        check("async for x in ‸f(): y", Some(("async for x in ", ": ...")));
        for text in
            ["x = ‸f()", "with ‸f() as x, g() as y:", "with g() as x, ‸f() as y:", "return ‸f():", "[x for x in ‸f()]"]
        {
            check(text, None);
        }
        check("with ‸f() as a.b:", None);
    }

    #[test]
    fn a_long_element_has_dots_for_its_children() {
        let check = |text: &str, expected: &str| {
            assert_eq!(quoted(text, Language::TypeScript), (expected.to_owned(), Completeness::Elided), "{text}");
        };
        check(&format!("<‸A.B kind={{() => 1}}>{}</A.B>", "word ".repeat(30)), "<A.B kind={() => 1}>...</A.B>");
        // The texts could be taken for a string and a comment.
        check("<‸A b>don't</A>", "<A b>...</A>");
        check("<‸A b>http://a.b</A>", "<A b>...</A>");
        check("<‸A b>", "<A b>...</A>");
        let long = quoted(&format!("<‸A {}>x</A>", "word ".repeat(30)), Language::TypeScript);
        assert_eq!(long.1, Completeness::Cut);
    }

    #[test]
    fn a_long_call_of_python_keeps_the_names_of_its_arguments() {
        let word = "word ".repeat(30);
        let check = |text: &str, expected: &str| {
            assert_eq!(quoted(text, Language::Python), (expected.to_owned(), Completeness::Elided), "{text}");
        };
        check(&format!("a.‸f(1, b='''{word}''', c=g({word}))"), "a.f(1, b=\"...\", c=g(...))");
        check(
            &format!("‸f(name='x',  # why, (\n  b=[{word}],\n  c={{1: '{word}'}},\n)"),
            "f(name='x', b=[...], c={...})",
        );
        check(&format!("‸f(x == {word}, *rest, d)"), "f(..., *rest, d)");
        check(&format!("‸f(f'{word}', b=1)"), "f(\"...\", b=1)");
        // Of the long values, the shortest are written first, as many as fit; the others are left out.
        let [short, long] = ["x".repeat(48), "x".repeat(60)];
        check(&format!("‸f('{short}', '{long}')"), &format!("f('{short}', \"...\")"));
        for cut in [format!("‸f('a' + {word})"), format!("‸f(1, key=lambda a, b: {word})"), format!("‸f(1, *[{word}])")]
        {
            assert_eq!(quoted(&cut, Language::Python).1, Completeness::Cut, "{cut}");
        }
    }
}
