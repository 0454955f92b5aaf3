//! Times all pairs of edits of one segment, beside the kernel pair by pair and with prepared references.
//!
//! `cargo run --release -p bleuprint-ngram --example pairs [-- SEQUENCES]`. All must give the same counts, which is
//! checked.
#![allow(clippy::print_stdout, reason = "a program")]

use bleuprint_ngram::pairwise::overlap_all;
use bleuprint_ngram::{PreparedIds, Scratch, overlap};
use std::time::Instant;

/// Marsaglia's xorshift: the same edits in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % u64::from(limit)) as u32
    }

    /// About one token in four is replaced, dropped or followed by another, as in samples for one source.
    fn edited(&mut self, source: &[u32]) -> Vec<u32> {
        let mut edited = Vec::new();
        for &token in source {
            match self.below(20) {
                0 => {}
                1 => edited.extend([token, self.below(200)]),
                2..=5 => edited.push(self.below(300)),
                _ => edited.push(token),
            }
        }
        edited
    }
}

fn main() {
    let count: usize = std::env::args().nth(1).and_then(|count| count.parse().ok()).unwrap_or(1024);
    println!("{count} x {count} pairs; milliseconds, best of 5; orders 1 to 4\n");
    println!("{:>6} {:>12} {:>12} {:>12}", "tokens", "pair by pair", "prepared", "all pairs");
    for length in [18, 27, 60, 200, 1000] {
        let mut random = Random(0x1234_5678);
        let source: Vec<u32> = (0..length).map(|_| random.below(3000)).collect();
        let pool: Vec<Vec<u32>> = (0..count).map(|_| random.edited(&source)).collect();
        let pool: Vec<&[u32]> = pool.iter().map(Vec::as_slice).collect();
        let ways: [&dyn Fn() -> [u64; 4]; 3] =
            [&|| pair_by_pair(&pool), &|| prepared(&pool), &|| at_once(&pool)];
        let rounds = if length < 100 { 5 } else { 1 };
        let timed = ways.map(|way| best(rounds, way));
        assert!(timed.iter().all(|(sums, _)| *sums == timed[0].0), "{timed:?}");
        let [one, two, three] = timed.map(|(_, milliseconds)| milliseconds);
        println!("{length:>6} {one:>12.1} {two:>12.1} {three:>12.1}");
    }
}

fn best(rounds: usize, way: &dyn Fn() -> [u64; 4]) -> ([u64; 4], f64) {
    let mut best = ([0; 4], f64::INFINITY);
    for _ in 0..rounds {
        let start = Instant::now();
        let sums = way();
        best = (sums, best.1.min(start.elapsed().as_secs_f64() * 1e3));
    }
    best
}

fn pair_by_pair(pool: &[&[u32]]) -> [u64; 4] {
    let (mut scratch, mut clipped, mut sums) = (Scratch::default(), [0; 4], [0; 4]);
    for reference in pool {
        for hypothesis in pool {
            overlap(&mut scratch, hypothesis, &[reference], &mut clipped);
            sums.iter_mut().zip(clipped).for_each(|(sum, clipped)| *sum += clipped);
        }
    }
    sums
}

fn prepared(pool: &[&[u32]]) -> [u64; 4] {
    let (mut scratch, mut clipped, mut sums) = (Scratch::default(), [0; 4], [0; 4]);
    for reference in pool {
        let prepared = PreparedIds::new(&mut scratch, &[reference], 4);
        for hypothesis in pool {
            prepared.overlap(&mut scratch, hypothesis, &mut clipped);
            sums.iter_mut().zip(clipped).for_each(|(sum, clipped)| *sum += clipped);
        }
    }
    sums
}

fn at_once(pool: &[&[u32]]) -> [u64; 4] {
    let mut sums = [0; 4];
    let done = overlap_all(pool, pool, 4, |_, _, counts| {
        for (sum, counts) in sums.iter_mut().zip(counts) {
            *sum += counts.iter().map(|&count| u64::from(count)).sum::<u64>();
        }
    });
    assert!(done, "the pool is small enough");
    sums
}
