//! Every recorded row of samples in the specification's data.

use bleuprint_core::Accumulator;
use bleuprint_samples::{Best, Counted, End, Finish, Majority, Prompt, Sample, Samples, Ties};
use bleuprint_testkit::recorded;
use serde_json::Value;

/// The values of prompts and their mean, or the error.
type Found = Result<(Vec<f64>, f64), String>;

fn numbers(values: &Value) -> Vec<f64> {
    values.as_array().unwrap().iter().map(recorded::number).collect()
}

fn of_counts(row: &Value, finish: Finish) -> Found {
    let k = row["options"]["k"].as_f64().map(|k| [k]);
    let threshold = row["options"]["t"].as_f64().map(|t| t.to_string().parse().unwrap());
    let metric =
        Samples::new(finish, k.as_ref().map(|k| &k[..]), threshold).map_err(|error| error.to_string())?;
    let (mut prompts, mut each) = (Accumulator::<_, Prompt>::new(metric.clone()), Vec::new());
    for counts in row["input"]["counts"].as_array().unwrap() {
        let counts = numbers(counts);
        let cell = Counted { n: counts[0] as u32, right: counts[1] as u32 };
        prompts.push(&Prompt::Counts { n: cell.n, c: cell.right }, &[]).map_err(|error| error.to_string())?;
        each.push(metric.value(cell, metric.ks()[0]).map_err(|error| error.to_string())?);
    }
    Ok((each, prompts.score().map_err(|error| error.to_string())?.value()))
}

fn of_values(row: &Value, end: End) -> Found {
    let metric =
        Best::new(end, &[row["options"]["k"].as_f64().unwrap()]).map_err(|error| error.to_string())?;
    let (mut prompts, mut each) = (Accumulator::<_, Prompt>::new(metric.clone()), Vec::new());
    for values in row["input"]["values"].as_array().unwrap() {
        let values = numbers(values);
        prompts.push(&Prompt::from(&values[..]), &[]).map_err(|error| error.to_string())?;
        each.push(
            metric
                .value(&values, row["options"]["k"].as_u64().unwrap() as u32)
                .map_err(|error| error.to_string())?,
        );
    }
    Ok((each, prompts.score().map_err(|error| error.to_string())?.value()))
}

fn of_answers(row: &Value) -> Found {
    let options = &row["options"];
    let ties = if options["ties"] == "share" { Ties::Share } else { Ties::First };
    let metric = Majority::new(&[options["k"].as_f64().unwrap()], ties).map_err(|error| error.to_string())?;
    let (mut prompts, mut each) = (Accumulator::<_, Prompt, Sample>::new(metric.clone()), Vec::new());
    for (answers, gold) in
        row["input"]["answers"].as_array().unwrap().iter().zip(row["input"]["gold"].as_array().unwrap())
    {
        let prompt: Prompt = serde_json::from_value(answers.clone()).unwrap();
        let gold: Vec<Sample> = match gold {
            Value::Array(gold) => {
                gold.iter().map(|gold| serde_json::from_value(gold.clone()).unwrap()).collect()
            }
            gold => vec![serde_json::from_value(gold.clone()).unwrap()],
        };
        let gold: Vec<&Sample> = gold.iter().collect();
        let state = prompts.push(&prompt, &gold).map_err(|error| error.to_string())?;
        each.push(state.score(&metric).map_err(|error| error.to_string())?.value());
    }
    Ok((each, prompts.score().map_err(|error| error.to_string())?.value()))
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn recorded_rows_of_samples_have_their_values() {
    let text = std::fs::read_to_string(recorded::path("spec/families-golden.jsonl")).unwrap();
    let mut rows = 0;
    for line in text.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let found = match row["metric"].as_str().unwrap() {
            "pass_at_k" => of_counts(&row, Finish::Pass),
            "pass_hat_k" => of_counts(&row, Finish::PassHat),
            "g_pass_at_k" => of_counts(&row, Finish::GPass),
            "mg_pass_at_k" => of_counts(&row, Finish::MeanGPass),
            "avg_at_n" => of_counts(&row, Finish::Avg),
            "best_at_k" => of_values(&row, End::Best),
            "worst_at_k" => of_values(&row, End::Worst),
            "maj_at_k" => of_answers(&row),
            _ => continue,
        };
        rows += 1;
        require(&row, found);
    }
    assert_eq!(rows, 210);
}

/// Our value to the last bit if the row has it, and else the program's within the tolerance.
fn require(row: &Value, found: Found) {
    let ours = row.get("ours");
    let expected = ours.unwrap_or(&row["expected"]);
    if expected.get("error").is_some() {
        assert!(found.is_err(), "{row}: {found:?}");
        return;
    }
    let (each, mean) = found.unwrap_or_else(|error| panic!("{row}: {error}"));
    let bits = ours.is_some() || row["tolerance"] == 0;
    let same = |found: f64, expected: f64| {
        found == expected || !bits && (found - expected).abs() <= row["tolerance"].as_f64().unwrap()
    };
    let expected_each = numbers(&expected["each"]);
    assert_eq!(each.len(), expected_each.len(), "{row}");
    for (found, expected) in each.iter().zip(&expected_each) {
        assert!(same(*found, *expected), "{row}: {found} {expected}");
    }
    let expected = recorded::number(&expected["mean"]);
    assert!(same(mean, expected), "{row}: {mean} {expected}");
    // Programs and we share each number of pass@k, if not the order of their sum.
    if ours.is_none() && row["note"].as_str().is_some_and(|note| note.starts_with("each equals bit for bit"))
    {
        assert_eq!(each, expected_each, "{row}");
    }
}
