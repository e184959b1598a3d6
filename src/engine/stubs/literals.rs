//! The strings that an annotation allows: those of `Literal["a", "b"]` and `'a' | 'b'`, also behind the name that an
//! alias of TypeScript gives them, in lists, and in what `Exclude` and `Extract` leave of a union.

use apidisc_base::{language::Language, nesting};
use apidisc_facts::program::DefinitionKind;
use apidisc_indexing::index::{Definition, Index};

use crate::exports::{alternatives, split_types};

/// The types that say nothing of the allowed strings.
const SILENT: [&str; 4] = ["None", "null", "undefined", "void"];
/// The types of Python whose values have one of the types in their brackets, or hold such values.
const WRAPPERS_OF_PYTHON: [&str; 16] = [
    "Optional",
    "Union",
    "Annotated",
    "list",
    "List",
    "tuple",
    "Tuple",
    "set",
    "Set",
    "frozenset",
    "FrozenSet",
    "Sequence",
    "Iterable",
    "Collection",
    "Container",
    "AbstractSet",
];
/// The same of TypeScript.
const WRAPPERS_OF_TYPESCRIPT: [&str; 6] = ["Array", "ReadonlyArray", "Set", "ReadonlySet", "Readonly", "NonNullable"];
/// The types of TypeScript in which strings are names of properties.
const OF_PROPERTIES: [&str; 3] = ["Pick", "Omit", "Record"];
/// The greatest number of aliases that are followed from an annotation to the strings.
const MAX_NAMES: usize = 2;

/// The strings, in quotes, that an annotation of `definition` allows. Empty if the annotation allows other values, too.
pub(crate) fn literals<'i>(index: &'i Index, definition: &'i Definition, annotation: &'i str) -> Vec<&'i str> {
    let allowed = Allowed::of(definition.language, Some((index, definition)), annotation);
    if allowed.is_open { Vec::new() } else { allowed.strings }
}

/// The strings in an annotation of `definition`, and in the aliases that it names. Other values may be allowed, too.
pub(crate) fn literals_among<'i>(index: &'i Index, definition: &'i Definition, annotation: &'i str) -> Vec<&'i str> {
    Allowed::of(definition.language, Some((index, definition)), annotation).strings
}

/// What an annotation allows.
#[derive(Default)]
struct Allowed<'i> {
    /// Strings in quotes.
    strings: Vec<&'i str>,
    /// True if other values are allowed, too.
    is_open: bool,
}

/// The place of an annotation.
#[derive(Clone, Copy)]
struct Place<'i> {
    language: Language,
    /// The definition whose annotation it is; `None` where no names are followed.
    definition: Option<(&'i Index, &'i Definition)>,
    /// The number of aliases that may still be followed.
    names: usize,
}

impl<'i> Allowed<'i> {
    fn of(language: Language, definition: Option<(&'i Index, &'i Definition)>, annotation: &'i str) -> Self {
        let mut allowed = Self::default();
        allowed.add(Place { language, definition, names: MAX_NAMES }, annotation);
        allowed
    }

    /// Adds the alternatives of a type.
    fn add(&mut self, place: Place<'i>, ty: &'i str) {
        match nesting::descend() {
            Some(_level) => alternatives(ty).for_each(|part| self.add_alternative(place, part)),
            None => self.is_open = true,
        }
    }

    fn add_alternative(&mut self, place: Place<'i>, part: &'i str) {
        let part = part.trim();
        let part = part.strip_prefix("readonly ").unwrap_or(part).trim();
        if part.is_empty() || SILENT.contains(&part) {
            return;
        }
        match (place.language, string(part)) {
            (Language::TypeScript, Some(_)) => self.strings.push(part),
            // A type in quotes (PEP 484).
            (_, Some(inner)) => self.add(place, inner),
            (Language::TypeScript, None) if part.ends_with("[]") => self.add(place, &part[..part.len() - 2]),
            _ => match (inside(part, '(', ')'), generic(place.language, part)) {
                (Some(inner), _) => self.add(place, inner),
                (None, Some((head, arguments))) => self.add_generic(place, head, arguments),
                (None, None) => self.add_named(place, part),
            },
        }
    }

    /// Adds what a type with arguments allows.
    fn add_generic(&mut self, place: Place<'i>, head: &'i str, arguments: &'i str) {
        let head = head.rsplit('.').next().unwrap_or(head);
        let mut arguments = split_types(arguments, ',').map(str::trim);
        match place.language {
            Language::Python if head == "Literal" => {
                for value in arguments.filter(|value| !value.is_empty() && !SILENT.contains(value)) {
                    match string(value) {
                        Some(_) => self.strings.push(value),
                        None => self.is_open = true,
                    }
                }
            }
            Language::Python if WRAPPERS_OF_PYTHON.contains(&head) => {
                let count = if head == "Annotated" { 1 } else { usize::MAX };
                arguments.take(count).filter(|argument| *argument != "...").for_each(|inner| self.add(place, inner));
            }
            Language::TypeScript if matches!(head, "Exclude" | "Extract") => {
                let mut of = || {
                    let mut allowed = Self::default();
                    allowed.add(place, arguments.next().unwrap_or_default());
                    allowed
                };
                let (all, some) = (of(), of());
                let is_excluded = |text: &&str| some.strings.iter().any(|other| string(other) == string(text));
                let kept = all.strings.into_iter().filter(|text| is_excluded(text) == (head == "Extract"));
                // Without all strings of the second type it is not known which ones `Exclude` leaves.
                if head == "Extract" || !some.is_open {
                    self.strings.extend(kept);
                }
                self.is_open |= all.is_open || some.is_open;
            }
            Language::TypeScript if WRAPPERS_OF_TYPESCRIPT.contains(&head) => {
                arguments.take(1).for_each(|inner| self.add(place, inner));
            }
            _ => {
                self.is_open = true;
                // A further argument may name properties of the first one, and a conditional type makes something else
                // of it.
                if !OF_PROPERTIES.contains(&head) && !is_conditional(place, head) {
                    arguments.take(1).for_each(|inner| self.add(place, inner));
                }
            }
        }
    }

