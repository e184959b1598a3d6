//! A run in the form in which a person watches it: its calls, and its text as it arrives, with a sign when the text so
//! far is not part of the answer.

use crate::{
    language::may_be_calls,
    memory::ToolCall,
    model::ReplyPiece,
    transcript::{Ending, Event},
};

/// A step of a run, for display.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RunStep<'a> {
    /// The model is asked for a reply.
    Asked {
        /// The number of the reply, from 1.
        number: usize,
        /// The tokens of the prompt.
        tokens: usize,
    },
    /// Text that continues the answer.
    Text(&'a str),
    /// The text since the last [`Self::Asked`] is not part of the answer: the model wrote it before it called a tool.
    Remark,
    /// The request failed and is repeated. The text since the last [`Self::Asked`] is void.
    Anew,
    /// A tool is called.
    Called(&'a ToolCall),
    /// The call has ended.
    Returned {
        /// The tokens of the result.
        tokens: usize,
        /// The message of the tool, if it gave no result.
        error: Option<&'a str>,
    },
    /// Nothing new.
    Waiting,
}

/// Turns the pieces and events of a run into [`RunStep`]s. The text of a reply is held back as long as it may be a call
/// of a tool, so that no call appears as an answer.
#[derive(Clone, Debug, Default)]
pub struct Watch {
    /// The beginning of the reply, as long as it is held back.
    held: String,
    /// True if text of the present reply was shown.
    has_shown: bool,
}

impl Watch {
    /// Passes the steps of a piece to `show`.
    pub fn piece(&mut self, piece: ReplyPiece<'_>, show: &mut dyn FnMut(RunStep<'_>)) {
        match piece {
            ReplyPiece::Text(text) if self.has_shown => show(RunStep::Text(text)),
            ReplyPiece::Text(text) => {
                self.held += text;
                if !may_be_calls(&self.held) {
                    self.has_shown = true;
                    show(RunStep::Text(&std::mem::take(&mut self.held)));
                }
            }
            ReplyPiece::Restart => {
                self.forget();
                show(RunStep::Anew);
            }
            ReplyPiece::Waiting => show(RunStep::Waiting),
        }
    }

    /// Passes the steps of an event to `show`.
    pub fn event(&mut self, event: &Event, show: &mut dyn FnMut(RunStep<'_>)) {
        match event {
            Event::Requested { .. } | Event::Replied { .. } => {}
            Event::Asked { step, tokens } => {
                self.forget();
                show(RunStep::Asked { number: *step, tokens: *tokens });
            }
            Event::Called { call } => {
                if self.has_shown {
                    show(RunStep::Remark);
                }
                self.forget();
                show(RunStep::Called(call));
            }
            Event::Executed { outcome, tokens, .. } => {
                show(RunStep::Returned { tokens: *tokens, error: outcome.error.as_deref() });
            }
            Event::Ended { ending, answer } => self.ended(ending, answer, show),
        }
    }

    /// Shows an answer that was held back, or that a terminal tool gave.
    fn ended(&mut self, ending: &Ending, answer: &str, show: &mut dyn FnMut(RunStep<'_>)) {
        if ending.is_answer() && !self.has_shown {
            show(RunStep::Text(answer));
        }
        self.forget();
    }

    fn forget(&mut self) {
        self.held.clear();
        self.has_shown = false;
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{
        agent::{Agent, Observer},
        memory::Memory,
        model::{Model, ModelError, OnPiece, Reply},
        prompt::Prompt,
        registry::Registry,
        tool::Tool,
    };

    /// The steps of a run in words.
    #[derive(Default)]
    struct Words {
        watch: Watch,
        words: Vec<String>,
    }

    impl Words {
        fn add(words: &mut Vec<String>, step: RunStep<'_>) {
            words.push(match step {
                RunStep::Asked { number, .. } => format!("asked {number}"),
                RunStep::Text(text) => format!("text {text}"),
                RunStep::Called(call) => format!("called {}", call.tool),
                RunStep::Returned { error, .. } => format!("returned {}", error.unwrap_or("a result")),
                other => format!("{other:?}"),
            });
        }
    }

    impl Observer for Words {
        fn piece(&mut self, piece: ReplyPiece<'_>) {
            self.watch.piece(piece, &mut |step| Self::add(&mut self.words, step));
        }

        fn event(&mut self, event: &Event) {
            self.watch.event(event, &mut |step| Self::add(&mut self.words, step));
        }

        fn is_stopped(&self) -> bool {
            false
        }
    }

    /// A model that sends each reply in pieces; `|` separates them, and `!` repeats the request.
    struct Pieces(Vec<&'static str>);

    impl Model for Pieces {
        fn reply(&mut self, _: &Prompt, on_piece: OnPiece<'_>) -> Result<Reply, ModelError> {
            let mut text = String::new();
            for piece in self.0.remove(0).split('|') {
                if piece == "!" {
                    text.clear();
                    let _ = on_piece(ReplyPiece::Restart);
                } else {
                    text += piece;
                    let _ = on_piece(ReplyPiece::Text(piece));
                }
            }
            let call = text.strip_prefix("I look. ").map(|path| ToolCall::new("read", json!({ "path": path })));
            Ok(Reply { calls: call.into_iter().collect(), ..Reply::text(&text) })
        }
    }

    fn words(replies: Vec<&'static str>) -> String {
        let mut tools = Registry::new();
        let schema = json!({ "type": "object", "properties": { "path": { "type": "string" } } });
        tools.register(Tool::from_schema("read", "Reads.", schema, |_| Ok("text".into()))).unwrap();
        let mut agent = Agent::new(Vec::new(), tools, Box::new(Pieces(replies)));
        let mut words = Words::default();
        agent.run("go", Memory::new(), &mut words);
        words.words.join(", ")
    }

    #[test]
    fn the_answer_comes_in_pieces_and_calls_are_never_text() {
        let call = r#"{"to|ol": "read", "args"|: {"path": "a"}}"#;
        assert_eq!(
            words(vec![call, "Read| it."]),
            "asked 1, called read, returned a result, asked 2, text Read, text  it."
        );
        let fenced = "``|`js|on\n{\"tool\": \"read\", \"args\": {}}\n```";
        assert_eq!(words(vec![fenced, "Done."]), "asked 1, called read, returned a result, asked 2, text Done.");
    }

    #[test]
    fn text_before_a_call_is_a_remark() {
        let expected = "asked 1, text I look. , text a, Remark, called read, returned a result, asked 2, text It.";
        assert_eq!(words(vec!["I look. |a", "It."]), expected);
    }

    #[test]
    fn a_repeated_reply_makes_its_text_void() {
        assert_eq!(words(vec!["Hel|!|Hello"]), "asked 1, text Hel, Anew, text Hello");
    }

    #[test]
    fn an_answer_that_looks_like_a_call_is_shown_at_the_end() {
        assert_eq!(words(vec!["[a|.py:1] says so"]), "asked 1, text [a.py:1] says so");
        assert_eq!(words(vec!["```py|thon\nx = 1"]), "asked 1, text ```python\nx = 1");
    }
}
