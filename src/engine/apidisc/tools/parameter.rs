//! The parameters of tools, and their JSON schema for clients.

use serde_json::{Map, Value, json};

/// A parameter of a tool.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// The name.
    pub name: &'static str,
    /// The values that it takes.
    pub kind: Kind,
    /// The description for clients.
    pub meaning: &'static str,
    /// True if every call must have it.
    pub is_required: bool,
    /// Other names that models use for the parameter. They are not in the schema.
    pub aliases: &'static [&'static str],
}

/// The values that a parameter takes.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A text.
    Text,
    /// One of these words.
    Word(fn() -> Vec<&'static str>),
    /// A whole number.
    Number {
        /// The least number.
        least: u64,
        /// The greatest number.
        most: u64,
        /// The default.
        default: u64,
    },
    /// The number of a line, from 1, without a default.
    Line,
    /// A share from 0 to 1.
    Share,
    /// True or false; false by default.
    Flag,
    /// A list of at least one text.
    Texts {
        /// The greatest number of texts.
        most: usize,
    },
}

impl Parameter {
    /// A parameter that a call may leave out.
    pub const fn optional(name: &'static str, kind: Kind, meaning: &'static str) -> Self {
        Self { name, kind, meaning, is_required: false, aliases: &[] }
    }

    /// A parameter that every call has.
    pub const fn required(name: &'static str, kind: Kind, meaning: &'static str) -> Self {
        Self { name, kind, meaning, is_required: true, aliases: &[] }
    }

    /// The parameter with other names for it.
    #[must_use]
    pub const fn or(self, aliases: &'static [&'static str]) -> Self {
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
pub fn object<'p>(parameters: impl Iterator<Item = &'p Parameter> + Clone) -> Map<String, Value> {
    let properties: Map<String, Value> = parameters.clone().map(|p| (p.name.to_owned(), p.schema())).collect();
    let required: Vec<&str> = parameters.filter(|p| p.is_required).map(|p| p.name).collect();
    let mut object = Map::new();
    object.insert("type".to_owned(), "object".into());
    object.insert("properties".to_owned(), properties.into());
    if !required.is_empty() {
        object.insert("required".to_owned(), required.into());
    }
    object.insert("additionalProperties".to_owned(), false.into());
    object
}