    /// Adds what the alias of a name allows.
    fn add_named(&mut self, place: Place<'i>, name: &str) {
        let definition = place.definition.filter(|_| place.names > 0);
        match definition.and_then(|(index, definition)| Some((index, alias(index, definition, name)?))) {
            Some((index, (alias, text))) => {
                self.add(Place { definition: Some((index, alias)), names: place.names - 1, ..place }, text);
            }
            None => self.is_open = true,
        }
    }
}

/// True for the name of an alias of a conditional type.
fn is_conditional(place: Place<'_>, name: &str) -> bool {
    let text = place.definition.and_then(|(index, definition)| Some(alias(index, definition, name)?.1));
    text.is_some_and(|text| text.contains(" extends ") && text.contains(" ? "))
}

/// The text of a string, without its quotes.
fn string(text: &str) -> Option<&str> {
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let inner = text[1..].strip_suffix(quote)?;
    (!inner.contains(quote)).then_some(inner)
}

/// What is between brackets that begin and end a text.
fn inside(text: &str, open: char, close: char) -> Option<&str> {
    let inner = text.strip_prefix(open)?.strip_suffix(close)?;
    let mut depth = 0_usize;
    let is_one = inner.chars().all(|c| {
        depth += usize::from(c == open);
        let is_inside = c != close || depth > 0;
        depth = depth.saturating_sub(usize::from(c == close));
        is_inside
    });
    is_one.then_some(inner)
}

/// The name and the arguments of a type with arguments: `Exclude` and `Mode, 'off'` of `Exclude<Mode, 'off'>`.
fn generic(language: Language, text: &str) -> Option<(&str, &str)> {
    let (open, close) = if language == Language::Python { ('[', ']') } else { ('<', '>') };
    let (head, _) = text.split_once(open)?;
    let is_name = !head.is_empty() && head.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '$'));
    Some((head, inside(&text[head.len()..], open, close)?)).filter(|_| is_name)
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
    use super::Allowed;
    use apidisc_base::language::Language::{self, Python, TypeScript};

    fn allowed(language: Language, annotation: &str) -> (String, bool) {
        let allowed = Allowed::of(language, None, annotation);
        (allowed.strings.join(" "), allowed.is_open)
    }

    #[test]
    fn the_strings_that_are_all_that_is_allowed_are_found() {
        for (language, annotation, strings) in [
            (Python, "Literal['a', \"b c\"] | None", "'a' \"b c\""),
            (Python, "t.Optional[t.Literal['a']]", "'a'"),
            (Python, "\"Literal['a'] | None\"", "'a'"),
            (Python, "list[Literal['a', 'b']] | Literal['c']", "'a' 'b' 'c'"),
            (TypeScript, "'a' | 'b' | null", "'a' 'b'"),
            (TypeScript, "readonly ('a' | 'b')[] | undefined", "'a' 'b'"),
            (TypeScript, "Array<'a' | 'b|c'>", "'a' 'b|c'"),
            (TypeScript, "Exclude<'a' | 'b' | 'c', \"b\">", "'a' 'c'"),
            (TypeScript, "Extract<'a' | 'b' | 'c', \"b\" | 'd'>", "'b'"),
            (TypeScript, "NonNullable<'a' | null>", "'a'"),
        ] {
            assert_eq!(allowed(language, annotation), (strings.to_owned(), false), "{annotation}");
        }
    }

    #[test]
    fn other_values_beside_strings_are_noticed() {
        for (language, annotation, strings) in [
            (TypeScript, "'a' | Mode", "'a'"),
            (TypeScript, "Omit<Options, 'id'> | 'none' | 'all'", "'none' 'all'"),
            (TypeScript, "Record<'a' | 'b', number>", ""),
            (TypeScript, "Ref<'a' | 'b'>", "'a' 'b'"),
            (TypeScript, "Without<Options, 'id'>", ""),
            (TypeScript, "'a' | (string & {})", "'a'"),
            (TypeScript, "`a${string}` | 'b'", "'b'"),
            (TypeScript, "(x: 'a') => 'b'", ""),
            (TypeScript, "{ a: 'b' }", ""),
            (TypeScript, "'a", ""),
            (TypeScript, "Exclude<Mode, 'a'>", ""),
            (Python, "Literal['a'] | \"Mode\"", "'a'"),
            (Python, "Literal['a', 1]", "'a'"),
            (Python, "dict[Literal['a'], str]", "'a'"),
        ] {
            assert_eq!(allowed(language, annotation), (strings.to_owned(), true), "{annotation}");
        }
    }
}
