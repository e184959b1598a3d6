//! The objects that annotations stand for.

use super::{
    checked_index::CheckedIndex,
    value::{Instance, Value},
    words::has_any,
};
use apidisc_base::{language::Language, nesting};
use apidisc_facts::program::{DefinitionId, DefinitionKind};

/// The greatest number of annotations inside each other, and of type aliases one after the other.
const MAX_DEPTH: usize = 8;
/// Types of TypeScript whose objects have no other properties than those of their first argument.
const NO_MORE_PROPERTIES: [&str; 5] = ["Partial", "Required", "Readonly", "Pick", "Omit"];
/// Types of TypeScript that take no object literal with properties.
const NO_OBJECTS: [&str; 8] = ["string", "number", "boolean", "bigint", "symbol", "true", "false", "never"];
/// Types of objects that can be awaited, each with the position of the type argument that `await` gives.
const AWAITABLES: [(&str, usize); 5] =
    [("Promise", 0), ("PromiseLike", 0), ("Awaitable", 0), ("Coroutine", 2), ("CoroutineType", 2)];

impl CheckedIndex<'_> {
    /// The value of an annotation in a definition. `receiver` is the object through which the definition is reached.
    /// An absent value (`None`, `null`, `undefined`) is left out: code that reads an attribute has ruled it out.
    pub(super) fn annotated(&self, id: DefinitionId, annotation: Option<&str>, receiver: Option<Instance>) -> Value {
        annotation.map_or(Value::Unknown, |text| self.annotation(id, text, receiver, MAX_DEPTH))
    }

    fn annotation(&self, id: DefinitionId, text: &str, receiver: Option<Instance>, depth: usize) -> Value {
        let Some(_level) = nesting::descend() else { return Value::Unknown };
        let Some(depth) = depth.checked_sub(1) else { return Value::Unknown };
        let text = unwrapped(text);
        if matches!(text, "Self" | "typing.Self" | "this") {
            return receiver.map_or(Value::Unknown, Value::Instance);
        }
        let parts = split(text, '|');
        if parts.len() > 1 {
            let parts = parts.into_iter().filter(|part| !is_absent(part));
            return Value::one_of(parts.map(|part| self.annotation(id, part, receiver, depth)));
        }
        let language = self.index.definition(id).language;
        let (name, arguments) = applied(text, language);
        let argument =
            |at: usize| arguments.get(at).map_or(Value::Unknown, |part| self.annotation(id, part, receiver, depth));
        let python = language == Language::Python;
        match name.rsplit('.').next().unwrap_or_default() {
            "Optional" if python => return argument(0),
            "Union" if python => {
                let parts = arguments.iter().filter(|part| !is_absent(part));
                return Value::one_of(parts.map(|part| self.annotation(id, part, receiver, depth)));
            }
            last => {
                if let Some(&(_, at)) = AWAITABLES.iter().find(|(awaitable, _)| *awaitable == last) {
                    return match argument(at) {
                        Value::Unknown => Value::Unknown,
                        value => Value::Awaitable(value.into()),
                    };
                }
            }
        }
        self.class_called(id, name).map_or(Value::Unknown, |class| {
            let definition = self.index.definition(class);
            let is_object = matches!(definition.kind, DefinitionKind::Class | DefinitionKind::Interface);
            match (is_object, definition.kind, &definition.annotation) {
                (true, ..) => Value::Instance(Instance { class, is_exact: false }),
                (_, DefinitionKind::TypeAlias, Some(aliased)) if is_object_type(aliased) => {
                    Value::Instance(Instance { class, is_exact: false })
                }
                (_, DefinitionKind::TypeAlias, Some(aliased)) if !has_any(aliased, &["&"]) => {
                    self.annotation(class, aliased, None, depth)
                }
                _ => Value::Unknown,
            }
        })
    }

    /// The types whose properties an object literal for an annotation may have: one type for each part of a union or
    /// intersection. `None` if one of the types is not known. The types may have more properties than the annotation.
    pub(super) fn literal_types(&self, id: DefinitionId, annotation: &str) -> Option<Vec<LiteralType>> {
        let mut types = Vec::new();
        self.add_literal_types(id, annotation, MAX_DEPTH, &mut types)?;
        Some(types)
    }

    fn add_literal_types(
        &self,
        id: DefinitionId,
        text: &str,
        depth: usize,
        types: &mut Vec<LiteralType>,
    ) -> Option<()> {
        let _level = nesting::descend()?;
        let depth = depth.checked_sub(1)?;
        let text = unwrapped(text);
        for separator in ['|', '&'] {
            let parts = split(text, separator);
            if parts.len() > 1 {
                return parts.into_iter().try_for_each(|part| self.add_literal_types(id, part, depth, types));
            }
        }
        if is_absent(text) || NO_OBJECTS.contains(&text) || is_literal(text) {
            return Some(());
        }
        if is_object_type(text) {
            // `{ ... }` stands for a long type, whose properties the definition has as members.
            let is_long = text == "{ ... }" && self.index.definition(id).kind == DefinitionKind::TypeAlias;
            types.push(if is_long { LiteralType::Definition(id) } else { LiteralType::Written(text.to_owned()) });
            return Some(());
        }
        let (name, arguments) = applied(text, Language::TypeScript);
        if NO_MORE_PROPERTIES.contains(&name) {
            return self.add_literal_types(id, arguments.first()?, depth, types);
        }
        let class = self.class_called(id, name)?;
        let definition = self.index.definition(class);
        match (definition.kind, &definition.annotation) {
            (DefinitionKind::Class | DefinitionKind::Interface, _) => types.push(LiteralType::Definition(class)),
            (DefinitionKind::TypeAlias, Some(aliased)) => self.add_literal_types(class, aliased, depth, types)?,
            _ => return None,
        }
        Some(())
    }

    /// The class or type to which a name in the annotations of a definition refers.
    fn class_called(&self, id: DefinitionId, name: &str) -> Option<DefinitionId> {
        let definition = self.index.definition(id);
        match definition.language {
            Language::Python => self.python_class(definition.module, name),
            Language::TypeScript => {
                definition.type_names.iter().find(|(known, _)| known == name).and_then(|(_, id)| *id)
            }
        }
    }
}

