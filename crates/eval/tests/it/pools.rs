//! Tests pools against the plain way: every pair, utility and state matches that of a separate segment.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use bleuprint_core::{
    Accumulator, Case, Direction, Identity, InputErrorKind, Metric, Observe, PlainScore, Result, Scale,
    Segment, SegmentCounts, Stats,
};
use bleuprint_eval::evaluation::{Evaluation, TextCorpus};
use bleuprint_eval::mbr::{self, MbrError, MbrWeights};
use bleuprint_eval::{ChosenTokens, Panel, Request, leave_one_out, pairwise};
use bleuprint_inference::{Precision, WorkPieces, in_threads, interruptible, watched};
use bleuprint_inference::{ResamplePlan, Test};
use bleuprint_metrics::{Bleu, Chrf, EditRate, ExactMatch, Gleu, Rouge};
use bleuprint_registry::AnyMetric;
use bleuprint_testkit::random::Rng;
use bleuprint_text::{TokenizerOptions, tokenizer};
use quickcheck::quickcheck;

use crate::support::laid_together;

fn pool(bytes: &[Vec<u8>], copies: usize) -> Vec<Vec<u32>> {
    let ids = |bytes: &Vec<u8>| bytes.iter().map(|byte| u32::from(byte % 5)).collect::<Vec<u32>>();
    bytes.iter().take(20).map(ids).flat_map(|ids| std::iter::repeat_n(ids, copies)).collect()
}

fn slices(pool: &[Vec<u32>]) -> Vec<&[u32]> {
    pool.iter().map(Vec::as_slice).collect()
}

fn alone<M: Observe<[u32]>>(metric: &M, hypothesis: &[u32], reference: &[u32]) -> Result<f64> {
    let mut stats = metric.zero();
    metric.observe(&mut M::Scratch::default(), &mut stats, Segment::new(hypothesis, &[reference]))?;
    metric.number(&stats, &SegmentCounts::of_segment(1))
}

fn naive_matrix<M: Observe<[u32]>>(
    metric: &M,
    hypotheses: &[&[u32]],
    references: &[&[u32]],
) -> Result<Vec<u64>> {
    let pairs = hypotheses.iter().flat_map(|h| references.iter().map(move |r| (h, r)));
    pairs.map(|(h, r)| alone(metric, h, r).map(f64::to_bits)).collect()
}

fn agrees<M: Observe<[u32]>>(metric: &M, hypotheses: &[&[u32]], references: &[&[u32]]) -> bool {
    let expected = naive_matrix(metric, hypotheses, references);
    let matrix = pairwise::matrix(metric, hypotheses, references);
    let bits = |matrix: Vec<f64>| matrix.into_iter().map(f64::to_bits).collect::<Vec<_>>();
    match (expected, matrix) {
        (Ok(expected), Ok(matrix)) => bits(matrix) == expected,
        (Err(_), Err(_)) => true,
        _ => false,
    }
}

