//! Texts on one line.

use compact_str::CompactString;

use super::markup;
use apidisc_base::unprintable::is_unprintable;

/// The greatest length of a text, in bytes.
const MAX_LINE: usize = 300;
/// The greatest length of a name, in bytes.
const MAX_NAME: usize = 100;
/// The greatest length of an example, in bytes.
const MAX_EXAMPLE: usize = 600;

/// The words of some lines as plain text on one line: see [`joined`].
pub(crate) fn line<'t>(lines: impl Iterator<Item = &'t str>) -> CompactString {
    joined(lines, MAX_LINE)
}

/// The words of some lines, joined by single spaces, without unprintable characters and inline markup (see
/// [`markup::plain`]). A text of more than `most` bytes is cut between two words.
pub(crate) fn joined<'t>(lines: impl Iterator<Item = &'t str>, most: usize) -> CompactString {
    let mut marked = String::new();
    let mut is_cut = false;
    for word in lines.flat_map(str::split_whitespace) {
        // Markup takes room that its text does not need.
        if marked.len() + word.len() > 2 * most {
            is_cut = true;
            break;
        }
        let before = marked.len();
        if !marked.is_empty() {
            marked.push(' ');
        }
        let start = marked.len();
        marked.extend(word.chars().filter(|c| !is_unprintable(*c)));
        if marked.len() == start {
            marked.truncate(before);
        }
    }
    let mut text = markup::plain(&marked);
    if text.len() > most {
        is_cut = true;
        let end = text.floor_char_boundary(most);
        let is_between = text[end..].starts_with(' ');
        let end = if is_between { end } else { text[..end].rfind(' ').unwrap_or(0) };
        text.truncate(end);
    }
    if is_cut {
        text.push('…');
    }
    text
}

/// The name of a parameter or type: its printable characters without stars, quotes and white space around it.
pub(super) fn name(text: &str) -> CompactString {
    let text = text.trim().trim_matches(['`', '*', '"', '\'']);
    if text.len() > MAX_NAME {
        return CompactString::default();
    }
    text.chars().filter(|c| !is_unprintable(*c)).collect()
}

/// True for the name of one parameter as documentation writes it: `name`, `options.name`, `*args`, `` `name` ``.
pub(super) fn is_parameter(text: &str) -> bool {
    let text = text.trim().trim_matches(['`', '*']).trim_start_matches("...");
    let is_identifier = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '$' | '-' | '[' | ']');
    !text.is_empty() && text.len() <= MAX_NAME && text.chars().all(is_identifier)
}

/// Lines of an example without their common indentation, without unprintable characters, and without fences.
pub(super) fn example<'t>(lines: &[&'t str]) -> Option<CompactString> {
    let is_code = |line: &&&'t str| !line.trim_start().starts_with("```");
    let indent = |line: &str| line.len() - line.trim_start().len();
    let lines = || lines.iter().filter(is_code).copied();
    let common = lines().filter(|line| !line.trim().is_empty()).map(indent).min()?;
    let mut example = CompactString::default();
    for line in lines().skip_while(|line| line.trim().is_empty()) {
        let line = line.get(common..).unwrap_or_default().trim_end();
        if example.len() + line.len() > MAX_EXAMPLE {
            break;
        }
        example.extend(line.chars().filter(|c| !is_unprintable(*c)));
        example.push('\n');
    }
    let end = example.trim_end().len();
    example.truncate(end);
    (!example.is_empty()).then_some(example)
}
