//! A client that writes the messages of the protocol byte by byte, over standard streams or HTTP.

use std::{
    ffi::OsStr,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{SocketAddr, TcpStream},
    path::Path,
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::{self, Receiver},
    thread,
    time::Duration,
};

use serde_json::{Value, json};

/// The longest wait for the server; a longer one fails the test.
const PATIENCE: Duration = Duration::from_mins(1);

/// The two revisions of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Era {
    /// 2025-11-25: a handshake, then requests.
    Legacy,
    /// 2026-07-28: no handshake; every request names the version and the capabilities of the client.
    Modern,
}

impl Era {
    pub(crate) const BOTH: [Self; 2] = [Self::Legacy, Self::Modern];

    fn version(self) -> &'static str {
        match self {
            Self::Legacy => "2025-11-25",
            Self::Modern => "2026-07-28",
        }
    }

    /// The parameters with what this era adds to them.
    pub(crate) fn parameters(self, mut parameters: Value) -> Value {
        if self == Self::Modern {
            let meta = &mut parameters["_meta"];
            meta["io.modelcontextprotocol/protocolVersion"] = self.version().into();
            meta["io.modelcontextprotocol/clientInfo"] = json!({"name": "test", "version": "1"});
            meta["io.modelcontextprotocol/clientCapabilities"] = json!({});
        }
        parameters
    }
}

/// The binary with `serve` and these arguments. It keeps no log of requests in the folder of the user.
pub(crate) fn command<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_apidisc-tui"));
    command.arg("serve").args(arguments).env("APIDISC_CACHE", "off").env("APIDISC_REQUESTS", "off");
    command.env("XDG_STATE_HOME", env!("CARGO_TARGET_TMPDIR"));
    command
}

