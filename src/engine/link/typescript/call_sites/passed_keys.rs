//! The keys of the objects that calls pass besides literals: of what a constant of the file holds, of the elements of
//! arrays, and of what an object literal spreads.

use apidisc_base::nesting;
use apidisc_facts::{
    program::{PassedKeys, PassedKeysBuilder, SPREAD},
    syntax::typescript::facts::{Arg, Decl, Expr, ExprId, FileFacts, MemberKind, PassedProperty, ValueSource},
};

/// The greatest number of constants, arrays, casts and spreads between an argument and an object literal.
const MAX_STEPS: u32 = 8;
/// The greatest number of elements of an array that are read.
const MAX_ELEMENTS: usize = 16;

/// The keys that each argument of a call passes. Arguments whose keys the call shows, and those without a known key,
/// are left out.
pub(super) fn passed_keys(facts: &FileFacts, arguments: &[Arg]) -> Vec<PassedKeys> {
    let has_spread = |keys: &[PassedProperty]| keys.iter().any(|key| facts.name(key.name) == SPREAD);
    let is_shown = |argument: &Arg| argument.keys.as_deref().is_some_and(|keys| !has_spread(keys));
    let keys = |(at, argument): (usize, &Arg)| {
        let mut keys = PassedKeysBuilder::default();
        add_keys(facts, argument.value, &mut keys, MAX_STEPS);
        keys.finish(at)
    };
    let known = arguments.iter().enumerate().take_while(|(_, argument)| !argument.is_spread);
    known.filter(|(_, argument)| !is_shown(argument)).filter_map(keys).collect()
}

/// Adds the keys of a value: of an object literal, of those in an array, or of what a constant holds.
fn add_keys(facts: &FileFacts, value: ExprId, keys: &mut PassedKeysBuilder, steps: u32) {
    let Some(_level) = nesting::descend() else { return };
    let (Some(steps), Some(())) = (steps.checked_sub(1), keys.visit()) else { return };
    match facts.expr(value) {
        Expr::As(inner, _)
        | Expr::Satisfies(inner, _)
        | Expr::AsConst(inner)
        | Expr::NonNull(inner)
        | Expr::Narrowed(inner, _) => add_keys(facts, inner, keys, steps),
        Expr::Name { .. } => {
            if let Some(value) = held_value(facts, value) {
                add_keys(facts, value, keys, steps);
            }
        }
        Expr::Array(items) => keys.of_elements(|keys| {
            for item in facts.list(items).iter().take(MAX_ELEMENTS) {
                if !matches!(facts.expr(*item), Expr::Array(_) | Expr::Spread(_)) {
                    add_keys(facts, *item, keys, steps);
                }
            }
        }),
        Expr::Object(object) => {
            for member in facts.def(object).members() {
                let Some(()) = keys.visit() else { return };
                let value = match &member.kind {
                    MemberKind::Spread(spread) => {
                        add_keys(facts, *spread, keys, steps);
                        continue;
                    }
                    MemberKind::Property { value: Some((value, _)), .. } => Some(*value),
                    _ => None,
                };
                let text = value.and_then(|value| match facts.expr(value) {
                    Expr::String(Some(text)) => Some(facts.name(text)),
                    _ => None,
                });
                if let Some(name) = member.name {
                    keys.add(facts.name(name), text);
                }
            }
        }
        _ => {}
    }
}

/// The value of a constant that the file declares once.
fn held_value(facts: &FileFacts, name: ExprId) -> Option<ExprId> {
    let Expr::Name { symbol: Some(symbol), .. } = facts.expr(name) else { return None };
    let [Decl::Variable(variable)] = facts.symbol(symbol).decls[..] else { return None };
    let variable = &facts.variables[variable.index()];
    match variable.source {
        ValueSource::Value(value) if variable.is_const && variable.path.is_empty() => Some(value),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::passed_keys;
    use apidisc_facts::syntax::typescript::{Dialect, read};

    /// The keys that the last call in the code passes, `[]` for those of elements.
    fn keys(code: &str) -> String {
        let facts = read(code, Dialect::Tsx, false);
        let call = facts.calls.iter().max_by_key(|site| (site.line, site.col)).expect("a call");
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
    fn constants_arrays_and_spreads_are_followed() {
        for (code, expected) in [
            ("const o = { a: 1, b: 'x', run() {} };\nf(1, o);", "1: a b=\"x\" run"),
            ("const o = { a: 1 } as const;\nf({ ...o, b: 2 });", "0: a b"),
            ("const o: Options = { a: 1 };\nf(o as Options);", "0: a"),
            ("f([{ a: 'x' }, { a: 'y' }]);", "0[]: a=\"x\" a=\"y\""),
            ("const one = { a: 1 };\nconst all = [one];\nf(all);", "0[]: a"),
            // The call shows these keys itself.
            ("f({ a: 1 });", ""),
            ("let o = { a: 1 };\no = load;\nf(o);", ""),
            ("function g(o) { f(o); }", ""),
            ("const o = { a: 1 };\nf(...[o], o);", ""),
        ] {
            assert_eq!(keys(code), expected, "{code}");
        }
    }
}
