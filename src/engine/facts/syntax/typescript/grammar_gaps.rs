//! Workarounds for valid programs that the grammar rejects. The parser gets a patched text of the same length in bytes,
//! so that every position in the tree is a position in the source.

use std::{borrow::Cow, ops::Range};

use memchr::memmem;
use tree_sitter::{Node, Parser, Tree};

use super::{
    Dialect, first_statements, jsx_gaps, keyword_names,
    tokens::{is_in_name, tokens},
    type_gaps,
};
use crate::syntax::{
    long_runs,
    parsing::{self, Guard, ParseError, TextPosition},
    pieces::Part,
    tree,
};

/// The greatest number of patches. The text is parsed once more after each patch. Several may be needed: the error of a
/// later overload only appears when an earlier one can be parsed.
const MAX_ROUNDS: usize = 6;
/// The greatest number of bytes that are parsed once more after patches of a file.
const MAX_PARSED_AGAIN: usize = 12 * 1024 * 1024;

/// The greatest number of syntax errors that one patch examines.
const MAX_ERRORS: usize = 200;
/// The number of lines before or after an error that may contain its cause.
const MAX_LINES: usize = 4;
/// The greatest length of an import type in type arguments, in bytes.
const MAX_IMPORT_TYPE: usize = 300;

/// Parses a part of a text, after valid code that the grammar rejects is replaced by code of the same length that the
/// grammar accepts. The text is one that [`masked`] returns. Returns the tree and the replaced text.
pub(super) fn parse<'s>(
    parser: &mut Parser,
    mut text: Cow<'s, str>,
    part: Part,
    dialect: Dialect,
    guard: &mut Guard<'_>,
) -> Result<(Tree, Cow<'s, str>), ParseError> {
    let mut tree = parsing::parse_part(parser, &text, part, guard)?;
    // In TSX, a text between tags may look like type arguments of a template.
    if dialect == Dialect::Tsx && memmem::find(&text.as_bytes()[part.0.byte..part.1.byte], b">`").is_some() {
        let has_error = tree.root_node().has_error();
        let masked = mask_template_arguments(text.clone(), |end| has_error || is_compared(&tree, end));
        if (has_error || masked != text)
            && let Ok(next) = parsing::parse_part(parser, &masked, part, guard)
            && !next.root_node().has_error()
        {
            (tree, text) = (next, masked);
        }
    }
    if tree.root_node().has_error()
        && let Some(masked) = keyword_names::masked(&text, dialect != Dialect::JavaScript)
        && let Ok(next) = parsing::parse_part(parser, &masked, part, guard)
    {
        (tree, text) = (next, Cow::Owned(masked));
    }
    let bytes = part.1.byte - part.0.byte;
    for _ in 0..MAX_ROUNDS.min(MAX_PARSED_AGAIN / bytes.max(1)) {
        if !tree.root_node().has_error() {
            break;
        }
        let in_elements = match dialect {
            Dialect::TypeScript => None,
            Dialect::Tsx | Dialect::JavaScript => jsx_gaps::replace_ampersands(&text, &tree),
        };
        let Some(patched) = in_elements.or_else(|| separate_members(&text, &tree, dialect)) else { break };
        let Ok(next) = parsing::parse_part(parser, &patched, part, guard) else { break };
        tree = next;
        text = Cow::Owned(patched);
    }
    Ok((tree, text))
}

/// A source with replacements with which the grammar accepts it; `None` if [`parse`] finds none. It is meant for
/// sources that the grammar rejects with the replacements of [`masked`] alone, and does not parse those that have no
/// other.
pub(super) fn patched<'s>(
    parser: &mut Parser,
    source: &'s str,
    dialect: Dialect,
    guard: &mut Guard<'_>,
) -> Option<Cow<'s, str>> {
    if !may_be_patched(source, dialect) {
        return None;
    }
    let text = masked(source, dialect);
    let whole = (TextPosition::of(&text, 0), TextPosition::of(&text, text.len()));
    let (tree, text) = parse(parser, text, whole, dialect, guard).ok()?;
    (!tree.root_node().has_error()).then_some(text)
}

