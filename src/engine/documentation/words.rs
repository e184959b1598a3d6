//! Texts on one line.

use compact_str::CompactString;

use crate::unprintable::is_unprintable;

/// The greatest length of a text, in bytes.
const MAX_LINE: usize = 300;
/// The greatest length of a name, in bytes.
const MAX_NAME: usize = 100;
/// The greatest length of an example, in bytes.
const MAX_EXAMPLE: usize = 600;

/// The words of some lines, joined by single spaces, without unprintable characters and inline tags such as
/// `{@link Name}`. A long text is cut between two words.
pub(crate) fn line<'t>(lines: impl Iterator<Item = &'t str>) -> CompactString {
    let mut line = CompactString::default();
    for word in lines.flat_map(str::split_whitespace) {
        if line.len() + word.len() > MAX_LINE {
            line.push('…');
            break;
        }
        let before = line.len();
        if !line.is_empty() {
            line.push(' ');
        }
        let start = line.len();
        line.extend(word.chars().filter(|c| !is_unprintable(*c)));
        if line.len() == start {
            line.truncate(before);
        }
    }
    if line.contains("{@") { without_inline_tags(&line) } else { line }
}

/// A text in which the names of links stand for the links: `{@link Name}`, `{@link Name | words}`.
fn without_inline_tags(text: &str) -> CompactString {
    let mut kept = CompactString::default();
    let mut rest = text;
    while let Some((before, tag)) = rest.split_once("{@") {
        let Some((tag, after)) = tag.split_once('}') else { break };
        kept.push_str(before);
        let content = tag.split_once(' ').map_or("", |(_, content)| content);
        kept.push_str(content.rsplit('|').next().unwrap_or_default().trim());
        rest = after;
    }
    kept.push_str(rest);
    kept
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
