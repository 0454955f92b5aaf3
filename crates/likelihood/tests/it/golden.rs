//! Units and numbers of lm_eval for texts of our own (`data/README.md`).

use bleuprint_core::Accumulator;
use bleuprint_likelihood::{Finish, Likelihood, Likelihoods, Loglik, Per};
use serde_json::Value;

#[test]
fn texts_have_the_units_and_numbers_of_lm_eval() {
    for line in include_str!("../../data/golden.jsonl").lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let list = |name: &str| row[name].as_array().unwrap().iter();
        let segments = list("logliks").zip(list("texts")).map(|(loglik, text)| Likelihood {
            loglik: Loglik::Sum(loglik.as_f64().unwrap()),
            text: text.as_str().map(str::to_owned),
            ..Likelihood::default()
        });
        let segments: Vec<Likelihood> = segments.collect();
        for (name, per) in [("bytes", Per::Byte), ("words", Per::Word)] {
            for (segment, units) in segments.iter().zip(list(name)) {
                let mut one = Accumulator::<_, Likelihood>::new(Likelihoods::new(Finish::Nll, per));
                one.push(segment, &[]).unwrap();
                assert_eq!(Some(one.total().stats().units), units.as_u64(), "{segment:?}");
            }
        }
        for (name, finish) in [("perplexity", Finish::Perplexity), ("bits", Finish::Bits)] {
            let mut all = Accumulator::<_, Likelihood>::new(Likelihoods::new(finish, Per::Byte));
            segments.iter().for_each(|segment| drop(all.push(segment, &[]).unwrap()));
            let (ours, theirs) = (all.score().unwrap().value(), row[name].as_f64().unwrap());
            assert!((ours - theirs).abs() <= 1e-13 * theirs, "{row}: {ours}");
        }
    }
}
