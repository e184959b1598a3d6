//! Lists of described names, in the styles of docstrings.

use super::{Description, MAX_ITEMS, words};

/// The described names of a section whose lines are indented below its title (Google), or of a list of Markdown.
///
/// An item is `name: text`, `name (type): text`, `` - `name`: text `` or `name -- text`; instead of one name it may
/// have several: `a, b`. Lines that are indented further than the first item continue an item. Only the first
/// [`MAX_ITEMS`] items are read.
pub(super) fn of_section(lines: &[&str]) -> Vec<Description> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let first = lines.iter().find(|line| !line.trim().is_empty()).map_or(0, |line| indent(line));
    let mut items: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in lines.iter().filter(|line| !line.trim().is_empty()) {
        match item(line.trim()).filter(|_| indent(line) <= first) {
            Some(_) if items.len() == MAX_ITEMS => break,
            Some((names, text)) => items.push((names, vec![text])),
            None => {
                if let Some((_, text)) = items.last_mut() {
                    text.push(line);
                }
            }
        }
    }
    described(items)
}

/// The described names of a section in the style of NumPy: `name : type`, and indented lines below. Only the first
/// [`MAX_ITEMS`] items are read.
pub(super) fn of_numpy(lines: &[&str]) -> Vec<Description> {
    let mut items: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in lines.iter().filter(|line| !line.trim().is_empty()) {
        if line.starts_with([' ', '\t']) {
            if let Some((_, text)) = items.last_mut() {
                text.push(line);
            }
        } else if items.len() == MAX_ITEMS {
            break;
        } else {
            items.push((line.split(':').next().unwrap_or_default(), Vec::new()));
        }
    }
    described(items)
}

/// One description for each name; an item may name several: `a, b`.
fn described(items: Vec<(&str, Vec<&str>)>) -> Vec<Description> {
    let mut all = Vec::new();
    for (names, lines) in items {
        let text = words::line(lines.into_iter());
        for name in names.split(',').filter(|name| words::is_parameter(name)) {
            if all.len() < MAX_ITEMS {
                all.push(Description { name: words::name(name), text: text.clone() });
            }
        }
    }
    all
}

/// The names and the text of an item that is written on one line.
fn item(line: &str) -> Option<(&str, &str)> {
    let bullet = line.strip_prefix(['-', '*', '+']).and_then(|rest| rest.strip_prefix(' '));
    let line = bullet.map_or(line, str::trim_start);
    let (names, rest) = line.split_at(names_end(line));
    if !names.split(',').all(words::is_parameter) {
        return None;
    }
    let mut rest = rest.trim_start_matches(['*', '`']).trim_start();
    if rest.starts_with('(') {
        rest = after_parenthesis(rest)?.trim_start_matches(['*', '`']).trim_start();
    }
    let text = [":", "--", "–", "—", "- "].iter().find_map(|mark| rest.strip_prefix(mark))?;
    // A list of Markdown may put the name in bold together with the colon: `**name:** text`.
    Some((names, without_emphasis(text.trim_start_matches("**").trim())))
}

/// The position behind the names with which an item begins: `a` or `a, b`.
fn names_end(line: &str) -> usize {
    let mut start = 0;
    loop {
        let end = line[start..].find([':', ' ', '(']).map_or(line.len(), |length| start + length);
        if !(line[..end].ends_with(',') && line[end..].starts_with(' ')) {
            return end;
        }
        start = end + 1;
    }
}

/// A text without a remark in emphasized parentheses at its start: `*(optional)* The address.`
fn without_emphasis(text: &str) -> &str {
    let remark = ["*(", "_("].into_iter().find_map(|opening| text.strip_prefix(opening));
    let rest = remark.and_then(|remark| remark.split_once(')')).and_then(|(_, rest)| rest.strip_prefix(['*', '_']));
    rest.map_or(text, str::trim_start)
}

/// The text behind a type in parentheses.
fn after_parenthesis(text: &str) -> Option<&str> {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return Some(&text[at + c.len_utf8()..]);
        }
    }
    None
}
