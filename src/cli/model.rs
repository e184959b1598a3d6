//! The model of an agent, the limits of its run, and the steps that it takes.

use std::{
    fmt::Write as _,
    io::{self, IsTerminal as _, Write as _},
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context as _, bail};
use apidisc::{
    tokens::{Encoding, Tokenizer},
    unprintable::{escaped_json, escaped_text},
};
use apidisc_agents::{
    ActionLanguage, Agent, Event, Limits, Memory, MemoryEntry, Model, Observer, Prompt, ReplyPiece, Role, Run,
    Transcript,
    model::{ModelError, OnPiece, Reply},
    steps::{RunStep, Watch},
};

use super::{interrupt, note, output};

/// The greatest length of the arguments of a call in a line, in characters.
const MAX_ARGUMENT_CHARS: usize = 120;
/// The size limit of a transcript in bytes.
const MAX_TRANSCRIPT: u64 = 64 << 20;

/// The greatest number of replies, unless another one is given.
pub(super) const DEFAULT_STEPS: u32 = 50;
/// The longest duration of a run in seconds, unless another one is given.
pub(super) const DEFAULT_TIMEOUT: u64 = 300;

/// The options of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelOptions {
    /// `PROVIDER:NAME`; `None` if no model is configured.
    pub model: Option<String>,
    /// The address of a server that speaks the provider's protocol.
    pub base_url: Option<String>,
    /// The form in which the model calls tools.
    pub language: ActionLanguage,
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
    /// The model that `APIDISC_MODEL` and `APIDISC_BASE_URL` name, with the default limits.
    pub fn of_environment() -> Self {
        Self {
            model: of_environment("APIDISC_MODEL"),
            base_url: of_environment("APIDISC_BASE_URL"),
            language: ActionLanguage::default(),
            max_steps: DEFAULT_STEPS as usize,
            budget: None,
            timeout: DEFAULT_TIMEOUT,
            dry_run: false,
            transcript: None,
            replay: None,
        }
    }

    /// The options, with `model` and `base_url` of the configuration if neither the command line nor the environment
    /// names a model. `base_url` belongs to `model`, so another model does not get it.
    #[must_use]
    pub fn or(self, model: Option<String>, base_url: Option<String>) -> Self {
        match self.model {
            Some(_) => self,
            None => Self { model, base_url: self.base_url.or(base_url), ..self },
        }
    }

    /// True if the run can start: a model or a transcript gives the replies, or a dry run needs no replies.
    pub(in crate::cli) fn is_configured(&self) -> bool {
        self.model.is_some() || self.replay.is_some() || self.dry_run
    }

    /// The model. A dry run needs none.
    ///
    /// # Errors
    /// If no model is configured, or it cannot be used.
    pub fn open(&self) -> anyhow::Result<Box<dyn Model>> {
        if self.dry_run {
            return Ok(Box::new(NoModel));
        }
        if let Some(path) = &self.replay {
            return Ok(Box::new(read_transcript(path)?.model()));
        }
        match &self.model {
            Some(model) => open(model, self.base_url.as_deref(), Duration::from_secs(self.timeout)),
            None => bail!(
                "no model is configured; name one with --model PROVIDER:NAME, such as anthropic:claude-sonnet-4-5, in the \
                 environment variable APIDISC_MODEL, or as model below [ask] in config.toml"
            ),
        }
    }

    /// The limits of a run.
    pub fn limits(&self) -> Limits {
        let time = Some(Duration::from_secs(self.timeout));
        Limits { iterations: self.max_steps, tokens: self.budget, time, ..Limits::default() }
    }

    /// Gives an agent its limits, and the way in which its model calls tools.
    pub(super) fn apply(&self, agent: &mut Agent) {
        agent.limits = self.limits();
        agent.language = self.language;
    }

    /// Writes the transcript to the file of `--transcript`, if the option is given.
    pub(super) fn keep(&self, run: &Run) -> anyhow::Result<()> {
        let Some(path) = &self.transcript else { return Ok(()) };
        output::write(Some(path), |out| out.write_all(run.transcript.to_lines().as_bytes()))
    }
}

