//! Functions by which the host of a WebAssembly module (JavaScript) allocates memory inside the module. The
//! host writes arguments there, because the module cannot read the host's memory.

use std::alloc::{Layout, alloc, dealloc};

fn layout(size: usize) -> Option<Layout> {
    Layout::from_size_align(size.max(1), 16).ok()
}

/// Allocates `size` bytes and returns a pointer to them, or null if no memory is left.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn bleuprint_memory_new(size: usize) -> *mut u8 {
    // SAFETY: the layout has at least one byte.
    layout(size).map_or(std::ptr::null_mut(), |layout| unsafe { alloc(layout) })
}

/// Frees memory that [`bleuprint_memory_new`] returned; `size` is its size in bytes. It does nothing with a
/// null pointer.
///
/// # Safety
/// `memory` is null, or points to `size` bytes of [`bleuprint_memory_new`] that are not freed.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn bleuprint_memory_free(memory: *mut u8, size: usize) {
    if let (false, Some(layout)) = (memory.is_null(), layout(size)) {
        // SAFETY: the caller vouches for the memory.
        unsafe { dealloc(memory, layout) }
    }
}
