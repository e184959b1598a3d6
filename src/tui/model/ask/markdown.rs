//! The lines of an answer in Markdown, as far as they are drawn in different ways.

use apidisc::documents::{MarkdownLine, markdown_lines};

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

/// A block of code of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerCode<'t> {
    /// The word behind the opening fence: `python`; often empty.
    pub language: &'t str,
    /// Its lines.
    pub lines: Vec<&'t str>,
}

/// The lines of a text. A block whose closing fence has not come yet reaches to the end.
pub fn lines(text: &str) -> impl Iterator<Item = AnswerLine<'_>> {
    let mut block = 0;
    markdown_lines(text).filter_map(move |line| match line {
        MarkdownLine::Opening(_) => None,
        MarkdownLine::Closing => {
            block += 1;
            None
        }
        MarkdownLine::Code(text) => Some(AnswerLine::Code { block, text }),
        MarkdownLine::Text(line) => {
            let heading = line.trim_start_matches('#').strip_prefix(' ').filter(|_| line.starts_with('#'));
            Some(heading.map_or(AnswerLine::Text(line), AnswerLine::Heading))
        }
    })
}

/// The blocks of code of a text.
pub fn code_blocks(text: &str) -> Vec<AnswerCode<'_>> {
    let mut blocks: Vec<AnswerCode<'_>> = Vec::new();
    for line in markdown_lines(text) {
        match line {
            MarkdownLine::Opening(info) => {
                let language = info.split_whitespace().next().unwrap_or_default();
                blocks.push(AnswerCode { language, lines: Vec::new() });
            }
            MarkdownLine::Code(line) => blocks.last_mut().into_iter().for_each(|block| block.lines.push(line)),
            MarkdownLine::Closing | MarkdownLine::Text(_) => {}
        }
    }
    blocks
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
        assert_eq!(blocks[0], AnswerCode { language: "python", lines: vec!["x = 1", "# no heading"] });
        assert_eq!(blocks[1], AnswerCode { language: "", lines: vec!["```", "open"] });
    }
}
