//! Targets for the cost of wrappers: wrapped typed metrics, and metrics chosen at run time, next to the
//! metric itself.

use std::hint::black_box;

use bleuprint::eval::{ChosenTokens, Rewards, pairwise};
use bleuprint::{
    Accumulator, AnyMetric, Bleu, Case, Observe, Panel, Segment, State, Tokenized, TokenizerOptions,
    contract::Mean, registry, tokenizer,
};
use bleuprint_benches::clock::best;
use bleuprint_benches::input;

use crate::{report, rounds};

/// Highest time of a wrapper relative to the metric.
const MOST: f64 = 1.05;

/// Measures pools and corpora through typed wrappers and through a panel; the answers must be the same.
pub(crate) fn overheads() {
    let corpus = input::corpus("en-cs");
    let lines: Vec<&str> = corpus.hypotheses.iter().map(String::as_str).take(400).collect();
    let thirteen_a = || tokenizer("13a", &TokenizerOptions::default()).expect("a tokenizer of the registry");
    let typed = Tokenized::new(Bleu::default().sentence(), thirteen_a(), Case::Mixed).expect("BLEU over 13a");
    let erased = registry().build("bleu:effective-order").expect("a metric of the registry");
    let panel = Panel::new([erased], &ChosenTokens::new(thirteen_a(), Case::Mixed)).expect("a panel of BLEU");
    compare("pairs of text: a typed wrapper / a panel", || pairs(&typed, &lines), || pairs(&panel, &lines));
    compare("a corpus: a typed wrapper / a panel", || score(&typed, &lines), || score(&panel, &lines));

    let ids = input::ids(&corpus.tokens("13a"));
    let pool: Vec<&[u32]> = ids.iter().map(|(hypothesis, _)| &hypothesis[..]).take(400).collect();
    let (bleu, mean) = (Bleu::default().sentence(), Mean::new(Bleu::default().sentence()));
    let any = AnyMetric::for_ids(Bleu::default().sentence()).expect("BLEU remembers no tokens");
    compare("pairs of ids: a mean / the metric", || pairs(&mean, &pool), || pairs(&bleu, &pool));
    compare("pairs of ids: erased / the metric", || pairs(&any, &pool), || pairs(&bleu, &pool));
    compare("rewards by groups of 8: erased / typed", || rewards(&any, &pool), || rewards(&bleu, &pool));
}

/// Highest time of sentences, scored one by one with all parts of a score, relative to rewards, which are
/// only numbers.
const MOST_OF_SENTENCES: f64 = 1.3;

/// The same target for callers that keep a state of each sentence.
const MOST_OF_STATES: f64 = 2.0;

/// Measures sentence BLEU of ids, one by one, through each interface of the library.
pub(crate) fn sentences() {
    let ids = input::ids(&input::corpus("zh-en").tokens("13a"));
    let hypotheses: Vec<&[u32]> = ids.iter().map(|(hypothesis, _)| &hypothesis[..]).collect();
    let references: Vec<[&[u32]; 1]> = ids.iter().map(|(_, references)| [&references[0][..]]).collect();
    let bleu = Bleu::default().sentence();
    let any = AnyMetric::for_ids(bleu.clone()).expect("BLEU remembers no tokens");
    let rewards = || {
        let mut rewards = vec![0.0; hypotheses.len()];
        Rewards::<_, [u32]>::new(&bleu)
            .per_group(&hypotheses, 1, &references, &mut rewards)
            .expect("rewards");
        rewards.iter().map(|reward| f64::from(*reward)).collect()
    };
    let alone = || {
        let mut scratch = Default::default();
        let score = |(hypothesis, references): (&&[u32], &[&[u32]; 1])| {
            let state = State::of_segment(&bleu, &mut scratch, Segment::new(hypothesis, references));
            number(state.and_then(|state| state.score(&bleu)).expect("a score").value())
        };
        hypotheses.iter().zip(&references).map(score).collect()
    };
    let name = |door: &str| format!("sentences of ids: {door} / rewards");
    compare_to(
        &name("accumulator"),
        MOST_OF_SENTENCES,
        || one_by_one(&bleu, &hypotheses, &references),
        rewards,
    );
    compare_to(&name("erased"), MOST_OF_SENTENCES, || one_by_one(&any, &hypotheses, &references), rewards);
    compare_to(&name("a state each"), MOST_OF_STATES, alone, rewards);
}

fn one_by_one<M: Observe<[u32]>>(metric: &M, hypotheses: &[&[u32]], references: &[[&[u32]; 1]]) -> Vec<f64> {
    let mut sentences = Accumulator::<&M, [u32]>::new(metric);
    let mut score = |(hypothesis, references): (&&[u32], &[&[u32]; 1])| {
        let state = sentences.push(hypothesis, references).expect("a segment");
        number(sentences.score_of(&state).expect("a score").value())
    };
    hypotheses.iter().zip(references).map(&mut score).collect()
}

/// Rounds a score to single precision, because rewards are in single precision.
fn number(score: f64) -> f64 {
    f64::from(score as f32)
}

fn pairs<M: Observe<S>, S: ?Sized + Sync>(metric: &M, pool: &[&S]) -> Vec<f64> {
    pairwise::matrix(metric, pool, pool).expect("every pair has a score")
}

fn score<M: Observe<str>>(metric: &M, lines: &[&str]) -> Vec<f64> {
    let mut corpus = Accumulator::<&M, str>::new(metric);
    for pair in lines.windows(2) {
        corpus.add(Segment::new(pair[0], &pair[1..])).expect("a segment");
    }
    vec![corpus.score().expect("a score").value()]
}

/// Returns the rewards of a pool; the first of every eight sequences is the reference of all eight.
fn rewards<M: Observe<[u32]>>(metric: &M, pool: &[&[u32]]) -> Vec<f64> {
    let references: Vec<[&[u32]; 1]> = pool.chunks(8).map(|group| [group[0]]).collect();
    let mut rewards = vec![0.0; pool.len()];
    Rewards::<_, [u32]>::new(metric).per_group(pool, 8, &references, &mut rewards).expect("rewards");
    rewards.iter().map(|reward| f64::from(*reward)).collect()
}

fn compare(target: &str, one: impl FnMut() -> Vec<f64>, other: impl FnMut() -> Vec<f64>) {
    compare_to(target, MOST, one, other);
}

fn compare_to(
    target: &str,
    most: f64,
    mut one: impl FnMut() -> Vec<f64>,
    mut other: impl FnMut() -> Vec<f64>,
) {
    // Bits are compared, because a wrapper must not change the order of operations.
    let bits = |scores: Vec<f64>| scores.iter().map(|score| score.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(one()), bits(other()), "{target}");
    let [own, of_other] =
        best(rounds(), 1, [&mut || drop(black_box(one())), &mut || drop(black_box(other()))]);
    let measured = format!("{:.0} and {:.0} us", own / 1e3, of_other / 1e3);
    report(target, &measured, own / of_other, most, false, " x");
}
