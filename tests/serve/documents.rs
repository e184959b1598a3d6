//! API documents beside the sources, over the protocol.

use std::{fs, thread, time::Duration};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::client::{Era, Server, export};

const DOCUMENT: &str = "\
openapi: 3.0.3
info: {title: Ads, version: '1'}
paths:
  /campaigns:
    post:
      operationId: createCampaign
      summary: Create a campaign
      requestBody:
        content:
          application/json:
            schema: {type: object, required: [name], properties: {name: {type: string}, tag: {type: string}}}
      responses: {'201': {description: Created}}
";

const CALLER: &str =
    "import requests\n\ndef start(name):\n    requests.post('/campaigns', json={'name': name, 'tag': 'b'})\n";

fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("api.yaml"), DOCUMENT).unwrap();
    fs::write(folder.path().join("caller.py"), CALLER).unwrap();
    folder
}

fn listed(server: &mut Server) -> Vec<String> {
    let tools = server.ask("tools/list", json!({}))["result"]["tools"].clone();
    tools.as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn tools_for_documents_are_listed_where_the_sources_have_some() {
    let folder = folder();
    let usual = ["discover", "search_symbols", "get_module_help", "get_symbols", "list_dependencies"];
    let chunks = ["search_chunks", "get_chunks"];
    for era in Era::BOTH {
        let mut server = Server::start(era, [folder.path()]);
        assert_eq!(listed(&mut server), [&usual[..], &chunks].concat());
        assert!(server.text("search_chunks", json!({"query": "create a campaign"})).contains("POST /campaigns"));
        assert!(server.close());
    }
    fs::remove_file(folder.path().join("api.yaml")).unwrap();
    let mut server = Server::start(Era::Modern, [folder.path()]);
    assert_eq!(listed(&mut server), usual);
    assert!(server.problem("search_chunks", json!({"query": "x"})).contains("no OpenAPI documents"));
}

#[test]
fn the_stub_of_an_operation_has_the_bytes_of_export() {
    let folder = folder();
    let path = folder.path().to_str().unwrap();
    let exported = |budget: &str| {
        let options = ["--docs", path, "--symbol", "POST /campaigns", "--max-tokens", budget];
        export(folder.path(), &options)
    };
    let mut server = Server::start(Era::Modern, [folder.path()]);
    for name in ["POST /campaigns", "createCampaign", "api.yaml:paths/campaigns/post"] {
        assert_eq!(server.text("get_symbol", json!({"hash": name})), exported("1000"), "{name}");
    }
    let all = server.text("get_symbols", json!({"hashes": ["POST /campaigns"]}));
    assert!(all == exported("4000") && all.contains("tag?: string  // 100%"), "{all}");
    let small = json!({"hash": "POST /campaigns", "max_tokens": 60});
    assert_eq!(server.text("get_symbol", small), exported("60"));

    let result = server.call("get_symbols", json!({"hashes": ["caller.start", "POST /campaigns", "POST /nothing"]}));
    let both = result["content"][0]["text"].as_str().unwrap();
    assert!(both.starts_with("// POST /campaigns") && both.contains("def start(name)"), "{both}");
    assert!(both.contains("POST /nothing") && result.get("structuredContent").is_none(), "{both}");
    let problem = server.problem("get_symbol", json!({"hash": "POST /campaigns", "max_tokens": 2}));
    assert!(problem.contains("in its shortest form"), "{problem}");
}

#[test]
fn an_intent_finds_operations_beside_symbols() {
    let folder = folder();
    let mut server = Server::start(Era::Modern, [folder.path()]);
    let found = server.text("discover", json!({"intent": "create a campaign"}));
    assert!(found.contains("doc POST /campaigns api.yaml:paths/campaigns/post: Create a campaign"), "{found}");
}

/// Asks until the text is in the answer.
#[track_caller]
fn wait_for(server: &mut Server, tool: &str, arguments: &Value, text: &str) {
    for _ in 0..300 {
        let result = server.call(tool, arguments.clone());
        if result["content"][0]["text"].as_str().unwrap().contains(text) {
            return;
        }
        thread::sleep(Duration::from_millis(100));
    }
    panic!("`{text}` never came");
}

#[test]
fn documents_that_change_are_read_again() {
    let (folder, apart) = (folder(), folder());
    let docs = apart.path().to_str().unwrap();
    let changed = DOCUMENT.replace("createCampaign", "beginCampaign");
    for (options, path) in [(vec![], folder.path()), (vec!["--docs", docs], apart.path())] {
        let arguments = [folder.path().to_str().unwrap()].into_iter().chain(options);
        let mut server = Server::start(Era::Modern, arguments);
        let query = json!({"query": "campaign"});
        wait_for(&mut server, "search_chunks", &query, "/campaigns");
        fs::write(path.join("api.yaml"), &changed).unwrap();
        wait_for(&mut server, "get_symbol", &json!({"hash": "POST /campaigns"}), "beginCampaign");
        fs::write(path.join("more.json"), r#"{"openapi": "3.1.0", "paths": {"/budgets": {"get": {}}}}"#).unwrap();
        wait_for(&mut server, "search_chunks", &json!({"query": "budgets"}), "GET /budgets");
        assert!(server.close());
    }
}
