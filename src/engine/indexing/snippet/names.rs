//! The names that a piece of code uses, and where they are bound.

use tree_sitter::Node;

use super::{
    imports::{ExampleImport, import_of},
    shape,
};
use apidisc_base::nesting;

/// The greatest number of nodes of a piece that are visited.
const MAX_NODES: usize = 4_000;
/// The greatest number of statements that are searched for the binding of a name.
const MAX_STATEMENTS: usize = 2_000;

/// True for a name that only code in the body of a class has: the usual names of receivers, and `super`.
pub fn is_receiver(name: &str) -> bool {
    matches!(name, "self" | "cls" | "this" | "super")
}

/// Where a name is bound.
pub(super) enum NameBinding<'t> {
    Import(ExampleImport),
    /// By a statement before the code that uses the name.
    Statement(Node<'t>),
    /// By a `with` or `for` statement around that code.
    Header(Node<'t>),
    /// By a function around that code: a parameter of this function, or the receiver `self` or `this` of a function.
    Given(Option<Node<'t>>),
    Unbound,
}

/// The names that the nodes of a piece use and do not bind themselves, in the order of their first use. Each comes with
/// true if it is the name of a type alone.
pub(super) fn used<'c>(code: &'c str, pieces: &[Node]) -> Vec<(&'c str, bool)> {
    let mut used: Vec<(&str, bool)> = Vec::new();
    let mut bound: Vec<&str> = Vec::new();
    let mut waiting: Vec<Node> = pieces.iter().rev().copied().collect();
    let mut visited = 0;
    while let Some(node) = waiting.pop() {
        visited += 1;
        if visited > MAX_NODES {
            break;
        }
        if let "identifier" | "type_identifier" | "shorthand_property_identifier" | "this" | "super" = node.kind() {
            let name = &code[node.byte_range()];
            match role(node, pieces, name) {
                Role::Use => {
                    let is_type = node.kind() == "type_identifier";
                    match used.iter_mut().find(|(other, _)| *other == name) {
                        Some((_, other)) => *other &= is_type,
                        None => used.push((name, is_type)),
                    }
                }
                Role::InnerBinding => bound.push(name),
                Role::Target | Role::NoVariable => {}
            }
        }
        if let "shorthand_property_identifier_pattern" = node.kind() {
            bound.push(&code[node.byte_range()]);
        }
        let at = waiting.len();
        let mut cursor = node.walk();
        waiting.extend(node.named_children(&mut cursor));
        waiting[at..].reverse();
    }
    used.retain(|(name, _)| !bound.contains(name));
    used
}

/// The role of an identifier in the piece that contains it.
enum Role {
    /// A variable whose value the piece reads.
    Use,
    /// The name of a parameter, loop variable, inner function or inner variable.
    InnerBinding,
    /// A variable that the piece itself assigns.
    Target,
    /// The name of an attribute, of a keyword argument or of an HTML element.
    NoVariable,
}

fn role(node: Node, pieces: &[Node], name: &str) -> Role {
    let Some(parent) = node.parent() else { return Role::Use };
    let is_field = |of: Node, field: &str, node: Node| of.child_by_field_name(field) == Some(node);
    match parent.kind() {
        "attribute" if is_field(parent, "attribute", node) => return Role::NoVariable,
        "keyword_argument" if is_field(parent, "name", node) => return Role::NoVariable,
        "jsx_opening_element" | "jsx_closing_element" | "jsx_self_closing_element"
            if name.starts_with(|c: char| c.is_lowercase()) =>
        {
            return Role::NoVariable;
        }
        _ => {}
    }
    // The pattern that contains the name, and the construct that binds the pattern.
    let (mut inner, mut outer) = (node, parent);
    while is_pattern(outer) {
        let Some(next) = outer.parent() else { return Role::Use };
        (inner, outer) = (outer, next);
    }
    let binds = match outer.kind() {
        "assignment" | "for_in_clause" | "for_statement" | "for_in_statement" => is_field(outer, "left", inner),
        "named_expression" | "variable_declarator" | "default_parameter" | "typed_default_parameter" => {
            is_field(outer, "name", inner)
        }
        "function_definition" | "class_definition" | "function_declaration" | "class_declaration" => {
            is_field(outer, "name", inner)
        }
        "arrow_function" => is_field(outer, "parameter", inner),
        "required_parameter" | "optional_parameter" => is_field(outer, "pattern", inner),
        "as_pattern_target" | "parameters" | "lambda_parameters" | "catch_clause" => true,
        "typed_parameter" => outer.named_child(0) == Some(inner),
        _ => false,
    };
    if !binds {
        return Role::Use;
    }
    let is_target = matches!(outer.kind(), "assignment" | "variable_declarator")
        && pieces.iter().any(|piece| shape::statement_of(outer) == Some(*piece));
    if is_target { Role::Target } else { Role::InnerBinding }
}

fn is_pattern(node: Node) -> bool {
    matches!(
        node.kind(),
        "pattern_list"
            | "tuple_pattern"
            | "list_pattern"
            | "list_splat_pattern"
            | "dictionary_splat_pattern"
            | "array_pattern"
            | "object_pattern"
            | "pair_pattern"
            | "rest_pattern"
            | "assignment_pattern"
            | "as_pattern"
    )
}

/// Where `name` is bound for the code of a statement: by the nearest statement before it, in its block or in a block
/// around it.
pub(super) fn binding<'t>(code: &str, statement: Node<'t>, name: &str) -> NameBinding<'t> {
    if is_receiver(name) {
        return NameBinding::Given(None);
    }
    let mut node = statement;
    // An import of `a.b` binds `a` as well, but code that uses only `a` needs no more than `a`.
    let mut package: Option<ExampleImport> = None;
    loop {
        for earlier in node.parent().map(|block| statements_before(block, node)).unwrap_or_default() {
            if let Some(import) = import_of(code, earlier, name) {
                let is_used = |module: &str| code[statement.byte_range()].contains(&format!("{module}."));
                if !import.is_submodule() || is_used(&import.module) {
                    return NameBinding::Import(import);
                }
                package.get_or_insert(ExampleImport { module: name.to_owned(), ..import });
            }
            if package.is_none() && binds(code, earlier, name) {
                return NameBinding::Statement(earlier);
            }
        }
        let Some(parent) = node.parent() else { return package.map_or(NameBinding::Unbound, NameBinding::Import) };
        let is_given = |parameters| mentions(code, parameters, name);
        if package.is_none() && shape::is_function(parent) && shape::parameters(parent).is_some_and(is_given) {
            return NameBinding::Given(Some(parent));
        }
        if package.is_none() && parent.child_by_field_name("type_parameters").is_some_and(is_given) {
            return NameBinding::Given(None);
        }
        if package.is_none()
            && shape::is_header(parent)
            && parent.child_by_field_name("body") == Some(node)
            && header_binds(code, parent, name)
        {
            // A loop header of TypeScript is not valid code without the body of the loop.
            return if parent.kind() == "for_in_statement" {
                NameBinding::Given(None)
            } else {
                NameBinding::Header(parent)
            };
        }
        node = parent;
    }
}

