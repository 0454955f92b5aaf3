//! Score shards on different machines, send their states as JSON, and merge: the score of the whole, to the bit.
#![allow(clippy::print_stdout, reason = "an example prints its result")]

use bleuprint::{Accumulator, Bleu, Tagged, metrics::BleuStats};

pub(crate) fn main() {
    let segments: [(&str, &str); 4] = [
        ("the cat sat on the mat", "the cat is on the mat"),
        ("a dog", "a dog barked"),
        ("it rained all day long", "it rained all day"),
        ("nobody came", "no one came"),
    ];
    let observe = |segments: &[(&str, &str)]| {
        let mut shard = Accumulator::<_, [char]>::new(Bleu::default());
        for (hypothesis, reference) in segments {
            let (hypothesis, reference): (Vec<char>, Vec<char>) =
                (hypothesis.chars().collect(), reference.chars().collect());
            shard.push(&hypothesis, &[&reference]).unwrap();
        }
        shard
    };
    let whole = observe(&segments).score().unwrap();

    // Each worker sends its statistics, with their identity.
    let sent: Vec<String> =
        segments.chunks(1).map(|shard| serde_json::to_string(observe(shard).total()).unwrap()).collect();

    // The collector merges in any order; a state of another metric or tokenizer is refused.
    let bleu = Bleu::default();
    let mut total = Accumulator::<_, [char]>::new(&bleu);
    for state in sent.iter().rev() {
        let state = serde_json::from_str::<Tagged<BleuStats>>(state).unwrap().open(&bleu).unwrap();
        total.merge(&state).unwrap();
    }
    assert_eq!(total.score().unwrap(), whole);

    // The mean of the shards' scores is a different, wrong number.
    let of_shards = segments.chunks(1).map(|shard| observe(shard).score().unwrap().score.score);
    let mean = of_shards.sum::<f64>() / 4.0;
    assert!((mean - whole.score.score).abs() > 1.0);
    println!("merged {:.2}, mean of shards {mean:.2}", whole.score.score);
}
