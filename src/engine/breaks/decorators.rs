//! What the decorators of a Python function say: that the function or a parameter is deprecated.

use crate::statements::{literals, parts};

/// The keywords of decorators that say something of the deprecation itself, and name no parameter.
const OPTIONS: [&str; 8] = ["version", "since", "message", "reason", "removal", "name", "stacklevel", "category"];

/// What a decorator deprecates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    Whole,
    Parameters,
}

/// What a decorator deprecates, by the words of its name: `deprecated`, `deprecated_function`, `deprecate_kwarg`,
/// `rename_parameter`.
pub(crate) fn deprecates(decorator: &str) -> Option<Target> {
    let callee = decorator.split('(').next().unwrap_or_default().trim();
    let name = callee.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    let has = |names: &[&str]| name.split('_').any(|word| names.contains(&word));
    let is_deprecation = has(&["deprecated", "deprecate", "deprecation", "deprecates"]);
    let is_of_parameters = has(&[
        "arg",
        "args",
        "argument",
        "arguments",
        "kwarg",
        "kwargs",
        "keyword",
        "keywords",
        "nonkeyword",
        "param",
        "params",
        "parameter",
        "parameters",
        "positional",
        "alias",
        "aliases",
    ]);
    let is_change = has(&["rename", "renamed", "delete", "deleted", "remove", "removed"]);
    match (is_deprecation, is_of_parameters) {
        (true, false) => Some(Target::Whole),
        (true, true) => Some(Target::Parameters),
        (false, true) if is_change => Some(Target::Parameters),
        _ => None,
    }
}

/// True for a decorator that says that a parameter is deprecated: `@deprecate_kwarg("old", "new")`,
/// `@deprecated_params(old=("1.4", "…"))`, `@deprecated_args(args_to_warn=["old"])`.
pub(crate) fn names_parameter(decorator: &str, name: &str) -> bool {
    if deprecates(decorator) != Some(Target::Parameters) {
        return false;
    }
    let Some((_, arguments)) = decorator.split_once('(') else { return false };
    let is_name = |text: &&str| !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_');
    let mut is_first = true;
    for argument in parts(arguments, b',') {
        let keyword = argument.split_once('=').map(|(keyword, _)| keyword.trim()).filter(is_name);
        match keyword {
            Some(keyword) if keyword == name && !OPTIONS.contains(&keyword) => return true,
            Some(keyword) => {
                let is_old =
                    ["old", "warn", "deprecat", "arg", "param", "name"].iter().any(|part| keyword.contains(part));
                let is_other = ["new", "allowed"].iter().any(|part| keyword.contains(part));
                if is_old && !is_other && literals(argument).any(|literal| literal == name) {
                    return true;
                }
            }
            // The first name is that of the parameter; the next one may be the new name.
            None => {
                let mut named =
                    literals(argument).filter(is_name).filter(|text| !text.starts_with(|c: char| c.is_ascii_digit()));
                if is_first && let Some(first) = named.next() {
                    if first == name {
                        return true;
                    }
                    is_first = false;
                }
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_option_of_a_decorator_is_no_parameter() {
        let decorator = "deprecate_params('old', version='1.4', message='no', other=('2', 'no'))";
        let found = ["old", "other", "version", "message"].map(|name| names_parameter(decorator, name));
        assert_eq!(found, [true, true, false, false]);
    }
}
