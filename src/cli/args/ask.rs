//! The options of `ask` and `agent`.

#![allow(clippy::doc_markdown, reason = "documentation of options is printed as text")]

use std::path::PathBuf;

use apidisc::research::Question;
use apidisc_agents::ReadyAgent;
use clap::{Args, ValueEnum, error::ErrorKind};

use super::{
    CommonArgs, HelpArg, agent_run::ModelArgs, allow::AllowArgs, environment::EnvironmentArgs, source::SourceArgs,
    wrong_usage,
};
use crate::cli::{Ask, AskedPackage, RunAgent, model::ModelOptions};

#[derive(Args)]
pub(super) struct AskArgs {
    /// The question, in one argument: "How do I stream a response?".
    #[arg(value_name = "QUESTION")]
    question: String,
    #[command(flatten)]
    source: SourceArgs,
    /// Fit the context of the question into N tokens [default: 2000].
    #[arg(long, value_name = "N", default_value_t = 2_000, hide_default_value = true, allow_negative_numbers = true)]
    max_tokens: i64,
    /// The folder or file with OpenAPI documents; without it, those of the sources count.
    #[arg(long, value_name = "DIR")]
    docs: Option<PathBuf>,
    /// Ask about an installed package, as the code uses it.
    #[arg(long, value_name = "NAME", help_heading = "What to look at", conflicts_with = "docs")]
    package: Option<String>,
    #[command(flatten)]
    environment: EnvironmentArgs,
    /// Ask no model: print the context.
    #[arg(long, help_heading = "Model", conflicts_with_all = ["model", "replay", "dry_run"])]
    no_model: bool,
    #[command(flatten)]
    model: ModelArgs,
    #[command(flatten, next_help_heading = "Model")]
    allow: AllowArgs,
    /// Text, or one object.
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text", help_heading = "Printing")]
    format: AnswerFormat,
    #[command(flatten)]
    common: CommonArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum AnswerFormat {
    /// The answer, or the context
    Text,
    /// One object: the answer or the context, with its sources
    Json,
}

impl AskArgs {
    /// The command.
    ///
    /// # Errors
    /// If a limit of a model is given, and no model is asked.
    pub(super) fn command(self) -> Result<Ask, clap::Error> {
        let Self { question, source, max_tokens, docs, package, environment, no_model, model, allow, format, common } =
            self;
        let limits_tokens = model.limits_tokens();
        let model = (!no_model).then(|| model.options());
        if limits_tokens && !model.as_ref().is_some_and(ModelOptions::is_configured) {
            let message = "--budget limits what a model reads and writes; without one, --max-tokens limits the context";
            return Err(wrong_usage(ErrorKind::ArgumentConflict, message));
        }
        Ok(Ask {
            question: Question { question, max_tokens, package: None },
            docs,
            package: AskedPackage { name: package, environment: environment.into() },
            allowed: allow.allow_file,
            cache: common.cache(),
            input: source.into(),
            model,
            json: format == AnswerFormat::Json,
            verbose: common.verbose,
        })
    }
}

#[derive(Args)]
pub(super) struct AgentArgs {
    /// The agent.
    #[arg(value_name = "NAME", value_enum)]
    name: AgentName,
    /// What it has to do, in one argument.
    #[arg(value_name = "TASK")]
    task: String,
    /// The folder of the project.
    #[arg(value_name = "PATH", default_value = ".")]
    path: PathBuf,
    #[command(flatten)]
    model: ModelArgs,
    #[command(flatten, next_help_heading = "Model")]
    allow: AllowArgs,
    #[command(flatten)]
    help: HelpArg,
}

#[derive(Clone, Copy, ValueEnum)]
enum AgentName {
    /// Explores files, and documents them
    FileExplorer,
    /// Writes the text of a README
    Readme,
    /// Analyses the structure of the code
    Analysis,
}

impl From<AgentArgs> for RunAgent {
    fn from(AgentArgs { name, task, path, model, allow, help: _ }: AgentArgs) -> Self {
        let agent = match name {
            AgentName::FileExplorer => ReadyAgent::FileExplorer,
            AgentName::Readme => ReadyAgent::Readme,
            AgentName::Analysis => ReadyAgent::Analysis,
        };
        Self { agent, task, path, allowed: allow.allow_file, model: model.options() }
    }
}
