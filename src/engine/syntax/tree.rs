//! Helpers for concrete syntax trees of any grammar.

use tree_sitter::{Node, Parser, TreeCursor};

/// The parser in `slot`, created for `language` on first use.
pub(super) fn parser<'p>(slot: &'p mut Option<Parser>, language: &tree_sitter::Language) -> &'p mut Parser {
    slot.get_or_insert_with(|| {
        let mut parser = Parser::new();
        // This fails only for a grammar of an incompatible ABI version. The parser then returns no tree for any file.
        let _ = parser.set_language(language);
        parser
    })
}

/// The line of the start of a node, from 1.
#[inline]
pub(super) fn line_of(node: Node) -> u32 {
    node.start_position().row as u32 + 1
}

/// The line (from 1) and the column (from 0, in bytes) of the start of a name token; `(0, 0)` without a token.
pub(super) fn position_of(token: Option<Node>) -> (u32, u32) {
    token.map_or((0, 0), |token| {
        let start = token.start_position();
        (start.row as u32 + 1, start.column as u32)
    })
}

/// The field of the node at the cursor; 0 if it has none.
#[inline]
pub(super) fn field_of(cursor: &TreeCursor) -> u16 {
    cursor.field_id().map_or(0, std::num::NonZero::get)
}

/// Calls `f` at each child of the node at the cursor. `f` must leave the cursor at the child.
#[inline]
pub(super) fn for_each_child<'t>(cursor: &mut TreeCursor<'t>, mut f: impl FnMut(&mut TreeCursor<'t>)) {
    if cursor.goto_first_child() {
        loop {
            f(cursor);
            if !cursor.goto_next_sibling() {
                break;
            }
        }
        cursor.goto_parent();
    }
}

/// The ERROR nodes and missing nodes below `root` in preorder, found without recursion.
pub(super) fn errors(root: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    let mut cursor = root.walk();
    let mut next = Some(root);
    std::iter::from_fn(move || {
        while let Some(node) = next {
            next = following(&mut cursor, node);
            if node.is_error() || node.is_missing() {
                return Some(node);
            }
        }
        None
    })
}

/// The node after `node`, which is at the cursor, in preorder. Subtrees without errors are skipped.
fn following<'t>(cursor: &mut TreeCursor<'t>, node: Node<'t>) -> Option<Node<'t>> {
    if node.has_error() && cursor.goto_first_child() {
        return Some(cursor.node());
    }
    while !cursor.goto_next_sibling() {
        if !cursor.goto_parent() {
            return None;
        }
    }
    Some(cursor.node())
}
