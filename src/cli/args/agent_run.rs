//! The options of a model and of its run.

#![allow(clippy::doc_markdown, reason = "documentation of options is printed as text")]

use std::path::PathBuf;

use apidisc_agents::ActionLanguage;
use clap::{Args, ValueEnum};

use crate::cli::{
    ModelOptions,
    model::{DEFAULT_STEPS, DEFAULT_TIMEOUT},
};

#[derive(Args)]
pub(super) struct ModelArgs {
    /// The model: anthropic:claude-sonnet-4-5, ollama:qwen3.
    ///
    /// The providers: openai, anthropic, gemini, bedrock, ollama, llama.cpp, vertex, groq, mistral, deepseek,
    /// openrouter, xai, together, fireworks, cohere, moonshot. A key is read from the provider's usual environment
    /// variable, such as OPENAI_API_KEY. Without the option, the environment variable APIDISC_MODEL names the model,
    /// else model below [ask] in config.toml.
    #[arg(long, value_name = "PROVIDER:NAME", help_heading = "Model")]
    model: Option<String>,
    /// The server that speaks the provider's protocol.
    ///
    /// For example http://127.0.0.1:8080/v1. Without the option, APIDISC_BASE_URL, else base_url below [ask] in
    /// config.toml.
    #[arg(long, value_name = "URL", help_heading = "Model", requires = "model")]
    base_url: Option<String>,
    /// How the model calls tools.
    ///
    /// A model that says it has no function calling gets the tools in text by itself.
    #[arg(
        long,
        value_enum,
        value_name = "HOW",
        default_value = "native",
        help_heading = "Model",
        hide_short_help = true
    )]
    tool_calls: ToolCalls,
    /// End after so many replies [default: 50].
    #[arg(long, value_name = "N", help_heading = "Model", default_value_t = DEFAULT_STEPS, hide_default_value = true)]
    #[arg(hide_short_help = true, value_parser = clap::value_parser!(u32).range(1..=1000))]
    max_steps: u32,
    /// End before prompts and replies of the model have more than N tokens together.
    #[arg(long, value_name = "N", help_heading = "Model", hide_short_help = true)]
    budget: Option<u64>,
    /// End after so many seconds [default: 300].
    #[arg(long, value_name = "SECONDS", help_heading = "Model", default_value_t = DEFAULT_TIMEOUT)]
    #[arg(hide_default_value = true, hide_short_help = true, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    timeout: u64,
    /// Print the first prompt with its tokens, and ask nobody.
    #[arg(long, help_heading = "Model")]
    dry_run: bool,
    /// Write every prompt's size, reply, call and result to FILE, as lines of JSON.
    #[arg(long, value_name = "FILE", help_heading = "Model", hide_short_help = true)]
    transcript: Option<PathBuf>,
    /// Take the replies from what --transcript wrote, in place of a model.
    #[arg(long, value_name = "FILE", help_heading = "Model", hide_short_help = true, conflicts_with = "model")]
    replay: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum ToolCalls {
    /// By the function calling of its provider
    Native,
    /// As JSON in the text of its replies
    Text,
}

impl ModelArgs {
    /// True if the tokens of prompts and replies are limited.
    pub(super) fn limits_tokens(&self) -> bool {
        self.budget.is_some()
    }

    /// The options, with what the environment says.
    pub(super) fn options(self) -> ModelOptions {
        let Self { model, base_url, tool_calls, max_steps, budget, timeout, dry_run, transcript, replay } = self;
        let of_environment = ModelOptions::of_environment();
        // The address of the environment is that of its model.
        let base_url = base_url.or(of_environment.base_url.filter(|_| model.is_none()));
        let model = model.or(of_environment.model);
        let max_steps = max_steps as usize;
        let language = match tool_calls {
            ToolCalls::Native => ActionLanguage::FunctionCalling,
            ToolCalls::Text => ActionLanguage::JsonText,
        };
        ModelOptions { model, base_url, language, max_steps, budget, timeout, dry_run, transcript, replay }
    }
}
