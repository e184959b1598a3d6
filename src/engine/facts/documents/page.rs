//! Joins the blocks of one language on a page to one text, so that a block may use the names of the blocks before it.

use std::ops::Range;

use super::CodeBlock;

/// The place of a line of code in its document or notebook.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Place {
    /// The line of the document, from 1.
    pub line: u32,
    /// The column at which the line of code starts, in bytes.
    pub column: u32,
}

/// Blocks of code as one text.
pub struct Page {
    pub text: String,
    /// The bytes of each block in the text.
    pub blocks: Vec<Range<usize>>,
}

/// The blocks of Python one below the other, and the place of each line.
pub fn python_page(blocks: &[CodeBlock<'_>]) -> (Page, Vec<Place>) {
    let mut page = Page { text: String::new(), blocks: Vec::with_capacity(blocks.len()) };
    let mut places = Vec::new();
    for block in blocks {
        let start = page.text.len();
        for line in &block.lines {
            page.text.push_str(line.text);
            page.text.push('\n');
            places.push(Place { line: line.line, column: line.column });
        }
        page.blocks.push(start..page.text.len());
    }
    (page, places)
}

/// The blocks of TypeScript, each line at its line and column in the document.
pub fn typescript_page(blocks: &[CodeBlock<'_>]) -> Page {
    let mut page = Page { text: String::new(), blocks: Vec::with_capacity(blocks.len()) };
    let mut line = 1;
    for block in blocks {
        let mut start = None;
        for code in &block.lines {
            while line < code.line {
                page.text.push('\n');
                line += 1;
            }
            start.get_or_insert(page.text.len());
            page.text.extend(std::iter::repeat_n(' ', code.column as usize));
            page.text.push_str(code.text);
        }
        page.blocks.push(start.unwrap_or(page.text.len())..page.text.len());
    }
    page
}
