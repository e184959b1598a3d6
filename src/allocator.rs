//! Makes jemalloc the allocator of the program and of the parser.
//!
//! Facts and syntax trees are millions of small values, allocated on some threads and freed on others. With the
//! system's allocator they take a quarter of the time of indexing, and freed memory hardly ever returns to the system.
#![allow(unsafe_code, reason = "the parser allocates through C functions")]

use std::ffi::c_void;

use tikv_jemalloc_sys::{calloc as allocate_zeroed, free, malloc as allocate, realloc as reallocate};

#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// The options that the allocator reads at its start. A background thread returns memory to the system after half a
/// second without use: an explorer stays open for long, and indexing needs several times the memory of the index.
// SAFETY: the allocator expects a symbol of this name to be a pointer to a text that ends with a zero byte.
#[unsafe(export_name = "_rjem_malloc_conf")]
static CONFIGURATION: &[u8] = b"background_thread:true,dirty_decay_ms:500,muzzy_decay_ms:0\0";

/// Makes the parser use the same allocator. Must be called from one thread, before anything is parsed.
pub(crate) fn share() {
    let allocator = tree_sitter::Allocator { malloc, calloc, realloc, free };
    // SAFETY: the four functions use one allocator, never return null for a size above 0, and align as `malloc` does;
    // no tree has been allocated by other functions.
    unsafe { tree_sitter::set_allocator(Some(allocator)) };
}

unsafe extern "C" fn malloc(size: usize) -> *mut c_void {
    // SAFETY: `malloc` and `calloc` accept any size.
    non_null_or_abort(unsafe { allocate(size) }, size)
}

unsafe extern "C" fn calloc(count: usize, size: usize) -> *mut c_void {
    // SAFETY: `malloc` and `calloc` accept any size.
    non_null_or_abort(unsafe { allocate_zeroed(count, size) }, count.saturating_mul(size))
}

unsafe extern "C" fn realloc(old: *mut c_void, size: usize) -> *mut c_void {
    // SAFETY: the parser passes a pointer that it got from these functions.
    non_null_or_abort(unsafe { reallocate(old, size) }, size)
}

/// Aborts the process if an allocation failed, as Rust's own allocations do: the parser does not check for null.
fn non_null_or_abort(memory: *mut c_void, size: usize) -> *mut c_void {
    if memory.is_null() && size > 0 {
        std::process::abort();
    }
    memory
}
