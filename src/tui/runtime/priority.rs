//! Which threads make way for the one that draws.

/// Niceness of every thread but the one that draws: on two cores that index, a key is answered in 5 ms instead of 40,
/// and indexing takes as long as before.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 5;

/// Lets the calling thread, and those that it starts from now on, wait where there are not enough cores for all.
/// Elsewhere than on Linux niceness belongs to the whole process, and would slow down what draws.
pub(super) fn make_way() {
    #[cfg(target_os = "linux")]
    {
        // Whoever may not say so goes on as it is.
        let _ = rustix::process::nice(NICENESS);
    }
}
