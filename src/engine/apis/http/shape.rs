//! The type of a schema on one line, and its properties.
//!
//! Nothing is read below the properties: they are read when a stub needs them, so cycles of references end.

use rustc_hash::FxHashMap;

use crate::openapi::{Node, Place, Target, Value};
use apidisc_base::{nesting, shorten};

/// The greatest nesting of arrays, `allOf`, `oneOf` and `anyOf` in a type. Deeper parts are written as `unknown`.
const MAX_DEPTH: u32 = 8;
/// The greatest number of properties of a type, and of schemas that one type is made of.
const MAX_PARTS: usize = 400;
/// The greatest length of a value that is written as a literal, in characters.
const MAX_LITERAL: usize = 40;
/// The greatest number of values or alternatives that a type names.
const MAX_NAMED: usize = 8;

/// The type of a schema.
#[derive(Debug, Default)]
pub(super) struct Shape<'a> {
    /// The type on one line, with an object as its name or as `{ ... }`.
    pub(super) text: String,
    /// The text before an object of this type: `string |`, `(string |`.
    pub(super) prefix: String,
    /// The text after an object of this type: `[]`, ` | null`, `)[]`.
    pub(super) suffix: String,
    /// The properties of the object, or of the objects in the list.
    pub(super) properties: Vec<Property<'a>>,
    /// The place of the schema of the object.
    pub(super) place: Option<Place>,
    is_nullable: bool,
}

/// A property of an object.
#[derive(Clone, Debug)]
pub(super) struct Property<'a> {
    pub(super) name: &'a str,
    pub(super) node: Node<'a>,
    /// The schemas of the property in further alternatives.
    also: Vec<Node<'a>>,
    pub(super) is_required: bool,
}

impl<'a> Property<'a> {
    /// The type of the property in all alternatives.
    pub(super) fn shape(&self) -> Shape<'a> {
        let mut shape = shape(&self.node, true);
        for node in &self.also {
            let other = self::shape(node, true);
            if !shape.text.split(" | ").any(|known| known == other.text) {
                shape.text = format!("{} | {}", shape.text, other.text);
            }
            merge(&mut shape.properties, other.properties, false);
        }
        shape
    }
}

/// The type of a schema; a reference is followed. In a request (`is_request`), properties that only responses have are
/// left out (`readOnly`), in a response those that only requests have (`writeOnly`).
pub(super) fn shape<'a>(node: &Node<'a>, is_request: bool) -> Shape<'a> {
    let mut left = MAX_PARTS;
    let mut shape = read(node, is_request, 0, &mut left);
    if shape.is_nullable {
        shape.text.push_str(" | null");
        shape.suffix.push_str(" | null");
    }
    shape
}

fn read<'a>(node: &Node<'a>, is_request: bool, depth: u32, left: &mut usize) -> Shape<'a> {
    let name = reference_name(node);
    let node = node.clone().resolved();
    let level = nesting::descend().filter(|_| depth <= MAX_DEPTH && *left > 0);
    let Some(_level) = level else {
        return Shape { text: name.unwrap_or_else(|| "unknown".to_owned()), ..Shape::default() };
    };
    *left -= 1;
    if let Some(value) = node.value.get("const") {
        return Shape { text: literal(value), ..Shape::default() };
    }
    if let Some(values) = node.value.get("enum").map(Value::items).filter(|values| !values.is_empty()) {
        return enumeration(values);
    }
    let mut shape = Shape { place: Some(node.place.clone()), ..Shape::default() };
    let types = type_names(node.value);
    shape.is_nullable = node.value.get("nullable").is_some_and(Value::is_true) || types.contains(&"null");
    for key in ["allOf", "oneOf", "anyOf"] {
        let parts: Vec<Node<'a>> = node.get(key).map(|list| list.items().take(MAX_PARTS).collect()).unwrap_or_default();
        if !parts.is_empty() {
            add_parts(&mut shape, &parts, key == "allOf", is_request, depth, left);
        }
    }
    own_properties(&node, is_request, &mut shape.properties);
    let mut named: Vec<String> = Vec::new();
    for name in types.iter().filter(|name| **name != "null") {
        named.push(match *name {
            "array" => {
                let items =
                    node.get("items").map(|items| read(&items, is_request, depth + 1, left)).unwrap_or_default();
                (shape.prefix, shape.suffix) = if items.prefix.is_empty() {
                    (String::new(), format!("{}[]", items.suffix))
                } else {
                    (format!("({}", items.prefix), format!("{})[]", items.suffix))
                };
                merge(&mut shape.properties, items.properties, false);
                shape.place = items.place;
                let text = if items.text.is_empty() { "unknown" } else { &items.text };
                if text.contains(" | ") { format!("({text})[]") } else { format!("{text}[]") }
            }
            "object" => String::new(),
            "string" => string_type(node.value),
            other => other.to_owned(),
        });
    }
    named.retain(|text| !text.is_empty());
    if !shape.properties.is_empty() && shape.suffix.is_empty() {
        named.retain(|text| !text.starts_with('{'));
        named.insert(0, name.unwrap_or_else(|| "{ ... }".to_owned()));
    } else if types.contains(&"object") && named.is_empty() && shape.text.is_empty() {
        let values = node.get("additionalProperties").filter(|values| values.value.as_object().is_some());
        let values = values.map(|values| read(&values, is_request, depth + 1, left).text);
        let values = values.filter(|values| !values.is_empty());
        named.push(values.map_or_else(|| "object".to_owned(), |values| format!("{{ [key]: {values} }}")));
    }
    if !named.is_empty() {
        shape.text = named.join(" | ");
    } else if shape.text.is_empty() {
        "unknown".clone_into(&mut shape.text);
    }
    shape
}

