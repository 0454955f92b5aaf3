//! Tests that streaming equals scoring in memory for every number of threads, and that its error is that of
//! the first failed segment.

use bleuprint_core::{Case, InputError, Result, State, zip_streams};
use bleuprint_eval::{Tokenized, observe_all, stream_systems};
use bleuprint_metrics::{Bleu, BleuStats};
use bleuprint_text::{Tokenizer, TokenizerOptions, tokenizer};

fn bleu() -> Tokenized<Bleu, Box<dyn Tokenizer>> {
    let tokenizer = tokenizer("13a", &TokenizerOptions::default()).unwrap();
    Tokenized::new(Bleu::default(), tokenizer, Case::Mixed).unwrap()
}

/// Returns lines of very different lengths; some are empty, and one is larger than a batch.
fn text(seed: usize, lines: usize) -> Vec<String> {
    let words = ["the", "cat", "sat", "on", "a mat,", "3.5", "dog."];
    let word = |line: usize, at: usize| words[(line * 7 + at * (3 + seed % 2)) % words.len()];
    let len = |line: usize| if line == 700 { 40_000 } else { line * 31 % 60 };
    (0..lines).map(|l| (0..len(l)).map(|at| word(l, at)).collect::<Vec<_>>().join(" ")).collect()
}

fn stream(hypotheses: &[String], references: &[Vec<String>]) -> Result<Vec<State<BleuStats>>> {
    let mut line = 0;
    stream_systems(&bleu(), |batch| {
        let Some(hypothesis) = hypotheses.get(line) else { return Ok(false) };
        batch.push([hypothesis], references.iter().map(|stream| &stream[line]), None)?;
        line += 1;
        Ok(true)
    })
}

#[test]
fn any_number_of_threads_gives_the_bits_of_one() {
    let (hypotheses, references) = (text(0, 5000), [text(1, 5000), text(2, 5000)]);
    let streams: Vec<&[String]> = references.iter().map(Vec::as_slice).collect();
    let segments = zip_streams::<str, _>(&hypotheses, &streams);
    let expected = observe_all(&bleu(), segments.unwrap()).unwrap();
    assert_eq!(expected.counts().segments, 5000);
    assert_eq!(stream(&hypotheses, &references).unwrap(), std::slice::from_ref(&expected));
    #[cfg(feature = "parallel")]
    for threads in [1, 2, 7] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let observed = pool.install(|| stream(&hypotheses, &references)).unwrap();
        assert_eq!(observed, std::slice::from_ref(&expected), "{threads} threads");
    }
}

#[test]
fn an_empty_stream_observes_nothing() {
    assert_eq!(stream(&[], &[]).unwrap(), []);
}

#[test]
fn the_error_of_the_earliest_segment_is_returned() {
    let read_error = || InputError::malformed("cannot read on");
    for (without_references, broken_after, expected) in [
        (10, 4000, "segment 10: no references"),
        (3990, 4000, "segment 3990: no references"),
        (0, 4000, "cannot read on"),
    ] {
        let mut read = 0;
        let error = stream_systems(&bleu(), |batch| {
            if read == broken_after {
                return Err(read_error());
            }
            read += 1;
            let references: &[&str] = if read == without_references { &[] } else { &["a b c d e"] };
            batch.push(["a b c d"], references, None).map(|()| true)
        })
        .unwrap_err();
        assert!(error.to_string().starts_with(expected), "{error}");
    }
}