/// False for a source in which [`parse`] most likely replaces no more than [`masked`] does: it has no line that looks
/// like a member after another member without a separator.
fn may_be_patched(source: &str, dialect: Dialect) -> bool {
    if dialect == Dialect::Tsx && memmem::find(source.as_bytes(), b">`").is_some() {
        return true;
    }
    let mut line_start = 0;
    source.split_inclusive('\n').any(|line| {
        let at = line_start;
        line_start += line.len();
        let code = line.trim_start_matches([' ', '\t']);
        // A line that begins with `<` without parameters is an element of JSX.
        let may_begin_member = !code.starts_with('<') || code.contains(">(") || code.trim_end().ends_with(['<', ',']);
        code.len() < line.len() && may_begin_member && begins_member(code) && follows_member(source, at)
    })
}

/// The source, with valid code that the grammar rejects replaced where the code is recognized without a tree.
pub(super) fn masked(source: &str, dialect: Dialect) -> Cow<'_, str> {
    let marks = |mark: &'static [u8]| memmem::find_iter(source.as_bytes(), mark);
    let has_comments = |max| marks(b"//").chain(marks(b"/*")).nth(max).is_some();
    let text = if long_runs::may_have(source, has_comments) {
        long_runs::blank(source, tokens(source))
    } else {
        Cow::Borrowed(source)
    };
    let masked = mask_typeof_undefined(mask_imports_of_arrays(mask_import_types(text)));
    let mut text = mask_names_like_operators(mask_escaped_backticks(mask_let_as(mask_using(masked))));
    if dialect != Dialect::JavaScript {
        text = first_statements::separate(type_gaps::mask(mask_namespaces(text)));
    }
    if dialect == Dialect::TypeScript {
        text = mask_template_arguments(text, |_| true);
    } else {
        text = jsx_gaps::mask_attributes(text);
    }
    text
}

