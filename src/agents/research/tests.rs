//! Questions about a small library, answered by prepared replies.

use std::sync::Arc;

use apidisc::{
    answers::SymbolTable,
    control::Control,
    indexer,
    openapi::ApiIndex,
    source::{Source, reread},
};
use serde_json::{Value, json};

use super::*;
use crate::{
    agent::Unobserved,
    memory::MemoryEntry,
    model::{Prepared, Reply},
    transcript::Event,
};

const LIBRARY: &str = r#"
class Client:
    """Sends requests."""

    def stream(self, path, *, chunk_size=None):
        """Streams the body of a response in pieces."""
"#;
const PROGRAM: &str = "from library import Client\n\nClient().stream('/big', chunk_size=10)\n";

fn sources() -> IndexedCode {
    let files = [("library.py", LIBRARY), ("main.py", PROGRAM)];
    let files = files.iter().map(|&(path, text)| (path.to_owned(), text.as_bytes().to_vec().into())).collect();
    let source = Source::Memory { name: "m".to_owned(), files };
    let index = indexer::build(&source, &mut |_| Control::Continue).expect("a source").expect("an index");
    let read = move |path: &str| reread(&source, path);
    let corpus = Corpus::new(Arc::new(SymbolTable::new(Arc::new(index))), &read);
    IndexedCode::new(Arc::new(corpus), Arc::new(read))
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
    assert!(call("search_symbols", json!({ "query": "stream", "limit": 3 })).unwrap().contains("Client.stream"));
    assert!(
        call("search_symbols_batch", json!({ "queries": ["stream", "client"] })).unwrap().contains("Client.stream")
    );
    assert!(call("list_symbols", json!({})).unwrap().contains("Client"));
    assert!(
        call("get_symbol", json!({ "symbol": "Client.stream", "include_source": true }))
            .unwrap()
            .contains("def stream")
    );
    assert!(call("get_repo_overview", json!({})).unwrap().contains("library"));
    assert!(call("get_module", json!({ "module": "library" })).unwrap().contains("chunk_size"));
    let data = |name: &str, arguments: Value| tools.get(name).unwrap().call(arguments).unwrap();
    assert!(data("route", json!({ "task": "how does Client.stream work" })).is_object());
    assert!(data("extract_keywords", json!({ "task": "retry the upload" })).is_object());
    assert!(tools.get("check_index").is_none(), "nobody checks the index");
    assert!(tools.get("search_chunks").is_none(), "there are no API documents");
    assert_eq!(
        call("discover", json!({ "intent": "x", "type": "class" })),
        Err("`type` is one of symbol, recipe, doc, all, not `class`".to_owned())
    );
    assert!(call("get_symbol_source", json!({ "file_path": "../secret" })).is_err());
    assert!(call("get_module_help", json!({ "max_tokens": -1 })).is_err());
}

#[test]
fn the_tools_are_those_of_the_engine() {
    let check = |age, _| Ok(json!({ "is_stale": false, "age": age }));
    let tools = sources().with_freshness(Arc::new(check)).tools();
    for tool in apidisc::tools::ALL.iter().filter(|tool| !tool.needs_documents() && !tool.needs_packages()) {
        let of_agent = tools.get(tool.name).unwrap();
        assert_eq!(of_agent.description(), tool.description);
        assert_eq!(of_agent.parameters(), &Value::Object(tool.schema(&[])));
    }
    let checked = tools.get("check_index").unwrap().call(json!({ "max_age": "60" })).unwrap();
    assert_eq!(checked, json!({ "is_stale": false, "age": 60 }));
}

