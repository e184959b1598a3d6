//! The tools of an agent.

use std::panic::Location;

use serde_json::{Value, json};

use crate::{nearest::nearest, tool::Tool};

/// The greatest length of a description in the function-calling form, in characters.
const MAX_DESCRIPTION: usize = 1024;

/// Tools by name, in the order of their registration.
#[derive(Clone, Debug, Default)]
pub struct Registry {
    tools: Vec<Tool>,
}

/// A tool that cannot be registered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RegistryError {
    /// Two tools have one name.
    #[error("the tool {name:?} of {second} has the name of the tool of {first}; give one of them another name")]
    SameName {
        /// The name of both tools.
        name: String,
        /// The place that made the registered tool.
        first: &'static Location<'static>,
        /// The place that made the other tool.
        second: &'static Location<'static>,
    },
    /// The name is not accepted by every provider.
    #[error("the name of a tool has 1 to 64 letters, digits, `_` and `-`, so not {0:?}")]
    Name(String),
}

impl Registry {
    /// A registry without tools.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a tool.
    ///
    /// # Errors
    /// If a tool of that name is registered, or the name is not valid.
    pub fn register(&mut self, tool: Tool) -> Result<(), RegistryError> {
        let name = tool.name();
        let is_valid = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        if name.is_empty() || name.len() > 64 || !name.chars().all(is_valid) {
            return Err(RegistryError::Name(name.to_owned()));
        }
        if let Some(first) = self.get(name) {
            let (first, second) = (first.made_at(), tool.made_at());
            return Err(RegistryError::SameName { name: name.to_owned(), first, second });
        }
        self.tools.push(tool);
        Ok(())
    }

    /// The tools with any of these tags.
    #[must_use]
    pub fn with_tags(&self, tags: &[&str]) -> Self {
        let has_any = |tool: &&Tool| tool.tags().iter().any(|tag| tags.contains(&tag.as_str()));
        Self { tools: self.tools.iter().filter(has_any).cloned().collect() }
    }

    /// The tools with these names. A name without a tool is ignored.
    #[must_use]
    pub fn with_names(&self, names: &[&str]) -> Self {
        Self { tools: self.tools.iter().filter(|tool| names.contains(&tool.name())).cloned().collect() }
    }

    /// The tool of this name.
    pub fn get(&self, name: &str) -> Option<&Tool> {
        self.tools.iter().find(|tool| tool.name() == name)
    }

    /// Every tool, in the order of registration.
    pub fn tools(&self) -> &[Tool] {
        &self.tools
    }

    /// The message for a model that calls a tool which does not exist.
    pub fn unknown(&self, name: &str) -> String {
        let names = || self.tools.iter().map(Tool::name);
        let hint = nearest(name, names()).map_or_else(String::new, |name| format!(" Meant {name}?"));
        let names: Vec<&str> = names().collect();
        format!("there is no tool {name:?}.{hint} The tools: {}", names.join(", "))
    }

    /// The tools in the function-calling form of OpenAI, which most providers accept. Descriptions are cut at 1,024
    /// characters.
    pub fn to_llm_tools(&self) -> Vec<Value> {
        let form = |tool: &Tool| {
            json!({
                "type": "function",
                "function": {
                    "name": tool.name(),
                    "description": cut_at_word(tool.description(), MAX_DESCRIPTION),
                    "parameters": tool.parameters(),
                },
            })
        };
        self.tools.iter().map(form).collect()
    }
}

/// The text, or its first words with an ellipsis, at most `length` characters long.
fn cut_at_word(text: &str, length: usize) -> String {
    if text.chars().count() <= length {
        return text.to_owned();
    }
    let beginning: String = text.chars().take(length).collect();
    // The last word may go on after the cut, and the ellipsis takes one character.
    let words = beginning.rfind(char::is_whitespace).map_or("", |end| beginning[..end].trim_end());
    let cut = if words.is_empty() { beginning.chars().take(length - 1).collect() } else { words.to_owned() };
    cut + "…"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tool(name: &str, tags: &[&str]) -> Tool {
        Tool::from_schema(name, "", json!({ "type": "object" }), |_| Ok(Value::Null)).tagged(tags)
    }

    #[test]
    fn tools_are_selected_by_any_of_the_tags_or_by_names() {
        let mut registry = Registry::new();
        for (name, tags) in [("read", &["files", "read"][..]), ("list", &["files"]), ("stop", &["system"])] {
            registry.register(tool(name, tags)).unwrap();
        }
        let names = |registry: Registry| registry.tools().iter().map(|tool| tool.name().to_owned()).collect::<Vec<_>>();
        assert_eq!(names(registry.with_tags(&["read", "system"])), ["read", "stop"]);
        assert_eq!(names(registry.with_names(&["list", "none"])), ["list"]);
        assert_eq!(registry.unknown("raed"), "there is no tool \"raed\". Meant read? The tools: read, list, stop");
    }

    #[test]
    fn a_second_tool_of_a_name_is_an_error_that_names_both() {
        let mut registry = Registry::new();
        registry.register(tool("read", &[])).unwrap();
        let other = Tool::from_schema("read", "", json!({}), |_| Ok(Value::Null));
        let line = line!() - 1;
        let Err(RegistryError::SameName { first, second, .. }) = registry.register(other) else { panic!() };
        assert_eq!((first.file(), second.line()), (file!(), line));
        assert!(first.line() < second.line());
        assert_eq!(registry.register(tool("read it", &[])), Err(RegistryError::Name("read it".to_owned())));
    }

    #[test]
    fn descriptions_are_cut_at_a_word() {
        let long = "word ".repeat(300);
        let tool = Tool::from_schema("t", &long, json!({}), |_| Ok(Value::Null));
        let mut registry = Registry::new();
        registry.register(tool).unwrap();
        let forms = registry.to_llm_tools();
        let cut = forms[0]["function"]["description"].as_str().unwrap();
        assert!(cut.chars().count() <= MAX_DESCRIPTION && cut.ends_with("word…"));
        assert_eq!(cut_at_word(&"x".repeat(2000), 10), "xxxxxxxxx…");
    }
}
