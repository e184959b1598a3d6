//! The guards between the statement that binds a name and the code that uses the name: `if (!job) throw …`.
//!
//! An example without them would use a value that may be missing.

use tree_sitter::Node;

use super::names;

/// The greatest number of statements after a binding that are looked at.
const MAX_STATEMENTS: usize = 32;
/// The greatest number of statements around a use that are looked at.
const MAX_PARENTS: usize = 32;
/// The greatest number of lines of a guard that an example shows.
const MAX_LINES: usize = 5;

/// The guards of one name.
#[derive(Debug, Default)]
pub(super) struct Guards<'t> {
    /// The guards that an example can show, since they are valid outside of functions and loops.
    pub(super) shown: Vec<Node<'t>>,
    /// True if there are others.
    pub(super) has_others: bool,
}

/// The guards on `name` between its binding and `user`, a node that uses the name.
pub(super) fn guards<'t>(code: &str, binding: Node<'t>, user: Node<'t>, name: &str) -> Guards<'t> {
    let mut guards = Guards::default();
    let tests = |node: Node| {
        let condition = node.child_by_field_name("condition").unwrap_or(node);
        names::used(code, &[condition]).iter().any(|(used, _)| *used == name)
    };
    let mut next = binding.next_named_sibling();
    for _ in 0..MAX_STATEMENTS {
        let Some(statement) = next.filter(|next| next.end_byte() <= user.start_byte()) else { break };
        let is_guard = match statement.kind() {
            "assert_statement" => true,
            "if_statement" => statement.child_by_field_name("alternative").is_none() && exit(code, statement).is_some(),
            _ => false,
        };
        if is_guard && tests(statement) {
            let throws = exit(code, statement).is_none_or(|exit| {
                matches!(exit.kind(), "throw_statement" | "raise_statement" | "expression_statement")
            });
            let lines = statement.end_position().row - statement.start_position().row + 1;
            if throws && lines <= MAX_LINES {
                guards.shown.push(statement);
            } else {
                guards.has_others = true;
            }
        }
        next = statement.next_named_sibling();
    }
    let mut inner = user;
    for _ in 0..MAX_PARENTS {
        let Some(around) = inner.parent().filter(|around| around.end_byte() > binding.end_byte()) else { break };
        if around.start_byte() > binding.end_byte() {
            guards.has_others |= match around.kind() {
                "if_statement" | "while_statement" | "elif_clause" => tests(around),
                // `job && run(job)`, `job ? run(job) : null`, `run(job) if job else None`.
                "binary_expression" | "boolean_operator" | "ternary_expression" | "conditional_expression" => {
                    let mut cursor = around.walk();
                    let mut parts = around.named_children(&mut cursor).filter(|part| *part != inner);
                    is_choice(code, around) && parts.any(tests)
                }
                _ => false,
            };
        }
        inner = around;
    }
    guards
}

/// Whether an expression evaluates one of its operands only if another one is true, or false.
fn is_choice(code: &str, node: Node) -> bool {
    let is_operator = |operator: Node| matches!(&code[operator.byte_range()], "&&" | "||");
    node.kind() != "binary_expression" || node.child_by_field_name("operator").is_some_and(is_operator)
}

/// The last statement in the block of an `if` statement, if control does not go on behind the `if` statement after it:
/// `return`, `raise`, `continue`, or a call that ends the process.
fn exit<'t>(code: &str, statement: Node<'t>) -> Option<Node<'t>> {
    let body = statement.child_by_field_name("consequence")?;
    let is_block = matches!(body.kind(), "block" | "statement_block");
    let last = if is_block { body.named_child(body.named_child_count().checked_sub(1)? as u32)? } else { body };
    let exits = match last.kind() {
        "throw_statement" | "raise_statement" | "return_statement" | "continue_statement" | "break_statement" => true,
        "expression_statement" => last.named_child(0).is_some_and(|call| ends_process(code, call)),
        _ => false,
    };
    exits.then_some(last)
}

/// Whether a call ends the process: `sys.exit()`, `os._exit()`, `process.exit()`.
fn ends_process(code: &str, call: Node) -> bool {
    let callee = call.child_by_field_name("function").map(|callee| &code[callee.byte_range()]);
    matches!(callee, Some("sys.exit" | "os._exit" | "exit" | "process.exit" | "Deno.exit"))
}
