//! The arguments of a call, checked against the parameters of the tool.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::{Kind, Parameter};

/// The greatest length of a text in an argument, in bytes. No name in an index is longer.
const MAX_TEXT: usize = 4096;
/// The number of characters of an unknown name that an error repeats.
const MAX_REPEATED: usize = 60;

/// The name of an object whose fields count as arguments of the call.
const FILTER: &str = "filter";

/// Words that clients use in place of a word of a tool: results of `discover` are tools and capabilities elsewhere.
const SAME_WORDS: [(&str, &str); 2] = [("tool", "symbol"), ("capability", "recipe")];

/// The arguments of a call by the names of the tool's parameters. Each value has the kind of its parameter.
#[derive(Debug)]
pub struct Arguments {
    values: Map<String, Value>,
    parameters: &'static [Parameter],
    shared: &'static [Parameter],
}

impl Arguments {
    /// Checks the arguments that a client gives for `parameters`, and for those that all tools share. A parameter may
    /// be given by its name or by one of its aliases; if both are given, the name takes precedence. Numbers, shares and
    /// flags may be given as texts, and a list of one text as this text. `null` counts as not given.
    ///
    /// # Errors
    /// A message that names the wrong or missing argument, and the values that are possible.
    pub fn read(
        parameters: &'static [Parameter],
        shared: &'static [Parameter],
        given: Map<String, Value>,
    ) -> Result<Self, String> {
        let mut values = Map::new();
        let all = || parameters.iter().chain(shared);
        for (name, value) in flattened(given) {
            let exact = all().find(|parameter| parameter.name == name);
            let parameter = exact.or_else(|| all().find(|p| p.aliases.contains(&name.as_str())));
            let Some(parameter) = parameter else {
                let names: Vec<&str> = all().map(|parameter| parameter.name).collect();
                let name = beginning(&name);
                return Err(if names.is_empty() {
                    format!("there is no argument `{name}`: this tool takes none")
                } else {
                    format!("there is no argument `{name}`; there are {}", names.join(", "))
                });
            };
            // Models write an empty word for one that they leave out.
            if value.is_null() || matches!(parameter.kind, Kind::Word(_)) && value.as_str() == Some("") {
                continue;
            }
            let value = checked(parameter, value)?;
            if exact.is_some() || !values.contains_key(parameter.name) {
                values.insert(parameter.name.to_owned(), value);
            }
        }
        match all().find(|p| p.is_required && !values.contains_key(p.name)) {
            Some(missing) => Err(format!("`{}` is missing: {}", missing.name, missing.meaning)),
            None => Ok(Self { values, parameters, shared }),
        }
    }

    /// The arguments as a request of the engine.
    ///
    /// # Errors
    /// If a field of the request has another kind of value than the parameter.
    pub fn request<R: DeserializeOwned>(&self) -> Result<R, String> {
        serde_json::from_value(Value::Object(self.values.clone())).map_err(|error| error.to_string())
    }

    /// The arguments without those that all tools share, for the comparison with earlier calls.
    pub fn without_shared(&self) -> Value {
        let values = self.values.iter().filter(|(name, _)| self.shared.iter().all(|shared| shared.name != *name));
        Value::Object(values.map(|(name, value)| (name.clone(), value.clone())).collect())
    }

    /// These arguments with other values for some parameters.
    #[must_use]
    pub fn with(&self, others: impl IntoIterator<Item = (&'static str, Value)>) -> Self {
        let mut values = self.values.clone();
        values.extend(others.into_iter().map(|(name, value)| (name.to_owned(), value)));
        Self { values, parameters: self.parameters, shared: self.shared }
    }

    /// True if the tool has a parameter of this name.
    pub fn may_have(&self, name: &str) -> bool {
        self.parameters.iter().any(|parameter| parameter.name == name)
    }

    /// These arguments with other texts for a parameter that is given; the same without it.
    #[must_use]
    pub fn narrowed(&self, name: &'static str, texts: &[&str]) -> Self {
        let given = self.values.contains_key(name);
        let texts = Value::Array(texts.iter().map(|text| Value::String((*text).to_owned())).collect());
        self.with(given.then_some((name, texts)))
    }

    /// The texts that are given for a parameter: a list, or one.
    pub fn texts(&self, name: &str) -> Vec<&str> {
        match self.values.get(name) {
            Some(Value::Array(texts)) => texts.iter().filter_map(Value::as_str).collect(),
            Some(value) => value.as_str().into_iter().collect(),
            None => Vec::new(),
        }
    }

    /// The text or word that is given for a parameter.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.values.get(name).and_then(Value::as_str)
    }

