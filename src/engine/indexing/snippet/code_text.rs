//! The code of a file of an index, and the places of calls in it.

use std::cell::OnceCell;

use tree_sitter::{Node, Tree};

use super::{Example, ExampleImport, QuotedCode, imports, passing, pieces, shape};
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

    /// The example of the class that names a base at byte `name` of the code. `None` if the class is long, if no class
    /// has a base there, or if the code cannot be parsed.
    pub fn class_example(&self, name: usize) -> Option<Example> {
        pieces::class_example(self.code(), self.tree()?, self.language, name)
    }

    /// The example of several calls, whose names begin at the bytes `names`, in the order of the text. Their statements
    /// make one example, whose root and call are those of the first call. A call on a parameter of a short callback is
    /// shown with the statement that passes the callback: `app.get("/", (c) => c.text("a"))`. Otherwise like
    /// [`Self::example`].
    pub fn sequence(&self, names: &[usize]) -> Option<Example> {
        pieces::example(self.code(), self.tree()?, self.language, names, true)
    }

    /// True if the value of the call whose callee's name begins at byte `made` is an argument of the call at byte
    /// `taking`, or an item of a list or dictionary that is one. Of a name the nearest assignment before counts.
    pub fn is_argument(&self, made: usize, taking: usize) -> bool {
        self.tree().is_some_and(|tree| passing::is_argument(self.code(), tree, made, taking))
    }

    /// The names that import statements bind, wherever they stand, each with its line in the file, from 1.
    pub fn imports(&self) -> Vec<(u32, ExampleImport)> {
        let mut found = Vec::new();
        self.for_each_node(|node, _| {
            let imports = imports::imports_of(self.code(), node);
            found.extend(imports.into_iter().map(|(row, import)| (self.line(row), import)));
            true
        });
        found
    }

    /// True if the code names an identifier outside of functions and classes: it binds the identifier there, or uses
    /// it. Attributes, keywords of calls and parameters do neither. True as well for code that cannot be parsed.
    pub fn names_at_top(&self, name: &str) -> bool {
        let mut is_named = self.tree().is_none();
        self.for_each_node(|node, field| {
            let is_name = node.kind().ends_with("identifier") || node.kind() == "shorthand_property_identifier_pattern";
            let is_keyword =
                || field == Some("name") && node.parent().is_some_and(|parent| parent.kind() == "keyword_argument");
            is_named |= is_name
                && field != Some("attribute")
                && node.kind() != "property_identifier"
                && self.code().get(node.byte_range()) == Some(name)
                && !is_keyword()
                && !is_parameter(node, field);
            let is_body = matches!(node.kind(), "block" | "statement_block" | "class_body");
            !(is_named || is_body && node.parent().is_some_and(shape::is_scope))
        });
        is_named
    }

    /// Visits the nodes of the syntax tree with their fields, each before the nodes inside, which are left out if
    /// `visit` returns false.
    fn for_each_node(&self, mut visit: impl FnMut(Node, Option<&str>) -> bool) {
        let Some(tree) = self.tree() else { return };
        let mut cursor = tree.walk();
        loop {
            if visit(cursor.node(), cursor.field_name()) && cursor.goto_first_child() {
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return;
                }
            }
        }
    }

    /// The line of the file, from 1, that a line of the code, from 0, belongs to.
    fn line(&self, line: usize) -> u32 {
        match &self.code {
            Code::Own(lines) => lines.number(line),
            Code::Quoted(quoted) => quoted.number(line),
        }
    }

    /// The syntax tree of the code. The ending of the path decides the dialect of the language.
    fn tree(&self) -> Option<&Tree> {
        self.tree.get_or_init(|| syntax::tree_of(self.code(), &self.path, self.language)).as_ref()
    }
}

/// True for an identifier that a function binds as its parameter.
fn is_parameter(node: Node, field: Option<&str>) -> bool {
    let Some(parent) = node.parent() else { return false };
    match parent.kind() {
        "parameters" | "lambda_parameters" => true,
        "default_parameter" | "typed_default_parameter" => field == Some("name"),
        "typed_parameter" => field != Some("type"),
        "list_splat_pattern" | "dictionary_splat_pattern" => {
            parent.parent().is_some_and(|list| list.kind().ends_with("parameters"))
        }
        "required_parameter" | "optional_parameter" => field == Some("pattern"),
        "arrow_function" => field == Some("parameter"),
        _ => false,
    }
}
