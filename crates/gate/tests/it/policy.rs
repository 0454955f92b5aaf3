//! Policies: accepted forms, and errors with file, line and the nearest name.

use bleuprint_gate::{Check, OnInconclusive, OnMissingBaseline, Policy, Unit};

const WHOLE: &str = r#"
format = "bleuprint-gate/1"
baseline = "eval/main.stats"
[on]
inconclusive = "fail"
missing-baseline = "record"
[test]
method = "paired-bootstrap"
resamples = 2000
seed = 7
confidence = 0.99
power = 0.9
unit = "document"
[[rule]]
name = "worst domain"
metric = "bleu"
by = "domain"
max-drop = 2
min-segments = 100
tokenize = "zh"
max-order = 2
[[rule]]
name = "length"
metric = "bleu"
part = "ratio"
min = 0.9
max = 1.1
[[rule]]
metric = "chrf++"
against = "eval/release.stats"
max-drop = 1.0
"#;

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
    assert_eq!((policy.resamples, policy.seed, policy.unit), (2000, 7, Some(Unit::Document)));
    assert_eq!((policy.confidence, policy.power), (0.99, 0.9));
    let [worst, length, release] = &policy.rules[..] else { panic!("{:?}", policy.rules) };
    assert_eq!((worst.metric.as_str(), worst.min_segments), ("bleu:max-order=2,tokenize=zh", 100));
    assert_eq!(worst.check, Check::Drop { allowed: 2.0 });
    assert!(matches!(&length.check, Check::Limits(limits) if limits.part.as_deref() == Some("ratio")));
    assert_eq!(policy.baseline_of(length), None);
    assert_eq!((release.name.as_str(), policy.baseline_of(release)), ("chrf++", Some("eval/release.stats")));
    assert_eq!(policy.sha256.len(), 64);
}

/// A comma within a text belongs to it; between numbers it makes a list.
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
    let replaced = |from: &str, to: &str| parse(&WHOLE.replacen(from, to, 1)).unwrap_err();
    for (from, to, words) in [
        (
            "confidence = 0.99",
            "confidnce = 0.99",
            "gate.toml: line 11: [test] has no `confidnce`; did you mean `confidence`?",
        ),
        (
            "confidence = 0.99",
            "confidence = 1",
            "line 11: [test] `confidence` is `1`, but must be at least 0.5 and below 1",
        ),
        ("confidence = 0.99", "confidence = nan", "but must be at least 0.5"),
        ("seed = 7", "seed = -7", "line 10: [test] `seed` is `-7`, but must be a whole number from 0"),
        (
            "resamples = 2000",
            "resamples = \"many\"",
            "`resamples` is `many`, but must be a whole number from 100 to 1000000",
        ),
        (
            "\"fail\"",
            "\"fial\"",
            "line 5: [on] `inconclusive` is `fial`; expected one of: report, pass, fail",
        ),
        ("paired-bootstrap", "t-test", "expected one of: paired-bootstrap, paired-randomization"),
        ("gate/1", "gate/2", "the format is `bleuprint-gate/2`, but this program reads bleuprint-gate/1"),
        ("baseline =", "basline =", "the policy has no `basline`; did you mean `baseline`?"),
        ("metric = \"bleu\"", "metric = \"belu\"", "line 16: unknown metric `belu`"),
        (
            "max-order = 2",
            "max-ordre = 2",
            "line 21: rule `worst domain` has no `max-ordre`; did you mean `max-order`?",
        ),
        ("max-order = 2", "max-order = 0", "max-order is 0, but must be from 1"),
        (
            "max-drop = 2",
            "max-drop = -2",
            "line 18: rule `worst domain` `max-drop` is `-2`, but must be a number of points, 0 or more",
        ),
        ("max-drop = 2", "min = 2\nmax = 1", "`min` 2 exceeds `max` 1"),
        ("max-drop = 2", "compare = \"number\"", "nothing is demanded"),
        ("max-drop = 2", "max-drop = 2\nmin = 1", "`max-drop` stands alone"),
        ("by = \"domain\"\n", "", "`min-segments` has no effect without `by`"),
        ("part = \"ratio\"", "part = \"ratio\"\ncompare = \"confident\"", "a part is compared as a number"),
        ("name = \"length\"", "name = \"worst domain\"", "two rules are called `worst domain`"),
        ("[on]", "[on", "line 4"),
        ("[on]\ninconclusive = \"fail\"\nmissing-baseline = \"record\"", "on = 3", "`on` must be a table"),
    ] {
        let message = replaced(from, to);
        assert!(message.starts_with("gate.toml: line "), "{message}");
        assert!(message.contains(words), "{from} -> {to}: {message}");
    }
    assert!(parse("format = \"bleuprint-gate/1\"").unwrap_err().contains("no [[rule]]"));
    assert!(parse("").unwrap_err().contains("`format = \"bleuprint-gate/1\"` is missing"));
    let drop = "format = \"bleuprint-gate/1\"\n[[rule]]\nmetric = \"bleu\"\nmax-drop = 1";
    assert!(parse(drop).unwrap_err().contains("`max-drop` needs a baseline"));
}
