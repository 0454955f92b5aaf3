//! `explain` agrees with `dialects`, `score` and recipes, for all that it tries.

use crate::common::{bleuprint, pair, parsed, stdout};
use serde_json::Value;

/// A corpus without a common 4-gram, where programs differ.
const REF: &str = "the cat is on the mat\nhe read the book\n";
const SYS: &str = "the cat was on the mat\nhe read\n";

#[test]
fn every_dialect_is_in_the_catalogue_and_scores_or_says_why_not() {
    let (_folder, reference, system) = pair(REF, SYS);
    let catalogue = parsed(&["dialects", "-f", "json"]);
    let text = stdout(&["dialects"]);
    assert_eq!(text.lines().count(), catalogue.as_array().unwrap().len());
    let explained = parsed(&["explain", &reference, "-i", &system, "-f", "json"]);
    for dialect in catalogue.as_array().unwrap() {
        let setting = format!("-m bleu:dialect={}", dialect["name"].as_str().unwrap());
        let row = explained.as_array().unwrap().iter().find(|row| row["settings"][0] == setting.as_str());
        let row = row.unwrap_or_else(|| panic!("{setting} is not explained"));
        assert!(row["score"].is_number() || row["error"].is_string(), "{row}");
    }
}

#[test]
fn signatures_of_explain_are_recipes() {
    let (_folder, reference, system) = pair(
        "the cat is on the mat, it says\nanother line is here now .\n",
        "The cat is on the mat, it said\nanother line was here now .\n",
    );
    let explain = |more: &[&str]| {
        let output = bleuprint(&[&["explain", &reference, "-i", &system, "-f", "json", "-q"], more].concat());
        serde_json::from_slice::<Vec<Value>>(&output.stdout).unwrap()
    };
    let single = explain(&[]);
    // Combinations too, which are thousands: every hundredth, and the tokens that make their own case.
    let all = explain(&["--target", "12.345", "--most", "100000"]);
    let own_case = all.iter().filter(|row| row["tokenize"] == "mteval" && row["case"] == "lc-ascii");
    let some = all.iter().step_by(100).chain(own_case.step_by(25));
    let mut tried = 0;
    for row in single.iter().chain(some) {
        let Some(signature) = row["signature"].as_str() else { continue };
        let scored = stdout(&["score", &reference, "-i", &system, "--signature", signature, "-q"]);
        let scored: Value = serde_json::from_str(&scored).unwrap();
        assert_eq!(scored["score"], row["score"], "{signature}");
        tried += 1;
    }
    assert!(tried > 60 && all.iter().any(|row| !row["cause"].is_null()), "{tried}");
    assert!(all.iter().all(|row| row["cause"].is_null() || row["signature"].is_null()));
}
