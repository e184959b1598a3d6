//! The code of a text: fenced blocks, and inline code that is a call.

use apidisc_base::language::Language;
use apidisc_facts::documents::{self, CodeBlock, CodeLine, Format, MarkdownLine, markdown_lines};
use apidisc_indexing::{
    index::Index,
    indexer::{QuotedFacts, quoted_facts},
};

/// The greatest length of a text that is checked, in bytes.
const MAX_TEXT: usize = 1 << 18;
/// The greatest length of inline code, in bytes.
const MAX_INLINE: usize = 400;

/// The code of one language in a text.
pub(super) struct LanguageCode {
    pub(super) facts: QuotedFacts,
    /// The number of lines of the text. Inline code has lines behind it.
    last_line: u32,
    /// The line of the text for each inline call, in order.
    inline_lines: Vec<u32>,
    /// Where the blocks begin.
    pub(super) starts: BlockStarts,
}

/// The lines that begin the blocks of a page, in order.
#[derive(Clone, Debug, Default)]
pub(super) struct BlockStarts(Vec<u32>);

impl BlockStarts {
    /// The number of the block that has a line of the text.
    pub(super) fn block_of(&self, line: u32) -> usize {
        self.0.partition_point(|start| *start <= line)
    }
}

impl LanguageCode {
    /// True for a line of the facts that is inline code.
    pub(super) fn is_inline(&self, line: u32) -> bool {
        line > self.last_line
    }

    /// The line of the text for a line of the facts.
    pub(super) fn line(&self, line: u32) -> u32 {
        let inline = line.checked_sub(self.last_line + 1).and_then(|at| self.inline_lines.get(at as usize / 2));
        inline.copied().unwrap_or(line)
    }
}

/// The code of each language. Inline code has the language of the fences or, without fences, that of the index, if
/// there is only one.
pub(super) fn code_by_language(index: &Index, text: &str) -> Vec<LanguageCode> {
    if text.len() > MAX_TEXT {
        return Vec::new();
    }
    let blocks = documents::blocks(text, Format::Markdown);
    let is_used = |language: &Language| blocks.iter().any(|block| block.language == *language);
    let is_indexed = |language: &Language| index.files.iter().any(|file| file.language == *language);
    let of_fences: Vec<Language> = Language::ALL.into_iter().filter(is_used).collect();
    let of_index: Vec<Language> = Language::ALL.into_iter().filter(is_indexed).collect();
    let of_inline = match (&of_fences[..], &of_index[..]) {
        ([only], _) | ([], [only]) => Some(*only),
        _ => None,
    };
    let inline = inline_calls(text);
    let last_line = text.lines().count() as u32;
    let code = |language| {
        let mut blocks: Vec<CodeBlock<'_>> =
            blocks.iter().filter(|block| block.language == language).cloned().collect();
        let inline = if of_inline == Some(language) { &inline[..] } else { &[] };
        // Inline code comes last, so that it may use the names of all blocks. The line of a piece of inline code is one
        // more than the line that opens its block.
        blocks.extend((last_line + 1..).step_by(2).zip(inline).map(|(opens_at, (_, code))| CodeBlock {
            language,
            has_jsx: false,
            is_declared: true,
            opens_at,
            lines: vec![CodeLine { line: opens_at + 1, column: 0, text: code }],
        }));
        let starts = BlockStarts(blocks.iter().map(|block| block.opens_at).collect());
        let facts = quoted_facts(language, &blocks)?;
        Some(LanguageCode { facts, last_line, inline_lines: inline.iter().map(|(line, _)| *line).collect(), starts })
    };
    Language::ALL.into_iter().filter_map(code).collect()
}

/// The inline code of Markdown that has the form of a call, with its line. `…` stands for an argument.
fn inline_calls(text: &str) -> Vec<(u32, String)> {
    let mut calls = Vec::new();
    for (number, line) in (1..).zip(markdown_lines(text)) {
        let MarkdownLine::Text(line) = line else { continue };
        // The odd pieces stand between back quotes.
        let codes = line.split('`').skip(1).step_by(2).map(str::trim);
        calls.extend(codes.filter(|code| is_call(code)).map(|code| (number, code.replace('…', "..."))));
    }
    calls
}

/// `Client(…).get(url)`: it begins with a name and ends with the parenthesis of its arguments.
fn is_call(code: &str) -> bool {
    let begins_with_name = code.starts_with(|c: char| c.is_alphabetic() || c == '_');
    code.len() <= MAX_INLINE && begins_with_name && code.ends_with(')') && code.contains('(')
}
