//! Rows of texterrors, of the script for biased lists, and of definitions over recognized words.

use serde_json::{Map, Value, json};

use super::{entries, items, number};

/// Returns the texts of a row as segments, each with its source if there are sources.
fn segments(input: &Value, sources: &[String]) -> Vec<Value> {
    let texts = items(&input["hyps"]).iter().zip(items(&input["refs"])).enumerate();
    let segment = |(at, (hypothesis, reference))| json!({ "hypothesis": hypothesis, "reference": reference, "source": sources.get(at) });
    texts.map(segment).collect()
}

fn words(list: &Value) -> Vec<&str> {
    items(list).iter().filter_map(Value::as_str).collect()
}

/// Returns the numbers of a row by their names in the metric.
fn numbers(names: &[(&str, &str)], expected: &Value) -> Map<String, Value> {
    names.iter().map(|(own, name)| ((*own).to_owned(), expected[name].clone())).collect()
}

fn percent(value: &Value) -> Value {
    value.as_f64().map_or(Value::Null, |percent| json!(percent / 100.0))
}

/// Returns B-WER and U-WER. The script fails without a word of a class, and for a segment without words on either side,
/// which has a number here.
pub(super) fn biased(row: &Value) -> Vec<Value> {
    let lists = items(&row["input"]["lists"]);
    let sources: Vec<String> = lists.iter().map(|list| words(list).join(" ")).collect();
    let segments = segments(&row["input"], &sources);
    let [listed, other] = ["bwer", "uwer"].map(|name| format!("{name}:like=biasing,tokenize=none"));
    let expected = &row["expected"];
    if let Some(error) = expected["error"].as_str() {
        if error != "AssertionError" {
            return vec![json!({ "segments": segments, "expected": { listed: 0.0 } })];
        }
        let is_listed = |(text, list): (&Value, &Value)| {
            text.as_str().is_some_and(|text| text.split_whitespace().any(|word| words(list).contains(&word)))
        };
        let some_listed = items(&row["input"]["refs"]).iter().zip(lists).any(is_listed);
        let without = if some_listed { other } else { listed };
        return vec![json!({ "segments": segments, "expected": { without: null } })];
    }
    let class = |class: &str, key: &str| {
        let names = [("words", "words"), ("substitutions", "S"), ("insertions", "I"), ("deletions", "D")];
        let counts = names.map(|(own, name)| (format!("{key}_{own}"), expected[class][name].clone()));
        let mut all: Map<String, Value> = counts.into_iter().collect();
        all.insert("score".to_owned(), percent(&expected[class]["rate_percent"]));
        all
    };
    let mut of_list = class("B-WER", "b");
    of_list.insert("wer".to_owned(), percent(&expected["WER"]["rate_percent"]));
    let expected = json!({ listed: of_list, other: class("U-WER", "u") });
    vec![
        json!({ "segments": segments, "expected": expected, "tolerance": number(&row["tolerance"]) / 100.0 }),
    ]
}

/// Returns the keywords and the out-of-vocabulary words of texterrors, which are two lists of terms.
pub(super) fn keywords(row: &Value) -> Vec<Value> {
    let input = &row["input"];
    let summary = &row["expected"]["summary"];
    let is_chars = row["options"]["flags"] == "--use-chardiff";
    let options = format!("like={},tokenize=none", if is_chars { "chardiff" } else { "texterrors" });
    let mut expected = Map::new();
    for rate in ["recall", "precision"] {
        let value = &summary[format!("keyword_{rate}")];
        // texterrors reports -1 without a denominator.
        let mut all = if number(value) == -1.0 { Value::Null } else { json!({ "score": value }) };
        if rate == "recall" && all.is_object() {
            let names =
                [("references", "count"), ("hypotheses", "output_count"), ("hits", "predicted_count")];
            names.iter().for_each(|(own, name)| all[own] = summary[format!("keyword_{name}")].clone());
        }
        expected.insert(format!("terms:of={rate},{options},words={{keywords}}"), all);
    }
    let missed = match percent(&summary["oov_wer"]) {
        Value::Null => Value::Null,
        rate => json!({ "score": rate, "references": summary["oov_word_count"] }),
    };
    expected.insert(format!("terms:of=error,{options},words={{oov}}"), missed);
    let chars = match percent(&summary["oov_cer"]) {
        Value::Null => Value::Null,
        rate => json!({
            "score": rate, "edits": summary["oov_char_error_count"], "chars": summary["oov_char_count"],
        }),
    };
    expected.insert(format!("term_cer:{options},words={{oov}}"), chars);
    let files =
        json!({ "keywords": words(&input["keywords"]).join("\n"), "oov": words(&input["oov"]).join("\n") });
    let tolerance = number(&row["tolerance"]) / 100.0;
    vec![json!({
        "segments": segments(input, &[]), "files": files, "expected": expected, "tolerance": tolerance,
    })]
}

