//! The keys in the texts of object types: `{ rounds: number; pause?: number }`.

use crate::exports::alternatives;
use apidisc_facts::program::{CHOSEN_KEYS_END, ELIDED_OBJECT};

/// The longest list of strings that a key allows which is written behind the key, in bytes.
pub(super) const LONGEST_STRINGS: usize = 40;

/// A key of an object type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TextKey<'t> {
    /// The name, with the mark of an optional key: `pause?`.
    pub(super) name: &'t str,
    pub(super) ty: &'t str,
}

impl<'t> TextKey<'t> {
    pub(super) fn is_required(&self) -> bool {
        !self.name.ends_with('?')
    }

    /// The text behind the first bracket of the object type that the key has: `rounds; }` of `{ rounds; }` and
    /// `Retry & { rounds; }`.
    pub(super) fn object(&self) -> Option<&'t str> {
        let (_, object) = self.ty.split_once("{ ").filter(|(name, _)| name.is_empty() || name.ends_with(" & "))?;
        Some(object)
    }

    /// The names of the parameters of a function: `x, y` of `(x: X, y: Y) => void`.
    pub(super) fn parameters(&self) -> Option<String> {
        let (inside, _) = self.ty.strip_prefix('(').filter(|ty| ty.contains("=>"))?.split_once(')')?;
        let names: Vec<&str> = inside.split(", ").map(|it| it.split(':').next().unwrap_or(it)).collect();
        Some(names.join(", "))
    }

    /// True for a short list of strings.
    pub(super) fn is_choice(&self) -> bool {
        self.ty.len() <= LONGEST_STRINGS && self.ty.split('|').all(|part| part.trim().starts_with(['"', '\'']))
    }

    /// The name of the type, alone or before the keys of its objects.
    pub(super) fn type_name(&self) -> Option<&'t str> {
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
        let name = self.ty.split_once(" & { ").map_or(self.ty, |(name, _)| name);
        Some(name).filter(|ty| ty.starts_with(char::is_uppercase) && ty.chars().all(is_name))
    }
}

/// The text behind the first bracket of the object type in an annotation, alone or beside other types:
/// `rounds: number }` of `number | { rounds: number }`. `None` if its members are left out.
pub(super) fn object_in(annotation: &str) -> Option<&str> {
    let mut parts = alternatives(annotation).map(str::trim).filter(|_| !annotation.contains("=> "));
    let object = annotation.strip_prefix("{ ").or_else(|| parts.find_map(|part| part.strip_prefix("{ ")));
    object.filter(|_| !annotation.contains(ELIDED_OBJECT))
}

/// The keys of the first branch of a conditional type, if the branch is an object type: `value`, `label?` of
/// `T extends string ? { value: T; label?: string } : { … }`.
pub(super) fn keys_of_first_branch(text: &str) -> Vec<TextKey<'_>> {
    text.split_once(" ? { ").map(|(_, branch)| keys_of_object(branch)).unwrap_or_default()
}

/// The strings that select the keys of a type, each with the text behind the first bracket of the keys. Empty for other
/// types.
pub(super) fn chosen_keys(annotation: &str) -> Vec<(&str, &str)> {
    let inner = annotation.strip_suffix(CHOSEN_KEYS_END).and_then(|text| text.strip_prefix("{ "));
    let branches = inner.map(split_members).unwrap_or_default();
    branches.into_iter().filter_map(|branch| branch.split_once(": { ")).collect()
}

/// The keys of an object type, of which `object` is the text behind its first bracket.
pub(super) fn keys_of_object(object: &str) -> Vec<TextKey<'_>> {
    let mut keys = Vec::new();
    for member in split_members(object) {
        let name = member.split([':', '(']).next().unwrap_or_default().trim();
        let name = name.strip_prefix("readonly ").unwrap_or(name);
        let is_name = |name: &str| name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | '?'));
        if name.is_empty() || !is_name(name) {
            continue;
        }
        let (_, ty) = member.split_once(name).unwrap_or_default();
        keys.push(TextKey { name, ty: ty.trim_start_matches(':').trim_start() });
    }
    keys
}

/// The members of an object type, of which `object` is the text behind its first bracket.
fn split_members(object: &str) -> Vec<&str> {
    let (mut depth, mut start, mut members) = (0_usize, 0, Vec::new());
    for (at, c) in object.char_indices() {
        match c {
            '}' if depth == 0 => {
                members.push(object[start..at].trim());
                return members;
            }
            ';' if depth == 0 => {
                members.push(object[start..at].trim());
                start = at + 1;
            }
            '{' | '(' | '[' => depth += 1,
            '}' | ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    members
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(keys: Vec<TextKey<'_>>) -> Vec<&str> {
        keys.into_iter().map(|key| key.name).collect()
    }

    #[test]
    fn keys_of_object_types_are_found() {
        let keys = keys_of_object("a: string; b?: { c: number; d?: X }; e: (x: X, y: Y) => void }");
        assert_eq!(names(keys.clone()), ["a", "b?", "e"]);
        assert_eq!(names(keys_of_object(keys[1].object().unwrap_or_default())), ["c", "d?"]);
        assert_eq!(keys[2].parameters().as_deref(), Some("x, y"));
        let keys = keys_of_object("run(job: Job): void; readonly id: string; [key: string]: T }");
        assert_eq!((names(keys.clone()), keys[1].ty), (vec!["run", "id"], "string"));
        assert!(keys_of_object(" }").is_empty() && keys_of_object("a: (((").is_empty());
        let keys = keys_of_object("a?; mode: 'x' | \"y\"; other: 'x' | Y; clock?: Clock; }");
        assert_eq!(keys.iter().map(TextKey::is_choice).collect::<Vec<_>>(), [false, true, false, false]);
        assert_eq!((keys[2].type_name(), keys[3].type_name()), (None, Some("Clock")));
        assert!(keys[2].is_required() && !keys[3].is_required());
        let keys = keys_of_object("clock?: Clock & { offset; zone?; }; }");
        assert_eq!((keys[0].type_name(), keys[0].object()), (Some("Clock"), Some("offset; zone?; }")));
    }

    #[test]
    fn keys_of_branches_are_found() {
        let branches = "T extends P ? { value: T; label?: string } : { value: T; label: string }";
        assert_eq!(names(keys_of_first_branch(branches)), ["value", "label?"]);
        assert!(keys_of_first_branch("T extends P ? A : B").is_empty());
        let chosen = chosen_keys("{ \"wide\": { size?; mode: { deep }; }; \"plain\": { clock?; }; }[choice]");
        let of: Vec<(&str, Vec<&str>)> =
            chosen.into_iter().map(|(name, keys)| (name, names(keys_of_object(keys)))).collect();
        assert_eq!(of, [("\"wide\"", vec!["size?", "mode"]), ("\"plain\"", vec!["clock?"])]);
        assert!(chosen_keys("{ a: { b } }").is_empty() && chosen_keys("}[choice]").is_empty());
    }
}
