//! One run of an agent: the loop with its limits.

use std::{
    ops::ControlFlow,
    sync::Arc,
    time::{Duration, Instant},
};

use apidisc::tokens::{Encoding, Tokenizer};

use super::{Agent, Observer, READ_RESULT, Run, results::CutResults};
use crate::{
    language::{Action, ActionLanguage},
    memory::{Memory, MemoryEntry, ToolCall},
    model::{ModelError, Reply, ReplyPiece, TokenUse},
    transcript::{Ending, Event, Transcript},
};

/// The greatest length of one line of a list of results, in characters.
const FOUND_LENGTH: usize = 160;

/// Runs until there is an answer, or a limit is reached.
pub(super) fn run(agent: &mut Agent, input: &str, memory: Memory, observer: &mut dyn Observer) -> Run {
    let mut state = RunState {
        observer,
        memory,
        transcript: Transcript::default(),
        tokens: TokenUse::default(),
        tokenizer: Tokenizer::load(Encoding::default()),
        cut: CutResults::default(),
        calls: Vec::new(),
        start: Instant::now(),
    };
    state.record(Event::Requested { input: input.to_owned() });
    let (ending, answer) = match state.steps(agent) {
        (ending, Some(answer)) => (ending, answer),
        (ending, None) => {
            let found = state.found_so_far(&ending);
            (ending, found)
        }
    };
    state.record(Event::Ended { ending: ending.clone(), answer: answer.clone() });
    Run { answer, ending, memory: state.memory, transcript: state.transcript, tokens: state.tokens }
}

/// The state of a run.
struct RunState<'a> {
    observer: &'a mut dyn Observer,
    memory: Memory,
    transcript: Transcript,
    tokens: TokenUse,
    tokenizer: Arc<Tokenizer>,
    cut: CutResults,
    /// Every call of the run.
    calls: Vec<ToolCall>,
    start: Instant,
}

/// The reason for the end, and the answer if there is one.
type End = (Ending, Option<String>);

