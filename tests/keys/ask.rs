//! The page of questions: asking without a model and with prepared replies, stopping, following sources, earlier
//! conversations.

use std::sync::Arc;

use apidisc::{control::Control, indexer, source::Source};
use apidisc_agents::{Limits, Prepared, Reply, ToolCall};
use apidisc_tui::tui::{
    Assistant, geometry,
    input::{Mouse, MouseAction},
    message::Message,
    model::ask::{Answered, AskNews, AskPage, AskStep},
};
use serde_json::json;

use crate::support::drive::Explorer;

/// An assistant that gives these replies to every question.
fn assistant(replies: Vec<Reply>) -> Assistant {
    let open = move || Ok(Box::new(Prepared::new(replies.clone())) as Box<dyn apidisc_agents::Model>);
    Assistant { name: "test:prepared".to_owned(), limits: Limits::default(), open: Arc::new(open) }
}

const LIBRARY: &str = r#"
class Client:
    """Sends requests."""

    def stream(self, path, *, chunk_size=None):
        """Streams the body of a response in pieces."""

    def close(self):
        """Closes the connection."""
"#;
const PROGRAM: &str = "from kit import Client\n\nClient().stream('/big', chunk_size=10)\nClient().close()\n";

/// The explorer on a small library, without an assistant.
fn small(columns: u16, rows: u16) -> Explorer {
    let files =
        [("kit/__init__.py", "from ._client import Client\n"), ("kit/_client.py", LIBRARY), ("main.py", PROGRAM)];
    let files = files.iter().map(|&(path, text)| (path.to_owned(), text.as_bytes().to_vec().into())).collect();
    let source = Source::Memory { name: "m".to_owned(), files };
    let index = indexer::build(&source, &mut |_| Control::Continue).expect("a source").expect("an index");
    let mut explorer = Explorer::new(columns, rows);
    explorer.source = Some(source);
    explorer.index(index);
    explorer
}

/// The same with an assistant that gives these replies.
fn with_model(replies: Vec<Reply>) -> Explorer {
    let mut explorer = small(120, 40);
    explorer.assistant = Some(assistant(replies));
    explorer.model.ask = AskPage::new(Some("test:prepared".to_owned()));
    explorer
}

fn read_call() -> Reply {
    let call = ToolCall::new("get_symbol_source", json!({ "symbol": "Client.stream" }));
    Reply { text: "I look.".to_owned(), calls: vec![call], tokens: None }
}

fn last_copied(explorer: &Explorer) -> &str {
    explorer.performed.iter().rev().find_map(|what| what.strip_prefix("copied ")).expect("a copy")
}

#[test]
fn without_a_model_the_context_is_shown_at_once() {
    let mut explorer = small(120, 40);
    explorer.keys("<C-a>");
    assert!(explorer.text().contains("APIDISC_MODEL=PROVIDER:NAME"), "{}", explorer.text());
    explorer.keys("stream a response<Enter>");
    let text = explorer.text();
    assert!(text.contains("stream a response") && text.contains("kit.Client.stream"), "{text}");
    let turn = explorer.model.ask.last().expect("a question");
    assert!(turn.sources.iter().any(|source| source.name == "kit.Client.stream"), "{:?}", turn.sources);
    assert!(turn.note.contains("tokens, found without a model; APIDISC_MODEL"), "{}", turn.note);
    assert!(turn.answer.starts_with("## "), "{}", turn.answer);
    assert!(turn.colours.iter().any(|runs| runs.len() > 1), "code is coloured");
    assert!(!explorer.model.ask.is_typing && explorer.model.ask.running.is_none());
    // The sources are below the answer, one key away.
    explorer.keys("<Tab>");
    let source = explorer.model.ask.selected_source().expect("a source");
    assert_eq!(Some(source), explorer.model.ask.last().and_then(|turn| turn.sources.first()));
    assert!(explorer.text().contains("Sources"), "{}", explorer.text());
}

#[test]
fn what_is_selected_is_named_to_the_model() {
    let mut explorer = small(120, 40);
    explorer.keys("fClient kind:class<Enter><C-a>");
    assert!(explorer.text().contains("Ask about kit.Client"), "{}", explorer.text());
    explorer.holds_answers = true;
    explorer.keys("how?<Enter>");
    assert_eq!(explorer.model.ask.last().expect("a question").about, "kit.Client");
    // Without what is selected, the question is about everything.
    let mut explorer = small(120, 40);
    explorer.keys("fClient kind:class<Enter><C-a><Backspace>");
    assert!(!explorer.text().contains("Ask about"), "{}", explorer.text());
}

