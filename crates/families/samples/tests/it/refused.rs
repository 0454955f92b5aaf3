//! Tests of rejected data and options, with their messages.

use bleuprint_core::{Accumulator, Metric, Observe, Scale, State};
use bleuprint_registry::Registry;
use bleuprint_samples::{
    BestOfSamples, CountedSamples, ENTRIES, End, FixedSamples, KeptBest, Majority, MissingVerdict, Prompt,
    PromptNumber, Sample, Samples, Ties,
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

fn counts(n: u32, c: u32) -> Prompt {
    Prompt::Counts { n, c }
}

#[test]
fn wrong_counts_change_nothing() {
    let samples = Samples::default();
    for (n, c, message) in [
        (4, 5, "the number c of right samples is 5, but must be at most n = 4"),
        (0, 0, "the number n of samples is 0, but must be from 1 to 1000000"),
        (1_000_001, 0, "the number n of samples is 1000001, but must be from 1 to 1000000"),
    ] {
        let error = error_of(&samples, &counts(n, c));
        assert!(error.contains(message), "{n} {c}: {error}");
    }
    let fixed = FixedSamples::new(samples, 4).unwrap();
    let error = error_of(&fixed, &counts(5, 1));
    assert!(error.contains("the number n of samples is 5, but must be 4, as set by the option n"), "{error}");
}

#[test]
fn wrong_records_are_refused() {
    for (record, message) in [
        (r#"{"n": 4, "c": 1.5}"#, "invalid type: floating point `1.5`"),
        (r#"{"n": -4, "c": 1}"#, "invalid value: integer `-4`"),
        (r#"{"n": 4, "c": null}"#, "invalid type: null"),
        (r#"{"n": 4}"#, "missing field `c`"),
        (r#"{"n": 4, "c": 1, "C": 1}"#, "unknown field `C`, expected `n` or `c`"),
        (r#"{"n": 4, "n": 4, "c": 1}"#, "the field `n` occurs twice"),
        ("[[true]]", "a verdict, a number, an answer or null"),
        ("7", "a list of samples, or their numbers n and c"),
    ] {
        let error = serde_json::from_str::<Prompt>(record).unwrap_err().to_string();
        assert!(error.contains(message), "{record}: {error}");
    }
}

#[test]
fn k_above_n_names_the_prompts_and_the_other_numbers_remain() {
    let mut prompts =
        Accumulator::<_, Prompt>::new(Samples::new(PromptNumber::Pass, Some(&[4.0]), None).unwrap());
    for n in [2, 3, 8] {
        prompts.push(&counts(n, 0), &[]).unwrap();
    }
    let error = prompts.score().unwrap_err().to_string();
    assert!(error.contains("k is 4, but 2 prompts have fewer samples, the least 2 samples"), "{error}");
    let total = State::from(prompts);
    let of =
        |finish, ks: Option<&[f64]>| total.score(&Samples::new(finish, ks, None).unwrap()).unwrap().value();
    assert_eq!((of(PromptNumber::Pass, Some(&[2.0])), of(PromptNumber::Avg, None)), (0.0, 0.0));
    assert!(
        Samples::default()
            .value(CountedSamples { n: 2, right: 0 }, 4)
            .unwrap_err()
            .to_string()
            .contains("k is 4")
    );
}

#[test]
fn a_million_samples_pass_and_whole_numbers_end_at_ten_thousand() {
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
fn missing_samples_are_refused_left_out_or_wrong() {
    let prompt = Prompt::Samples(vec![Sample::Verdict(true), Sample::Missing, Sample::Number(0.0)]);
    let of = |missing| {
        let mut samples = Accumulator::<_, Prompt>::new(Samples::default().missing(missing));
        samples.push(&prompt, &[]).map(|_| samples.score().unwrap().value())
    };
    assert!(
        of(MissingVerdict::Error).unwrap_err().to_string().contains("sample 2 has no verdict; missing=skip")
    );
    assert_eq!(
        (of(MissingVerdict::Skip).unwrap(), of(MissingVerdict::Worst).unwrap()),
        (0.5, 1.0 - (1.0 - 1.0 / 3.0))
    );
    let mut left_out = Accumulator::<_, Prompt>::new(Samples::default().missing(MissingVerdict::Skip));
    left_out.push(&Prompt::Samples(vec![Sample::Missing]), &[]).unwrap();
    assert!(left_out.score().unwrap_err().to_string().contains("there is no prompt"));
    assert!(
        left_out
            .push(&Prompt::Samples(Vec::new()), &[])
            .unwrap_err()
            .to_string()
            .contains("n of samples is 0")
    );
    for (sample, message) in [
        (Sample::Number(0.5), "sample 1 is 0.5, but must be 0 or 1; right=0.5"),
        (Sample::Number(f64::NAN), "sample 1 is NaN"),
        (Sample::Text("yes".to_owned()), "sample 1 is `yes`"),
    ] {
        let mut samples = Accumulator::<_, Prompt>::new(Samples::default());
        let error = samples.push(&Prompt::Samples(vec![sample]), &[]).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn wrong_values_change_nothing() {
    let best = BestOfSamples::new(End::Best, &[2.0]).unwrap();
    for (values, message) in [
        (&[0.5][..], "the number of samples of a prompt is 1, but must be at least k = 2"),
        (&[], "is 0, but must be from 1 to 10000"),
        (&[0.5, f64::NAN], "a sample has no value here; missing=skip"),
        (&[0.5, f64::INFINITY], "the value of a sample is inf, but must be finite"),
        (&[0.5, 1e300], "1e300, but must be finite and below 2^63"),
    ] {
        let error = error_of(&best, &Prompt::from(values));
        assert!(error.contains(message), "{values:?}: {error}");
    }
    // A state that keeps the values refuses them when they come, and not when it is finished.
    let error = error_of(&KeptBest::new(best.clone()), &Prompt::from([0.5, 1e300]));
    assert!(error.contains("1e300, but must be finite and below 2^63"), "{error}");
    let error = error_of(&best.clone().scale(Scale::UNIT).unwrap(), &Prompt::from([0.5, 1.5]));
    assert!(error.contains("the value of a sample is 1.5, but must be finite and from 0 to 1"), "{error}");
    let error = error_of(&best, &Prompt::from(&[0.0; 10_001][..]));
    assert!(error.contains("10001, but must be from 1 to 10000"), "{error}");
    let worst = best.scale(Scale::lower_is_better(0.0, 9.0)).unwrap().missing(MissingVerdict::Worst).unwrap();
    assert_eq!(worst.value(&[f64::NAN, 2.0], 2).unwrap(), 2.0);
    assert_eq!(worst.value(&[f64::NAN, 2.0], 1).unwrap(), 5.5);
    let mut answers = Accumulator::<_, Prompt>::new(worst);
    let error =
        answers.push(&Prompt::Samples(vec![Sample::Text("a".to_owned())]), &[]).unwrap_err().to_string();
    assert!(error.contains("a sample is the answer `a`, but a number is expected"), "{error}");
}

#[test]
fn votes_need_answers_and_gold() {
    let mut votes = Accumulator::<_, Prompt, Sample>::new(Majority::new(&[2.0], Ties::Share).unwrap());
    let gold = Sample::Text("b".to_owned());
    let answers = |answers: &[Sample]| Prompt::Samples(answers.to_vec());
    let error = votes.push(&Prompt::Counts { n: 2, c: 1 }, &[&gold]).unwrap_err().to_string();
    assert!(error.contains("maj needs the answers"), "{error}");
    let error = votes.push(&answers(core::slice::from_ref(&gold)), &[&gold]).unwrap_err().to_string();
    assert!(error.contains("is 1, but must be from k = 2"), "{error}");
    assert!(votes.push(&answers(&[gold.clone(), gold.clone()]), &[]).is_err());
    votes.push(&answers(&[gold.clone(), Sample::Text("a".to_owned())]), &[&gold]).unwrap();
    votes.push(&answers(&[Sample::Missing, Sample::Missing, gold.clone()]), &[&gold]).unwrap();
    assert_eq!(votes.score().unwrap().value(), 0.25);
}

#[test]
fn wrong_options_are_refused() {
    let registry = Registry::from_entries(ENTRIES).unwrap();
    for (text, message) in [
        ("pass:k=0", "k is [0.0], but must be whole numbers from 1 to 10000, in ascending order"),
        ("pass:k=1.5", "k is [1.5]"),
        ("pass:k=4/1", "k is [4.0, 1.0]"),
        ("pass:k=2/2", "k is [2.0, 2.0]"),
        ("pass:k=NaN", "k is [NaN]"),
        ("pass:k=10,n=4", "n is 4, but must be from k = 10 to 10000"),
        ("pass:n=0", "n is 0, but must be from 1 to 10000"),
        ("pass:n=10001", "n is 10001, but must be from 1 to 10000"),
        ("pass:t=0.5", "t is an option of gpass only"),
        ("samples:of=gpass", "gpass needs the share of right samples: t=0.5"),
        ("gpass:t=1.5", "t is `1.5`, but must be a decimal number from 0 to 1"),
        ("avg:k=2", "avg uses all samples of a prompt, so it takes no k"),
        ("pass:missing=zero", "unknown missing `zero`"),
    ] {
        let error = registry.build(text).unwrap_err().to_string();
        assert!(error.contains(message), "{text}: {error}");
    }
    assert!(BestOfSamples::new(End::Best, &[1.0]).unwrap().missing(MissingVerdict::Worst).is_err());
    assert!(BestOfSamples::new(End::Best, &[1.0]).unwrap().scale(Scale { min: 1.0, ..Scale::UNIT }).is_err());
    assert_eq!(Samples::default().scale(), Scale::UNIT);
}
