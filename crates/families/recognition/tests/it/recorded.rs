//! Comparison with every recorded row of recognition in the specification data.

use bleuprint_core::Score as _;
use bleuprint_testkit::recorded;
use serde_json::{Value, json};

use crate::{built, part, scored, scored_own};

fn strings(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
}

/// Returns hypotheses, references, and sources if there are any.
fn texts<'r>(input: &'r Value, sources: &'r [String]) -> Vec<[&'r str; 3]> {
    let pairs = strings(&input["hyps"]).into_iter().zip(strings(&input["refs"])).enumerate();
    pairs.map(|(at, (own, other))| [own, other, sources.get(at).map_or("", String::as_str)]).collect()
}

struct Row {
    row: Value,
}

impl Row {
    fn near(&self, key: &str, found: Option<f64>, expected: &Value) {
        let (id, tolerance) = (&self.row["id"], self.row["tolerance"].as_f64().unwrap());
        let near = match (found, expected.as_f64()) {
            (Some(found), Some(expected)) => (found - expected).abs() <= tolerance,
            (found, expected) => found == expected,
        };
        assert!(near, "{id} {key}: {found:?}, not {expected}");
    }

    /// Compares B-WER. The script fails without a word of a class, and for a segment without words on either
    /// side; here both have a number.
    fn biased(&self) {
        let input = &self.row["input"];
        let lists = input["lists"].as_array().unwrap();
        let sources: Vec<String> = lists.iter().map(|list| strings(list).join(" ")).collect();
        let score = |name: &str| scored(&built(name, None).unwrap(), &texts(input, &sources));
        let scores = ["bwer:like=biasing", "uwer:like=biasing"].map(score);
        let expected = &self.row["expected"];
        match expected["error"].as_str() {
            Some("AssertionError") => return assert!(scores.iter().any(Result::is_err)),
            Some(_) => return assert_eq!(scores[0].as_ref().map(|score| score.value()), Ok(0.0)),
            None => {}
        }
        let [listed, others] = scores.map(Result::unwrap);
        for (class, key, score) in [("B-WER", "b", &listed), ("U-WER", "u", &others)] {
            let expected = &expected[class];
            self.near(class, Some(100.0 * score.value()), &expected["rate_percent"]);
            let names = [("words", "words"), ("S", "substitutions"), ("I", "insertions"), ("D", "deletions")];
            for (theirs, ours) in names {
                self.near(class, part(score, &format!("{key}_{ours}")), &expected[theirs]);
            }
        }
        self.near("WER", part(&listed, "wer").map(|wer| 100.0 * wer), &expected["WER"]["rate_percent"]);
    }

    /// Compares the keywords and the out-of-vocabulary words of texterrors, which are two lists of terms.
    fn keywords(&self) {
        let (input, summary) = (&self.row["input"], &self.row["expected"]["summary"]);
        let chars = self.row["options"]["flags"] == "--use-chardiff";
        let like = if chars { "chardiff" } else { "texterrors" };
        let texts = texts(input, &[]);
        let score = |rate: &str, list: &str| {
            let words = strings(&input[list]).join("\n");
            scored(&built(&format!("terms:of={rate},like={like}"), Some(&words)).unwrap(), &texts).ok()
        };
        for rate in ["recall", "precision"] {
            let found = score(rate, "keywords");
            // texterrors reports -1 without a denominator.
            self.near(
                rate,
                Some(found.map_or(-1.0, |score| score.value())),
                &summary[format!("keyword_{rate}")],
            );
        }
        if let Some(score) = score("recall", "keywords") {
            let names =
                [("count", "references"), ("output_count", "hypotheses"), ("predicted_count", "hits")];
            for (theirs, ours) in names {
                self.near(ours, part(&score, ours), &summary[format!("keyword_{theirs}")]);
            }
        }
        let missed = score("error", "oov");
        self.near("oov", missed.as_ref().map(|score| 100.0 * score.value()), &summary["oov_wer"]);
        self.near("oov", missed.and_then(|score| part(&score, "references")), &summary["oov_word_count"]);
        let words = strings(&input["oov"]).join("\n");
        let chars = scored(&built(&format!("term_cer:like={like}"), Some(&words)).unwrap(), &texts).ok();
        self.near("oov", chars.as_ref().map(|score| 100.0 * score.value()), &summary["oov_cer"]);
        for (ours, theirs) in [("edits", "oov_char_error_count"), ("chars", "oov_char_count")] {
            self.near(ours, chars.as_ref().and_then(|score| part(score, ours)), &summary[theirs]);
        }
    }

