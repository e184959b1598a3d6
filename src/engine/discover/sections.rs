//! Sections of documents: a heading with the text below it and the symbols that it shows.

use rustc_hash::FxHashMap;

use super::{
    captions::Captions,
    description::{described, first_words},
    names::NamedSymbols,
};
use crate::{
    answers::ReadSource,
    documents::{Fence, Format},
    index::{File, Index},
    language::QualifiedName,
    program::DefinitionId,
    terms::folded,
};

/// The greatest number of sections of a corpus.
const MAX_SECTIONS: usize = 20_000;
/// The greatest number of symbols that a section keeps: those that it shows most often.
const MAX_SYMBOLS: usize = 8;
/// The longest text of a section that is kept, in bytes.
const LONGEST_TEXT: usize = 2_000;
/// The longest heading, in bytes; a longer line is no heading.
const LONGEST_HEADING: usize = 120;
/// A document may name a symbol that many modules define. At most this many of them are compared with the written name.
const MAX_CANDIDATES: usize = 100;
/// The beginnings of the names of documents that list changes. Such documents are left out: they name every symbol, and
/// explain none.
const LISTS_OF_CHANGES: &[&str] =
    &["changelog", "changes", "history", "news", "release", "whatsnew", "migrat", "upgrad"];

/// A heading of a document with the text below it, up to the next heading.
#[derive(Debug)]
pub(super) struct Section {
    pub(super) path: String,
    /// The line of the heading, from 1.
    pub(super) line: u32,
    /// The first line behind the section.
    pub(super) end: u32,
    pub(super) heading: String,
    /// The headings of the sections around it, outermost first.
    pub(super) around: Vec<String>,
    /// The text without code. A corpus keeps only the words that describe the section.
    pub(super) text: String,
    /// The symbols that the code calls or the text names, in descending order of frequency.
    pub(super) symbols: Vec<DefinitionId>,
    /// The symbols that the code calls, each once.
    pub(super) called: Vec<DefinitionId>,
}

crate::packed::packed_structs! {
    Section { path, line, end, heading, around, text, symbols, called }
}

impl Section {
    /// True for the section whose heading is at this path and line, the two parts of its id.
    pub(super) fn is_at(&self, path: &str, line: &str) -> bool {
        self.path == path && line.parse() == Ok(self.line)
    }

    /// Keeps only the words of the text that describe the section.
    pub(super) fn shorten(&mut self) {
        self.text = described(&first_words(&self.text));
    }
}

/// The sections of all documents of an index that show or name symbols, and what their paragraphs say of the symbols.
pub(super) fn sections(index: &Index, names: NamedSymbols<'_>, read: &ReadSource<'_>) -> (Vec<Section>, Captions) {
    let calls = calls_in_documents(index);
    let mut found = Vec::new();
    let mut captions = Captions::default();
    for (path, _) in index.contents.files() {
        let Some(format) = Format::of_document(path).filter(|_| !is_left_out(path)) else { continue };
        let Some(text) = read(path) else { continue };
        let calls = calls.get(path.as_str()).map_or(&[][..], Vec::as_slice);
        for mut section in drafts(&text.source, format) {
            if found.len() == MAX_SECTIONS {
                return (found, captions);
            }
            let symbols = section.symbols(index, names, calls);
            if !symbols.is_empty() {
                section.add_captions(calls, &mut captions);
                section.text.truncate(section.text.floor_char_boundary(LONGEST_TEXT));
                let mut called: Vec<DefinitionId> = section.calls(calls).collect();
                let Draft { line, end, heading, around, text, .. } = section;
                called.sort_unstable();
                called.dedup();
                found.push(Section { path: path.to_string(), line, end, heading, around, text, symbols, called });
            }
        }
    }
    (found, captions)
}

/// True for a document whose sections are not searched.
fn is_left_out(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
    Format::is_repetition(path) || LISTS_OF_CHANGES.iter().any(|beginning| name.starts_with(beginning))
}

/// The calls of each document by path, in the order of the lines: the line, and the definition that is called.
fn calls_in_documents(index: &Index) -> FxHashMap<&str, Vec<(u32, DefinitionId)>> {
    let mut calls: FxHashMap<&str, Vec<(u32, DefinitionId)>> = FxHashMap::default();
    for call in index.calls.iter() {
        let file = index.file(call.file);
        if file.is_document()
            && let Some(id) = call.resolution.definition()
        {
            calls.entry(&file.path).or_default().push((call.line, id));
        }
    }
    // A document with code of several languages is several files.
    for calls in calls.values_mut() {
        calls.sort_unstable();
    }
    calls
}

/// A section before its symbols are known.
#[derive(Debug, Default)]
struct Draft {
    line: u32,
    /// The first line behind the section.
    end: u32,
    heading: String,
    around: Vec<String>,
    text: String,
    /// The inline code of the heading and of the text.
    quoted: Vec<String>,
    paragraphs: Vec<Paragraph>,
}

/// Lines of text between empty lines or code.
#[derive(Debug, Default)]
struct Paragraph {
    /// The first line, from 1.
    line: u32,
    text: String,
}

