//! Texts that are read from a file when a page is opened: an example of a call, ready to be copied, and the whole
//! documentation of a definition.
//!
//! An example is the statement of one call, together with the statements of the file that bind the names in it:
//! imports, assignments, and the `with` and `for` statements around the call. A name that comes from elsewhere, such as
//! a parameter of the function around the call, is listed beside it.
//!
//! | module | what it is for |
//! | --- | --- |
//! | `call_text` | the beginning and the end of a call in a text, found without a parser |
//! | `code_text` | the code of a file, and the places of calls in it |
//! | `quote` | a call, or a JSX element, on one short line |
//! | `attachment` | a call → the parameter, list, decorator or property that its value is attached to |
//! | `elision` | the values that a long call on one line leaves out |
//! | `docs` | the documentation of a definition as it is written |
//! | `shape` | the kinds of nodes of both grammars: blocks, functions, calls |
//! | `names` | the names that a piece of code uses, and the statement that binds a name |
//! | `guards` | the guards between the binding of a name and its use |
//! | `globals` | the names that code can use without binding them |
//! | `imports` | the names that an import statement binds |
//! | `passing` | whether the value of one call is an argument of another one |
//! | `pieces` | the pieces of code of an example, and their text |
//!
//! All work is bounded: long statements are cut or left out, and few names are followed.

mod attachment;
mod call_text;
mod code_text;
mod docs;
mod elision;
mod extent;
mod globals;
mod guards;
mod imports;
mod names;
mod passing;
mod pieces;
mod quote;
mod shape;
#[cfg(test)]
mod tests;

use std::ops::Range;

use compact_str::CompactString;

use apidisc_base::language::Language;
use apidisc_facts::{documents, syntax};

pub use call_text::{call_range, is_cut_off, joins_statements, name_length, one_line, shortened};
pub use code_text::CodeText;
pub use imports::{ExampleImport, ImportedName};
pub use names::is_receiver;
pub(crate) use quote::{Completeness, QuotedCall, quoted_call, statement_around};

/// The code that shows one or more calls, with the statements of the file that bind the names in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Example {
    /// The names that the example imports, in the order of their use.
    pub imports: Vec<ExampleImport>,
    /// The lines without the imports, and without the indentation that they have in the file.
    pub lines: Vec<String>,
    /// The number of lines before the statement of the last call.
    pub setup_lines: usize,
    /// The lines of the call alone, without the rest of its statement.
    pub call: Vec<String>,
    /// The first name of the callee: `client` in `client.get(url)`. `None` if the callee does not begin with a name.
    pub root: Option<CompactString>,
    /// Names that neither the file nor the language binds.
    pub unbound: Vec<CompactString>,
    /// Names that the functions around the call bind: parameters, and the receiver `self` or `this`.
    pub given: Vec<CompactString>,
    /// Names that the file declares without a value. The lines do not have the declarations.
    pub declared: Vec<CompactString>,
    /// The number of names whose guards the lines do not have, such as `if (!job) return;` before `job.run()`: the
    /// value may be missing.
    pub unguarded: usize,
    /// True if comments keep type checkers from reporting what is wrong with the lines.
    pub is_unchecked: bool,
}

impl Example {
    /// The number of lines that load a file by a path relative to the file of the example, as `require('./a')` does.
    /// The reader of such a line has no file there, and no name to bind in place of it.
    pub fn relative_loads(&self) -> usize {
        self.lines.iter().filter(|line| pieces::loads_by_path(line)).count()
    }
}

/// The example of the call whose callee's name begins at byte `name` of `code`. `path` is the path of the file, whose
/// ending decides the dialect of the language. `None` if there is no call, or if the code cannot be parsed.
pub fn example(code: &str, path: &str, language: Language, name: usize) -> Option<Example> {
    let tree = syntax::tree_of(code, path, language)?;
    pieces::example(code, &tree, language, &[name], false)
}

/// The code of a language that a document, docstring or comment quotes, as one text.
#[derive(Debug, Default)]
pub struct QuotedCode {
    /// The code, block after block.
    pub text: String,
    /// The lines of the text, in its order.
    lines: Vec<QuotedLine>,
}

/// A line of [`QuotedCode`].
#[derive(Debug)]
struct QuotedLine {
    /// The line of the file, from 1.
    line: u32,
    /// The column of the file at which the code begins, from 0 in bytes.
    column: u32,
    /// The bytes of the line in the text.
    range: Range<usize>,
}

impl QuotedCode {
    /// All code of `language` in the file at `path`.
    pub fn new(path: &str, text: &str, language: Language) -> Self {
        let mut quoted = Self::default();
        for block in code_blocks(path, text, language) {
            quoted.push(&block);
        }
        quoted
    }

    fn push(&mut self, block: &documents::CodeBlock<'_>) {
        for documents::CodeLine { line, column, text } in &block.lines {
            let start = self.text.len();
            self.text.push_str(text);
            self.lines.push(QuotedLine { line: *line, column: *column, range: start..self.text.len() });
            self.text.push('\n');
        }
    }

    /// The byte in the text of a place in the file; `None` if the place is not quoted. `line` is counted from 1,
    /// `column` from 0 in bytes.
    pub fn offset(&self, line: u32, column: u32) -> Option<usize> {
        let found = self.lines.binary_search_by_key(&line, |quoted| quoted.line).ok()?;
        let QuotedLine { column: first, range, .. } = &self.lines[found];
        let offset = range.start + column.checked_sub(*first)? as usize;
        (offset <= range.end).then_some(offset)
    }

    /// The line of the file, from 1, that a line of the text, from 0, belongs to.
    fn number(&self, line: usize) -> u32 {
        self.lines.get(line).or(self.lines.last()).map_or(1, |quoted| quoted.line)
    }
}

fn code_blocks<'t>(path: &str, text: &'t str, language: Language) -> impl Iterator<Item = documents::CodeBlock<'t>> {
    let format = documents::Format::of_document(path).unwrap_or_else(|| documents::Format::of_examples(language));
    documents::blocks(text, format).into_iter().filter(move |block| block.language == language)
}

/// The documentation of the definition whose name stands on `line` (from 1), as it is written, line by line: a
/// docstring of Python, or a documentation comment of TypeScript. `None` if there is none. A very long one is cut.
pub fn documentation(code: &str, path: &str, language: Language, line: u32, name: &str) -> Option<Vec<String>> {
    let tree = syntax::tree_of(code, path, language)?;
    docs::of_definition(code, &tree, language, line, name)
}

/// The last line, from 1, of the declaration or assignment of the definition `name` on `line`: that of its value, which
/// may be an object of many lines. `None` if the line does not have the name, or if the code cannot be parsed.
pub fn last_line(code: &str, path: &str, language: Language, line: u32, name: &str) -> Option<u32> {
    extent::last_line(code, &syntax::tree_of(code, path, language)?, line, name)
}
