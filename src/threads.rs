//! Threads in the background: their priority, and panics as values.

use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
};

/// What is added to the niceness of background threads. While two cores index, the explorer answers a key in 5 ms
/// instead of 40 ms, and indexing takes no longer.
#[cfg(target_os = "linux")]
const NICER: i32 = 5;

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
        let priority = rustix::process::nice(0).ok().and_then(|niceness| priority(niceness + NICER).try_into().ok());
        if let Some(priority) = priority.map(ThreadPriority::Crossplatform) {
            // If the system refuses, the thread keeps its priority.
            let _ = set_thread_priority_and_policy(thread_native_id(), priority, policy);
        }
    }
}

/// The priority of 0 to 99 that the crate translates to a niceness of -20 to 19. A greater niceness is 19.
#[cfg(target_os = "linux")]
fn priority(niceness: i32) -> u8 {
    // A niceness has two or three priorities. That in the middle is translated back whatever the rounding.
    (99 * (37 - 2 * niceness).max(0) / 78) as u8
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

#[cfg(test)]
mod tests {
    #[cfg(target_os = "linux")]
    #[test]
    fn a_background_thread_is_nicer_than_the_one_that_starts_it() {
        use std::thread;

        use rustix::process::nice;
        use thread_priority::{NormalThreadSchedulePolicy, ThreadSchedulePolicy, thread_schedule_policy};

        use super::{NICER, lower_priority};

        let before = nice(0).unwrap();
        // Threads of a program that is nice already are nicer than the program, up to the greatest niceness.
        let check = |added: i32| {
            let background = thread::spawn(move || {
                let own = nice(added).unwrap();
                lower_priority();
                (own, nice(0).unwrap(), thread_schedule_policy().unwrap())
            });
            let (own, lowered, policy) = background.join().unwrap();
            assert_eq!(lowered, (own + NICER).min(19), "from {own}");
            assert_eq!(policy, ThreadSchedulePolicy::Normal(NormalThreadSchedulePolicy::Batch));
        };
        (0..20).for_each(check);
        assert_eq!(nice(0).unwrap(), before, "the thread that starts it keeps its priority");
    }
}
