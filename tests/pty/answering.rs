//! Answers of a model on a terminal: they appear as they come, can be stopped, and are found again.

use std::{
    fs,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{TcpListener, TcpStream},
    sync::mpsc::{Receiver, Sender, channel},
    thread,
};

use serde_json::json;

use crate::terminal::Terminal;

/// A server in OpenAI's form. It sends the first half of each answer at once, and the second half when it is told to.
struct Server {
    address: String,
    go_on: Sender<()>,
}

impl Server {
    fn start(halves: &'static [(&'static str, &'static str)]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}/v1", listener.local_addr().unwrap());
        let (go_on, told) = channel();
        thread::spawn(move || {
            for halves in halves {
                let Ok((connection, _)) = listener.accept() else { return };
                answer(connection, *halves, &told);
            }
        });
        Self { address, go_on }
    }
}

fn answer(mut connection: TcpStream, (first, second): (&str, &str), told: &Receiver<()>) {
    let mut reader = BufReader::new(&connection);
    let (mut line, mut length) = (String::new(), 0);
    while reader.read_line(&mut line).is_ok() && !line.trim().is_empty() {
        if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        line.clear();
    }
    reader.read_exact(&mut vec![0; length]).unwrap();
    let event = |text: &str| json!({ "choices": [{ "index": 0, "delta": { "content": text } }] });
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n";
    let _ = write!(connection, "{head}data: {}\n\n", event(first));
    if told.recv().is_ok() {
        let _ = write!(connection, "data: {}\n\ndata: [DONE]\n\n", event(second));
    }
}

fn folder() -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    fs::write(root.path().join("api.py"), "def first(alpha, beta=1): ...\nfirst(1)\nfirst(2, beta=3)\n").unwrap();
    root
}

#[test]
fn ask_prints_the_answer_as_it_comes_and_only_once() {
    let root = folder();
    let server = Server::start(&[("Pass `beta` \u{1b}[2J", "[api.py:9] now.")]);
    let words = ["ask", "first beta", root.path().to_str().unwrap(), "--model", "llama.cpp:small"];
    let words = [&words[..], &["--base-url", &server.address]].concat();
    let mut terminal = Terminal::open(100, 30, &words, &[]);
    terminal.wait_for(r"Pass `beta` \u{1b}[2J");
    server.go_on.send(()).unwrap();
    terminal.wait_for("api.py:9 was not read");
    assert_eq!(terminal.text().matches("Pass `beta`").count(), 1, "{}", terminal.text());
    assert!(terminal.text().contains("[api.py:9] now.\n"), "{}", terminal.text());
    assert_eq!(terminal.exit_code(), 0);
}

#[test]
fn the_explorer_shows_an_answer_as_it_comes_stops_one_and_finds_both_again() {
    let (root, state) = (folder(), tempfile::tempdir().unwrap());
    let server = Server::start(&[("The first ", "answer."), ("Half of the ", "second.")]);
    let state_text = state.path().to_str().unwrap();
    let environment = [
        ("XDG_STATE_HOME", state_text),
        ("HOME", state_text),
        ("APIDISC_MODEL", "llama.cpp:small"),
        ("APIDISC_BASE_URL", &server.address),
    ];
    let open = || Terminal::open(110, 30, &[root.path().to_str().unwrap()], &environment);
    let mut terminal = open();
    terminal.wait_for(" 2 calls into");
    terminal.send("\u{1}");
    terminal.wait_for("type a question");
    terminal.send("first beta\r");
    terminal.wait_for("The first");
    server.go_on.send(()).unwrap();
    terminal.wait_for("llama.cpp:small, 0 steps");
    assert!(terminal.text().contains("The first answer."), "{}", terminal.text());
    terminal.send("/and then\r");
    terminal.wait_for("Half of the");
    terminal.send("\u{1b}");
    terminal.wait_for("the run was stopped");
    terminal.send("\u{1b}");
    terminal.wait_for("Modules");
    terminal.send("q");
    assert_eq!(terminal.exit_code(), 0);

    let mut terminal = open();
    terminal.wait_for(" 2 calls into");
    terminal.send("\u{1}");
    terminal.wait_for("2 questions");
    terminal.send("\u{1b}[B\r");
    terminal.wait_for("Half of the");
    assert!(terminal.text().contains("The first answer."), "{}", terminal.text());
    terminal.send("q");
    terminal.wait_for("Modules");
    terminal.send("q");
    assert_eq!(terminal.exit_code(), 0);
}
