//! The options of `setup`.

#![allow(clippy::doc_markdown, reason = "documentation of options is printed as text")]

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::HelpArg;
use crate::cli::{Client, Scope, Setup, SetupAction};

#[derive(Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub(super) struct SetupArgs {
    /// The client.
    #[arg(value_name = "CLIENT", value_enum)]
    client: SetupClient,
    /// The folder that the server reads; without it, the one that the client is in.
    ///
    /// With --project: the folder of the project, by default the present one.
    #[arg(value_name = "PATH")]
    path: Option<PathBuf>,
    /// Make the changes, after asking.
    #[arg(long)]
    write: bool,
    /// Take back what was added, after asking.
    #[arg(long, conflicts_with = "write")]
    remove: bool,
    /// Set the project up, for everyone who works on it, instead of the user.
    #[arg(long)]
    project: bool,
    /// Do not ask.
    #[arg(short, long)]
    yes: bool,
    #[command(flatten)]
    help: HelpArg,
}

#[derive(Clone, Copy, ValueEnum)]
enum SetupClient {
    /// Claude Code: ~/.claude.json, or .mcp.json
    Claude,
    /// Cursor: ~/.cursor/mcp.json, or .cursor/mcp.json
    Cursor,
    /// VS Code: mcp.json of the user, or .vscode/mcp.json
    Vscode,
    /// Codex: ~/.codex/config.toml, or .codex/config.toml
    Codex,
    /// Gemini CLI: ~/.gemini/settings.json, or .gemini/settings.json
    Gemini,
    /// Zed: settings.json of the user, or .zed/settings.json
    Zed,
}

impl From<SetupArgs> for Setup {
    fn from(SetupArgs { client, path, write, remove, project, yes, help: _ }: SetupArgs) -> Self {
        let client = match client {
            SetupClient::Claude => Client::ClaudeCode,
            SetupClient::Cursor => Client::Cursor,
            SetupClient::Vscode => Client::Vscode,
            SetupClient::Codex => Client::Codex,
            SetupClient::Gemini => Client::Gemini,
            SetupClient::Zed => Client::Zed,
        };
        let action = match (write, remove) {
            (_, true) => SetupAction::Remove,
            (true, false) => SetupAction::Write,
            (false, false) => SetupAction::Show,
        };
        let (scope, folder) = if project {
            (Scope::Project(path.unwrap_or_else(|| PathBuf::from("."))), None)
        } else {
            (Scope::User, path)
        };
        Self { client, scope, folder, action, is_agreed: yes }
    }
}