/// The bytes of `--export`.
pub(crate) fn export(folder: &Path, options: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_apidisc-tui"));
    let output = command.arg("--export").args(options).arg(folder).env("APIDISC_CACHE", "off").output().unwrap();
    assert!(output.status.success(), "{options:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// A server over standard streams.
pub(crate) struct Server {
    process: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
    era: Era,
    last_id: u64,
    /// The messages that were no answers, in order.
    pub(crate) notifications: Vec<Value>,
}

impl Server {
    /// Starts a server. In the older era the handshake is done.
    pub(crate) fn start<S: AsRef<OsStr>>(era: Era, arguments: impl IntoIterator<Item = S>) -> Self {
        Self::start_by(era, command(arguments))
    }

    /// Starts a server in an environment with these variables.
    pub(crate) fn start_with<S: AsRef<OsStr>>(
        era: Era,
        arguments: impl IntoIterator<Item = S>,
        variables: &[(&str, &Path)],
    ) -> Self {
        let mut command = command(arguments);
        command.envs(variables.iter().copied());
        Self::start_by(era, command)
    }

    /// Starts a server by a command with `serve`.
    pub(crate) fn start_by(era: Era, mut command: Command) -> Self {
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let (input, output) = (process.stdin.take(), process.stdout.take().unwrap());
        let (sender, messages) = mpsc::channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                // Standard output carries the protocol and nothing else.
                let message: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("no message: {line}"));
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let mut server = Self { process, input, messages, era, last_id: 0, notifications: Vec::new() };
        if era == Era::Legacy {
            let answer = server.ask("initialize", handshake(era));
            assert_eq!(answer["result"]["protocolVersion"], era.version());
            server.write_message(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        }
        server
    }

    /// Writes a line as it is.
    pub(crate) fn write(&mut self, line: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(line).unwrap();
        input.write_all(b"\n").unwrap();
        input.flush().unwrap();
    }

    pub(crate) fn write_message(&mut self, message: &Value) {
        self.write(message.to_string().as_bytes());
    }

    /// Writes a request, and returns its number.
    pub(crate) fn send(&mut self, method: &str, parameters: Value) -> u64 {
        self.last_id += 1;
        let parameters = self.era.parameters(parameters);
        self.write_message(&json!({"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": parameters}));
        self.last_id
    }

    /// The next message.
    pub(crate) fn next(&mut self) -> Value {
        self.messages.recv_timeout(PATIENCE).expect("a message")
    }

    /// The answer to a request.
    pub(crate) fn answer(&mut self, id: u64) -> Value {
        loop {
            let message = self.next();
            if message["id"] == id {
                return message;
            }
            self.notifications.push(message);
        }
    }

    /// Writes a request and waits for its answer.
    pub(crate) fn ask(&mut self, method: &str, parameters: Value) -> Value {
        let id = self.send(method, parameters);
        self.answer(id)
    }

    /// The result of a call of a tool.
    #[allow(clippy::needless_pass_by_value, reason = "tests write the arguments in place")]
    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let answer = self.ask("tools/call", json!({"name": tool, "arguments": arguments}));
        assert!(answer["result"].is_object(), "{tool}: {answer}");
        answer["result"].clone()
    }

    /// The text of a call that succeeds.
    pub(crate) fn text(&mut self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments);
        assert_ne!(result["isError"], true, "{tool}: {result}");
        only_text(&result)
    }

    /// The text of a call that fails.
    pub(crate) fn problem(&mut self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], true, "{tool}: {result}");
        only_text(&result)
    }

    /// Closes standard input, and waits for the end of the process.
    pub(crate) fn close(mut self) -> bool {
        drop(self.input.take());
        self.process.wait().unwrap().success()
    }

    /// Closes both pipes at once, as a client that crashes does, and waits for the end of the process.
    pub(crate) fn vanish(mut self) -> std::process::ExitStatus {
        drop(self.input.take());
        drop(std::mem::replace(&mut self.messages, mpsc::channel().1));
        self.process.wait().unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The text of a result that has one text block and nothing else.
pub(crate) fn only_text(result: &Value) -> String {
    let content = result["content"].as_array().unwrap();
    assert_eq!(content.len(), 1, "{result}");
    assert_eq!(content[0].as_object().unwrap().len(), 2, "{result}");
    content[0]["text"].as_str().unwrap().to_owned()
}

fn handshake(era: Era) -> Value {
    json!({
        "protocolVersion": era.version(),
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    })
}

/// A server over HTTP.
pub(crate) struct HttpServer {
    process: Child,
    pub(crate) address: SocketAddr,
}

/// A response over HTTP.
#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl HttpServer {
    /// Starts a server on a free port.
    pub(crate) fn start<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Self {
        let mut command = command(["--http", "127.0.0.1:0"]);
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut process = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(process.stderr.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.split("http://").nth(1).and_then(|rest| rest.split('/').next());
        let address = address.unwrap_or_else(|| panic!("no address: {line}")).parse().unwrap();
        Self { process, address }
    }

    /// Posts a body with these headers.
    pub(crate) fn post(&self, headers: &[(&str, &str)], body: &[u8]) -> Response {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let has_host = headers.iter().any(|(name, _)| *name == "Host");
        let host = if has_host { String::new() } else { format!("Host: {}\r\n", self.address) };
        let given: Vec<String> = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let given = given.concat();
        let head = format!(
            "POST /mcp HTTP/1.1\r\n{host}{given}Content-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        stream.write_all(head.as_bytes()).unwrap();
        // The server may refuse a large body before it has read all of it.
        let _ = stream.write_all(body);
        let mut response = Vec::new();
        let _ = stream.read_to_end(&mut response);
        let response = String::from_utf8_lossy(&response).into_owned();
        let (head, body) = response.split_once("\r\n\r\n").unwrap_or((&response, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        Response { status, head: head.to_owned(), body: body.to_owned() }
    }

    /// Opens the stream of a session, and waits until the server has begun it.
    pub(crate) fn open_stream(&self, session: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let head = format!(
            "GET /mcp HTTP/1.1\r\nHost: {}\r\nMcp-Session-Id: {session}\r\nAccept: text/event-stream\r\n\r\n",
            self.address
        );
        stream.write_all(head.as_bytes()).unwrap();
        let mut begin = [0; 15];
        stream.read_exact(&mut begin).unwrap();
        assert_eq!(&begin, b"HTTP/1.1 200 OK");
        stream
    }

    /// The answer to a request of the current era.
    pub(crate) fn ask(&self, method: &str, parameters: Value, headers: &[(&str, &str)]) -> Response {
        let era = Era::Modern;
        let name = parameters["name"].as_str().map(str::to_owned);
        let parameters = era.parameters(parameters);
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters}).to_string();
        let mut all = vec![("MCP-Protocol-Version", era.version()), ("Mcp-Method", method)];
        if let Some(name) = &name {
            all.push(("Mcp-Name", name));
        }
        self.post(&[&all, headers].concat(), body.as_bytes())
    }

    /// The answer to the handshake of the older era, and the session that it opens.
    pub(crate) fn open_session(&self) -> String {
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": handshake(Era::Legacy)});
        let response = self.post(&[], body.to_string().as_bytes());
        assert_eq!(response.status, 200, "{response:?}");
        let session = response.head.lines().find_map(|line| {
            let (name, value) = line.split_once(": ")?;
            name.eq_ignore_ascii_case("mcp-session-id").then(|| value.to_owned())
        });
        let session = session.unwrap();
        let body = json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string();
        assert_eq!(self.post(&[("Mcp-Session-Id", &session)], body.as_bytes()).status, 202);
        session
    }
}

impl Response {
    /// The last message of the body, which may be JSON or a stream of events, in chunks or not.
    pub(crate) fn message(&self) -> Value {
        let lines = self.body.lines();
        let mut messages =
            lines.filter_map(|line| serde_json::from_str(line.strip_prefix("data: ").unwrap_or(line)).ok());
        messages.rfind(Value::is_object).unwrap_or_else(|| panic!("no message: {self:?}"))
    }
}

impl Drop for HttpServer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
