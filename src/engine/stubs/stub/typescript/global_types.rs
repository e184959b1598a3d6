//! The global types of TypeScript's standard library, which need no import.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use super::generics::TypeArgumentRules;

/// One type a line: its name, `*` for a class, `!` for constrained type parameters, and the number of type arguments.
const TABLE: &str = include_str!("global_types.txt");

/// A global type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GlobalType {
    pub(super) argument_rules: TypeArgumentRules,
    /// True if a class can extend it.
    pub(super) is_class: bool,
}

/// The types that restrict their first argument. The first argument of `Parameters` and `ReturnType` must be a
/// function, that of `ConstructorParameters` and `InstanceType` a class. That of `Pick` must have the members that the
/// second argument names.
const MEMBER_REQUIRING: [&str; 5] = ["ConstructorParameters", "InstanceType", "Parameters", "Pick", "ReturnType"];

/// The global type with this name, which may contain dots.
pub(super) fn global_type(name: &str) -> Option<GlobalType> {
    static GLOBALS: OnceLock<FxHashMap<&'static str, GlobalType>> = OnceLock::new();
    GLOBALS
        .get_or_init(|| TABLE.lines().filter(|line| !line.starts_with('#')).filter_map(table_line).collect())
        .get(name)
        .copied()
}

fn table_line(line: &'static str) -> Option<(&'static str, GlobalType)> {
    let (signed, range) = line.split_once(' ').unwrap_or((line, "0"));
    let (min, max) = range.split_once('-').unwrap_or((range, range));
    let name = signed.trim_end_matches(['*', '!']);
    let argument_rules = TypeArgumentRules {
        min: min.parse().ok()?,
        max: max.parse().ok()?,
        has_constraint: signed.ends_with('!'),
        requires_members: MEMBER_REQUIRING.contains(&name),
    };
    Some((name, GlobalType { argument_rules, is_class: signed.contains('*') }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_read() {
        let rows = TABLE.lines().filter(|line| !line.starts_with('#'));
        assert!(rows.clone().all(|line| table_line(line).is_some()) && rows.count() > 1500);
        let promise = global_type("Promise").expect("a global type");
        assert_eq!((promise.argument_rules.min, promise.argument_rules.max, promise.is_class), (1, 1, true));
        let pick = global_type("Pick").expect("a global type").argument_rules;
        assert!(pick.has_constraint && pick.requires_members && pick.max == 2);
        let generator = global_type("Generator").expect("a global type").argument_rules;
        assert_eq!((generator.min, generator.max), (0, 3));
        assert!(
            global_type("Intl.NumberFormat").is_some()
                && global_type("Observable").is_none()
                && global_type("#").is_none()
        );
    }
}
