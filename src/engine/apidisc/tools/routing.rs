//! `route` and `extract_keywords`: how the context of a task is gathered, and the words of a task.

use apidisc_answering::route::{Router, extract_keywords};
use serde::Serialize;
use serde_json::Value;

use super::{CheckedCall, Kind, Parameter, Tool, ToolAnswer};

const TASK: Parameter =
    Parameter::required("task", Kind::Text, "The task in words").or(&["query", "name", "text", "intent"]);

pub(super) const ROUTE: Tool = Tool {
    name: "route",
    title: "Route a task",
    description: "Which tools with which arguments gather the context of a task, and what their answers cost, as JSON \
                  of about 150 tokens. Names are looked up in the index, no model is asked. Where a name is known \
                  already, get_symbols answers at once.",
    parameters: &[TASK],
    is_usual: false,
    answer: route,
};

pub(super) const EXTRACT_KEYWORDS: Tool = Tool {
    name: "extract_keywords",
    title: "Words of a task",
    description: "The words of a task by category, its names, compound terms and modules, and the terms to search for, \
                  best first, as JSON of about 150 tokens. The index is not asked: route looks the names up as well.",
    parameters: &[
        TASK,
        Parameter::optional("limit", Kind::Number { least: 1, most: 50, default: 5 }, "The most search terms"),
    ],
    is_usual: false,
    answer: keywords,
};

fn route(call: &CheckedCall<'_>) -> Result<ToolAnswer, String> {
    data(&Router { context: Some(call.context), ..Router::default() }.route(task(call)))
}

fn keywords(call: &CheckedCall<'_>) -> Result<ToolAnswer, String> {
    let keywords = extract_keywords(task(call));
    let mut answer = serde_json::to_value(&keywords).map_err(|error| error.to_string())?;
    answer["search_terms"] = keywords.search_terms(call.arguments.number("limit")).into();
    data(&answer)
}

fn task<'a>(call: &'a CheckedCall<'_>) -> &'a str {
    call.arguments.text("task").unwrap_or_default()
}

/// An answer that is data.
fn data(value: &impl Serialize) -> Result<ToolAnswer, String> {
    let data: Value = serde_json::to_value(value).map_err(|error| error.to_string())?;
    Ok(ToolAnswer { text: data.to_string(), data: Some(data), ..ToolAnswer::default() })
}
