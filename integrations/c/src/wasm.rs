//! Memory of a WebAssembly module for its host, which cannot point into its own memory.

use std::alloc::{Layout, alloc, dealloc};

fn layout(size: usize) -> Option<Layout> {
    Layout::from_size_align(size.max(1), 16).ok()
}

/// Returns new memory of `size` bytes, or null if there is none.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn bleuprint_memory_new(size: usize) -> *mut u8 {
    // SAFETY: the layout has at least one byte.
    layout(size).map_or(std::ptr::null_mut(), |layout| unsafe { alloc(layout) })
}

/// Frees memory of [`bleuprint_memory_new`].
///
/// # Safety
/// `memory` has `size` bytes and is not freed.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn bleuprint_memory_free(memory: *mut u8, size: usize) {
    if let (false, Some(layout)) = (memory.is_null(), layout(size)) {
        // SAFETY: the caller vouches for the memory.
        unsafe { dealloc(memory, layout) }
    }
}
