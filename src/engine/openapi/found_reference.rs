//! Finds the references that a value contains.

use super::value::Value;

/// The keys whose values are maps from names to objects: a name there is no keyword, whatever it is.
const MAPS_OF_NAMES: &[&str] = &[
    "$defs",
    "additionalOperations",
    "callbacks",
    "content",
    "definitions",
    "dependentSchemas",
    "encoding",
    "examples",
    "headers",
    "links",
    "mediaTypes",
    "parameters",
    "pathItems",
    "paths",
    "patternProperties",
    "properties",
    "requestBodies",
    "responses",
    "schemas",
    "securityDefinitions",
    "securitySchemes",
    "variables",
    "webhooks",
];

/// The keys whose values are data of the API, not of its description.
const DATA: &[&str] = &["const", "default", "enum", "example", "value"];

/// How a reference is written.
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

/// How the keys of an object are read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keys {
    /// They are keywords.
    Words,
    /// They are names.
    Names,
}

/// Calls `found` for each reference in a value, in the order of the file. The value may be any part of a document, or a
/// map from names to such parts.
pub(super) fn references<'v>(value: &'v Value, found: &mut dyn FnMut(FoundReference<'v>)) {
    visit(value, Keys::Words, found);
}

fn visit<'v>(value: &'v Value, keys: Keys, found: &mut dyn FnMut(FoundReference<'v>)) {
    for item in value.items() {
        visit(item, Keys::Words, found);
    }
    for entry in value.entries() {
        let (key, line) = (&*entry.key, entry.line);
        let mut say = |kind, text| found(FoundReference { kind, text, line });
        match (key, &entry.value) {
            ("$ref" | "$recursiveRef", Value::Text(text)) => say(ReferenceKind::Plain, text),
            _ if keys == Keys::Names => visit(&entry.value, Keys::Words, found),
            ("operationRef", Value::Text(text)) => say(ReferenceKind::Plain, text),
            ("$dynamicRef", Value::Text(text)) => say(ReferenceKind::Dynamic, text),
            ("discriminator", discriminator) => {
                for mapped in discriminator.get("mapping").map_or(&[][..], Value::entries) {
                    if let Some(text) = mapped.value.as_text() {
                        found(FoundReference { kind: ReferenceKind::Mapping, text, line: mapped.line });
                    }
                }
            }
            ("examples", Value::List(_)) => {}
            (key, _) if DATA.contains(&key) => {}
            (key, value) => {
                let is_map = MAPS_OF_NAMES.binary_search(&key).is_ok();
                visit(value, if is_map { Keys::Names } else { Keys::Words }, found);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{MAPS_OF_NAMES, references};
    use crate::openapi::read::{Syntax, read};

    fn texts(yaml: &str) -> Vec<(String, u32)> {
        let value = read(yaml, Syntax::Yaml).expect("a value").value;
        let mut texts = Vec::new();
        references(&value, &mut |reference| texts.push((reference.text.to_owned(), reference.line)));
        texts
    }

    #[test]
    fn the_maps_are_sorted() {
        assert!(MAPS_OF_NAMES.is_sorted());
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
