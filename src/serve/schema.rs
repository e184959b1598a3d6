//! The parameters of tools, and their JSON schema for clients.

use std::sync::Arc;

use rmcp::model::JsonObject;
use serde_json::{Value, json};

/// A parameter of a tool.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parameter {
    pub(super) name: &'static str,
    pub(super) kind: Kind,
    /// The description for clients.
    pub(super) meaning: &'static str,
    pub(super) is_required: bool,
    /// Other names that models use for the parameter. They are not in the schema.
    pub(super) aliases: &'static [&'static str],
}

/// The values that a parameter takes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    Text,
    /// One of these words.
    Word(fn() -> Vec<&'static str>),
    Number {
        least: u64,
        most: u64,
        default: u64,
    },
    /// The number of a line, from 1, without a default.
    Line,
    /// From 0 to 1.
    Share,
    Flag,
    /// A list of at least one text.
    Texts {
        most: usize,
    },
}

impl Parameter {
    pub(super) const fn optional(name: &'static str, kind: Kind, meaning: &'static str) -> Self {
        Self { name, kind, meaning, is_required: false, aliases: &[] }
    }

    pub(super) const fn required(name: &'static str, kind: Kind, meaning: &'static str) -> Self {
        Self { name, kind, meaning, is_required: true, aliases: &[] }
    }

    pub(super) const fn or(self, aliases: &'static [&'static str]) -> Self {
        Self { aliases, ..self }
    }

    fn schema(&self) -> Value {
        let mut schema = match self.kind {
            Kind::Text => json!({"type": "string"}),
            Kind::Word(words) => json!({"type": "string", "enum": words()}),
            Kind::Number { least, most, default } => {
                json!({"type": "integer", "minimum": least, "maximum": most, "default": default})
            }
            Kind::Line => json!({"type": "integer", "minimum": 1}),
            Kind::Share => json!({"type": "number", "minimum": 0, "maximum": 1}),
            Kind::Flag => json!({"type": "boolean", "default": false}),
            Kind::Texts { most } => {
                json!({"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": most})
            }
        };
        if !self.meaning.is_empty() {
            schema["description"] = self.meaning.into();
        }
        schema
    }
}

/// The schema of an object with these parameters. It is flat, and has only keywords that strict clients accept: one
/// type per parameter, no formats, no references.
pub(super) fn object<'p>(parameters: impl Iterator<Item = &'p Parameter> + Clone) -> Arc<JsonObject> {
    let properties: JsonObject = parameters.clone().map(|p| (p.name.to_owned(), p.schema())).collect();
    let required: Vec<&str> = parameters.filter(|p| p.is_required).map(|p| p.name).collect();
    let mut object = JsonObject::new();
    object.insert("type".to_owned(), "object".into());
    object.insert("properties".to_owned(), properties.into());
    if !required.is_empty() {
        object.insert("required".to_owned(), required.into());
    }
    object.insert("additionalProperties".to_owned(), false.into());
    Arc::new(object)
}
