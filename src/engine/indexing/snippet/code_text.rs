//! The code of a file of an index, and the places of calls in it.

use super::QuotedCode;
use apidisc_base::language::{Framework, Language};
use apidisc_facts::{
    components,
    source::{SourceLines, SourceText},
};

/// The code of a file of an index: the text of the file, the scripts of a component, or the examples that a document,
/// docstring or comment quotes.
pub struct CodeText(Code);

enum Code {
    Own(SourceLines),
    Quoted(QuotedCode),
}

impl CodeText {
    /// The code in `text`, the text of the file at `path`. `is_quoted` is true for a document, of which only the quoted
    /// code was indexed.
    pub fn new(path: &str, text: SourceText, language: Language, is_quoted: bool) -> Self {
        let text = match Framework::of_path(path) {
            Some(framework) if !is_quoted => {
                SourceText { source: components::scripts(framework, &text.source), ..text }
            }
            _ => text,
        };
        Self(if is_quoted {
            Code::Quoted(QuotedCode::new(path, &text.source, language))
        } else {
            Code::Own(SourceLines::new(text))
        })
    }

    /// The code.
    pub fn code(&self) -> &str {
        match &self.0 {
            Code::Own(lines) => &lines.text.source,
            Code::Quoted(quoted) => &quoted.text,
        }
    }

    /// The byte of the code for a line (from 1) and a column (from 0, in bytes) of the file.
    pub fn offset(&self, line: u32, column: u32) -> Option<usize> {
        match &self.0 {
            Code::Own(lines) => lines.offset(lines.of_file_line(line, column), column),
            Code::Quoted(quoted) => quoted.offset(line, column),
        }
    }
}
