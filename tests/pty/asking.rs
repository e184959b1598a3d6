//! An explorer shows what a server on the same folder is asked.

use std::{
    fs,
    io::{BufRead as _, BufReader, Write as _},
    path::Path,
    process::{Child, Command, Stdio},
};

use crate::terminal::Terminal;

/// A server over standard streams, with its state in a folder.
struct Server(Child);

impl Server {
    fn start(root: &Path, state: &Path) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_apidisc-tui"));
        command.arg("serve").arg(root).env("APIDISC_CACHE", "off").env("XDG_STATE_HOME", state).env("HOME", state);
        let streams = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        Self(streams.spawn().unwrap())
    }

    /// Calls a tool, and waits for the answer.
    fn call(&mut self, tool: &str, arguments: &str) -> String {
        let meta = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"journey","version":"7"},"io.modelcontextprotocol/clientCapabilities":{}}"#;
        let request = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"{tool}","arguments":{arguments},{meta}}}}}"#
        );
        writeln!(self.0.stdin.as_mut().unwrap(), "{request}").unwrap();
        let mut line = String::new();
        let mut output = BufReader::with_capacity(1, self.0.stdout.as_mut().unwrap());
        output.read_line(&mut line).unwrap();
        line
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_request_appears_while_the_page_is_open() {
    let (root, state) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    fs::write(root.path().join("api.py"), "def first(alpha, beta=1): ...\nfirst(1)\nfirst(2, beta=3)\n").unwrap();
    let state_text = state.path().to_str().unwrap();
    let environment = [("XDG_STATE_HOME", state_text), ("HOME", state_text)];
    let mut terminal = Terminal::open(120, 30, &[root.path().to_str().unwrap()], &environment);
    terminal.wait_for(" 2 calls into");
    terminal.send("A");
    terminal.wait_for("no agent has asked");
    terminal.wait_for("--print-config claude-code");
    let mut server = Server::start(root.path(), state.path());
    let answer = server.call("get_module_help", r#"{"module_name":"api"}"#);
    assert!(answer.contains("def first"), "{answer}");
    terminal.wait_for("journey 7");
    terminal.wait_for("1 session, 1 live");
    terminal.wait_for("def first(alpha, beta=1)");
    server.call("search_symbols", r#"{"query":"first"}"#);
    terminal.wait_for("2 requests");
    terminal.wait_for("search_symbols");
    // The session is shown as ended once the server is gone.
    drop(server);
    terminal.wait_for("1 session, 0 live");
    terminal.send("\r");
    terminal.wait_for("api.first");
    terminal.send("\r");
    terminal.wait_for("function first");
    terminal.send("qqq");
    terminal.assert_given_back(0);
    // A new explorer shows the session that has ended.
    let mut terminal = Terminal::open(120, 30, &[root.path().to_str().unwrap()], &environment);
    terminal.wait_for(" 2 calls into");
    terminal.send("A");
    terminal.wait_for("1 session, 0 live");
    terminal.send("qq");
    terminal.assert_given_back(0);
}
