//! Word errors: an alignment, and the rates computed from its counts.
#![allow(clippy::print_stdout, reason = "an example prints its result")]

use bleuprint::metrics::edit::alignment;
use bleuprint::{Accumulator, EditRate, Ter};

pub(crate) fn main() {
    let words = |text: &'static str| text.split(' ').collect::<Vec<_>>();
    let reference = words("the cat sat on the mat near the door");
    let hypothesis = words("near the door the cat sat on a mat");

    let aligned = alignment(&reference, &hypothesis).unwrap();
    print!("{}", aligned.lines(&reference, &hypothesis, " "));
    assert_eq!(aligned.counts().edits(), 7);

    // The same counts, summed over a corpus, give every rate.
    for (rate, expected) in [(EditRate::WER, 7.0 / 9.0), (EditRate::MER, 7.0 / 12.0)] {
        let mut corpus = Accumulator::<_, [&str]>::new(rate);
        corpus.push(&hypothesis, &[&reference]).unwrap();
        let scored = corpus.score().unwrap();
        println!("{scored}");
        assert_eq!(scored.score.score, expected);
    }

    // TER counts the moved block as one edit.
    let mut ter = Accumulator::<_, [&str]>::new(Ter::default());
    ter.push(&hypothesis, &[&reference]).unwrap();
    println!("{}", ter.score().unwrap());
    assert_eq!(ter.total().stats().edits, 2);
}
