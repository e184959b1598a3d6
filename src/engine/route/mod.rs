//! Routes a task, a sentence in natural language, to the functions of [`crate::answers`] that gather its context. No
//! model and no network: patterns and, where there is an index, its names.

mod decision;
mod keywords;

pub use decision::{RouteType, Router, RoutingDecision, ToolCall};
pub use keywords::{Category, Keyword, Keywords, extract_keywords};
