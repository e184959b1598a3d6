//! External programs that a check needs. In CI a missing program fails the check; elsewhere the check is skipped, which
//! is reported on the terminal.

// Every test program uses only a part of this module.
#![allow(dead_code)]

use std::{
    env,
    io::{self, Write as _},
    process::{Command, Stdio},
    thread,
};

/// A program that a check starts.
pub(crate) struct Tool {
    /// The name of the executable.
    name: &'static str,
    /// The command that installs the program.
    install: &'static str,
}

pub(crate) const PYTHON: Tool = Tool { name: "python3", install: "apt-get install python3" };
pub(crate) const NODE: Tool = Tool { name: "node", install: "apt-get install nodejs npm" };
pub(crate) const BASH: Tool = Tool { name: "bash", install: "apt-get install bash" };
pub(crate) const ZSH: Tool = Tool { name: "zsh", install: "apt-get install zsh" };
pub(crate) const FISH: Tool = Tool { name: "fish", install: "apt-get install fish" };
pub(crate) const CHROMIUM: Tool = Tool { name: "chromium", install: "apt-get install chromium" };

impl Tool {
    /// A command that starts the program.
    pub(crate) fn command(&self) -> Command {
        Command::new(self.name)
    }
}

/// True if the program cannot be started; the check is then reported as skipped.
///
/// # Panics
/// If the program is missing and the environment variable `CI` is set.
pub(crate) fn is_missing(tool: &Tool) -> bool {
    let started =
        tool.command().arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    let is_missing = !started.is_ok_and(|status| status.success());
    if is_missing {
        report(tool.name, tool.install);
    }
    is_missing
}

/// Reports that the running test is skipped.
///
/// # Panics
/// If the environment variable `CI` is set.
pub(crate) fn report(missing: &str, install: &str) {
    assert!(env::var_os("CI").is_none(), "{missing} is missing: {install}");
    let thread = thread::current();
    let test = thread.name().unwrap_or("a test");
    // Written directly to standard error, since the test harness hides the output of passing tests.
    let _ = writeln!(io::stderr(), "test {test} ... SKIPPED: {missing} is missing: {install}");
}
