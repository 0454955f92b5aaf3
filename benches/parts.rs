//! Criterion benchmarks of the parts: tokenizers, merging and rows of statistics, scores from counts, every metric over
//! variations of its example, scores from files.
//!
//! Each benchmark compares its results with the expected ones before it measures. `targets` measures the
//! kernel, threads and rewards.

use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

use bleuprint::eval::{Tokenized, observe_all};
use bleuprint::text::{FileText, TokenBuffer};
use bleuprint::{
    Accumulator, Bleu, Case, State, Tokenizer, TokenizerOptions,
    contract::{Choice as _, zip_streams},
    metrics::{BleuStats, Smoothing},
    tokenizer,
};
use bleuprint_benches::{expected, input};
use bleuprint_testkit::rows::ExampleCorpus;
use criterion::{Criterion, Throughput};

const SPACED: &[&str] = &["none", "13a", "intl", "tercom", "char", "word", "grapheme", "bytes"];
const HAN: &[&str] = &["zh", "char", "intl", "13a"];

/// Runs all benchmarks with one second per measurement. The machine is rarely quiet for long, so many short
/// runs are better than one long run.
fn main() {
    let criterion = Criterion::default().without_plots().sample_size(20);
    let criterion =
        criterion.warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1));
    let mut criterion = criterion.configure_from_args();
    tokens(&mut criterion, "zh-en", SPACED);
    tokens(&mut criterion, "en-cs", &["13a", "intl"]);
    tokens(&mut criterion, "en-zh", HAN);
    let segments = counted();
    merge(&mut criterion, &segments);
    finalize(&mut criterion, &segments);
    examples(&mut criterion);
    for name in ["en-cs", "zh-en", "he-en"] {
        end_to_end(&mut criterion, &input::corpus(name));
    }
    criterion.final_summary();
}

fn built(name: &str) -> Box<dyn Tokenizer> {
    tokenizer(name, &TokenizerOptions::default()).expect("a tokenizer of the registry")
}

/// Measures tokenizers over all lines of a corpus, in bytes per second.
fn tokens(criterion: &mut Criterion, corpus: &str, tokenizers: &[&str]) {
    let corpus = input::corpus(corpus);
    let mut group = criterion.benchmark_group(format!("tokens/{}", corpus.describe()));
    group.throughput(Throughput::Bytes(corpus.lines().map(str::len).sum::<usize>() as u64));
    for name in tokenizers {
        let (tokenizer, mut buffer) = (built(name), TokenBuffer::default());
        let mut count = |line: &str| tokenizer.tokenize(line, &mut buffer).map_or(0, |tokens| tokens.len());
        let hypotheses = corpus.hypotheses.iter().map(|line| count(line)).sum::<usize>();
        // An answer that differs would make the time meaningless, so the count of tokens is checked first.
        expected::check_tokens(&corpus, name, hypotheses as u64);
        group.bench_function(*name, |bencher| {
            bencher.iter(|| corpus.lines().map(&mut count).sum::<usize>());
        });
    }
    group.finish();
}

fn counted() -> Vec<State<BleuStats>> {
    let text = input::corpus("zh-en");
    let mut corpus = Accumulator::<_, [String]>::new(Bleu::default());
    let words = text.tokens("13a");
    let segments = words.iter().map(input::slices);
    let segments: Vec<_> = segments
        .map(|(hypothesis, references)| corpus.push(hypothesis, &references).expect("there is a reference"))
        .collect();
    expected::check_score(&text, "13a", corpus.score().expect("there are segments").score.score);
    let merged = merge_all(&segments);
    let counts = merged.stats().orders.iter().map(|order| order.clipped).collect();
    expected::check_counts(&text, "13a", counts);
    segments
}

fn merge_all(segments: &[State<BleuStats>]) -> State<BleuStats> {
    let mut total = State::zero(&Bleu::default());
    segments.iter().for_each(|segment| total.merge(segment).expect("states of one metric"));
    total
}