#[test]
fn api_documents_bring_tools_and_operations() {
    let document = "openapi: 3.0.0\ninfo: { title: Pets, version: '1' }\npaths:\n  /pets:\n    post: { summary: Create a \
                    pet, operationId: createPet, responses: { '201': { description: made } } }\n";
    let files = [("api.yaml".to_owned(), document.as_bytes().to_vec().into())].into_iter().collect();
    let documents = ApiIndex::read(&Source::Memory { name: "docs".to_owned(), files }).unwrap();
    let sources = sources();
    let apis = UsedApis::new(documents, sources.corpus.symbols().index());
    let sources = sources.with_apis(apis);
    assert!(sources.input("How do I create a pet?", 1_000).unwrap().contains("POST /pets"));
    let tools = sources.tools();
    let found = tools.get("search_chunks").unwrap().call(json!({ "query": "create a pet" })).unwrap();
    assert!(found.as_str().unwrap().contains("api.yaml:paths/pets/post"), "{found}");
    let chunk = tools.get("get_chunks").unwrap().call(json!({ "chunk_ids": ["api.yaml:paths/pets/post"] })).unwrap();
    assert!(chunk.as_str().unwrap().contains("createPet"), "{chunk}");
}

#[test]
fn the_context_is_part_of_the_memory_of_later_questions() {
    let sources = sources();
    let mut agent = sources.agent(Box::new(Prepared::new([Reply::text("first"), Reply::text("second")])));
    let input = sources.input("How do I stream?", 1_000).unwrap();
    let first = sources.ask(&mut agent, &input, Memory::new(), &mut Unobserved);
    let second = sources.ask(&mut agent, "And with a timeout?", first.run.memory, &mut Unobserved);
    let said: Vec<&str> = second.run.memory.entries(None).iter().map(MemoryEntry::content).collect();
    assert_eq!(said, [input.as_str(), "first", "And with a timeout?", "second"]);
}

/// The answer of an agent with these replies, and the number of replies that it asked for.
fn answered(replies: &[&str]) -> (Researched, usize) {
    let sources = sources();
    let mut agent = sources.agent(Box::new(Prepared::new(replies.iter().map(|reply| Reply::text(reply)))));
    let input = sources.input("How do I stream?", 1_000).unwrap();
    let researched = sources.ask(&mut agent, &input, Memory::new(), &mut Unobserved);
    let asked = researched.run.transcript.events.iter().filter(|event| matches!(event, Event::Asked { .. })).count();
    (researched, asked)
}

const WRONG: &str = "```python\nfrom library import Client\nClient().stream('/', size=1)\n```\nor `Client().open()`.\n";
const RIGHT: &str = "```python\nfrom library import Client\nClient().stream('/', chunk_size=1)\n```\n";

#[test]
fn names_that_the_sources_do_not_have_are_sent_back_once() {
    let (researched, asked) = answered(&[WRONG, RIGHT]);
    assert_eq!((researched.answer.as_str(), asked), (RIGHT.trim_end(), 2));
    assert!(researched.mistakes.is_empty());
    let request = researched.run.memory.entries(None)[2].content();
    assert!(request.contains("line 3: `library.Client.stream` has no parameter `size`"), "{request}");
    assert!(request.contains("chunk_size"), "{request}");
    // The transcript of both answers can be played again.
    let replies = researched.run.transcript.events.iter().filter(|event| matches!(event, Event::Replied { .. }));
    assert_eq!(replies.count(), 2);
}

#[test]
fn names_that_stay_wrong_are_marked() {
    let (researched, asked) = answered(&[WRONG, WRONG]);
    let expected = "```python\nfrom library import Client\nClient().stream('/', size=1)\n```\n\
                    (wrong by the sources: `library.Client.stream` has no parameter `size`)\nor `Client().open()`.\n\
                    (wrong by the sources: `library.Client` has no attribute `open`)\n";
    assert_eq!((researched.answer.as_str(), asked, researched.mistakes.len()), (expected, 2, 2));
}

#[test]
fn without_a_second_answer_the_first_one_is_marked() {
    let (researched, asked) = answered(&[WRONG]);
    assert!(researched.answer.contains("has no parameter `size`") && researched.run.ending.is_answer());
    assert_eq!(asked, 2);
}

#[test]
fn code_that_the_sources_have_is_asked_for_once() {
    let (researched, asked) = answered(&[RIGHT]);
    assert_eq!((researched.answer.as_str(), asked), (RIGHT.trim_end(), 1));
}
