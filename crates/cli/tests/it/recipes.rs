//! Signatures as recipes: `score --signature`, and `verify`, which says whether a reported score is right.

use crate::common::{Folder, bleuprint, pair, refused, said, stdout};

const REF: &str = "the cat is on the mat, it says\nanother line is here now .\n";
const SYS: &str = "The cat is on the mat, it said\nanother line was here now .\n";

fn verified(arguments: &[&str]) -> (String, Option<i32>) {
    let output = bleuprint(arguments);
    (String::from_utf8(output.stdout).unwrap(), output.status.code())
}

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
fn a_normalizer_is_named_and_changes_all_sides() {
    let folder = Folder::new();
    let reference = folder.file("ref", "Mr. Smith's colour TV cost twenty dollars\nआप कैसे हैं\n[noise]\n");
    let system = folder.file("sys", "mister smith is color tv cost $20\nआप केसे है\n[music]\n");
    let words = folder.file("words", "tv\ttelevision\n");
    let wer = |norm: &str| {
        let output =
            bleuprint(&["score", &reference, "-i", &system, "-m", "wer", "-f", "text", "--norm", norm]);
        [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap())
    };
    let [score, warnings] = wer("whisper-en");
    assert!(score.starts_with("WER|nrefs:1|case:mixed|norm:whisper-en|tok:jiwer|version:"), "{score}");
    assert!(score.contains(" = 0.000 "), "{score}");
    for warning in ["strips marks from 4 of 6 words of the script Devanagari", "leaves nothing of 2 texts"] {
        assert!(warnings.contains(warning), "{warning}: {warnings}");
    }
    let [score, warnings] = wer("whisper-basic-marks");
    assert!(score.contains("norm:whisper-basic-marks") && !score.contains(" = 0.000 "), "{score}");
    assert!(!warnings.contains("strips marks"), "{warnings}");
    let normalized = stdout(&["normalize", "--norm", &format!("lower+words={words}+punct"), &reference]);
    assert_eq!(normalized, "mr smiths colour television cost twenty dollars\nआप कैसे हैं\nnoise\n");
    assert!(stdout(&["list", "normalizers"]).lines().any(|line| line.starts_with("whisper-en ")));

    let with_file =
        ["score", &reference, "-i", &system, "-m", "wer", "-f", "text", "--norm", &format!("words={words}")];
    let line = stdout(&with_file);
    let signature = line.split(" = ").next().unwrap();
    let again = ["score", &reference, "-i", &system, "-f", "text", "--signature", signature];
    assert_eq!(stdout(&[&again[..], &["--norm", &format!("words={words}")]].concat()), line);
    refused(&again, &["has the hash of a file", "--norm words=FILE"]);
    refused(&[&again[..], &["--norm", "lower"]].concat(), &["`norm:lower`", "`norm:words#"]);
    let plain = "WER|case:mixed|tok:jiwer|version:bleuprint-0.1.0";
    let plain = ["score", &reference, "-i", &system, "--signature", plain];
    refused(&[&plain[..], &["--norm", "lower"]].concat(), &["decided by --signature"]);
    refused(&["score", &reference, "-i", &system, "--norm", "lowr"], &["unknown normalizer `lowr`"]);
    refused(&["score", &reference, "-i", &system, "--norm", "lower", "--tokenize", "ids"], &["are ids"]);
}

#[test]
fn what_a_signature_cannot_mean_is_refused() {
    let (_folder, reference, system) = pair(REF, SYS);
    let with = |signature: &str, options: &[&str], words: &[&str]| {
        let command = ["score", &reference, "-i", &system, "--signature", signature];
        refused(&[&command, options].concat(), words);
    };
    let bleu = "BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.3.1";
    with(&bleu.replace("13a", "13b"), &[], &["`tok:13b`", "no tokenizer"]);
    with(&bleu.replace("nrefs:1", "nrefs:2"), &[], &["`nrefs:2`", "`nrefs:1`"]);
    with(&bleu.replace("nrefs:1", "nrefs:2"), &["--confidence"], &["`nrefs:2`", "`nrefs:1`"]);
    with(&bleu.replace("2.3.1", "1.2.0"), &[], &["`1.2.0`", "from 1.4 on"]);
    with("nonsense", &[], &["`nonsense`", "METRIC|key:value"]);
    with(bleu, &["-m", "chrf"], &["--signature", "--metrics"]);
    with(bleu, &["-m", "bleu:max-order=2"], &["--signature", "--metrics"]);
    with(bleu, &["-m", "meteor:wordnet=/none"], &["unknown option of bleu `meteor-wordnet`"]);
    with(bleu, &["-s", "floor"], &["--smooth-method is decided by --signature"]);
    with(&bleu.replace("13a", "ja-mecab-0.996-IPA"), &["--dictionary", "/none"], &["/none"]);
}

