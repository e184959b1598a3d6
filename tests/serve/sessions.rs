//! The sessions of agents: nothing is delivered twice, and every token is accounted for.

use std::{fs, path::Path};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::client::{Era, HttpServer, Server, export, only_text};

fn demo() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/demo"))
}

#[test]
fn what_the_session_of_a_process_holds_is_not_repeated() {
    for era in Era::BOTH {
        let mut server = Server::start(era, [demo()]);
        let arguments = json!({"module_name": "windvane"});
        let stub = server.text("get_module_help", arguments.clone());
        assert_eq!(stub, export(demo(), &["--module", "windvane"]));
        let line = server.text("get_module_help", arguments);
        assert!(line.contains("has not changed") && line.contains("`again: true`"), "{line}");
        assert_eq!(server.text("get_module_help", json!({"name": "windvane", "again": true})), stub);
        // A symbol is held by itself, whichever question brought it.
        let symbols = server.text("get_symbols", json!({"hashes": ["windvane.Reading"]}));
        let symbol = server.text("get_symbol", json!({"hash": "windvane.Reading"}));
        assert!(symbols.contains("class Reading"), "{symbols}");
        assert!(symbol.starts_with("windvane.Reading has not changed") && symbol.lines().count() == 1, "{symbol}");
        let both = server.text("get_symbols", json!({"hashes": ["windvane.Reading", "windvane.Station"]}));
        assert!(both.contains("windvane.Reading has not changed") && both.contains("class Station"), "{both}");
        // Data is given whenever it is asked for.
        let route = server.text("route", json!({"task": "how is Station.latest called"}));
        assert_eq!(server.text("route", json!({"task": "how is Station.latest called"})), route);
    }
}

#[test]
fn what_has_changed_is_delivered() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("shop.py");
    fs::write(&path, "def buy(item): ...\nbuy('tea')\n").unwrap();
    let mut server = Server::start(Era::Modern, [folder.path()]);
    assert!(server.text("get_symbol", json!({"hash": "shop.buy"})).contains("def buy(item"));
    assert!(server.text("get_symbol", json!({"hash": "shop.buy"})).contains("has not changed"));
    fs::write(&path, "def buy(item, count=1): ...\nbuy('tea')\n").unwrap();
    server.text("check_index", json!({"auto_refresh": true}));
    assert!(server.text("get_symbol", json!({"hash": "shop.buy"})).contains("count=1"));
}

#[test]
fn a_handle_makes_a_session_of_several_requests() {
    let server = HttpServer::start([demo()]);
    let ask = |session: Option<&str>| {
        let mut arguments = json!({"module_name": "windvane"});
        if let Some(session) = session {
            arguments["session"] = session.into();
        }
        let call = json!({"name": "get_module_help", "arguments": arguments});
        server.ask("tools/call", call, &[]).message()["result"].clone()
    };
    let stub = export(demo(), &["--module", "windvane"]);
    // Without a handle there is no session.
    for _ in 0..2 {
        let result = ask(None);
        assert_eq!(only_text(&result), stub);
        assert_eq!(result["_meta"]["apidisc-tui/session"], Value::Null);
    }
    let first = ask(Some("new"));
    assert_eq!(only_text(&first), stub);
    let handle = first["_meta"]["apidisc-tui/session"].as_str().unwrap();
    assert!(only_text(&ask(Some(handle))).contains("has not changed"));
    // Another session holds nothing, nor does one that has ended.
    assert_eq!(only_text(&ask(Some("new"))), stub);
    assert_eq!(only_text(&ask(Some("of-yesterday"))), stub);
    let read = |uri: String| server.ask("resources/read", json!({ "uri": uri }), &[("Mcp-Name", &uri)]).message();
    let described = read(format!("apidisc://session/{handle}"));
    assert!(described["result"]["contents"][0]["text"].as_str().unwrap().contains("get_module_help"), "{described}");
    assert!(read("apidisc://session/nobody".to_owned())["error"].is_object());
}

#[test]
fn the_ledger_of_a_session_is_a_resource() {
    let mut server = Server::start(Era::Modern, [demo()]);
    let mut tokens = 0;
    for (tool, arguments) in [
        ("get_module_help", json!({"module_name": "windvane"})),
        ("get_module_help", json!({"module_name": "windvane"})),
        ("get_symbol", json!({"hash": "windvane.Reading"})),
        ("search_symbols", json!({"query": "station"})),
        ("route", json!({"task": "add a retry to Station.latest"})),
    ] {
        tokens += server.call(tool, arguments)["_meta"]["apidisc-tui/tokens"].as_u64().unwrap();
    }
    let list = server.ask("resources/list", json!({}));
    assert_eq!(list["result"]["resources"][1]["uri"], "apidisc://session");
    let read = server.ask("resources/read", json!({"uri": "apidisc://session"}));
    let text = read["result"]["contents"][0]["text"].as_str().unwrap();
    let ledger: Value = serde_json::from_str(text).unwrap();
    assert_eq!(ledger["total_tokens"], tokens, "{ledger}");
    let tools: Vec<&String> = ledger["tokens_by_tool"].as_object().unwrap().keys().collect();
    assert_eq!(tools, ["get_module_help", "get_symbol", "route", "search_symbols"]);
    assert_eq!(ledger["summary"]["temp"]["has_routing_decision"], true);
    assert_eq!(ledger["summary"]["session"]["search_history"], 1);
    assert_eq!(ledger["summary"]["session"]["viewed_symbols"], 1, "{ledger}");
}

#[test]
fn the_state_of_a_user_outlives_a_session() {
    let state = TempDir::new().unwrap();
    for _ in 0..2 {
        let mut server = Server::start_with(Era::Modern, [demo()], &[("XDG_STATE_HOME", state.path())]);
        server.text("get_repo_overview", json!({}));
        server.text("get_symbol", json!({"hash": "windvane.Reading"}));
        assert!(server.close());
    }
    if cfg!(target_os = "linux") {
        let text = fs::read_to_string(state.path().join("apidisc-tui/sessions.json")).unwrap();
        let kept: Value = serde_json::from_str(&text).unwrap();
        let keys: Vec<&String> = kept.as_object().unwrap().keys().collect();
        assert!(keys.len() == 1 && keys[0].starts_with("user:repo_overview:"), "{kept}");
    }
}
