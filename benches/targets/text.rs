//! Targets for tokenizers, in megabytes of text per second.

use bleuprint::text::TokenBuffer;
use bleuprint::{TokenizerOptions, tokenizer};
use bleuprint_benches::clock::best;
use bleuprint_benches::{expected, input};

use crate::{report, rounds};

/// Measures tokenizers over whole corpora, line by line, in one thread.
pub(crate) fn tokenizers() {
    for (name, corpus, wanted) in [
        ("13a", "zh-en", 300.0),
        ("13a", "en-cs", 300.0),
        ("intl", "zh-en", 300.0),
        ("intl", "en-cs", 300.0),
        ("zh", "en-zh", 200.0),
        ("char", "en-zh", 200.0),
        ("char", "zh-en", 200.0),
    ] {
        let corpus = input::corpus(corpus);
        let tokenizer = tokenizer(name, &TokenizerOptions::default()).expect("a tokenizer of the registry");
        let mut buffer = TokenBuffer::default();
        let mut count = |line: &str| tokenizer.tokenize(line, &mut buffer).map_or(0, |tokens| tokens.len());
        let tokens: usize = corpus.hypotheses.iter().map(|line| count(line)).sum();
        expected::check_tokens(&corpus, name, tokens as u64);
        let bytes = corpus.lines().map(str::len).sum();
        let mut all = 0;
        let [per_byte] =
            best(rounds(), bytes, [&mut || all += corpus.lines().map(&mut count).sum::<usize>()]);
        assert!(all > 0);
        let measured = format!("{per_byte:.2} ns/byte");
        report(&format!("{name}, {}", corpus.name), &measured, 1e3 / per_byte, wanted, true, " MB/s");
    }
}
