//! Tests that the comparison of many vectors ends early after an interrupt.

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use bleuprint_core::{Accumulator, InputErrorKind, Vector};
use bleuprint_inference::interruptible;
use bleuprint_vectors::BertScore;

/// Compares all pairs of 6,000 vectors. On a busy machine the clock shows more than the second of processor time within
/// which kernels ask.
#[test]
fn vectors_end_when_they_are_told_to() {
    let numbers: Vec<f64> =
        (0..6_064_u32).map(|at| f64::from(at.wrapping_mul(2_654_435_761) >> 16)).collect();
    let vectors: Vec<Vector<'_>> = numbers.windows(64).map(Vector::from).collect();
    let begun = Arc::new(OnceLock::<Instant>::new());
    let asked = begun.clone();
    let stop = move || asked.get_or_init(Instant::now).elapsed() > Duration::from_millis(200);
    let push =
        || Accumulator::<_, [Vector<'_>]>::new(BertScore::new()).push(&vectors, &[&vectors[1..]]).map(drop);
    let kind = interruptible(stop, push).map_err(|error| error.kind().clone());
    assert_eq!(kind, Err(InputErrorKind::Interrupted));
    let took = begun.get().map(Instant::elapsed);
    assert!(took.is_some_and(|took| took < Duration::from_secs(6)), "{took:?}");
}
