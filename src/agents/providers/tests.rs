//! Requests to a scripted server on this machine that speaks OpenAI's protocol.

use std::{
    fmt::Write as _,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{TcpListener, TcpStream},
    ops::ControlFlow,
    sync::mpsc::{Receiver, channel},
    thread,
    time::Duration,
};

use serde_json::{Value, json};

use super::*;
use crate::{
    agent::{Agent, Unobserved},
    memory::{Memory, ToolCall},
    model::{Model as _, ModelError, ReplyPiece, TokenUse},
    prompt::{AnswerSchema, Message, Prompt, Role},
    registry::Registry,
    tool::Tool,
    transcript::Ending,
};

/// An answer of the server.
struct Scripted {
    status: u16,
    headers: &'static str,
    body: Vec<u8>,
    /// True if the connection stays open in silence after the body.
    hangs: bool,
}

/// Starts a server that answers one request with each element. Returns its address, and the bodies of the requests.
fn server(script: Vec<Scripted>) -> (String, Receiver<Value>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/v1", listener.local_addr().unwrap());
    let (sender, requests) = channel();
    thread::spawn(move || {
        for scripted in script {
            let Ok((mut connection, _)) = listener.accept() else { return };
            let _ = sender.send(body_of(&connection));
            let _ = write!(
                connection,
                "HTTP/1.1 {} Status\r\nContent-Type: text/event-stream\r\nConnection: close\r\n{}\r\n",
                scripted.status, scripted.headers
            );
            let _ = connection.write_all(&scripted.body);
            if scripted.hangs {
                thread::sleep(Duration::from_secs(20));
            }
        }
    });
    (address, requests)
}

fn body_of(connection: &TcpStream) -> Value {
    let mut reader = BufReader::new(connection);
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        if line.trim().is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    serde_json::from_slice(&body).unwrap()
}

