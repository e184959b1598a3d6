//! Finds the beginning and the end of a call in the text of its file.
//!
//! The index keeps only the position of the callee's name. The text around the name is scanned for brackets, strings
//! and comments, without a parser. This is sufficient for code that could be parsed, and harmless if the file has
//! changed.

use std::ops::Range;

use apidisc_base::language::Language;

/// The length in bytes at which a call is cut off.
const MAX_CALL_BYTES: usize = 20_000;
/// The greatest length in bytes of a receiver.
const MAX_RECEIVER_BYTES: usize = 1_000;
/// The approximate length in bytes at which a call on one line is cut off; no screen is wider.
const MAX_LINE_BYTES: usize = 600;
/// The number of characters of a call that a stub quotes.
const MAX_SHORT_LINE_CHARS: usize = 100;
/// The sign that the end of a line is missing.
pub(super) const DOTS: &str = " ...";

/// The bytes of the call whose callee's name begins at byte `name` of `text`, or, if the callee has no name, whose
/// argument list begins there; `None` if no call does.
pub fn call_range(text: &str, name: usize, language: Language) -> Option<Range<usize>> {
    let rest = text.get(name..)?;
    let length = name_length(rest);
    let is_nameless = rest.starts_with('(');
    if !is_nameless && (length == 0 || text[..name].ends_with(is_name_char)) {
        return None;
    }
    let start = callee_start(text, name, language);
    if is_nameless && start == name {
        return None;
    }
    let mut end = floor_char_boundary(text, (name + length + MAX_CALL_BYTES).min(text.len()));
    end = if language == Language::TypeScript && text[..start].ends_with('<') {
        return Some(start - 1..name + length + element_length(&text[name + length..end]));
    } else {
        name + length + arguments_length(&text[name + length..end], language)
    };
    Some(start..end)
}

pub(super) fn is_name_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// The length in bytes of the name at the beginning of a text; 0 if the text begins with a digit.
pub fn name_length(text: &str) -> usize {
    if text.starts_with(|c: char| c.is_ascii_digit()) {
        return 0;
    }
    text.find(|c| !is_name_char(c)).unwrap_or(text.len())
}

fn floor_char_boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The byte offset at which the callee begins. Its receiver precedes its name, in Python on the same line, and `new`,
/// `await` or `@` precedes the receiver.
fn callee_start(text: &str, name: usize, language: Language) -> usize {
    let far = floor_char_boundary(text, name.saturating_sub(MAX_RECEIVER_BYTES));
    let line = match language {
        Language::Python => text[far..name].rfind('\n').map_or(far, |at| far + at + 1),
        Language::TypeScript => far,
    };
    let mut start = name;
    if text[name..].starts_with('(') {
        start = line + receiver_start(&text[line..name], language);
    }
    while let Some(before) = text[line..start].strip_suffix('.') {
        let mut before = before.strip_suffix('?').unwrap_or(before);
        if language == Language::TypeScript {
            before = before.trim_end();
            before = before.strip_suffix('!').unwrap_or(before);
        }
        let receiver = receiver_start(before, language);
        if receiver == before.len() {
            break;
        }
        start = line + receiver;
    }
    for keyword in ["new ", "await "] {
        let before = &text[line..start];
        if let Some(rest) = before.strip_suffix(keyword)
            && (keyword == "await " || language == Language::TypeScript)
            && !rest.ends_with(is_name_char)
        {
            start -= keyword.len();
        }
    }
    start - usize::from(text[line..start].ends_with('@'))
}

/// The byte offset of the name, call or subscript at the end of a text; the length of the text if there is none.
fn receiver_start(text: &str, language: Language) -> usize {
    let mut start = text.len();
    loop {
        let before = &text[..start];
        if before.ends_with([')', ']', '}']) {
            let mut depth = 0_usize;
            let open = before.char_indices().rev().find(|(_, c)| {
                match c {
                    ')' | ']' | '}' => depth += 1,
                    '(' | '[' | '{' => depth -= 1,
                    _ => {}
                }
                depth == 0
            });
            match open {
                Some((at, _)) => start = at,
                None => return text.len(),
            }
        } else if language == Language::TypeScript && start < text.len() && before.ends_with('>') {
            // The type arguments of a call: `f<T>(x).g`.
            match type_arguments_start(before) {
                Some(at) => start = at,
                None => return text.len(),
            }
        } else {
            let name = before.rfind(|c| !is_name_char(c)).map_or(0, |at| at + char_len(before, at));
            // Brackets may follow a name or not: `f(x).g`, `[x].g`.
            return if name == start && start == text.len() { text.len() } else { name };
        }
    }
}

fn char_len(text: &str, at: usize) -> usize {
    text[at..].chars().next().map_or(1, char::len_utf8)
}

