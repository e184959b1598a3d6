//! `setup`: adds the server to the configuration of a client, and takes it back.
//!
//! | file | content |
//! | --- | --- |
//! | `places` | where each client keeps its servers and its skills |
//! | `json`, `toml` | a server in a client's file, of which everything else stays as it is |
//! | `skill` | the file that tells an agent when to ask |
//! | `change` | a change of a file: shown, and made as a whole or not at all |

mod change;
mod json;
mod places;
mod skill;
mod toml;

use std::{
    env,
    io::{self, BufRead as _, IsTerminal as _, Read as _, Write as _},
    path::{Path, PathBuf},
};

use anyhow::{Context as _, anyhow, bail};
use serde_json::Value;

pub use self::places::Scope;
use self::{change::Change, places::Place};
use super::{
    Client, NAME, note, output,
    server_config::{SERVER, toml_table},
};

/// The greatest length of an answer that is read from the terminal, in bytes.
const MAX_ANSWER: u64 = 100;

/// Sets a client up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The client.
    pub client: Client,
    /// For whom.
    pub scope: Scope,
    /// The folder that the server reads; with `None` the server reads the folder in which the client starts it.
    pub folder: Option<PathBuf>,
    /// What becomes of the files.
    pub action: SetupAction,
    /// The user is not asked.
    pub is_agreed: bool,
}

/// What becomes of a client's files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetupAction {
    /// The changes are shown, and not made.
    Show,
    /// The server and the skill are added.
    Write,
    /// The server and the skill are taken back.
    Remove,
}

impl Setup {
    /// Shows the changes of the client's files, and makes them after asking.
    ///
    /// # Errors
    /// If a file cannot be read, understood or written, and if nobody can be asked.
    pub fn run(&self) -> anyhow::Result<()> {
        let (servers, skill) = places::of(self.client, &self.scope)?;
        let changes = match self.action {
            SetupAction::Show | SetupAction::Write => [self.added(servers)?, added_skill(skill)?],
            SetupAction::Remove => [self.removed(servers)?, self.removed_skill(skill)?],
        };
        let changes: Vec<Change> = changes.into_iter().flatten().filter(|change| !change.is_done()).collect();
        if changes.is_empty() {
            note(if self.action == SetupAction::Remove { "nothing is set up" } else { "everything is set up" });
            return Ok(());
        }
        changes.iter().try_for_each(|change| change.check(&self.scope))?;
        let shown: String = changes.iter().map(Change::lines).collect();
        output::write(None, |out| out.write_all(shown.as_bytes()))?;
        if self.action == SetupAction::Show {
            note("nothing is written; add --write to make these changes");
            return Ok(());
        }
        if !self.is_agreed && !is_agreed(changes.len())? {
            note("nothing is written");
            return Ok(());
        }
        for change in &changes {
            change.make(&self.scope)?;
        }
        note(match self.action {
            SetupAction::Remove => "removed; start the client again",
            SetupAction::Show | SetupAction::Write => "written; start the client again, and let it use the server",
        });
        Ok(())
    }

    /// The change that adds the server.
    fn added(&self, place: Place) -> anyhow::Result<Option<Change>> {
        let before = change::read(&place)?;
        let text = before.as_deref().unwrap_or_default();
        let path = place.path();
        let known = self.entry(text).map_err(|why| wrong(&path, &why))?;
        if known.as_ref().is_some_and(|known| !known.is_own()) {
            bail!("{} has another server named {SERVER}; rename that one first", path.display());
        }
        let started = Started { command: own_command()?, arguments: self.arguments()? };
        let after = self.with(text, &started).map_err(|why| wrong(&path, &why))?;
        // The copy stays that of the file without the server.
        let keeps_copy = before.is_some() && known.is_none();
        Ok(Some(Change::new(place, before, Some(after)).keeping_copy(keeps_copy)))
    }

    /// The change that takes the server back: to the copy of the file, if the file differs from it by the server alone.
    fn removed(&self, place: Place) -> anyhow::Result<Option<Change>> {
        let Some(text) = change::read(&place)? else { return Ok(None) };
        let path = place.path();
        let Some(known) = self.entry(&text).map_err(|why| wrong(&path, &why))? else { return Ok(None) };
        if !known.is_own() {
            bail!("{} has another server named {SERVER}, which is none of {NAME}; it stays", path.display());
        }
        let copy = change::read(&change::copy_of(&place)).ok().flatten();
        if let Some(copy) = &copy
            && self.with(copy, &known).is_ok_and(|added| added == text)
        {
            return Ok(Some(Change::new(place, Some(text), Some(copy.clone())).dropping_copy()));
        }
        let after = self.without(&text, copy.as_deref()).map_err(|why| wrong(&path, &why))?;
        let is_left_empty = after.trim().is_empty() || json::is_empty(&after);
        let after = if copy.is_none() && is_left_empty { None } else { Some(after) };
        Ok(Some(Change::new(place, Some(text), after)))
    }

