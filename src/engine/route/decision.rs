//! The decision tree.

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::answers::Context;

/// How the context of a task is gathered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum RouteType {
    /// The task names a file.
    DirectFile,
    /// The task names a symbol.
    SymbolSearch,
    /// The task names a module, or words that belong to one.
    ModuleBrowse,
    /// The task has words to search for.
    KeywordSearch,
    /// The task has nothing to search for.
    OverviewOnly,
}

/// A function with its arguments.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ToolCall {
    /// The name of the function.
    pub tool: &'static str,
    /// Its arguments. Those that an earlier answer gives are left out.
    pub arguments: Map<String, Value>,
}

/// The decision of a [`Router`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RoutingDecision {
    /// The route.
    pub route_type: RouteType,
    /// The names of the functions, in the order of their calls.
    pub tool_sequence: Vec<&'static str>,
    /// The functions with their arguments.
    pub arguments: Vec<ToolCall>,
    /// The tokens of all answers; without an index an estimate, with one as measured.
    pub estimated_tokens: usize,
    /// One sentence that says why.
    pub reasoning: String,
}

/// Routes tasks.
#[derive(Clone, Copy, Default)]
pub struct Router<'a> {
    /// The modules that exist; if there are none and no context, inferred modules are taken to exist.
    pub available_modules: Option<&'a BTreeSet<String>>,
    /// The index in which names are looked up.
    pub context: Option<Context<'a>>,
}

impl Router<'_> {
    /// Decides how the context of a task is gathered.
    pub fn route(&self, task: &str) -> RoutingDecision {
        let _ = task;
        todo!()
    }
}
