//! Separates the first statement of a block from its brace where the parser would misread the statement.
//!
//! In `{ f(g<A, B>(x)); }` the brace may begin a block or an object literal, and `g<A, B>(x)` may be a call or two
//! comparisons. The parser follows a limited number of readings at once, and drops the right one. After `{ ;` it has
//! to follow those of a block alone.

use std::borrow::Cow;

use memchr::memmem;

use super::tokens::is_in_name;

/// The greatest distance in bytes between the brace and the end of the type arguments.
const MAX_DISTANCE: usize = 400;
/// The greatest number of bytes that are examined, in lengths of the text.
const MAX_EXAMINED: usize = 8;

/// Replaces the last blank before the first statement of a block by `;` if an argument in the statement may be a call
/// with several type arguments.
pub(super) fn separate(mut text: Cow<'_, str>) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let mut budget = bytes.len().saturating_mul(MAX_EXAMINED);
    let mut blanks = Vec::new();
    for end in memmem::find_iter(bytes, ">(") {
        if budget == 0 {
            break;
        }
        budget = budget.saturating_sub(2 * MAX_DISTANCE.min(end));
        blanks.extend(type_arguments_before(bytes, end).and_then(|start| blank_before_statement(bytes, start)));
    }
    blanks.dedup();
    for blank in blanks {
        text.to_mut().replace_range(blank..=blank, ";");
    }
    text
}

/// The position of the `<` of several type arguments that end with the `>` at `end` and follow a name.
fn type_arguments_before(bytes: &[u8], end: usize) -> Option<usize> {
    let mut depth = 0_usize;
    let mut has_several = false;
    for at in (end.saturating_sub(MAX_DISTANCE)..=end).rev() {
        match bytes[at] {
            // `=>` ends no type arguments.
            b'>' if at == 0 || bytes[at - 1] != b'=' => depth += 1,
            b'<' if depth == 1 => {
                let follows_name = at > 0 && is_in_name(bytes[at - 1]);
                return (has_several && follows_name).then_some(at);
            }
            b'<' => depth = depth.checked_sub(1)?,
            b',' if depth == 1 => has_several = true,
            b';' => return None,
            _ => {}
        }
    }
    None
}

/// The position of the blank before the first statement of a block if the statement begins with a name and one of its
/// arguments begins before `end`.
fn blank_before_statement(bytes: &[u8], end: usize) -> Option<usize> {
    let start = end.saturating_sub(MAX_DISTANCE);
    let brace = start + bytes[start..end].iter().rposition(|byte| matches!(byte, b'{' | b'}' | b';'))?;
    let statement = skip_blanks_and_comments(bytes, brace + 1, end)?;
    let begins_statement = bytes[brace] == b'{'
        && matches!(bytes[statement - 1], b' ' | b'\t')
        && is_in_name(bytes[statement])
        && bytes[statement..end].contains(&b'(');
    (begins_statement && begins_block(&bytes[..brace])).then_some(statement - 1)
}

/// The first position from `at` on that is before `end` and neither white space nor in a comment.
fn skip_blanks_and_comments(bytes: &[u8], mut at: usize, end: usize) -> Option<usize> {
    loop {
        at += bytes[at..end].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let rest = &bytes[at..end];
        at += match rest {
            [b'/', b'/', ..] => rest.iter().position(|byte| *byte == b'\n')?,
            [b'/', b'*', ..] => memmem::find(rest, b"*/")? + 2,
            [] => return None,
            _ => return Some(at),
        };
    }
}

/// True if a `{` after a text begins a block, not an object literal.
fn begins_block(before: &[u8]) -> bool {
    let before = before.trim_ascii_end();
    let word_start = before.iter().rposition(|byte| !is_in_name(*byte)).map_or(0, |at| at + 1);
    matches!(&before[word_start..], b"else" | b"try" | b"finally" | b"do" | b"catch")
        || before.ends_with(b")")
        || before.ends_with(b"=>")
}
