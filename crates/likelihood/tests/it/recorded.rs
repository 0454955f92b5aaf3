//! Every recorded row of likelihoods in the specification's data.

use bleuprint_core::Accumulator;
use bleuprint_core::Choice as _;
use bleuprint_likelihood::{Base, Finish, Likelihood, Likelihoods, Loglik, Per, Words};
use bleuprint_testkit::recorded;
use serde_json::Value;

fn score(metric: Likelihoods, segments: impl IntoIterator<Item = Likelihood>) -> Option<f64> {
    let mut all = Accumulator::<_, Likelihood>::new(metric);
    segments.into_iter().for_each(|segment| drop(all.push(&segment, &[]).unwrap()));
    all.score().ok().map(|scored| scored.value())
}

fn of_segments(row: &Value, finish: Finish) -> Option<f64> {
    let options = &row["options"];
    let per = Per::by_name("per", options["per"].as_str().unwrap()).unwrap();
    let base = options["base"].as_str().map_or(Base::E, |base| Base::by_name("base", base).unwrap());
    // The rows have the counts; those of texts are rows of their own.
    let per = if per == Per::Token { per } else { Per::Weight };
    let units = row["input"]["units"].as_array().unwrap();
    let segments =
        row["input"]["loglik"].as_array().unwrap().iter().zip(units).map(|(loglik, units)| Likelihood {
            loglik: serde_json::from_value(loglik.clone()).unwrap(),
            text: None,
            tokens: units.as_u64(),
            weight: units.as_u64(),
        });
    // One row has values above 0, so that its sum cancels.
    let positive =
        row["input"]["loglik"].as_array().unwrap().iter().any(|loglik| loglik.as_f64() > Some(0.0));
    score(Likelihoods::new(finish, per).base(base).positive(positive), segments)
}

/// Tokens whose target is the ignored one have no log-likelihood.
fn of_tokens(row: &Value) -> Option<f64> {
    let (input, ignored) = (&row["input"], &row["options"]["ignore_index"]);
    let pairs = input["loglik"].as_array().unwrap().iter().zip(input["target"].as_array().unwrap());
    let tokens =
        pairs.map(|(loglik, target)| if target == ignored { None } else { loglik.as_f64() }).collect();
    let segment = Likelihood { loglik: Loglik::Tokens(tokens), ..Likelihood::default() };
    score(Likelihoods::new(Finish::Perplexity, Per::Token), [segment])
}

fn require_units(row: &Value) {
    let units = |per, words| {
        let text = row["input"]["text"].as_str().unwrap().to_owned();
        let segment = Likelihood { loglik: Loglik::Sum(0.0), text: Some(text), ..Likelihood::default() };
        let mut all = Accumulator::<_, Likelihood>::new(Likelihoods::new(Finish::Nll, per).words(words));
        all.push(&segment, &[]).unwrap();
        all.total().stats().units
    };
    for (name, per, words) in [
        ("bytes", Per::Byte, Words::LmEval),
        ("chars", Per::Char, Words::LmEval),
        ("words", Per::Word, Words::LmEval),
        ("split", Per::Word, Words::Split),
    ] {
        assert_eq!(Some(units(per, words)), row["expected"][name].as_u64(), "{row} {name}");
    }
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn recorded_rows_of_likelihoods_have_their_values() {
    let text = std::fs::read_to_string(recorded::path("spec/families-golden.jsonl")).unwrap();
    let mut rows = 0;
    for line in text.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        rows += 1;
        let found = match row["metric"].as_str().unwrap() {
            "nll" => of_segments(&row, Finish::Nll),
            "perplexity" => of_segments(&row, Finish::Perplexity),
            "bits" => of_segments(&row, Finish::Bits),
            "token_perplexity" => of_tokens(&row),
            "denominators" => {
                require_units(&row);
                continue;
            }
            _ => {
                rows -= 1;
                continue;
            }
        };
        let ours = row.get("ours");
        let expected = ours.unwrap_or(&row["expected"]).as_f64();
        if ours.is_some() || row["tolerance"] == 0 {
            assert_eq!(found, expected, "{row}");
        } else {
            let (found, expected) = (found.unwrap(), expected.unwrap());
            assert!((found - expected).abs() <= row["tolerance"].as_f64().unwrap(), "{row}: {found}");
        }
    }
    assert_eq!(rows, 84);
}
