//! Where each client keeps its servers and its skills.

use std::{
    env,
    path::{Path, PathBuf},
};

use anyhow::Context as _;

use crate::{
    cli::{Client, server_config::SERVER},
    places,
};

/// For whom a client is set up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// For all projects of the user.
    User,
    /// For everyone who works on the project in this folder.
    Project(PathBuf),
}

/// A file, by the folder that it stays in and its path below that folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) root: PathBuf,
    pub(super) below: PathBuf,
}

impl Place {
    pub(super) fn path(&self) -> PathBuf {
        self.root.join(&self.below)
    }
}

/// The files of a client: the one of its servers, and the skill.
pub(super) fn of(client: Client, scope: &Scope) -> anyhow::Result<(Place, Place)> {
    match scope {
        Scope::User => of_user(client),
        Scope::Project(folder) => {
            let (servers, skills) = match client {
                Client::ClaudeCode => (".mcp.json", ".claude/skills"),
                Client::Cursor => (".cursor/mcp.json", ".cursor/skills"),
                Client::Vscode => (".vscode/mcp.json", ".github/skills"),
                Client::Codex => (".codex/config.toml", ".agents/skills"),
                Client::Gemini => (".gemini/settings.json", ".gemini/skills"),
                Client::Zed => (".zed/settings.json", ".agents/skills"),
                Client::ClaudeDesktop | Client::Generic => no_place()?,
            };
            Ok((place(folder, servers), place(folder, &skill(skills))))
        }
    }
}

fn of_user(client: Client) -> anyhow::Result<(Place, Place)> {
    let home = places::home().context("there is no home folder; set HOME to an absolute path, or use --project")?;
    let settings = places::settings_of_programs().unwrap_or_else(|| home.join(".config"));
    let named = |variable: &str| env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from);
    Ok(match client {
        Client::ClaudeCode => match named("CLAUDE_CONFIG_DIR") {
            Some(folder) => (place(&folder, ".claude.json"), place(&folder, &skill("skills"))),
            None => (place(&home, ".claude.json"), place(&home, &skill(".claude/skills"))),
        },
        Client::Cursor => (place(&home, ".cursor/mcp.json"), place(&home, &skill(".cursor/skills"))),
        Client::Vscode => (place(&settings, "Code/User/mcp.json"), place(&home, &skill(".copilot/skills"))),
        Client::Codex => {
            let folder = named("CODEX_HOME").unwrap_or_else(|| home.join(".codex"));
            (place(&folder, "config.toml"), place(&home, &skill(".agents/skills")))
        }
        Client::Gemini => (place(&home, ".gemini/settings.json"), place(&home, &skill(".gemini/skills"))),
        Client::Zed => {
            let servers = match () {
                () if cfg!(target_os = "macos") => place(&home, ".config/zed/settings.json"),
                () if cfg!(windows) => place(&settings, "Zed/settings.json"),
                () => place(&settings, "zed/settings.json"),
            };
            (servers, place(&home, &skill(".agents/skills")))
        }
        Client::ClaudeDesktop | Client::Generic => no_place()?,
    })
}

fn no_place<T>() -> anyhow::Result<T> {
    anyhow::bail!("this client is not set up by file; use serve --print-config")
}

fn place(root: &Path, below: &str) -> Place {
    Place { root: root.to_owned(), below: below.into() }
}

/// The skill below the folder of skills.
fn skill(folder: &str) -> String {
    format!("{folder}/{SERVER}/SKILL.md")
}
