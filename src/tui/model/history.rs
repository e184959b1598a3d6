//! Places where one has been, and those that are marked.

use std::collections::BTreeMap;

use super::{Location, TopicName};

/// Where one can go back to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NavigationHistory {
    /// Where one was before, the last at the end.
    pub back: Vec<Location>,
    /// Where one was before one went back, the next at the end.
    pub forward: Vec<Location>,
    /// Places by letter.
    pub marks: BTreeMap<char, Location>,
}

impl Location {
    /// What people call it.
    pub fn name(&self) -> String {
        let last = |name: &str| name.rsplit(['.', '#']).next().unwrap_or(name).to_owned();
        match (&self.page, &self.definition, &self.module) {
            (Some(page), ..) => match &page.about {
                TopicName::Repository => "everything".to_owned(),
                TopicName::Module(name) => name.to_string(),
                TopicName::Definition(name) => last(name),
                TopicName::Argument(name, argument) => format!("{}({argument})", last(name)),
            },
            (None, Some(name), _) => last(name),
            (None, None, Some(module)) => module.to_string(),
            (None, None, None) => "everything".to_owned(),
        }
    }
}