quickcheck! {
    fn every_pair_is_as_alone(hypotheses: Vec<Vec<u8>>, references: Vec<Vec<u8>>) -> bool {
        let (hypotheses, references) = (pool(&hypotheses, 1), pool(&references, 3));
        let (hypotheses, references) = (slices(&hypotheses), slices(&references));
        agrees(&Bleu::default().sentence(), &hypotheses, &references)
            && agrees(&Gleu::default(), &hypotheses, &references)
            && agrees(&ExactMatch, &hypotheses, &references)
            && agrees(&EditRate::ER, &hypotheses, &references)
            && agrees(&EditRate::WER, &hypotheses, &references)
            && agrees(&EditRate::WIP, &hypotheses, &references)
            && agrees(&Rouge::n(2).unwrap(), &hypotheses, &references)
            && agrees(&Rouge::l(), &hypotheses, &references)
            && agrees(&Chrf::default(), &hypotheses, &references)
    }

    fn utilities_of_one_reference_laid_together_are_exact(pool_of: Vec<Vec<u8>>) -> bool {
        let pool = pool(&pool_of, 1);
        let (candidates, bleu, chrf) = (slices(&pool), Bleu::default().sentence(), Chrf::default());
        candidates.iter().all(|reference| {
            let one = [*reference];
            let exact = [
                mbr::utilities(&bleu, &candidates, &one, MbrWeights::Equal).unwrap(),
                mbr::utilities(&chrf, &candidates, &one, MbrWeights::Equal).unwrap(),
            ];
            exact == [
                mbr::aggregated_utilities(&bleu, &candidates, &one).unwrap(),
                mbr::aggregated_utilities(&chrf, &candidates, &one).unwrap(),
            ]
        })
    }

    fn references_laid_together_are_counted_so(pool_of: Vec<Vec<u8>>) -> bool {
        let pool = pool(&pool_of, 1);
        let (candidates, bleu) = (slices(&pool), Bleu::default());
        let aggregated = laid_together(&bleu, &candidates, &candidates).unwrap();
        candidates.iter().zip(aggregated).all(|(hypothesis, stats)| {
            stats.orders.iter().enumerate().all(|(index, order)| {
                let grams = |sequence: &[u32]| sequence.windows(index + 1).map(<[u32]>::to_vec).collect::<Vec<_>>();
                let all: Vec<Vec<u32>> = candidates.iter().flat_map(|reference| grams(reference)).collect();
                let own = grams(hypothesis);
                let distinct: std::collections::BTreeSet<&Vec<u32>> = own.iter().collect();
                let count = |all: &[Vec<u32>], gram: &Vec<u32>| all.iter().filter(|other| *other == gram).count();
                let clipped = |gram: &&Vec<u32>| (candidates.len() * count(&own, gram)).min(count(&all, gram)) as u64;
                order.clipped == distinct.iter().map(clipped).sum::<u64>()
                    && order.total == (candidates.len() * own.len()) as u64
            })
        })
    }

    fn utilities_are_weighted_means(pool_of: Vec<Vec<u8>>, weights: Vec<u8>) -> bool {
        let pool = pool(&pool_of, 1);
        let candidates = slices(&pool);
        let bleu = Bleu::default().sentence();
        let weights: Vec<f64> = (0..candidates.len()).map(|at| 1.0 + f64::from(weights.get(at).copied().unwrap_or(0))).collect();
        let utilities = mbr::utilities(&bleu, &candidates, &candidates, MbrWeights::Linear(&weights)).unwrap();
        let total: f64 = weights.iter().fold(0.0, |sum, weight| sum + weight);
        candidates.iter().zip(utilities).all(|(candidate, utility)| {
            let terms = candidates.iter().zip(&weights).map(|(r, w)| w * alone(&bleu, candidate, r).unwrap());
            utility.to_bits() == (terms.fold(0.0, |sum, term| sum + term) / total).to_bits()
        })
    }

    fn each_is_observed_with_all_others(pool_of: Vec<Vec<u8>>) -> bool {
        let pool = pool(&pool_of, 2);
        let (samples, bleu) = (slices(&pool), Bleu::default());
        let states = leave_one_out(&bleu, &samples).unwrap();
        let plain = leave_one_out(&Plain(bleu.clone()), &samples).unwrap();
        states.len() == samples.len() && states.iter().zip(&plain).all(|(fast, plain)| fast.stats() == plain.stats())
    }
}

/// BLEU without its faster methods.
#[derive(Debug, Clone)]
struct Plain(Bleu);

impl Metric for Plain {
    type Stats = <Bleu as Metric>::Stats;
    type Score = <Bleu as Metric>::Score;
    type Scratch = <Bleu as Metric>::Scratch;
    fn identity(&self) -> Identity {
        self.0.identity()
    }
    fn zero(&self) -> Self::Stats {
        self.0.zero()
    }
    fn finalize(&self, stats: &Self::Stats, counts: &SegmentCounts) -> Result<Self::Score> {
        self.0.finalize(stats, counts)
    }
}

impl Observe<[u32]> for Plain {
    fn observe(
        &self,
        scratch: &mut Self::Scratch,
        stats: &mut Self::Stats,
        segment: Segment<'_, [u32]>,
    ) -> Result<()> {
        self.0.observe(scratch, stats, segment)
    }
}

/// Tests more hypotheses and references than are encoded at a time, in pools of threads.
#[test]
fn large_pools_are_cut_without_a_trace() {
    let references: Vec<Vec<u32>> = (0..1100).map(|i| vec![i % 7, i % 3, 1, i % 5]).collect();
    let hypotheses: Vec<Vec<u32>> = (0..4200).map(|i| vec![i % 3, 1, i % 11]).collect();
    let (hypotheses, references) = (slices(&hypotheses), slices(&references));
    let bleu = Bleu::builder().max_order(2).effective_order(true).build().unwrap();
    let mut seen = vec![0; hypotheses.len()];
    let mut sum = 0.0;
    pairwise::rows(&bleu, &hypotheses, &references, |hypothesis, first, scores| {
        assert_eq!(first, seen[hypothesis]);
        seen[hypothesis] += scores.len();
        sum += scores.iter().sum::<f64>();
    })
    .unwrap();
    assert!(seen.iter().all(|&seen| seen == references.len()) && sum > 0.0);
    let expected = mbr::utilities(&bleu, &hypotheses, &references, MbrWeights::Equal).unwrap();
    for threads in [1, 3] {
        let threads = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let utilities = || mbr::utilities(&bleu, &hypotheses, &references, MbrWeights::Equal).unwrap();
        assert_eq!(threads.install(utilities), expected);
    }
    assert_eq!(expected[7].to_bits(), {
        let scores = references.iter().map(|r| alone(&bleu, hypotheses[7], r).unwrap());
        (scores.fold(0.0, |sum, score| sum + score) / 1100.0).to_bits()
    });
}

