//! Divides documents into sections, by the headings of Markdown and of reStructuredText.

use apidisc_facts::documents::{Format, FrontMatter, MarkdownLine, markdown_lines};

/// The longest text of a section that is kept, in bytes.
pub(super) const LONGEST_TEXT: usize = 2_000;
/// The longest heading, in bytes; a longer line is no heading.
const LONGEST_HEADING: usize = 120;
/// The level of the title of a page, which stands around all of its headings.
const LEVEL_OF_A_TITLE: usize = 0;

/// A section of a document: a heading with the text below it, up to the next heading.
#[derive(Debug, Default)]
pub(super) struct DocumentSection {
    /// The line of the heading, from 1.
    pub(super) line: u32,
    /// The first line behind the section.
    pub(super) end: u32,
    pub(super) heading: String,
    /// The headings of the sections around it, outermost first.
    pub(super) around: Vec<String>,
    /// The text without code.
    pub(super) text: String,
    /// The lines of code.
    pub(super) code: String,
    /// The inline code of the heading and of the text.
    pub(super) quoted: Vec<String>,
    pub(super) paragraphs: Vec<Paragraph>,
}

/// Lines of text between empty lines or code.
#[derive(Debug, Default)]
pub(super) struct Paragraph {
    /// The first line, from 1.
    pub(super) line: u32,
    pub(super) text: String,
}

/// The sections of a document, in the order of the text. The title in the front matter of a page of Markdown is the
/// heading of what stands above the first heading.
pub(super) fn document_sections(text: &str, format: Format) -> Vec<DocumentSection> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found: Vec<DocumentSection> = Vec::new();
    let mut levels: Vec<(usize, String)> = Vec::new();
    let front_matter = if format == Format::Markdown { FrontMatter::of(text) } else { None };
    if let Some((line, title)) = front_matter
        .as_ref()
        .and_then(|front_matter| front_matter.title.as_ref())
        .filter(|(_, title)| title.len() <= LONGEST_HEADING)
    {
        let (heading, quoted) = (plain(title), inline_code(title));
        levels.push((LEVEL_OF_A_TITLE, heading.clone()));
        found.push(DocumentSection { line: *line, end: u32::MAX, heading, quoted, ..DocumentSection::default() });
    }
    let first_line = front_matter.as_ref().map_or(0, |front_matter| front_matter.lines);
    let mut underlines: Vec<char> = Vec::new();
    let mut last_line_of_text = 0;
    for ((at, line), kind) in lines.iter().enumerate().zip(markdown_lines(text)).skip(first_line) {
        let trimmed = line.trim_start();
        let number = at as u32 + 1;
        if format == Format::Markdown && !matches!(kind, MarkdownLine::Text(_)) {
            found.last_mut().into_iter().for_each(|section| section.add_code(trimmed));
            continue;
        }
        let heading = match format {
            Format::Markdown => atx(trimmed),
            _ => underlined(line, lines.get(at + 1).copied(), &mut underlines),
        };
        if let Some((level, heading)) = heading {
            let is_below_title = levels.first().is_some_and(|(level, _)| *level == LEVEL_OF_A_TITLE);
            if is_below_title && found.len() == 1 && found[0].repeats_as(&plain(heading)) {
                // The page repeats its title as its first heading.
                found.clear();
                levels.clear();
            }
            if let Some(last) = found.last_mut() {
                last.end = number;
            }
            levels.retain(|(other, _)| *other < level);
            let around = levels.iter().map(|(_, heading)| heading.clone()).collect();
            let quoted = inline_code(heading);
            let heading = plain(heading);
            levels.push((level, heading.clone()));
            found.push(DocumentSection {
                line: number,
                end: u32::MAX,
                heading,
                around,
                quoted,
                ..DocumentSection::default()
            });
        } else if let Some(section) = found.last_mut() {
            let is_code = format == Format::ReStructuredText
                && (line.starts_with("    ") || trimmed.starts_with(".. ") || is_rule(line));
            if is_code {
                section.add_code(trimmed);
            } else if section.text.len() < LONGEST_TEXT {
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

impl DocumentSection {
    fn add_code(&mut self, line: &str) {
        if self.code.len() + line.len() < LONGEST_TEXT {
            self.code.extend([line, "\n"]);
        }
    }

    /// True for a section without text whose heading is the next one, too.
    fn repeats_as(&self, next: &str) -> bool {
        self.paragraphs.is_empty() && self.heading.eq_ignore_ascii_case(next)
    }
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
        let line = |section: DocumentSection| {
            (
                section.line,
                section.end,
                [section.around, vec![section.heading]].concat().join(" > "),
                section.quoted.join(" "),
            )
        };
        document_sections(text, format).into_iter().map(line).collect()
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
        let headings: Vec<String> =
            document_sections(text, Format::Markdown).into_iter().map(|section| section.heading).collect();
        assert_eq!(headings, ["A", "B", "C"]);
    }

    #[test]
    fn a_title_in_front_matter_is_the_first_heading() {
        let text = "---\nicon: x\ntitle: 'Reading `a.b`'\n---\n\nText.\n\n## A\n";
        let expected = [
            (3, 8, "Reading a.b".to_owned(), "a.b".to_owned()),
            (8, u32::MAX, "Reading a.b > A".into(), String::new()),
        ];
        assert_eq!(shown(text, Format::Markdown), expected);
        let toml = "+++\ntitle = \"A\"\n+++\n\nimport x\n";
        assert_eq!(shown(toml, Format::Markdown), [(2, u32::MAX, "A".into(), String::new())]);
        let repeated = "---\ntitle: A b\n---\n\n# A B\n\nText.\n";
        assert_eq!(shown(repeated, Format::Markdown), [(5, u32::MAX, "A B".into(), String::new())]);
        for none in ["---\ntitle: A\n\nText.\n", "---\nicon: x\n---\nText.\n", "Text\n---\ntitle: A\n---\n"] {
            assert!(shown(none, Format::Markdown).is_empty(), "{none}");
        }
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
            document_sections(text, Format::Markdown);
            document_sections(text, Format::ReStructuredText);
        }
    }
}