/// The length in bytes of the argument list behind a callee's name; 0 if there is none.
fn arguments_length(text: &str, language: Language) -> usize {
    let mut at = text.len() - text.trim_start_matches([' ', '\t']).len();
    if language == Language::TypeScript {
        at += if text[at..].starts_with("?.") { 2 } else { 0 };
        at += usize::from(text[at..].starts_with('!'));
        if text[at..].starts_with('<') {
            at += type_arguments_length(&text[at..]);
        }
    }
    let rest = &text[at..];
    if rest.starts_with('(') || language == Language::TypeScript && rest.starts_with('`') {
        at + balanced_length(rest, language, |_, depth| depth == 0)
    } else {
        0
    }
}

/// The length in bytes of the type arguments, `<…>`, at the beginning of a text.
fn type_arguments_length(text: &str) -> usize {
    let mut depth = 0_i32;
    let mut last = ' ';
    for (at, c) in text.char_indices() {
        match c {
            '<' => depth += 1,
            '>' if last != '=' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
        last = c;
    }
    0
}

/// The byte offset of the type arguments, `<…>`, at the end of a text. `None` if the text does not hold their
/// beginning.
fn type_arguments_start(text: &str) -> Option<usize> {
    let mut depth = 0_i32;
    let mut brackets =
        text.char_indices().rev().filter(|(at, c)| *c == '<' || *c == '>' && !text[..*at].ends_with('='));
    let is_start = |(_, c): &(usize, char)| {
        depth += if *c == '>' { 1 } else { -1 };
        depth == 0
    };
    brackets.find(is_start).map(|(at, _)| at)
}

/// The length in bytes from behind the name of a JSX element to the end of its opening tag.
pub(super) fn element_length(text: &str) -> usize {
    let types = if text.starts_with('<') { type_arguments_length(text) } else { 0 };
    types + balanced_length(&text[types..], Language::TypeScript, |c, depth| c == '>' && depth == 0)
}

/// The length in bytes up to and including the first character outside of strings and comments for which `is_end` is
/// true; the whole text if there is none. The second argument of `is_end` is the number of brackets that are open after
/// the character.
pub(super) fn balanced_length(text: &str, language: Language, mut is_end: impl FnMut(char, usize) -> bool) -> usize {
    // The stack of open brackets, template strings and their substitutions.
    let mut open: Vec<char> = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        if open.last() == Some(&'`') {
            at += match rest {
                _ if rest.starts_with('\\') => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
                _ if rest.starts_with("${") => {
                    open.push('{');
                    2
                }
                _ => {
                    if c == '`' {
                        open.pop();
                        if is_end(c, open.len()) {
                            return at + 1;
                        }
                    }
                    c.len_utf8()
                }
            };
            continue;
        }
        if let Some(skipped) = literal_length(rest, language) {
            at += skipped;
            continue;
        }
        match c {
            '(' | '[' | '{' => open.push(c),
            '`' if language == Language::TypeScript => open.push(c),
            ')' | ']' | '}' => {
                open.pop();
            }
            _ => {}
        }
        at += c.len_utf8();
        if is_end(c, open.len()) {
            return at;
        }
    }
    text.len()
}

/// A call on one line: without comments and line breaks, and without the spaces and trailing commas that go with line
/// breaks. The end of a very long call is cut off.
pub fn one_line(call: &str, language: Language) -> String {
    let mut line = String::new();
    let (mut at, mut is_apart, mut is_broken) = (0, false, false);
    while let Some(c) = call[at..].chars().next().filter(|_| line.len() < MAX_LINE_BYTES) {
        let rest = &call[at..];
        let (token, is_comment) = first_token(rest, language, c);
        at += token.len();
        if c.is_whitespace() || is_comment {
            is_apart = true;
            is_broken |= c == '\n' || is_comment;
            continue;
        }
        if is_broken && matches!(c, ')' | ']' | '}') && line.ends_with(',') {
            line.pop();
        }
        let is_member = c == '.' && !rest.starts_with("...") || rest.starts_with("?.");
        let is_joined =
            line.is_empty() || is_broken && (line.ends_with(['(', '[']) || matches!(c, ')' | ']') || is_member);
        if is_apart && !is_joined {
            line.push(' ');
        }
        line.extend(token.chars().map(|c| if c.is_control() { ' ' } else { c }));
        (is_apart, is_broken) = (false, false);
    }
    line
}

/// The first token of a text that begins with `c`: a string, template or comment, else the character `c` alone. The
/// flag is true for a comment.
pub(super) fn first_token(text: &str, language: Language, c: char) -> (&str, bool) {
    if c == '`' && language == Language::TypeScript {
        return (&text[..balanced_length(text, language, |_, depth| depth == 0)], false);
    }
    let literal = literal_length(text, language);
    (&text[..literal.unwrap_or(c.len_utf8())], literal.is_some() && !matches!(c, '"' | '\''))
}

