//! Docstrings of Python.

use compact_str::CompactString;

use super::{Description, Documentation, MAX_ITEMS, bounded, details::Details, items, words};

/// A section of a docstring, by its title.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SectionKind {
    Parameters,
    Returns,
    Raises,
    Example,
    Deprecated,
    Other,
}

/// Parses the text of a docstring, without its quotes. `None` if it describes nothing beside a summary.
pub fn parse(text: &str) -> Option<Box<Documentation>> {
    let lines = dedented(bounded(text));
    let mut documentation = Documentation::default();
    let mut details = Details::default();
    let mut at = 0;
    while at < lines.len() {
        at = if let Some((section, is_numpy)) = title(&lines, at) {
            details.end_paragraph();
            let start = at + 1 + usize::from(is_numpy);
            let end = section_end(&lines, start, at, is_numpy);
            add_section(&mut documentation, section, &lines[start..end], is_numpy);
            end.max(at + 1)
        } else if lines[at].trim_start().starts_with([':', '@']) {
            details.end_paragraph();
            field(&mut documentation, &lines, at)
        } else if let Some(rest) = lines[at].strip_prefix(".. deprecated::") {
            // An indented directive belongs to the description above it.
            let end = block_end(&lines, at + 1);
            let text = words::line(std::iter::once(rest).chain(lines[at + 1..end].iter().copied()));
            documentation.deprecated.get_or_insert(text);
            end
        } else {
            details.add(lines[at]);
            if documentation.example.is_none() && lines[at].trim_start().starts_with(">>> ") {
                let end = lines[at..].iter().position(|line| line.trim().is_empty()).map_or(lines.len(), |n| at + n);
                documentation.example = words::example(&lines[at..end]);
            }
            at + 1
        };
    }
    give_deprecation_to_parameter(&mut documentation);
    documentation.details = details.finish();
    if let Some(text) = documentation.deprecated.take_if(|text| is_about_arguments(text)) {
        let before = documentation.details.iter().map(CompactString::as_str);
        documentation.details = Some(before.chain([text.as_str()]).collect::<Vec<_>>().join("\n").into());
    }
    documentation.boxed()
}

/// True for the text of a deprecation that concerns arguments, not the definition: `Calling it with no arguments is
/// deprecated`, `Passing expressions is deprecated`, `The flag is deprecated`.
fn is_about_arguments(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    text.split(['.', ';']).any(|clause| {
        let Some((before, _)) = clause.split_once("deprecated") else { return false };
        let mut words = before.split(|c: char| !c.is_ascii_alphabetic());
        words.any(|word| {
            let noun = word.strip_suffix('s').unwrap_or(word);
            matches!(noun, "argument" | "parameter" | "keyword" | "flag" | "option" | "passing")
        })
    })
}

/// Moves a deprecation that begins with the emphasized name of a described parameter to that parameter:
/// `24.1.0 *hash* is deprecated in favor of *unsafe_hash*.`
fn give_deprecation_to_parameter(documentation: &mut Documentation) {
    let Some(text) = &documentation.deprecated else { return };
    let emphasized =
        |word: &str| word.starts_with(['*', '`']).then(|| words::name(word.trim_matches(['*', '`', ':', ','])));
    let Some(name) = text.split_whitespace().take(3).find_map(emphasized) else { return };
    if let Some(parameter) = documentation.parameters.iter_mut().find(|parameter| parameter.name == name) {
        parameter.text = words::line([parameter.text.as_str(), "Deprecated:", text].into_iter());
        documentation.deprecated = None;
    }
}

/// The lines of a docstring without the indentation that all lines but the first have in common (PEP 257).
pub fn dedented(text: &str) -> Vec<&str> {
    let indent = |line: &&str| line.len() - line.trim_start().len();
    let common = text.lines().skip(1).filter(|line| !line.trim().is_empty()).map(|line| indent(&line)).min();
    let mut lines: Vec<&str> = text.lines().map(|line| line.get(common.unwrap_or(0)..).unwrap_or_default()).collect();
    if let (Some(first), Some(line)) = (lines.first_mut(), text.lines().next()) {
        *first = line.trim_start();
    }
    lines
}

/// The section that a line opens, and true if it is underlined as in the style of NumPy. The title is a line of its own
/// (`Args:`), a heading of Markdown (`## Parameters`), or in bold (`**Returns:**`).
fn title(lines: &[&str], at: usize) -> Option<(SectionKind, bool)> {
    let line = lines[at].trim();
    let is_underline = |line: &&str| line.trim().len() >= 3 && line.trim().chars().all(|c| matches!(c, '-' | '='));
    let is_numpy = !line.is_empty() && !line.ends_with(':') && lines.get(at + 1).is_some_and(is_underline);
    let is_marked = line.ends_with(':') || line.starts_with('#') || line.starts_with("**") && line.ends_with("**");
    if !is_numpy && !is_marked || line.len() > 60 {
        return None;
    }
    let name = line.trim_matches(['#', '*', ':', ' ']).to_ascii_lowercase();
    let section = match &*name {
        "args" | "arguments" | "parameters" | "params" | "keyword args" | "keyword arguments" | "other parameters"
        | "attributes" | "fields" => SectionKind::Parameters,
        "return" | "returns" | "yield" | "yields" => SectionKind::Returns,
        "raise" | "raises" | "throws" | "exceptions" => SectionKind::Raises,
        "example" | "examples" | "usage" => SectionKind::Example,
        "deprecated" => SectionKind::Deprecated,
        _ if is_numpy || line.starts_with('#') => SectionKind::Other,
        "note" | "notes" | "warns" | "warning" | "warnings" | "see also" | "references" | "todo" => SectionKind::Other,
        _ => return None,
    };
    Some((section, is_numpy))
}

