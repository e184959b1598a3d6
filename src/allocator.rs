//! The allocator mimalloc, for the program and for the tree-sitter parser.
//!
//! Facts and syntax trees are millions of small values that some threads allocate and others free. With the allocator
//! of the C library, indexing takes about a sixth longer, and the explorer keeps twice the memory afterwards. With the
//! C library of GNU, mimalloc takes the place of that allocator, too: scanners of grammars use it for each token.
#![allow(unsafe_code, reason = "the parser allocates through C functions")]

use std::{
    alloc::{GlobalAlloc, Layout},
    ffi::{c_long, c_void},
};

use apidisc::syntax::count_allocation;
use libmimalloc_sys::{
    mi_calloc, mi_free, mi_malloc, mi_malloc_aligned, mi_option_set, mi_option_t, mi_realloc, mi_realloc_aligned,
    mi_zalloc, mi_zalloc_aligned,
};

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// The allocator for Rust. Nearly all values take the functions without an alignment, which need half as many
/// instructions.
struct MiMalloc;

/// True if the functions without an alignment align memory well enough: to 16 bytes, and to 8 if it is smaller.
fn is_aligned_anyway(size: usize, align: usize) -> bool {
    align <= 8 || align == 16 && size >= 16
}

// SAFETY: the functions belong to one allocator, which aligns memory as said above, and returns null if it has none.
unsafe impl GlobalAlloc for MiMalloc {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let (size, align) = (layout.size(), layout.align());
        // SAFETY: any size is valid, and the alignment is a power of two.
        unsafe { if is_aligned_anyway(size, align) { mi_malloc(size) } else { mi_malloc_aligned(size, align) }.cast() }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        let (size, align) = (layout.size(), layout.align());
        // SAFETY: as above.
        unsafe { if is_aligned_anyway(size, align) { mi_zalloc(size) } else { mi_zalloc_aligned(size, align) }.cast() }
    }

    unsafe fn dealloc(&self, memory: *mut u8, _: Layout) {
        // SAFETY: the memory came from this allocator.
        unsafe { mi_free(memory.cast()) };
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let (memory, align) = (memory.cast(), layout.align());
        // SAFETY: the memory came from this allocator.
        let memory = unsafe {
            if is_aligned_anyway(size, align) {
                mi_realloc(memory, size)
            } else {
                mi_realloc_aligned(memory, size, align)
            }
        };
        memory.cast()
    }
}

/// `mi_option_purge_delay` of mimalloc 3, which the bindings do not name: the time in milliseconds after which unused
/// memory goes back to the operating system.
const PURGE_DELAY: mi_option_t = 15;

/// The delay of a command. Indexing frees much memory at the ends of its steps, which other sizes of values cannot use:
/// returned after this delay, it lowers the peak by an eighth, for a thirtieth of the time. Returning it at once would
/// return again and again what is used in the next moment.
const OF_A_COMMAND: c_long = 10;

/// The delay that returns unused memory at once.
const AT_ONCE: c_long = 0;

/// Configures the allocator and makes the parser use it. Call this before anything is parsed, from one thread.
pub(crate) fn configure() {
    set_purge_delay(OF_A_COMMAND);
    let allocator = tree_sitter::Allocator { malloc, calloc, realloc, free: mi_free };
    // SAFETY: the four functions belong to one allocator. They never return null for a size above 0, and they align
    // memory as the C library does. The parser has not allocated anything yet.
    unsafe { tree_sitter::set_allocator(Some(allocator)) };
}

/// Makes the allocator return unused memory at once. The explorer needs this: indexing takes several times the memory
/// of the finished index, and an explorer stays open for a long time.
pub(crate) fn return_memory_at_once() {
    set_purge_delay(AT_ONCE);
}

fn set_purge_delay(delay: c_long) {
    // SAFETY: the option exists, and any delay is valid.
    unsafe { mi_option_set(PURGE_DELAY, delay) };
}

unsafe extern "C" fn malloc(size: usize) -> *mut c_void {
    count_allocation();
    // SAFETY: any size is valid.
    abort_if_null(unsafe { mi_malloc(size) }, size)
}

unsafe extern "C" fn calloc(count: usize, size: usize) -> *mut c_void {
    count_allocation();
    // SAFETY: any size is valid.
    abort_if_null(unsafe { mi_calloc(count, size) }, count.saturating_mul(size))
}

unsafe extern "C" fn realloc(old: *mut c_void, size: usize) -> *mut c_void {
    // SAFETY: the parser passes pointers that came from these functions.
    abort_if_null(unsafe { mi_realloc(old, size) }, size)
}

/// Returns `memory`, or aborts the program if the allocation failed, as Rust does: the parser does not check for null.
fn abort_if_null(memory: *mut c_void, size: usize) -> *mut c_void {
    if memory.is_null() && size > 0 {
        std::process::abort();
    }
    memory
}