#[test]
fn a_metric_without_references_laid_together_says_so() {
    let pool: [&[u32]; 1] = [&[1]];
    let error = mbr::aggregated_utilities(&EditRate::ER, &pool, &pool).unwrap_err();
    assert_eq!(error.to_string(), "ER cannot count all references together: score all pairs instead");
    assert_eq!(mbr::aggregated_utilities(&Bleu::default(), &pool, &[]).unwrap(), [0.0]);
}

#[test]
fn ties_go_to_the_first_and_low_is_good_where_it_is() {
    let utilities = [2.0, 5.0, 1.0, 5.0, 1.0, 0.0, -0.0];
    assert_eq!(mbr::best(&utilities, Direction::HigherIsBetter, 3), [1, 3, 0]);
    assert_eq!(mbr::best(&utilities, Direction::LowerIsBetter, 4), [5, 6, 2, 4]);
    assert!(mbr::best(&[], Direction::LowerIsBetter, 4).is_empty());
    assert!(mbr::best(&[1.0], Direction::LowerIsBetter, 0).is_empty());
}

#[test]
fn a_pair_without_a_score_is_an_error_with_its_place() {
    /// Metric without a score for empty hypotheses.
    #[derive(Debug, Clone)]
    struct Picky;
    impl Metric for Picky {
        type Stats = [u64; 1];
        type Score = PlainScore;
        type Scratch = ();
        fn identity(&self) -> Identity {
            Identity::new("picky", 1, Scale::UNBOUNDED)
        }
        fn finalize(&self, stats: &[u64; 1], _: &SegmentCounts) -> Result<PlainScore> {
            Ok(PlainScore::new(1.0 / stats[0] as f64))
        }
    }
    impl Observe<[u32]> for Picky {
        fn observe(&self, (): &mut (), stats: &mut [u64; 1], segment: Segment<'_, [u32]>) -> Result<()> {
            stats.merge(&[segment.hypothesis.len() as u64])
        }
    }
    let (hypotheses, references): ([&[u32]; 2], [&[u32]; 1]) = ([&[1], &[]], [&[1]]);
    let error = pairwise::matrix(&Picky, &hypotheses, &references).unwrap_err();
    assert!(error.to_string().starts_with("segment 2: "), "{error}");
    let error = mbr::utilities(&Picky, &hypotheses, &references, MbrWeights::Equal).unwrap_err();
    assert!(matches!(error, MbrError::Pair(_)));
    let error = leave_one_out(&Bleu::default(), &references).unwrap_err();
    assert!(error.to_string().contains("no references"), "{error}");
}

/// Tests that a panel over text matches the typed metric: BLEU through 13a, chrF++ over text.
#[test]
fn panels_work_on_texts() {
    let thirteen_a = tokenizer("13a", &TokenizerOptions::default()).unwrap();
    let chosen = ChosenTokens::new(thirteen_a, Case::Lower);
    let bleu = AnyMetric::for_ids(Bleu::default().sentence()).unwrap();
    let panel = Panel::new([bleu, AnyMetric::for_text(Chrf::plus_plus())], &chosen).unwrap();
    let texts = ["The cat, sat.", "the Cat, sat", "A dog sat.", "the cat, sat."];
    let single = |hypothesis: &str, references: &[&str]| {
        let mut one = Accumulator::<&Panel, str>::new(&panel);
        one.push(hypothesis, references).unwrap();
        panel.scores(one.total()).unwrap()
    };
    for metric in 0..2 {
        let matrix = pairwise::matrix(&panel.only(metric).unwrap(), &texts, &texts).unwrap();
        for (row, hypothesis) in matrix.chunks(4).zip(texts) {
            for (score, reference) in row.iter().zip(texts) {
                assert_eq!(*score, single(hypothesis, &[reference])[metric].score.value);
            }
        }
    }
    let states = leave_one_out(&panel, &texts).unwrap();
    for (own, state) in states.iter().enumerate() {
        let others: Vec<&str> = (0..4).filter(|&other| other != own).map(|other| texts[other]).collect();
        assert_eq!(panel.scores(state).unwrap(), single(texts[own], &others));
    }
    let utilities = mbr::utilities(&panel.only(0).unwrap(), &texts, &texts, MbrWeights::Equal).unwrap();
    assert_eq!(mbr::best(&utilities, Direction::HigherIsBetter, 2), [0, 3]);
    assert!(panel.only(2).unwrap_err().to_string().contains("panel of 2"));
    assert!(leave_one_out(&panel, &texts[..1]).is_err());
}