/// Replaces the first letter of names such as `in_progress` and `instanceof$` at the beginning of a line by `_`: the
/// grammar takes them for the operators `in` and `instanceof`, and inserts no semicolon before them.
fn mask_names_like_operators(mut text: Cow<'_, str>) -> Cow<'_, str> {
    let is_like_operator = |code: &[u8]| {
        ["instanceof", "in"].iter().any(|operator| {
            let rest = code.strip_prefix(operator.as_bytes());
            rest.and_then(<[u8]>::first).is_some_and(|byte| is_in_name(*byte) && !byte.is_ascii_alphabetic())
        })
    };
    let bytes = text.as_bytes();
    let first_of_line = |end: usize| {
        let blanks = bytes[end + 1..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        end + 1 + blanks
    };
    let lines = memchr::memchr_iter(b'\n', bytes).map(first_of_line);
    let found: Vec<usize> = lines.filter(|at| is_like_operator(&bytes[*at..])).collect();
    for at in found {
        text.to_mut().replace_range(at..=at, "_");
    }
    text
}

/// Replaces `import("m")` in `f<typeof import("m")>()` by a name: the grammar parses that call as two comparisons.
fn mask_import_types(mut text: Cow<'_, str>) -> Cow<'_, str> {
    const TYPEOF: &str = "typeof import(";
    let found: Vec<usize> = memmem::find_iter(text.as_bytes(), TYPEOF).collect();
    for at in found {
        if !text[..at].trim_end().ends_with('<') {
            continue;
        }
        let start = at + "typeof ".len();
        let length = text.as_bytes()[start..].iter().take(MAX_IMPORT_TYPE).position(|&byte| byte == b')');
        let Some(end) = length.map(|length| start + length + 1) else { continue };
        if text.get(start..end).is_some_and(|code| super::text::imported_module(code).is_some()) {
            text.to_mut().replace_range(start..end, &"_".repeat(end - start));
        }
    }
    text
}

/// Replaces `import("m")` in `import("m").A[]`, `import("m").A<T>`, `f<import("m").A>()`, `(import("m").A | B)`,
/// `[...import("m").A]` and `keyof import("m").A` by a name: the grammar has no such types, or takes them for values.
pub(super) fn mask_imports_of_arrays(mut text: Cow<'_, str>) -> Cow<'_, str> {
    const IMPORT: &str = "import(";
    let in_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
    let mut masks: Vec<Range<usize>> = Vec::new();
    for start in memmem::find_iter(text.as_bytes(), IMPORT) {
        let length = text.as_bytes()[start..].iter().take(MAX_IMPORT_TYPE).position(|&byte| byte == b')');
        let Some(end) = length.map(|length| start + length + 1) else { continue };
        // The names of types begin with capital letters, those of the methods of a promise do not.
        let mut rest = &text[end..];
        while let Some(name) = rest.strip_prefix('.').filter(|name| name.starts_with(char::is_uppercase)) {
            rest = name.trim_start_matches(in_name);
        }
        let is_named = rest.len() < text.len() - end;
        let (before, rest) = (text[..start].trim_end(), rest.trim_start_matches([' ', '\n', '\r']));
        let is_argument =
            before.ends_with('<') && rest.starts_with(['>', ',']) || before.ends_with(',') && rest.starts_with('>');
        let is_first = before.ends_with('(') && (rest.starts_with(['|', '&', ')']) || rest.starts_with("extends "));
        let is_operand = is_first || before.ends_with("...");
        let is_type = rest.starts_with('[')
            || is_named && (rest.starts_with('<') || is_argument || is_operand)
            || before.ends_with(" keyof");
        if is_type && !text[..start].ends_with(in_name) && super::text::imported_module(&text[start..end]).is_some() {
            masks.push(start..end);
        }
    }
    for mask in masks {
        let name = "_".repeat(mask.len());
        text.to_mut().replace_range(mask, &name);
    }
    text
}

/// Replaces the first letter of `undefined` in `typeof undefined` by `_`: the grammar has no such type.
fn mask_typeof_undefined(mut text: Cow<'_, str>) -> Cow<'_, str> {
    const TYPEOF: &str = "typeof undefined";
    let ends: Vec<usize> = memmem::find_iter(text.as_bytes(), TYPEOF).map(|at| at + TYPEOF.len()).collect();
    for end in ends {
        let start = end - "undefined".len();
        text.to_mut().replace_range(start..=start, "_");
    }
    text
}

/// Replaces `using` and `await using`, the declarations of explicit resource management, by `const`, and the first
/// letter of a variable called `using` by `_`: the grammar takes the variable for a declaration.
fn mask_using(mut text: Cow<'_, str>) -> Cow<'_, str> {
    const USING: &str = "using";
    const BLANKS: [char; 2] = [' ', '\t'];
    let in_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
    let mut masks: Vec<(Range<usize>, String)> = Vec::new();
    for at in memmem::find_iter(text.as_bytes(), USING) {
        let after = &text[at + USING.len()..];
        if text[..at].ends_with(in_name) || after.starts_with(in_name) {
            continue;
        }
        let name = after.trim_start_matches(BLANKS);
        let rest = name.trim_start_matches(in_name);
        if rest.len() == name.len() {
            masks.push((at..at + 1, "_".to_owned()));
            continue;
        }
        let before = text[..at].trim_end_matches(BLANKS);
        let (start, before) = match before.strip_suffix("await") {
            Some(rest) => (rest.len(), rest.trim_end_matches(BLANKS)),
            None => (at, before),
        };
        let value = rest.trim_start();
        let is_declaration = (value.starts_with([':', '=']) && !value.starts_with("==") && !value.starts_with("=>")
            || value.starts_with("of "))
            && (before.is_empty() || before.ends_with(['\n', '\r', '{', '}', ';', '(']));
        if is_declaration {
            let end = at + USING.len();
            masks.push((start..end, format!("{:<1$}", "const", end - start)));
        }
    }
    for (range, mask) in masks {
        text.to_mut().replace_range(range, &mask);
    }
    text
}

/// Replaces `let` by `var` in the declaration of a variable called `as`: the grammar takes `let` for a value before the
/// operator `as`.
fn mask_let_as(mut text: Cow<'_, str>) -> Cow<'_, str> {
    const LET_AS: &str = "let as";
    let in_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '.');
    let is_declaration = |at: &usize| {
        let rest = text[at + LET_AS.len()..].trim_start_matches([' ', '\t']);
        !text[..*at].ends_with(in_name) && rest.starts_with(['=', ':', ',', ';', '!', '\n', '\r'])
    };
    let found: Vec<usize> = memmem::find_iter(text.as_bytes(), LET_AS).filter(is_declaration).collect();
    for at in found {
        text.to_mut().replace_range(at..at + 3, "var");
    }
    text
}

/// Replaces `namespace` by `module`, which means the same, where the brace stands on the next line: the grammar takes
/// the word for a value, and ends the statement at the end of the line.
fn mask_namespaces(mut text: Cow<'_, str>) -> Cow<'_, str> {
    const NAMESPACE: &str = "namespace";
    const BLANKS: [char; 2] = [' ', '\t'];
    let is_split = |at: &usize| {
        let after = &text[at + NAMESPACE.len()..];
        let name = after.trim_start_matches(BLANKS);
        let rest = name.trim_start_matches(|c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '.'));
        let end = rest.trim_start_matches(BLANKS);
        let is_first = text[..*at].trim_end_matches(BLANKS).chars().next_back().is_none_or(|c| "\n{};".contains(c));
        let has_name = name.len() < after.len() && rest.len() < name.len();
        is_first && has_name && end.starts_with(['\n', '\r']) && end.trim_start().starts_with('{')
    };
    let found: Vec<usize> = memmem::find_iter(text.as_bytes(), NAMESPACE).filter(is_split).collect();
    for at in found {
        text.to_mut().replace_range(at..at + NAMESPACE.len(), "module   ");
    }
    text
}

/// Whether the grammar takes the `>` at a byte for the operator of a comparison.
fn is_compared(tree: &Tree, at: usize) -> bool {
    let operator = tree.root_node().descendant_for_byte_range(at, at + 1);
    operator.and_then(|operator| operator.parent()).is_some_and(|parent| parent.kind() == "binary_expression")
}

/// Replaces the type arguments of a tagged template, ``sql<User>`…` ``, by blanks: the grammar takes them for
/// comparisons. `is_end` says of a `>` before a template whether it may end type arguments.
fn mask_template_arguments(mut text: Cow<'_, str>, is_end: impl Fn(usize) -> bool) -> Cow<'_, str> {
    let mut masks = Vec::new();
    for end in memmem::find_iter(text.as_bytes(), ">`").filter(|end| is_end(*end)) {
        let mut depth = 0_usize;
        let start = text.as_bytes()[..=end].iter().enumerate().rev().take(MAX_IMPORT_TYPE).find_map(|(at, byte)| {
            match byte {
                // `=>` ends no type arguments.
                b'>' if at == 0 || text.as_bytes()[at - 1] != b'=' => depth += 1,
                b'<' => depth = depth.saturating_sub(1),
                // The text belongs to a template: `A<${b}>`.
                b'`' | b'$' => return Some(None),
                _ => {}
            }
            (depth == 0).then_some(Some(at))
        });
        let Some(start) = start.flatten() else { continue };
        let is_tag = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | ')');
        if text[..start].ends_with(is_tag) {
            masks.push(start..end + 1);
        }
    }
    for mask in masks {
        let blanks: String = text[mask.clone()].chars().map(|c| if c == '\n' { "\n" } else { " " }).collect();
        let blanks = format!("{blanks:<0$}", mask.len());
        text.to_mut().replace_range(mask, &blanks);
    }
    text
}

/// Replaces escaped backticks by letters: in template types the grammar takes them for the end of the template.
fn mask_escaped_backticks(mut text: Cow<'_, str>) -> Cow<'_, str> {
    let is_escaped = |at: usize| text[..=at].bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1;
    let escapes: Vec<usize> = memmem::find_iter(text.as_bytes(), "\\`").filter(|at| is_escaped(*at)).collect();
    for at in escapes {
        text.to_mut().replace_range(at..at + 2, "__");
    }
    text
}

/// Puts `;` before members of an interface or type literal that begin with `<` or `(`, or are called `in` or
/// `instanceof`, on a line of their own. The grammar requires a `;` there, but the language does not. The `;` replaces
/// the last blank before the member. `None` if nothing is patched.
fn separate_members(text: &str, tree: &Tree, dialect: Dialect) -> Option<String> {
    let mut bytes = text.as_bytes().to_vec();
    let mut changed = false;
    let mut patched_to = 0;
    for (error, ends_body) in error_positions(tree) {
        let start = match dialect {
            _ if ends_body => next_member(text, error),
            Dialect::TypeScript => member_near(text, error),
            // A line that begins with `<` may be a JSX element.
            Dialect::Tsx | Dialect::JavaScript => None,
        };
        let Some(start) = start.filter(|&start| start >= patched_to) else { continue };
        let mut line = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let indent = start - line;
        let is_blank = |range: &str| range.bytes().all(|byte| byte == b' ' || byte == b'\t');
        if indent == 0 || !text.get(line..start).is_some_and(is_blank) {
            continue;
        }
        // The following members with the same indentation need a separator, too, up to the end of the body.
        while line + indent < text.len() {
            let Some(before) = text.get(line..line + indent) else { break };
            if !before.trim().is_empty() {
                if before.trim_start().starts_with(['}', ';']) {
                    break;
                }
            } else if begins_member(&text[line + indent..])
                && bytes[line + indent - 1] != b';'
                && follows_member(text, line)
            {
                bytes[line + indent - 1] = b';';
                changed = true;
            }
            match text[line..].find('\n') {
                Some(end) => line += end + 1,
                None => break,
            }
        }
        patched_to = line;
    }
    if changed { String::from_utf8(bytes).ok() } else { None }
}

/// The byte positions of syntax errors in a tree, each with a flag. The flag is true if the error is a missing `}` of
/// an interface or type literal, which means that the grammar has ended the body too early.
fn error_positions(tree: &Tree) -> Vec<(usize, bool)> {
    let is_body = |node: Node| matches!(node.kind(), "interface_body" | "object_type");
    let position = |(node, parent): (Node, Option<Node>)| {
        let ends_body = node.is_missing() && node.kind() == "}" && parent.is_some_and(is_body);
        (if ends_body { node.end_byte() } else { node.start_byte() }, ends_body)
    };
    tree::errors(tree.root_node()).take(MAX_ERRORS).map(position).collect()
}

/// The byte position of a member that begins a line near an error and for which [`continues_type`] is true. The lines
/// after the error are searched first, then the line of the error and the lines before it.
fn member_near(text: &str, error: usize) -> Option<usize> {
    let mut at = error;
    for _ in 0..MAX_LINES {
        let Some(end) = text.get(at..)?.find('\n') else { break };
        at += end + 1;
        let rest = text.get(at..)?;
        let indent = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        if continues_type(&rest[indent..]) {
            return Some(at + indent);
        }
        if !rest[indent..].starts_with(|c: char| matches!(c, '/' | '*') || c.is_whitespace()) {
            break;
        }
    }
    let mut end = error;
    for _ in 0..MAX_LINES {
        let line = text.get(..end)?.rfind('\n').map_or(0, |at| at + 1);
        let rest = text.get(line..)?;
        let start = line + rest.len() - rest.trim_start_matches([' ', '\t']).len();
        if continues_type(&text[start..]) {
            return Some(start);
        }
        end = line.checked_sub(1)?;
    }
    None
}

/// Whether a text begins with a member that the grammar takes for the continuation of the member before it.
fn begins_member(text: &str) -> bool {
    text.starts_with('(') || continues_type(text)
}

/// Whether a text begins with a member that the grammar takes for the continuation of the type before it.
fn continues_type(text: &str) -> bool {
    let is_operator = |word| text.strip_prefix(word).is_some_and(|rest| rest.starts_with(['<', '(', '?', ':']));
    text.starts_with('<') || is_operator("in") || is_operator("instanceof")
}

/// Whether the code before the line at `line` may end a member. An argument or an operand may not.
fn follows_member(text: &str, line: usize) -> bool {
    let is_code = |line: &&str| !line.is_empty() && !line.starts_with("//") && !line.starts_with(['*', '/']);
    let before = text[..line].rsplit('\n').map(str::trim).find(is_code);
    before.is_none_or(|before| {
        let code = before.split_once(" //").map_or(before, |(code, _)| code.trim_end());
        !code.ends_with([',', '(', '[', '=', '|', '&', '?']) && !code.ends_with("=>")
    })
}

/// The position of the first byte from `from` on that is neither white space nor in a comment; `None` if no member of
/// [`begins_member`] begins there.
fn next_member(text: &str, from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        let rest = text.get(at..)?;
        let trimmed = rest.trim_start();
        at += rest.len() - trimmed.len();
        if trimmed.starts_with("//") {
            at += trimmed.find('\n')?;
        } else if trimmed.starts_with("/*") {
            at += trimmed.find("*/")? + 2;
        } else {
            return begins_member(trimmed).then_some(at);
        }
    }
}