/// True if [`one_line`] joins two statements of the call: TypeScript may end a statement by a line break alone.
pub fn joins_statements(call: &str, language: Language) -> bool {
    let mut open: Vec<char> = Vec::new();
    let (mut at, mut last, mut is_broken) = (0, ' ', false);
    while let Some(c) = call[at..].chars().next().filter(|_| language == Language::TypeScript) {
        let (token, is_comment) = first_token(&call[at..], language, c);
        at += token.len();
        if is_comment || c.is_whitespace() {
            is_broken |= token.contains('\n');
            continue;
        }
        let ends = is_name_char(last) || matches!(last, ')' | ']' | '}' | '"' | '\'' | '`');
        let begins = is_name_char(c) || matches!(c, '"' | '\'' | '`');
        if is_broken && ends && begins && open.last() == Some(&'{') {
            return true;
        }
        match c {
            '(' | '[' | '{' => open.push(c),
            ')' | ']' | '}' => drop(open.pop()),
            _ => {}
        }
        (last, is_broken) = (c, false);
    }
    false
}

/// The beginning of a line that is longer than 100 characters, up to a space, with dots behind it.
pub fn shortened(line: &str) -> String {
    let Some((end, _)) = line.char_indices().nth(MAX_SHORT_LINE_CHARS) else { return line.to_owned() };
    let kept = line[..end].char_indices().nth(MAX_SHORT_LINE_CHARS - DOTS.len()).map_or("", |(at, _)| &line[..at]);
    let words = kept.rsplit_once(' ').map_or(kept, |(words, _)| words);
    format!("{words}{DOTS}")
}

/// True for a quote whose end is missing. The dots in `with f() as x: ...` stand for the body of the statement, not for
/// a missing end.
pub fn is_cut_off(quote: &str) -> bool {
    let header = quote.strip_prefix("async ").unwrap_or(quote);
    let is_statement = ["with ", "for "].iter().any(|keyword| header.starts_with(keyword)) && header.ends_with(": ...");
    quote.ends_with(DOTS) && !is_statement
}

