//! Signatures as recipes: `score --signature`, and `verify`, which says whether a reported score is right.

use crate::common::{bleuprint, pair, stdout};

const REF: &str = "the cat is on the mat, it says\nanother line is here now .\n";
const SYS: &str = "The cat is on the mat, it said\nanother line was here now .\n";

#[test]
fn a_score_is_computed_with_the_settings_of_its_signature() {
    let (_folder, reference, system) = pair(REF, SYS);
    for options in [
        &["-m", "bleu"][..],
        &["-m", "bleu", "-s", "floor", "-sv", "0.25", "-lc", "-tok", "intl"],
        &["-m", "bleu:dialect=multi-bleu"],
        &["-m", "bleu:dialect=mteval:v13a"],
        &["-m", "bleu:weights=0.5/0.25/0.25"],
        &["-m", "chrf++", "--chrf-beta", "3", "--chrf-lowercase"],
        &["-m", "ter", "--ter-normalized", "--ter-case-sensitive"],
        &["-m", "rougeL:stemmer"],
        &["-m", "wer"],
        &["-m", "wer", "--norm", "whisper-en"],
        &["-m", "ter", "--norm", "nfkc+lower+punct", "--ter-normalized"],
        &["-m", "chrf:norm=whisper-basic", "-lc"],
        &["-m", "nist"],
        &["-m", "cider_d"],
        &["-m", "distinct:order=1"],
    ] {
        let score = |options: &[&str]| {
            stdout(&[&["score", &reference, "-i", &system, "-f", "text", "-w", "12", "-q"], options].concat())
        };
        let line = score(options);
        let signature = line.split(" = ").next().unwrap();
        assert_eq!(score(&["--signature", signature]), line);
        let short = score(&[options, &["--short"]].concat());
        assert_eq!(score(&["--signature", short.split(" = ").next().unwrap()]), line);
    }
}

#[test]
fn signatures_of_explain_are_recipes() {
    let (_folder, reference, system) = pair(REF, SYS);
    let explain = |more: &[&str]| {
        let output = bleuprint(&[&["explain", &reference, "-i", &system, "-f", "json", "-q"], more].concat());
        serde_json::from_slice::<Vec<serde_json::Value>>(&output.stdout).unwrap()
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
        let scored: serde_json::Value = serde_json::from_str(&scored).unwrap();
        assert_eq!(scored["score"], row["score"], "{signature}");
        tried += 1;
    }
    assert!(tried > 60 && all.iter().any(|row| !row["cause"].is_null()), "{tried}");
    assert!(all.iter().all(|row| row["cause"].is_null() || row["signature"].is_null()));
}
