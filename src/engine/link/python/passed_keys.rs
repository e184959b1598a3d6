//! The keys of the dicts that calls pass: of displays, of calls of `dict`, of the elements of lists, and of what a
//! variable with a single binding in the file holds.

use thin_vec::ThinVec;

use apidisc_base::nesting;
use apidisc_facts::{
    program::{ArgumentKind, PassedKeys, PassedKeysBuilder},
    syntax::python::facts::{Arg, BindingKind, Expr, ExprId, Extraction, FileFacts},
};

/// The greatest number of variables, lists and spreads between an argument and a dict.
const MAX_STEPS: u32 = 4;
/// The greatest number of elements of a list that are read.
const MAX_ELEMENTS: usize = 16;

/// The keys that each argument of a call passes. Arguments without a known key are left out.
pub(super) fn passed_keys(facts: &FileFacts, arguments: &[Arg]) -> ThinVec<PassedKeys> {
    let is_read = |argument: &Arg| !matches!(argument.kind, ArgumentKind::Star | ArgumentKind::Decorated);
    let keys = |(at, argument): (usize, &Arg)| {
        let mut keys = PassedKeysBuilder::default();
        if argument.kind == ArgumentKind::DoubleStar || !matches!(facts.expr(argument.value), Expr::Call(_)) {
            add_keys(facts, argument.value, &mut keys, MAX_STEPS);
        } else {
            add_keys_of_dict(facts, argument.value, &mut keys, MAX_STEPS);
        }
        keys.finish(at)
    };
    arguments.iter().enumerate().filter(|(_, argument)| is_read(argument)).filter_map(keys).collect()
}

/// Adds the keys of a value: of a dict, of the dicts in a list, or of what a variable holds.
fn add_keys(facts: &FileFacts, value: ExprId, keys: &mut PassedKeysBuilder, steps: u32) {
    let Some(_level) = nesting::descend() else { return };
    let Some(steps) = steps.checked_sub(1) else { return };
    match facts.expr(value) {
        Expr::Name { .. } => {
            if let Some(value) = held_value(facts, value) {
                add_keys(facts, value, keys, steps);
            }
        }
        Expr::List(items) | Expr::Tuple(items) => keys.of_elements(|keys| {
            for item in facts.list(items).iter().take(MAX_ELEMENTS) {
                let item = held_value(facts, *item).unwrap_or(*item);
                add_keys_of_dict(facts, item, keys, steps);
            }
        }),
        _ => add_keys_of_dict(facts, value, keys, steps),
    }
}

/// Adds the keys of a dict display or a call of `dict` with keywords, also those that `**x` adds.
fn add_keys_of_dict(facts: &FileFacts, dict: ExprId, keys: &mut PassedKeysBuilder, steps: u32) {
    let Some(_level) = nesting::descend() else { return };
    let (Some(steps), Some(())) = (steps.checked_sub(1), keys.visit()) else { return };
    let text = |value: ExprId| match facts.expr(value) {
        Expr::Str(Some(text)) => Some(facts.name(text)),
        _ => None,
    };
    match facts.expr(dict) {
        Expr::Dict(items) => {
            for item in facts.list(items).chunks_exact(2) {
                let Some(()) = keys.visit() else { return };
                if let Some(name) = text(item[0]) {
                    keys.add(name, text(item[1]));
                }
            }
            for spread in facts.spreads_of(dict).unwrap_or_default() {
                let Some(()) = keys.visit() else { return };
                let spread = held_value(facts, *spread).unwrap_or(*spread);
                add_keys_of_dict(facts, spread, keys, steps);
            }
        }
        Expr::Call(call) if facts.is_named(facts.calls[call.index()].callee, "dict") => {
            for argument in &facts.calls[call.index()].arguments {
                let Some(()) = keys.visit() else { return };
                if let Some(name) = argument.keyword {
                    keys.add(facts.name(name), text(argument.value));
                }
            }
        }
        _ => {}
    }
}

/// The value of a variable that the file binds once: in the same scope before the read, or in a scope around it.
fn held_value(facts: &FileFacts, name: ExprId) -> Option<ExprId> {
    let Expr::Name { name: text, scope, reaching } = facts.expr(name) else { return None };
    let binding = if facts.reaching(reaching).is_empty() {
        match facts.scopes_binding(scope, text).next()?.1 {
            [only] => &facts.bindings[only.index()].kind,
            _ => return None,
        }
    } else {
        facts.only_binding(name)?
    };
    match binding {
        BindingKind::Assign { value, unpack: None, extraction: Extraction::Value, .. } => *value,
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::passed_keys;
    use apidisc_facts::syntax::python::read;

    /// The keys that the first call of `f` in the code passes, `[]` for those of elements.
    fn keys(code: &str) -> String {
        let facts = read(code);
        let call = facts.calls.iter().find(|site| facts.is_named(site.callee, "f")).expect("a call of `f`");
        let texts = passed_keys(&facts, &call.arguments).into_iter().map(|passed| {
            let keys = passed.keys.iter().map(|key| match &key.value {
                Some(value) => format!("{}={value}", key.name),
                None => key.name.to_string(),
            });
            let of_elements = if passed.of_elements { "[]" } else { "" };
            format!("{}{of_elements}: {}", passed.argument, keys.collect::<Vec<_>>().join(" "))
        });
        texts.collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn variables_lists_and_spreads_are_followed() {
        for (code, expected) in [
            ("f(1, {'a': 1, 'b': 'x'})", "1: a b=\"x\""),
            ("f(dict(a=1))", "0: a"),
            ("o = {'a': 1}\nf(options=o)", "0: a"),
            ("o = {'a': 1}\nf(**o)", "0: a"),
            ("base = {'a': 1}\nf(**{'b': 2, **base})", "0: b a"),
            ("q = [{'a': 'x'}, {'a': 'y', 'b': 1}]\nf(q)", "0[]: a=\"x\" a=\"y\" b"),
            ("one = {'a': 1}\nf([one, dict(b=2)])", "0[]: a b"),
            ("O = {'a': 1}\ndef g():\n    f(O)", "0: a"),
            ("def g(o: dict = {}):\n    o = {'a': 1}\n    return f(o)", "0: a"),
            // A variable with several values, a parameter and other values have no known keys.
            ("if c:\n    o = {'a': 1}\nelse:\n    o = {'b': 1}\nf(o)", ""),
            ("O = {'a': 1}\nO = {'b': 1}\ndef g():\n    f(O)", ""),
            ("def g(o):\n    f(o)", ""),
            ("f(load(), {1: 2}, [], *[{'a': 1}])", ""),
        ] {
            assert_eq!(keys(code), expected, "{code}");
        }
    }
}
