//! From two files to a score: reading, 13a, counting, finalizing, in one thread.

mod config;

use std::path::Path;

use bleuprint::eval::{Tokenized, observe_all};
use bleuprint::text::Text;
use bleuprint::{Bleu, Case, Tokenizer, TokenizerOptions, contract::Segments, tokenizer};
use bleuprint_benches::{expected, input};
use criterion::Throughput;

fn main() {
    let mut criterion = config::configured().configure_from_args();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    for name in ["en-cs", "zh-en", "he-en"] {
        let corpus = input::corpus(name);
        let (hypothesis, references) =
            corpus.write(folder).expect("the folder of build products is writable");
        expected::check_score(&corpus, "13a", score(&hypothesis, &references));
        let mut group = criterion.benchmark_group("end_to_end");
        group.throughput(Throughput::Elements(corpus.len() as u64));
        group.bench_function(corpus.describe(), |bencher| bencher.iter(|| score(&hypothesis, &references)));
        group.finish();
    }
    criterion.final_summary();
}

/// The whole time for a user, building the tokenizer included.
fn score(hypothesis: &Path, references: &[impl AsRef<Path>]) -> f64 {
    let tokenizer: Box<dyn Tokenizer> =
        tokenizer("13a", &TokenizerOptions::default()).expect("a tokenizer of the registry");
    let bleu = Tokenized::new(Bleu::default(), tokenizer, Case::Mixed).expect("13a can be printed");
    let hypotheses = Text::open(hypothesis, Default::default()).expect("the file was written");
    let streams: Vec<Text> = references
        .iter()
        .map(|file| Text::open(file, Default::default()).expect("the file was written"))
        .collect();
    let hypotheses: Vec<&str> = hypotheses.iter().collect();
    let streams: Vec<Vec<&str>> = streams.iter().map(|stream| stream.iter().collect()).collect();
    let streams: Vec<&[&str]> = streams.iter().map(Vec::as_slice).collect();
    let segments = Segments::<str>::from_streams(&hypotheses, &streams).expect("the streams are parallel");
    let state = observe_all(&bleu, segments.iter()).expect("every segment has a reference");
    state.score(&bleu).expect("there are segments").score.score
}
