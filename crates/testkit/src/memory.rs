//! [`CountingAllocator`]: a memory allocator that counts allocations, which a test program uses as its
//! `#[global_allocator]`.
#![allow(unsafe_code, reason = "a global allocator is unsafe to implement")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

thread_local!(static ALLOCATIONS: Cell<usize> = const { Cell::new(0) });
static LIVE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

/// Memory allocator of the system that also counts each thread's allocations and the bytes allocated by all
/// threads.
#[derive(Debug)]
pub struct CountingAllocator;

// SAFETY: every call is forwarded unchanged to the system's allocator.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        let live = LIVE.fetch_add(layout.size(), Relaxed) + layout.size();
        PEAK.fetch_max(live, Relaxed);
        // SAFETY: the caller's guarantees hold for the forwarded call.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller's guarantees hold for the forwarded call.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// Calls `work` and returns the number of memory allocations that it makes in this thread.
pub fn allocations(work: impl FnOnce()) -> usize {
    let before = ALLOCATIONS.get();
    work();
    ALLOCATIONS.get() - before
}

/// Calls `work` and returns its peak memory in bytes: the most that was allocated at one time, beyond the
/// bytes that were allocated before the call.
pub fn peak(work: impl FnOnce()) -> usize {
    // The counters are global, so other threads must not allocate while `work` runs.
    let before = LIVE.load(Relaxed);
    PEAK.store(before, Relaxed);
    work();
    PEAK.load(Relaxed) - before
}
