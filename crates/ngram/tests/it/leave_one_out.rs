//! Property test of leave-one-out counts: the counts of each sequence equal the reference implementation's
//! counts with all other sequences as references.

use bleuprint_ngram::{leave_one_out, naive};
use quickcheck::QuickCheck;
use std::collections::HashMap;

fn expected(sequences: &[&[u32]], max_order: usize) -> Vec<Vec<u64>> {
    let without = |own: usize| -> Vec<&[u32]> {
        let others = sequences.iter().enumerate().filter(|(index, _)| *index != own);
        others.map(|(_, sequence)| *sequence).collect()
    };
    let clipped = |(own, sequence): (usize, &&[u32])| {
        let mut clipped = vec![0; max_order];
        naive::overlap(sequence, &without(own), &mut clipped);
        clipped
    };
    sequences.iter().enumerate().map(clipped).collect()
}

#[test]
fn every_sequence_equals_the_twin() {
    fn law(pool: Vec<Vec<u8>>, alphabet: u8, max_order: u8) -> bool {
        let alphabet = alphabet % 7 + 1;
        let ids = |bytes: &Vec<u8>| bytes.iter().map(|byte| u32::from(byte % alphabet)).collect::<Vec<u32>>();
        let pool: Vec<Vec<u32>> = pool.iter().take(8).map(ids).collect();
        // The halves of sequences as well, so that long n-grams are shared.
        let halves = pool.iter().flat_map(|sequence| [&sequence[..], &sequence[sequence.len() / 3..]]);
        let sequences: Vec<&[u32]> = halves.collect();
        let max_order = usize::from(max_order % 7);
        let matches = leave_one_out(&sequences, max_order).unwrap();
        let counted = (0..sequences.len()).map(|sequence| matches.clipped(sequence).to_vec());
        counted.collect::<Vec<_>>() == expected(&sequences, max_order)
    }
    QuickCheck::new().tests(300).quickcheck(law as fn(Vec<Vec<u8>>, u8, u8) -> bool);
}

#[test]
fn alone_nothing_matches() {
    assert_eq!(leave_one_out(&[&[1, 2, 3]], 2).unwrap().clipped(0), [0, 0]);
    assert_eq!(leave_one_out(&[&[1, 2], &[]], 2).unwrap().clipped(1), [0, 0]);
    assert_eq!(leave_one_out(&[&[], &[1]], 0).unwrap().clipped(1), []);
    assert!(leave_one_out(&[], 4).is_some());
}

/// Counts all n-grams of all sequences in maps, for pools that are too large for the quadratic
/// implementation.
fn by_maps(sequences: &[&[u32]], order: usize) -> Vec<u64> {
    let counts = |sequence: &&[u32]| {
        let mut counts: HashMap<Vec<u32>, u64> = HashMap::new();
        sequence.windows(order).for_each(|gram| *counts.entry(gram.to_vec()).or_default() += 1);
        counts
    };
    let counts: Vec<_> = sequences.iter().map(counts).collect();
    let mut owners: HashMap<&[u32], Vec<(u64, usize)>> = HashMap::new();
    for (index, grams) in counts.iter().enumerate() {
        grams.iter().for_each(|(gram, &count)| owners.entry(gram).or_default().push((count, index)));
    }
    let allowed = |gram: &[u32], own: usize| {
        let others = owners[gram].iter().filter(|(_, index)| *index != own);
        others.map(|(count, _)| *count).max().unwrap_or(0)
    };
    let clipped = |(own, grams): (usize, &HashMap<Vec<u32>, u64>)| {
        grams.iter().map(|(gram, &count)| count.min(allowed(gram, own))).sum()
    };
    counts.iter().enumerate().map(clipped).collect()
}

/// Uses enough tokens for many buckets.
#[test]
fn large_pools_equal_maps() {
    let token = |i: u32| {
        let x = i.wrapping_mul(2_654_435_761) >> 8;
        if i.is_multiple_of(3) { x % 7 } else { x % 5000 }
    };
    let long: Vec<u32> = (0..120_000).map(token).collect();
    let mut sequences: Vec<&[u32]> = long.chunks(37).collect();
    // The same once more, cut elsewhere: long n-grams are shared.
    sequences.extend(long[..20_000].chunks(23));
    let matches = leave_one_out(&sequences, 3).unwrap();
    for order in 1..=3 {
        let counted: Vec<u64> = (0..sequences.len()).map(|at| matches.clipped(at)[order - 1]).collect();
        assert_eq!(counted, by_maps(&sequences, order), "{order}");
    }
}
