//! Replies of models, and the calls or answers that are read from them.

use serde_json::{Value, json};

use super::*;
use crate::tool::Tool;

fn read(language: ActionLanguage, text: &str) -> Action {
    language.read(&Reply::text(text))
}

/// The calls that both languages read.
fn calls(text: &str) -> Vec<(String, Value)> {
    let [first, second] = [ActionLanguage::FunctionCalling, ActionLanguage::JsonText].map(|it| read(it, text));
    assert_eq!(first, second, "{text}");
    match first {
        Action::Calls(calls) => calls.into_iter().map(|call| (call.tool, call.arguments)).collect(),
        Action::Answer(answer) => panic!("read as an answer: {answer}"),
    }
}

#[test]
fn a_call_is_read_in_the_forms_that_models_write() {
    for text in [
        r#"{"tool": "read", "args": {"path": "a.py"}}"#,
        r#"{"name": "read", "arguments": {"path": "a.py"}}"#,
        r#"{"name": "read", "arguments": "{\"path\": \"a.py\"}"}"#,
        r#"{"action": "read", "action_input": {"path": "a.py"}, "thought": "I need it"}"#,
        r#"[{"id": "1", "type": "function", "function": {"name": "read", "arguments": "{\"path\": \"a.py\"}"}}]"#,
        r#"{"tool_calls": [{"name": "read", "parameters": {"path": "a.py"}}]}"#,
        "```json\n{\"tool\": \"read\", \"args\": {\"path\": \"a.py\"}}\n```",
        "```\n{\"tool\": \"read\", \"args\": {\"path\": \"a.py\"}}",
        "<tool_call>\n{\"name\": \"read\", \"arguments\": {\"path\": \"a.py\"}}\n</tool_call>",
        "I look at it.\n<tool_call>{\"name\": \"read\", \"arguments\": {\"path\": \"a.py\"}}",
        "[TOOL_CALLS][{\"name\": \"read\", \"arguments\": {\"path\": \"a.py\"}}]",
        "{'tool': 'read', 'args': {'path': 'a.py',},}",
        "{tool: \"read\", args: {path: \"a.py\"}} ",
        "{\"tool\": \"read\", \"args\": {\"path\": \"a.py\"",
        "{\"tool\": \"read\", // the file\n \"args\": {\"path\": \"a.py",
    ] {
        assert_eq!(calls(text), [("read".to_owned(), json!({ "path": "a.py" }))], "{text}");
    }
    assert_eq!(calls(r#"{"tool": "list"}"#), [("list".to_owned(), json!({}))]);
    assert_eq!(
        calls("{\"tool\": \"say\", \"args\": {\"text\": \"it's\n{two} lines\"}}"),
        [("say".to_owned(), json!({ "text": "it's\n{two} lines" }))]
    );
    let two = "{\"tool\": \"a\", \"args\": {}}\n{\"tool\": \"b\", \"args\": {}}";
    assert_eq!(calls(two).iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["a", "b"]);
}

#[test]
fn only_a_model_without_function_calling_calls_within_prose() {
    let text = "First I read the file.\n\n{\"tool\": \"read\", \"args\": {\"path\": \"a.py\"}}\n\nThen I'll answer.";
    assert!(matches!(read(ActionLanguage::JsonText, text), Action::Calls(calls) if calls[0].tool == "read"));
    assert!(matches!(read(ActionLanguage::FunctionCalling, text), Action::Answer(_)));
}

#[test]
fn anything_else_is_an_answer() {
    for text in [
        "",
        "42",
        "null",
        "[]",
        "{}",
        "Call `read` with {\"path\": \"a.py\"}.",
        r#"{"name": "apidisc", "version": "1.0"}"#,
        r#"{"name": "read"}"#,
        r#"{"tool": "read", "args": "a.py"}"#,
        r#"{"tool": "read", "args": [1]}"#,
        r#"{"tool": 7, "args": {}}"#,
        "Send this:\n```json\n{\"email\": \"a@b.c\", \"plan\": {\"id\": 3}}\n```\nand wait.",
        "don't {do} that, it's [not] a call",
        "```json\n{\"tool\": \"read\", \"args\": {}}\n```\nand\n```json\n{\"a\": 1}\n```",
    ] {
        assert_eq!(read(ActionLanguage::FunctionCalling, text), Action::Answer(text.to_owned()), "{text}");
    }
    assert_eq!(read(ActionLanguage::JsonText, "42"), Action::Answer("42".to_owned()));
}

#[test]
fn hostile_replies_are_read_in_bounded_time() {
    for text in ["{".repeat(1 << 19), "[{".repeat(1 << 18), "{\"a\": ".repeat(1 << 17), "{'".repeat(1 << 18)] {
        assert!(matches!(read(ActionLanguage::JsonText, &text), Action::Answer(_)));
    }
}

#[test]
fn calls_of_the_provider_come_first() {
    let call = ToolCall { id: "c1".to_owned(), ..ToolCall::new("list", json!({})) };
    let text = r#"{"tool": "read", "args": {}}"#.to_owned();
    let reply = Reply { text, calls: vec![call.clone()], tokens: None };
    assert_eq!(ActionLanguage::FunctionCalling.read(&reply), Action::Calls(vec![call]));
}

#[test]
fn tools_are_offered_as_functions_or_described_in_text() {
    let mut tools = Registry::new();
    let schema = json!({ "type": "object", "properties": { "path": { "type": "string" } } });
    tools.register(Tool::from_schema("read", "Reads a file.", schema, |_| Ok(Value::Null))).unwrap();
    let call = ToolCall { id: "1".to_owned(), ..ToolCall::new("read", json!({ "path": "a" })) };
    let asked = Message { role: Role::Assistant, content: String::new(), calls: vec![call.clone()] };
    let answered = Message { role: Role::Tool, content: "text".to_owned(), calls: vec![call] };
    let messages = vec![Message::new(Role::User, "hello"), asked, answered];

    let prompt = ActionLanguage::FunctionCalling.prompt(messages.clone(), &tools, None);
    assert_eq!((prompt.messages.len(), prompt.tools[0]["function"]["name"].as_str()), (3, Some("read")));

    let prompt = ActionLanguage::JsonText.prompt(messages, &tools, None);
    let said: Vec<(Role, &str)> = prompt.messages.iter().map(|m| (m.role, m.content.as_str())).skip(1).collect();
    let call = r#"{"tool":"read","args":{"path":"a"}}"#;
    assert_eq!(said, [(Role::User, "hello"), (Role::Assistant, call), (Role::User, "text")]);
    assert!(prompt.tools.is_empty() && prompt.messages[0].content.contains("read: Reads a file."));
}
