//! Ctrl-C while an agent runs: the run ends with its results so far, and its transcript is written.

use std::{
    process::exit,
    sync::atomic::{AtomicBool, Ordering},
    thread,
};

/// The exit code after the second Ctrl-C: 128 + SIGINT, as for a process that the signal ends.
const INTERRUPTED: i32 = 130;

static IS_STOPPED: AtomicBool = AtomicBool::new(false);

/// From now on, the first Ctrl-C asks the run to stop, and the second Ctrl-C ends the process. On a system that does
/// not deliver signals, the first Ctrl-C ends the process.
pub(super) fn listen() {
    thread::spawn(|| {
        let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_io().build() else { return };
        runtime.block_on(async {
            while tokio::signal::ctrl_c().await.is_ok() {
                if IS_STOPPED.swap(true, Ordering::Relaxed) {
                    exit(INTERRUPTED);
                }
            }
        });
    });
}

/// True after the first Ctrl-C.
pub(super) fn is_stopped() -> bool {
    IS_STOPPED.load(Ordering::Relaxed)
}
