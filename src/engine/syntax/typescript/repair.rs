//! Sources as the grammar can read them: where it is known to fail on sound programs, the text that it sees is
//! another, byte for byte as long, so that every place in the tree is a place in the source.

use std::borrow::Cow;

use tree_sitter::{Node, Parser, Tree};

use super::Dialect;

/// Rounds of mending, each of which parses once more: a later overload may only come to light when an earlier one is
/// read.
const MAX_ROUNDS: usize = 6;

/// Errors of one round that are looked at.
const MAX_ERRORS: usize = 200;
/// Lines before an error that may hold its cause.
const MAX_LINES: usize = 4;
/// An import in type arguments is no longer than this.
const MAX_IMPORT: usize = 300;

/// Parses a source.
pub(super) fn parse(parser: &mut Parser, source: &str, dialect: Dialect) -> Option<Tree> {
    let mut text = without_imports_in_arguments(source);
    let mut tree = parser.parse(&*text, None)?;
    for _ in 0..MAX_ROUNDS {
        if !tree.root_node().has_error() {
            break;
        }
        let Some(mended) = separated(&text, &tree, dialect) else { break };
        tree = parser.parse(&mended, None)?;
        text = Cow::Owned(mended);
    }
    Some(tree)
}

/// `f<typeof import("m")>()` is read as two comparisons: the import is written as a name.
fn without_imports_in_arguments(source: &str) -> Cow<'_, str> {
    const TYPEOF: &str = "typeof import(";
    let mut text = Cow::Borrowed(source);
    for (at, _) in source.match_indices(TYPEOF) {
        if !source[..at].trim_end().ends_with('<') {
            continue;
        }
        let start = at + "typeof ".len();
        let near = source.as_bytes()[start..].iter().take(MAX_IMPORT).position(|&byte| byte == b')');
        let Some(end) = near.map(|end| start + end + 1) else { continue };
        if super::text::imported_module(&source[start..end]).is_some() {
            text.to_mut().replace_range(start..end, &"_".repeat(end - start));
        }
    }
    text
}

/// Members of an interface or type literal that begin with `<` or `(` need no `;` before them where they stand on a
/// line of their own, but the grammar wants one: it takes the place of the last blank before the member.
fn separated(text: &str, tree: &Tree, dialect: Dialect) -> Option<String> {
    let mut bytes = text.as_bytes().to_vec();
    let mut changed = false;
    let mut mended = 0;
    for (error, is_cut_short) in errors(tree) {
        let start = match dialect {
            _ if is_cut_short => next_code(text, error),
            Dialect::TypeScript => line_of_member(text, error),
            // A line that begins with `<` may be an element.
            Dialect::Tsx | Dialect::JavaScript => None,
        };
        let Some(start) = start.filter(|&start| start >= mended) else { continue };
        let mut line = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let indent = start - line;
        let is_blank = |range: &str| range.bytes().all(|byte| byte == b' ' || byte == b'\t');
        if indent == 0 || !text.get(line..start).is_some_and(is_blank) {
            continue;
        }
        // The members after it that begin like it, as far as the body goes.
        while let Some(first) = text.as_bytes().get(line + indent) {
            let Some(before) = text.get(line..line + indent) else { break };
            if !before.trim().is_empty() {
                if before.trim_start().starts_with(['}', ';']) {
                    break;
                }
            } else if matches!(first, b'<' | b'(') && bytes[line + indent - 1] != b';' {
                bytes[line + indent - 1] = b';';
                changed = true;
            }
            match text[line..].find('\n') {
                Some(end) => line += end + 1,
                None => break,
            }
        }
        mended = line;
    }
    if changed { String::from_utf8(bytes).ok() } else { None }
}

/// Where the tree has errors, and which of them are bodies of interfaces and type literals that end for want of a `}`.
fn errors(tree: &Tree) -> Vec<(usize, bool)> {
    let is_body = |node: Node| matches!(node.kind(), "interface_body" | "object_type");
    let mut found = Vec::new();
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        if found.len() >= MAX_ERRORS {
            return found;
        }
        if node.is_missing() && node.kind() == "}" && node.parent().is_some_and(is_body) {
            found.push((node.end_byte(), true));
        } else if node.is_error() || node.is_missing() {
            found.push((node.start_byte(), false));
        }
        if node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return found;
            }
        }
    }
}

/// The first byte of a line near an error that begins with `<`: one in it, else its own or one shortly before it.
fn line_of_member(text: &str, error: usize) -> Option<usize> {
    let mut at = error;
    for _ in 0..MAX_LINES {
        let Some(end) = text.get(at..)?.find('\n') else { break };
        at += end + 1;
        let rest = text.get(at..)?;
        let indent = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        if rest[indent..].starts_with('<') {
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
        if text[start..].starts_with('<') {
            return Some(start);
        }
        end = line.checked_sub(1)?;
    }
    None
}

/// The next byte that is neither blank nor in a comment, where it begins a member.
fn next_code(text: &str, from: usize) -> Option<usize> {
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
            return trimmed.starts_with(['<', '(']).then_some(at);
        }
    }
}
