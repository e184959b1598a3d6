//! Cuts a section of a document to a budget: of a long section, the passages are kept that have the most words of the
//! question. A passage is code or a list together with the text that introduces it; such passages come before the
//! others.

use std::ops::Range;

use super::question_words::QuestionWords;
use apidisc_base::sort::SharedSort as _;
use apidisc_facts::documents::{Format, blocks};

/// The worth of code or a list in a passage, in words of the question.
const WORTH_OF_A_BLOCK: usize = 1;
/// The line that stands for passages that are left out.
const GAP: &str = "…";

/// A passage of a section.
#[derive(Debug)]
struct Passage {
    lines: Range<usize>,
    /// The first line of the paragraph before the code or list; the first line of the passage if it has none.
    caption: usize,
    /// The first line of the code or list; the first line of the passage if it has none.
    block: usize,
    /// The number of words of the question.
    words: usize,
    has_block: bool,
}

impl Passage {
    fn worth(&self) -> usize {
        self.words + if self.has_block { WORTH_OF_A_BLOCK } else { 0 }
    }
}

/// The lines of a section that fit into `max_tokens` tokens, in order. `tokens` tells how many tokens a line has.
pub(super) fn excerpt<'t>(
    lines: &[&'t str],
    format: Format,
    words: &QuestionWords,
    max_tokens: usize,
    tokens: impl Fn(&str) -> usize,
) -> Vec<&'t str> {
    let costs: Vec<usize> = lines.iter().map(|line| tokens(line)).collect();
    let cost = |range: Range<usize>| costs[range].iter().sum::<usize>();
    if cost(0..lines.len()) <= max_tokens {
        return lines.to_vec();
    }
    let mut passages = passages(lines, format, words);
    passages.retain(|passage| passage.worth() > 0);
    // The sort is stable: of passages of equal worth the first one comes first.
    passages.shared_sort_by_key(|passage| std::cmp::Reverse((passage.words > 0, passage.has_block, passage.worth())));
    let heading = 0..heading_lines(lines);
    let mut left = max_tokens.saturating_sub(cost(heading.clone()));
    let gap = tokens(GAP);
    let mut taken = vec![heading];
    for (at, passage) in passages.iter().enumerate() {
        // A passage that does not fit is shown without the text before its last paragraph, or without this paragraph.
        // If the best passage still does not fit, its end is cut off.
        let end = passage.lines.end;
        let ranges = [passage.lines.clone(), passage.caption..end, passage.block..end];
        let fitting = ranges.into_iter().find(|range| cost(range.clone()) + gap <= left);
        let beginning = || {
            let mut rest = left.saturating_sub(gap);
            let fits = |line: &usize| {
                let fits = costs[*line] <= rest;
                rest = rest.saturating_sub(costs[*line]);
                fits
            };
            let count = (passage.caption..passage.lines.end).take_while(fits).count();
            passage.caption..passage.caption + count
        };
        let Some(range) = fitting.or_else(|| (at == 0).then(beginning)) else { continue };
        if range.is_empty() {
            break;
        }
        left = left.saturating_sub(cost(range.clone()) + gap);
        taken.push(range);
    }
    taken.shared_sort_by_key(|range| range.start);
    let mut shown = Vec::new();
    let mut last = 0;
    for range in taken {
        let is_gap = lines[last..range.start].iter().any(|line| !line.trim().is_empty());
        shown.extend(is_gap.then_some(GAP));
        shown.extend(&lines[range.clone()]);
        last = range.end;
    }
    shown
}

/// The number of lines of the heading: one, and the lines of marks above and below.
pub(super) fn heading_lines(lines: &[&str]) -> usize {
    let is_rule = |line: &&str| is_rule(line);
    let name = usize::from(lines.first().is_some_and(is_rule));
    lines.len().min(name + 1 + usize::from(lines.get(name + 1).is_some_and(is_rule)))
}

/// True for a line of one mark, such as `=====`.
fn is_rule(line: &str) -> bool {
    let line = line.trim_end();
    line.len() >= 3 && line.chars().all(|c| c.is_ascii_punctuation() && line.starts_with(c))
}

