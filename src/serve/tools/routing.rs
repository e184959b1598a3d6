//! `route`: the tools and arguments that gather the context of a task.

use apidisc::route::Router;

use super::{Answer, Question, Tool, symbols::with_context};
use crate::serve::schema::{Kind, Parameter};

pub(super) const ROUTE: Tool = Tool {
    name: "route",
    title: "Route a task",
    description: "Which tools with which arguments gather the context of a task, and what their answers cost, as JSON \
                  of about 150 tokens. Names are looked up in the index, no model is asked. Where a name is known \
                  already, get_symbols answers at once.",
    parameters: &[Parameter::required("task", Kind::Text, "The task in words").or(&["query", "name", "text", "intent"])],
    is_usual: false,
    answer,
};

fn answer(question: &Question<'_>) -> Result<Answer, String> {
    let task = question.arguments.text("task").unwrap_or_default();
    let decision =
        with_context(question.snapshot, |context| Router { context: Some(*context), ..Router::default() }.route(task));
    let data = serde_json::to_value(&decision).map_err(|error| error.to_string())?;
    Ok(Answer { text: data.to_string(), data: Some(data), ..Answer::default() })
}