/// The statements of a block before one of them, the nearest first; none if the node is no block.
fn statements_before<'t>(block: Node<'t>, statement: Node) -> Vec<Node<'t>> {
    if !shape::is_block(block) {
        return Vec::new();
    }
    // A cursor visits each child once, where a search for the previous sibling begins at the first one each time.
    let mut cursor = block.walk();
    let before = block.named_children(&mut cursor).take_while(|other| other.start_byte() < statement.start_byte());
    let mut statements: Vec<Node> = before.collect();
    statements.reverse();
    statements.truncate(MAX_STATEMENTS);
    statements
}

/// True if a statement assigns to `name`, or defines it.
fn binds(code: &str, statement: Node, name: &str) -> bool {
    let Some(_level) = nesting::descend() else { return false };
    let is_name = |node: Node| mentions(code, node, name);
    match statement.kind() {
        "expression_statement" => {
            let assignment = statement.named_child(0).filter(|inner| inner.kind() == "assignment");
            assignment.and_then(|inner| inner.child_by_field_name("left")).is_some_and(is_target_of(code, name))
        }
        "lexical_declaration" | "variable_declaration" => {
            let mut cursor = statement.walk();
            statement
                .named_children(&mut cursor)
                .filter_map(|declarator| declarator.child_by_field_name("name"))
                .any(is_name)
        }
        "export_statement" => {
            statement.child_by_field_name("declaration").is_some_and(|declaration| binds(code, declaration, name))
        }
        "decorated_definition" => {
            statement.child_by_field_name("definition").is_some_and(|definition| binds(code, definition, name))
        }
        "function_definition"
        | "class_definition"
        | "function_declaration"
        | "class_declaration"
        | "enum_declaration"
        | "interface_declaration"
        | "type_alias_declaration" => {
            statement.child_by_field_name("name").is_some_and(|found| &code[found.byte_range()] == name)
        }
        _ => false,
    }
}

/// True if a statement declares `name` without a value: `let client: Client`, `client: Client`. Documents write `...`
/// for a value that is left out.
pub(super) fn only_declares(code: &str, statement: Node, name: &str) -> bool {
    let is_without = |node: Node, target: &str, value: &str| {
        node.child_by_field_name(value).is_none_or(|value| value.kind() == "ellipsis")
            && node.child_by_field_name(target).is_some_and(|target| mentions(code, target, name))
    };
    match statement.kind() {
        "expression_statement" => statement
            .named_child(0)
            .is_some_and(|inner| inner.kind() == "assignment" && is_without(inner, "left", "right")),
        "lexical_declaration" | "variable_declaration" => {
            let mut cursor = statement.walk();
            statement.named_children(&mut cursor).any(|declarator| is_without(declarator, "name", "value"))
        }
        _ => false,
    }
}

/// True for the left side of an assignment that binds `name`: `name`, or a tuple that contains it, but not `name.x`.
fn is_target_of<'a>(code: &'a str, name: &'a str) -> impl Fn(Node) -> bool + 'a {
    move |left| !matches!(left.kind(), "attribute" | "subscript") && mentions(code, left, name)
}

/// True if the part of a `with` or `for` statement before its body binds `name`.
fn header_binds(code: &str, header: Node, name: &str) -> bool {
    if let Some(left) = header.child_by_field_name("left") {
        return mentions(code, left, name);
    }
    let body = header.child_by_field_name("body").map_or(header.end_byte(), |body| body.start_byte());
    let mut waiting = vec![header];
    while let Some(node) = waiting.pop() {
        if node.kind() == "as_pattern_target" && mentions(code, node, name) {
            return true;
        }
        let mut cursor = node.walk();
        waiting.extend(node.named_children(&mut cursor).filter(|child| child.start_byte() < body));
    }
    false
}

/// True if a pattern or a list of parameters contains `name`.
fn mentions(code: &str, node: Node, name: &str) -> bool {
    let mut waiting = vec![node];
    let mut visited = 0;
    while let Some(node) = waiting.pop() {
        visited += 1;
        let is_name = matches!(node.kind(), "identifier" | "shorthand_property_identifier_pattern" | "type_identifier");
        if visited > MAX_NODES || is_name && &code[node.byte_range()] == name {
            return visited <= MAX_NODES;
        }
        let mut cursor = node.walk();
        waiting.extend(node.named_children(&mut cursor));
    }
    false
}
