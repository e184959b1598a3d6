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
    let list = |headers: &[(&str, &str)]| server.ask("tools/list", json!({}), headers).status;
    assert_eq!(list(&[]), 200);
    assert_eq!(list(&[("Origin", "http://localhost:3000")]), 200);
    assert_eq!(list(&[("Origin", "https://evil.example")]), 403);
    assert_eq!(list(&[("Origin", "null")]), 403);
    assert_eq!(list(&[("Host", "evil.example")]), 403);
    let own = server.address.to_string();
    // Every header counts, and a host or an origin is a whole one.
    assert_eq!(list(&[("Origin", "http://localhost:3000"), ("Origin", "https://evil.example")]), 403);
    assert_eq!(list(&[("Origin", "http://localhost:3000"), ("Origin", "http://[::1]")]), 200);
    assert_eq!(list(&[("Origin", "http://127.0.0.1:x.evil.example")]), 403);
    for hosts in [[own.as_str(), "evil.example"], ["evil.example", &own], [&own, &own]] {
        assert_eq!(list(&[("Host", hosts[0]), ("Host", hosts[1])]), 400, "{hosts:?}");
    }
    assert_eq!(list(&[("Host", "127.0.0.1:x.evil.example")]), 400);
    assert_eq!(list(&[("Host", "")]), 400);
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
fn a_request_that_does_not_decode_is_answered_with_its_id() {
    let server = HttpServer::start(["--demo"]);
    let large = "x".repeat(10_000_000);
    for (body, status, id, code) in [
        (r#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"\ud800"}}"#, 400, json!(3), -32700),
        (r#"{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":1e999}}"#, 400, json!("a"), -32700),
        (r#"{"jsonrpc":"2.0","id":5,"method":"tools/list","method":"tools/list"}"#, 400, json!(5), -32600),
        (
            &format!(r#"{{"method":"tools/call","params":{{"name":"{large}"}},"jsonrpc":"2.0","id":6}}"#),
            413,
            json!(6),
            -32600,
        ),
        ("nonsense", 400, json!(null), -32700),
    ] {
        let response = server.post(&[], body.as_bytes());
        let answer = response.message();
        assert_eq!((response.status, &answer["id"], &answer["error"]["code"]), (status, &id, &json!(code)), "{answer}");
        assert!(answer.to_string().len() < 300, "{answer}");
    }
    assert_eq!(server.ask("tools/list", json!({}), &[]).status, 200);
}

#[test]
fn the_number_of_sessions_is_limited() {
    let server = HttpServer::start(["--demo"]);
    let list = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"}).to_string();
    let status = |session: &str| server.post(&[("Mcp-Session-Id", session)], list.as_bytes()).status;
    let (idle, streaming) = (server.open_session(), server.open_session());
    let _stream = server.open_stream(&streaming);
    assert_eq!((status(&idle), status(&streaming)), (200, 200));
    let newest = (0..300).fold(String::new(), |_, _| server.open_session());
    // A client of a session that has ended opens another one.
    assert_eq!((status(&idle), status(&streaming), status(&newest)), (404, 200, 200));
    assert_eq!(status(&server.open_session()), 200);
}

#[test]
fn a_token_is_asked_for() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("token");
    fs::write(&file, "secret-7\n").unwrap();
    let server = HttpServer::start(["--demo", "--token-file", file.to_str().unwrap()]);
    let list = |headers: &[(&str, &str)]| server.ask("tools/list", json!({}), headers).status;
    assert_eq!(list(&[]), 401);
    assert_eq!(list(&[("Authorization", "Bearer secret-8")]), 401);
    for right in ["Bearer secret-7", "bearer secret-7", "BEARER secret-7"] {
        assert_eq!(list(&[("Authorization", right)]), 200, "{right}");
    }
    for wrong in ["Basic secret-7", "Bearersecret-7", "secret-7", "Bearer SECRET-7", "Bearer"] {
        assert_eq!(list(&[("Authorization", wrong)]), 401, "{wrong}");
    }
    assert_eq!(list(&[("Authorization", "Bearer secret-7"), ("Authorization", "Bearer secret-8")]), 400);
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
