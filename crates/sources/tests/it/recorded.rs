//! Rows of the programs, in the data beside the checkout.

use bleuprint_core::Score as _;
use bleuprint_sources::*;
use serde_json::Value;

use super::score;

fn pair(row: &Value, lower: bool) -> (String, String) {
    let text = |key: &str| row["input"][key].as_str().unwrap();
    match lower {
        true => (text("summary").to_lowercase(), text("source").to_lowercase()),
        false => (text("summary").to_owned(), text("source").to_owned()),
    }
}

fn fertility(row: &Value) -> bool {
    use bleuprint_core::Stats as _;
    let mut stats = FertilityStats::default();
    let (texts, tokens) =
        (row["input"]["texts"].as_array().unwrap(), row["input"]["tokens"].as_array().unwrap());
    for (text, tokens) in texts.iter().zip(tokens) {
        let tokens = tokens.as_array().unwrap().len() as u64;
        stats.merge(&FertilityStats::of(text.as_str().unwrap(), tokens)).unwrap();
    }
    let names = [
        ("per_word", Per::Word),
        ("per_byte", Per::Byte),
        ("per_char", Per::Char),
        ("bytes_per_token", Per::Token),
    ];
    names.into_iter().all(|(name, per)| stats.quotient(per) == row["expected"][name].as_f64())
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn recorded_values_of_lighteval() {
    let rows = bleuprint_testkit::recorded::path("spec/families-golden.jsonl");
    let rows = std::fs::read_to_string(rows).unwrap();
    let (mut compared, mut wrong) = (0, Vec::new());
    for row in rows.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
        let expected = row.get("ours").unwrap_or(&row["expected"]);
        let right = match row["metric"].as_str().unwrap() {
            "extractiveness" => {
                let (summary, source) = pair(&row, row["options"]["lower"].as_bool().unwrap());
                let found = score(Extractive::default(), &[(&summary, &source)]).unwrap().headlines();
                ["coverage", "density", "compression"].map(|key| expected[key].as_f64().unwrap()) == found[..]
            }
            "novel" => {
                let (summary, source) = pair(&row, false);
                let novel = Novel::new(row["options"]["n"].as_u64().unwrap() as usize).unwrap();
                let found = score(novel, &[(&summary, &source)]);
                found.ok().map(|score| score.value()) == expected.as_f64()
            }
            "fertility" => fertility(&row),
            _ => continue,
        };
        compared += 1;
        if !right {
            wrong.push(row.to_string());
        }
    }
    assert_eq!(compared, 40);
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}
