//! Corpora of text and of ids under one metric, tokenizing, and reading.

use bleuprint::text::TokenBuffer;
use bleuprint::text::read::{SegmentOptions, Source, read_segments};
use bleuprint::{Accumulator, Bleu, Score as _, Segment, TokenizerOptions, tokenizer};

use super::Prepared;
use crate::{Result, given};

/// Prepares a metric over text, by its name.
pub(super) fn named(spec: &str, segments: usize) -> Result<Prepared> {
    let metric = bleuprint::metric(spec)?;
    let pairs = given::sentences(1, segments);
    Ok(Box::new(move || {
        let mut corpus = Accumulator::<_, str>::new(&metric);
        for (hypothesis, reference) in &pairs {
            corpus.add(Segment::new(hypothesis.as_str(), &[reference.as_str()]))?;
        }
        Ok(corpus.score()?.value())
    }))
}

pub(super) fn bleu_of_ids() -> Result<Prepared> {
    let pairs = given::ids(2, 1_500);
    Ok(Box::new(move || {
        let mut corpus = Accumulator::<_, [u32]>::new(Bleu::default());
        for (hypothesis, reference) in &pairs {
            corpus.add(Segment::new(&hypothesis[..], &[&reference[..]]))?;
        }
        Ok(corpus.score()?.score.value())
    }))
}

/// The answer is the number of tokens.
pub(super) fn tokens_13a() -> Result<Prepared> {
    let pairs = given::sentences(3, 1_000);
    let tokenizer = tokenizer("13a", &TokenizerOptions::default())?;
    let mut buffer = TokenBuffer::default();
    Ok(Box::new(move || {
        let mut tokens = 0;
        for (hypothesis, reference) in &pairs {
            for line in [hypothesis, reference] {
                tokens += tokenizer.tokenize(line, &mut buffer)?.len();
            }
        }
        Ok(tokens as f64)
    }))
}

/// The answer is the number of bytes of all texts.
pub(super) fn json_lines(escaped: bool) -> Result<Prepared> {
    let lines = given::json_lines(escaped);
    Ok(Box::new(move || {
        // A reader owns its source.
        let source = Source::new(std::io::Cursor::new(lines.clone().into_bytes()), "given.jsonl");
        let mut reader = read_segments(source, &SegmentOptions::default())?;
        let (mut segment, mut bytes) = (Default::default(), 0);
        while reader.next(&mut segment)? {
            bytes += segment.hypothesis.as_deref().map_or(0, str::len);
            bytes += segment.references.iter().flatten().map(String::len).sum::<usize>();
        }
        Ok(bytes as f64)
    }))
}
