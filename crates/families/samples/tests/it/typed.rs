//! Typed metrics: the laws, and keys of their own for every configuration.

use bleuprint_registry::laws;
use bleuprint_registry::{AnyMetric, Registry};
use bleuprint_samples::{
    BestOfSamples, ENTRIES, End, FixedSamples, Majority, Prompt, PromptNumber, Samples, Ties,
};

fn built(name: &str) -> AnyMetric {
    let registry = Registry::from_entries(ENTRIES).unwrap();
    registry.build(name).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn byte(raw: &[u8], place: usize) -> u8 {
    raw.get(place).copied().unwrap_or_default()
}

/// Returns a prompt with the counts of 3 to 6 samples.
fn counts(raw: &[u8]) -> Prompt {
    let n = 3 + u32::from(byte(raw, 0) % 4);
    Prompt::Counts { n, c: u32::from(byte(raw, 1)) % (n + 1) }
}

fn six(raw: &[u8]) -> Prompt {
    Prompt::Counts { n: 6, c: u32::from(byte(raw, 0) % 7) }
}

fn values(raw: &[u8]) -> Prompt {
    let values: Vec<f64> = (0..4).map(|place| f64::from(byte(raw, place) % 7) / 6.0).collect();
    Prompt::from(&values[..])
}

#[test]
fn configurations_have_keys_and_signatures_of_their_own() {
    let samples = [
        "pass:k=1/2",
        "passhat",
        "gpass:k=2",
        "gpass:k=2,t=0.75",
        "mgpass:k=2",
        "avg",
        "pass:n=6",
        "pass:k=2,n=6",
        "pass:missing=skip",
        "pass:missing=worst",
        "pass:right=0.5",
    ];
    let values = [
        "best",
        "best:k=2",
        "best:better=lower",
        "best:scale=0..1",
        "best:producer=a",
        "best:missing=skip",
        "best:keep=values",
    ];
    let keys = |names: &[&str]| {
        let mut keys: Vec<String> = names
            .iter()
            .map(|name| built(name))
            .map(|metric| bleuprint_core::Metric::signature(&metric).to_string())
            .collect();
        keys.sort();
        keys.dedup();
        keys.len()
    };
    assert_eq!((keys(&samples), keys(&values)), (samples.len(), values.len()));
}

#[test]
fn typed_metrics_obey_the_laws() {
    let samples = Samples::new(PromptNumber::Pass, Some(&[2.0]), None).unwrap();
    laws::check_sequences::<Prompt>(&samples, counts);
    laws::check_sequences::<Prompt>(&FixedSamples::new(samples, 6).unwrap(), six);
    laws::check_sequences::<Prompt>(&BestOfSamples::new(End::Worst, &[2.0]).unwrap(), values);
    let typed = bleuprint_core::Metric::state_key(&Majority::new(&[1.0], Ties::First).unwrap());
    assert_eq!(typed, bleuprint_core::Metric::state_key(&built("maj")));
}
