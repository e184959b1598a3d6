//! The binary under limits of memory and of waiting.

use std::{
    io::Read as _,
    path::Path,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// After this long a run counts as hanging.
const PATIENCE: Duration = Duration::from_mins(1);

/// The address space of a run in kilobytes, where the system can limit it.
const KILOBYTES: &str = "3000000";

/// The outcome of a run.
pub(crate) struct Outcome {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs the binary in `folder`, which is the home folder, too. A run that hangs is killed and fails the test.
#[track_caller]
pub(crate) fn run(folder: &Path, arguments: &[&str]) -> Outcome {
    let script = format!("ulimit -v {KILOBYTES} 2>/dev/null; exec \"$0\" \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_apidisc-tui")]).args(arguments).current_dir(folder);
    for name in ["XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "GIT_CONFIG_GLOBAL"] {
        command.env_remove(name);
    }
    command.env("HOME", folder).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let (mut stdout, mut stderr) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
    let stdout = thread::spawn(move || {
        let mut bytes = Vec::new();
        stdout.read_to_end(&mut bytes).map(|_| String::from_utf8_lossy(&bytes).into_owned())
    });
    let stderr = thread::spawn(move || {
        let mut bytes = Vec::new();
        stderr.read_to_end(&mut bytes).map(|_| String::from_utf8_lossy(&bytes).into_owned())
    });
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if start.elapsed() > PATIENCE {
            child.kill().unwrap();
            panic!("{arguments:?} hangs");
        }
        thread::sleep(Duration::from_millis(5));
    };
    Outcome { code: status.code(), stdout: stdout.join().unwrap().unwrap(), stderr: stderr.join().unwrap().unwrap() }
}
