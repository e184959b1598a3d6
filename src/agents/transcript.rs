//! The transcript of a run: every event, as lines of JSON. Its replies can be replayed.

use serde::{Deserialize, Serialize};

use crate::{
    environment::Outcome,
    memory::ToolCall,
    model::{Prepared, Reply},
};

/// An event of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "lowercase")]
pub enum Event {
    /// The user's request.
    Requested {
        /// The text.
        input: String,
    },
    /// A prompt is sent to the model.
    Asked {
        /// The number of the reply that is asked for, from 1.
        step: usize,
        /// The tokens of the prompt.
        tokens: usize,
    },
    /// The model has replied.
    Replied {
        /// The reply.
        reply: Reply,
    },
    /// A tool is called.
    Called {
        /// The call.
        call: ToolCall,
    },
    /// A call has ended.
    Executed {
        /// The call.
        call: ToolCall,
        /// The outcome of the call.
        outcome: Outcome,
        /// The tokens of the result in the next prompt.
        #[serde(default)]
        tokens: usize,
    },
    /// The run has ended.
    Ended {
        /// The reason.
        ending: Ending,
        /// The answer; without an answer, the results so far.
        answer: String,
    },
}

/// The reason for which a run ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// The model answered.
    Answered,
    /// A terminal tool gave the answer; its name.
    Terminated(String),
    /// The model replied with nothing.
    EmptyReply,
    /// The greatest number of replies was reached.
    Iterations(usize),
    /// The next prompt would exceed the greatest number of tokens.
    Tokens(u64),
    /// The greatest duration was reached; in seconds.
    Time(u64),
    /// One tool was called too often with the same arguments; its name.
    SameCall(String),
    /// The user stopped the run.
    Stopped,
    /// The model gave no reply; the message.
    Failed(String),
}

impl Ending {
    /// True if the answer is the model's.
    pub fn is_answer(&self) -> bool {
        matches!(self, Self::Answered | Self::Terminated(_))
    }

    /// The reason in words.
    pub fn words(&self) -> String {
        match self {
            Self::Answered => "the model answered".to_owned(),
            Self::Terminated(tool) => format!("the model ended the run with {tool}"),
            Self::EmptyReply => "the model replied with nothing".to_owned(),
            Self::Iterations(count) => format!("the model did not answer within {count} replies"),
            Self::Tokens(count) => format!("the next prompt would exceed {count} tokens"),
            Self::Time(seconds) => format!("the model did not answer within {seconds} seconds"),
            Self::SameCall(tool) => format!("the model called {tool} again and again with the same arguments"),
            Self::Stopped => "the run was stopped".to_owned(),
            Self::Failed(message) => format!("the model gave no reply: {message}"),
        }
    }
}

/// Every event of a run, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Transcript {
    /// The events.
    pub events: Vec<Event>,
}

impl Transcript {
    /// The events as lines of JSON.
    pub fn to_lines(&self) -> String {
        let line = |event: &Event| serde_json::to_string(event).unwrap_or_default() + "\n";
        self.events.iter().map(line).collect()
    }

    /// Reads lines of JSON.
    ///
    /// # Errors
    /// If a line is no event; the message names the line.
    pub fn from_lines(lines: &str) -> Result<Self, String> {
        let event = |(number, line): (usize, &str)| {
            serde_json::from_str(line).map_err(|error| format!("line {}: {error}", number + 1))
        };
        let events = lines.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).map(event);
        Ok(Self { events: events.collect::<Result<_, _>>()? })
    }

    /// A model that gives the same replies as the model of the run.
    pub fn model(&self) -> Prepared {
        let reply = |event: &Event| match event {
            Event::Replied { reply } => Some(reply.clone()),
            _ => None,
        };
        Prepared::new(self.events.iter().filter_map(reply))
    }
}
