//! The documentation of a definition as it is written.

use tree_sitter::{Node, Point, Tree};

use super::shape;
use apidisc_base::language::Language;
use apidisc_facts::documentation;

/// The greatest number of lines.
pub(super) const MAX_LINES: usize = 1_000;
/// The length in bytes at which a line is cut.
const MAX_LINE_BYTES: usize = 1_000;

pub(super) fn of_definition(code: &str, tree: &Tree, language: Language, line: u32, name: &str) -> Option<Vec<String>> {
    let leaf = name_node(code, tree, line, name)?;
    let text = match language {
        Language::Python => unquoted(&code[docstring(code, leaf)?.byte_range()])?,
        Language::TypeScript => &code[comment(code, leaf)?.byte_range()],
    };
    let lines = match language {
        Language::Python => documentation::dedented(text).into_iter().map(cut).collect(),
        Language::TypeScript => without_stars(text),
    };
    let is_blank = |line: &&String| line.is_empty();
    let start = lines.iter().take_while(is_blank).count();
    let end = lines.len() - lines.iter().rev().take_while(is_blank).count();
    (start < end).then(|| lines[start..end].iter().take(MAX_LINES).cloned().collect())
}

/// The first node on a line, from 1, that is this name.
pub(super) fn name_node<'t>(code: &str, tree: &'t Tree, line: u32, name: &str) -> Option<Node<'t>> {
    let row = (line as usize).checked_sub(1)?;
    let text = code.lines().nth(row)?;
    text.match_indices(name).find_map(|(at, _)| {
        let [start, end] = [at, at + name.len()].map(|column| Point::new(row, column));
        let leaf = tree.root_node().descendant_for_point_range(start, end)?;
        (leaf.child_count() == 0 && &code[leaf.byte_range()] == name).then_some(leaf)
    })
}

/// The docstring of the Python definition whose name is the node `name`. A class without a docstring has that of its
/// constructor; an attribute has the string literal after its statement.
fn docstring<'t>(code: &str, name: Node<'t>) -> Option<Node<'t>> {
    let parent = name.parent()?;
    match parent.kind() {
        "function_definition" | "class_definition" if parent.child_by_field_name("name") == Some(name) => {
            let body = parent.child_by_field_name("body")?;
            let own = body.named_child(0).and_then(string);
            own.or_else(|| constructor(code, body)?.child_by_field_name("body")?.named_child(0).and_then(string))
        }
        _ => shape::statement_of(name)?.next_named_sibling().and_then(string),
    }
}

/// The constructor in the body of a class.
fn constructor<'t>(code: &str, body: Node<'t>) -> Option<Node<'t>> {
    let is_constructor = |node: &Node| {
        let name = node.child_by_field_name("name").filter(|_| node.kind() == "function_definition");
        name.is_some_and(|name| &code[name.byte_range()] == "__init__")
    };
    let mut cursor = body.walk();
    body.named_children(&mut cursor).find(is_constructor)
}

fn string(statement: Node) -> Option<Node> {
    let inner = statement.named_child(0).filter(|_| statement.kind() == "expression_statement")?;
    (inner.kind() == "string").then_some(inner)
}

/// The content of a string literal of Python.
fn unquoted(literal: &str) -> Option<&str> {
    let body = literal.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let quote = ["\"\"\"", "'''", "\"", "'"].into_iter().find(|quote| body.starts_with(quote))?;
    body.strip_prefix(quote)?.strip_suffix(quote)
}

/// The documentation comment before the declaration with this name.
fn comment<'t>(code: &str, name: Node<'t>) -> Option<Node<'t>> {
    let mut node = name.parent()?;
    loop {
        let mut before = node.prev_sibling();
        while let Some(decorator) = before.filter(|before| before.kind() == "decorator") {
            before = decorator.prev_sibling();
        }
        let is_documentation = |node: &Node| node.kind() == "comment" && code[node.byte_range()].starts_with("/**");
        if let Some(comment) = before.filter(is_documentation) {
            return Some(comment);
        }
        node = node.parent().filter(|parent| !shape::is_block(*parent) && parent.kind() != "object")?;
    }
}

/// The lines of a comment without its marks.
fn without_stars(comment: &str) -> Vec<String> {
    let body = comment.trim_start_matches("/**").trim_end_matches("*/");
    let line = |line: &str| {
        let line = line.trim_start();
        let line = line.strip_prefix('*').unwrap_or(line);
        cut(line.strip_prefix(' ').unwrap_or(line))
    };
    body.lines().map(line).collect()
}

/// A line without white space at its end, cut at [`MAX_LINE_BYTES`].
fn cut(line: &str) -> String {
    line[..line.floor_char_boundary(MAX_LINE_BYTES)].trim_end().to_owned()
}
