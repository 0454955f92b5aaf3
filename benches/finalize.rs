//! From counts to scores, one state at a time: the cost of a sentence score beyond counting.

mod config;

use bleuprint::{
    Accumulator, Bleu,
    contract::Choice as _,
    metrics::{BleuStats, Smoothing},
};
use bleuprint_benches::{expected, input};
use criterion::{Criterion, Throughput};

const COUNTED: &str = "all orders were counted";

fn main() {
    let mut criterion = config::configured().configure_from_args();
    let text = input::corpus("zh-en");
    let mut corpus = Accumulator::<_, [String]>::new(Bleu::default());
    let stats: Vec<BleuStats> = text
        .tokens("13a")
        .iter()
        .map(|segment| {
            let (hypothesis, references) = input::slices(segment);
            corpus.push(hypothesis, &references).expect("every segment has a reference").stats().clone()
        })
        .collect();
    expected::check_score(&text, "13a", corpus.score().expect("there are segments").score.score);

    benches(&mut criterion, &stats);
    criterion.final_summary();
}

fn benches(criterion: &mut Criterion, stats: &[BleuStats]) {
    let mut group = criterion.benchmark_group("finalize");
    group.throughput(Throughput::Elements(stats.len() as u64));
    for smoothing in [Smoothing::Exp, Smoothing::None, Smoothing::Floor(0.1), Smoothing::AddK(1.0)] {
        let bleu = Bleu::builder().smoothing(smoothing).effective_order(true).build();
        let bleu = bleu.expect("a valid configuration");
        group.bench_function(smoothing.name(), |bencher| {
            bencher.iter(|| {
                stats.iter().map(|stats| bleu.finalize_as::<f64>(stats).expect(COUNTED).score).sum::<f64>()
            });
        });
    }
    let bleu = Bleu::default().sentence();
    group.bench_function("exp in f32", |bencher| {
        bencher.iter(|| {
            stats.iter().map(|stats| bleu.finalize_as::<f32>(stats).expect(COUNTED).score).sum::<f32>()
        });
    });
    group.finish();
}