#[test]
fn old_versions_that_computed_otherwise_are_noted() {
    let (_folder, reference, system) = pair(REF, SYS);
    let command =
        ["score", &reference, "-i", &system, "--signature", "chrF2+numchars.6+space.false+version.1.4.14"];
    assert!(said(&command).contains("sacreBLEU 1.4.14 computed chrF otherwise"));
}

#[test]
fn a_reported_score_is_verified_within_its_decimals() {
    let (_folder, reference, system) = pair(REF, SYS);
    let signature = "BLEU|#:1|c:mixed|e:no|tok:13a|s:exp|v:2.3.1";
    let with = |score: &str, signature: &str| {
        verified(&["verify", "--signature", signature, "--score", score, &reference, "-i", &system, "-q"])
    };
    let score = stdout(&["score", &reference, "-i", &system, "-b", "-w", "2"]);
    let (said, code) = with(score.trim(), signature);
    assert!(said.starts_with("yes: BLEU|nrefs:1|") && code == Some(0), "{said}");
    // The number of another setting: the answer is no, and which setting it is.
    let lower = stdout(&["score", &reference, "-i", &system, "-b", "-w", "2", "-lc"]);
    let (said, code) = with(lower.trim(), signature);
    assert!(said.starts_with("no: BLEU|") && code == Some(1), "{said}");
    assert!(said.lines().nth(4).is_some_and(|line| line.ends_with("--lowercase")), "{said}");
    let (said, code) = with("99.99", signature);
    assert!(said.contains("nothing fits") && code == Some(1), "{said}");
    // sacreBLEU 1 printed chrF as a fraction.
    let chrf = stdout(&["score", &reference, "-i", &system, "-m", "chrf", "-b", "-w", "2"]);
    let fraction = format!("{:.3}", chrf.trim().parse::<f64>().unwrap() / 100.0);
    let (said, code) = with(&fraction, "chrF2+numchars.6+space.false+version.1.5.1");
    assert!(said.starts_with("yes: chrF2|") && code == Some(0), "{said}");
    let (said, code) = with("0.1", "chrF2+numchars.6+space.false+version.1.5.1");
    assert!(said.contains("BLEU alone") && code == Some(1), "{said}");
    let no_number = ["verify", "--signature", signature, "--score", "nan", &reference, "-i", &system];
    refused(&no_number, &["--score is `nan`"]);
    refused(&["verify", "--score", "1", &reference, "-i", &system], &["--signature"]);
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

#[test]
fn a_segment_is_shown_step_by_step() {
    let (_folder, reference, system) = pair(REF, SYS);
    let base = ["explain", "--working=2", &reference, "-i", &system];
    let text = stdout(&base);
    let sentences = stdout(&["score", &reference, "-i", &system, "-sl", "-w", "2", "-f", "text"]);
    let score =
        sentences.lines().nth(1).unwrap().split(" = ").nth(1).unwrap().split(' ').next().unwrap().to_owned();
    for words in [
        "segment 2\n",
        "hypothesis, 6 tokens: another line was here now .",
        "  clipped 5 of 6: precision 5/6",
        "\nbrevity penalty BP",
        "exp((ln p1 + ln p2",
        &format!("\n  = {score}\n"),
        "eff:yes",
    ] {
        assert!(text.contains(words), "{words} is not in {text}");
    }
    assert!(stdout(&["explain", "--working", &reference, "-i", &system]).starts_with("segment 1\n"));
    refused(&["explain", "--working=9", &reference, "-i", &system], &["segment 9", "there are 2"]);
}