/// Interrupts the work 200 ms after its first question. The kernels of long segments ask too, within a second
/// of processor time; on a busy machine the clock shows more.
fn told_to_end<T>(name: &str, work: impl FnOnce() -> Result<T>) -> Option<InputErrorKind> {
    let begun = Arc::new(OnceLock::<Instant>::new());
    let asked = begun.clone();
    let stop = move || asked.get_or_init(Instant::now).elapsed() > Duration::from_millis(200);
    let done = interruptible(stop, work);
    let took = begun.get().map(Instant::elapsed);
    assert!(took.is_some_and(|took| took < Duration::from_secs(6)), "{name}: {took:?}");
    done.err().map(|error| error.kind().clone())
}

#[test]
fn a_segment_of_200_000_words_ends_when_it_is_told_to() {
    let text = |seed| {
        let mut rng = Rng::new(seed);
        (0..200_000).map(|_| format!("{} ", rng.below(5_000))).collect::<String>()
    };
    let (tokens, texts) = (ChosenTokens::standard().unwrap(), [text(1), text(2)]);
    let registry = bleuprint_metrics::registry();
    for name in ["wer", "cer", "rougeL", "rougeSU", "ter", "chrf"] {
        let ended = told_to_end(name, || {
            let corpus = TextCorpus::new([("a", &texts[..1])], [&texts[1..]])?;
            Evaluation::from_parts(&registry, [name], &tokens).unwrap().run(corpus)
        });
        assert!(ended == Some(InputErrorKind::Interrupted) || name == "chrf", "{name}: {ended:?}");
    }
}

/// Tests that pools, evaluations and tests end early after an interrupt, after any number of pieces of work.
#[test]
fn work_ends_when_it_is_told_to() {
    let texts: Vec<String> = (0..200).map(|at| format!("a b {at} c {}", at % 7)).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let tokens = ChosenTokens::standard().unwrap();
    let registry = bleuprint_metrics::registry();
    let ter = Request::new(&registry, ["ter"], tokens.clone()).unwrap().panel(&registry).unwrap();
    let evaluated = || {
        let corpus = TextCorpus::new([("a", &texts), ("b", &texts)], [&texts])?;
        Evaluation::from_parts(&registry, ["ter"], &tokens).unwrap().run(corpus)
    };
    let run = evaluated().unwrap();
    let plan = ResamplePlan::new(300);
    let paired = |test| run.significance(0, Precision::Exact)?.1.paired(test, plan, None).map(drop);
    let works: [(&str, &(dyn Fn() -> Result<()> + Sync)); 6] = [
        ("pairs", &|| pairwise::matrix(&ter, &texts[..20], &texts).map(drop)),
        ("each with the others", &|| leave_one_out(&ter, &texts[..40]).map(drop)),
        ("evaluation", &|| evaluated().map(drop)),
        ("confidence", &|| run.confidence(0, plan, Precision::Exact).map(drop)),
        ("bootstrap", &|| paired(Test::Bootstrap)),
        ("randomization", &|| paired(Test::Randomization)),
    ];
    for (name, work) in works {
        for threads in [None, Some(2)] {
            let asked = Arc::new(AtomicUsize::new(0));
            let count = asked.clone();
            let stop = move || count.fetch_add(1, Ordering::Relaxed) >= 2;
            let ended = interruptible(stop, || in_threads(threads, work)).unwrap();
            let kind = ended.map_err(|error| error.kind().clone());
            assert_eq!(kind, Err(InputErrorKind::Interrupted), "{name}");
            assert!(asked.load(Ordering::Relaxed) >= 3, "{name}: {asked:?}");
        }
        interruptible(|| false, work).unwrap();
        // Every piece of announced work is counted once; an evaluation counts its segments itself.
        let pieces = Arc::new(WorkPieces::default());
        watched(pieces.clone(), || in_threads(Some(2), work)).unwrap().unwrap();
        assert_eq!(pieces.done(), pieces.total(), "{name}");
        assert_eq!(pieces.total() == 0, name == "evaluation", "{name}");
    }
}
