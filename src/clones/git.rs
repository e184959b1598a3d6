//! Runs the user's own `git`, with its credentials and proxies.
//!
//! Git is run in a folder of this program that is in no repository, so that the settings of a foreign repository never
//! apply. Git never prompts, runs no hooks, and uses no protocol but https, ssh, git and file.

use std::{
    env,
    ffi::OsStr,
    io::{BufRead as _, BufReader, Read as _},
    path::Path,
    process::{Command, Stdio},
    thread,
};

use super::{Runs, credentials};
use apidisc::RemoteUrl;

/// The greatest number of bytes of the output of git that are read.
const MAX_OUTPUT_BYTES: u64 = 16 << 20;
/// The greatest length in bytes of a line of progress or of an error that is kept.
const MAX_LINE_BYTES: usize = 1000;
/// The environment variables that git is run without, because they would point git to a repository or add settings.
const REMOVED_VARIABLES: [&str; 9] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_NAMESPACE",
    "GIT_CONFIG_PARAMETERS",
    "GIT_CONFIG",
];

/// The version of the user's git, such as `git version 2.47.3`; `None` if git cannot be started.
pub fn version() -> Option<String> {
    let output = Command::new("git").arg("--version").stdin(Stdio::null()).output().ok()?;
    let text = String::from_utf8(output.stdout).ok().filter(|_| output.status.success())?;
    text.lines().next().map(|line| line.trim().to_owned())
}

/// One run of git.
pub(super) struct Git<'a> {
    /// The folder in which git runs: a folder of this program, which is not part of a repository.
    pub(super) folder: &'a Path,
    pub(super) url: &'a RemoteUrl,
    /// The list of runs that can be stopped, for a run in a process group of its own. `None` for a run in the process
    /// group of this program, which Ctrl-C in a terminal stops.
    pub(super) runs: Option<&'a Runs>,
    /// Called with each line of progress.
    pub(super) observe: &'a dyn Fn(&str),
}

impl Git<'_> {
    /// Runs git with these arguments and returns its standard output.
    ///
    /// # Errors
    /// The line of git's error output that gives the reason, without secrets.
    pub(super) fn run<S: AsRef<OsStr>>(&self, words: impl IntoIterator<Item = S>) -> Result<String, String> {
        let mut command = self.command();
        command.args(words);
        let spawned = match self.runs {
            Some(runs) => runs.start(&mut command),
            None => command.spawn(),
        };
        let mut child = spawned.map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => {
                "git is not installed; install it, or clone by hand and name the folder".to_owned()
            }
            _ => format!("git cannot be started: {error}"),
        })?;
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        let reader = thread::spawn(move || {
            let mut text = String::new();
            let read = stdout.map(|pipe| pipe.take(MAX_OUTPUT_BYTES).read_to_string(&mut text));
            read.is_none_or(|read| read.is_ok()).then_some(text)
        });
        let mut problem = String::new();
        for line in stderr.into_iter().flat_map(|pipe| lines(BufReader::new(pipe))) {
            let line = self.without_secrets(&line);
            if line.starts_with("fatal:") || line.starts_with("error:") || line.starts_with("ssh:") {
                if problem.is_empty() || line.starts_with("fatal: Remote") || line.starts_with("fatal: remote") {
                    problem = line;
                }
            } else {
                (self.observe)(line.trim());
            }
        }
        let output = reader.join().unwrap_or_default();
        if let Some(runs) = self.runs {
            runs.forget(&child);
        }
        let status = child.wait().map_err(|error| format!("git cannot be waited for: {error}"))?;
        if status.success() {
            return output.ok_or_else(|| "git printed what is no text".to_owned());
        }
        let problem = problem.split_once(": ").map_or(problem.as_str(), |(_, text)| text).trim();
        Err(if problem.is_empty() { format!("git ended with {status}") } else { format!("git says: {problem}") })
    }

    fn command(&self) -> Command {
        let mut command = Command::new("git");
        command.current_dir(self.folder).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        for setting in [
            "protocol.ext.allow=never",
            "core.hooksPath=/dev/null",
            "core.fsmonitor=false",
            "gc.auto=0",
            "maintenance.auto=false",
            "fetch.recurseSubmodules=false",
            // Objects stay in the pack, which has a checksum.
            "fetch.unpackLimit=1",
            "http.lowSpeedLimit=100",
            "http.lowSpeedTime=60",
        ] {
            command.args(["-c", setting]);
        }
        for name in REMOVED_VARIABLES {
            command.env_remove(name);
        }
        command.env("GIT_TERMINAL_PROMPT", "0").env("GIT_ASKPASS", "").env("SSH_ASKPASS", "");
        command.env("GIT_ALLOW_PROTOCOL", "https:ssh:git:file").env("LC_ALL", "C");
        if let Some(above) = self.folder.parent() {
            command.env("GIT_CEILING_DIRECTORIES", above);
        }
        // If the user has set a command for ssh, it is kept; otherwise ssh runs without prompts.
        if env::var_os("GIT_SSH_COMMAND").is_none() && env::var_os("GIT_SSH").is_none() && !has_own_ssh(self.folder) {
            command.env("GIT_SSH_COMMAND", "ssh -o BatchMode=yes");
        }
        credentials::provide(self.url, &mut command);
        command
    }

    /// A line of the output of git, without the secrets of the URL and without control characters.
    fn without_secrets(&self, line: &str) -> String {
        credentials::without_secrets(line, self.url).chars().filter(|c| !c.is_control()).collect()
    }
}

/// True if the user has set a command for ssh.
fn has_own_ssh(folder: &Path) -> bool {
    let words = ["config", "--global", "--get", "core.sshCommand"];
    Command::new("git").args(words).current_dir(folder).stdin(Stdio::null()).output().is_ok_and(|o| o.status.success())
}

/// The lines of the output of git, which ends lines of progress with a carriage return.
fn lines(mut pipe: BufReader<impl std::io::Read>) -> impl Iterator<Item = String> {
    std::iter::from_fn(move || {
        let mut line = Vec::new();
        loop {
            let available = pipe.fill_buf().ok()?;
            if available.is_empty() {
                return (!line.is_empty()).then(|| String::from_utf8_lossy(&line).into_owned());
            }
            let end = available.iter().position(|byte| matches!(byte, b'\r' | b'\n'));
            let taken = end.unwrap_or(available.len());
            let room = MAX_LINE_BYTES.saturating_sub(line.len()).min(taken);
            line.extend_from_slice(&available[..room]);
            pipe.consume(end.map_or(taken, |end| end + 1));
            if end.is_some() && !line.is_empty() {
                return Some(String::from_utf8_lossy(&line).into_owned());
            }
        }
    })
}
