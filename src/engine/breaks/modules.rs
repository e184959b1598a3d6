//! What the text of a Python module says of its names: that the module or a name is deprecated, what members its
//! classes have, and what it imports from elsewhere.

use crate::{
    code::{is_category, warns},
    presence::Presence,
    statements::{self, Statement, block, call, direct, literals, parts, statements},
};
use apidisc_link::python::is_standard_library;

/// The statements of a module that warn of deprecated names when it is imported.
pub(crate) fn warnings(text: &str) -> Vec<String> {
    if !text.contains("eprecat") && !statements::words(text).any(is_category) {
        return Vec::new();
    }
    let all = statements(text);
    direct(&all).map(|(_, statement)| statement.text).filter(|text| warns(text)).map(str::to_owned).collect()
}

/// The one of `warnings` that is about the module as a whole.
pub(crate) fn warning_of_module(warnings: &[String]) -> Option<&str> {
    let is_of_module = |text: &&String| call(text).is_some_and(|(callee, _)| callee.rsplit('.').next() == Some("warn"));
    warnings.iter().find(is_of_module).map(String::as_str)
}

/// The warning that is about a name: a warning of the whole module, or a call that has the name as a string.
pub(crate) fn warning_about<'w>(warnings: &'w [String], name: &str) -> Option<&'w str> {
    let is_about = |text: &&String| literals(text).any(|literal| literal == name);
    warning_of_module(warnings).or_else(|| warnings.iter().find(is_about).map(String::as_str))
}

/// Whether a class of a module has a member, by the text of the module alone: for members that a metaclass or a
/// decorator of the module gives the class.
pub(crate) fn member(text: &str, class: &str, name: &str) -> Presence {
    let all = statements(text);
    let head = |class: &str| {
        direct(&all).map(|(_, statement)| statement.text).find(|text| {
            let rest = text.strip_prefix("class ").and_then(|rest| rest.strip_prefix(class));
            rest.is_some_and(|rest| rest.starts_with(['(', ':']))
        })
    };
    let Some(found) = head(class) else { return Presence::Unknown };
    if statements::words(text).any(|word| word == name) {
        let binds = |statement: &Statement<'_>| {
            let rest = statement.text.strip_prefix("def ").unwrap_or(statement.text);
            let rest = rest.strip_prefix(name).map(str::trim_start);
            statement.indent > 0 && rest.is_some_and(|rest| rest.starts_with(['(', ':', '=']))
        };
        return if all.iter().any(binds) { Presence::Present } else { Presence::Unknown };
    }
    let bases = found.split_once('(').map_or_else(Vec::new, |(_, bases)| parts(bases, b','));
    // A metaclass of another package may give the class any name.
    let is_known = |base: &&str| {
        let base = base.split_once('=').map_or(*base, |(_, value)| value.trim());
        let first = statements::words(base).next().unwrap_or_default();
        base == "object" || head(base).is_some() || imported_from(&all, first).is_some_and(|m| is_standard_library(&m))
    };
    if bases.iter().all(is_known) { Presence::Absent } else { Presence::Unknown }
}

/// True if the body of a class, or a method of it, gives the class or its objects a member.
pub(crate) fn binds_member(class: &str, name: &str) -> bool {
    if !class.contains(name) {
        return false;
    }
    // The indentation of the method around a statement.
    let mut method: Option<usize> = None;
    statements(class).into_iter().any(|statement| {
        let text = statement.text.strip_prefix("async ").unwrap_or(statement.text);
        method = method.filter(|indent| statement.indent > *indent);
        let is_in_method = method.is_some();
        let function = text.strip_prefix("def ");
        if let Some(function) = function {
            method = method.or(Some(statement.indent));
            return !is_in_method && is_word_at_start(function, name);
        }
        let target = match text.split_once(" = ") {
            Some((target, _)) if !text.ends_with(':') => target,
            _ => text,
        };
        let binds = |target: &str| {
            let target = target.trim_matches(['(', ')', '[', ']', '*', ' ']);
            if is_in_method {
                ["self.", "cls."]
                    .iter()
                    .any(|object| target.strip_prefix(object).is_some_and(|rest| is_word_at_start(rest, name)))
            } else {
                is_word_at_start(target.strip_prefix("class ").unwrap_or(target), name)
            }
        };
        let is_set = call(text).is_some_and(|(callee, _)| callee == "setattr") && literals(text).any(|it| it == name);
        target.split(',').any(binds) || is_set
    })
}

/// True if a text begins with a word.
fn is_word_at_start(text: &str, word: &str) -> bool {
    text.starts_with(word) && statements::words(text).next() == Some(word)
}

/// True if the body of a class defines a member.
pub(crate) fn defines_member(class: &str, name: &str) -> bool {
    if !class.contains(name) {
        return false;
    }
    let all = statements(class);
    direct(block(&all, 0)).any(|(_, statement)| {
        let text = statement.text.strip_prefix("async ").unwrap_or(statement.text);
        let rest = text.strip_prefix("def ").unwrap_or(text).strip_prefix(name).map(str::trim_start);
        rest.is_some_and(|rest| rest.starts_with(['(', ':', '=']))
    })
}

