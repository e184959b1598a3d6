//! One allocator for the binary's own values and the parser's.
//!
//! Facts and syntax trees are millions of small values, made on some threads and freed on others: with the system's
//! allocator a quarter of the time of indexing goes into them, and what they leave behind is hardly ever given back.
#![allow(unsafe_code, reason = "the parser allocates through C functions")]

use std::ffi::c_void;

use tikv_jemalloc_sys::{calloc as allocate_zeroed, free, malloc as allocate, realloc as reallocate};

#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// Read by the allocator when it starts. A thread of its own gives back what is not needed for half a second: an
/// explorer is open for long, and indexing needs several times what it leaves behind.
// SAFETY: the allocator asks for a symbol of that name that points to a text with a zero at its end.
#[unsafe(export_name = "_rjem_malloc_conf")]
static CONFIGURATION: &[u8] = b"background_thread:true,dirty_decay_ms:500,muzzy_decay_ms:0\0";

/// Gives the parser the same allocator. To be called before anything is parsed, from one thread.
pub(crate) fn share() {
    let allocator = tree_sitter::Allocator { malloc, calloc, realloc, free };
    // SAFETY: the four belong together, never return null, align as `malloc` does, and no tree has been made
    // with any others.
    unsafe { tree_sitter::set_allocator(Some(allocator)) };
}

unsafe extern "C" fn malloc(size: usize) -> *mut c_void {
    // SAFETY: any size may be asked for.
    given(unsafe { allocate(size) }, size)
}

unsafe extern "C" fn calloc(count: usize, size: usize) -> *mut c_void {
    // SAFETY: any size may be asked for.
    given(unsafe { allocate_zeroed(count, size) }, count.saturating_mul(size))
}

unsafe extern "C" fn realloc(old: *mut c_void, size: usize) -> *mut c_void {
    // SAFETY: the parser gives back what it was given here.
    given(unsafe { reallocate(old, size) }, size)
}

/// The parser relies on getting what it asks for, as the rest of the program does.
fn given(memory: *mut c_void, size: usize) -> *mut c_void {
    if memory.is_null() && size > 0 {
        std::process::abort();
    }
    memory
}
