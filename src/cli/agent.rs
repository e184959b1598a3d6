//! `agent`: runs an agent that reads the files of a project.

use std::{path::PathBuf, sync::Arc};

use anyhow::Context as _;
use apidisc::unprintable::escaped_text;
use apidisc_agents::{Memory, Project, ReadyAgent};

use super::{
    interrupt,
    model::{ModelOptions, Steps, print_prompt},
    note, output,
};

/// Runs an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunAgent {
    /// The agent.
    pub agent: ReadyAgent,
    /// The task.
    pub task: String,
    /// The folder of the project.
    pub path: PathBuf,
    /// The files that the agent may read although they hold secrets or are ignored.
    pub allowed: Vec<String>,
    /// The model and the limits of the run.
    pub model: ModelOptions,
}

impl RunAgent {
    /// Runs the agent, and prints its answer.
    ///
    /// # Errors
    /// For an empty task, if the folder or the model cannot be opened, and if there is no answer.
    pub fn run(&self) -> anyhow::Result<()> {
        if self.task.trim().is_empty() {
            anyhow::bail!("the task is empty; say what the agent has to do");
        }
        let project =
            Project::open(&self.path).with_context(|| self.path.display().to_string())?.allowing(&self.allowed);
        let mut agent = self.agent.agent(&Arc::new(project), self.model.open()?);
        self.model.apply(&mut agent);
        if self.model.dry_run {
            return print_prompt(&agent, &self.task);
        }
        interrupt::listen();
        let mut steps = Steps::new(true);
        let run = agent.run(&self.task, Memory::new(), &mut steps);
        self.model.keep(&run)?;
        if !run.ending.is_answer() {
            note(&run.ending.words());
        }
        if !steps.has_printed(&run.answer) {
            output::write(None, |out| writeln!(out, "{}", escaped_text(run.answer.trim_end())))?;
        }
        if run.ending.is_answer() { Ok(()) } else { Err(anyhow::anyhow!("there is no answer")) }
    }
}
