//! The schema of values: what all of them have in common, and what some of them have.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

/// What is known of the values at one place.
#[derive(Debug, Default)]
pub(super) struct Form {
    /// The number of values.
    seen: usize,
    types: BTreeSet<&'static str>,
    properties: BTreeMap<String, Form>,
    items: Option<Box<Form>>,
}

impl Form {
    /// Adds a value. `path` names its place, such as `/calls/*/line`; `is_open` is true for the places of objects whose
    /// keys are data, of which all values have one form.
    pub(super) fn add(&mut self, value: &Value, path: &str, is_open: &dyn Fn(&str) -> bool) {
        self.seen += 1;
        self.types.insert(match value {
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::Number(number) if number.is_f64() => "number",
            Value::Number(_) => "integer",
            Value::String(_) => "string",
            Value::Array(_) => "array",
            Value::Object(_) => "object",
        });
        match value {
            Value::Object(object) if is_open(path) => {
                for value in object.values() {
                    self.items.get_or_insert_default().add(value, &format!("{path}/*"), is_open);
                }
            }
            Value::Object(object) => {
                for (key, value) in object {
                    self.properties.entry(key.clone()).or_default().add(value, &format!("{path}/{key}"), is_open);
                }
            }
            Value::Array(values) => {
                for value in values {
                    self.items.get_or_insert_default().add(value, &format!("{path}/*"), is_open);
                }
            }
            _ => {}
        }
    }

    /// The schema of JSON Schema, draft 2020-12.
    pub(super) fn schema(&self, path: &str, is_open: &dyn Fn(&str) -> bool) -> Value {
        let mut schema = Map::new();
        let mut types = self.types.clone();
        // Every integer is a number.
        if types.contains("number") {
            types.remove("integer");
        }
        let types: Vec<&str> = types.into_iter().collect();
        schema.insert("type".to_owned(), if let [only] = types[..] { json!(only) } else { json!(types) });
        let inner = |path: &str| self.items.as_ref().map(|items| items.schema(&format!("{path}/*"), is_open));
        if self.types.contains("object") && is_open(path) {
            schema.insert("additionalProperties".to_owned(), inner(path).unwrap_or(json!(true)));
        } else if self.types.contains("object") {
            let objects = self.properties.values().map(|form| form.seen).max().unwrap_or_default();
            let required: Vec<&String> =
                self.properties.iter().filter(|(_, form)| form.seen == objects).map(|(key, _)| key).collect();
            let properties: Map<String, Value> = self
                .properties
                .iter()
                .map(|(key, form)| (key.clone(), form.schema(&format!("{path}/{key}"), is_open)))
                .collect();
            schema.insert("properties".to_owned(), Value::Object(properties));
            schema.insert("required".to_owned(), json!(required));
            schema.insert("additionalProperties".to_owned(), json!(false));
        }
        if self.types.contains("array") {
            schema.insert("items".to_owned(), inner(path).unwrap_or(json!(true)));
        }
        Value::Object(schema)
    }
}