/// A type whose properties an object literal may have.
pub(super) enum LiteralType {
    /// A class, interface or type alias.
    Definition(DefinitionId),
    /// `{ a?: string }`
    Written(String),
}

/// The text without white space, quotes and parentheses around it, and without `readonly`.
fn unwrapped(text: &str) -> &str {
    let text = text.trim().trim_start_matches('|').trim_start();
    let text = text.strip_prefix("readonly ").unwrap_or(text);
    let is_wrapped = text.len() > 1 && text.starts_with('(') && split(text, ')').len() == 2 && text.ends_with(')');
    let text = if is_wrapped { &text[1..text.len() - 1] } else { text };
    let inner = text.trim_matches(['"', '\'']);
    // A string literal of TypeScript stays one: only names of classes are quoted in Python.
    let is_name = |c: char| c.is_alphanumeric() || " _.[],|".contains(c);
    if inner.starts_with(char::is_uppercase) && inner.chars().all(is_name) { inner } else { text }
}

fn is_absent(text: &str) -> bool {
    matches!(text.trim(), "None" | "null" | "undefined" | "void")
}

/// The parts of a type between separators that stand outside all brackets and quotes. The arrow of a function type
/// closes no bracket.
fn split(text: &str, separator: char) -> Vec<&str> {
    let (mut parts, mut start, mut depth, mut before) = (Vec::new(), 0, 0_usize, ' ');
    let mut quote = None;
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'' | '`') => quote = Some(c),
            (None, '[' | '(' | '{' | '<') => depth += 1,
            (None, '>') if before == '=' => {}
            (None, ']' | ')' | '}' | '>') => depth = depth.saturating_sub(1),
            _ => {}
        }
        if quote.is_none() && depth == 0 && c == separator {
            parts.push(text[start..at].trim());
            start = at + c.len_utf8();
        }
        before = c;
    }
    parts.push(text[start..].trim());
    parts
}

/// `Promise<A>` in TypeScript and `Union[A, B]` in Python as a name with its arguments; any other text without
/// arguments.
fn applied(text: &str, language: Language) -> (&str, Vec<&str>) {
    let (open, close) = match language {
        Language::Python => ('[', ']'),
        Language::TypeScript => ('<', '>'),
    };
    let is_applied = text.ends_with(close) && split(text, close).len() == 2;
    match text.find(open).filter(|_| is_applied) {
        Some(at) => (text[..at].trim(), split(&text[at + 1..text.len() - 1], ',')),
        None => (text, Vec::new()),
    }
}

/// `"a"`, `1`
fn is_literal(text: &str) -> bool {
    text.starts_with(|c: char| "\"'`-".contains(c) || c.is_ascii_digit())
}

/// `{ a?: string; b: number }`
fn is_object_type(text: &str) -> bool {
    text.len() > 1 && text.starts_with('{') && text.ends_with('}') && split(text, '}').len() == 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_split_outside_of_brackets_and_quotes() {
        assert_eq!(
            split("A | B<C | D> | 'x|y' | ((a: A | B) => C)", '|'),
            ["A", "B<C | D>", "'x|y'", "((a: A | B) => C)"]
        );
        assert_eq!(split("a: () => void, b", ','), ["a: () => void", "b"]);
        assert_eq!(applied("Promise<A<B, C>>", Language::TypeScript), ("Promise", vec!["A<B, C>"]));
        assert_eq!(applied("Coroutine[Any, Any, R]", Language::Python), ("Coroutine", vec!["Any", "Any", "R"]));
        for plain in ["A[]", "A<B>[]", "A['b']", "A<B>.C<D>"] {
            assert_eq!(applied(plain, Language::TypeScript), (plain, vec![]));
        }
        assert!(is_object_type("{ a: { b: 1 } }") && !is_object_type("{ a: 1 }[] | { b: 1 }"));
        assert_eq!(
            (unwrapped("(A | B)"), unwrapped("(a: A) => (B)"), unwrapped("'Client'")),
            ("A | B", "(a: A) => (B)", "Client")
        );
    }
}
