//! Reliable ratios of times on a busy machine: contenders take turns, and the best turn counts.

use std::time::{Duration, Instant};

/// Returns the best of `rounds` turns of each contender, in nanoseconds per unit, if one run has `units`
/// units.
///
/// A turn repeats the work of a contender until it takes a few milliseconds. Noise only adds time, so the
/// minimum is the best estimate of the cost. Turns expose every contender to the same noise.
pub fn best<const N: usize>(rounds: usize, units: usize, mut contenders: [&mut dyn FnMut(); N]) -> [f64; N] {
    const TURN: Duration = Duration::from_millis(4);
    let repeats = contenders.each_mut().map(|run| {
        // The first run warms caches; the second decides the number of repeats.
        run();
        let start = Instant::now();
        run();
        // The clock has limited resolution, so short work is repeated; the bound keeps the total time
        // finite.
        (TURN.as_nanos() / start.elapsed().as_nanos().max(1)).clamp(1, 10_000) as u32
    });
    let mut best = [f64::INFINITY; N];
    for _ in 0..rounds {
        for ((best, run), &repeats) in best.iter_mut().zip(&mut contenders).zip(&repeats) {
            let start = Instant::now();
            (0..repeats).for_each(|_| run());
            let per_unit = start.elapsed().as_nanos() as f64 / f64::from(repeats) / units.max(1) as f64;
            *best = best.min(per_unit);
        }
    }
    best
}
