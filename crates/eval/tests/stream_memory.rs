//! Streaming takes memory that does not grow with the corpus: counted by the allocator itself.
#![allow(unsafe_code, reason = "a global allocator is unsafe to implement")]

use bleuprint_core::Case;
use bleuprint_eval::{Tokenized, observe_systems};
use bleuprint_metrics::Bleu;
use bleuprint_text::{TokenizerOptions, tokenizer};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

struct Peak;

static LIVE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call is passed on to the system's allocator as it is.
unsafe impl GlobalAlloc for Peak {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let live = LIVE.fetch_add(layout.size(), Relaxed) + layout.size();
        PEAK.fetch_max(live, Relaxed);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Peak = Peak;

/// The peak in bytes beyond what was live before, of streaming so many segments of some 60 bytes.
fn peak_of(segments: usize) -> usize {
    let tokenizer = tokenizer("13a", &TokenizerOptions::default()).unwrap();
    let bleu = Tokenized::new(Bleu::default(), tokenizer, Case::Mixed).unwrap();
    let before = LIVE.load(Relaxed);
    PEAK.store(before, Relaxed);
    let mut read = 0;
    let observed = observe_systems(&bleu, |batch| {
        read += 1;
        if read <= segments {
            batch.push("The cat sat on the mat.", ["A cat was sitting on the mat, there."]);
        }
        Ok(read <= segments)
    });
    assert_eq!(observed.unwrap()[0].counts().segments, segments as u64);
    PEAK.load(Relaxed) - before
}

#[test]
fn ten_times_the_corpus_takes_no_more_memory() {
    peak_of(1000);
    let (once, ten_times) = (peak_of(30_000), peak_of(300_000));
    // The number of batches under way at once is a matter of chance; a state of its own for each segment would take tenfold.
    assert!(ten_times < 4 * once, "{once} bytes for a corpus, {ten_times} for ten times as much");
}