/// The first part of the module that a name of a module is imported from by an absolute import.
fn imported_from(all: &[Statement<'_>], name: &str) -> Option<String> {
    let found = direct(all).find_map(|(_, statement)| {
        let module = match statement.text.strip_prefix("from ") {
            Some(rest) => {
                let (module, names) = rest.split_once(" import ")?;
                statements::words(names).any(|word| word == name).then_some(module)?
            }
            None => statement.text.strip_prefix("import ").filter(|rest| rest.trim() == name)?,
        };
        module.trim().split('.').next()
    });
    found.filter(|module| !module.is_empty()).map(str::to_owned)
}

/// The full name under which a module imports a name from a module of another package.
pub(crate) fn imported_name(text: &str, name: &str) -> Option<String> {
    let all = statements(text);
    direct(&all).find_map(|(_, statement)| {
        let (module, names) = statement.text.strip_prefix("from ")?.split_once(" import ")?;
        let module = module.trim();
        let names = parts(names.trim().trim_start_matches('(').trim_end_matches(')'), b',');
        let original = names.into_iter().find_map(|item| match item.split_once(" as ") {
            Some((original, alias)) => (alias.trim() == name).then(|| original.trim()),
            None => (item == name).then_some(item),
        })?;
        (!module.starts_with('.')).then(|| format!("{module}.{original}"))
    })
}

/// The name that a module gives another one as well: `new` for `old = new`.
pub(crate) fn other_name(text: &str, name: &str) -> Option<String> {
    let all = statements(text);
    direct(&all).find_map(|(_, statement)| {
        let (target, value) = statement.text.split_once(" = ")?;
        let is_name = value.chars().all(|c| c.is_alphanumeric() || c == '_');
        let is_value = matches!(value, "None" | "True" | "False") || value.starts_with(|c: char| c.is_ascii_digit());
        (target.trim() == name && is_name && !is_value).then(|| value.to_owned())
    })
}

/// True if a module assigns a value to a name.
pub(crate) fn assigns(text: &str, name: &str) -> bool {
    let is_value = |rest: &str| rest.trim_start().starts_with(['=', ':']);
    statements(text).iter().any(|it| it.indent == 0 && it.text.strip_prefix(name).is_some_and(is_value))
}

/// True if a module defines or imports a name itself.
pub(crate) fn binds(text: &str, name: &str) -> bool {
    if !text.contains(name) {
        return false;
    }
    let all = statements(text);
    direct(&all).any(|(_, statement)| {
        let text = statement.text.strip_prefix("async ").unwrap_or(statement.text);
        if let Some(rest) = text.strip_prefix("class ").or_else(|| text.strip_prefix("def ")) {
            return statements::words(rest).next() == Some(name);
        }
        if let Some((_, names)) = text.strip_prefix("from ").and_then(|rest| rest.split_once(" import ")) {
            let items = parts(names.trim().trim_start_matches('('), b',');
            return items.into_iter().any(|item| item.rsplit(' ').next() == Some(name));
        }
        false
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_warns_of_itself_or_of_a_name() {
        let whole = warnings("'''Doc.'''\nimport warnings\nwarnings.warn('x is deprecated', DeprecationWarning)\n");
        assert!(warning_about(&whole, "any").is_some());
        let one =
            warnings("deprecated(Old, __name__, 'no', name=\"Old\")\nif x:\n    warnings.warn('y', FutureWarning)\n");
        assert_eq!([warning_about(&one, "Old").is_some(), warning_about(&one, "New").is_some()], [true, false]);
        assert!(warnings("warnings.filterwarnings('ignore', category=DeprecationWarning)\n").is_empty());
    }

    #[test]
    fn members_of_a_metaclass_are_found_by_their_text() {
        let text = "import abc\nfrom enum import Enum\nfrom lib import Far\nclass Meta(type):\n    @property\n    def OLD(cls): ...\n\n\
                    @add(Meta)\nclass C(object): ...\nclass E(Enum): ...\nclass F(Far): ...\nclass G(metaclass=abc.ABCMeta): ...\n";
        assert_eq!(member(text, "C", "OLD"), Presence::Present);
        let gone = ["C", "E", "F", "G", "H"].map(|class| member(text, class, "GONE"));
        let (gone_for_sure, open) = (Presence::Absent, Presence::Unknown);
        assert_eq!(gone, [gone_for_sure.clone(), gone_for_sure.clone(), open.clone(), gone_for_sure, open]);
    }

    #[test]
    fn a_class_binds_its_names_and_those_that_its_methods_give_its_objects() {
        let text = "class C:\n    a: int = 1\n    b, c = 1, 2\n    def d(self, e=1, *, f: int = 2):\n        g = 1\n        \
                    self.h, self.i = 1, self.j\n        setattr(self, 'k', 1)\n    if a:\n        def l(self): ...\n";
        let bound: String = ('a'..='m').filter(|name| binds_member(text, &name.to_string())).collect();
        assert_eq!(bound, "abcdhikl");
    }

    #[test]
    fn names_come_from_elsewhere_or_have_other_names() {
        let text =
            "from far.away import (\n    a,\n    b as c,\n)\nfrom .near import d\nold = new\nx = None\nclass K: ...\n";
        assert_eq!(imported_name(text, "a").as_deref(), Some("far.away.a"));
        assert_eq!(imported_name(text, "c").as_deref(), Some("far.away.b"));
        assert_eq!(imported_name(text, "d"), None);
        assert_eq!((other_name(text, "old").as_deref(), other_name(text, "x")), (Some("new"), None));
        assert_eq!(
            ["a", "c", "d", "K", "b", "old"].map(|name| binds(text, name)),
            [true, true, true, true, false, false]
        );
    }
}
