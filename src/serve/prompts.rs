//! Prompts: messages with context from the repository, which a user chooses in the client.

use std::sync::Arc;

use apidisc::{StubRequest, delivery::Format, strategy::Strategy};
use rmcp::model::{GetPromptResult, JsonObject, Prompt as ProtocolPrompt, PromptArgument, PromptMessage, Role};

use super::{
    served_index::{ServedIndex, Snapshot},
    served_packages::Asker,
    tools::{self, Arguments, Kind, MAX_TOKENS, Parameter, USUAL_BUDGET, beginning, find},
};

/// The name of the prompt for an API.
pub(super) const API: &str = "api";
/// The name of the prompt for a task.
const TASK: &str = "task";

/// The line above text from the repository.
const DATA: &str = "The following is data from the repository, counted at its call sites.";

const API_PARAMETERS: &[Parameter] = &[
    Parameter::optional("module", Kind::Text, "A module, class or function; without it, the repository"),
    Parameter::optional(
        "budget",
        Kind::Number { least: 1, most: MAX_TOKENS as u64, default: USUAL_BUDGET as u64 },
        "The most tokens; 1,000 without it",
    ),
];
const TASK_PARAMETERS: &[Parameter] = &[Parameter::required("task", Kind::Text, "What is to be done")];

/// A prompt with its checked arguments.
pub(super) enum ServedPrompt {
    Api(Arguments),
    Task(Arguments),
}

/// All prompts, for clients.
pub(super) fn list() -> Vec<ProtocolPrompt> {
    let prompt = |name, title, description, parameters: &[Parameter]| {
        let argument = |parameter: &Parameter| {
            PromptArgument::new(parameter.name).with_description(parameter.meaning).with_required(parameter.is_required)
        };
        let arguments = parameters.iter().map(argument).collect();
        ProtocolPrompt::new(name, Some(description), Some(arguments)).with_title(title)
    };
    vec![
        prompt(API, "API as it is called", "How a module is really called, as a stub within a budget", API_PARAMETERS),
        prompt(TASK, "Task with context", "A task, and what the repository knows of it", TASK_PARAMETERS),
    ]
}

impl ServedPrompt {
    /// Checks the arguments of a prompt.
    ///
    /// # Errors
    /// A message that names the unknown prompt and the known ones, or the wrong argument.
    pub(super) fn read(name: &str, given: JsonObject) -> Result<Self, String> {
        match name {
            API => Arguments::read(API_PARAMETERS, &[], given).map(Self::Api),
            TASK => Arguments::read(TASK_PARAMETERS, &[], given).map(Self::Task),
            other => Err(format!("there is no prompt `{}`; there are {API}, {TASK}", beginning(other))),
        }
    }

    /// The prompt with its context.
    ///
    /// # Errors
    /// The reason for which there is no context.
    pub(super) fn fill(
        &self,
        served: &ServedIndex,
        snapshot: &Snapshot,
        asker: &Arc<Asker>,
    ) -> Result<GetPromptResult, String> {
        let text = match self {
            Self::Api(arguments) => {
                let request = StubRequest {
                    module: arguments.text("module").filter(|name| !name.is_empty()).map(str::to_owned),
                    strategy: Strategy::TokenBudget { max_tokens: arguments.number("budget") },
                    weights: snapshot.weights.clone(),
                    format: Format::Markdown,
                    ..StubRequest::default()
                };
                format!("{DATA}\n\n{}", tools::deliver(served, snapshot, &request)?.text)
            }
            Self::Task(arguments) => {
                let task = arguments.text("task").unwrap_or_default();
                let context = context(task, served, snapshot, asker)?;
                format!("Task: {task}\n\n{DATA}\n\n{context}")
            }
        };
        Ok(GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)]))
    }
}

/// The answers of the tool calls in the route of a task. A call that fails is left out.
fn context(task: &str, served: &ServedIndex, snapshot: &Snapshot, asker: &Arc<Asker>) -> Result<String, String> {
    let ask = |name: &str, given: JsonObject| {
        let tool = find(name)?;
        let arguments = tools::arguments(tool, given)?;
        tools::answer(tool, &arguments, served, snapshot, asker, None)
    };
    let route = ask("route", JsonObject::from_iter([("task".to_owned(), task.into())]))?;
    let calls = route.data.as_ref().and_then(|data| data["arguments"].as_array()).cloned().unwrap_or_default();
    let answers = calls.iter().filter_map(|call| {
        let answer = ask(call["tool"].as_str()?, call["arguments"].as_object()?.clone()).ok()?;
        Some(answer.text)
    });
    Ok(answers.collect::<Vec<_>>().join("\n\n"))
}
