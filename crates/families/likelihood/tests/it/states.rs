//! States of unlike configurations, of typed metrics, and of any order and cut.

use bleuprint_core::{Accumulator, Metric as _, State};
use bleuprint_likelihood::{ENTRIES, Likelihood, LikelihoodScore, LikelihoodUnit, Likelihoods};
use bleuprint_registry::laws;
use bleuprint_registry::{AnyMetric, Registry};
use bleuprint_testkit::random::Rng;

use crate::{tokens, whole};

fn built(name: &str) -> AnyMetric {
    let registry = Registry::from_entries(ENTRIES).unwrap();
    registry.build(name).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn byte(raw: &[u8], place: usize) -> u8 {
    raw.get(place).copied().unwrap_or_default()
}

fn segment(raw: &[u8]) -> Likelihood {
    let text = ["a", "a b", "größe\n", " "][usize::from(byte(raw, 1) % 4)];
    whole(-f64::from(byte(raw, 0) % 5) / 3.0, text, 1 + u64::from(byte(raw, 2) % 3))
}

#[test]
fn the_typed_metric_obeys_the_laws() {
    let typed = Likelihoods::new(LikelihoodScore::Bits, LikelihoodUnit::Byte);
    laws::check_sequences::<Likelihood>(&typed, segment);
    assert_eq!(typed.state_key(), built("nll:per=byte").state_key());
}

#[test]
fn unlike_units_do_not_merge_and_a_mean_never_does() {
    let plain = built("perplexity");
    for (name, field) in [
        ("nll:per=byte", "per"),
        ("nll:base=2", "base"),
        ("nll:words=split", "words"),
        ("nll:producer=a", "producer"),
        ("nll:positive=allow", "positive"),
        ("nll:missing=skip", "missing"),
    ] {
        let error = State::zero(&plain).merge(&State::zero(&built(name))).unwrap_err().to_string();
        assert!(error.contains(&format!("they differ in {field}")), "{name}: {error}");
    }
    assert!(State::zero(&plain).merge(&State::zero(&built("bits"))).is_ok());
    assert!(State::zero(&plain).merge(&State::zero(&built("mean_perplexity"))).is_err());
}

#[test]
fn shuffles_and_cuts_give_one_state_byte_for_byte() {
    let (metric, mut rng) =
        (Likelihoods::new(LikelihoodScore::Perplexity, LikelihoodUnit::Token), Rng::new(2));
    let mut texts: Vec<Likelihood> = (0..400)
        .map(|_| {
            let logliks: Vec<f64> =
                (0..rng.between(1, 9)).map(|_| -(rng.below(1 << 20) as f64) / 99_991.0).collect();
            tokens(&logliks)
        })
        .collect();
    let mut seen = Vec::new();
    for _ in 0..10 {
        for last in (1..texts.len()).rev() {
            texts.swap(last, rng.below(last + 1));
        }
        let (mut whole, mut rest) = (State::zero(&metric), &texts[..]);
        while !rest.is_empty() {
            let (shard, others) = rest.split_at((1 + rng.below(90)).min(rest.len()));
            let mut one = Accumulator::<_, Likelihood>::new(&metric);
            shard.iter().for_each(|text| drop(one.push(text, &[]).unwrap()));
            whole.merge(one.total()).unwrap();
            rest = others;
        }
        seen.push(serde_json::to_string(&whole).unwrap());
    }
    assert!(seen.iter().all(|state| *state == seen[0]));
}