/// The value of an environment variable, unless it is empty.
fn of_environment(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.trim().is_empty())
}

/// Prints the first prompt that a model would receive for `input`.
pub(super) fn print_prompt(agent: &Agent, input: &str) -> anyhow::Result<()> {
    let mut memory = Memory::new();
    memory.add(MemoryEntry::User { content: input.to_owned() });
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

/// The model of a dry run, which sends no request.
struct NoModel;

impl Model for NoModel {
    fn reply(&mut self, _: &Prompt, _: OnPiece<'_>) -> Result<Reply, ModelError> {
        Err(ModelError::Failed("nobody is asked in a dry run".to_owned()))
    }
}

/// Reports the steps of an agent on standard error, and prints its answer on standard output as it comes.
#[derive(Debug, Default)]
pub(super) struct Steps {
    watch: Watch,
    printed: LiveAnswer,
}

impl Steps {
    /// Prints the answer while it arrives only if standard output is a terminal and the output is text.
    pub(super) fn new(is_text: bool) -> Self {
        let is_live = is_text && io::stdout().is_terminal();
        Self { printed: LiveAnswer { is_live, ..LiveAnswer::default() }, ..Self::default() }
    }

    /// True if this text is on standard output already.
    pub(super) fn has_printed(&self, answer: &str) -> bool {
        self.printed.is_live && self.printed.text.trim() == answer.trim()
    }
}

impl Observer for Steps {
    fn piece(&mut self, piece: ReplyPiece<'_>) {
        self.watch.piece(piece, &mut |step| self.printed.show(step));
    }

    fn event(&mut self, event: &Event) {
        self.watch.event(event, &mut |step| self.printed.show(step));
        if let Event::Ended { .. } = event {
            self.printed.end_line();
        }
    }

    fn is_stopped(&self) -> bool {
        interrupt::is_stopped()
    }
}

/// An answer that is printed as it comes, with the steps between its parts.
#[derive(Debug, Default)]
struct LiveAnswer {
    is_live: bool,
    /// The text since the model was last asked.
    text: String,
    /// True if the last line of standard output has no end yet.
    is_in_line: bool,
}

impl LiveAnswer {
    fn show(&mut self, step: RunStep<'_>) {
        match step {
            RunStep::Text(text) if self.is_live => self.print(text),
            RunStep::Text(_) | RunStep::Waiting => {}
            RunStep::Remark => self.begin_anew(),
            RunStep::Anew => {
                self.begin_anew();
                note("the request failed and is repeated");
            }
            RunStep::Asked { number, tokens } => {
                self.begin_anew();
                note(&format!("step {number}: {tokens} tokens"));
            }
            RunStep::Called(call) => {
                let arguments: String = call.arguments.to_string().chars().take(MAX_ARGUMENT_CHARS).collect();
                note(&format!("  {} {arguments}", call.tool));
            }
            RunStep::Returned { tokens, error: None } => note(&format!("    {tokens} tokens")),
            RunStep::Returned { error: Some(error), .. } => note(&format!("    {error}")),
        }
    }

    fn print(&mut self, text: &str) {
        let mut out = io::stdout().lock();
        // A write error is ignored here: it ends the program when the complete answer is printed.
        let _ = out.write_all(escaped_text(text).as_bytes()).and_then(|()| out.flush());
        self.text += text;
        self.is_in_line = !self.text.ends_with('\n');
    }

    fn begin_anew(&mut self) {
        self.end_line();
        self.text.clear();
    }

    fn end_line(&mut self) {
        if std::mem::take(&mut self.is_in_line) {
            let _ = io::stdout().lock().write_all(b"\n");
        }
    }
}
