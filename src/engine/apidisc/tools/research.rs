//! `research_api`: the context of a call. The server asks no model; the agent that asks is one.

use crate::research;

use super::{CheckedCall, Kind, Parameter, Tool, ToolAnswer, packages::OF_PACKAGE, problem, symbols};

pub(super) const RESEARCH_API: Tool = Tool {
    name: "research_api",
    title: "Context of a question",
    description: "What answers a question such as 'how do I stream a response with retries', in one go: stubs of \
                  symbols and HTTP operations, recipes and sections of documents, each with path:line, up to 2,000 \
                  tokens. No model is asked. Where one name is enough, get_symbols takes fewer tokens.",
    parameters: &[
        Parameter::required("question", Kind::Text, "The question in words").or(&["query", "intent", "text", "q"]),
        OF_PACKAGE,
        Parameter::optional("llm_provider", Kind::Text, "Not used: no model is asked"),
        symbols::budget(2_000),
    ],
    is_usual: false,
    answer,
};

fn answer(call: &CheckedCall<'_>) -> Result<ToolAnswer, String> {
    let request: research::Question = call.arguments.request()?;
    let apis = call.data.apis()?;
    let answer = research::research(&call.context, call.data.corpus(), apis.non_empty(), &request);
    let apidisc_answering::answers::Answer { text, tokens, data, .. } =
        answer.map_err(|error| problem::of_answer(&error))?;
    let names = data.parts.into_iter().map(|part| part.name).collect();
    Ok(ToolAnswer { text, tokens: Some(tokens), names, ..ToolAnswer::default() })
}
