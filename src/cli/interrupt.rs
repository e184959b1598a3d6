//! Ctrl-C while an agent runs: the run ends with what it found, and its transcript is written.

use std::{
    process::exit,
    sync::atomic::{AtomicBool, Ordering},
    thread,
};

/// The exit code after the second Ctrl-C: that of a process which the signal ends.
const INTERRUPTED: i32 = 130;

static IS_STOPPED: AtomicBool = AtomicBool::new(false);

/// From now on, the first Ctrl-C asks the run to stop, and the second one ends the process. Where signals cannot be
/// received, the first one ends the process.
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
