//! What a client asks, and the answers.

use std::path::Path;

use apidisc::{
    answers::symbol_hash,
    tokens::{Encoding, Tokenizer},
};
use serde_json::{Value, json};

use crate::client::{Era, Server, export, only_text};

fn demo() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/demo"))
}

#[test]
fn a_stub_has_the_bytes_of_export() {
    let requests: [(Value, &[&str]); 8] = [
        (json!({}), &[]),
        (json!({"module_name": "windvane", "max_tokens": 300}), &["--module", "windvane", "--max-tokens", "300"]),
        (json!({"target_symbol": "windvane.Reading"}), &["--symbol", "windvane.Reading"]),
        (
            json!({"module_name": "windvane", "target_symbol": "Reading", "format": "markdown"}),
            &["--module", "windvane", "--symbol", "Reading", "--format", "markdown"],
        ),
        (
            json!({"symbol": "windvane.Station", "strategy": "threshold", "min_frequency": 0.4}),
            &["--symbol", "windvane.Station", "--min-frequency", "0.4"],
        ),
        (json!({"module_name": "windvane", "target": 0.8}), &["--module", "windvane", "--target", "0.8"]),
        (
            json!({"name": "windvane", "strategy": "exhaustive", "wording": "calls", "docs": "none"}),
            &["--module", "windvane", "--strategy", "exhaustive", "--wording", "calls", "--docs", "none"],
        ),
        (
            json!({"symbol": "windvane.Station", "format": "json", "encoding": "cl100k_base"}),
            &["--symbol", "windvane.Station", "--format", "json", "--encoding", "cl100k_base"],
        ),
    ];
    let mut server = Server::start(Era::Legacy, [demo()]);
    for (arguments, options) in requests {
        assert_eq!(server.text("get_module_help", arguments), export(demo(), options), "{options:?}");
    }
    // First calls that would make the answer too large are left out.
    let whole = server.text("get_module_help", json!({"format": "json"}));
    let exported = export(demo(), &["--format", "json"]);
    assert!(exported.contains("\"first_call\"") && !whole.contains("\"first_call\""));
    let result = server.call("get_module_help", json!({}));
    assert!(result.get("structuredContent").is_none());
    assert!(server.close());
}

#[test]
fn both_revisions_give_the_same_answers() {
    let answers = Era::BOTH.map(|era| {
        let mut server = Server::start(era, [demo()]);
        let list = server.ask("tools/list", json!({}))["result"]["tools"].clone();
        let stub = server.text("get_module_help", json!({"module_name": "windvane"}));
        assert!(server.close());
        (list, stub)
    });
    assert_eq!(answers[0], answers[1]);
    let names: Vec<&str> = answers[0].0.as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["discover", "search_symbols", "get_module_help", "get_symbols", "list_dependencies"]);
}

#[test]
fn the_server_says_which_revisions_it_speaks() {
    let mut server = Server::start(Era::Modern, ["--demo"]);
    let found = server.ask("server/discover", json!({}));
    let versions = found["result"]["supportedVersions"].as_array().unwrap();
    for version in ["2025-11-25", "2026-07-28"] {
        assert!(versions.contains(&version.into()), "{found}");
    }
    assert!(found["result"]["capabilities"]["tools"].is_object());
}

