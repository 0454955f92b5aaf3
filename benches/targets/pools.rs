//! Targets for all pairs, minimum Bayes risk and samples against each other, in one thread.

use std::hint::black_box;

use bleuprint::eval::mbr::{self, MbrWeights};
use bleuprint::eval::{leave_one_out, pairwise};
use bleuprint::{Accumulator, Bleu, Chrf, Observe, Score};
use bleuprint_benches::clock::best;
use bleuprint_benches::input::training_step;

use crate::{report, rounds};

/// Number of candidates of one source.
const CANDIDATES: usize = 1_024;

/// Checks that some pairs, observed alone, have the same scores bit for bit.
fn check_some<M: Observe<S>, S: ?Sized + Sync>(metric: &M, pool: &[&S])
where
    M::Score: Score,
{
    // All pairs would take too long one by one; three rows meet every branch of the pairwise kernel.
    let rows = &pool[..3];
    let matrix = pairwise::matrix(metric, rows, pool).expect("every pair has a score");
    for (hypothesis, scores) in rows.iter().zip(matrix.chunks(pool.len())) {
        for (reference, score) in pool.iter().zip(scores) {
            let mut alone = Accumulator::<_, S>::new(metric);
            alone.push(hypothesis, &[reference]).expect("it can be observed");
            let expected = alone.score().expect("it has a score").score.value();
            assert_eq!(expected.to_bits(), score.to_bits());
        }
    }
}

fn one_thread<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread can be started");
    pool.install(work)
}

/// Measures 1,024 candidates of 27 tokens, each against all.
pub(crate) fn candidates() {
    let (candidates, _) = training_step(CANDIDATES, CANDIDATES, 27, 1);
    let pool: Vec<&[u32]> = candidates.iter().map(Vec::as_slice).collect();
    let texts: Vec<String> = candidates.iter().map(|ids| text(ids)).collect();
    let characters = texts.iter().map(|text| text.chars().filter(|c| *c != ' ').count()).sum::<usize>();
    let lines: Vec<&str> = texts.iter().map(String::as_str).collect();
    let (bleu, chrf) = (Bleu::default().sentence(), Chrf::default());
    check_some(&bleu, &pool);
    check_some(&chrf, &lines);
    let [exact, rough, of_characters, rough_characters] = one_thread(|| {
        let exact = || mbr::utilities(&bleu, &pool, &pool, MbrWeights::Equal).expect("scores");
        let rough = || mbr::aggregated_utilities(&bleu, &pool, &pool).expect("scores");
        let of_characters = || mbr::utilities(&chrf, &lines, &lines, MbrWeights::Equal).expect("scores");
        let rough_characters = || mbr::aggregated_utilities(&chrf, &lines, &lines).expect("scores");
        best(
            rounds().min(10),
            1,
            [
                &mut || drop(black_box(exact())),
                &mut || drop(black_box(rough())),
                &mut || drop(black_box(of_characters())),
                &mut || drop(black_box(rough_characters())),
            ],
        )
    });
    let pairs = (CANDIDATES * CANDIDATES) as f64;
    let measured = |ns: f64| format!("{:.0} ns/pair", ns / pairs);
    report("MBR, 1,024 of 27 tokens, BLEU", &measured(exact), exact / 1e6, 80.0, false, " ms");
    let target = format!("MBR, 1,024 of {} characters, chrF", characters / CANDIDATES);
    report(&target, &measured(of_characters), of_characters / 1e6, 1000.0, false, " ms");
    let share = |rough: f64, exact: f64| 100.0 * rough / exact;
    let milliseconds = |ns: f64| format!("{:.1} ms", ns / 1e6);
    report("  approximate, BLEU: of exact", &milliseconds(rough), share(rough, exact), 50.0, false, " %");
    let figure = share(rough_characters, of_characters);
    report("  approximate, chrF: of exact", &milliseconds(rough_characters), figure, 50.0, false, " %");
}

/// Returns words for ids; frequent ids have short words.
fn text(ids: &[u32]) -> String {
    let word = |&id: &u32| {
        let mut rest = id + 3;
        let mut word = String::new();
        while rest > 0 {
            word.push(char::from(b'a' + (rest % 17) as u8));
            rest /= 17;
        }
        format!("{word}{}", &"ationing"[..(id % 7) as usize])
    };
    ids.iter().map(word).collect::<Vec<_>>().join(" ")
}

/// Returns samples in groups of eight that share prefixes.
pub(crate) fn sample_pool(samples: usize) -> Vec<Vec<u32>> {
    training_step(samples.next_multiple_of(8), 8, 27, 1).0
}

/// Measures Self-BLEU of 10,000 samples.
pub(crate) fn samples() {
    let samples = sample_pool(10_000);
    let pool: Vec<&[u32]> = samples.iter().map(Vec::as_slice).collect();
    let bleu = Bleu::default().sentence();
    let all = leave_one_out(&bleu, &pool).expect("there are many");
    for own in [0, 4_321, 9_999] {
        let others: Vec<&[u32]> =
            (0..pool.len()).filter(|other| *other != own).map(|other| pool[other]).collect();
        let mut alone = Accumulator::<_, [u32]>::new(&bleu);
        alone.push(pool[own], &others).expect("it can be observed");
        assert_eq!(alone.total().stats(), all[own].stats());
    }
    let score = || {
        let states = leave_one_out(&bleu, &pool).expect("there are many");
        states.iter().map(|state| state.score(&bleu).expect("a score").score.score).sum::<f64>()
    };
    let [time] = one_thread(|| {
        best(
            rounds().min(10),
            1,
            [&mut || {
                black_box(score());
            }],
        )
    });
    let measured = format!("{:.1} ns/token", time / (pool.len() * 27) as f64);
    report("Self-BLEU, 10,000 samples of 27 tokens", &measured, time / 1e6, 150.0, false, " ms");
}
