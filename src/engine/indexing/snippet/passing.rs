//! Whether the value of one call is an argument of another call.

use tree_sitter::{Node, Tree};

use super::{
    names::{self, NameBinding},
    shape,
};

/// True if a call takes the value of another call as an argument, or in a list or dictionary that is an argument:
/// `take(make())`, `take([make()])`, `x = make(); take(x)`. `made` and `taking` are the bytes at which the names of the
/// two callees begin, here those of `make` and `take`.
pub(super) fn is_argument(code: &str, tree: &Tree, made: usize, taking: usize) -> bool {
    let call_at = |name: usize| shape::call_of(tree.root_node().descendant_for_byte_range(name, name)?);
    let (Some(made), Some(taking)) = (call_at(made), call_at(taking)) else { return false };
    let Some(arguments) = taking.child_by_field_name("arguments") else { return false };
    if outermost(made, is_container).parent() == Some(arguments) {
        return true;
    }
    let Some(statement) = shape::statement_of(taking) else { return false };
    let is_bound = |name: &str| match names::binding(code, statement, name) {
        NameBinding::Statement(bound) => shape::value_of(bound).is_some_and(|value| without_wrapper(value) == made),
        NameBinding::Header(header) => {
            let item = outermost(made, |kind| matches!(kind, "as_pattern" | "with_item" | "with_clause"));
            item.parent() == Some(header) && header.child_by_field_name("body") != Some(item)
        }
        _ => false,
    };
    names::used(code, &[arguments]).into_iter().any(|(name, _)| is_whole(code, arguments, name) && is_bound(name))
}

/// The outermost of the nodes around a node that have its value: brackets, `await`, a keyword of a call, and nodes of a
/// kind that `is_more` accepts.
fn outermost(node: Node, is_more: impl Fn(&str) -> bool) -> Node {
    let mut node = node;
    while let Some(parent) = node.parent()
        && (is_wrapper(parent.kind()) || parent.kind() == "keyword_argument" || is_more(parent.kind()))
    {
        node = parent;
    }
    node
}

/// The node in brackets or behind `await`.
fn without_wrapper(node: Node) -> Node {
    let mut node = node;
    while is_wrapper(node.kind())
        && let Some(inner) = node.named_child(0)
    {
        node = inner;
    }
    node
}

fn is_wrapper(kind: &str) -> bool {
    matches!(
        kind,
        "await"
            | "await_expression"
            | "parenthesized_expression"
            | "non_null_expression"
            | "as_expression"
            | "satisfies_expression"
    )
}

fn is_container(kind: &str) -> bool {
    matches!(kind, "list" | "tuple" | "dictionary" | "pair" | "array" | "object" | "list_splat" | "spread_element")
}

/// True if an argument, or an item of an argument that is a list or dictionary, is the name alone.
fn is_whole(code: &str, arguments: Node, name: &str) -> bool {
    let mut waiting = vec![arguments];
    while let Some(node) = waiting.pop() {
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            let child = without_wrapper(child);
            let is_name = matches!(child.kind(), "identifier" | "shorthand_property_identifier");
            if is_name && &code[child.byte_range()] == name {
                return true;
            }
            if is_container(child.kind()) || child.kind() == "keyword_argument" {
                waiting.push(child);
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::is_argument;
    use apidisc_base::language::Language;
    use apidisc_facts::syntax::tree_of;

    #[test]
    fn a_value_is_passed_where_it_stands_or_by_its_name() {
        let check = |code: &str, is_passed: bool| {
            let language = if code.contains(';') { Language::TypeScript } else { Language::Python };
            let path = if code.contains(';') { "a.ts" } else { "a.py" };
            let tree = tree_of(code, path, language).expect("a tree");
            let at = |name: &str| code.find(name).expect("a call");
            assert_eq!(is_argument(code, &tree, at("make("), at("take(")), is_passed, "{code}");
        };
        for code in [
            "take(make(1))\n",
            "take(a, b=[make(1)])\n",
            "x = make(1)\nx.go()\nz.take(1, x)\n",
            "async def f():\n    x = await make(1)\n    if x:\n        take(b=x)\n",
            "with make() as x:\n    take(x)\n",
            "const x = await make(1);\nnew take({ x });\n",
            "take({ a: make(1) });\n",
        ] {
            check(code, true);
        }
        for code in [
            "take(other(make(1)))\n",
            "x = make(1)\nx = 2\ntake(x)\n",
            "x = other(make(1))\ntake(x)\n",
            "x = make(1)\ntake(x.y)\n",
            "x = make(1)\ntake(x=1)\n",
            "make(1)\ntake(2)\n",
            "take(lambda x: x, 'x')\nx = make(1)\n",
            "const x = make(1); take(() => x);\n",
        ] {
            check(code, false);
        }
    }
}
