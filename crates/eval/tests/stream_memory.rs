//! Tests that the memory of streaming does not grow with the corpus; the allocator itself counts.

use bleuprint_core::Case;
use bleuprint_eval::{Tokenized, stream_systems};
use bleuprint_metrics::Bleu;
use bleuprint_testkit::memory::{CountingAllocator, peak};
use bleuprint_text::{TokenizerOptions, tokenizer};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// Returns the peak memory, in bytes above the memory before, of streaming this number of segments of about
/// 60 bytes.
fn peak_of(segments: usize) -> usize {
    let tokenizer = tokenizer("13a", &TokenizerOptions::default()).unwrap();
    let bleu = Tokenized::new(Bleu::default(), tokenizer, Case::Mixed).unwrap();
    peak(|| {
        let mut read = 0;
        let observed = stream_systems(&bleu, |batch| {
            read += 1;
            if read <= segments {
                batch.push(["The cat sat on the mat."], ["A cat was sitting on the mat, there."], None)?;
            }
            Ok(read <= segments)
        });
        assert_eq!(observed.unwrap()[0].counts().segments, segments as u64);
    })
}

#[test]
fn ten_times_the_corpus_takes_no_more_memory() {
    peak_of(1000);
    let (once, ten_times) = (peak_of(30_000), peak_of(300_000));
    // The number of batches in flight varies by chance; a separate state for each segment would take ten
    // times the memory.
    assert!(ten_times < 4 * once, "{once} bytes for a corpus, {ten_times} for ten times as much");
}
