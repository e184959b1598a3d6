//! Helpers for concrete syntax trees of any grammar.

use tree_sitter::{Node, TreeCursor};

use apidisc_base::diagnostic::LineRange;

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
///
/// The children are counted first, because asking for a sibling after the last child is as slow as any other step.
#[inline]
pub(super) fn for_each_child<'t>(cursor: &mut TreeCursor<'t>, mut f: impl FnMut(&mut TreeCursor<'t>)) {
    let mut left = cursor.node().child_count();
    if left == 0 || !cursor.goto_first_child() {
        return;
    }
    loop {
        f(cursor);
        left -= 1;
        if left == 0 || !cursor.goto_next_sibling() {
            break;
        }
    }
    cursor.goto_parent();
}

/// The ERROR nodes and missing nodes below `root` in preorder, each with its parent, found without recursion. To ask a
/// node for its parent would take a search from the root.
pub(super) fn errors(root: Node<'_>) -> impl Iterator<Item = (Node<'_>, Option<Node<'_>>)> {
    let mut cursor = root.walk();
    let mut parents = Vec::new();
    let mut next = Some(root);
    std::iter::from_fn(move || {
        while let Some(node) = next {
            let parent = parents.last().copied();
            next = following(&mut cursor, node, &mut parents);
            if node.is_error() || node.is_missing() {
                return Some((node, parent));
            }
        }
        None
    })
}

/// The node after `node`, which is at the cursor, in preorder. Subtrees without errors are skipped. `parents` are the
/// nodes around the one at the cursor.
fn following<'t>(cursor: &mut TreeCursor<'t>, node: Node<'t>, parents: &mut Vec<Node<'t>>) -> Option<Node<'t>> {
    if node.has_error() && cursor.goto_first_child() {
        parents.push(node);
        return Some(cursor.node());
    }
    while !cursor.goto_next_sibling() {
        if !cursor.goto_parent() {
            return None;
        }
        parents.pop();
    }
    Some(cursor.node())
}

/// The greatest number of line ranges with errors that are kept for one file.
const MAX_ERROR_RANGES: usize = 20;
/// The greatest number of errors of one file that are examined.
const MAX_ERRORS: usize = 10_000;

/// Adds the lines of the errors below `root` that `is_error` confirms to `ranges`. It gets the node and its parent.
/// Adjacent ranges are joined. If a file has more ranges than are kept, the last range extends to the last error.
pub(super) fn add_error_lines(
    root: Node,
    mut is_error: impl FnMut(Node, Option<Node>) -> bool,
    ranges: &mut Vec<LineRange>,
) {
    if !root.has_error() {
        return;
    }
    for (error, _) in errors(root).take(MAX_ERRORS).filter(|(error, parent)| is_error(*error, *parent)) {
        let (start, end) = (error.start_position(), error.end_position());
        let first = start.row as u32 + 1;
        // An error that ends at the start of a line ends in the line before.
        let last = if end.column == 0 { end.row as u32 } else { end.row as u32 + 1 };
        let last = last.max(first);
        let is_full = ranges.len() >= MAX_ERROR_RANGES;
        match ranges.last_mut() {
            Some(range) if is_full || first <= range.last + 1 => range.last = range.last.max(last),
            _ => ranges.push(LineRange { first, last }),
        }
    }
}
