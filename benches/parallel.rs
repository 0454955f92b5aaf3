//! Threads: scoring a corpus in memory and as a stream, and the rewards of a training step.

mod config;

use bleuprint::eval::{Rewards, Tokenized, observe_all, observe_parallel, observe_systems};
use bleuprint::{Bleu, Case, State, Tokenizer, TokenizerOptions, metrics::BleuStats, tokenizer};
use bleuprint_benches::{expected, input};
use criterion::{Criterion, Throughput};

/// The number of repetitions of the corpus, for enough work to share.
const REPEATED: usize = 8;

type Line<'t> = (&'t str, Vec<&'t str>);

fn main() {
    let mut criterion = config::configured().configure_from_args();
    corpus(&mut criterion);
    rewards(&mut criterion);
    criterion.final_summary();
}

fn corpus(criterion: &mut Criterion) {
    let corpus = input::corpus("zh-en");
    let bleu = bleu();
    let lines =
        || (0..corpus.len()).map(|at| (corpus.hypotheses[at].as_str(), vec![&*corpus.streams[0][at]]));
    let segments: Vec<Line<'_>> = (0..REPEATED).flat_map(|_| lines()).collect();
    let once = observe_all(&bleu, lines()).expect("every segment has a reference");
    expected::check_counts(&corpus, "13a", once.stats().orders.iter().map(|order| order.clipped).collect());
    let whole = observe_all(&bleu, segments.iter().map(|(h, r)| (*h, r))).expect("as before");
    assert_eq!(observe_parallel(&bleu, &segments), Ok(whole.clone()));
    assert_eq!(stream(&bleu, &segments), whole);

    let mut group = criterion.benchmark_group("parallel/corpus");
    group.throughput(Throughput::Elements(segments.len() as u64));
    group.bench_function("in memory, no pool", |bencher| {
        bencher.iter(|| observe_all(&bleu, segments.iter().map(|(h, r)| (*h, r))));
    });
    for threads in [1, 2] {
        let pool = pool(threads);
        group.bench_function(format!("in memory, {threads} threads"), |bencher| {
            bencher.iter(|| pool.install(|| observe_parallel(&bleu, &segments)));
        });
        group.bench_function(format!("as a stream, {threads} threads"), |bencher| {
            bencher.iter(|| pool.install(|| stream(&bleu, &segments)));
        });
    }
    group.finish();
}

fn stream(bleu: &Tokenized<Bleu, Box<dyn Tokenizer>>, segments: &[Line<'_>]) -> State<BleuStats> {
    let mut rest = segments.iter();
    let observed = observe_systems(bleu, |batch| {
        let next = rest.next();
        next.inspect(|(hypothesis, references)| batch.push(hypothesis, references));
        Ok(next.is_some())
    });
    observed.expect("every segment has a reference").remove(0)
}

/// A training step: 256 hypotheses of 1,024 ids, in groups of 8 rollouts that share a reference.
fn rewards(criterion: &mut Criterion) {
    let (items, group_size) = (256, 8);
    let (hypotheses, references) = input::training_step(items, group_size, 1_024, 1);
    let own: Vec<&Vec<Vec<u32>>> = (0..items).map(|item| &references[item / group_size]).collect();
    let mut rewards = Rewards::<_, [u32]>::new(Bleu::default().sentence());
    let (mut one, mut other) = (vec![0.0; items], vec![0.0; items]);
    rewards.per_item(&hypotheses, &own, &mut one).expect("the lengths agree");
    rewards.per_group(&hypotheses, group_size, &references, &mut other).expect("the lengths agree");
    assert_eq!(one, other);
    assert!(one.iter().all(|reward| (1.0..99.0).contains(reward)), "{one:?}");

    let mut group = criterion.benchmark_group("parallel/rewards of 256 x 1,024 ids");
    group.throughput(Throughput::Elements(items as u64));
    group.bench_function("per item", |bencher| {
        bencher.iter(|| rewards.per_item(&hypotheses, &own, &mut one));
    });
    group.bench_function("per group of 8", |bencher| {
        bencher.iter(|| rewards.per_group(&hypotheses, group_size, &references, &mut one));
    });
    let mut parallel = Rewards::<_, [u32]>::new(Bleu::default().sentence()).parallel();
    let pool = pool(2);
    group.bench_function("per item, 2 threads", |bencher| {
        bencher.iter(|| pool.install(|| parallel.per_item(&hypotheses, &own, &mut one)));
    });
    group.finish();
    assert_eq!(one, other);
}

fn bleu() -> Tokenized<Bleu, Box<dyn Tokenizer>> {
    let tokenizer = tokenizer("13a", &TokenizerOptions::default()).expect("a tokenizer of the registry");
    Tokenized::new(Bleu::default(), tokenizer, Case::Mixed).expect("13a can be printed")
}

fn pool(threads: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be started")
}
