//! A prompt in the form of the client.

use genai::chat::{ChatMessage, ChatRequest, ContentPart, MessageContent, Tool, ToolCall, ToolResponse};
use serde_json::Value;

use crate::{
    memory,
    prompt::{Message, Prompt, Role},
};

/// The request for a prompt.
pub(super) fn of(prompt: &Prompt) -> ChatRequest {
    let messages: Vec<ChatMessage> = prompt.messages.iter().map(message).collect();
    let tools: Vec<Tool> = prompt.tools.iter().filter_map(tool).collect();
    let request = ChatRequest::new(messages);
    if tools.is_empty() { request } else { request.with_tools(tools) }
}

fn message(message: &Message) -> ChatMessage {
    match message.role {
        Role::System => ChatMessage::system(message.content.as_str()),
        Role::User => ChatMessage::user(message.content.as_str()),
        Role::Assistant => {
            let mut content = MessageContent::default();
            if !message.content.is_empty() {
                content.push(message.content.as_str());
            }
            message.calls.iter().for_each(|call| content.push(ContentPart::ToolCall(provider_call(call))));
            ChatMessage::assistant(content)
        }
        Role::Tool => {
            let responses = message.calls.iter().map(|call| {
                ToolResponse::new(call.id.as_str(), message.content.as_str()).with_fn_name(call.tool.as_str())
            });
            ChatMessage::tool(MessageContent::from_tool_responses(responses.collect()))
        }
    }
}

fn provider_call(call: &memory::ToolCall) -> ToolCall {
    ToolCall {
        call_id: call.id.clone(),
        fn_name: call.tool.clone(),
        fn_arguments: call.arguments.clone(),
        thought_signatures: (!call.signatures.is_empty()).then(|| call.signatures.clone()),
    }
}

/// A call of the provider. Arguments that are no JSON object stay as they are; the tool says so to the model.
pub(super) fn call(call: &ToolCall) -> memory::ToolCall {
    let arguments = match &call.fn_arguments {
        Value::String(text) => serde_json::from_str(text).unwrap_or_else(|_| call.fn_arguments.clone()),
        arguments => arguments.clone(),
    };
    memory::ToolCall {
        id: call.call_id.clone(),
        tool: call.fn_name.clone(),
        arguments,
        signatures: call.thought_signatures.clone().unwrap_or_default(),
    }
}

/// A tool from its function-calling form.
fn tool(form: &Value) -> Option<Tool> {
    let function = form.get("function")?;
    let tool = Tool::new(function.get("name")?.as_str()?);
    let description = function.get("description").and_then(Value::as_str).unwrap_or_default();
    Some(tool.with_description(description).with_schema(function.get("parameters")?.clone()))
}
