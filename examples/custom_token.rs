//! Your own token: any type with `Hash + Eq`, here the notes of a melody.
#![allow(clippy::print_stdout, reason = "an example prints its result")]

use bleuprint::{Accumulator, Bleu, Case, EditRate, Metric, TokenSpace};

/// A token with its own data; it is neither copied nor converted to text.
#[derive(Debug, PartialEq, Eq, Hash)]
enum Note {
    Pitch { key: u8, eighths: u8 },
    Rest { eighths: u8 },
}

pub(crate) fn main() {
    use Note::{Pitch, Rest};
    let played = [Pitch { key: 60, eighths: 2 }, Pitch { key: 62, eighths: 2 }, Rest { eighths: 4 }];
    let written = [
        Pitch { key: 60, eighths: 2 },
        Pitch { key: 62, eighths: 2 },
        Pitch { key: 64, eighths: 2 },
        Rest { eighths: 4 },
    ];

    // A tuple of metrics is a metric: one pass, both scores.
    let bigrams = Bleu::builder().max_order(2).build().unwrap();
    let metrics = (bigrams, EditRate::ER).over(TokenSpace::new("notes", Case::Mixed).unwrap());
    let mut melody = Accumulator::<_, [Note]>::new(metrics);
    melody.push(&played, &[&written]).unwrap();

    let (bleu, errors) = melody.score().unwrap().score;
    assert_eq!(bleu.clipped[..], [3, 1]);
    assert_eq!(errors.score, 25.0);
    assert_eq!(melody.total().stats().1.deletions, 1);
    println!("BLEU-2 {:.1}, error rate {:.1}", bleu.score, errors.score);
}
