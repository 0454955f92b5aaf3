//! Tests of the laws of the metric contract, for every metric of samples chosen by name.

use bleuprint_registry::laws;
use bleuprint_registry::{AnyMetric, Registry};
use bleuprint_samples::{
    BestOfSamples, ENTRIES, End, FixedSamples, Majority, Prompt, PromptNumber, Sample, Samples, Ties,
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

/// Returns a prompt of five samples, some of them missing.
fn some(raw: &[u8]) -> Prompt {
    let sample = |place: usize| match byte(raw, place) % 4 {
        0 => Sample::Missing,
        1 => Sample::Number(0.25),
        other => Sample::Verdict(other == 3),
    };
    Prompt::Samples((0..5).map(sample).collect())
}

fn values(raw: &[u8]) -> Prompt {
    let values: Vec<f64> = (0..4).map(|place| f64::from(byte(raw, place) % 7) / 6.0).collect();
    Prompt::from(&values[..])
}

fn answers(raw: &[u8]) -> (Prompt, Vec<Sample>, Option<Sample>) {
    let answer = |place: usize| match byte(raw, place) % 4 {
        0 => Sample::Missing,
        answer => Sample::Number(f64::from(answer)),
    };
    let gold =
        (0..1 + byte(raw, 4) % 2).map(|place| Sample::Text((1 + (place + byte(raw, 5)) % 3).to_string()));
    (Prompt::Samples((0..4).map(answer).collect()), gold.collect(), None)
}

fn check(name: &str, make: fn(&[u8]) -> Prompt) {
    laws::check_any_for(&built(name), |raw| (make(raw), Vec::<Sample>::new(), None::<Sample>));
}

#[test]
fn counts_of_samples_obey_the_laws() {
    for name in ["samples", "pass:k=2", "pass:k=1/3", "passhat:k=2", "gpass:k=3,t=0.75", "mgpass:k=3", "avg"]
    {
        check(name, counts);
    }
    for name in ["pass:n=6", "passhat:k=1/6,n=6", "gpass:k=2,n=6", "mgpass:k=2,n=6"] {
        check(name, six);
    }
}

#[test]
fn verdicts_obey_the_laws() {
    check("pass:right=0.25,missing=skip", some);
    check("pass:right=0.25,missing=worst", some);
    check("best:missing=skip", some);
    check("best:missing=skip,keep=values", some);
}

#[test]
fn best_and_worst_obey_the_laws() {
    for options in [
        ":k=2",
        ":k=1/3",
        ":k=2,scale=0..1",
        ":k=3,scale=0..1,better=lower",
        ":producer=program 1",
        ":k=2,keep=values",
    ] {
        check(&format!("best{options}"), values);
        check(&format!("worst{options}"), values);
    }
}

#[test]
fn votes_obey_the_laws() {
    for name in ["maj", "maj:k=3", "maj:k=1/4,ties=share"] {
        laws::check_any_for(&built(name), answers);
    }
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
