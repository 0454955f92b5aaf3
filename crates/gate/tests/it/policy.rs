//! Tests of policies: accepted forms, and errors with file, line and the nearest name.

use bleuprint_gate::{OnInconclusive, OnMissingBaseline, Policy, ResampleUnit, RuleCheck};

const WHOLE: &str = include_str!("../data/whole.toml");

fn parse(text: &str) -> Result<Policy, String> {
    Policy::parse("gate.toml", text, &bleuprint_metrics::registry()).map_err(|error| error.to_string())
}

#[test]
fn a_whole_policy_is_read() {
    let policy = parse(WHOLE).unwrap();
    assert_eq!(
        (policy.on_inconclusive, policy.on_missing_baseline),
        (OnInconclusive::Fail, OnMissingBaseline::Record)
    );
    let document = Some(ResampleUnit::Label("document".to_owned()));
    assert_eq!((policy.resamples, policy.seed, policy.unit.clone()), (2000, 7, document));
    assert_eq!((policy.confidence, policy.power), (0.99, 0.9));
    let [worst, length, release] = &policy.rules[..] else { panic!("{:?}", policy.rules) };
    assert_eq!((worst.metric.as_str(), worst.min_segments), ("bleu:max-order=2,tokenize=zh", 100));
    assert_eq!(worst.check, RuleCheck::Drop { allowed: 2.0 });
    assert!(matches!(&length.check, RuleCheck::Limits(limits) if limits.part.as_deref() == Some("ratio")));
    assert_eq!(policy.baseline_of(length), None);
    assert_eq!((release.name.as_str(), policy.baseline_of(release)), ("chrf++", Some("eval/release.stats")));
    assert_eq!(policy.sha256.len(), 64);
}

/// Checks that a comma within a text is kept, whereas between numbers it separates items.
#[test]
fn values_of_options_stay_what_they_are() {
    let rule =
        |option: &str| format!("format = \"bleuprint-gate/1\"\n[[rule]]\nmetric = \"{option}\nmin = 0\n");
    for (option, metric) in [
        ("bleu\"\nweights = \"0.5,0.5\"", "bleu:weights=0.5/0.5"),
        ("bleu\"\nweights = [0.5, 0.5]", "bleu:weights=0.5/0.5"),
        ("given:name=x\"\nproducer = \"a,b|50%\"", "given:name=x,producer=a%2Cb|50%25"),
    ] {
        assert_eq!(parse(&rule(option)).unwrap().metrics(), [metric]);
    }
}

#[test]
fn what_is_wrong_is_named_with_its_line() {
    for row in include_str!("../data/faults.jsonl").lines() {
        let case: serde_json::Value = serde_json::from_str(row).unwrap();
        let [from, to, words] = ["from", "to", "error"].map(|key| case[key].as_str().unwrap());
        let message = parse(&WHOLE.replacen(from, to, 1)).unwrap_err();
        assert!(message.starts_with("gate.toml: line ") && message.contains(words), "{row}: {message}");
    }
    assert!(parse("format = \"bleuprint-gate/1\"").unwrap_err().contains("no [[rule]]"));
    assert!(parse("").unwrap_err().contains("`format = \"bleuprint-gate/1\"` is missing"));
    let drop = "format = \"bleuprint-gate/1\"\n[[rule]]\nmetric = \"bleu\"\nmax-drop = 1";
    assert!(parse(drop).unwrap_err().contains("`max-drop` needs a baseline"));
}
