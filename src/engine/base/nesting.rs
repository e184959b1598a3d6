//! The bound on recursion: the one mechanism that keeps functions which may come back to themselves from overflowing
//! the stack.
//!
//! Programs nest types, names and values as deep as they like, and types lead back to themselves in ways that no rule
//! foresees. So every function that may come back to itself begins with a level:
//!
//! ```ignore
//! let Some(_level) = nesting::descend() else { return Type::Any };
//! ```
//!
//! The level ends with the function. The linkers' own `descend` also counts a step of the query, and notes that its
//! answer is not complete. A test of the architecture (`tests/arch/recursion.rs`) reads the calls of the folders that
//! it lists, and fails, naming the functions, where these can come back to themselves without a level in between.
//!
//! Two limits hold. The number of levels is the first: [`MAX_LEVELS`], the same on every machine, so that the same
//! sources give the same answers. The bytes of the stack are the second: code between two levels is no cycle, so the
//! reserve that a thread keeps is never used up.

use std::{cell::Cell, marker::PhantomData};

/// The greatest number of levels that are nested in each other.
pub const MAX_LEVELS: u32 = 1_500;

/// The bytes that nested levels may take on a thread with the stack that the standard library gives it, 2 MiB.
const DEFAULT_BYTES: usize = 1024 * 1024;

/// The part of a larger stack that is kept for the code between two levels.
const RESERVED_BYTES: usize = 8 * 1024 * 1024;

thread_local! {
    static STACK: Stack = const { Stack { levels: Cell::new(0), top: Cell::new(0), bytes: Cell::new(DEFAULT_BYTES) } };
}

/// What is known of the stack of a thread.
struct Stack {
    /// The levels that are nested in each other now.
    levels: Cell<u32>,
    /// The address of the stack at the outermost level.
    top: Cell<usize>,
    /// The bytes that nested levels may take.
    bytes: Cell<usize>,
}

/// One level of recursion, which ends when the value is dropped.
#[must_use = "the level ends when this value is dropped"]
pub struct Level {
    /// A level belongs to the thread that began it.
    _thread: PhantomData<*const ()>,
}

impl Drop for Level {
    #[inline]
    fn drop(&mut self) {
        STACK.with(|stack| stack.levels.set(stack.levels.get() - 1));
    }
}

/// Begins a level inside the present one. `None` if that would be too deep: the function then returns what stands for
/// an unknown result.
#[inline]
pub fn descend() -> Option<Level> {
    STACK.with(|stack| {
        let mark = 0_u8;
        let here = std::ptr::from_ref(&mark).addr();
        let levels = stack.levels.get();
        if levels == 0 {
            stack.top.set(here);
        }
        if levels >= MAX_LEVELS || stack.top.get().abs_diff(here) > stack.bytes.get() {
            return None;
        }
        stack.levels.set(levels + 1);
        Some(Level { _thread: PhantomData })
    })
}

/// Says that the stack of this thread has `bytes`. A thread of which nothing is said has that of the standard library.
pub fn set_stack(bytes: usize) {
    STACK.with(|stack| stack.bytes.set(bytes.saturating_sub(RESERVED_BYTES).max(DEFAULT_BYTES)));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn depth(limit: u32) -> u32 {
        let Some(_level) = descend() else { return 0 };
        if limit == 0 { 0 } else { 1 + depth(limit - 1) }
    }

    /// Takes 16 KiB of the stack a level.
    fn wide_depth() -> u32 {
        let Some(_level) = descend() else { return 0 };
        let wide = std::hint::black_box([0_u8; 16 * 1024]);
        1 + wide_depth() + u32::from(wide[0])
    }

    #[test]
    fn levels_are_counted_and_end() {
        for _ in 0..2 {
            assert_eq!(depth(u32::MAX), MAX_LEVELS);
            assert_eq!(depth(7), 7);
        }
    }

    #[test]
    fn a_level_ends_with_a_panic() {
        let panicked = std::panic::catch_unwind(|| {
            let _level = descend();
            std::panic::resume_unwind(Box::new(()));
        });
        assert!(panicked.is_err());
        assert_eq!(depth(u32::MAX), MAX_LEVELS);
    }

    #[test]
    fn levels_leave_a_reserve_of_the_stack() {
        let reached = |bytes: usize| {
            let work = move || {
                set_stack(bytes);
                wide_depth()
            };
            let thread = std::thread::Builder::new().stack_size(bytes.max(2 * 1024 * 1024));
            thread.spawn(work).expect("a thread").join().expect("no overflow")
        };
        let (few, many) = (reached(0), reached(16 * 1024 * 1024));
        assert!((32..=64).contains(&few), "{few}");
        assert!((256..=512).contains(&many), "{many}");
    }
}
