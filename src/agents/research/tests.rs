//! Questions about a small library, answered by prepared replies.

use std::sync::Arc;

use apidisc::{
    answers::SymbolTable,
    control::Control,
    indexer,
    source::{Source, reread},
};
use serde_json::{Value, json};

use super::*;
use crate::{
    agent::Unobserved,
    memory::Entry,
    model::{Prepared, Reply},
};

const LIBRARY: &str = r#"
class Client:
    """Sends requests."""

    def stream(self, path, *, chunk_size=None):
        """Streams the body of a response in pieces."""
"#;
const PROGRAM: &str = "from library import Client\n\nClient().stream('/big', chunk_size=10)\n";

fn sources() -> Sources {
    let files = [("library.py", LIBRARY), ("main.py", PROGRAM)];
    let files = files.iter().map(|&(path, text)| (path.to_owned(), text.as_bytes().to_vec().into())).collect();
    let source = Source::Memory { name: "m".to_owned(), files };
    let index = indexer::build(&source, &mut |_| Control::Continue).expect("a source").expect("an index");
    let read = move |path: &str| reread(&source, path);
    let corpus = Corpus::new(Arc::new(SymbolTable::new(Arc::new(index))), &read);
    Sources::new(Arc::new(corpus), Arc::new(read))
}

#[test]
fn an_answer_names_only_what_was_read() {
    let sources = sources();
    let replies = [
        r#"{"tool": "get_symbol_source", "args": {"symbol": "Client.stream"}}"#,
        "Call `Client().stream(path, chunk_size=…)` [library.py:5] as [main.py:99] does.",
    ];
    let mut agent = sources.agent(Box::new(Prepared::new(replies.map(Reply::text))));
    let input = sources.input("How do I stream a response?", 1_000).unwrap();
    assert!(
        input.starts_with("How do I stream a response?\n\n<tool_result") && input.contains("chunk_size"),
        "{input}"
    );
    let researched = sources.ask(&mut agent, &input, Memory::new(), &mut Unobserved);
    let expected = "Call `Client().stream(path, chunk_size=…)` [library.py:5] as [main.py:99] (not read) does.";
    assert_eq!(researched.answer, expected);
}

#[test]
fn every_tool_answers_or_says_what_is_wrong() {
    let tools = sources().tools();
    let call = |name: &str, arguments: Value| {
        tools.get(name).unwrap().call(arguments).map(|value| value.as_str().unwrap_or_default().to_owned())
    };
    assert!(call("discover", json!({ "intent": "stream a response" })).unwrap().contains("Client.stream"));
    assert!(call("get_module_help", json!({ "target_symbol": "Client" })).unwrap().contains("chunk_size"));
    assert!(call("get_symbols", json!({ "names": ["Client.stream"] })).unwrap().contains("chunk_size"));
    assert!(call("get_symbol_source", json!({ "file_path": "main.py" })).unwrap().contains("Client().stream"));
    assert_eq!(
        call("discover", json!({ "intent": "x", "type": "class" })),
        Err("type is all, symbol, recipe or doc, and not \"class\"".to_owned())
    );
    assert!(call("get_symbol_source", json!({ "file_path": "../secret" })).is_err());
    assert!(call("get_module_help", json!({ "max_tokens": -1 })).is_err());
}

#[test]
fn the_context_is_part_of_the_memory_of_later_questions() {
    let sources = sources();
    let mut agent = sources.agent(Box::new(Prepared::new([Reply::text("first"), Reply::text("second")])));
    let input = sources.input("How do I stream?", 1_000).unwrap();
    let first = sources.ask(&mut agent, &input, Memory::new(), &mut Unobserved);
    let second = sources.ask(&mut agent, "And with a timeout?", first.run.memory, &mut Unobserved);
    let said: Vec<&str> = second.run.memory.entries(None).iter().map(Entry::content).collect();
    assert_eq!(said, [input.as_str(), "first", "And with a timeout?", "second"]);
}
