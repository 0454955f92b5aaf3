//! Score the ids of a model directly, without detokenizing or strings; rewards for single sequences.
#![allow(clippy::print_stdout, reason = "an example prints its result")]

use bleuprint::{Accumulator, Bleu, Case, Metric, TokenSpace};

pub(crate) fn main() {
    // The label names the vocabulary of the ids; counts of different vocabularies never merge.
    let space = TokenSpace::new("my-model-v3", Case::Mixed).unwrap();
    let bleu = Bleu::default().over(space);
    let sentence = Bleu::default().sentence();

    let reference: [u32; 6] = [464, 3290, 1643, 262, 582, 13];
    let hypotheses: [&[u32]; 3] =
        [&[464, 3290, 1643, 262, 582, 13], &[464, 3290, 20658, 262, 582, 13], &[13]];

    let mut corpus = Accumulator::<_, [u32]>::new(&bleu);
    let mut rewards = Vec::new();
    for hypothesis in hypotheses {
        // `push` returns the statistics of the segment alone; sentence BLEU finalizes them in another way.
        let segment = corpus.push(hypothesis, &[&reference]).unwrap();
        rewards.push(sentence.finalize_as::<f64>(segment.stats()).unwrap().score);
    }
    println!("rewards {rewards:.1?}, corpus {:.1}", corpus.score().unwrap().score.score);
    assert_eq!(rewards[0], 100.00000000000004);
    assert!(rewards[0] > rewards[1] && rewards[1] > rewards[2]);
    assert_eq!(corpus.score().unwrap().signature.get("tok"), Some("my-model-v3"));
}
