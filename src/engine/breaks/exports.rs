//! The names of an npm package that a program writes: in imports, as properties of modules, and in types.

use crate::{
    presence::Presence,
    report::{Finding, Verdict},
    versions::{UseVerdict, Versions},
};
use apidisc_link::typescript::needs::{WrittenName, WrittenPlace};

/// The findings on names that are gone or deprecated. A name that works is no finding. `is_wanted` is true for the
/// specifier of a module of the package, and `verdict` judges a name that the old version has.
pub(crate) fn findings(
    versions: &Versions<'_>,
    is_wanted: impl Fn(&str) -> bool,
    verdict: impl Fn(&str) -> UseVerdict,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, names) in &versions.before.libraries.node.written {
        let mut text = None;
        for WrittenName { name, place } in names {
            let is_of_package = name.split_once('#').is_some_and(|(specifier, _)| is_wanted(specifier));
            if !is_of_package || !is_there(&versions.old.presence(name)) || is_container_gone(versions, name) {
                continue;
            }
            let verdict = || verdict(name);
            if !matches!(verdict(), UseVerdict::Found(_)) {
                continue;
            }
            let found_at = |line: u32, col: u32| verdict().on(Finding::new(path, line, col, &shown(name), Verdict::Ok));
            match place {
                WrittenPlace::Import(line) => findings.push(found_at(*line, 0)),
                WrittenPlace::Expression(line, col) => findings.push(found_at(*line, *col)),
                WrittenPlace::Type(written) => {
                    let text = text.get_or_insert_with(|| (versions.before.read)(path).unwrap_or_default());
                    findings.extend(places(text, written).map(|(line, col)| found_at(line, col)));
                }
            }
        }
    }
    findings
}

/// True if a version has a name, deprecated or not.
pub(crate) fn is_there(presence: &Presence) -> bool {
    matches!(presence, Presence::Present | Presence::Deprecated(_))
}

/// True if the module or namespace that contains the name is gone. Then the use of the container is reported instead.
fn is_container_gone(versions: &Versions<'_>, name: &str) -> bool {
    let begin = name.find('#').map_or(0, |at| at + 1);
    let container = match name[begin..].rfind('.') {
        Some(at) => &name[..begin + at],
        None => &name[..begin],
    };
    container.len() < name.len() && versions.new.presence(container) == Presence::Absent
}

/// A written name for people: a module alone without `#`, a member of a default export as one of the module.
pub(crate) fn shown(name: &str) -> String {
    name.trim_end_matches('#').replace("#default.", "#")
}

/// The places of a name in the code of a file: the line (from 1), and the column of its last part (from 0, in bytes).
/// Lines of comments have none. A name that begins with `)` stands after `import('module'`.
fn places<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = (u32, u32)> + 't {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
    let last = name.rfind('.').map_or(0, |at| at + 1);
    let is_code = |line: &str| !line.trim_start().starts_with(['*', '/']);
    let lines = (1..).zip(text.lines()).filter(move |(_, line)| !name.is_empty() && is_code(line));
    lines.flat_map(move |(number, line)| {
        let found = line.match_indices(name).filter(move |(at, _)| {
            let before = &line[..*at];
            let is_begin = match before.rsplit_once('(') {
                _ if !name.starts_with(')') => !before.ends_with(|c| is_part(c) || c == '.' && last > 0),
                Some((head, module)) => head.ends_with("import") && !module.contains(')'),
                None => false,
            };
            is_begin && !line[at + name.len()..].starts_with(is_part)
        });
        found.map(move |(at, _)| (number, u32::try_from(at + last).unwrap_or(u32::MAX)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_of_a_type_has_the_places_at_which_it_is_written() {
        let text = "// A.B\nlet x: A.B<A.Bee>, y: X.A.B;\n * A.B\nf<A.B>()";
        assert_eq!(places(text, "A.B").collect::<Vec<_>>(), [(2, 9), (4, 4)]);
        let text = "let y: import('m').B, B = f('m').B;\nlet z: import('m').A.B";
        assert_eq!(places(text, ").B").collect::<Vec<_>>(), [(1, 19)]);
        assert_eq!(places(text, ").A.B").collect::<Vec<_>>(), [(2, 21)]);
    }

    #[test]
    fn a_member_of_a_default_export_is_shown_as_one_of_its_module() {
        assert_eq!([shown("m#default.f"), shown("m#default"), shown("m/a#")], ["m#f", "m#default", "m/a"]);
    }
}
