//! Targets for the growth of time with size: the exponent is 1 for linear time.

use std::hint::black_box;
use std::time::Instant;

use bleuprint::eval::leave_one_out;
use bleuprint::eval::mbr;
use bleuprint::ngram::{Scratch, overlap};
use bleuprint::{Accumulator, Bleu, Chrf, EditRate};

use crate::{pools, report, rounds};

/// Larger of the two sizes; `STEP` is its ratio to the smaller one.
const LARGE: usize = 1_000_000;
const STEP: usize = 100;

/// Highest exponent that counts as linear. A look-up outside of caches costs about three times as much,
/// which raises the exponent.
const LINEAR: f64 = 1.3;

pub(crate) fn exponents() {
    let bleu = Bleu::default();
    grows("one token, a million times", LARGE, |size| {
        let tokens = vec![7u32; size];
        let mut scratch = Scratch::default();
        move || {
            let mut clipped = [0; 4];
            overlap(&mut scratch, &tokens, &[&tokens], &mut clipped);
            assert_eq!(clipped[0], size as u64);
        }
    });
    grows("ids that collide, a million", LARGE, |size| {
        // Half of the ids are multiples of the inverse of the hash multiplier, and half of a high power of
        // two.
        let tokens: Vec<u32> = (0..size as u32)
            .map(|at| if at % 2 == 0 { at << 12 } else { at.wrapping_mul(0x144c_be89) })
            .collect();
        let mut scratch = Scratch::default();
        move || {
            let mut clipped = [0; 4];
            overlap(&mut scratch, &tokens, &[&tokens], &mut clipped);
            assert_eq!(clipped[0], size as u64);
        }
    });
    grows("Self-BLEU, 100,000 samples", LARGE / 10, |size| {
        let samples = pools::sample_pool(size);
        let bleu = bleu.clone();
        move || {
            let pool: Vec<&[u32]> = samples.iter().map(Vec::as_slice).collect();
            black_box(leave_one_out(&bleu, &pool).expect("there are many"));
        }
    });
    grows("100,000 hypotheses, one by one", LARGE / 10, |size| {
        let samples = pools::sample_pool(size);
        let bleu = bleu.clone();
        move || {
            let mut corpus = Accumulator::<_, [u32]>::new(&bleu);
            for pair in samples.chunks(2) {
                corpus.push(&pair[0], &[&pair[pair.len() - 1]]).expect("it can be observed");
            }
            black_box(corpus.score().expect("a score"));
        }
    });
    grows("100,000 against all laid together", LARGE / 10, |size| {
        let samples = pools::sample_pool(size);
        let bleu = bleu.clone();
        move || {
            let pool: Vec<&[u32]> = samples.iter().map(Vec::as_slice).collect();
            black_box(mbr::aggregated_utilities(&bleu, &pool, &pool).expect("scores"));
        }
    });
    grows("chrF, one character a million times", LARGE, |size| {
        let text = "x".repeat(size);
        move || {
            let mut corpus = Accumulator::<_, str>::new(Chrf::default());
            corpus.push(&text, &[&text]).expect("it can be observed");
            assert_eq!(corpus.score().expect("a score").score.score, 100.0);
        }
    });
    grows("edits, a million tokens much alike", LARGE, |size| {
        let (tokens, mut others) =
            ((0..size as u32).collect::<Vec<_>>(), (0..size as u32).collect::<Vec<_>>());
        others[size / 2] = u32::MAX;
        move || {
            let mut corpus = Accumulator::<_, [u32]>::new(EditRate::ER);
            corpus.push(&tokens, &[&others]).expect("it can be observed");
            assert_eq!(corpus.total().stats().substitutions, 1);
        }
    });
}

/// Prints the exponent of the time between a size and a hundredth of it.
fn grows<W: FnMut()>(what: &str, large: usize, prepare: impl Fn(usize) -> W) {
    let turns = if rounds() > 1 { 3 } else { 1 };
    // When run as a test, the sizes are small.
    let large = if rounds() > 1 { large } else { large / 1000 };
    let [small, time] = [large / STEP, large].map(|size| {
        let mut work = prepare(size);
        work();
        // The small size is repeated, so that both times are long enough to measure.
        let repeats = if size < large { STEP } else { 1 };
        let turn = |_| {
            let start = Instant::now();
            (0..repeats).for_each(|_| work());
            start.elapsed().as_secs_f64() / repeats as f64
        };
        (0..turns).map(turn).fold(f64::INFINITY, f64::min)
    });
    #[allow(clippy::disallowed_methods, reason = "a measurement, not a score")]
    // Time grows as size to the power e, so e is the ratio of the logarithms.
    let exponent = (time / small).ln() / (STEP as f64).ln();
    report(&format!("growth: {what}"), &format!("{:.1} ms", time * 1e3), exponent, LINEAR, false, "");
}
