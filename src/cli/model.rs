//! The model of an agent, the limits of its run, and the steps that it takes.

use std::{
    fmt::Write as _,
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context as _, bail};
use apidisc::{
    tokens::{Encoding, Tokenizer},
    unprintable::{escaped_json, escaped_text},
};
use apidisc_agents::{
    Agent, Entry, Event, Limits, Memory, Model, Observer, Piece, Prompt, Role, Run, Transcript,
    model::{ModelError, OnPiece, Reply},
};

use super::{interrupt, note, output};

/// The greatest length of the arguments of a call in a line, in characters.
const ARGUMENTS: usize = 120;
/// The size limit of a transcript in bytes.
const MAX_TRANSCRIPT: u64 = 64 << 20;

/// The options of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelOptions {
    /// `PROVIDER:NAME`; `None` if no model is configured.
    pub model: Option<String>,
    /// The address of a server that speaks the provider's protocol.
    pub base_url: Option<String>,
    /// The greatest number of replies.
    pub max_steps: usize,
    /// The greatest number of tokens of all prompts and replies.
    pub budget: Option<u64>,
    /// The longest duration of the run, in seconds.
    pub timeout: u64,
    /// Print the first prompt with its tokens, and ask nobody.
    pub dry_run: bool,
    /// The file that the transcript is written to.
    pub transcript: Option<PathBuf>,
    /// The transcript whose replies take the place of a model.
    pub replay: Option<PathBuf>,
}

impl ModelOptions {
    /// True if something gives replies, or none are needed.
    pub(super) fn is_configured(&self) -> bool {
        self.model.is_some() || self.replay.is_some() || self.dry_run
    }

    /// The model. A dry run needs none.
    ///
    /// # Errors
    /// If no model is configured, or it cannot be used.
    pub(super) fn open(&self) -> anyhow::Result<Box<dyn Model>> {
        if self.dry_run {
            return Ok(Box::new(NoModel));
        }
        if let Some(path) = &self.replay {
            return Ok(Box::new(read_transcript(path)?.model()));
        }
        match &self.model {
            Some(model) => open(model, self.base_url.as_deref(), Duration::from_secs(self.timeout)),
            None => bail!(
                "no model is configured; name one with --model PROVIDER:NAME, such as anthropic:claude-sonnet-4-5, or in \
                 the environment variable APIDISC_MODEL"
            ),
        }
    }

    /// The limits of a run.
    pub(super) fn limits(&self) -> Limits {
        let time = Some(Duration::from_secs(self.timeout));
        Limits { iterations: self.max_steps, tokens: self.budget, time, ..Limits::default() }
    }

    /// Writes the transcript, if it is wanted.
    pub(super) fn keep(&self, run: &Run) -> anyhow::Result<()> {
        let Some(path) = &self.transcript else { return Ok(()) };
        output::write(Some(path), |out| out.write_all(run.transcript.to_lines().as_bytes()))
    }
}

/// Prints what a model would receive for `input`.
pub(super) fn print_prompt(agent: &Agent, input: &str) -> anyhow::Result<()> {
    let mut memory = Memory::new();
    memory.add(Entry::User { content: input.to_owned() });
    let prompt = agent.construct_prompt(&memory);
    output::write(None, |out| out.write_all(in_words(&prompt).as_bytes()))
}

#[cfg(feature = "models")]
fn open(model: &str, base_url: Option<&str>, patience: Duration) -> anyhow::Result<Box<dyn Model>> {
    use apidisc_agents::providers::{ModelChoice, ProviderModel};
    let choice = ModelChoice::parse(model, base_url)?;
    choice.check_key()?;
    Ok(Box::new(ProviderModel::new(choice, patience)?))
}

#[cfg(not(feature = "models"))]
fn open(_: &str, _: Option<&str>, _: Duration) -> anyhow::Result<Box<dyn Model>> {
    bail!("this program was built without models; build it with the feature `models`")
}

fn read_transcript(path: &Path) -> anyhow::Result<Transcript> {
    let text = apidisc::files::read_text(path, MAX_TRANSCRIPT).with_context(|| path.display().to_string())?;
    Transcript::from_lines(&text).map_err(anyhow::Error::msg).with_context(|| path.display().to_string())
}

/// The messages and tools of a prompt, for people.
fn in_words(prompt: &Prompt) -> String {
    let tokens = prompt.tokens(&Tokenizer::load(Encoding::default()));
    let mut text = format!("{tokens} tokens\n");
    for message in &prompt.messages {
        let role = match message.role {
            Role::System => "system",
            Role::User => "user",
            Role::Assistant => "assistant",
            Role::Tool => "tool",
        };
        let _ = write!(text, "\n--- {role}\n{}\n", escaped_text(&message.content));
    }
    if !prompt.tools.is_empty() {
        text += "\n--- tools\n";
        for tool in &prompt.tools {
            let _ = writeln!(text, "{}", escaped_json(tool.to_string()));
        }
    }
    text
}

/// In place of a model that nobody asks.
struct NoModel;

impl Model for NoModel {
    fn reply(&mut self, _: &Prompt, _: OnPiece<'_>) -> Result<Reply, ModelError> {
        Err(ModelError::Failed("nobody is asked in a dry run".to_owned()))
    }
}

/// Says on standard error what an agent does.
#[derive(Debug, Default)]
pub(super) struct Steps;

impl Observer for Steps {
    fn piece(&mut self, piece: Piece<'_>) {
        if piece == Piece::Anew {
            note("the request failed and is repeated");
        }
    }

    fn event(&mut self, event: &Event) {
        match event {
            Event::Asked { step, tokens } => note(&format!("step {step}: {tokens} tokens")),
            Event::Called { call } => {
                let arguments: String = call.arguments.to_string().chars().take(ARGUMENTS).collect();
                note(&format!("  {} {arguments}", call.tool));
            }
            Event::Executed { outcome, .. } => {
                if let Some(error) = &outcome.error {
                    note(&format!("    {error}"));
                }
            }
            _ => {}
        }
    }

    fn is_stopped(&self) -> bool {
        interrupt::is_stopped()
    }
}
