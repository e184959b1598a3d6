//! The code of a file of an index, and the places of calls in it.

use std::cell::OnceCell;

use tree_sitter::Tree;

use super::{Example, QuotedCode, pieces};
use apidisc_base::language::{Framework, Language};
use apidisc_facts::{
    components,
    source::{SourceLines, SourceText},
    syntax,
};

/// The code of a file of an index: the text of the file, the scripts of a component, or the examples that a document,
/// docstring or comment quotes. The code is parsed once, for the first example that is taken from it.
pub struct CodeText {
    code: Code,
    path: String,
    language: Language,
    /// The syntax tree; `None` if the code cannot be parsed.
    tree: OnceCell<Option<Tree>>,
}

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
        let code = if is_quoted {
            Code::Quoted(QuotedCode::new(path, &text.source, language))
        } else {
            Code::Own(SourceLines::new(text))
        };
        Self { code, path: path.to_owned(), language, tree: OnceCell::new() }
    }

    /// The code.
    pub fn code(&self) -> &str {
        match &self.code {
            Code::Own(lines) => &lines.text.source,
            Code::Quoted(quoted) => &quoted.text,
        }
    }

    /// The byte of the code for a line (from 1) and a column (from 0, in bytes) of the file.
    pub fn offset(&self, line: u32, column: u32) -> Option<usize> {
        match &self.code {
            Code::Own(lines) => lines.offset(lines.of_file_line(line, column), column),
            Code::Quoted(quoted) => quoted.offset(line, column),
        }
    }

    /// The example of the call whose callee's name begins at byte `name` of the code. `None` if there is no call, or if
    /// the code cannot be parsed.
    pub fn example(&self, name: usize) -> Option<Example> {
        pieces::example(self.code(), self.tree()?, self.language, &[name], false)
    }

    /// The example of several calls, whose names begin at the bytes `names`, in the order of the text. Their statements
    /// make one example, whose root and call are those of the first call. A call on a parameter of a short callback is
    /// shown with the statement that passes the callback: `app.get("/", (c) => c.text("a"))`. Otherwise like
    /// [`Self::example`].
    pub fn sequence(&self, names: &[usize]) -> Option<Example> {
        pieces::example(self.code(), self.tree()?, self.language, names, true)
    }

    /// The syntax tree of the code. The ending of the path decides the dialect of the language.
    fn tree(&self) -> Option<&Tree> {
        self.tree.get_or_init(|| syntax::tree_of(self.code(), &self.path, self.language)).as_ref()
    }
}
