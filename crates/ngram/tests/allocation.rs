//! Tests that no call allocates once the tables are warm, counted by the allocator.

use bleuprint_ngram::{Interner, PreparedIds, Scratch, overlap, prepare};
use bleuprint_testkit::memory::{CountingAllocator, allocations};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// Returns sequences of many lengths, which together use every algorithm.
fn sequences() -> Vec<Vec<u32>> {
    let token = |i: u32, seed: u32| (i.wrapping_mul(2_654_435_761).wrapping_add(seed) >> 7) % 300;
    let lengths = [0, 1, 5, 18, 40, 63, 64, 65, 100, 128, 129, 260, 700, 3000];
    lengths.iter().enumerate().map(|(seed, &n)| (0..n).map(|i| token(i, seed as u32)).collect()).collect()
}

fn slices<T>(rows: &[Vec<T>]) -> Vec<&[T]> {
    rows.iter().map(Vec::as_slice).collect()
}

#[test]
fn warm_calls_do_not_allocate() {
    let ids = sequences();
    let words: Vec<Vec<String>> = ids.iter().map(|row| row.iter().map(u32::to_string).collect()).collect();
    let wide: Vec<Vec<u64>> = ids.iter().map(|row| row.iter().map(|&id| id.into()).collect()).collect();
    let (ids, words, wide) = (slices(&ids), slices(&words), slices(&wide));
    let mut scratch = Scratch::default();
    let mut interner = Interner::default();
    let prepared: Vec<_> =
        ids.iter().map(|reference| PreparedIds::new(&mut scratch, &[reference], 9)).collect();
    let rows: Vec<[&[String]; 1]> = words.iter().map(|row| [*row]).collect();
    let prepared_words: Vec<_> = rows.iter().map(|row| prepare(&mut scratch, row, 9)).collect();
    let mut all = || {
        for max_order in [1, 4, 9] {
            let clipped = &mut [0; 9][..max_order];
            for i in 0..ids.len() {
                for window in [1, 2, 4] {
                    let references = i.min(ids.len() - window)..i.min(ids.len() - window) + window;
                    overlap(&mut scratch, ids[ids.len() - 1 - i], &ids[references.clone()], clipped);
                    overlap(&mut scratch, words[ids.len() - 1 - i], &words[references.clone()], clipped);
                    overlap(&mut scratch, wide[ids.len() - 1 - i], &wide[references.clone()], clipped);
                    interner.intern_segment(words[i], &words[references]);
                }
                for j in 0..ids.len() {
                    prepared[i].overlap(&mut scratch, ids[j], clipped);
                    prepared_words[i].overlap(&mut scratch, words[j], clipped);
                }
            }
        }
    };
    assert!(allocations(&mut all) > 0, "the counter counts");
    assert_eq!(allocations(&mut all), 0);
}

#[test]
fn a_fresh_scratch_allocates_nothing() {
    // foldhash draws the seed of the process once, from the address of a box; whichever test is first would
    // pay for it.
    drop(Scratch::default());
    assert_eq!(allocations(|| drop(Scratch::default())), 0);
}
