//! Scores, intervals and p-values have the recorded bits on every platform. Golden rows allow other programs their last
//! digits; these rows are the library's own.

use std::fmt::Write as _;
use std::path::Path;

use bleuprint::eval::ChosenTokens;
use bleuprint::eval::evaluation::{Evaluation, Run, TextCorpus};
use bleuprint::inference::{Precision, ResamplePlan, Test};

const METRICS: [&str; 21] = [
    "bleu",
    "bleu:smooth-method=none",
    "bleu:smooth-method=floor",
    "bleu:smooth-method=add-k",
    "bleu:dialect=nltk:method3",
    "bleu:dialect=nltk:method4",
    "bleu:dialect=mteval",
    "bleu:dialect=coco:closest",
    "bleu:dialect=hf",
    "chrf",
    "chrf:word-order=2",
    "ter",
    "gleu",
    "meteor",
    "nist",
    "cider",
    "cider_d",
    "rougeL",
    "rougeW",
    "wer",
    "wil",
];

/// A line for each metric, arithmetic and system. Rust prints floats with the digits that bring back their bits.
const RECORDED: &str = include_str!("bits.txt");

fn lines(name: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/data").join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.lines().map(str::to_owned).collect()
}

/// Two systems of the lines of two, by turns, so that tests have something to decide.
fn run() -> Run {
    let [one, other] = ["en.sys-a.txt", "en.sys-b.txt"].map(lines);
    let by_turns = |first: usize| -> Vec<String> {
        (0..one.len()).map(|at| [&one, &other][(at + first) % 2][at].clone()).collect()
    };
    let systems = [("even", by_turns(0)), ("odd", by_turns(1))];
    let corpus = TextCorpus::new(systems, ["en.ref1.txt", "en.ref2.txt"].map(lines)).unwrap();
    let tokens = ChosenTokens::standard().unwrap();
    Evaluation::from_parts(&bleuprint::registry(), METRICS, &tokens).unwrap().run(corpus).unwrap()
}

/// A checksum of the bits of all segments' scores (FNV-1a over words).
fn checksum(run: &Run, metric: usize, system: usize) -> u64 {
    run.sentence_scores(metric, system).into_iter().fold(0xcbf2_9ce4_8422_2325, |sum, scored| {
        let bits = scored.map_or(u64::MAX, |scored| scored.score.value.to_bits());
        (sum ^ bits).wrapping_mul(0x100_0000_01b3)
    })
}

#[test]
fn scores_intervals_and_p_values_have_the_recorded_bits() {
    let (run, plan, mut found) = (run(), ResamplePlan::new(100), String::new());
    for (metric, name) in METRICS.iter().enumerate() {
        for precision in [Precision::Exact, Precision::Sacrebleu] {
            let tests = [Test::Bootstrap, Test::Randomization];
            let [bootstrap, randomization] = tests
                .map(|test| run.significance(metric, precision).unwrap().1.paired(test, plan, None).unwrap());
            for (system, alone) in run.confidence(metric, plan, precision).unwrap().iter().enumerate() {
                let interval = alone.interval.unwrap();
                let paired = bootstrap[system].interval.unwrap();
                let segments = checksum(&run, metric, system);
                let [first, second] = [&bootstrap, &randomization].map(|tested| tested[system].p_value);
                writeln!(
                    found,
                    "{name} {precision:?} {system}: {:?}, segments {segments:016x}, {:?} ± {:?}, paired {:?} ± {:?}, \
                     p {first:?} {second:?}",
                    alone.score, interval.mean, interval.half_width, paired.mean, paired.half_width,
                )
                .unwrap();
            }
        }
    }
    for (line, (found, recorded)) in (1..).zip(found.lines().zip(RECORDED.lines())) {
        assert_eq!(found, recorded, "bits.txt, line {line}");
    }
    assert_eq!(found.lines().count(), RECORDED.lines().count(), "{found}");
}
