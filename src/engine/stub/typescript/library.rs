//! The types that every TypeScript file knows without an import.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use super::generics::Generics;

const TABLE: &str = include_str!("../../../../assets/typescript-lib.txt");

/// What is known of a global type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Global {
    pub(super) generics: Generics,
    /// It can be extended by a class.
    pub(super) is_class: bool,
}

/// Those whose first argument must have the members that the others name, or be a function.
const DEMANDING: [&str; 5] = ["ConstructorParameters", "InstanceType", "Parameters", "Pick", "ReturnType"];

/// The global type of that name, dots included.
pub(super) fn global(name: &str) -> Option<Global> {
    static GLOBALS: OnceLock<FxHashMap<&'static str, Global>> = OnceLock::new();
    GLOBALS
        .get_or_init(|| TABLE.lines().filter(|line| !line.starts_with('#')).filter_map(row).collect())
        .get(name)
        .copied()
}

fn row(line: &'static str) -> Option<(&'static str, Global)> {
    let (signed, range) = line.split_once(' ').unwrap_or((line, "0"));
    let (least, most) = range.split_once('-').unwrap_or((range, range));
    let name = signed.trim_end_matches(['*', '!']);
    let generics = Generics {
        least: least.parse().ok()?,
        most: most.parse().ok()?,
        is_choosy: signed.ends_with('!'),
        is_demanding: DEMANDING.contains(&name),
    };
    Some((name, Global { generics, is_class: signed.contains('*') }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_read() {
        let rows = TABLE.lines().filter(|line| !line.starts_with('#'));
        assert!(rows.clone().all(|line| row(line).is_some()) && rows.count() > 1500);
        let promise = global("Promise").expect("a global type");
        assert_eq!((promise.generics.least, promise.generics.most, promise.is_class), (1, 1, true));
        let pick = global("Pick").expect("a global type").generics;
        assert!(pick.is_choosy && pick.is_demanding && pick.most == 2);
        let generator = global("Generator").expect("a global type").generics;
        assert_eq!((generator.least, generator.most), (0, 3));
        assert!(global("Intl.NumberFormat").is_some() && global("Observable").is_none() && global("#").is_none());
    }
}