fn events(deltas: &[Value], is_whole: bool) -> Scripted {
    let mut body = String::new();
    for delta in deltas {
        let event =
            json!({ "id": "1", "object": "chat.completion.chunk", "choices": [{ "index": 0, "delta": delta }] });
        let _ = write!(body, "data: {event}\n\n");
    }
    if is_whole {
        let usage =
            json!({ "choices": [], "usage": { "prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10 } });
        let _ = write!(body, "data: {usage}\n\ndata: [DONE]\n\n");
    }
    Scripted { status: 200, headers: "", body: body.into(), hangs: false }
}

fn text(pieces: &[&str]) -> Scripted {
    events(&pieces.iter().map(|piece| json!({ "content": piece })).collect::<Vec<_>>(), true)
}

fn failed(status: u16, headers: &'static str, message: &str) -> Scripted {
    let body = json!({ "error": { "message": message } }).to_string();
    Scripted { status, headers, body: body.into(), hangs: false }
}

fn model(address: &str) -> ProviderModel {
    let choice = ModelChoice::parse("llama.cpp:small", Some(address)).unwrap();
    ProviderModel::new(choice, Duration::from_secs(10)).unwrap()
}

/// The same answer, compressed.
fn gzipped(answer: &Scripted) -> Scripted {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(&answer.body).unwrap();
    Scripted { headers: "Content-Encoding: gzip\r\n", body: encoder.finish().unwrap(), ..*answer }
}

fn question() -> Prompt {
    Prompt { messages: vec![Message::new(Role::User, "hello")], ..Prompt::default() }
}

/// A tool that returns its argument.
fn echo() -> Registry {
    let mut tools = Registry::new();
    let schema = json!({ "type": "object", "properties": { "text": { "type": "string" } } });
    tools.register(Tool::from_schema("echo", "Says it again.", schema, |it| Ok(it["text"].clone()))).unwrap();
    tools
}

/// The reply, and the pieces that came before it. Waiting is left out.
fn ask(model: &mut ProviderModel) -> (Result<crate::Reply, ModelError>, Vec<String>) {
    let mut pieces = Vec::new();
    let reply = model.reply(&question(), &mut |piece| {
        match piece {
            ReplyPiece::Text(text) => pieces.push(text.to_owned()),
            ReplyPiece::Restart => pieces.push("(anew)".to_owned()),
            ReplyPiece::Waiting => {}
        }
        ControlFlow::Continue(())
    });
    (reply, pieces)
}

#[test]
fn a_reply_comes_in_pieces() {
    let (address, requests) = server(vec![text(&["Hel", "lo"])]);
    let (reply, pieces) = ask(&mut model(&address));
    let reply = reply.unwrap();
    assert_eq!((reply.text.as_str(), reply.tokens), ("Hello", Some(TokenUse { prompt: 7, reply: 3 })));
    assert_eq!(pieces, ["Hel", "lo"]);
    let request = requests.recv().unwrap();
    assert_eq!((request["model"].as_str(), request["messages"][0]["content"].as_str()), (Some("small"), Some("hello")));
}

#[test]
fn temporary_failures_are_tried_again() {
    let cut = events(&[json!({ "content": "Hel" })], false);
    let (address, _requests) = server(vec![
        failed(429, "Retry-After: 0\r\n", "slow down"),
        failed(503, "retry-after-ms: 1\r\n", "busy"),
        cut,
        text(&["Hello"]),
    ]);
    let (reply, pieces) = ask(&mut model(&address));
    assert_eq!(reply.unwrap().text, "Hello");
    assert_eq!(pieces, ["(anew)", "(anew)", "Hel", "(anew)", "Hello"]);
}

#[test]
fn other_failures_are_said_at_once() {
    let (address, _requests) = server(vec![failed(400, "", "unknown\u{1b}[31m model")]);
    let (reply, _) = ask(&mut model(&address));
    let ModelError::Failed(message) = reply.unwrap_err() else { panic!() };
    assert!(message.ends_with(r": unknown\u{1b}[31m model"), "{message}");

    let (address, _requests) = server(vec![failed(401, "", "wrong key")]);
    assert!(matches!(ask(&mut model(&address)).0, Err(ModelError::Unauthorized(_))));

    let (address, _requests) = server(vec![failed(429, "Retry-After: 3600\r\n", "come back")]);
    assert_eq!(ask(&mut model(&address)).0, Err(ModelError::RateLimited(Some(Duration::from_hours(1)))));
}

#[test]
fn a_waiting_request_can_be_stopped() {
    let (address, _requests) = server(vec![Scripted { hangs: true, ..events(&[json!({ "content": "Hel" })], false) }]);
    let reply = model(&address).reply(&question(), &mut |piece| match piece {
        ReplyPiece::Waiting => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    });
    assert_eq!(reply.unwrap().text, "Hel");
}

#[test]
fn a_stream_that_cannot_be_read_is_asked_for_again() {
    let broken = Scripted { status: 200, headers: "", body: b"data: {\"choices\": [{\n\n".to_vec(), hangs: false };
    let (address, _requests) = server(vec![broken, text(&["Hel", "lo"])]);
    let (reply, pieces) = ask(&mut model(&address));
    assert_eq!((reply.unwrap().text.as_str(), pieces.join("|").as_str()), ("Hello", "(anew)|Hel|lo"));
}

#[test]
fn a_silent_provider_is_given_up() {
    let silent = Scripted { hangs: true, ..events(&[json!({ "content": "Hel" })], false) };
    let (address, requests) = server(vec![silent]);
    let choice = ModelChoice::parse("llama.cpp:small", Some(&address)).unwrap();
    let patience = Duration::from_millis(300);
    let (reply, pieces) = ask(&mut ProviderModel::new(choice, patience).unwrap());
    assert_eq!((reply, pieces), (Err(ModelError::TimedOut(patience)), vec!["Hel".to_owned()]));
    assert_eq!(requests.try_iter().count(), 1);
}

#[test]
fn a_provider_that_sends_not_even_a_status_can_be_stopped() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/v1", listener.local_addr().unwrap());
    let reply = model(&address).reply(&question(), &mut |_| ControlFlow::Break(()));
    assert_eq!(reply.unwrap().text, "");
}

#[test]
fn arguments_of_calls_end() {
    let call = |arguments: &str| {
        let function = json!({ "name": "echo", "arguments": arguments });
        json!({ "tool_calls": [{ "index": 0, "id": "c1", "type": "function", "function": function }] })
    };
    let part = "x".repeat(1 << 16);
    let (address, requests) = server(vec![events(&vec![call(&part); 5], true)]);
    let error = ask(&mut model(&address)).0.unwrap_err().to_string();
    assert_eq!(error, "its thoughts, its calls, or the arguments of a call, do not end");
    assert_eq!(requests.try_iter().count(), 1);
}

#[test]
fn the_number_of_a_call_makes_no_room() {
    let piece = |index: u32, id: Option<&str>, function: Value| json!({ "tool_calls": [{ "index": index, "id": id, "type": "function", "function": function }] });
    let pieces = [
        piece(u32::MAX, Some("c1"), json!({ "name": "echo", "arguments": "{\"text\": " })),
        piece(u32::MAX, None, json!({ "arguments": "\"hi\"}" })),
    ];
    let (address, _requests) = server(vec![events(&pieces, true)]);
    let reply = ask(&mut model(&address)).0.unwrap();
    assert_eq!(reply.calls, [ToolCall { id: "c1".to_owned(), ..ToolCall::new("echo", json!({ "text": "hi" })) }]);
}

#[test]
fn a_run_ends_within_a_stream_when_its_time_is_over() {
    let stream = Scripted { hangs: true, ..events(&[json!({ "content": "Hel" })], false) };
    let (address, _requests) = server(vec![stream]);
    let mut agent = Agent::new(Vec::new(), Registry::new(), Box::new(model(&address)));
    agent.limits.time = Some(Duration::from_millis(300));
    assert_eq!(agent.run("go", Memory::new(), &mut Unobserved).ending, Ending::Time(0));
}

#[test]
fn endless_calls_over_the_network_end() {
    let call = |n: usize| {
        let function = json!({ "name": "echo", "arguments": format!("{{\"text\": \"{n}\"}}") });
        events(&[json!({ "tool_calls": [{ "index": 0, "id": "c", "type": "function", "function": function }] })], true)
    };
    let (address, _requests) = server((0..9).map(call).collect());
    let mut agent = Agent::new(Vec::new(), echo(), Box::new(model(&address)));
    agent.limits.iterations = 3;
    let run = agent.run("go", Memory::new(), &mut Unobserved);
    assert_eq!(run.ending, Ending::Iterations(3));
    assert!(run.answer.ends_with("- echo {\"text\":\"2\"} → 2"), "{}", run.answer);
}

#[test]
fn an_endless_reply_is_broken_off() {
    let (address, _requests) = server(vec![text(&["x".repeat(1 << 16).as_str(); 40])]);
    let length = ask(&mut model(&address)).0.unwrap().text.len();
    assert!((1 << 20..2 << 20).contains(&length), "{length}");
}

#[test]
fn a_compressed_reply_is_read_and_ends_at_the_limits_of_its_plain_text() {
    let (address, _requests) = server(vec![gzipped(&text(&["Hel", "lo"]))]);
    assert_eq!(ask(&mut model(&address)).0.unwrap().text, "Hello");

    let plain = |status, body| Scripted { status, headers: "", body, hangs: false };
    let line = || vec![b'x'; 5 << 20];
    let events = || [b": ".to_vec(), vec![b'x'; 1 << 20], b"\n\n".to_vec()].concat().repeat(33);
    for (provider, answer, limit) in [
        ("llama.cpp:a", gzipped(&plain(200, line())), "longer than 4 MiB"),
        ("cohere:a", gzipped(&plain(200, line())), "longer than 4 MiB"),
        ("mistral:a", plain(200, line()), "longer than 4 MiB"),
        ("anthropic:a", gzipped(&plain(200, events())), "longer than 32 MiB"),
        ("gemini:a", plain(200, events()), "longer than 32 MiB"),
        // The text of a failure is bounded, too.
        ("ollama:a", gzipped(&plain(500, line())), "longer than 4 MiB"),
        ("openai:a", gzipped(&plain(400, events())), "longer than 32 MiB"),
    ] {
        let (address, requests) = server(vec![answer]);
        let choice = ModelChoice::parse(provider, Some(&address)).unwrap();
        let error = ask(&mut ProviderModel::new(choice, Duration::from_mins(1)).unwrap()).0.unwrap_err();
        assert!(error.to_string().contains(limit), "{provider}: {error}");
        assert_eq!(requests.try_iter().count(), 1, "{provider}");
    }
}

#[test]
fn no_redirect_is_followed() {
    let other = TcpListener::bind("127.0.0.1:0").unwrap();
    other.set_nonblocking(true).unwrap();
    let elsewhere = other.local_addr().unwrap();
    let location: &'static str = format!("Location: http://me:w0rd@{elsewhere}/v2/next?key=w0rd\r\n").leak();
    for (provider, status) in [
        ("openai", 307),
        ("anthropic", 308),
        ("gemini", 302),
        ("ollama", 301),
        ("cohere", 303),
        ("bedrock", 307),
        ("mistral", 300),
        ("deepseek", 399),
    ] {
        let redirect = Scripted { status, headers: location, body: Vec::new(), hangs: false };
        let (address, requests) = server(vec![redirect]);
        let choice = ModelChoice::parse(&format!("{provider}:a"), Some(&address)).unwrap();
        let error = ask(&mut ProviderModel::new(choice, Duration::from_mins(1)).unwrap()).0.unwrap_err().to_string();
        let here = address.trim_start_matches("http://").trim_end_matches("/v1");
        let said = format!("{here} redirects to {elsewhere} (status {status}); no redirect is followed");
        assert!(error.starts_with(&said) && error.contains(&format!("--base-url http://{elsewhere}")), "{error}");
        assert!(!error.contains("w0rd"), "{error}");
        assert_eq!(requests.try_iter().count(), 1, "{provider}");
        assert!(other.accept().is_err(), "{provider} asked the other server");
    }
}

#[test]
fn an_agent_calls_tools_over_the_network() {
    let call = json!({ "tool_calls": [{
        "index": 0, "id": "c1", "type": "function", "function": { "name": "echo", "arguments": "{\"text\": \"hi\"}" }
    }] });
    let (address, requests) = server(vec![events(&[call], true), text(&["It said hi."])]);
    let run = Agent::new(Vec::new(), echo(), Box::new(model(&address))).run("go", Memory::new(), &mut Unobserved);
    assert_eq!((run.ending, run.answer.as_str()), (Ending::Answered, "It said hi."));
    assert_eq!(run.tokens, TokenUse { prompt: 14, reply: 6 });

    let (first, second) = (requests.recv().unwrap(), requests.recv().unwrap());
    assert_eq!(first["tools"][0]["function"]["name"], "echo");
    let messages = second["messages"].as_array().unwrap();
    let [.., asked, answered] = &messages[..] else { panic!() };
    assert_eq!((&asked["tool_calls"][0]["id"], &answered["tool_call_id"]), (&json!("c1"), &json!("c1")));
    assert_eq!(answered["content"], "<tool_result tool=\"echo\">\nhi\n</tool_result>");
}

#[test]
fn to_a_model_without_function_calling_tools_are_described() {
    let refusals = [
        (400, "registry/library/gemma:2b does not support tools"),
        (500, "tools param requires --jinja flag"),
        (404, "No endpoints found that support tool use."),
    ];
    for (status, message) in refusals {
        let in_text = r#"{"tool": "echo", "args": {"text": "hi"}}"#;
        let (address, requests) = server(vec![failed(status, "", message), text(&[in_text]), text(&["It said hi."])]);
        let run = Agent::new(Vec::new(), echo(), Box::new(model(&address))).run("go", Memory::new(), &mut Unobserved);
        assert_eq!((run.ending, run.answer.as_str()), (Ending::Answered, "It said hi."));
        let has_tools: Vec<bool> = requests.try_iter().map(|request| request.get("tools").is_some()).collect();
        assert_eq!(has_tools, [true, false, false]);
    }
}

#[derive(Debug, PartialEq, serde::Deserialize, schemars::JsonSchema)]
struct Verdict {
    /// True if the code is right.
    is_right: bool,
}

#[test]
fn an_answer_has_the_form_that_is_asked_for() {
    let (address, requests) = server(vec![text(&["{\"is_right\":", " true}"])]);
    let mut agent = Agent::new(Vec::new(), Registry::new(), Box::new(model(&address)));
    agent.answer = Some(AnswerSchema::of::<Verdict>("verdict"));
    let run = agent.run("Is it right?", Memory::new(), &mut Unobserved);
    assert_eq!(run.parsed::<Verdict>(), Ok(Verdict { is_right: true }));
    let request = requests.recv().unwrap();
    let form = &request["response_format"]["json_schema"];
    assert_eq!(
        (&form["name"], &form["schema"]["properties"]["is_right"]["type"]),
        (&json!("verdict"), &json!("boolean"))
    );
}

#[test]
fn a_choice_says_what_is_wrong_with_it() {
    let error = |written: &str, url: Option<&str>| ModelChoice::parse(written, url).unwrap_err().to_string();
    assert!(error("gpt-5", None).starts_with("a model is written PROVIDER:NAME"));
    assert!(error("openai:", None).starts_with("a model is written PROVIDER:NAME"));
    assert!(error("antropic:claude", None).starts_with("there is no provider \"antropic\"; meant anthropic?"));
    assert!(error("openai:x", Some("localhost:80")).contains("is no address of a server"));
    for url in ["ftp://me:w0rd@h/v1", "https://me:w0rd@", "https://h/v1?key=w0rd", "http://h/v1#w0rd"] {
        let said = error("openai:x", Some(url));
        assert!(said.contains("is no address of a server") && !said.contains("w0rd"), "{said}");
    }
    let choice = ModelChoice::parse("Ollama: qwen3:8b ", None).unwrap();
    assert_eq!((choice.to_string().as_str(), choice.check_key()), ("ollama:qwen3:8b", Ok(())));
}

#[test]
fn a_key_is_in_no_message() {
    let error = genai::Error::HttpError {
        status: reqwest::StatusCode::UNAUTHORIZED,
        canonical_reason: String::new(),
        body: "Incorrect API key provided: sk-secret".to_owned(),
        headers: Box::default(),
    };
    let ModelError::Unauthorized(message) = failure::Failure::of(&error, Some("sk-secret")).into_error() else {
        panic!()
    };
    assert!(message.ends_with("Incorrect API key provided: (key)"), "{message}");
    // Arguments that are no object are passed on: the tool refuses them.
    let call = genai::chat::ToolCall {
        call_id: "1".to_owned(),
        fn_name: "echo".to_owned(),
        fn_arguments: json!("{broken"),
        thought_signatures: None,
    };
    assert_eq!(request::call(&call), ToolCall { id: "1".to_owned(), ..ToolCall::new("echo", json!("{broken")) });
}
