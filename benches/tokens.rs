//! Tokenizers, in bytes per second, over all lines of a corpus.

mod config;

use bleuprint::text::{TokenBuffer, Tokenizer};
use bleuprint::{TokenizerOptions, tokenizer};
use bleuprint_benches::{expected, input};
use criterion::{BenchmarkGroup, Criterion, Throughput, measurement::WallTime};

const SPACED: &[&str] = &["none", "13a", "intl", "tercom", "char", "word", "grapheme", "bytes"];
const HAN: &[&str] = &["zh", "char", "intl", "13a"];

fn main() {
    let mut criterion = config::configured().configure_from_args();
    tokens(&mut criterion, "zh-en", SPACED);
    tokens(&mut criterion, "en-cs", &["13a", "intl"]);
    tokens(&mut criterion, "en-zh", HAN);
    criterion.final_summary();
}

fn tokens(criterion: &mut Criterion, corpus: &str, tokenizers: &[&str]) {
    let corpus = input::corpus(corpus);
    let bytes: usize = corpus.lines().map(str::len).sum();
    let mut group = criterion.benchmark_group(format!("tokens/{}", corpus.describe()));
    group.throughput(Throughput::Bytes(bytes as u64));
    for name in tokenizers {
        let tokenizer = tokenizer(name, &TokenizerOptions::default()).expect("a tokenizer of the registry");
        let hypotheses = corpus.hypotheses.iter().map(|line| count(&*tokenizer, line)).sum::<usize>();
        expected::check_tokens(&corpus, name, hypotheses as u64);
        all_lines(&mut group, name, &*tokenizer, &corpus);
    }
    group.finish();
}

fn all_lines(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: &str,
    tokenizer: &dyn Tokenizer,
    corpus: &input::Corpus,
) {
    let mut buffer = TokenBuffer::default();
    group.bench_function(name, |bencher| {
        bencher.iter(|| {
            corpus
                .lines()
                .map(|line| tokenizer.tokenize(line, &mut buffer).map_or(0, |t| t.len()))
                .sum::<usize>()
        });
    });
}

fn count(tokenizer: &dyn Tokenizer, line: &str) -> usize {
    tokenizer.tokenize(line, &mut TokenBuffer::default()).map_or(0, |tokens| tokens.len())
}
