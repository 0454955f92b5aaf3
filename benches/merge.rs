//! Merging, retracting and rows of statistics: the main cost of resampling, windows and tables.

mod config;

use std::hint::black_box;

use bleuprint::{Accumulator, Bleu, State, metrics::BleuStats};
use bleuprint_benches::{expected, input};
use criterion::{Criterion, Throughput};

fn main() {
    let mut criterion = config::configured().configure_from_args();
    let text = input::corpus("zh-en");
    let words = text.tokens("13a");
    let mut corpus = Accumulator::<_, [String]>::new(Bleu::default());
    let segments: Vec<State<BleuStats>> = words
        .iter()
        .map(input::slices)
        .map(|(hypothesis, references)| corpus.push(hypothesis, &references).expect("there is a reference"))
        .collect();
    let merged = merge_all(&segments);
    let counts = merged.stats().orders.iter().map(|order| order.clipped).collect();
    expected::check_counts(&text, "13a", counts);

    benches(&mut criterion, &segments, &merged);
    criterion.final_summary();
}

fn merge_all(segments: &[State<BleuStats>]) -> State<BleuStats> {
    let mut total = State::zero(&Bleu::default());
    segments.iter().for_each(|segment| total.merge(segment).expect("states of one metric"));
    total
}

fn benches(criterion: &mut Criterion, segments: &[State<BleuStats>], merged: &State<BleuStats>) {
    let mut group = criterion.benchmark_group("merge");
    group.throughput(Throughput::Elements(segments.len() as u64));
    group.bench_function("merge", |bencher| bencher.iter(|| merge_all(black_box(segments))));
    group.bench_function("retract", |bencher| {
        bencher.iter(|| {
            let (mut rest, bleu) = (merged.clone(), Bleu::default());
            segments.iter().for_each(|segment| rest.retract(&bleu, segment).expect("it was merged in"));
            rest
        });
    });
    group.bench_function("write rows", |bencher| {
        let mut rows = Vec::new();
        bencher.iter(|| {
            rows.clear();
            segments.iter().for_each(|segment| rows.extend(segment.row()));
            rows.len()
        });
    });
    group.finish();
}
