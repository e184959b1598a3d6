//! `serve --print-config`: prints the configuration of a client for the server, in the client's documented format.

#![allow(clippy::doc_markdown, reason = "documentation of options is printed as text")]

use std::{
    env,
    net::SocketAddr,
    path::{Path, PathBuf, absolute},
};

use anyhow::{Context as _, bail};
use clap::ValueEnum;
use serde_json::{Value, json};

use super::{Input, NAME, note, output};
use apidisc::unprintable::{escaped_json, shell_word, toml_string};

/// The name of the server in a client.
pub(super) const SERVER: &str = "apidisc";

/// A program that asks servers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Client {
    /// Claude Code: a command
    ClaudeCode,
    /// Claude Desktop: for claude_desktop_config.json
    ClaudeDesktop,
    /// Cursor: for .cursor/mcp.json
    Cursor,
    /// VS Code: for .vscode/mcp.json
    Vscode,
    /// Codex: for ~/.codex/config.toml
    Codex,
    /// Gemini CLI: for .gemini/settings.json
    Gemini,
    /// Zed: for settings.json
    Zed,
    /// Others: for a file with mcpServers
    Generic,
}

impl Client {
    /// The key below which the client's file in JSON has its servers.
    pub(super) fn servers(self) -> &'static str {
        match self {
            Self::Vscode => "servers",
            Self::Zed => "context_servers",
            _ => "mcpServers",
        }
    }

    /// The entry of a server that the client starts, in the client's file in JSON.
    pub(super) fn entry(self, command: &str, args: &[String]) -> Value {
        match self {
            Self::Vscode => json!({"type": "stdio", "command": command, "args": args}),
            Self::Zed => json!({"command": command, "args": args, "env": {}}),
            _ => json!({"command": command, "args": args}),
        }
    }
}

/// The table of a server that Codex starts, in its file in TOML.
pub(super) fn toml_table(command: &str, args: &[String]) -> String {
    let args: Vec<String> = args.iter().map(|text| toml_string(text)).collect();
    format!("[mcp_servers.{SERVER}]\ncommand = {}\nargs = [{}]\n", toml_string(command), args.join(", "))
}

/// Prints the configuration of a client for the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerConfig {
    /// The client.
    pub client: Client,
    /// The input of the server.
    pub input: Input,
    /// The address of a server that runs; `None` if the client starts the server.
    pub http: Option<SocketAddr>,
    /// The names of the tools to list; empty for the usual ones.
    pub tools: Vec<String>,
}

impl ServerConfig {
    /// Prints the configuration on standard output, and the place where it belongs on standard error.
    ///
    /// # Errors
    /// If the client cannot be configured for an address, if the input is no source, or if a path cannot be resolved.
    pub fn run(&self) -> anyhow::Result<()> {
        let (text, place) = match self.http {
            Some(address) => self.for_url(&format!("http://{address}/mcp"))?,
            None => self.for_command(&env::current_exe().context("the path of this program is unknown")?)?,
        };
        if let Input::Folder(path) | Input::Revision(path, _) | Input::Config(path, _) = &self.input
            && !path.exists()
        {
            note(&format!("{} does not exist yet: the server will not start without it", path.display()));
        }
        note(place);
        output::write(None, |out| out.write_all(text.as_bytes()))
    }

    /// The configuration of a client that starts the server, and the place where it belongs.
    fn for_command(&self, program: &Path) -> anyhow::Result<(String, &'static str)> {
        let (command, args) = (program.display().to_string(), self.arguments()?);
        let text = match self.client {
            Client::ClaudeCode => {
                let words = std::iter::once(&command).chain(&args).map(|word| shell_word(word));
                format!("claude mcp add {SERVER} -- {}\n", words.collect::<Vec<_>>().join(" "))
            }
            Client::Codex => toml_table(&command, &args),
            client => pretty(client.servers(), &client.entry(&command, &args)),
        };
        Ok((text, self.place()))
    }

    /// The configuration of a client that connects to a running server, and the place where it belongs.
    fn for_url(&self, url: &str) -> anyhow::Result<(String, &'static str)> {
        Ok(match self.client {
            Client::ClaudeCode => {
                (format!("claude mcp add --transport http {SERVER} {url}\n"), "run this in the project")
            }
            Client::ClaudeDesktop => {
                bail!("the file of Claude Desktop names programs, not addresses; leave out --http")
            }
            Client::Codex => (format!("[mcp_servers.{SERVER}]\nurl = \"{url}\"\n"), self.place()),
            Client::Vscode => (pretty(self.client.servers(), &json!({"type": "http", "url": url})), self.place()),
            Client::Gemini => (pretty(self.client.servers(), &json!({"httpUrl": url})), self.place()),
            Client::Cursor | Client::Zed | Client::Generic => {
                (pretty(self.client.servers(), &json!({"url": url})), self.place())
            }
        })
    }

