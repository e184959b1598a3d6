//! `ask` and `agent`: without a model, with prepared replies, and with a server on this machine.

use std::{
    fs,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpListener,
    process::{Command, Stdio},
    thread,
};

use serde_json::{Value, json};

use crate::program::{Outcome, Project, command, outcome, run_on};

fn project() -> Project {
    Project::with(
        "net.py",
        "class Client:\n    def stream(self, path, *, chunk_size=None):\n        \"\"\"Streams a response in pieces.\"\"\"\n",
    )
    .and("a.py", "from net import Client\nClient().stream(\"/big\", chunk_size=10)\n")
}

/// Runs `ask` with the project and further arguments, without a model of the environment.
fn ask(project: &Project, question: &str, more: &[&str]) -> Outcome {
    let path = project.path().display().to_string();
    let words = ["ask", question, &path].into_iter().chain(more.iter().copied());
    outcome(command(words).env_remove("APIDISC_MODEL").env_remove("APIDISC_BASE_URL"))
}

#[test]
fn without_a_model_the_context_is_printed() {
    let project = project();
    let text = ask(&project, "How do I stream a response?", &[]).success();
    assert!(text.contains("## net.Client.stream (net.py:2)") && text.contains("chunk_size"), "{text}");
    let printed = ask(&project, "How do I stream a response?", &["--format", "json", "--max-tokens", "300"]).success();
    let object: Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(object["parts"][0]["source"], "net.py:2");
    assert!(object["tokens"].as_u64().unwrap() <= 300);
    assert!(ask(&project, " ", &[]).failure().contains("empty"));
    assert!(ask(&project, "stream", &["--max-tokens", "-1"]).failure().contains("max_tokens is -1"));
}

#[test]
fn wrong_models_are_said_before_anything_is_read() {
    let project = project();
    let failure = |model: &str| ask(&project, "stream", &["--model", model]).failure();
    assert!(failure("gpt").contains("a model is written PROVIDER:NAME"));
    assert!(failure("opnai:gpt").contains("meant openai?"));
    assert!(ask(&project, "stream", &["--no-model", "--model", "a:b"]).usage_error().contains("--no-model"));
}

#[test]
fn the_budget_of_a_model_is_refused_without_one() {
    for options in [&["--no-model", "--budget", "600"][..], &["--budget", "600"]] {
        let error = ask(&project(), "How do I stream a response?", options).usage_error();
        assert!(error.contains("--budget") && error.contains("--max-tokens"), "{error}");
    }
}

#[test]
fn a_dry_run_prints_the_prompt() {
    let text = ask(&project(), "How do I stream?", &["--dry-run"]).success();
    let tokens: usize = text.split(' ').next().unwrap().parse().unwrap();
    assert!(tokens > 100, "{text}");
    for expected in ["--- system", "--- user\nHow do I stream?", "chunk_size", "get_symbol_source"] {
        assert!(text.contains(expected), "{expected} is not in\n{text}");
    }
}

/// A server that answers each request with the next text, in OpenAI's form. Returns its address.
fn server(replies: &'static [&'static str]) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/v1", listener.local_addr().unwrap());
    thread::spawn(move || {
        for reply in replies {
            let Ok((mut connection, _)) = listener.accept() else { return };
            let mut reader = BufReader::new(&connection);
            let (mut line, mut length) = (String::new(), 0);
            while reader.read_line(&mut line).is_ok() && !line.trim().is_empty() {
                if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
                    length = value.trim().parse().unwrap();
                }
                line.clear();
            }
            reader.read_exact(&mut vec![0; length]).unwrap();
            let event = json!({ "choices": [{ "index": 0, "delta": { "content": reply } }] });
            let _ = write!(
                connection,
                "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\ndata: {event}\n\ndata: [DONE]\n\n"
            );
        }
    });
    address
}

#[test]
fn an_answer_names_its_sources_and_can_be_replayed() {
    let project = project();
    let url = server(&[
        r#"{"tool": "get_symbol_source", "args": {"symbol": "Client.stream"}}"#,
        "Call `Client().stream(\"/big\", chunk_size=10)` [net.py:2], not [net.py:99].\u{1b}[31m",
    ]);
    let folder = tempfile::tempdir().unwrap();
    let transcript = folder.path().join("run.jsonl");
    let file = transcript.to_str().unwrap();
    let more = ["--model", "llama.cpp:small", "--base-url", &url, "--transcript", file];
    let expected =
        "Call `Client().stream(\"/big\", chunk_size=10)` [net.py:2], not [net.py:99] (not read).\\u{1b}[31m\n";
    assert_eq!(ask(&project, "How do I stream?", &more).success(), expected);
    assert!(fs::read_to_string(&transcript).unwrap().lines().count() > 6);

    let again = ask(&project, "How do I stream?", &["--replay", file, "--format", "json"]).success();
    let object: Value = serde_json::from_str(&again).unwrap();
    let sources = json!([
        { "source": "net.py:2", "place": "net.py:2", "was_read": true },
        { "source": "net.py:99", "place": "net.py:99", "was_read": false }
    ]);
    assert_eq!((&object["sources"], &object["ending"]), (&sources, &json!("answered")));
}

