//! The lines of an answer in Markdown, as far as they are drawn in different ways.

/// A line of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerLine<'t> {
    /// A heading without its mark.
    Heading(&'t str),
    /// A line of a paragraph or list; empty between paragraphs.
    Text(&'t str),
    /// A line of code.
    Code {
        /// The block, counted from 0.
        block: usize,
        /// The line.
        text: &'t str,
    },
}

/// A block of code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeBlock<'t> {
    /// The word behind the opening fence: `python`; often empty.
    pub language: &'t str,
    /// Its lines.
    pub lines: Vec<&'t str>,
}

/// The lines of a text. A block whose closing fence has not come yet reaches to the end.
pub fn lines(text: &str) -> impl Iterator<Item = AnswerLine<'_>> {
    let mut fence: Option<&str> = None;
    let mut block = 0;
    text.lines().filter_map(move |line| match (fence, fence_of(line)) {
        (None, Some((opening, _))) => {
            fence = Some(opening);
            None
        }
        (Some(opening), Some((closing, ""))) if closing.starts_with(opening) => {
            fence = None;
            block += 1;
            None
        }
        (Some(_), _) => Some(AnswerLine::Code { block, text: line }),
        (None, None) => {
            let heading = line.trim_start_matches('#').strip_prefix(' ').filter(|_| line.starts_with('#'));
            Some(heading.map_or(AnswerLine::Text(line), AnswerLine::Heading))
        }
    })
}

/// The blocks of code of a text.
pub fn code_blocks(text: &str) -> Vec<CodeBlock<'_>> {
    let mut blocks: Vec<CodeBlock<'_>> = Vec::new();
    let mut fence: Option<&str> = None;
    for line in text.lines() {
        match (fence, fence_of(line)) {
            (None, Some((opening, language))) => {
                fence = Some(opening);
                blocks.push(CodeBlock { language, lines: Vec::new() });
            }
            (Some(opening), Some((closing, ""))) if closing.starts_with(opening) => fence = None,
            (Some(_), _) => {
                if let Some(block) = blocks.last_mut() {
                    block.lines.push(line);
                }
            }
            (None, None) => {}
        }
    }
    blocks
}

/// The fence of a line, and the first word behind it.
fn fence_of(line: &str) -> Option<(&str, &str)> {
    let line = line.trim();
    let mark = line.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
    let length = line.len() - line.trim_start_matches(mark).len();
    // A line of text may begin with code in backticks.
    let is_fence = length >= 3 && !line[length..].contains('`');
    is_fence.then(|| (&line[..length], line[length..].split_whitespace().next().unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# Use it\nLike `this`:\n\n```python\nx = 1\n# no heading\n```\n- done\n~~~~\n```\nopen";

    #[test]
    fn headings_text_and_code_are_told_apart() {
        let found: Vec<AnswerLine<'_>> = lines(TEXT).collect();
        let code = |block, text| AnswerLine::Code { block, text };
        assert_eq!(
            found,
            [
                AnswerLine::Heading("Use it"),
                AnswerLine::Text("Like `this`:"),
                AnswerLine::Text(""),
                code(0, "x = 1"),
                code(0, "# no heading"),
                AnswerLine::Text("- done"),
                code(1, "```"),
                code(1, "open"),
            ]
        );
        assert_eq!(lines("#no heading\n```a` is code").count(), 2);
    }

    #[test]
    fn blocks_have_their_language() {
        let blocks = code_blocks(TEXT);
        assert_eq!(blocks[0], CodeBlock { language: "python", lines: vec!["x = 1", "# no heading"] });
        assert_eq!(blocks[1], CodeBlock { language: "", lines: vec!["```", "open"] });
    }
}
