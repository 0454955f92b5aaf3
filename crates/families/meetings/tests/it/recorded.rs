//! Comparison with every recorded row of MeetEval in the specification data.

use bleuprint_meetings::{parse_session, self_overlap};
use bleuprint_testkit::recorded;
use serde_json::Value;

use crate::{check, constraint, outcome, spoken};

#[test]
#[ignore = "needs the data beside the checkout"]
fn recorded_rows_of_the_first_part_are_met() {
    let rows = recorded::rows("speech-golden.json", "speakers");
    let (errors, numbers): (Vec<&Value>, Vec<&Value>) =
        rows.iter().partition(|row| row["out"]["error"].is_string());
    for row in &numbers {
        let metric = row["metric"].as_str().unwrap();
        check(row, metric, [&row["reference"], &row["hypothesis"]], &row["out"]);
    }
    assert_eq!((numbers.len(), errors.len()), (315, 4));
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn recorded_rows_of_whole_meetings_are_met() {
    let text = std::fs::read_to_string(recorded::path("spec/speech-two-golden.jsonl")).unwrap();
    let rows = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let (mut numbers, mut errors) = (0, 0);
    for row in rows.filter(|row| row["id"].as_str().unwrap().starts_with('c')) {
        let (metric, input) = (row["metric"].as_str().unwrap(), &row["input"]);
        if row["expected"]["error"].is_string() {
            let [reference, hypothesis] = [&input["ref"], &input["hyp"]].map(spoken);
            let found = outcome(metric, constraint(&row["options"]), &reference, &hypothesis);
            match row["expected"]["error"].as_str() {
                // MeetEval allows at most 10 speakers on a side.
                Some("RuntimeError") => assert!(found.is_err(), "{row}"),
                // MeetEval fails without an utterance in the hypothesis; here all words are deleted.
                _ => {
                    let words: usize = reference.iter().map(|(.., words)| words.len()).sum();
                    assert_eq!(found.unwrap().0, [0, words as u64, 0, words as u64], "{row}");
                }
            }
            errors += 1;
            continue;
        }
        check(&row, metric, [&input["ref"], &input["hyp"]], &row["expected"]);
        numbers += 1;
    }
    assert_eq!((numbers, errors), (236, 4));
}

#[test]
#[ignore = "needs the data beside the checkout"]
fn self_overlap_is_meetevals() {
    let mut compared = 0;
    for row in recorded::rows("speech-golden.json", "speakers") {
        for side in ["reference", "hypothesis"] {
            let Some(theirs) = row["out"][format!("{side}_self_overlap")].as_array() else { continue };
            let own = self_overlap(&parse_session(&row[side].to_string()).unwrap());
            for (own, theirs) in own.iter().zip(theirs) {
                assert!((own - theirs.as_f64().unwrap()).abs() < 1e-9, "{row}");
            }
            compared += 1;
        }
    }
    assert!(compared > 400, "{compared}");
}
