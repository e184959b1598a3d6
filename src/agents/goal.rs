//! The goals of an agent.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

/// A goal of an agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Goal {
    /// The place among the goals: those with the least number are named first.
    pub priority: i32,
    /// A title of a few words.
    pub name: String,
    /// The task, and how to do it, in the words of the prompt.
    pub description: String,
}

impl Goal {
    /// A goal.
    pub fn new(priority: i32, name: &str, description: &str) -> Self {
        Self { priority, name: name.to_owned(), description: description.to_owned() }
    }
}

/// The goals as a text for a model, by priority.
pub(crate) fn text(goals: &[Goal]) -> String {
    let mut sorted: Vec<&Goal> = goals.iter().collect();
    sorted.sort_by_key(|goal| goal.priority);
    let mut text = String::new();
    for Goal { name, description, .. } in sorted {
        let _ = write!(text, "# {name}\n{}\n\n", description.trim());
    }
    text
}
