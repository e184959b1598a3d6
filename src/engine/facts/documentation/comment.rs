//! Documentation comments of TypeScript and JavaScript (JSDoc, TSDoc).

use super::{Description, Documentation, MAX_ITEMS, bounded, details::Details, words};

/// Parses a documentation comment, from `/**` to `*/`. `None` if it describes nothing beside a summary.
pub(crate) fn parse(comment: &str) -> Option<Box<Documentation>> {
    let body = bounded(comment.strip_prefix("/**")?);
    let body = body.strip_suffix("*/").unwrap_or(body);
    let content = |line: &'_ str| -> usize {
        let text = line.trim_start();
        let text = text.strip_prefix('*').unwrap_or(text);
        line.len() - text.strip_prefix(' ').unwrap_or(text).len()
    };
    let lines: Vec<&str> = body.lines().map(|line| &line[content(line)..]).collect();
    let mut documentation = Documentation::default();
    let mut at = lines.iter().position(|line| line.trim_start().starts_with('@'));
    let mut details = Details::default();
    lines[..at.unwrap_or(lines.len())].iter().for_each(|line| details.add(line));
    documentation.details = details.finish();
    while let Some(start) = at {
        let end = lines[start + 1..].iter().position(|line| is_tag(line.trim_start()));
        let end = end.map_or(lines.len(), |length| start + 1 + length);
        tag(&mut documentation, &lines[start..end]);
        at = (end < lines.len()).then_some(end);
    }
    documentation.boxed()
}

/// True for the line of a tag. A decorator in an example is written in capitals.
fn is_tag(line: &str) -> bool {
    line.strip_prefix('@').is_some_and(|name| name.starts_with(|c: char| c.is_ascii_lowercase()))
}

fn tag(documentation: &mut Documentation, lines: &[&str]) {
    let Some((first, rest)) = lines.split_first() else { return };
    let first = first.trim_start();
    let (name, first) = first.split_once(char::is_whitespace).unwrap_or((first, ""));
    let text = |first| {
        // A blank line ends the text of a tag; what follows belongs to the whole comment.
        let rest = rest.iter().copied().take_while(|line: &&str| !line.trim().is_empty());
        words::line(std::iter::once(first).chain(rest))
    };
    match name {
        "@param" | "@parameter" | "@arg" | "@argument" | "@prop" | "@property" => {
            let first = without_type(first).1;
            let (name, first) = first.split_once(char::is_whitespace).unwrap_or((first, ""));
            // `[name=default]` is optional.
            let name = name.trim_start_matches('[').split(['=', ']']).next().unwrap_or_default();
            if words::is_parameter(name) {
                let name = name.trim_start_matches("...");
                documentation.describe(name, text(first.trim_start().trim_start_matches(['-', '–', '—', ':'])));
            }
        }
        "@returns" | "@return" | "@yields" => {
            let text = text(without_type(first).1.trim_start_matches(['-', '–', '—']));
            documentation.returns = documentation.returns.take().or((!text.is_empty()).then_some(text));
        }
        "@throws" | "@exception" => {
            let (ty, first) = without_type(first);
            let error = Description { name: words::name(ty.trim_start_matches("@link").trim()), text: text(first) };
            if error != Description::default() && documentation.raises.len() < MAX_ITEMS {
                documentation.raises.push(error);
            }
        }
        "@deprecated" => {
            documentation.deprecated.get_or_insert_with(|| text(first));
        }
        "@default" | "@defaultValue" | "@defaultvalue" => {
            let text = text(first);
            let text = text.trim_matches(['`', ' ']);
            documentation.default = documentation.default.take().or((!text.is_empty()).then(|| text.into()));
        }
        "@example" => {
            let lines: Vec<&str> = rest.to_vec();
            documentation.example = documentation.example.take().or_else(|| words::example(&lines));
        }
        _ => {}
    }
}

/// The type in braces at the start of a text, and the text behind it.
fn without_type(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    if !text.starts_with('{') {
        return ("", text);
    }
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return (&text[1..at], text[at + 1..].trim_start());
        }
    }
    ("", text)
}