impl Draft {
    /// The definitions that the code of the section calls. `calls` are the calls of the document.
    fn calls(&self, calls: &[(u32, DefinitionId)]) -> impl Iterator<Item = DefinitionId> {
        let start = calls.partition_point(|(line, _)| *line < self.line);
        calls[start..].iter().take_while(|(line, _)| *line < self.end).map(|(_, id)| *id)
    }

    /// Adds each paragraph as a caption of the symbols that the code below it calls.
    fn add_captions(&self, calls: &[(u32, DefinitionId)], captions: &mut Captions) {
        let mut calls = &calls[calls.partition_point(|(line, _)| *line < self.line)..];
        for (at, paragraph) in self.paragraphs.iter().enumerate() {
            let end = self.paragraphs.get(at + 1).map_or(self.end, |next| next.line);
            let before = calls.partition_point(|(line, _)| *line < paragraph.line);
            let behind = calls.partition_point(|(line, _)| *line < end);
            captions.add(&paragraph.text, calls[before..behind].iter().map(|(_, id)| *id));
            calls = &calls[behind..];
        }
    }

    /// The symbols that the code calls or the text names, in descending order of frequency. A name in the heading counts three times.
    fn symbols(&self, index: &Index, names: NamedSymbols<'_>, calls: &[(u32, DefinitionId)]) -> Vec<DefinitionId> {
        let mut counts: Vec<(DefinitionId, usize)> = Vec::new();
        let mut count = |id: DefinitionId, by: usize| match counts.iter().position(|(other, _)| *other == id) {
            Some(at) => counts[at].1 += by,
            None if counts.len() < 4 * MAX_SYMBOLS => counts.push((id, by)),
            None => {}
        };
        self.calls(calls).for_each(|id| count(id, 1));
        for name in &self.quoted {
            if let Some(id) = named(index, names, name) {
                count(id, if self.heading.contains(name.as_str()) { 3 } else { 1 });
            }
        }
        counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        counts.into_iter().take(MAX_SYMBOLS).map(|(id, _)| id).collect()
    }
}

/// The symbol that inline code names; `None` unless exactly one public symbol of the library has that name.
fn named(index: &Index, names: NamedSymbols<'_>, quoted: &str) -> Option<DefinitionId> {
    let name = quoted.trim_start_matches(['~', '@']).trim_end_matches("()");
    let last = QualifiedName::guess(name).identifiers().last()?;
    let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '$' || QualifiedName::SEPARATORS.contains(&c);
    if last.len() < 3 || !name.chars().all(is_name) {
        return None;
    }
    let is_meant = |id: &DefinitionId| {
        let definition = index.definition(*id);
        let file = index.files.get(definition.place.file.index());
        definition.is_public
            && file.is_none_or(File::is_library)
            && QualifiedName::new(&definition.alias, definition.language).ends_with(name)
    };
    let last = folded(last);
    let mut found = names.folded(&last).take(MAX_CANDIDATES).filter(is_meant);
    let first = found.next()?;
    // A member of several classes is not known by its name alone.
    found.next().is_none().then_some(first)
}

/// The sections of a document, in the order of the text.
fn drafts(text: &str, format: Format) -> Vec<Draft> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found: Vec<Draft> = Vec::new();
    let mut levels: Vec<(usize, String)> = Vec::new();
    let mut underlines: Vec<char> = Vec::new();
    let mut fence: Option<Fence<'_>> = None;
    let mut last_line_of_text = 0;
    for (at, line) in lines.iter().enumerate() {
        let trimmed = line.trim_start();
        let number = at as u32 + 1;
        if format == Format::Markdown {
            if let Some(open) = &fence {
                if open.is_closed_by(trimmed.trim_end()) {
                    fence = None;
                }
                continue;
            }
            fence = Fence::new(trimmed.trim_end());
            if fence.is_some() {
                continue;
            }
        }
        let heading = match format {
            Format::Markdown => atx(trimmed),
            _ => underlined(line, lines.get(at + 1).copied(), &mut underlines),
        };
        if let Some((level, heading)) = heading {
            if let Some(last) = found.last_mut() {
                last.end = number;
            }
            levels.retain(|(other, _)| *other < level);
            let around = levels.iter().map(|(_, heading)| heading.clone()).collect();
            let quoted = inline_code(heading);
            let heading = plain(heading);
            levels.push((level, heading.clone()));
            found.push(Draft { line: number, end: u32::MAX, heading, around, quoted, ..Draft::default() });
        } else if let Some(section) = found.last_mut() {
            let is_code = format == Format::ReStructuredText
                && (line.starts_with("    ") || trimmed.starts_with(".. ") || is_rule(line));
            if !is_code && section.text.len() < LONGEST_TEXT {
                section.quoted.extend(inline_code(line));
                section.text.push_str(trimmed);
                section.text.push('\n');
            }
            if !is_code && !trimmed.is_empty() {
                let follows = last_line_of_text + 1 == number;
                let paragraph = section.paragraphs.last_mut().filter(|_| follows);
                match paragraph {
                    Some(paragraph) => paragraph.text.extend([trimmed, "\n"]),
                    None => section.paragraphs.push(Paragraph { line: number, text: format!("{trimmed}\n") }),
                }
                last_line_of_text = number;
            }
        }
    }
    found
}

