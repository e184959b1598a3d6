//! The strings that an annotation allows: those of `Literal["a", "b"]` and `'a' | 'b'`, also behind the name that an
//! alias of TypeScript gives them.

use apidisc_base::language::Language;
use apidisc_facts::program::DefinitionKind;
use apidisc_indexing::index::{Definition, Index};

/// The words of annotations that say nothing of the allowed strings.
const SILENT: [&str; 10] =
    ["Literal", "Optional", "Union", "typing", "typing_extensions", "t", "readonly", "None", "null", "undefined"];
/// The greatest number of aliases that are followed from an annotation to the strings.
const MAX_NAMES: usize = 2;

/// The strings, in quotes, that an annotation of `definition` allows. Empty if the annotation allows other values, too.
pub(crate) fn literals<'i>(index: &'i Index, definition: &'i Definition, annotation: &'i str) -> Vec<&'i str> {
    let mut annotation = annotation;
    for _ in 0..=MAX_NAMES {
        let (strings, names) = parts(definition.language, annotation);
        match names[..] {
            [] => return strings,
            [name] if strings.is_empty() => match aliased(index, definition, name) {
                Some(text) => annotation = text,
                None => break,
            },
            _ => break,
        }
    }
    Vec::new()
}

/// The strings in an annotation of `definition`, and in the aliases that it names. Other values may be allowed, too.
pub(crate) fn literals_among<'i>(index: &'i Index, definition: &'i Definition, annotation: &'i str) -> Vec<&'i str> {
    let mut found = Vec::new();
    let mut level = vec![(definition, annotation)];
    for _ in 0..=MAX_NAMES {
        let mut next = Vec::new();
        for (definition, annotation) in level {
            let (strings, names) = parts(definition.language, annotation);
            found.extend(strings);
            next.extend(names.into_iter().filter_map(|name| alias(index, definition, name)));
        }
        level = next;
    }
    found
}

/// The strings that an annotation allows, and the words outside of strings that are not [`SILENT`]. A string of Python
/// outside of `Literal` is a type, and counts as a word.
fn parts(language: Language, annotation: &str) -> (Vec<&str>, Vec<&str>) {
    if language == Language::TypeScript {
        let (strings, words) = strings_and_words(annotation);
        // The strings in `Omit<Options, 'id'>` are names of properties.
        let names_keys = ["Pick<", "Omit<"].iter().any(|name| annotation.contains(name));
        return (if names_keys { Vec::new() } else { strings }, words);
    }
    let (mut strings, mut names) = (Vec::new(), Vec::new());
    let mut rest = annotation;
    while let Some((before, list)) = rest.split_once("Literal[") {
        let (list, after) = list.split_once(']').unwrap_or((list, ""));
        let (types, words) = strings_and_words(before);
        names.extend(types.into_iter().chain(words));
        let (allowed, words) = strings_and_words(list);
        strings.extend(allowed);
        names.extend(words);
        rest = after;
    }
    let (types, words) = strings_and_words(rest);
    names.extend(types.into_iter().chain(words));
    (strings, names)
}

/// The strings of a text, in quotes, and the words outside of them that are not [`SILENT`].
fn strings_and_words(text: &str) -> (Vec<&str>, Vec<&str>) {
    let (mut strings, mut found) = (Vec::new(), Vec::new());
    let mut rest = text;
    while let Some(start) = rest.find(['"', '\'']) {
        let quote = &rest[start..=start];
        let Some(length) = rest[start + 1..].find(quote) else { break };
        found.extend(words(&rest[..start]));
        strings.push(&rest[start..start + length + 2]);
        rest = &rest[start + length + 2..];
    }
    found.extend(words(rest));
    (strings, found)
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '$' | '{' | '`'));
    words.filter(|word| !word.is_empty() && !SILENT.contains(word))
}

/// The text of the type that a name in an annotation of `definition` stands for.
fn aliased<'i>(index: &'i Index, definition: &Definition, name: &str) -> Option<&'i str> {
    alias(index, definition, name).map(|(_, text)| text)
}

/// The alias that a name in an annotation of `definition` stands for, with its text.
fn alias<'i>(index: &'i Index, definition: &Definition, name: &str) -> Option<(&'i Definition, &'i str)> {
    let id = definition.type_names.iter().find(|(other, _)| other == name)?.1?;
    let alias = index.definition(id);
    let text = alias.annotation.as_deref().filter(|_| alias.kind == DefinitionKind::TypeAlias)?;
    Some((alias, text))
}

#[cfg(test)]
mod tests {
    use super::parts;
    use apidisc_base::language::Language::{Python, TypeScript};

    #[test]
    fn strings_and_other_words_are_told_apart() {
        let allowed = [
            (Python, "Literal['a', \"b c\"] | None", 2),
            (Python, "t.Optional[t.Literal['a']]", 1),
            (TypeScript, "'a' | 'b' | null", 2),
        ];
        for (language, annotation, count) in allowed {
            let (strings, names) = parts(language, annotation);
            assert!(strings.len() == count && names.is_empty(), "{annotation}: {strings:?} {names:?}");
        }
        assert_eq!(parts(TypeScript, "'a' | Mode"), (vec!["'a'"], vec!["Mode"]));
        assert_eq!(parts(Python, "Literal['a'] | \"Mode\""), (vec!["'a'"], vec!["\"Mode\""]));
        for other in ["`a${string}` | 'b'", "string | 'b'", "(x: 'a') => 'b'", "{ a: 'b' }", "'a"] {
            assert!(!parts(TypeScript, other).1.is_empty(), "{other}");
        }
    }
}
