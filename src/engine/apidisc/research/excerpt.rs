//! Cuts a section of a document to a budget: of a long section, the passages are kept that have the most words of the
//! question. A passage is code together with the text that introduces it.

use std::ops::Range;

use super::question_words::QuestionWords;
use apidisc_base::sort::SharedSort as _;
use apidisc_facts::documents::{Format, blocks};

/// The worth of code in a passage, in words of the question.
const WORTH_OF_CODE: usize = 1;
/// The line that stands for passages that are left out.
const GAP: &str = "…";

/// A passage of a section.
#[derive(Debug)]
struct Passage {
    lines: Range<usize>,
    /// The first line of the paragraph before the code; the first line of the passage if it has no code.
    caption: usize,
    worth: usize,
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
    passages.retain(|passage| passage.worth > 0);
    // The sort is stable: of passages of equal worth the first one comes first.
    passages.shared_sort_by_key(|passage| std::cmp::Reverse(passage.worth));
    let heading = 0..heading_lines(lines);
    let mut left = max_tokens.saturating_sub(cost(heading.clone()));
    let gap = tokens(GAP);
    let mut taken = vec![heading];
    for (at, passage) in passages.iter().enumerate() {
        // A passage that does not fit is shown without the text before its last paragraph. If the best passage still
        // does not fit, its end is cut off.
        let ranges = [passage.lines.clone(), passage.caption..passage.lines.end];
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
    let is_rule = |line: &&str| {
        let line = line.trim_end();
        line.len() >= 3 && line.chars().all(|c| c.is_ascii_punctuation() && line.starts_with(c))
    };
    let name = usize::from(lines.first().is_some_and(is_rule));
    lines.len().min(name + 1 + usize::from(lines.get(name + 1).is_some_and(is_rule)))
}

/// The passages of a section behind its heading, in order.
fn passages(lines: &[&str], format: Format, words: &QuestionWords) -> Vec<Passage> {
    let text = lines.join("\n");
    let mut passages = Vec::new();
    let mut start = heading_lines(lines);
    let is_blank = |at: usize| lines[at].trim().is_empty();
    for block in blocks(&text, format) {
        let Some(last) = block.lines.last() else { continue };
        let opens_at = (block.opens_at as usize).saturating_sub(1).max(start);
        // The fence behind the code belongs to it.
        let is_fence = |line: &&str| line.trim_start().starts_with(['`', '~']);
        let end = last.line as usize + usize::from(lines.get(last.line as usize).is_some_and(is_fence));
        if end <= start || end > lines.len() {
            continue;
        }
        let above = (start..opens_at).rev().skip_while(|at| is_blank(*at)).take_while(|at| !is_blank(*at)).last();
        let lines_of = start..end;
        let worth = words.count_in(&lines[lines_of.clone()].join("\n")) + WORTH_OF_CODE;
        passages.push(Passage { lines: lines_of, caption: above.unwrap_or(opens_at), worth });
        start = end;
    }
    if (start..lines.len()).any(|at| !is_blank(at)) {
        let worth = words.count_in(&lines[start..].join("\n"));
        passages.push(Passage { lines: start..lines.len(), caption: start, worth });
    }
    passages
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
