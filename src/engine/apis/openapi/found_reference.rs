//! Finds the references that a value contains.

use super::{keys::Keys, value::Value};

/// The notation of a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReferenceKind {
    /// `$ref`, or `operationRef` of a link.
    Plain,
    /// A value of the mapping of a discriminator: a reference, or the name of a schema.
    Mapping,
    /// `$dynamicRef` of JSON Schema.
    Dynamic,
}

/// A reference as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FoundReference<'v> {
    pub(super) kind: ReferenceKind,
    pub(super) text: &'v str,
    /// The line of its key, from 1.
    pub(super) line: u32,
}

impl FoundReference<'_> {
    /// False for a value of a mapping that is the name of a schema.
    pub(super) fn may_name_a_file(&self) -> bool {
        self.kind != ReferenceKind::Mapping || self.text.contains(['#', '/', '.'])
    }
}

/// Calls `found` for each reference in a value whose keys are keywords, in the order of the file.
pub(super) fn references<'v>(value: &'v Value, found: &mut dyn FnMut(FoundReference<'v>)) {
    visit(value, Keys::Words, found);
}

/// Calls `found` for each reference in a value, in the order of the file.
pub(super) fn visit<'v>(value: &'v Value, keys: Keys, found: &mut dyn FnMut(FoundReference<'v>)) {
    for item in value.items() {
        visit(item, Keys::Words, found);
    }
    for entry in value.entries().iter().filter(|entry| entry.may_refer()) {
        let (key, line) = (&*entry.key, entry.line);
        let mut say = |kind, text| found(FoundReference { kind, text, line });
        match (key, &entry.value) {
            ("$ref", Value::Text(text)) => say(ReferenceKind::Plain, text),
            (_, value) if keys == Keys::Names => visit(value, Keys::Words, found),
            ("operationRef", Value::Text(text)) => say(ReferenceKind::Plain, text),
            ("$dynamicRef", Value::Text(text)) => say(ReferenceKind::Dynamic, text),
            ("discriminator", discriminator) => {
                for mapped in discriminator.get("mapping").map_or(&[][..], Value::entries) {
                    if let Some(text) = mapped.value.as_text() {
                        found(FoundReference { kind: ReferenceKind::Mapping, text, line: mapped.line });
                    }
                }
            }
            (key, value) => {
                if let Some(keys) = keys.below(key, matches!(value, Value::List(_))) {
                    visit(value, keys, found);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::references;
    use crate::openapi::read::{Syntax, read};

    fn texts(yaml: &str) -> Vec<(String, u32)> {
        let value = read(yaml, Syntax::Yaml).expect("a value").value;
        let mut texts = Vec::new();
        references(&value, &mut |reference| texts.push((reference.text.to_owned(), reference.line)));
        texts
    }

    #[test]
    fn data_has_no_references_and_names_are_no_keywords() {
        let found = texts(
            "example: {$ref: no}\nenum: [{$ref: no}]\nexamples: [{$ref: no}]\nproperties:\n  example: {$ref: a}\n  $ref: \
             {$ref: b}\n  default:\n    default: {$ref: no}\ncontent:\n  x:\n    examples: {one: {$ref: c}, two: {value: \
             {$ref: no}}}\n",
        );
        let found: Vec<&str> = found.iter().map(|(text, _)| &**text).collect();
        assert_eq!(found, ["a", "b", "c"]);
    }

    #[test]
    fn mappings_and_anchors_are_references() {
        let found =
            texts("discriminator:\n  propertyName: kind\n  mapping:\n    a: '#/x'\n    b: Name\n$dynamicRef: '#d'\n");
        assert_eq!(found, [("#/x".to_owned(), 4), ("Name".to_owned(), 5), ("#d".to_owned(), 6)]);
    }
}