impl RunState<'_> {
    fn record(&mut self, event: Event) {
        self.observer.event(&event);
        self.transcript.events.push(event);
    }

    fn steps(&mut self, agent: &mut Agent) -> End {
        for step in 1..=agent.limits.iterations {
            if let Some(ending) = self.interruption(agent.limits.time) {
                return (ending, None);
            }
            let reply = match self.ask(agent, step) {
                Ok(reply) => reply,
                Err(ending) => return (ending, None),
            };
            let end = match agent.get_action(&reply) {
                Action::Answer(text) => Some(self.answer(text)),
                Action::Calls(calls) => self.execute_all(agent, reply.text, calls),
            };
            if let Some(end) = end {
                return end;
            }
        }
        (Ending::Iterations(agent.limits.iterations), None)
    }

    /// The reason for which the run must end before its next step.
    fn interruption(&self, time: Option<Duration>) -> Option<Ending> {
        interruption(self.observer, self.start, time)
    }

    /// Asks the model for its next reply. For a model without function calling, messages describe the tools from now
    /// on.
    fn ask(&mut self, agent: &mut Agent, step: usize) -> Result<Reply, Ending> {
        let prompt = agent.construct_prompt(&self.memory);
        let tokens = prompt.tokens(&self.tokenizer);
        if let Some(limit) = agent.limits.tokens.filter(|&limit| self.tokens.total() + tokens as u64 > limit) {
            return Err(Ending::Tokens(limit));
        }
        self.record(Event::Asked { step, tokens });
        let (observer, start, time) = (&mut *self.observer, self.start, agent.limits.time);
        let mut interrupted = None;
        let mut on_piece = |piece: ReplyPiece<'_>| {
            observer.piece(piece);
            interrupted = interruption(observer, start, time);
            if interrupted.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let reply = agent.model.reply(&prompt, &mut on_piece);
        let refuses_tools = matches!(reply, Err(ModelError::NoFunctionCalling(_)));
        if refuses_tools && agent.language == ActionLanguage::FunctionCalling && interrupted.is_none() {
            agent.language = ActionLanguage::JsonText;
            return self.ask(agent, step);
        }
        // The reason for an interruption says more than the error that follows from the interruption.
        let reply = reply.map_err(|error| interrupted.clone().unwrap_or(Ending::Failed(error.to_string())))?;
        let counted = || {
            let calls = reply.calls.iter().map(|call| self.tokenizer.count(&call.arguments.to_string()));
            TokenUse { prompt: tokens as u64, reply: (self.tokenizer.count(&reply.text) + calls.sum::<usize>()) as u64 }
        };
        let used = reply.tokens.unwrap_or_else(counted);
        self.tokens = TokenUse { prompt: self.tokens.prompt + used.prompt, reply: self.tokens.reply + used.reply };
        self.record(Event::Replied { reply: reply.clone() });
        // A reply that was broken off is no answer.
        interrupted.map_or(Ok(reply), Err)
    }

    fn answer(&mut self, text: String) -> End {
        if text.is_empty() {
            return (Ending::EmptyReply, None);
        }
        self.memory.add(MemoryEntry::Assistant { content: text.clone(), calls: Vec::new() });
        (Ending::Answered, Some(text))
    }

    /// Executes the calls of a reply, in order. Returns the end of the run if one of them ends it.
    fn execute_all(&mut self, agent: &Agent, content: String, mut calls: Vec<ToolCall>) -> Option<End> {
        for (position, call) in calls.iter_mut().enumerate() {
            if call.id.is_empty() {
                // Providers match results to calls by this id.
                call.id = format!("call_{}_{position}", self.calls.len());
            }
        }
        self.memory.add(MemoryEntry::Assistant { content, calls: calls.clone() });
        let mut end = None;
        for call in calls {
            if end.is_none() {
                end = self.interruption(agent.limits.time).map(|ending| (ending, None));
            }
            // Every call needs a result, because providers refuse a memory with a call that has none.
            match end {
                None => end = self.execute(agent, call),
                Some(_) => {
                    self.memory
                        .add(MemoryEntry::Environment { call, content: "(not called: the run ended)".to_owned() });
                }
            }
        }
        end
    }

    fn execute(&mut self, agent: &Agent, call: ToolCall) -> Option<End> {
        self.record(Event::Called { call: call.clone() });
        let is_same = |other: &&ToolCall| other.tool == call.tool && other.arguments == call.arguments;
        let times = 1 + self.calls.iter().filter(is_same).count();
        self.calls.push(call.clone());
        let tool = agent.tools.get(&call.tool);
        let outcome = match tool {
            Some(tool) => agent.environment.execute(tool, call.arguments.clone()),
            None if call.tool == READ_RESULT => {
                agent.environment.outcome(self.cut.read(&call, agent.limits.result_characters))
            }
            None => agent.environment.outcome(Err(agent.tools.unknown(&call.tool))),
        };
        // `READ_RESULT` returns a part of the greatest length with a note below it, so its result must not be cut.
        let length = if call.tool == READ_RESULT { usize::MAX } else { agent.limits.result_characters };
        let content = self.cut.text(&outcome, length);
        let end = match tool {
            Some(tool) if outcome.tool_executed && agent.should_terminate(tool) => {
                Some((Ending::Terminated(call.tool.clone()), Some(content.clone())))
            }
            _ if times >= agent.limits.same_calls => Some((Ending::SameCall(call.tool.clone()), None)),
            _ => None,
        };
        let tokens = self.tokenizer.count(&content);
        self.record(Event::Executed { call: call.clone(), outcome, tokens });
        self.memory.add(MemoryEntry::Environment { call, content });
        end
    }

    /// The text of a run that ended without an answer: the reason, and a line for each result.
    fn found_so_far(&self, ending: &Ending) -> String {
        let mut text = format!("No answer: {}.", ending.words());
        let results = self.transcript.events.iter().filter_map(|event| match event {
            Event::Executed { call, outcome, .. } => Some((call, outcome.result.as_ref()?)),
            _ => None,
        });
        for (position, (call, result)) in results.enumerate() {
            if position == 0 {
                text += "\nFound until then:";
            }
            let result = result.as_str().map_or_else(|| result.to_string(), str::to_owned);
            let line = format!(
                "{} {} → {}",
                call.tool,
                call.arguments,
                result.split_whitespace().collect::<Vec<_>>().join(" ")
            );
            text += "\n- ";
            text.extend(line.chars().take(FOUND_LENGTH));
        }
        text
    }
}

/// The reason for which a run that began at `start` must end now.
fn interruption(observer: &dyn Observer, start: Instant, time: Option<Duration>) -> Option<Ending> {
    if observer.is_stopped() {
        return Some(Ending::Stopped);
    }
    time.filter(|&time| start.elapsed() >= time).map(|time| Ending::Time(time.as_secs()))
}
