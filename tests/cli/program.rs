//! The binary under test, and folders to run it on.

use std::{
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use tempfile::TempDir;

use crate::tools;

/// The binary with these arguments, without a terminal.
pub(crate) fn command<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_apidisc-tui"));
    command.args(arguments).env_remove("COLUMNS").env("APIDISC_CACHE", "off").stdin(Stdio::null());
    // The environment that the tests run in is none of the code that they look at.
    command.env_remove("VIRTUAL_ENV").env_remove("CONDA_PREFIX");
    command
}

/// Runs the binary with the words of a line.
pub(crate) fn run(line: &str) -> Outcome {
    outcome(&mut command(line.split_whitespace()))
}

/// Runs the binary with the words of a line and a path after them.
pub(crate) fn run_on(line: &str, path: &Path) -> Outcome {
    outcome(command(line.split_whitespace()).arg(path))
}

/// The rows of calls: callee, or why there is none, parameters and package.
pub(crate) fn call_rows(arguments: &str, project: &Project) -> Vec<String> {
    call_rows_at(arguments, project.path())
}

/// [`call_rows`] of the sources that a path names.
pub(crate) fn call_rows_at(arguments: &str, path: &Path) -> Vec<String> {
    let text = run_on(&format!("calls {arguments}"), path).success();
    let row = |line: &str| {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        let text = |key: &str| row[key].as_str().unwrap_or("-").to_owned();
        let parameters =
            row["args"].as_array().unwrap().iter().map(|arg| arg["param"].as_str().unwrap_or("?").to_owned());
        let callee = if row["callee"].is_null() { format!("? {}", text("why")) } else { text("callee") };
        format!("{callee} ({}) {}", parameters.collect::<Vec<_>>().join(", "), text("package"))
    };
    text.lines().map(row).collect()
}

/// Runs git in a folder, without the user's settings.
pub(crate) fn git(folder: &Path, words: &[&str]) {
    let settings = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"];
    let mut git = Command::new("git");
    let git = git.args(settings).args(words).current_dir(folder).env("GIT_CONFIG_GLOBAL", "/dev/null");
    let output = git.output().unwrap();
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Runs a command to its end.
pub(crate) fn outcome(command: &mut Command) -> Outcome {
    let output = command.output().unwrap();
    Outcome {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// The result of a run.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// The exit code; `None` if a signal ended the run.
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Outcome {
    /// The standard output; the run must have succeeded.
    #[track_caller]
    pub(crate) fn success(self) -> String {
        assert_eq!(self.code, Some(0), "{}", self.stderr);
        self.stdout
    }

    /// The one line of the error message; nothing else may have been printed.
    #[track_caller]
    pub(crate) fn failure(self) -> String {
        assert_eq!(self.code, Some(1), "{self:?}");
        assert_eq!(self.stdout, "");
        let line = self.stderr.strip_suffix('\n').unwrap_or(&self.stderr);
        assert!(line.starts_with("apidisc-tui: ") && !line.contains(char::is_control), "{line:?}");
        line["apidisc-tui: ".len()..].to_owned()
    }

    /// The message about wrong usage.
    #[track_caller]
    pub(crate) fn usage_error(self) -> String {
        assert_eq!(self.code, Some(2), "{self:?}");
        assert_eq!(self.stdout, "");
        self.stderr
    }
}

/// A folder of sources that is removed at the end of the test.
pub(crate) struct Project(TempDir);

impl Project {
    /// An empty folder.
    pub(crate) fn empty() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// A folder with one file.
    pub(crate) fn with(path: &str, content: impl AsRef<[u8]>) -> Self {
        Self::empty().and(path, content)
    }

    /// Adds a file.
    pub(crate) fn and(self, path: &str, content: impl AsRef<[u8]>) -> Self {
        let path = self.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
        self
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn join(&self, path: &str) -> PathBuf {
        self.path().join(path)
    }
}

/// True if Python parses `text` as a module; also true if Python is missing, which is reported.
pub(crate) fn is_python(text: &str) -> bool {
    if tools::is_missing(&tools::PYTHON) {
        return true;
    }
    let folder = Project::with("stub.py", text);
    let check = "import ast, sys; ast.parse(open(sys.argv[1], 'rb').read())";
    let output = tools::PYTHON.command().args(["-c", check]).arg(folder.join("stub.py")).output().unwrap();
    if !output.status.success() {
        eprintln!("no valid Python:\n{text}");
    }
    output.status.success()
}