#[test]
fn an_answer_without_a_source_is_said_to_have_none() {
    let project = project();
    let url = server(&["Call `Client().stream(path)`."]);
    // In the text of replies, tools are part of the prompt for any model.
    let more = ["--tool-calls", "text", "--model", "llama.cpp:small", "--base-url", &url];
    let run = ask(&project, "How do I stream?", &more);
    assert!(run.stderr.contains("the answer names no source that was read"), "{}", run.stderr);
    assert_eq!(run.success(), "Call `Client().stream(path)`.\n");
    let prompt = ask(&project, "How do I stream?", &["--dry-run", "--tool-calls", "text"]).success();
    assert!(prompt.contains("To call a tool, reply with nothing but this JSON"), "{prompt}");
}

#[test]
fn an_agent_reads_the_project_and_nothing_else() {
    let project = project();
    let url = server(&[
        r#"{"tool": "read_project_file", "args": {"name": "../../../etc/passwd"}}"#,
        r#"{"tool": "read_project_file", "args": {"name": "a.py"}}"#,
        r##"{"tool": "terminate", "args": {"message": "# net\nStreams."}}"##,
    ]);
    let path = project.path().display().to_string();
    let words = ["agent", "readme", "Write it", &path, "--model", "llama.cpp:small", "--base-url", &url];
    let run = outcome(&mut command(words));
    assert!(run.stderr.contains("is outside of the project"), "{}", run.stderr);
    assert_eq!(run.success(), "# net\nStreams.\n");

    let without = ["agent", "analysis", "Look", &path];
    assert!(outcome(command(without).env_remove("APIDISC_MODEL")).failure().contains("no model is configured"));
    assert!(outcome(&mut command(["agent", "analysis", " ", &path, "--dry-run"])).failure().contains("task is empty"));
}

#[test]
fn no_secret_of_the_project_reaches_a_model_or_a_transcript_unless_it_is_allowed() {
    let project =
        project().and(".env", "KEY=w0rd\n").and("private.py", "KEY = 'w0rd'\n").and(".gitignore", "private.py\n");
    let replies = &[
        r#"{"tool": "read_project_file", "args": {"name": ".env"}}"#,
        r#"{"tool": "read_project_file", "args": {"name": "private.py"}}"#,
        r#"{"tool": "terminate", "args": {"message": "done"}}"#,
    ];
    let path = project.path().display().to_string();
    let kept = tempfile::tempdir().unwrap();
    let transcript = kept.path().join("run.jsonl");
    let run = |more: &[&str]| {
        let url = server(replies);
        let words = ["agent", "readme", "Write it", &path, "--model", "llama.cpp:small", "--base-url", &url];
        let run = outcome(command(words).arg("--transcript").arg(&transcript).args(more));
        (run.stderr.clone(), run.success(), fs::read_to_string(&transcript).unwrap())
    };
    let (steps, _, lines) = run(&[]);
    assert!(steps.contains("--allow-file .env") && steps.contains("--allow-file private.py"), "{steps}");
    assert!(!lines.contains("w0rd"), "{lines}");
    let (_, _, lines) = run(&["--allow-file", ".env", "--allow-file", "private.py"]);
    assert_eq!(lines.matches("KEY=w0rd").count() + lines.matches("KEY = 'w0rd'").count(), 2, "{lines}");
}