    /// The place where the configuration belongs: a file, or a shell.
    fn place(&self) -> &'static str {
        match self.client {
            Client::ClaudeCode => "run this in the project",
            Client::ClaudeDesktop => "add this to claude_desktop_config.json: Settings, Developer, Edit Config",
            Client::Cursor => "add this to .cursor/mcp.json in the project, or to ~/.cursor/mcp.json",
            Client::Vscode => "add this to .vscode/mcp.json in the project",
            Client::Codex => "add this to ~/.codex/config.toml",
            Client::Gemini => "add this to .gemini/settings.json in the project, or to ~/.gemini/settings.json",
            Client::Zed => "add this to the settings: zed: open settings",
            Client::Generic => "add this to the client's file of servers",
        }
    }

    /// The arguments that start the server. Their paths are absolute.
    fn arguments(&self) -> anyhow::Result<Vec<String>> {
        let whole = |path: &PathBuf| -> anyhow::Result<String> {
            let found = path.canonicalize().or_else(|_| absolute(path));
            Ok(found.with_context(|| path.display().to_string())?.display().to_string())
        };
        let mut words = vec!["serve".to_owned()];
        match &self.input {
            Input::Folder(path) => words.push(whole(path)?),
            Input::Revision(path, revision) => words.extend([whole(path)?, "--rev".to_owned(), revision.clone()]),
            Input::Config(path, _) => words.extend(["--config".to_owned(), whole(path)?]),
            Input::Demo => words.push("--demo".to_owned()),
            Input::IndexFile(_) | Input::Facts(_) => bail!("{NAME} serve needs sources; name a folder"),
        }
        if !self.tools.is_empty() {
            words.extend(["--tools".to_owned(), self.tools.join(",")]);
        }
        Ok(words)
    }
}

/// A JSON file with one server below `key`.
fn pretty(key: &str, server: &Value) -> String {
    escaped_json(format!("{:#}\n", json!({ key: { SERVER: server } })))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(client: Client, http: Option<&str>) -> String {
        let http = http.map(|address| address.parse().unwrap());
        let config = ServerConfig { client, input: Input::Demo, http, tools: vec!["all".to_owned()] };
        let text = match http {
            Some(address) => config.for_url(&format!("http://{address}/mcp")),
            None => config.for_command(Path::new("/opt/a b/apidisc-tui")),
        };
        text.unwrap().0
    }

    #[test]
    fn each_client_gets_its_own_format() {
        let words = json!(["serve", "--demo", "--tools", "all"]);
        let command = "/opt/a b/apidisc-tui";
        assert_eq!(
            text(Client::ClaudeCode, None),
            "claude mcp add apidisc -- '/opt/a b/apidisc-tui' serve --demo --tools all\n"
        );
        for client in [Client::ClaudeDesktop, Client::Cursor, Client::Gemini, Client::Generic] {
            let file: Value = serde_json::from_str(&text(client, None)).unwrap();
            assert_eq!(file, json!({"mcpServers": {"apidisc": {"command": command, "args": words}}}));
        }
        let file: Value = serde_json::from_str(&text(Client::Vscode, None)).unwrap();
        assert_eq!(file, json!({"servers": {"apidisc": {"type": "stdio", "command": command, "args": words}}}));
        let file: Value = serde_json::from_str(&text(Client::Zed, None)).unwrap();
        assert_eq!(file, json!({"context_servers": {"apidisc": {"command": command, "args": words, "env": {}}}}));
        let file: toml::Table = text(Client::Codex, None).parse().unwrap();
        assert_eq!(file["mcp_servers"]["apidisc"]["command"].as_str(), Some(command));
        assert_eq!(file["mcp_servers"]["apidisc"]["args"].as_array().map(Vec::len), Some(4));
    }

    #[test]
    fn a_server_that_runs_is_named_by_its_url() {
        let address = Some("127.0.0.1:8765");
        let url = "http://127.0.0.1:8765/mcp";
        assert_eq!(text(Client::ClaudeCode, address), format!("claude mcp add --transport http apidisc {url}\n"));
        let file: Value = serde_json::from_str(&text(Client::Gemini, address)).unwrap();
        assert_eq!(file["mcpServers"]["apidisc"]["httpUrl"], url);
        let file: Value = serde_json::from_str(&text(Client::Vscode, address)).unwrap();
        assert_eq!(file["servers"]["apidisc"], json!({"type": "http", "url": url}));
        let file: toml::Table = text(Client::Codex, address).parse().unwrap();
        assert_eq!(file["mcp_servers"]["apidisc"]["url"].as_str(), Some(url));
    }
}
