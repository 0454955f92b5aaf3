//! Where the words went wrong: an alignment to look at, and the rates that are made of its counts.
#![allow(clippy::print_stdout, reason = "an example speaks to whoever runs it")]

use bleuprint::metrics::edit::alignment;
use bleuprint::{Accumulator, EditRate, Ter};

pub(crate) fn main() {
    let words = |text: &'static str| text.split(' ').collect::<Vec<_>>();
    let reference = words("the cat sat on the mat near the door");
    let hypothesis = words("near the door the cat sat on a mat");

    let aligned = alignment(&reference, &hypothesis).unwrap();
    print!("{}", aligned.lines(&reference, &hypothesis, " "));
    assert_eq!(aligned.counts().edits(), 7);

    // The same counts, summed over a corpus, make every rate.
    for (rate, expected) in [(EditRate::WER, 7.0 / 9.0), (EditRate::MER, 7.0 / 12.0)] {
        let mut corpus = Accumulator::<_, [&str]>::new(rate);
        corpus.push(&hypothesis, &[&reference]).unwrap();
        let scored = corpus.score().unwrap();
        println!("{scored}");
        assert_eq!(scored.score.score, expected);
    }

    // TER takes the block that moved for one edit.
    let mut ter = Accumulator::<_, [&str]>::new(Ter::default());
    ter.push(&hypothesis, &[&reference]).unwrap();
    println!("{}", ter.score().unwrap());
    assert_eq!(ter.total().stats().edits, 2);
}
