//! The server over HTTP.

use std::{fs, io::Write as _, net::TcpStream, path::Path};

use serde_json::json;
use tempfile::TempDir;

use crate::client::{Era, HttpServer, Server, command, export, only_text};

fn demo() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/demo"))
}

#[test]
fn both_revisions_are_served() {
    let server = HttpServer::start([demo()]);
    let expected = export(demo(), &["--module", "windvane"]);
    let call = json!({"name": "get_module_help", "arguments": {"module_name": "windvane"}});
    let modern = server.ask("tools/call", call.clone(), &[]);
    assert_eq!(only_text(&modern.message()["result"]), expected);

    let session = server.open_session();
    let body = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call}).to_string();
    let legacy = server.post(&[("Mcp-Session-Id", &session)], body.as_bytes());
    assert_eq!(only_text(&legacy.message()["result"]), expected);
    let unknown = server.post(&[("Mcp-Session-Id", "nobody")], body.as_bytes());
    assert_eq!(unknown.status, 404);
}

#[test]
fn other_sites_are_turned_away() {
    let server = HttpServer::start(["--demo"]);
    let list = |headers| server.ask("tools/list", json!({}), headers).status;
    assert_eq!(list(&[]), 200);
    assert_eq!(list(&[("Origin", "http://localhost:3000")]), 200);
    assert_eq!(list(&[("Origin", "https://evil.example")]), 403);
    assert_eq!(list(&[("Origin", "null")]), 403);
    assert_eq!(list(&[("Host", "evil.example")]), 403);
    // It still answers what is right.
    assert_eq!(list(&[]), 200);
}

#[test]
fn bad_bodies_are_told() {
    let server = HttpServer::start(["--demo"]);
    for body in [&b"{"[..], b"nonsense", b"[]", b"", b"\xff"] {
        let status = server.post(&[], body).status;
        assert!((400..500).contains(&status), "{status}");
    }
    let large = vec![b'x'; 10_000_000];
    assert_eq!(server.post(&[], &large).status, 413);
    assert_eq!(server.ask("tools/list", json!({}), &[]).status, 200);
}

#[test]
fn a_token_is_asked_for() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("token");
    fs::write(&file, "secret-7\n").unwrap();
    let server = HttpServer::start(["--demo", "--token-file", file.to_str().unwrap()]);
    let list = |headers| server.ask("tools/list", json!({}), headers).status;
    assert_eq!(list(&[]), 401);
    assert_eq!(list(&[("Authorization", "Bearer secret-8")]), 401);
    assert_eq!(list(&[("Authorization", "Bearer secret-7")]), 200);
}

#[test]
fn an_address_is_taken_once_and_not_without_a_token_by_others() {
    let server = HttpServer::start(["--demo"]);
    let run = |arguments: &[&str]| {
        let output = command(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        assert!(output.stdout.is_empty());
        String::from_utf8(output.stderr).unwrap()
    };
    let taken = run(&["--demo", "--http", &server.address.to_string()]);
    assert!(taken.contains("is in use") && taken.lines().count() == 1, "{taken}");
    let open = run(&["--demo", "--http", "0.0.0.0:0"]);
    assert!(open.contains("--token-file"), "{open}");
    let unknown = run(&["--demo", "--tools", "nothing"]);
    assert!(unknown.contains("get_module_help"), "{unknown}");
}

#[test]
fn clients_that_never_read_or_disappear_leave_the_server_to_others() {
    let server = HttpServer::start([demo()]);
    let silent: Vec<_> = (0..20)
        .map(|number| {
            let mut connection = TcpStream::connect(server.address).unwrap();
            // Half of them say less than they promise.
            let length = if number % 2 == 0 { 1000 } else { 2 };
            let head =
                format!("POST /mcp HTTP/1.1\r\nHost: {}\r\nContent-Length: {length}\r\n\r\n{{}}", server.address);
            connection.write_all(head.as_bytes()).unwrap();
            connection
        })
        .collect();
    assert_eq!(server.ask("tools/list", json!({}), &[]).status, 200);
    drop(silent);
    assert_eq!(server.ask("tools/list", json!({}), &[]).status, 200);
}

#[test]
fn clients_at_once_get_whole_answers() {
    let server = HttpServer::start([demo()]);
    let mut stdio = Server::start(Era::Modern, [demo()]);
    let expected = stdio.text("get_module_help", json!({"module_name": "windvane"}));
    std::thread::scope(|scope| {
        for _ in 0..16 {
            scope.spawn(|| {
                let call = json!({"name": "get_module_help", "arguments": {"module_name": "windvane"}});
                assert_eq!(only_text(&server.ask("tools/call", call, &[]).message()["result"]), expected);
            });
        }
    });
}
