//! Merging, retracting and rows of statistics: what resampling, windows and tables spend their time on.

mod config;

use std::hint::black_box;

use bleuprint::{Bleu, BleuStats, Corpus, Linear, Metric, Observed, Stats};
use bleuprint_benches::{expected, input};
use criterion::{Criterion, Throughput};

fn main() {
    let mut criterion = config::configured().configure_from_args();
    let text = input::corpus("zh-en");
    let words = text.tokens("13a");
    let mut corpus = Corpus::new(Bleu::default());
    let segments: Vec<(&[String], Vec<&[String]>)> = words.iter().map(input::slices).collect();
    let observed = corpus.observe::<[String], _>(segments.iter().map(|(h, r)| (*h, r)));
    observed.expect("every segment has a reference");
    let merged = merge_all(corpus.segments());
    let counts = merged.stats.orders.iter().map(|order| order.clipped).collect();
    expected::check_counts(&text, "13a", counts);

    benches(&mut criterion, corpus.segments(), &merged);
    criterion.final_summary();
}

fn merge_all(segments: &[Observed<BleuStats>]) -> Observed<BleuStats> {
    let mut total = Observed { references: Default::default(), stats: Bleu::default().zero() };
    segments.iter().for_each(|segment| total.merge(segment));
    total
}

fn benches(criterion: &mut Criterion, segments: &[Observed<BleuStats>], merged: &Observed<BleuStats>) {
    let mut group = criterion.benchmark_group("merge");
    group.throughput(Throughput::Elements(segments.len() as u64));
    group.bench_function("merge", |bencher| bencher.iter(|| merge_all(black_box(segments))));
    group.bench_function("retract", |bencher| {
        bencher.iter(|| {
            let mut rest = merged.clone();
            segments.iter().for_each(|segment| rest.retract(segment).expect("it was merged in"));
            rest
        });
    });
    group.bench_function("write rows", |bencher| {
        let mut rows = Vec::new();
        bencher.iter(|| {
            rows.clear();
            segments.iter().for_each(|segment| segment.write_row(&mut rows));
            rows.len()
        });
    });
    group.finish();
}