pub(super) fn terms(row: &Value) -> Vec<Value> {
    let input = &row["input"];
    let found = &row["expected"];
    let matching = row["options"]["match"].as_str().unwrap_or("align");
    let mut expected = Map::new();
    for (rate, key) in
        [("recall", "recall"), ("precision", "precision"), ("f1", "f1"), ("error", "entity_wer")]
    {
        let mut all = Value::Null;
        if found[key].is_number() {
            all = json!(numbers(&[("references", "ref_entities"), ("hypotheses", "hyp_entities")], found));
            all["score"] = found[key].clone();
            for (term, counts) in found["per_term"].as_object().into_iter().flatten() {
                for (own, name) in [("references", "ref"), ("hypotheses", "hyp"), ("hits", "hit")] {
                    all[format!("term.{term}.{own}")] = counts[name].clone();
                }
            }
        }
        let metric = format!("terms:of={rate},match={matching},per=term,tokenize=none,words={{words}}");
        expected.insert(metric, all);
    }
    let files = json!({ "words": words(&input["terms"]).join("\n") });
    vec![json!({
        "segments": segments(input, &[]), "files": files, "expected": expected, "tolerance": row["tolerance"],
    })]
}

pub(super) fn oracle(row: &Value) -> Vec<Value> {
    let lists = items(&row["input"]["nbest"]).iter().zip(items(&row["input"]["refs"]));
    let segment = |(list, reference)| json!({ "hypothesis": list, "reference": reference });
    let segments: Vec<Value> = lists.map(segment).collect();
    let names = [("score", "oracle_wer"), ("words", "total_ref_words")];
    let expected = json!({ "oracle_wer": numbers(&names, &row["expected"]["summary"]) });
    vec![json!({ "segments": segments, "expected": expected, "tolerance": row["tolerance"] })]
}

pub(super) fn bags(row: &Value) -> Vec<Value> {
    let rate = |name: &str| match &row["expected"][name] {
        Value::Null => Value::Null,
        rate => {
            let mut all = numbers(&[("ref_len", "ref_words"), ("matches", "matches")], &row["expected"]);
            all.insert("score".to_owned(), rate.clone());
            Value::Object(all)
        }
    };
    let expected = json!({ "per:tokenize=none": rate("per"), "bow:tokenize=none": rate("bow") });
    let segments = segments(&row["input"], &[]);
    vec![json!({ "segments": segments, "expected": expected, "tolerance": row["tolerance"] })]
}

pub(super) fn calibration(row: &Value) -> Vec<Value> {
    let given = items(&row["input"]["confidences_micro_correct"]);
    let word = |word: &Value| json!([number(&word[0]) / 1e6, word[1] == 1]);
    let segment = json!({ "hypothesis": given.iter().map(word).collect::<Vec<Value>>() });
    // The row has the sum of squares of millionths, and the metric the mean of squares.
    let brier = number(&row["expected"]["brier_sum"]) / 1e12 / given.len() as f64;
    let metric = format!("ece:right=given,bins={}", row["options"]["bins"]);
    let rate = json!({ "segments": [segment], "expected": { &metric: row["expected"]["ece"] }, "tolerance": row["tolerance"] });
    let squares =
        json!({ "segments": [segment], "expected": { metric: { "brier": brier } }, "tolerance": 1e-14 });
    vec![rate, squares]
}

pub(super) fn boundaries(row: &Value) -> Vec<Value> {
    let rows = items(&row["input"]["ref_start_end_hyp_start_end_ms"]);
    let side = |first: usize| -> Vec<Value> {
        let word = |(at, row): (usize, &Value)| {
            json!([at.to_string(), number(&row[first]) / 1e3, number(&row[first + 1]) / 1e3])
        };
        rows.iter().enumerate().map(word).collect()
    };
    let expected = entries(&row["expected"]);
    let words = rows.len() as f64;
    let sums =
        [("start_ms", words), ("end_ms", words), ("within_50", 2.0 * words), ("within_200", 2.0 * words)];
    let means =
        sums.iter().map(|(name, count)| ((*name).to_owned(), json!(number(&expected[*name]) / count)));
    let mut all: Map<String, Value> = means.collect();
    all.insert("score".to_owned(), expected["mean_ms"].clone());
    let segment = json!({ "hypothesis": side(2), "reference": side(0) });
    // The mean of milliseconds is rounded in its last bits.
    vec![json!({ "segments": [segment], "expected": { "boundaries": all }, "tolerance": 1e-9 })]
}
