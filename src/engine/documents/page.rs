//! Joins the blocks of one language on a page to one text, so that a block may use the names of the blocks before it.

use super::CodeBlock;

/// The greatest depth to which blocks of TypeScript are nested. Further blocks are siblings at that depth.
const MAX_NESTING: usize = 100;

/// The place of a line of code in its document or notebook.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Place {
    /// The line of the document, from 1.
    pub(crate) line: u32,
    /// The column at which the line of code starts, in bytes.
    pub(crate) column: u32,
}

/// The blocks of Python one below the other, and the place of each line.
pub(crate) fn python_page(blocks: &[CodeBlock<'_>]) -> (String, Vec<Place>) {
    let (mut text, mut places) = (String::new(), Vec::new());
    for line in blocks.iter().flat_map(|block| &block.lines) {
        text.push_str(line.text);
        text.push('\n');
        places.push(Place { line: line.line, column: line.column });
    }
    (text, places)
}

/// The blocks of TypeScript, each line at its line and column in the document.
///
/// Each block contains the next one, between braces: it may use the names that the blocks before it declare, and may
/// declare them again.
pub(crate) fn typescript_page(blocks: &[CodeBlock<'_>]) -> String {
    let mut text = String::new();
    let mut line = 1;
    let mut open = 0;
    let mut go_to = |text: &mut String, to: u32| {
        while line < to {
            text.push('\n');
            line += 1;
        }
    };
    for block in blocks {
        go_to(&mut text, block.opens_at);
        if open == MAX_NESTING {
            text.push('}');
            open -= 1;
        }
        text.push('{');
        open += 1;
        for code in &block.lines {
            go_to(&mut text, code.line);
            text.extend(std::iter::repeat_n(' ', code.column as usize));
            text.push_str(code.text);
        }
    }
    text.push('\n');
    text.extend(std::iter::repeat_n('}', open));
    text
}
