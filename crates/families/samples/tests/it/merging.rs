//! Tests that one state serves every order, every cut, every final number and every k.

use bleuprint_core::{Accumulator, Metric as _, State, Stats as _};
use bleuprint_registry::{AnyMetric, Data, Registry};
use bleuprint_samples::{BestOfSamples, ENTRIES, End, Prompt, Samples};
use bleuprint_testkit::random::Rng;

fn drawn(rng: &mut Rng, prompts: usize) -> Vec<(u32, u32)> {
    let prompt = |rng: &mut Rng| {
        let n = rng.between(16, 32);
        (n as u32, rng.below(n + 1) as u32)
    };
    (0..prompts).map(|_| prompt(rng)).collect()
}

#[test]
fn shuffles_and_cuts_give_one_state_byte_for_byte() {
    let mut rng = Rng::new(1);
    let mut prompts = drawn(&mut rng, 300);
    let metric = Samples::default();
    let best = BestOfSamples::new(End::Best, &[1.0, 2.0]).unwrap();
    let mut seen = Vec::new();
    for _ in 0..10 {
        for last in (1..prompts.len()).rev() {
            prompts.swap(last, rng.below(last + 1));
        }
        let (mut whole, mut values) = (State::zero(&metric), State::zero(&best));
        let mut rest = &prompts[..];
        while !rest.is_empty() {
            let (shard, others) = rest.split_at((1 + rng.below(90)).min(rest.len()));
            let (mut counts, mut bests) =
                (Accumulator::<_, Prompt>::new(&metric), Accumulator::<_, Prompt>::new(&best));
            for &(n, c) in shard {
                counts.push(&Prompt::Counts { n, c }, &[]).unwrap();
                bests.push(&Prompt::from([f64::from(n) / 7.0, f64::from(c) / 3.0]), &[]).unwrap();
            }
            whole.merge(counts.total()).unwrap();
            values.merge(bests.total()).unwrap();
            rest = others;
        }
        seen.push((serde_json::to_string(&whole).unwrap(), serde_json::to_string(&values).unwrap()));
    }
    assert!(seen.iter().all(|state| *state == seen[0]));
}

#[test]
fn states_of_unlike_k_and_finishers_merge() {
    let registry = Registry::from_entries(ENTRIES).unwrap();
    let metrics: Vec<AnyMetric> =
        ["pass", "pass:k=1/10", "passhat:k=4", "gpass:k=3,t=0.75", "mgpass:k=6", "avg"]
            .map(|name| registry.build(name).unwrap())
            .into();
    let mut all = State::zero(&metrics[0]);
    for metric in &metrics {
        let mut one = Accumulator::<_, Data>::new(metric);
        one.push(&Prompt::Counts { n: 20, c: 7 }, &[]).unwrap();
        all.merge(one.total()).unwrap();
    }
    assert_eq!(all.counts().segments, 6);
    for metric in &metrics {
        let mut alone = Accumulator::<_, Data>::new(metric);
        alone.push(&Prompt::Counts { n: 20, c: 7 }, &[]).unwrap();
        let (merged, one) = (all.score(metric).unwrap(), alone.score().unwrap());
        assert_eq!(merged.value(), one.value(), "{}", metric.signature());
    }
    let fixed = registry.build("pass:n=20").unwrap();
    let error = all.merge(&State::zero(&fixed)).unwrap_err().to_string();
    assert!(error.contains("they differ in n"), "{error}");
}

#[test]
fn a_row_of_counts_scores_as_the_map_does_and_subtracts() {
    let registry = Registry::from_entries(ENTRIES).unwrap();
    for name in ["pass:k=1/5", "passhat:k=2", "gpass:k=4,t=0.5", "mgpass:k=4", "avg"] {
        let map = registry.build(name).unwrap();
        let row = registry.build(&format!("{name}{}n=12", if name == "avg" { ":" } else { "," })).unwrap();
        let (mut maps, mut rows) = (Accumulator::<_, Data>::new(&map), Accumulator::<_, Data>::new(&row));
        let mut last = None;
        for c in [0, 3, 3, 12, 7] {
            maps.push(&Prompt::Counts { n: 12, c }, &[]).unwrap();
            last = Some(rows.push(&Prompt::Counts { n: 12, c }, &[]).unwrap());
        }
        assert_eq!(maps.score().unwrap().score.headlines, rows.score().unwrap().score.headlines, "{name}");
        assert!(rows.total().stats().is_row() && !maps.total().stats().is_row());
        let mut rest = rows.total().clone();
        rest.retract(&row, &last.unwrap()).unwrap();
        assert_eq!(rest.counts().segments, 4);
    }
}