#[test]
fn the_stub_of_what_is_selected_comes_first() {
    let mut explorer = small(120, 40);
    explorer.keys("fclose kind:method<Enter><C-a>stream a response<Enter>");
    let turn = explorer.model.ask.last().expect("a question");
    let names: Vec<&str> = turn.sources.iter().map(|source| source.name.as_str()).take(2).collect();
    assert_eq!(names, ["kit.Client.close", "kit.Client.stream"]);
    assert!(turn.answer.starts_with("## kit.Client.close (kit/_client.py:8)\n```py\n"), "{}", turn.answer);
}

#[test]
fn a_model_is_watched_and_its_sources_are_gone_to() {
    let answer = "Call it:\n\n```python\nclient.stream()\n```\n\nSee [kit/_client.py:5] and [made/up.py:3].";
    let mut explorer = with_model(vec![read_call(), Reply::text(answer)]);
    explorer.keys("<C-a>how do I read?<Enter>");
    let text = explorer.text();
    for expected in ["get_symbol_source", "Client.stream", " tokens", "client.stream()", "not read", "test:prepared"] {
        assert!(text.contains(expected), "{expected} is not in\n{text}");
    }
    assert!(!text.contains("I look."), "what a model says before a call is no answer\n{text}");
    let turn = explorer.model.ask.last().expect("a question");
    assert_eq!(turn.steps.len(), 1);
    let sources: Vec<(&str, bool)> =
        turn.sources.iter().map(|source| (source.name.as_str(), source.was_read)).collect();
    assert_eq!(sources, [("kit.Client.stream", true), ("", false)]);
    explorer.keys("<Tab><Tab><Enter>");
    assert!(explorer.text().contains("made/up.py:3 is not in the index"), "{}", explorer.text());
}

#[test]
fn a_definition_at_a_source_has_its_page_over_the_question() {
    let mut explorer = small(120, 40);
    explorer.keys("<C-a>stream a response<Enter><Tab><Enter>");
    assert!(explorer.model.page.is_some(), "{}", explorer.text());
    explorer.keys("<Esc>");
    assert!(explorer.model.ask.is_open && explorer.model.page.is_none());
    explorer.keys("<Enter>[");
    assert!(explorer.model.ask.is_open && explorer.model.page.is_none(), "going back returns, too");
    explorer.keys("o");
    assert!(
        explorer.performed.last().is_some_and(|what| what.starts_with("opened kit/_client.py:")),
        "{:?}",
        explorer.performed
    );
}

#[test]
fn the_code_under_the_selection_or_the_whole_answer_is_copied() {
    let answer = "First:\n```python\na = 1\nb = 2\n```\nthen\n```\nc\n```";
    let mut explorer = with_model(vec![Reply::text(answer)]);
    explorer.keys("<C-a>how?<Enter>y");
    assert_eq!(last_copied(&explorer), format!("{answer}\n"));
    // The question, the text, and the second line of the code.
    explorer.keys("gjjjy");
    assert_eq!(last_copied(&explorer), "a = 1\nb = 2\n");
    explorer.keys("jjy");
    assert_eq!(last_copied(&explorer), "c\n");
}

#[test]
fn a_further_question_continues_the_conversation() {
    let mut explorer = with_model(vec![Reply::text("An answer.")]);
    explorer.keys("<C-a>first?<Enter>");
    let entries = explorer.model.ask.memory.entries(None).len();
    assert_eq!(entries, 2);
    explorer.keys("/second?<Enter>");
    let ask = &explorer.model.ask;
    assert_eq!((ask.conversation.turns.len(), ask.memory.entries(None).len()), (2, 4));
    let said = ask.memory.entries(None)[2].content();
    assert_eq!(said, "second?", "the model has the context of the first question");
    assert!(explorer.text().contains("first?") && explorer.text().contains("second?"), "{}", explorer.text());
}

#[test]
fn a_conversation_is_found_again_and_goes_on() {
    let mut explorer = with_model(vec![Reply::text("An answer.")]);
    explorer.now = 1_000_000;
    explorer.keys("<C-a>first?<Enter><C-a>");
    assert!(explorer.text().contains("Earlier questions") && explorer.text().contains("first?"), "{}", explorer.text());
    explorer.keys("<Down><Enter>");
    assert!(explorer.text().contains("An answer."), "{}", explorer.text());
    explorer.keys("<Enter>again?<Enter>");
    assert_eq!(explorer.kept.len(), 1, "it is the same conversation");
    assert_eq!(explorer.kept[0].turns.len(), 2);
    let said = explorer.model.ask.memory.entries(None)[2].content().to_owned();
    assert!(said.starts_with("again?\n\n<tool_result"), "the model gets the context: {said}");
}