#[test]
fn a_question_reads_files_of_secrets_only_if_they_are_allowed() {
    let project = project().and(".env", "KEY=w0rd\n");
    let run = |more: &[&str]| {
        let url = server(&[r#"{"tool": "get_symbol_source", "args": {"file_path": ".env"}}"#, "It is there [.env:1]."]);
        ask(&project, "Which key?", &[&["--model", "llama.cpp:small", "--base-url", &url], more].concat())
    };
    assert!(run(&[]).stderr.contains("--allow-file .env"));
    assert_eq!(run(&["--allow-file", ".env"]).success(), "It is there [.env:1].\n");
}

/// The key of each provider would go with a redirect.
#[test]
fn no_key_goes_where_a_server_redirects() {
    let project = project();
    let other = TcpListener::bind("127.0.0.1:0").unwrap();
    other.set_nonblocking(true).unwrap();
    let elsewhere = other.local_addr().unwrap();
    for (provider, key) in
        [("anthropic", "ANTHROPIC_API_KEY"), ("gemini", "GEMINI_API_KEY"), ("openai", "OPENAI_API_KEY")]
    {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let answers = thread::spawn(move || {
            let (mut connection, _) = listener.accept().unwrap();
            let mut request = vec![0; 1 << 16];
            let length = connection.read(&mut request).unwrap();
            let _ =
                write!(connection, "HTTP/1.1 307 Moved\r\nLocation: http://{elsewhere}/\r\nContent-Length: 0\r\n\r\n");
            String::from_utf8_lossy(&request[..length]).into_owned()
        });
        let path = project.path().display().to_string();
        let model = format!("{provider}:a");
        let run = outcome(command(["ask", "stream", &path, "--model", &model, "--base-url", &url]).env(key, "k-w0rd"));
        assert!(
            run.stderr.contains(&format!("redirects to {elsewhere}"))
                || run.stdout.contains(&format!("redirects to {elsewhere}")),
            "{run:?}"
        );
        assert!(!run.stderr.contains("k-w0rd") && !run.stdout.contains("k-w0rd"), "{run:?}");
        assert!(answers.join().unwrap().contains("k-w0rd"));
        assert!(other.accept().is_err(), "{provider} asked the other server");
    }
}

/// A server that accepts one request, says so by the returned receiver, and then sends the beginning of an answer only.
#[cfg(unix)]
fn slow_server() -> (String, std::sync::mpsc::Receiver<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/v1", listener.local_addr().unwrap());
    let (sender, receiver) = std::sync::mpsc::channel();
    thread::spawn(move || {
        let Ok((mut connection, _)) = listener.accept() else { return };
        let _ = connection.read(&mut [0; 1024]);
        let _ = write!(connection, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n: wait\n\n");
        sender.send(()).unwrap();
        // The connection stays open until the client closes it.
        let _ = connection.read_to_end(&mut Vec::new());
    });
    (address, receiver)
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_run_with_what_it_found() {
    let project = project();
    let (url, request) = slow_server();
    let transcript = project.path().join("run.jsonl");
    let words = ["ask", "How do I stream?", project.path().to_str().unwrap(), "--model", "llama.cpp:small"];
    let mut program = command(words);
    program.args(["--base-url", &url, "--transcript", transcript.to_str().unwrap()]);
    let child = program.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    request.recv().unwrap();
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(sent.success() && output.status.code() == Some(1), "{:?}\n{stderr}", output.status);
    assert!(stderr.contains("the run was stopped"), "{stderr}");
    let lines = fs::read_to_string(&transcript).unwrap();
    let last: Value = serde_json::from_str(lines.lines().last().unwrap()).unwrap();
    assert_eq!((&last["event"], &last["ending"]), (&json!("ended"), &json!("stopped")));
}

#[test]
fn operations_of_api_documents_are_part_of_the_context() {
    let document = "openapi: 3.0.0\ninfo: { title: Pets, version: '1' }\npaths:\n  /pets:\n    post:\n      \
                    operationId: createPet\n      summary: Create a pet\n      parameters:\n        - { name: dry_run, \
                    in: query, schema: { type: boolean } }\n      responses: { '201': { description: made } }\n";
    let apart = Project::with("api.yaml", document);
    let docs = apart.path().display().to_string();
    let text = ask(&project(), "How do I create a pet?", &["--docs", &docs]).success();
    assert!(text.contains("POST /pets") && text.contains("dry_run") && text.contains("api.yaml:5"), "{text}");
    // Those in the sources count, too.
    let own = project().and("api.yaml", document);
    assert!(ask(&own, "How do I create a pet?", &[]).success().contains("POST /pets"));
    let empty = tempfile::tempdir().unwrap();
    let failure = ask(&project(), "x", &["--docs", empty.path().to_str().unwrap()]).failure();
    assert!(failure.contains("no OpenAPI or Swagger document was found"), "{failure}");
}

#[test]
fn code_that_the_sources_do_not_have_is_marked() {
    let url = server(&[
        "```python\nfrom net import Client\nClient().stream(\"/\", size=1)\n```\n",
        "```python\nfrom net import Client\nClient().streams(\"/\")\n```\n",
    ]);
    let more = ["--model", "llama.cpp:small", "--base-url", &url];
    let run = ask(&project(), "How do I stream?", &more);
    assert!(run.stderr.contains("1 mistake in its code is marked"), "{}", run.stderr);
    let expected = "```python\nfrom net import Client\nClient().streams(\"/\")\n```\n\
                    (wrong by the sources: `net.Client` has no attribute `streams`)\n";
    assert_eq!(run.success(), expected);
}

#[test]
fn a_question_may_be_about_a_package() {
    let site = ".venv/lib/python3.12/site-packages";
    let kite = "class Kite:\n    \"\"\"Flies in the wind.\"\"\"\n    def __init__(self, tail, colour=None): ...\n";
    let project = Project::with("app.py", "from kite import Kite\n\ndef own(): ...\n\nKite(3, colour='red')\n")
        .and(".venv/pyvenv.cfg", "version = 3.12\n")
        .and(&format!("{site}/kite.py"), kite);
    let context = ask(&project, "What flies in the wind?", &["--no-model", "--package", "kite"]).success();
    assert!(context.contains("class Kite") && context.contains("site-packages/kite.py:1"), "{context}");
    let found = run_on("discover flies --package kite", project.path()).success();
    assert!(found.contains("kite.Kite"), "{found}");
    let without = run_on("discover flies", project.path()).success();
    assert!(!without.contains("kite.Kite"), "{without}");
    let unknown = run_on("discover flies --package boat", project.path()).failure();
    assert!(unknown.contains("the code uses no package boat; it uses kite"), "{unknown}");
}