/// The passages of a section behind its heading, in order.
fn passages(lines: &[&str], format: Format, words: &QuestionWords) -> Vec<Passage> {
    let mut passages = Vec::new();
    let mut start = heading_lines(lines);
    let is_blank = |at: usize| lines[at].trim().is_empty();
    for block in blocks_of(lines, format) {
        let opens_at = block.start.max(start);
        if block.end <= start {
            continue;
        }
        let above = (start..opens_at).rev().skip_while(|at| is_blank(*at)).take_while(|at| !is_blank(*at)).last();
        let lines_of = start..block.end;
        let words = words.count_in(&lines[lines_of.clone()].join("\n"));
        let caption = above.unwrap_or(opens_at);
        passages.push(Passage { lines: lines_of, caption, block: opens_at, words, has_block: true });
        start = block.end;
    }
    if (start..lines.len()).any(|at| !is_blank(at)) {
        let words = words.count_in(&lines[start..].join("\n"));
        passages.push(Passage { lines: start..lines.len(), caption: start, block: start, words, has_block: false });
    }
    passages
}

/// True if lines have code or a list.
pub(super) fn has_block(lines: &[&str], format: Format) -> bool {
    !blocks_of(lines, format).is_empty()
}

/// The lines of code and of lists, in order.
fn blocks_of(lines: &[&str], format: Format) -> Vec<Range<usize>> {
    let text = lines.join("\n");
    let of_code = blocks(&text, format).into_iter().filter_map(|block| {
        let last = block.lines.last()?;
        // The fence behind the code belongs to it.
        let is_fence = |line: &&str| line.trim_start().starts_with(['`', '~']);
        let end = last.line as usize + usize::from(lines.get(last.line as usize).is_some_and(is_fence));
        let opens_at = (block.opens_at as usize).saturating_sub(1);
        (opens_at < end && end <= lines.len()).then_some(opens_at..end)
    });
    let mut found: Vec<Range<usize>> = of_code.collect();
    let mut at = 0;
    let mut lists = Vec::new();
    let mut code = found.iter().peekable();
    while at < lines.len() {
        if let Some(block) = code.next_if(|block| block.start <= at) {
            at = at.max(block.end);
            continue;
        }
        let limit = code.peek().map_or(lines.len(), |block| block.start);
        let end = if is_item(lines[at]) { end_of_list(&lines[..limit], at) } else { at };
        if at + 1 < end {
            lists.push(at..end);
        }
        at = end.max(at + 1);
    }
    found.extend(lists);
    found.shared_sort_by_key(|block| block.start);
    found
}

/// True for the first line of an item of a list, and for a row of a table.
fn is_item(line: &str) -> bool {
    let line = line.trim_start();
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    ["- ", "* ", "+ ", "| "].iter().any(|mark| line.starts_with(mark))
        || line.len() > number.len() && (number.starts_with(". ") || number.starts_with(") "))
}

/// The line behind a list that begins at a line: items, their indented further lines, and blank lines between them; or
/// behind the rows of a table.
fn end_of_list(lines: &[&str], start: usize) -> usize {
    let is_row = |line: &str| line.trim_start().starts_with('|');
    let is_table = is_row(lines[start]);
    let mut end = start + 1;
    for (at, line) in lines.iter().enumerate().skip(start + 1) {
        let is_blank = line.trim().is_empty();
        let goes_on =
            if is_table { is_row(line) } else { (is_item(line) && !is_row(line)) || line.starts_with([' ', '\t']) };
        if goes_on && !is_blank {
            end = at + 1;
        } else if is_table || !is_blank {
            break;
        }
    }
    end
}

