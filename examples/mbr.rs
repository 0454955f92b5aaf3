//! Choose among samples of a model: all pairs, minimum Bayes risk, and the similarity of samples.
#![allow(clippy::print_stdout, reason = "an example prints its result")]

use bleuprint::eval::mbr::{self, MbrWeights};
use bleuprint::eval::{leave_one_out, pairwise};
use bleuprint::{Bleu, Chrf, contract::Direction};

pub(crate) fn main() {
    let samples = ["the cat sat on the mat", "a cat sat on the mat", "the cat sat on a mat", "dogs bark"];
    let log_probabilities = [-4.0, -3.5, -5.0, -9.0];

    // The sentence score of every pair, one row per hypothesis.
    let chrf = Chrf::default();
    let matrix = pairwise::matrix(&chrf, &samples, &samples).unwrap();
    assert_eq!((matrix[0], matrix.len()), (100.0, 16));

    // The candidate with the highest expected score, weighted by the model's probabilities.
    let weights = MbrWeights::Logarithms(&log_probabilities);
    let utilities = mbr::utilities(&chrf, &samples, &samples, weights).unwrap();
    let best = mbr::best(&utilities, Direction::HigherIsBetter, 2);
    println!("{} ({:.1})", samples[best[0]], utilities[best[0]]);
    assert_eq!(best, [0, 1]);

    // Over tokens too: each against all others; lower means more diverse.
    let words = samples.map(|sample| sample.split(' ').collect::<Vec<_>>());
    let words: Vec<&[&str]> = words.iter().map(Vec::as_slice).collect();
    let bleu = Bleu::default().sentence();
    let states = leave_one_out(&bleu, &words).unwrap();
    let scores: Vec<f64> = states.iter().map(|state| state.score(&bleu).unwrap().score.score).collect();
    println!("Self-BLEU {:.1}", scores.iter().sum::<f64>() / scores.len() as f64);
    assert_eq!(scores[3], 0.0);
}
