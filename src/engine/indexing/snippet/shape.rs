//! The kinds of nodes that matter to examples, in the grammars of both languages. A kind of one grammar that the other
//! grammar also has means the same there.

use apidisc_base::nesting;
use tree_sitter::Node;

/// True for a node whose children are statements.
pub(super) fn is_block(node: Node) -> bool {
    matches!(
        node.kind(),
        "module" | "block" | "program" | "statement_block" | "class_body" | "switch_case" | "switch_default"
    )
}

/// True for a function of any form: its parameters are bound in its body alone.
pub(super) fn is_function(node: Node) -> bool {
    matches!(
        node.kind(),
        "function_definition"
            | "lambda"
            | "function_declaration"
            | "function_expression"
            | "generator_function"
            | "generator_function_declaration"
            | "arrow_function"
            | "method_definition"
    )
}

/// True for a function or a class, in whose body names are bound for the body alone.
pub(super) fn is_scope(node: Node) -> bool {
    is_function(node)
        || matches!(node.kind(), "class_definition" | "class_declaration" | "abstract_class_declaration" | "class")
}

/// True for a statement that binds names for its body, and can be written with a shorter body: `with`, `for … in`.
pub(super) fn is_header(node: Node) -> bool {
    matches!(node.kind(), "with_statement" | "for_statement" | "for_in_statement")
        && node.child_by_field_name("body").is_some()
}

/// The parameters of a function.
pub(super) fn parameters(function: Node) -> Option<Node> {
    function.child_by_field_name("parameters").or_else(|| function.child_by_field_name("parameter"))
}

/// The call whose callee's name is the leaf `name`.
pub(super) fn call_of(name: Node) -> Option<Node> {
    let mut node = name;
    loop {
        let parent = node.parent()?;
        let is_field = |field| parent.child_by_field_name(field) == Some(node);
        match parent.kind() {
            "attribute" if is_field("attribute") => node = parent,
            "member_expression" if is_field("property") => node = parent,
            "non_null_expression" | "instantiation_expression" | "parenthesized_expression" => node = parent,
            "call" | "call_expression" if is_field("function") => return Some(parent),
            "new_expression" if is_field("constructor") => return Some(parent),
            "jsx_self_closing_element" if is_field("name") => return Some(parent),
            "jsx_opening_element" if is_field("name") => return parent.parent(),
            _ => return None,
        }
    }
}

/// The class in whose list of bases a name stands.
pub(super) fn class_extending(name: Node) -> Option<Node> {
    let mut node = name;
    loop {
        let parent = node.parent().filter(|parent| !is_block(*parent))?;
        let is_list = matches!(node.kind(), "argument_list" | "class_heritage");
        if is_list && is_scope(parent) && !is_function(parent) {
            return Some(parent);
        }
        node = parent;
    }
}

/// The first name of a callee, such as `a` in `a.b(c).d(e)`.
pub(super) fn root_of(call: Node) -> Option<Node> {
    let mut node = call;
    loop {
        node = match node.kind() {
            "identifier" | "this" => return Some(node),
            "call" | "call_expression" => node.child_by_field_name("function")?,
            "new_expression" => node.child_by_field_name("constructor")?,
            "attribute" | "member_expression" | "subscript_expression" => node.child_by_field_name("object")?,
            "subscript" => node.child_by_field_name("value")?,
            "jsx_element" => node.child_by_field_name("open_tag")?,
            "jsx_opening_element" | "jsx_self_closing_element" => node.child_by_field_name("name")?,
            "await" | "await_expression" | "non_null_expression" | "parenthesized_expression" => node.named_child(0)?,
            _ => return None,
        };
    }
}

/// The statement that contains a node: the nearest ancestor, or the node, that stands in a block.
pub(super) fn statement_of(node: Node) -> Option<Node> {
    let mut node = node;
    loop {
        let parent = node.parent()?;
        if is_block(parent) {
            return Some(node);
        }
        node = parent;
    }
}

/// True for a statement of the file itself, which stands in no function, class or other statement.
pub(super) fn is_of_module(statement: Node) -> bool {
    statement.parent().is_none_or(|parent| matches!(parent.kind(), "module" | "program"))
}

/// The expression that a statement evaluates, or assigns to a name. `None` for other statements.
pub(super) fn value_of(statement: Node) -> Option<Node> {
    let _level = nesting::descend()?;
    let value = match statement.kind() {
        "expression_statement" => {
            let inner = statement.named_child(0)?;
            match inner.kind() {
                "assignment" | "assignment_expression" => inner.child_by_field_name("right")?,
                _ => inner,
            }
        }
        "lexical_declaration" | "variable_declaration" => statement.named_child(0)?.child_by_field_name("value")?,
        "export_statement" => {
            let declaration = statement.child_by_field_name("declaration");
            return declaration.map_or_else(|| statement.child_by_field_name("value"), value_of);
        }
        _ => return None,
    };
    Some(without_await(value))
}

/// The expression that an `await` waits for; any other node as it is.
fn without_await(node: Node) -> Node {
    match node.kind() {
        "await" | "await_expression" => node.named_child(0).unwrap_or(node),
        _ => node,
    }
}
