//! The code that documents quote: fences of Markdown, code blocks of reStructuredText, doctests, and the examples in
//! docstrings, other strings and comments.
//!
//! | module | input → output |
//! | --- | --- |
//! | `format` | a path → the format of the document, or of the examples that a file of code contains |
//! | `front_matter` | a page of Markdown → the settings at its beginning |
//! | `translations` | the paths of all documents → those that translate others |
//! | `fences` | a text of Markdown → its lines, each inside or outside of a fenced block |
//! | `scan` | a text → the blocks of code in it, each line with its place |
//! | `code_kind` | the words after a fence or a directive → the language of the block |
//! | `page` | the blocks of one language → one text |
//!
//! The scanner reads lines and does not parse Markdown, because pages of `MkDocs` and MDX indent fences below tabs,
//! notes and elements by any number of spaces, where a `CommonMark` parser finds no fence.

mod code_kind;
mod fences;
mod format;
mod front_matter;
mod page;
mod scan;
#[cfg(test)]
mod tests;
mod translations;

use apidisc_base::language::Language;

pub use fences::{MarkdownLine, markdown_lines};
pub use format::Format;
pub use front_matter::FrontMatter;
pub use page::{Place, python_page, typescript_page};
pub use scan::blocks;
pub(crate) use translations::Translations;

/// The size in bytes above which a document is not read.
pub(crate) const MAX_BYTES: u64 = 1024 * 1024;

/// A block of code in a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeBlock<'t> {
    /// The language of the code.
    pub language: Language,
    /// True for code in a language with JSX: `tsx`, `jsx`.
    pub has_jsx: bool,
    /// True if the document states the language of the block. A literal block of reStructuredText states none.
    pub is_declared: bool,
    /// The line that begins the block, from 1: the line of the fence, directive or tag. It comes before all lines of
    /// code.
    pub opens_at: u32,
    /// The code.
    pub lines: Vec<CodeLine<'t>>,
}

/// One line of code in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeLine<'t> {
    /// The line of the document, from 1.
    pub line: u32,
    /// The column at which the code starts, from 0, in bytes.
    pub column: u32,
    /// The code, without the indentation of the block and without a prompt.
    pub text: &'t str,
}
