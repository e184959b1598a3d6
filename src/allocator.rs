//! One allocator for the binary's own values and the parser's.
//!
//! Facts and syntax trees are millions of small values: with the system's allocator a quarter of the time of
//! indexing goes into them.
#![allow(unsafe_code, reason = "the parser allocates through C functions")]

use std::ffi::c_void;

use libmimalloc_sys::{mi_calloc, mi_free, mi_malloc, mi_option_set, mi_option_t, mi_realloc};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Gives the parser the same allocator. To be called before anything is parsed, from one thread.
pub(crate) fn share() {
    let allocator = tree_sitter::Allocator { malloc, calloc, realloc, free: mi_free };
    // SAFETY: the four belong together, never return null, align as `malloc` does, and no tree has been made
    // with any others.
    unsafe { tree_sitter::set_allocator(Some(allocator)) };
}

/// Gives back what is freed without waiting whether it is needed again: an explorer is open for long, and indexing
/// needs several times what it leaves behind. To be called before threads are started.
pub(crate) fn give_back_at_once() {
    /// Milliseconds until freed pages are given back; the bindings do not name it.
    const PURGE_DELAY: mi_option_t = 15;
    // SAFETY: it only sets a number.
    unsafe { mi_option_set(PURGE_DELAY, 0) };
}

unsafe extern "C" fn malloc(size: usize) -> *mut c_void {
    // SAFETY: any size may be asked for.
    given(unsafe { mi_malloc(size) })
}

unsafe extern "C" fn calloc(count: usize, size: usize) -> *mut c_void {
    // SAFETY: any size may be asked for.
    given(unsafe { mi_calloc(count, size) })
}

unsafe extern "C" fn realloc(old: *mut c_void, size: usize) -> *mut c_void {
    // SAFETY: the parser gives back what it was given here.
    given(unsafe { mi_realloc(old, size) })
}

/// The parser relies on getting what it asks for, as the rest of the program does.
fn given(memory: *mut c_void) -> *mut c_void {
    if memory.is_null() {
        std::process::abort();
    }
    memory
}
