//! Alignments: jiwer's chunks and printed lines, and error rates by their types.

use bleuprint::metrics::edit::{EditOperation, alignment};
use bleuprint::text::TokenBuffer;
use bleuprint::{Accumulator, EditRate, Metric as _, TokenizerOptions, registry, tokenizer};
use bleuprint_testkit::tables;

fn words(text: &str) -> Vec<String> {
    let jiwer = tokenizer("jiwer", &TokenizerOptions::default()).unwrap();
    let mut buffer = TokenBuffer::default();
    let tokens = bleuprint::Tokenizer::tokenize(&jiwer, text, &mut buffer).unwrap();
    tokens.iter().map(str::to_owned).collect()
}

/// Chunks as jiwer names them.
fn chunks(reference: &[String], hypothesis: &[String]) -> Vec<(String, usize, usize, usize, usize)> {
    let name = |operation| match operation {
        EditOperation::Hit => "equal",
        EditOperation::Substitution => "substitute",
        EditOperation::Deletion => "delete",
        EditOperation::Insertion => "insert",
    };
    let aligned = alignment(reference, hypothesis).unwrap();
    let chunks = aligned.chunks.iter().map(|chunk| {
        let (r, h) = (&chunk.reference, &chunk.hypothesis);
        (name(chunk.operation).to_owned(), r.start, r.end, h.start, h.end)
    });
    chunks.collect()
}

#[test]
fn words_are_aligned_as_jiwer_aligns_them() {
    let cases = tables::alignments();
    for case in &cases {
        for (i, expected) in case.alignments.iter().enumerate() {
            let (reference, hypothesis) = (words(&case.references[i]), words(&case.hypotheses[i]));
            assert_eq!(chunks(&reference, &hypothesis), *expected, "{} segment {i}", case.name);
        }
    }
    assert_eq!(cases.len(), 183);
}

#[test]
fn alignments_are_printed_as_jiwer_prints_them() {
    // It prints an empty reference as a line of its own.
    let printed = |case: &&tables::AlignmentCase| !case.lines.starts_with("REF:\n");
    let mut compared = 0;
    for case in tables::alignments().iter().filter(printed) {
        let (reference, hypothesis) = (words(&case.references[0]), words(&case.hypotheses[0]));
        let aligned = alignment(&reference, &hypothesis).unwrap();
        assert_eq!(aligned.lines(&reference, &hypothesis, " ").to_string(), case.lines, "{}", case.name);
        compared += 1;
    }
    assert_eq!(compared, 181);
}

#[test]
fn typed_rates_are_those_of_the_registry() {
    let mut wip = Accumulator::<_, [char]>::new(EditRate::WIP);
    wip.push(&['a', 'b', 'x'], &[&['a', 'b', 'c', 'd']]).unwrap();
    assert_eq!(wip.score().unwrap().score.score, (2.0 / 4.0) * (2.0 / 3.0));
}

#[test]
fn merged_compounds_are_part_of_the_key_and_of_the_signature() {
    let [merged, plain] = ["wer:compounds=merge", "wer"].map(|spec| registry().build(spec).unwrap());
    assert!(merged.state_key().to_string().starts_with("wer/1|compounds:merge|case:mixed"));
    assert!(merged.signature().to_string().contains("|compounds:merge|"));
    // States and signatures of plain WER are those they were.
    assert!(!plain.state_key().to_string().contains("compounds"));
    assert!(!plain.signature().to_string().contains("compounds"));
}