/// Measures merging, retracting and rows of statistics, the main cost of resampling, windows and tables.
fn merge(criterion: &mut Criterion, segments: &[State<BleuStats>]) {
    let merged = merge_all(segments);
    let mut group = criterion.benchmark_group("merge");
    group.throughput(Throughput::Elements(segments.len() as u64));
    group.bench_function("merge", |bencher| bencher.iter(|| merge_all(black_box(segments))));
    group.bench_function("retract", |bencher| {
        bencher.iter(|| {
            // Retraction needs a merged state, so each round starts from a copy.
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

/// Measures scoring from counts, one state at a time: the cost of a sentence score without counting.
fn finalize(criterion: &mut Criterion, segments: &[State<BleuStats>]) {
    const COUNTED: &str = "all orders were counted";
    let stats = || segments.iter().map(State::stats);
    let mut group = criterion.benchmark_group("finalize");
    group.throughput(Throughput::Elements(segments.len() as u64));
    for smoothing in [Smoothing::Exp, Smoothing::None, Smoothing::Floor(0.1), Smoothing::AddK(1.0)] {
        let bleu = Bleu::builder().smoothing(smoothing).effective_order(true).build();
        let bleu = bleu.expect("a valid configuration");
        group.bench_function(smoothing.name(), |bencher| {
            bencher
                .iter(|| stats().map(|one| bleu.finalize_as::<f64>(one).expect(COUNTED).score).sum::<f64>());
        });
    }
    let bleu = Bleu::default().sentence();
    group.bench_function("exp in f32", |bencher| {
        bencher.iter(|| stats().map(|one| bleu.finalize_as::<f32>(one).expect(COUNTED).score).sum::<f32>());
    });
    group.finish();
}

/// Measures counting of the varied example of every metric, so that the metrics of a new family have a row.
fn examples(criterion: &mut Criterion) {
    const SEGMENTS: usize = 500;
    const SEED: u64 = 25;
    let families = bleuprint::families();
    let mut group = criterion.benchmark_group("examples");
    group.throughput(Throughput::Elements(SEGMENTS as u64));
    for entry in families.registry().entries() {
        let name = entry.example_options().named(&entry.name);
        expected::check_example(&name, ExampleCorpus::new(&families, entry, 1, SEED).score());
        let corpus = ExampleCorpus::new(&families, entry, SEGMENTS, SEED);
        group.bench_function(name, |bencher| bencher.iter(|| corpus.score()));
    }
    group.finish();
}

/// Measures scoring from two files in one thread: reading, 13a, counting, finalizing.
fn end_to_end(criterion: &mut Criterion, corpus: &input::BenchCorpus) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (hypothesis, references) = corpus.write(folder).expect("the folder of build products is writable");
    expected::check_score(corpus, "13a", score(&hypothesis, &references));
    let mut group = criterion.benchmark_group("end_to_end");
    group.throughput(Throughput::Elements(corpus.len() as u64));
    group.bench_function(corpus.describe(), |bencher| bencher.iter(|| score(&hypothesis, &references)));
    group.finish();
}

/// Returns the score of two files. The work is the whole work of a user, including building the tokenizer.
fn score(hypothesis: &Path, references: &[impl AsRef<Path>]) -> f64 {
    let bleu = Tokenized::new(Bleu::default(), built("13a"), Case::Mixed).expect("13a can be printed");
    let open = |file: &Path| FileText::open(file, Default::default()).expect("the file was written");
    let hypotheses = open(hypothesis);
    let streams: Vec<FileText> = references.iter().map(|file| open(file.as_ref())).collect();
    let hypotheses: Vec<&str> = hypotheses.iter().collect();
    let streams: Vec<Vec<&str>> = streams.iter().map(|stream| stream.iter().collect()).collect();
    let streams: Vec<&[&str]> = streams.iter().map(Vec::as_slice).collect();
    let segments = zip_streams::<str, _>(&hypotheses, &streams).expect("the streams are parallel");
    let state = observe_all(&bleu, segments).expect("every segment has a reference");
    state.score(&bleu).expect("there are segments").score.score
}