/// Adds the parts of `allOf`, or the alternatives of `oneOf` and `anyOf`.
fn add_parts<'a>(
    shape: &mut Shape<'a>,
    parts: &[Node<'a>],
    is_all: bool,
    is_request: bool,
    depth: u32,
    left: &mut usize,
) {
    let mut texts: Vec<String> = Vec::new();
    // The alternatives that are no object.
    let mut others: Vec<String> = Vec::new();
    let mut objects = 0;
    let mut requiring: FxHashMap<&str, usize> = FxHashMap::default();
    for part in parts {
        let read = read(part, is_request, depth + 1, left);
        shape.is_nullable |= read.is_nullable || read.text == "null";
        if read.text == "null" || read.text == "unknown" && read.properties.is_empty() {
            continue;
        }
        if read.properties.is_empty() && !others.contains(&read.text) {
            others.push(read.text.clone());
        }
        if !texts.contains(&read.text) {
            texts.push(read.text);
        }
        objects += usize::from(!read.properties.is_empty());
        for property in read.properties.iter().filter(|property| property.is_required) {
            *requiring.entry(property.name).or_default() += 1;
        }
        if shape.suffix.is_empty() {
            shape.suffix = read.suffix;
        }
        merge(&mut shape.properties, read.properties, !is_all);
    }
    if !is_all {
        // A property that not every alternative requires is optional.
        for property in &mut shape.properties {
            property.is_required &= requiring.get(property.name) == Some(&objects);
        }
    }
    if is_all {
        texts.truncate(1);
    } else if shape.prefix.is_empty() {
        shape.prefix = others.iter().take(MAX_NAMED).map(|text| format!("{text} |")).collect::<Vec<_>>().join(" ");
    }
    let hidden = texts.len().saturating_sub(MAX_NAMED);
    texts.truncate(MAX_NAMED);
    if hidden > 0 {
        texts.push(format!("... + {hidden}"));
    }
    shape.text = texts.join(" | ");
}

/// Adds properties whose names are not known. A known property is required if `more` requires it.
fn merge<'a>(known: &mut Vec<Property<'a>>, more: Vec<Property<'a>>, is_alternative: bool) {
    for property in more {
        if let Some(other) = known.iter_mut().find(|other| other.name == property.name) {
            other.is_required |= property.is_required;
            if is_alternative && other.also.len() < MAX_NAMED {
                other.also.push(property.node);
            }
        } else if known.len() < MAX_PARTS {
            known.push(property);
        }
    }
}

/// Adds the properties that a schema itself names.
fn own_properties<'a>(node: &Node<'a>, is_request: bool, properties: &mut Vec<Property<'a>>) {
    let required: Vec<&str> =
        node.value.get("required").map_or(&[][..], Value::items).iter().filter_map(Value::as_text).collect();
    let left_out = if is_request { "readOnly" } else { "writeOnly" };
    for property in properties.iter_mut() {
        property.is_required |= required.contains(&property.name);
    }
    let mut own = Vec::new();
    if let Some(list) = node.get_resolved("properties") {
        for (name, property) in list.entries().take(MAX_PARTS) {
            if !property.value.get(left_out).is_some_and(Value::is_true) {
                let is_required = required.contains(&name);
                own.push(Property { name, node: property, also: Vec::new(), is_required });
            }
        }
    }
    merge(properties, own, false);
}

/// The names of the types of a schema.
fn type_names(schema: &Value) -> Vec<&str> {
    match schema.get("type") {
        Some(Value::Text(name)) => vec![name],
        Some(types) => types.items().iter().filter_map(Value::as_text).collect(),
        None if schema.get("properties").is_some() || schema.get("additionalProperties").is_some() => vec!["object"],
        None if schema.get("items").is_some() => vec!["array"],
        None => Vec::new(),
    }
}

/// `string`, with the format where it says how the text is written.
fn string_type(schema: &Value) -> String {
    match schema.text("format") {
        Some(format) if format.len() <= 20 && format.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'-') => {
            format!("string<{format}>")
        }
        _ => "string".to_owned(),
    }
}

/// The alternatives of an enumeration.
fn enumeration<'a>(values: &[Value]) -> Shape<'a> {
    let named = values.iter().filter(|value| **value != Value::Null).take(MAX_NAMED).map(literal);
    let mut texts: Vec<String> = named.collect();
    let is_nullable = values.contains(&Value::Null);
    let hidden = values.len().saturating_sub(texts.len() + usize::from(is_nullable));
    if hidden > 0 {
        texts.push(format!("... + {hidden}"));
    }
    Shape { text: texts.join(" | "), is_nullable, ..Shape::default() }
}

/// A value as a literal. A long one is cut.
pub(super) fn literal(value: &Value) -> String {
    shorten::to_chars(&value.to_json(), MAX_LITERAL, "…")
}

/// The name of the schema that a reference names.
fn reference_name(node: &Node<'_>) -> Option<String> {
    let Target::Place(place) = node.target()? else { return None };
    let name = place.pointer.rsplit('/').next().unwrap_or_default();
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'));
    is_name.then(|| name.to_owned())
}