    fn terms(&self) {
        let (input, expected) = (&self.row["input"], &self.row["expected"]);
        let matching = self.row["options"]["match"].as_str().unwrap_or("align");
        let words = strings(&input["terms"]).join("\n");
        for (rate, key) in
            [("recall", "recall"), ("precision", "precision"), ("f1", "f1"), ("error", "entity_wer")]
        {
            let metric = built(&format!("terms:of={rate},match={matching},per=term"), Some(&words)).unwrap();
            let score = scored(&metric, &texts(input, &[])).ok();
            self.near(key, score.as_ref().map(|score| score.value()), &expected[key]);
            let Some(score) = score else { continue };
            for (ours, theirs) in [("references", "ref_entities"), ("hypotheses", "hyp_entities")] {
                self.near(ours, part(&score, ours), &expected[theirs]);
            }
            for (term, counts) in expected["per_term"].as_object().into_iter().flatten() {
                for (ours, theirs) in [("references", "ref"), ("hypotheses", "hyp"), ("hits", "hit")] {
                    let found = part(&score, &format!("term.{term}.{ours}"));
                    assert_eq!(found.unwrap_or_default(), counts[theirs].as_f64().unwrap(), "{term}");
                }
            }
        }
    }

    fn oracle(&self) {
        let input = &self.row["input"];
        let lists = input["nbest"].as_array().unwrap().iter().zip(input["refs"].as_array().unwrap());
        let segments: Vec<_> = lists.map(|(list, text)| (list.clone(), Some(text.clone()))).collect();
        let score = scored_own(&built("oracle_wer", None).unwrap(), &segments).unwrap();
        let summary = &self.row["expected"]["summary"];
        self.near("oracle_wer", Some(score.value()), &summary["oracle_wer"]);
        self.near("words", part(&score, "words"), &summary["total_ref_words"]);
    }

    fn bags(&self) {
        let (input, expected) = (&self.row["input"], &self.row["expected"]);
        for name in ["per", "bow"] {
            let score = scored(&built(name, None).unwrap(), &texts(input, &[])).ok();
            self.near(name, score.as_ref().map(|score| score.value()), &expected[name]);
            if let Some(score) = score {
                self.near("ref_len", part(&score, "ref_len"), &expected["ref_words"]);
                self.near("matches", part(&score, "matches"), &expected["matches"]);
            }
        }
    }

    fn calibration(&self) {
        let (input, expected) = (&self.row["input"], &self.row["expected"]);
        let items = input["confidences_micro_correct"].as_array().unwrap().iter();
        let items = items.map(|item| json!([item[0].as_f64().unwrap() / 1e6, item[1] == 1]));
        let segments = [(Value::Array(items.collect()), None)];
        let name = format!("ece:right=given,bins={}", self.row["options"]["bins"]);
        let score = scored_own(&built(&name, None).unwrap(), &segments).unwrap();
        self.near("ece", Some(score.value()), &expected["ece"]);
        let (brier, words) = (part(&score, "brier").unwrap(), part(&score, "words").unwrap());
        self.near("brier", Some((brier * words * 1e12).round()), &expected["brier_sum"]);
    }

    fn boundaries(&self) {
        let rows = self.row["input"]["ref_start_end_hyp_start_end_ms"].as_array().unwrap();
        let side = |first: usize| {
            let seconds = |row: &Value, at: usize| row[at].as_f64().unwrap() / 1e3;
            let words = rows.iter().enumerate();
            json!(
                words
                    .map(|(at, row)| json!([at.to_string(), seconds(row, first), seconds(row, first + 1)]))
                    .collect::<Vec<_>>()
            )
        };
        let score = scored_own(&built("boundaries", None).unwrap(), &[(side(2), Some(side(0)))]).unwrap();
        let expected = &self.row["expected"];
        let words = part(&score, "words").unwrap();
        self.near("mean", Some(score.value()), &expected["mean_ms"]);
        for (key, factor) in
            [("start_ms", words), ("end_ms", words), ("within_50", 2.0 * words), ("within_200", 2.0 * words)]
        {
            self.near(key, part(&score, key).map(|mean| (mean * factor * 1e6).round() / 1e6), &expected[key]);
        }
    }
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn recorded_rows_of_recognition_have_their_values() {
    let text = std::fs::read_to_string(recorded::path("spec/speech-two-golden.jsonl")).unwrap();
    let mut rows = 0;
    for line in text.lines() {
        let row = Row { row: serde_json::from_str(line).unwrap() };
        let check = match row.row["metric"].as_str().unwrap() {
            "biased_wer" => Row::biased,
            "keywords" => Row::keywords,
            "terms" => Row::terms,
            "oracle_wer" => Row::oracle,
            "per" => Row::bags,
            "ece" => Row::calibration,
            "boundaries" => Row::boundaries,
            _ => continue,
        };
        check(&row);
        rows += 1;
    }
    assert_eq!(rows, 116);
}