#[test]
fn a_model_that_cannot_be_asked_says_why_and_the_context_is_shown() {
    let mut explorer = with_model(Vec::new());
    explorer.keys("<C-a>stream a response<Enter>");
    let turn = explorer.model.ask.last().expect("a question");
    assert_eq!(turn.note, "the model gave no reply: there is no further prepared reply");
    assert!(!turn.sources.is_empty());
}

#[test]
fn steps_appear_as_they_happen_and_the_run_can_be_stopped() {
    let mut explorer = with_model(Vec::new());
    explorer.holds_answers = true;
    explorer.keys("<C-a>how?<Enter>");
    let ticket = explorer.model.ask.running.expect("a run");
    let mut send = |news| explorer.send(Message::Ask(news)).text();
    assert!(send(AskNews::Prompted { ticket, number: 1, tokens: 1_234 }).contains("reply 1, to 1,234 tokens"));
    let step = AskStep { tool: "discover".to_owned(), question: "retry".to_owned(), ..AskStep::default() };
    assert!(send(AskNews::Called { ticket, step }).contains("discover  retry"));
    assert!(send(AskNews::Returned { ticket, tokens: 812, error: None }).contains("812 tokens"));
    assert!(send(AskNews::Text { ticket, text: "A beg".to_owned() }).contains("A beg"));
    assert!(!send(AskNews::TextDiscarded { ticket }).contains("A beg"));
    send(AskNews::Text { ticket, text: "Half an ".to_owned() });
    // Other requests are not this one.
    send(AskNews::Text { ticket: ticket + 7, text: "stray".to_owned() });
    explorer.keys("<Esc>");
    assert!(explorer.model.ask.is_open && explorer.text().contains("Half an"), "{}", explorer.text());
    let answered = Answered { ending: Some("the run was stopped".to_owned()), ..Answered::default() };
    explorer.send(Message::Ask(AskNews::Answered { ticket, answered: Box::new(answered) }));
    assert!(explorer.performed.contains(&"stopped asking".to_owned()));
    let text = explorer.text();
    assert!(text.contains("Half an") && text.contains("the run was stopped") && !text.contains("stray"), "{text}");
    explorer.keys("<Esc>");
    assert!(!explorer.model.ask.is_open);
    explorer.keys("<C-a>");
    assert!(explorer.text().contains("Half an"), "the conversation stays");
}

#[test]
fn commands_of_the_panes_do_nothing_behind_the_page() {
    let mut explorer = small(120, 40);
    explorer.keys("<C-a>how?<Enter>pbwc");
    let overrides = explorer.model.overrides.all();
    assert!(overrides.pinned.is_empty() && overrides.banned.is_empty());
    assert!(explorer.model.overlay.is_none() && explorer.model.page.is_none());
    explorer.keys("fclient kind:class<Enter>");
    assert!(!explorer.model.ask.is_open, "what is found is shown");
    explorer.keys("[");
    assert!(explorer.model.ask.is_open);
    explorer.keys("u");
    assert!(!explorer.model.ask.is_open && explorer.model.tuning.is_some());
}

#[test]
fn the_mouse_selects_scrolls_types_and_closes() {
    let mut explorer = with_model(vec![Reply::text(&"line\n\n".repeat(40))]);
    explorer.send(Message::Resize(90, 24)).keys("<C-a>how?<Enter>");
    let area = geometry::ask(explorer.model.size);
    let mut mouse = |action, column, row| {
        explorer.send(Message::Mouse(Mouse { action, column, row }));
    };
    mouse(MouseAction::WheelDown, area.list.x + 3, area.list.y + 3);
    mouse(MouseAction::Press, area.list.x + 3, area.list.y + 1);
    mouse(MouseAction::Press, area.input.x + 3, area.input.y);
    assert!(explorer.model.ask.is_typing && explorer.model.ask.cursor.offset == 3);
    explorer.keys("<Esc>");
    let close = geometry::close_hint(area.frame);
    explorer.send(Message::Mouse(Mouse { action: MouseAction::Press, column: close.x + 1, row: close.y }));
    assert!(!explorer.model.ask.is_open);
}

#[test]
fn a_question_waits_for_the_index() {
    let mut explorer = Explorer::new(120, 40);
    explorer.keys("<C-a>how?<Enter>");
    assert!(explorer.text().contains("once everything is indexed"), "{}", explorer.text());
    assert_eq!(explorer.model.ask.input.value(), "how?");
}
