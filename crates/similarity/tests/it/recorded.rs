//! Rows of the programs, in the data beside the checkout.

use serde_json::Value;

use super::*;

fn text(value: &Value) -> String {
    match value {
        Value::Array(words) => words.iter().map(|word| word.as_str().unwrap()).collect::<Vec<_>>().join(" "),
        text => text.as_str().unwrap().to_owned(),
    }
}

fn texts(value: &Value) -> Vec<String> {
    value.as_array().unwrap().iter().map(text).collect()
}

fn similarity(options: &Value, a: &str, b: &str) -> Result<f64> {
    use bleuprint_core::Choice as _;
    let mut metric =
        EditSimilarity::new(EditKind::by_name("kind", options["kind"].as_str().unwrap()).unwrap());
    if options["autojunk"] == Value::Bool(false) {
        metric = metric.without_autojunk();
    }
    if options["round"] == "percent" {
        metric = metric.percent();
    }
    let segment = [(a, vec![b])];
    if options["tokens"] == "whitespace" {
        over_words(metric, &segment)
    } else {
        over_chars(metric, &segment)
    }
}

/// The number of a row of pairs.
fn number(row: &Value) -> Result<f64> {
    let (options, input) = (&row["options"], &row["input"]);
    match row["metric"].as_str().unwrap() {
        "edit_similarity" => similarity(options, &text(&input["a"]), &text(&input["b"])),
        "ned" => value("ned", &text(&input["a"]), &[&text(&input["b"])]),
        "character" => value("character", &text(&input["hyp"]), &[&text(&input["ref"])]),
        metric => {
            let name = if options["language"] == "ja" { "eed-ja" } else { metric };
            let references = texts(&input["refs"]);
            let references: Vec<&str> = references.iter().map(String::as_str).collect();
            value(name, &text(&input["hyp"]), &references)
        }
    }
}

fn anls(row: &Value) -> (Vec<f64>, f64) {
    use bleuprint_core::Choice as _;
    let rule = AnlsRule::by_name("rule", row["options"]["rule"].as_str().unwrap()).unwrap();
    let anls = Anls::new(rule, row["options"]["threshold"].as_f64().unwrap()).unwrap();
    let (predictions, answers) =
        (texts(&row["input"]["predictions"]), row["input"]["answers"].as_array().unwrap());
    let answers: Vec<Vec<String>> = answers.iter().map(texts).collect();
    let pair = |(prediction, answers): (_, _)| -> (&str, Vec<&str>) {
        let (prediction, answers): (&String, &Vec<String>) = (prediction, answers);
        (prediction, answers.iter().map(String::as_str).collect())
    };
    let segments: Vec<_> = predictions.iter().zip(&answers).map(pair).collect();
    let each = segments.iter().map(|segment| over_text(anls, std::slice::from_ref(segment)).unwrap());
    (each.collect(), over_text(anls, &segments).unwrap())
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn recorded_values_of_all_programs() {
    let rows = bleuprint_testkit::recorded::path("spec/families-golden.jsonl");
    let rows = std::fs::read_to_string(rows).unwrap();
    let (mut compared, mut wrong) = (0, Vec::new());
    for row in rows.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
        let tolerance = row["tolerance"].as_f64().unwrap();
        let near = |found: f64, expected: &Value| (found - expected.as_f64().unwrap()).abs() <= tolerance;
        let expected = row.get("ours").unwrap_or(&row["expected"]);
        let right = match row["metric"].as_str().unwrap() {
            "edit_similarity" | "ned" | "character" | "eed" | "ribes" => match expected["error"].as_str() {
                Some(_) => number(&row).is_err(),
                None => number(&row).is_ok_and(|found| near(found, expected)),
            },
            "anls" => {
                let (each, mean) = anls(&row);
                let expected_each = expected["each"].as_array().unwrap();
                each.len() == expected_each.len()
                    && each.iter().zip(expected_each).all(|(found, expected)| near(*found, expected))
                    && near(mean, &expected["mean"])
            }
            _ => continue,
        };
        compared += 1;
        if !right {
            wrong.push(row.to_string());
        }
    }
    assert_eq!(compared, 273);
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}
