//! A tool: a function that an agent's model may call, with the name, description and parameters that the model sees.

use std::{fmt, panic::Location, sync::Arc};

use schemars::{JsonSchema, SchemaGenerator, generate::SchemaSettings};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};

use crate::nearest::nearest;

/// The result of a call; an error is a message for the model.
pub type ToolResult = Result<Value, String>;

type Function = dyn Fn(Value) -> ToolResult + Send + Sync;

/// A function that a model may call.
///
/// ```
/// use apidisc_agents::Tool;
///
/// /// Counts the lines of a text.
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct CountLines {
///     /// The text.
///     text: String,
/// }
///
/// let tool = Tool::new("count_lines", |arguments: CountLines| Ok::<_, String>(arguments.text.lines().count()));
/// assert_eq!(tool.description(), "Counts the lines of a text.");
/// assert_eq!(tool.call(serde_json::json!({ "text": "a\nb" })), Ok(2.into()));
/// ```
#[derive(Clone)]
pub struct Tool {
    name: String,
    description: String,
    parameters: Value,
    is_terminal: bool,
    checks_arguments: bool,
    tags: Vec<String>,
    function: Arc<Function>,
    made_at: &'static Location<'static>,
}

impl Tool {
    /// A tool whose arguments are the fields of `A`. Documentation comments of the type and of its fields describe the
    /// tool and its parameters.
    #[track_caller]
    pub fn new<A, R, E, F>(name: &str, function: F) -> Self
    where
        A: DeserializeOwned + JsonSchema,
        R: Serialize,
        E: fmt::Display,
        F: Fn(A) -> Result<R, E> + Send + Sync + 'static,
    {
        let (description, parameters) = described_schema::<A>();
        let mut tool = Self::from_schema(name, &description, parameters, move |arguments| {
            let arguments = serde_json::from_value(arguments).map_err(|error| error.to_string())?;
            let result = function(arguments).map_err(|error| error.to_string())?;
            serde_json::to_value(result).map_err(|error| format!("the result is no JSON value: {error}"))
        });
        tool.made_at = Location::caller();
        tool
    }

    /// A tool whose parameters are only known when the program runs. `parameters` is the JSON Schema of an object.
    #[track_caller]
    pub fn from_schema<F>(name: &str, description: &str, parameters: Value, function: F) -> Self
    where
        F: Fn(Value) -> ToolResult + Send + Sync + 'static,
    {
        Self {
            name: name.to_owned(),
            description: description.to_owned(),
            parameters,
            is_terminal: false,
            checks_arguments: false,
            tags: Vec::new(),
            function: Arc::new(function),
            made_at: Location::caller(),
        }
    }

    /// The tool with another description.
    #[must_use]
    pub fn described(mut self, description: &str) -> Self {
        description.clone_into(&mut self.description);
        self
    }

    /// The tool with further tags, by which a [`Registry`](crate::Registry) selects tools.
    #[must_use]
    pub fn tagged(mut self, tags: &[&str]) -> Self {
        self.tags.extend(tags.iter().map(|&tag| tag.to_owned()));
        self
    }

    /// The same tool, except that its function checks the names of its arguments. The tool may accept further arguments
    /// than its parameters.
    #[must_use]
    pub fn checking_arguments(mut self) -> Self {
        self.checks_arguments = true;
        self
    }

    /// The tool as one whose result ends the run, and is its answer.
    #[must_use]
    pub fn terminal(mut self) -> Self {
        self.is_terminal = true;
        self
    }

    /// The name by which a model calls the tool.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The description for the model.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The JSON Schema of the arguments, an object.
    pub fn parameters(&self) -> &Value {
        &self.parameters
    }

    /// True if the result of a call ends the run.
    pub fn is_terminal(&self) -> bool {
        self.is_terminal
    }

    /// The tags by which a registry selects tools.
    pub fn tags(&self) -> &[String] {
        &self.tags
    }

    /// The place in the source code that made the tool.
    pub(crate) fn made_at(&self) -> &'static Location<'static> {
        self.made_at
    }

    /// Checks the names of the arguments, and calls the function.
    ///
    /// # Errors
    /// A message for the model, which names the parameters if an argument is unknown or missing.
    pub fn call(&self, arguments: Value) -> ToolResult {
        let arguments = match arguments {
            Value::Null => Value::Object(Map::new()),
            arguments => arguments,
        };
        if !self.checks_arguments {
            self.check_names(&arguments)?;
        }
        (self.function)(arguments)
    }

    fn check_names(&self, arguments: &Value) -> Result<(), String> {
        let Some(given) = arguments.as_object() else {
            return Err(format!("the arguments of {} must be a JSON object", self.name));
        };
        let known: Vec<&str> = match self.parameters["properties"].as_object() {
            Some(properties) => properties.keys().map(String::as_str).collect(),
            None => Vec::new(),
        };
        if let Some(unknown) = given.keys().find(|name| !known.contains(&name.as_str())) {
            let hint =
                nearest(unknown, known.iter().copied()).map_or_else(String::new, |name| format!(" Meant {name}?"));
            return Err(format!(
                "{} has no parameter {unknown:?}.{hint} Its parameters: {}",
                self.name,
                listed(&known)
            ));
        }
        let required = self.parameters["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
        match required.filter(|name| !given.contains_key(*name)).collect::<Vec<_>>()[..] {
            [] => Ok(()),
            ref missing => Err(format!("{} needs {}", self.name, listed(missing))),
        }
    }
}

impl fmt::Debug for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tool").field("name", &self.name).field("tags", &self.tags).finish_non_exhaustive()
    }
}

/// `path, depth`, or `none`.
fn listed(names: &[&str]) -> String {
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

/// The documentation of a type, and the JSON Schema of its fields without that documentation. Types of fields are
/// written where they are used, since many models do not follow references.
pub(crate) fn described_schema<A: JsonSchema>() -> (String, Value) {
    let settings = SchemaSettings::default().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut schema = SchemaGenerator::new(settings).into_root_schema_for::<A>().to_value();
    let Some(object) = schema.as_object_mut() else { return Default::default() };
    object.shift_remove("title");
    let description = match object.shift_remove("description") {
        Some(Value::String(text)) => text,
        _ => String::new(),
    };
    object.entry("type").or_insert_with(|| "object".into());
    let properties = object.entry("properties").or_insert_with(|| Value::Object(Map::new()));
    properties.as_object_mut().into_iter().flat_map(Map::values_mut).for_each(flatten);
    (description, schema)
}

/// Leaves one type in the schema of a parameter, and only keywords that strict clients accept. A parameter that may be
/// left out needs no `null`, and the ranges of Rust's types say nothing to a model.
fn flatten(parameter: &mut Value) {
    let Some(schema) = parameter.as_object_mut() else { return };
    if let Some(Value::Array(types)) = schema.get("type") {
        let mut others = types.iter().filter(|name| *name != "null");
        if let (Some(only), None) = (others.next().cloned(), others.next()) {
            schema["type"] = only;
        }
    }
    if schema.shift_remove("format").is_some() && schema.get("minimum") == Some(&0.into()) {
        schema.shift_remove("minimum");
    }
    if schema.get("default") == Some(&Value::Null) {
        schema.shift_remove("default");
    }
}
