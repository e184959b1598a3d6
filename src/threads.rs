//! Threads in the background: their priority, and panics as values.

use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
};

/// The priority of background threads, of 0 to 99: the niceness 5. While two cores index, the explorer answers a key in
/// 5 ms instead of 40 ms, and indexing takes no longer.
#[cfg(target_os = "linux")]
const BACKGROUND: u8 = 35;

/// Lowers the priority of the calling thread, and of the threads that it starts from now on: the thread gets less time
/// than the drawing thread, and never takes the core from the drawing thread at the moment at which it wakes. Does
/// nothing except on Linux: elsewhere niceness applies to the whole process, and would slow down drawing.
pub(crate) fn lower_priority() {
    #[cfg(target_os = "linux")]
    {
        use thread_priority::{
            NormalThreadSchedulePolicy, ThreadPriority, ThreadSchedulePolicy, set_thread_priority_and_policy,
            thread_native_id,
        };
        let policy = ThreadSchedulePolicy::Normal(NormalThreadSchedulePolicy::Batch);
        if let Ok(priority) = BACKGROUND.try_into() {
            // If the system refuses, the thread keeps its priority.
            let priority = ThreadPriority::Crossplatform(priority);
            let _ = set_thread_priority_and_policy(thread_native_id(), priority, policy);
        }
    }
}

/// Runs `work`.
///
/// # Errors
/// The panic's message, if `work` panics.
pub(crate) fn catch_panic<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| panic_message(panic.as_ref()))
}

fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("panicked").to_owned()
}
