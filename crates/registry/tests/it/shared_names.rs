//! A name that metrics of two families have: each has its family in front of it, and files keep their meaning.

use bleuprint_core::{
    Accumulator, Case, ConfigError, Identity, Metric as _, PerSegment, Scale, Segment, State, StateBytes,
    TokenSpace,
};
use bleuprint_registry::{AnyMetric, MetricEntry, Opt, Registry};

const BINS: Opt<f64> = Opt::number("ece-bins", 10.0).above(0).counted("bins", "b");

fn build(value: f64, bins: f64) -> Result<AnyMetric, ConfigError> {
    let identity = Identity::new("ece", 1, Scale::UNBOUNDED).named("ECE").option(BINS, bins);
    AnyMetric::for_ids(PerSegment::new(identity, move |_: Segment<'_, [u32]>| Ok(value)))
}

const FIRST: MetricEntry =
    MetricEntry::new("ece", "The first", |_| build(1.0, 10.0)).aliases(&["calibration"]);
const SECOND: MetricEntry =
    MetricEntry::new("ece", "The second", |options| build(2.0, BINS.value_in(options)?))
        .options(&[BINS.spec])
        .aliases(&["calibration"]);

fn both() -> Registry {
    let mut registry = Registry::default();
    registry.add_of_family(&FIRST, "recognition", |_| None).unwrap();
    registry.add_of_family(&SECOND, "mine", |_| Some("recognition")).unwrap();
    registry
}

fn scored(metric: &AnyMetric) -> (f64, String, String) {
    let mut all = Accumulator::<_, [u32]>::new(metric);
    all.push(&[1], &[&[1]]).unwrap();
    let scored = all.score().unwrap();
    (scored.score.value, scored.score.name.clone(), scored.signature.to_string())
}

#[test]
fn each_has_its_family_in_front() {
    let registry = both();
    for name in ["ece", "ECE", "ece:bins=5"] {
        let error = registry.parse(name).unwrap_err().to_string();
        assert_eq!(error, "two families have a metric `ece`: write `recognition/ece` or `mine/ece`");
    }
    let first = registry.build("recognition/ece").unwrap();
    assert_eq!(first.state_key().to_string(), "ece/1|bins:10|case:mixed|tok:unspecified");
    let second = registry.build("mine/ece:bins=5").unwrap();
    assert_eq!(second.state_key().to_string(), "mine/ece/1|bins:5|case:mixed|tok:unspecified");
    assert_eq!((scored(&first).0, scored(&second).0), (1.0, 2.0));
    let (_, name, signature) = scored(&second);
    assert_eq!(name, "mine/ECE");
    assert!(signature.starts_with("mine/ECE|"), "{signature}");
    // Files and further names mean the first.
    assert_eq!(registry.parse_stored("ece").unwrap().metric, "ece");
    assert_eq!(registry.parse("calibration").unwrap().metric, "ece");
}

#[test]
fn states_of_the_two_do_not_merge_and_are_found() {
    let registry = both();
    let [first, second] = ["recognition/ece", "mine/ece"].map(|name| registry.build(name).unwrap());
    for metric in [&first, &second] {
        let named = metric.clone().over(TokenSpace::new("v3", Case::Mixed).unwrap());
        for metric in [metric, &named] {
            let mut state = State::zero(metric);
            let mut scratch = Default::default();
            state.observe::<_, [u32], [u32], [u32]>(metric, &mut scratch, Segment::new(&[1], &[])).unwrap();
            let bytes = StateBytes::new(&state).unwrap();
            let (found, again) = registry.open(&bytes).unwrap();
            assert_eq!((found.state_key(), &again), (metric.state_key(), &state));
            assert!(again.score(metric).is_ok());
            let other = if metric.identity().metric() == "ece" { &second } else { &first };
            let error = bytes.open(other).unwrap_err().to_string();
            assert!(error.contains("is asked for") && error.contains("`mine/ece`"), "{error}");
            assert!(state.score(other).is_err());
        }
    }
}

#[test]
fn a_name_that_a_family_has_twice_is_an_error() {
    let mut registry = Registry::default();
    registry.add_of_family(&FIRST, "mine", |_| None).unwrap();
    assert!(registry.add_of_family(&SECOND, "mine", |_| None).is_err());
}