    /// The number that is given for a parameter.
    pub fn given_number(&self, name: &str) -> Option<usize> {
        self.values.get(name).and_then(Value::as_u64).map(|number| number as usize)
    }

    /// The number that is given for a parameter, or the default of the parameter.
    pub fn number(&self, name: &str) -> usize {
        let default = self.parameters.iter().find(|p| p.name == name).map_or(0, |parameter| match parameter.kind {
            Kind::Number { default, .. } => default as usize,
            _ => 0,
        });
        self.given_number(name).unwrap_or(default)
    }

    /// The share that is given for a parameter.
    pub fn share(&self, name: &str) -> Option<f64> {
        self.values.get(name).and_then(Value::as_f64)
    }

    /// True if a flag is given as true.
    pub fn flag(&self, name: &str) -> bool {
        self.values.get(name).and_then(Value::as_bool).unwrap_or(false)
    }
}

/// The arguments, with the fields of the object `filter` in place of the object. Schemas of tools are flat, since
/// strict clients accept no others, but a client may group the fields as [`apidisc_answering::discover::Discover`]
/// does.
fn flattened(given: Map<String, Value>) -> Map<String, Value> {
    let mut flat = Map::new();
    for (name, value) in given {
        match value {
            Value::Object(fields) if name == FILTER => flat.extend(fields),
            value => {
                flat.insert(name, value);
            }
        }
    }
    flat
}

/// The value in the kind of its parameter, or a message with the possible values.
fn checked(parameter: &Parameter, value: Value) -> Result<Value, String> {
    let name = parameter.name;
    match parameter.kind {
        Kind::Text => text(name, value).map(Value::String),
        Kind::Word(words) => {
            let (word, words) = (text(name, value)?, words());
            let same = SAME_WORDS.iter().find(|(other, _)| *other == word).map_or(&*word, |(_, own)| own);
            if let Some(own) = words.iter().find(|own| **own == word || **own == same) {
                Ok(Value::String((*own).to_owned()))
            } else {
                Err(format!("`{name}` is one of {}, not `{}`", words.join(", "), beginning(&word)))
            }
        }
        Kind::Number { .. } | Kind::Line => {
            let (least, most) = match parameter.kind {
                Kind::Number { least, most, .. } => (least, most),
                _ => (1, u64::from(u32::MAX)),
            };
            let number = match &value {
                Value::String(text) => text.trim().parse().ok(),
                // Some clients write every number with a fraction.
                number => number
                    .as_u64()
                    .or_else(|| number.as_f64().filter(|n| n.fract() == 0.0 && *n >= 0.0).map(|n| n as u64)),
            };
            let number = number.filter(|number| (least..=most).contains(number));
            number.map(Value::from).ok_or_else(|| format!("`{name}` is a whole number from {least} to {most}"))
        }
        Kind::Share => {
            let share = value.as_f64().or_else(|| value.as_str().and_then(|text| text.trim().parse().ok()));
            let share = share.filter(|share| (0.0..=1.0).contains(share));
            share.map(Value::from).ok_or_else(|| format!("`{name}` is a share from 0 to 1"))
        }
        Kind::Flag => match &value {
            Value::Bool(_) => Ok(value),
            Value::String(word) if word == "true" || word == "false" => Ok(Value::Bool(word == "true")),
            _ => Err(format!("`{name}` is true or false")),
        },
        Kind::Texts { most } => {
            let items = match value {
                Value::Array(items) => items,
                one => vec![one],
            };
            if items.is_empty() || items.len() > most {
                return Err(format!("`{name}` takes 1 to {most} texts, {} are given", items.len()));
            }
            let texts: Result<Vec<Value>, String> =
                items.into_iter().map(|item| text(name, item).map(Value::String)).collect();
            texts.map(Value::Array)
        }
    }
}

fn text(name: &str, value: Value) -> Result<String, String> {
    match value {
        Value::String(text) if text.len() > MAX_TEXT => {
            Err(format!("`{name}` is {} bytes long; {MAX_TEXT} are possible", text.len()))
        }
        Value::String(text) => Ok(text),
        _ => Err(format!("`{name}` is a text")),
    }
}

/// The beginning of a text, for an error that repeats it.
pub fn beginning(text: &str) -> String {
    let beginning: String = text.chars().take(MAX_REPEATED).collect();
    if beginning.len() < text.len() { beginning + "…" } else { beginning }
}