/// The length in bytes of the string or comment at the beginning of a text; `None` if there is neither.
fn literal_length(text: &str, language: Language) -> Option<usize> {
    let to_end_of_line = || text.find('\n').unwrap_or(text.len());
    match language {
        Language::Python if text.starts_with('#') => return Some(to_end_of_line()),
        Language::TypeScript if text.starts_with("//") => return Some(to_end_of_line()),
        Language::TypeScript if text.starts_with("/*") => {
            return Some(text[2..].find("*/").map_or(text.len(), |at| at + 4));
        }
        _ => {}
    }
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let triple = [quote; 3].iter().collect::<String>();
    let is_triple = language == Language::Python && text.starts_with(&triple);
    let mut at = if is_triple { 3 } else { 1 };
    while let Some(c) = text[at..].chars().next() {
        if c == '\\' {
            at += 1 + text[at + 1..].chars().next().map_or(0, char::len_utf8);
        } else if is_triple && text[at..].starts_with(&triple) {
            return Some(at + 3);
        } else if !is_triple && (c == quote || c == '\n') {
            // An unclosed string ends with its line.
            return Some(at + usize::from(c == quote));
        } else {
            at += c.len_utf8();
        }
    }
    Some(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The call whose callee's name begins at the mark `‸`.
    fn python(text: &str) -> Option<String> {
        found(text, Language::Python)
    }

    fn found(text: &str, language: Language) -> Option<String> {
        let name = text.find('‸').expect("a mark");
        let text = text.replace('‸', "");
        call_range(&text, name, language).map(|range| text[range].to_owned())
    }

    #[track_caller]
    fn check(language: Language, text: &str, expected: &str) {
        assert_eq!(found(text, language).as_deref(), Some(expected), "{text}");
    }

    #[test]
    fn calls_of_python() {
        let check = |text, expected| check(Language::Python, text, expected);
        check("x = ‸f(1, g(2))  # f(", "f(1, g(2))");
        check("await client.models.‸list(a=1)", "await client.models.list(a=1)");
        check("x = a[0].b(c).‸d('(', \")\", '''\n)''', # )\n  2)", "a[0].b(c).d('(', \")\", '''\n)''', # )\n  2)");
        check("@app.‸route('/x')\ndef f(): ...", "@app.route('/x')");
        check("super().‸__init__(**kw)", "super().__init__(**kw)");
        check("return (a\n    .‸b(1)\n    .c(2))", "b(1)");
        check("größe.‸maß('\\')')", "größe.maß('\\')')");
        check("‸f (x)", "f (x)");
        check("[1, 2].‸index(1)", "[1, 2].index(1)");
        check("‸f(", "f(");
        check("notawait ‸f()", "f()");
        check("x = layers.Dense(64)‸(x) + 1", "layers.Dense(64)(x)");
        check("(a or b)‸(1)", "(a or b)(1)");
        check("@app.‸task\ndef f(): ...", "@app.task");
    }

    #[test]
    fn calls_of_typescript() {
        let check = |text, expected| check(Language::TypeScript, text, expected);
        check("const x = new ns.‸Client<string>({a: `}${f(`)`)}`}) // )", "new ns.Client<string>({a: `}${f(`)`)}`})");
        check("a?.‸b?.(1)", "a?.b?.(1)");
        check("‸f<Map<string, () => void>>(1 /* ) */)", "f<Map<string, () => void>>(1 /* ) */)");
        check("return <‸Button kind=\"a>\" on={() => f(1)} />", "<Button kind=\"a>\" on={() => f(1)} />");
        check("<‸Button<() => A> kind=\"a\">b</Button>", "<Button<() => A> kind=\"a\">");
        check("‸gql`query { ${x} }` + 1", "gql`query { ${x} }`");
        check("await this.repo!\n    .‸find({ a: 1 })", "await this.repo!\n    .find({ a: 1 })");
        check("this.repo<T[]>().‸save(x)", "this.repo<T[]>().save(x)");
        check("map<(a: A) => B<C>>(f).‸get(x)", "map<(a: A) => B<C>>(f).get(x)");
        check("x;\nrepo\n  .all()\n  .‸find(1)\n  .end()", "repo\n  .all()\n  .find(1)");
    }

    #[test]
    fn calls_on_one_line() {
        let check = |language, text, expected: &str| assert_eq!(one_line(text, language), expected);
        let python = "f(  # why\n    a, 'x  # y',\n    b=[\n        1,\n    ],\n)\n    .g( 2 )";
        check(Language::Python, python, "f(a, 'x  # y', b=[1]).g( 2 )");
        check(Language::Python, "f('''a\n  b''')", "f('''a   b''')");
        check(Language::TypeScript, "f({\n  a, // why\n  /* not */ ...b,\n})", "f({ a, ...b })");
        check(Language::TypeScript, "f(`http://${x}`, // why\n  1)", "f(`http://${x}`, 1)");
        check(Language::TypeScript, "<Button\n  kind=\"a\"\n>", "<Button kind=\"a\" >");
        let long = one_line(&format!("f({})", "1, ".repeat(9_000)), Language::Python);
        assert!(long.len() <= MAX_LINE_BYTES + 1, "{}", long.len());
    }

    #[test]
    fn a_short_line_is_cut_and_printable() {
        let python =
            |call: &str| shortened(&apidisc_base::unprintable::escaped_line(&one_line(call, Language::Python)));
        assert_eq!(python("f(\n  1,\n  '\u{202e}*/\u{2028}',\n)"), "f(1, '\\u{202e}*/\\u{2028}')");
        let exactly = format!("f({})", "x".repeat(97));
        assert_eq!(python(&exactly), exactly);
        let cut = python(&format!("f({})", "'word', ".repeat(40)));
        assert!(cut.starts_with("f('word',") && cut.ends_with("'word', ...") && cut.len() <= 100, "{cut}");
        assert_eq!(python(&format!("f('{}')", "名".repeat(200))).chars().count(), 100);
    }

    #[test]
    fn statements_that_a_line_break_ends_are_seen() {
        for (call, expected) in [
            ("on((e) => {\n  log(e)\n  return e\n})", true),
            ("on(() => {\n  next() // why\n  done()\n})", true),
            ("on((e) => {\n  log(e);\n  return e;\n})", false),
            ("f({\n  a: 1,\n  b: `x`\n})", false),
            ("f(() => {\n  a\n    .b()\n    .c()\n})", false),
            ("f(\n  a,\n  b\n)", false),
        ] {
            assert_eq!(joins_statements(call, Language::TypeScript), expected, "{call}");
        }
        assert!(!joins_statements("f({\n  a\n  b\n})", Language::Python));
    }

    #[test]
    fn a_position_without_a_name() {
        for text in ["‸(1)", "x‸yz(1)", "f(‸", "‸", "‸1f()"] {
            assert_eq!(python(text), None, "{text}");
        }
        assert_eq!(call_range("ä", 1, Language::Python), None);
        assert_eq!(call_range("f()", 9, Language::Python), None);
        // The file has changed, and there is no argument list any more.
        assert_eq!(python("x = ‸name + 1").as_deref(), Some("name"));
    }
}
