//! Values that JSON does not have, long lists, and settings of typed metrics.

use bleuprint_core::{Accumulator, Metric, Observe, Scale, State};
use bleuprint_samples::{
    BestOfSamples, CountedSamples, End, MissingVerdict, Prompt, PromptNumber, Sample, Samples,
};

fn error_of<M: Observe<Prompt> + Clone>(metric: &M, prompt: &Prompt) -> String
where
    M::Stats: PartialEq + core::fmt::Debug,
{
    let mut accumulator = Accumulator::<_, Prompt>::new(metric.clone());
    let error = accumulator.push(prompt, &[]).unwrap_err().to_string();
    assert_eq!(accumulator.total(), &State::zero(metric));
    error
}

#[test]
fn nan_infinities_and_long_lists_change_nothing() {
    let best = BestOfSamples::new(End::Best, &[2.0]).unwrap();
    for (values, message) in [
        (&[0.5, f64::NAN][..], "a sample has no value here; missing=skip"),
        (&[0.5, f64::INFINITY], "the value of a sample is inf, but must be finite"),
        (&[0.0; 10_001], "10001, but must be from 1 to 10000"),
    ] {
        let error = error_of(&best, &Prompt::from(values));
        assert!(error.contains(message), "{error}");
    }
    let error = error_of(&Samples::default(), &Prompt::Samples(vec![Sample::Number(f64::NAN)]));
    assert!(error.contains("sample 1 is NaN"), "{error}");
    let worst = best.scale(Scale::lower_is_better(0.0, 9.0)).unwrap().missing(MissingVerdict::Worst).unwrap();
    assert_eq!(worst.value(&[f64::NAN, 2.0], 2).unwrap(), 2.0);
    assert_eq!(worst.value(&[f64::NAN, 2.0], 1).unwrap(), 5.5);
}

#[test]
fn records_with_a_field_twice_are_refused() {
    let error = serde_json::from_str::<Prompt>(r#"{"n": 4, "n": 4, "c": 1}"#).unwrap_err().to_string();
    assert!(error.contains("the field `n` occurs twice"), "{error}");
}

#[test]
fn values_of_counts_end_where_the_metrics_end() {
    let few = Samples::default().value(CountedSamples { n: 2, right: 0 }, 4).unwrap_err().to_string();
    assert!(few.contains("k is 4"), "{few}");
    let many = CountedSamples { n: 1_000_000, right: 999_999 };
    let of = |finish, threshold: Option<&str>| {
        let threshold = threshold.map(|text| text.parse().unwrap());
        Samples::new(finish, Some(&[2.0]), threshold).unwrap().value(many, 2)
    };
    assert_eq!(of(PromptNumber::Pass, None).unwrap(), 1.0);
    assert!((of(PromptNumber::PassHat, None).unwrap() - 0.999_998).abs() < 1e-12);
    for error in [of(PromptNumber::GPass, Some("0.5")), of(PromptNumber::MeanGPass, None)] {
        let error = error.unwrap_err().to_string();
        assert!(error.contains("the number of samples is 1000000, but must be at most 10000"), "{error}");
    }
}

#[test]
fn settings_that_contradict_each_other_are_refused() {
    assert!(BestOfSamples::new(End::Best, &[1.0]).unwrap().missing(MissingVerdict::Worst).is_err());
    assert!(BestOfSamples::new(End::Best, &[1.0]).unwrap().scale(Scale { min: 1.0, ..Scale::UNIT }).is_err());
    assert_eq!(Samples::default().scale(), Scale::UNIT);
}