/// True if lines say something below their heading: not headings, marks, directives that list other pages, imports, the
/// first row of a table, or text that ends where what it introduces would begin.
pub(super) fn says_something(lines: &[&str]) -> bool {
    let (mut rows, mut in_directive) = (0, false);
    for (at, line) in lines.iter().enumerate().skip(heading_lines(lines)) {
        let text = line.trim();
        let is_indented = line.starts_with([' ', '\t']);
        let lists_pages = [".. toctree::", ".. contents::"].iter().any(|directive| text.starts_with(directive));
        in_directive = lists_pages || in_directive && (is_indented || text.is_empty());
        let is_underlined = |below: &&str| is_rule(below) && !below.starts_with(['`', '~']);
        let is_heading = text.starts_with('#') || lines.get(at + 1).is_some_and(is_underlined);
        let is_mark = text.starts_with(".. ") || text.starts_with('<') && text.ends_with('>');
        if in_directive || is_heading || is_mark || !text.contains(char::is_alphanumeric) {
            continue;
        }
        // The first row of a table names its columns.
        rows += usize::from(text.starts_with('|'));
        let is_fence = text.starts_with("```") || text.starts_with("~~~");
        let introduces = text.trim_end_matches(['*', '_']).ends_with(':');
        let is_import = text.starts_with("import ") || text.starts_with("from ") && text.contains(" import ");
        if rows > 1 || !text.starts_with('|') && !is_fence && !introduces && !is_import {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECTION: &str = "## Files\n\nFiles have names.\n\nRead a file:\n\n```python\nread('a')\n```\n\nUpload a file:\n\n```python\nupload('a')\n```\n\nThat is all.\n";

    fn shown(question: &str, max_lines: usize) -> Vec<&'static str> {
        let lines: Vec<&str> = SECTION.lines().collect();
        excerpt(&lines, Format::Markdown, &QuestionWords::new(question), max_lines, |_| 1)
    }

    #[test]
    fn a_short_section_is_shown_whole() {
        assert_eq!(shown("upload", 17), SECTION.lines().collect::<Vec<_>>());
    }

    #[test]
    fn a_long_section_shows_the_code_that_the_question_asks_for() {
        let upload = ["## Files", "…", "", "Upload a file:", "", "```python", "upload('a')", "```"];
        assert_eq!(shown("How do I upload something?", 8), upload);
        // Without room for the passage, the text before its last paragraph is left out, and then its end.
        let read = ["## Files", "…", "Read a file:", "", "```python", "read('a')", "```"];
        assert_eq!(shown("read", 8), read);
        assert_eq!(shown("read", 4), ["## Files", "…", "Read a file:", ""]);
        assert_eq!(shown("read", 0), ["## Files"]);
    }

    #[test]
    fn lists_come_before_prose() {
        let text = "## Events\n\nHandlers of events, worker events and start events, are of the worker.\n\n\
                    There are these events:\n\n- start of the worker\n- end\n\nThat is all about the worker.\n";
        let lines: Vec<&str> = text.lines().collect();
        let shown = excerpt(&lines, Format::Markdown, &QuestionWords::new("start of a worker"), 6, |_| 1);
        let list = ["## Events", "…", "There are these events:", "", "- start of the worker", "- end"];
        assert_eq!(shown, list);
        // Of rows of a table and of numbers, the same is true.
        let text = "## Events\n\nThe worker starts.\n\n1. start\n2. end\n\n| a | b |\n| --- | --- |\n| start | c |\n";
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(blocks_of(&lines, Format::Markdown), [4..6, 7..10]);
    }

    #[test]
    fn headings_directives_and_first_rows_say_nothing() {
        let says = |text: &str| says_something(&text.lines().collect::<Vec<_>>());
        for text in [
            "## Setup",
            "Setup\n=====\n\n.. toctree::\n   :maxdepth: 4\n\n   setup\n   models",
            "## Setup\n\n### Limit <a id=\"limit\"></a>",
            "## Setup\n\n**Options:**",
            "## Setup\n\n| name | type |\n| --- | --- |",
            "## Setup\n\n```ts\n```",
            "## Setup\n\n```ts\nimport { Kysely } from 'kysely'\n",
        ] {
            assert!(!says(text), "{text}");
        }
        for text in [
            "## Setup\n\nCall it.",
            "## Setup\n\n**Options:**\n\n- one",
            "## Setup\n\n| name | type |\n| --- | --- |\n| a | b |",
            "## Setup\n\n```ts\ncall()\n```",
            "Setup\n=====\n\n.. note::\n   Call it.",
        ] {
            assert!(says(text), "{text}");
        }
    }

    #[test]
    fn lines_of_marks_belong_to_the_heading() {
        assert_eq!(heading_lines(&["## Files", "", "Text"]), 1);
        assert_eq!(heading_lines(&["Files", "=====", "Text"]), 2);
        assert_eq!(heading_lines(&["=====", "Files", "=====", "Text"]), 3);
    }

    #[test]
    fn any_section_has_an_excerpt() {
        for text in ["", "# a", "a\n===", "```\n", "# a\n```python\n", "# a\n```python\n```", "\n\n\n"] {
            let lines: Vec<&str> = text.lines().collect();
            for format in [Format::Markdown, Format::ReStructuredText] {
                (0..4).for_each(|most| drop(excerpt(&lines, format, &QuestionWords::new("a"), most, |_| 1)));
            }
        }
    }
}
