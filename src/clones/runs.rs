//! The runs of git that a user may stop before they end.

use std::{
    io,
    process::{Child, Command},
    sync::{Mutex, MutexGuard, PoisonError},
};

/// Runs of git. Each has a process group of its own, which also contains the programs that git starts.
#[derive(Debug, Default)]
pub struct Runs(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    is_stopped: bool,
    /// The process ids of the runs that have not ended. They are the ids of the process groups as well.
    ids: Vec<u32>,
}

impl Runs {
    /// Stops all runs, and starts no further one.
    pub fn stop(&self) {
        let mut state = self.state();
        state.is_stopped = true;
        state.ids.drain(..).for_each(stop_group);
    }

    /// Stops the present runs. Others may be started.
    pub fn stop_present(&self) {
        self.state().ids.drain(..).for_each(stop_group);
    }

    /// Starts a run. Fails after [`Self::stop`].
    pub(super) fn start(&self, command: &mut Command) -> io::Result<Child> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        // The lock keeps `stop` from missing a run that is just being started.
        let mut state = self.state();
        if state.is_stopped {
            return Err(io::Error::other("it was stopped"));
        }
        let child = command.spawn()?;
        state.ids.push(child.id());
        Ok(child)
    }

    /// Removes a run from the list. Must be called before the process is waited for: then the system may give its id to
    /// another process.
    pub(super) fn forget(&self, child: &Child) {
        self.state().ids.retain(|id| *id != child.id());
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Sends the processes of a group the signal to exit. Git then removes its unfinished clone.
#[cfg(unix)]
fn stop_group(id: u32) {
    use rustix::process::{Pid, Signal, kill_process_group};
    if let Some(group) = i32::try_from(id).ok().and_then(Pid::from_raw) {
        // The group may have ended.
        let _ = kill_process_group(group, Signal::TERM);
    }
}

/// Ends a process and those that it has started. Windows has no signal that asks a program without a window to exit, so
/// git leaves its unfinished clone, which is removed as any temporary folder.
#[cfg(windows)]
fn stop_group(id: u32) {
    use std::process::Stdio;
    let mut command = Command::new("taskkill");
    command.args(["/T", "/F", "/PID", &id.to_string()]).stdout(Stdio::null()).stderr(Stdio::null());
    // The process may have ended.
    let _ = command.status();
}

#[cfg(not(any(unix, windows)))]
fn stop_group(_: u32) {}
