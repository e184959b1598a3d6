//! The lines of a definition that has no body of its own: a constant, an attribute, a property.

use tree_sitter::{Node, Tree};

use super::{docs::name_node, shape};

/// The last line, from 1, of the declaration or assignment whose name stands on `line`. `None` if the line does not
/// have the name.
pub(super) fn last_line(code: &str, tree: &Tree, line: u32, name: &str) -> Option<u32> {
    let declaration = declaration_of(name_node(code, tree, line, name)?);
    Some(declaration.end_position().row as u32 + 1)
}

/// The declaration of a name: a declarator, a field, a property of an object, or the whole statement.
fn declaration_of(name: Node) -> Node {
    let mut node = name;
    while let Some(parent) = node.parent() {
        let is_whole = matches!(
            node.kind(),
            "enum_assignment" | "pair" | "property_signature" | "public_field_definition" | "variable_declarator"
        );
        if is_whole || shape::is_block(parent) {
            break;
        }
        node = parent;
    }
    node
}