/// The line behind a section. A section in the style of Google ends before the first line that is not indented further
/// than its title; others end before the next title, and lists of Markdown before a paragraph. A line right below an
/// item of a list continues the item, whatever its indentation (a lazy continuation line of `CommonMark`).
fn section_end(lines: &[&str], start: usize, title_at: usize, is_numpy: bool) -> usize {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let base = indent(lines[title_at]);
    let is_list = |line: &str| line.trim_start().starts_with(['-', '*', '+']);
    let first = (start..lines.len()).find(|&at| !lines[at].trim().is_empty());
    let Some(first) = first else { return lines.len() };
    if !is_numpy && indent(lines[first]) <= base && !is_list(lines[first]) {
        return start;
    }
    let is_indented = indent(lines[first]) > base;
    let ends = |&at: &usize| {
        let line = lines[at];
        if line.trim().is_empty() {
            return false;
        }
        title(lines, at).is_some()
            || !is_numpy && is_indented && indent(line) <= base
            || !is_numpy && !is_indented && indent(line) <= base && !is_list(line) && lines[at - 1].trim().is_empty()
    };
    (first..lines.len()).find(ends).unwrap_or(lines.len())
}

fn add_section(documentation: &mut Documentation, section: SectionKind, lines: &[&str], is_numpy: bool) {
    match section {
        SectionKind::Parameters => {
            let items = if is_numpy { items::of_numpy(lines) } else { items::of_section(lines) };
            for Description { name, text } in items {
                documentation.describe(&name, text);
            }
        }
        SectionKind::Raises => {
            let items = if is_numpy { items::of_numpy(lines) } else { items::of_section(lines) };
            documentation.raises.extend(items);
            documentation.raises.truncate(MAX_ITEMS);
        }
        SectionKind::Returns => {
            // The first line of NumPy's style is the type.
            let described = is_numpy && lines.iter().any(|line| line.starts_with([' ', '\t']));
            let text = words::line(lines.iter().skip(usize::from(described)).copied());
            let text = CompactString::new(text.trim_start_matches(['-', '*', '+']).trim_start());
            documentation.returns = documentation.returns.take().or((!text.is_empty()).then_some(text));
        }
        SectionKind::Example => {
            documentation.example = documentation.example.take().or_else(|| words::example(lines));
        }
        SectionKind::Deprecated => {
            documentation.deprecated.get_or_insert_with(|| words::line(lines.iter().copied()));
        }
        SectionKind::Other => {}
    }
}

/// Reads a field of Sphinx or Epytext: `:param int name: text`, `@return: text`. Returns the line behind it, or the
/// next line if the field is of another kind.
fn field(documentation: &mut Documentation, lines: &[&str], at: usize) -> usize {
    let line = lines[at].trim_start();
    let Some((tag, text)) = line[1..].split_once(':') else { return at + 1 };
    let (tag, argument) = tag.trim().split_once(char::is_whitespace).unwrap_or((tag.trim(), ""));
    let section = match tag {
        "param" | "parameter" | "arg" | "argument" | "key" | "keyword" | "kwarg" | "ivar" | "cvar" | "var" => {
            SectionKind::Parameters
        }
        "return" | "returns" | "yield" | "yields" => SectionKind::Returns,
        "raises" | "raise" | "except" | "exception" => SectionKind::Raises,
        "deprecated" => SectionKind::Deprecated,
        _ => return at + 1,
    };
    let end = block_end(lines, at + 1);
    let text = words::line(std::iter::once(text).chain(lines[at + 1..end].iter().copied()));
    match section {
        SectionKind::Parameters => {
            let name = argument.split_whitespace().last().unwrap_or_default();
            if words::is_parameter(name) {
                documentation.describe(name, text);
            }
        }
        SectionKind::Returns => {
            documentation.returns.get_or_insert(text);
        }
        SectionKind::Raises => {
            let name: CompactString = words::name(argument);
            if !name.is_empty() && documentation.raises.len() < MAX_ITEMS {
                documentation.raises.push(Description { name, text });
            }
        }
        SectionKind::Deprecated => {
            documentation.deprecated.get_or_insert(text);
        }
        SectionKind::Example | SectionKind::Other => {}
    }
    end
}

/// The line behind the lines that continue a field or directive: they are indented.
fn block_end(lines: &[&str], start: usize) -> usize {
    let continues = |line: &&&str| line.starts_with([' ', '\t']) && !line.trim().is_empty();
    start + lines[start.min(lines.len())..].iter().take_while(continues).count()
}