    /// The change that removes the skill, unless another client that reads it is set up, or somebody has changed it.
    fn removed_skill(&self, place: Place) -> anyhow::Result<Option<Change>> {
        let Some(text) = change::read(&place)? else { return Ok(None) };
        let path = place.path();
        if !skill::is_unchanged(&text) {
            note(&format!("{} was changed by somebody, and stays", path.display()));
            return Ok(None);
        }
        for client in [Client::Codex, Client::Zed].into_iter().filter(|client| *client != self.client) {
            let (servers, skill) = places::of(client, &self.scope)?;
            let other = Self { client, ..self.clone() };
            let text = if skill == place { change::read(&servers)? } else { None };
            if text.is_some_and(|text| other.entry(&text).is_ok_and(|entry| entry.is_some())) {
                note(&format!("{} stays: another client that is set up reads it", path.display()));
                return Ok(None);
            }
        }
        Ok(Some(Change::new(place, Some(text), None)))
    }

    /// The server in the text of a client's file.
    fn entry(&self, text: &str) -> Result<Option<Started>, String> {
        let entry = match self.client {
            Client::Codex => toml::entry(text, SERVER)?,
            client => json::entry(text, client.servers(), SERVER)?,
        };
        Ok(entry.map(|entry| Started::read(&entry)))
    }

    /// The text of a client's file with the server.
    fn with(&self, text: &str, started: &Started) -> Result<String, String> {
        let Started { command, arguments } = started;
        match self.client {
            Client::Codex => toml::with(text, SERVER, &toml_table(command, arguments)),
            client => json::with(text, client.servers(), SERVER, &client.entry(command, arguments)),
        }
    }

    /// The text of a client's file without the server. `copy` is the file before the server was added.
    fn without(&self, text: &str, copy: Option<&str>) -> Result<String, String> {
        match self.client {
            Client::Codex => toml::without(text, SERVER),
            client => {
                let had_servers = copy.is_some_and(|copy| json::has(copy, client.servers()));
                json::without(text, client.servers(), SERVER, !had_servers)
            }
        }
    }

    /// The arguments that start the server.
    fn arguments(&self) -> anyhow::Result<Vec<String>> {
        let mut words = vec!["serve".to_owned()];
        match (&self.folder, self.client) {
            (Some(folder), _) => {
                let folder = folder.canonicalize().with_context(|| folder.display().to_string())?;
                words.push(folder.display().to_string());
            }
            // These clients start servers in a folder of their own.
            (None, Client::Cursor | Client::Vscode) => words.push("${workspaceFolder}".to_owned()),
            (None, _) => {}
        }
        Ok(words)
    }
}

/// How a client starts a server.
#[derive(Debug)]
struct Started {
    command: String,
    arguments: Vec<String>,
}

impl Started {
    fn read(entry: &Value) -> Self {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let arguments = entry["args"].as_array().into_iter().flatten().filter_map(text).collect();
        Self { command: text(&entry["command"]).unwrap_or_default(), arguments }
    }

    /// True if the server is this program.
    fn is_own(&self) -> bool {
        // The path may be one of Windows.
        let name = self.command.rsplit(['/', '\\']).next().unwrap_or_default();
        name.strip_suffix(".exe").unwrap_or(name) == NAME
    }
}

/// The change that adds the skill. A skill that somebody has changed stays.
fn added_skill(place: Place) -> anyhow::Result<Option<Change>> {
    let before = change::read(&place)?;
    if before.as_deref().is_some_and(|text| !skill::is_unchanged(text)) {
        note(&format!("{} was written by somebody else, and stays", place.path().display()));
        return Ok(None);
    }
    Ok(Some(Change::new(place, before, Some(skill::text()))))
}

/// The command that starts this program: its name where a shell finds it by its name, else its path.
fn own_command() -> anyhow::Result<String> {
    let program = env::current_exe().context("the path of this program is unknown")?;
    let is_it = |path: PathBuf| path.canonicalize().is_ok_and(|path| program.canonicalize().is_ok_and(|it| it == path));
    let file = format!("{NAME}{}", env::consts::EXE_SUFFIX);
    let path = env::var_os("PATH").unwrap_or_default();
    let is_found =
        env::split_paths(&path).map(|folder| folder.join(&file)).find(|path| path.is_file()).is_some_and(is_it);
    Ok(if is_found { NAME.to_owned() } else { program.display().to_string() })
}

/// Asks on the terminal whether to change files.
fn is_agreed(files: usize) -> anyhow::Result<bool> {
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        bail!("there is no terminal to ask on; add --yes to make these changes");
    }
    let files = if files == 1 { "this file".to_owned() } else { format!("these {files} files") };
    let mut terminal = io::stderr();
    write!(terminal, "Change {files}? [y/N] ").and_then(|()| terminal.flush()).context("the terminal is closed")?;
    let mut answer = String::new();
    io::stdin().lock().take(MAX_ANSWER).read_line(&mut answer).context("no answer can be read")?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}

/// Why a file is left as it is.
fn wrong(path: &Path, why: &str) -> anyhow::Error {
    anyhow!("{} is left as it is: {why}; mend it, or use {NAME} serve --print-config", path.display())
}