/// A heading of Markdown, such as `## Timeouts`, with its level.
fn atx(line: &str) -> Option<(usize, &str)> {
    let level = line.bytes().take_while(|byte| *byte == b'#').count();
    let heading = line[level..].strip_prefix(' ')?.trim().trim_end_matches('#').trim_end();
    ((1..=6).contains(&level) && !heading.is_empty() && heading.len() <= LONGEST_HEADING).then_some((level, heading))
}

/// A heading of reStructuredText, which a line of marks underlines. The first mark of a document is that of level 1.
fn underlined<'t>(line: &'t str, next: Option<&str>, marks: &mut Vec<char>) -> Option<(usize, &'t str)> {
    let heading = line.trim_end();
    let next = next.filter(|next| is_rule(next) && next.trim_end().len() >= heading.chars().count())?;
    if heading.is_empty() || heading.len() > LONGEST_HEADING || heading.starts_with([' ', '\t']) || is_rule(heading) {
        return None;
    }
    let mark = next.chars().next()?;
    let level = marks.iter().position(|other| *other == mark).unwrap_or_else(|| {
        marks.push(mark);
        marks.len() - 1
    });
    Some((level + 1, heading))
}

/// True for a line of one repeated mark.
fn is_rule(line: &str) -> bool {
    let line = line.trim_end();
    let mark = line.chars().next().filter(char::is_ascii_punctuation);
    line.len() >= 3 && mark.is_some_and(|mark| line.chars().all(|c| c == mark))
}

/// The texts between backticks.
fn inline_code(line: &str) -> Vec<String> {
    let parts = line.split('`').map(str::trim).skip(1).step_by(2);
    // Two backticks open a literal of reStructuredText: then every other part is empty.
    let parts: Vec<&str> =
        if line.contains("``") { line.split("``").skip(1).step_by(2).collect() } else { parts.collect() };
    parts.into_iter().filter(|part| !part.is_empty() && part.len() <= LONGEST_HEADING).map(str::to_owned).collect()
}

/// A heading without the marks of code, emphasis, links and anchors.
fn plain(heading: &str) -> String {
    let without_anchor = heading.split(" {#").next().unwrap_or(heading);
    let mut text = String::new();
    let mut rest = without_anchor;
    while let Some((before, after)) = rest.split_once("](") {
        text.push_str(before);
        rest = after.split_once(')').map_or("", |(_, rest)| rest);
    }
    text.push_str(rest);
    text.retain(|c| !matches!(c, '`' | '*' | '[' | ']'));
    text.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, format: Format) -> Vec<(u32, u32, String, String)> {
        let line = |draft: Draft| {
            (draft.line, draft.end, [draft.around, vec![draft.heading]].concat().join(" > "), draft.quoted.join(" "))
        };
        drafts(text, format).into_iter().map(line).collect()
    }

    #[test]
    fn headings_of_markdown_are_nested() {
        let text =
            "# A\n\nText `x.y`.\n\n```python\n# no heading\n```\n\n## The `b()` of [c](d) {#e}\n\n## E\n# F ##\n";
        assert_eq!(
            shown(text, Format::Markdown),
            [
                (1, 9, "A".into(), "x.y".into()),
                (9, 11, "A > The b() of c".into(), "b()".into()),
                (11, 12, "A > E".into(), String::new()),
                (12, u32::MAX, "F".into(), String::new()),
            ]
        );
    }

    #[test]
    fn a_fence_is_closed_by_a_fence_of_its_own_length_and_mark() {
        let text = "# A\n\n````md\n# no\n```py\n# no\n```\n# no\n````\n\n# B\n\n~~~\n```\n# no\n~~~~\n\n```a `b` c```\n# C\n```\n``` x\n# no\n";
        let headings: Vec<String> = drafts(text, Format::Markdown).into_iter().map(|draft| draft.heading).collect();
        assert_eq!(headings, ["A", "B", "C"]);
    }

    #[test]
    fn headings_of_restructured_text_are_underlined() {
        let text = "=====\nTitle\n=====\n\nText of ``a.b`` and :func:`c`.\n\nPart\n----\n\n    code\n\nOther\n=====\n";
        assert_eq!(
            shown(text, Format::ReStructuredText),
            [
                (2, 7, "Title".into(), "a.b".into()),
                (7, 12, "Title > Part".into(), String::new()),
                (12, u32::MAX, "Other".into(), String::new()),
            ]
        );
    }

    #[test]
    fn any_text_has_sections() {
        for text in ["", "#", "# ", "####### x", "``` \n# a", "```\n", "===\n===\n===", "a\n=", "[](\n# [x](", "# `"] {
            drafts(text, Format::Markdown);
            drafts(text, Format::ReStructuredText);
        }
    }
}