#[test]
fn tools_that_are_not_listed_answer_too() {
    let mut server = Server::start(Era::Modern, ["--demo"]);
    let fresh: Value = serde_json::from_str(&server.text("check_index", json!({}))).unwrap();
    assert_eq!(fresh["is_stale"], false);
    assert_eq!(fresh["modified_files"], json!([]));
    let result = server.call("check_index", json!({"max_age": "7200"}));
    let text: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(result["structuredContent"], text);

    let mut server = Server::start(Era::Modern, ["--demo", "--tools", "check_index,get_symbols"]);
    let list = server.ask("tools/list", json!({}));
    let names = list["result"]["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap());
    assert_eq!(names.collect::<Vec<_>>(), ["get_symbols", "check_index"]);
}

#[test]
fn a_question_gets_its_context() {
    let mut server = Server::start(Era::Modern, ["--demo"]);
    let text = server.text("research_api", json!({"query": "How do I get the latest reading of a station?"}));
    assert!(text.starts_with("Context for: How do I get the latest reading"), "{text}");
    assert!(text.contains("Station") && text.contains(".py:"), "{text}");
}

#[test]
fn the_words_of_a_task_are_data() {
    let mut server = Server::start(Era::Modern, ["--demo"]);
    let task = "Fix the handleLogin error handling in auth service";
    let words: Value =
        serde_json::from_str(&server.text("extract_keywords", json!({"task": task, "limit": 2}))).unwrap();
    assert_eq!(words["symbol_candidates"], json!(["handleLogin"]));
    assert_eq!(words["compound_terms"], json!(["error_handling"]));
    assert_eq!(words["inferred_modules"], json!(["api", "services"]));
    assert_eq!(words["search_terms"], json!(["handleLogin", "error_handling"]));
    assert_eq!(words["keywords"][0], json!({"term": "fix", "category": "OPERATION"}));
}

#[test]
fn every_tool_answers_within_its_budget() {
    let tokenizer = Tokenizer::load(Encoding::default());
    let mut server = Server::start(Era::Modern, [demo()]);
    for (tool, arguments) in [
        ("discover", json!({"intent": "the latest reading of a station", "include_related": true})),
        ("search_symbols", json!({"query": "*", "limit": 100})),
        ("get_module_help", json!({})),
        ("get_symbols", json!({"hashes": ["windvane.Reading", "windvane.Station", "nothing"], "include_source": true})),
        ("research_api", json!({"question": "How do I get the latest reading of a station?"})),
        ("search_symbols_batch", json!({"queries": ["reading", "station", "wind"]})),
        ("list_symbols", json!({"module": "windvane"})),
        ("get_symbol", json!({"hash": "windvane.Station", "include_source": true})),
        ("get_symbol_source", json!({"hash": "windvane.Station"})),
        ("get_repo_overview", json!({})),
        ("get_module", json!({"module": "windvane"})),
    ] {
        for budget in [400, 2000] {
            let mut arguments = arguments.clone();
            arguments["max_tokens"] = budget.into();
            let result = server.call(tool, arguments);
            assert_ne!(result["isError"], true, "{tool}: {result}");
            let tokens = tokenizer.count(&only_text(&result));
            assert!((1..=budget).contains(&tokens), "{tool}: {tokens} of {budget}");
            assert_eq!(result["_meta"]["apidisc-tui/tokens"], tokens, "{tool}");
        }
    }
}

#[test]
fn an_intent_finds_what_serves_it_and_older_names_say_that_they_end() {
    let mut server = Server::start(Era::Modern, [demo()]);
    let intent = "latest reading of a station";
    let all = server.text("discover", json!({ "intent": intent }));
    assert!(all.contains("windvane.Station"), "{all}");
    let symbols = server.text("discover", json!({"query": intent, "type": "symbol"}));
    // The filter of the specification, an object, is the same as its fields.
    let filtered = json!({"intent": intent, "filter": {"type": "symbol"}, "again": true});
    assert_eq!(server.text("discover", filtered), symbols);
    for (ended, kind) in [("search_tools", "symbol"), ("search_capabilities", "recipe")] {
        let now = server.text("discover", json!({"intent": intent, "type": kind, "again": true}));
        let before = server.text(ended, json!({ "query": intent }));
        let (notice, rest) = before.split_once('\n').unwrap();
        assert!(notice.contains("is deprecated: discover with type"), "{notice}");
        assert_eq!(rest, now);
    }
    assert!(server.close());
}

#[test]
fn arguments_go_by_the_names_that_models_use() {
    let mut server = Server::start(Era::Legacy, [demo()]);
    for (tool, right, others) in [
        ("search_symbols", "query", ["name", "id", "symbol"]),
        ("get_symbols", "hashes", ["name", "query", "id"]),
        ("get_symbol", "hash", ["name", "query", "symbol"]),
        ("get_module_help", "module_name", ["name", "query", "id"]),
    ] {
        let expected = server.text(tool, json!({ right: "windvane.Reading", "again": true }));
        for other in others {
            assert_eq!(
                server.text(tool, json!({ other: "windvane.Reading", "again": true })),
                expected,
                "{tool}: {other}"
            );
        }
    }
    let by_name = server.text("get_symbol", json!({"hash": "windvane.Reading", "again": true}));
    let hash = symbol_hash("windvane.readings.Reading");
    assert_eq!(server.text("get_symbol", json!({ "hash": hash, "again": true })), by_name);
}

#[test]
fn symbols_and_modules_are_resources() {
    for era in Era::BOTH {
        let mut server = Server::start(era, [demo()]);
        let templates = server.ask("resources/templates/list", json!({}));
        let templates = templates["result"]["resourceTemplates"].as_array().unwrap();
        assert_eq!(templates[0]["uriTemplate"], "apidisc://symbol/{fqn}");
        let read = server.ask("resources/read", json!({"uri": "apidisc://symbol/windvane.Reading"}));
        assert_eq!(read["result"]["contents"][0]["text"], export(demo(), &["--symbol", "windvane.Reading"]));
        let overview = server.ask("resources/read", json!({"uri": "apidisc://overview"}));
        let text = overview["result"]["contents"][0]["text"].as_str().unwrap();
        assert_eq!(text, server.text("get_repo_overview", json!({})));
        let read = server.ask("resources/read", json!({"uri": "apidisc://symbol/windvane.Readingg"}));
        assert!(read["error"]["message"].as_str().unwrap().contains("windvane.Reading"), "{read}");
        let reference = json!({"type": "ref/resource", "uri": "apidisc://symbol/{fqn}"});
        let argument = json!({"name": "fqn", "value": "read"});
        let found = server.ask("completion/complete", json!({"ref": reference, "argument": argument}));
        let values = found["result"]["completion"]["values"].as_array().unwrap();
        assert_eq!(values[0], "windvane.Reading", "{found}");
        assert!(server.close());
    }
}

#[test]
fn a_prompt_has_the_help_of_a_module() {
    let mut server = Server::start(Era::Legacy, [demo()]);
    let list = server.ask("prompts/list", json!({}));
    assert_eq!(list["result"]["prompts"][0]["name"], "api");
    let arguments = json!({"module": "windvane.Reading", "budget": "400"});
    let prompt = server.ask("prompts/get", json!({"name": "api", "arguments": arguments}));
    let text = prompt["result"]["messages"][0]["content"]["text"].as_str().unwrap();
    assert!(text.contains("class Reading(NamedTuple):"), "{text}");
    let missing = server.ask("prompts/get", json!({"name": "task"}));
    assert!(missing["error"]["message"].as_str().unwrap().contains("task"));
}

#[test]
fn files_of_secrets_are_shown_only_if_the_user_allows_it() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("a.py", "def f(): ...\n"), (".env", "KEY=w0rd\n"), ("id_rsa", "w0rd\n")] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let path = folder.path().to_str().unwrap();
    let mut server = Server::start(Era::Modern, [path]);
    let problem = server.problem("get_symbol_source", json!({"file_path": ".env"}));
    assert!(problem.contains("--allow-file .env"), "{problem}");
    assert!(server.close());
    let mut server = Server::start(Era::Modern, [path, "--allow-file", ".env"]);
    assert!(server.text("get_symbol_source", json!({"file_path": ".env"})).contains("KEY=w0rd"));
    assert!(server.problem("get_symbol_source", json!({"file_path": "id_rsa"})).contains("holds secrets"));
    assert!(server.close());
}
