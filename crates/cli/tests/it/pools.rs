//! `mbr` and `self` as a user meets them.

use crate::common::{Folder, bleuprint_of, parsed, refused, refused_of, stdout, stdout_of, words};
use serde_json::{Value, json};

const CANDIDATES: &str = "a cat sat on the mat\nthe cat sat on the mat\ndogs bark\n\
                          it rained hard all day\nit rained all day\nit rained all the day\n";

fn lines(arguments: &[&str], stdin: &str) -> Vec<String> {
    stdout_of(arguments, stdin.as_bytes()).lines().map(str::to_owned).collect()
}

fn objects(arguments: &[&str], stdin: &str) -> Vec<Value> {
    lines(arguments, stdin).iter().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn alone(folder: &Folder, hypothesis: &str, reference: &str, metric: &str) -> f64 {
    let (h, r) = (folder.file("alone-h", hypothesis), folder.file("alone-r", reference));
    let scored: Value = parsed(&["score", &r, "-i", &h, "-m", metric, "-sl", "-f", "json"]);
    scored["score"].as_f64().unwrap()
}

#[test]
fn utilities_are_means_of_sentence_scores() {
    let folder = Folder::new();
    let candidates: Vec<&str> = CANDIDATES.lines().take(3).collect();
    for metric in ["bleu", "chrf", "rougeL", "wer", "ter"] {
        let chosen = objects(&["mbr", "-m", metric, "--best", "3", "-f", "json"], &candidates.join("\n"));
        for best in chosen[0]["best"].as_array().unwrap() {
            let own = candidates[best["candidate"].as_u64().unwrap() as usize - 1];
            assert_eq!(best["text"], own);
            let sum = candidates.iter().fold(0.0, |sum, other| sum + alone(&folder, own, other, metric));
            assert_eq!(best["utility"].as_f64().unwrap(), sum / 3.0, "{metric} {own}");
        }
        let utilities: Vec<f64> = chosen[0]["best"]
            .as_array()
            .unwrap()
            .iter()
            .map(|best| best["utility"].as_f64().unwrap())
            .collect();
        let low_is_good = ["wer", "ter"].contains(&metric);
        assert!(
            if low_is_good { utilities.is_sorted() } else { utilities.is_sorted_by(|a, b| a >= b) },
            "{metric}"
        );
    }
}

#[test]
fn every_source_has_its_own_pool() {
    let best = lines(&["mbr", "--num-candidates", "3"], CANDIDATES);
    assert_eq!(best.len(), 2);
    assert!(best[0].contains("cat") && best[1].contains("rained"));
    let two = lines(&["mbr", "--num-candidates", "3", "--best", "2"], CANDIDATES);
    assert_eq!((two.len(), &two[0], &two[2]), (4, &best[0], &best[1]));
    let output = bleuprint_of(&["mbr", "--num-candidates", "4"], CANDIDATES.as_bytes());
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(message.contains("the last source has 2 lines, but every source has 4"), "{message}");
}

#[test]
fn files_and_records_say_the_same() {
    let folder = Folder::new();
    let candidates = folder.file("c", "a b c d\na b c\nx y z\n");
    let references = folder.file("r", "x y z w\na b\n");
    let logs = folder.file("w", "-1\n-3.5\n");
    let by = format!("mbr {candidates} --pseudo-references {references} -f json -m chrf");
    let mut by_files = objects(&words(&format!("{by} --log-probabilities {logs}")), "").remove(0);
    let record = r#"{"id": "s1", "candidates": ["a b c d", "a b c", "x y z"], "references": ["x y z w", "a b"], "log_probabilities": [-1, -3.5]}"#;
    let records = folder.file("pools.jsonl", record);
    let by_records = objects(&["mbr", "--pools", &records, "-f", "json", "-m", "chrf"], "").remove(0);
    by_files["id"] = "s1".into();
    assert_eq!(by_files, by_records);
    assert_eq!(by_files["best"][0]["candidate"], 3);
    // The same ratios as plain weights: e^-1 and e^-3.5, divided by e^-1.
    let weights = folder.file("v", format!("1\n{}\n", 0.0820849986238988 /* e^-2.5 */));
    let plain = objects(&words(&format!("{by} --reference-weights {weights}")), "");
    assert_eq!(plain[0]["best"], by_files["best"]);
}

#[test]
fn an_approximation_names_itself() {
    let pool = CANDIDATES.lines().take(3).collect::<Vec<_>>().join("\n");
    for metric in ["bleu", "chrf"] {
        let exact = objects(&["mbr", "-m", metric, "-f", "json"], &pool).remove(0);
        let rough = objects(&["mbr", "-m", metric, "-f", "json", "--aggregate"], &pool).remove(0);
        assert!(rough["signature"].as_str().unwrap().contains("|references:aggregated|"), "{rough}");
        assert!(!exact["signature"].as_str().unwrap().contains("aggregated"), "{exact}");
    }
    refused_of(
        &["mbr", "-m", "wer", "--aggregate"],
        pool.as_bytes(),
        &["WER has no references laid together"],
    );
}

#[test]
fn what_cannot_be_a_pool_is_refused() {
    let folder = Folder::new();
    let c = folder.file("c", "a\nb\n");
    let weights = |content: &str| folder.file("w", content);
    let with = |content: &str| weights(content);
    refused(&["mbr", &c, "--reference-weights", &with("1\nx\n")], &["line 2", "`x` is not a number"]);
    refused(&["mbr", &c, "--reference-weights", &with("1\n")], &["the number of weights is 1", "2"]);
    refused(&["mbr", &c, "--reference-weights", &with("1\n-1\n")], &["a weight is -1"]);
    refused(&["mbr", &c, "--reference-weights", &with("")], &["has lines of fewer sources than"]);
    refused_of(
        &["mbr", &c, "--pseudo-references", "-", "--num-candidates", "2"],
        b"a\n",
        &["--num-pseudo-references", "both"],
    );
    refused(&["mbr"], &["no segments"]);
    refused_of(&["mbr", "-m", "distinct"], b"a\n", &["looks at no references"]);
    refused_of(&["mbr", "-m", "sari"], b"a\n", &["needs the source"]);
    refused_of(&["mbr", "-m", "cider"], b"a\n", &["learns from all references"]);
    let records = |content: &str| folder.file("p.jsonl", content);
    for (record, words) in [
        (r#"{"candidates": ["a"], "reference": ["b"]}"#, "the key `reference` is not one of"),
        (r#"{"candidates": ["a", 1]}"#, "`candidates` holds 1, but must hold texts"),
        (r#"{"references": ["a"]}"#, "no `candidates`"),
        (r#"{"candidates": "a"}"#, "must be a list"),
        (r#"{"candidates": []}"#, "no references"),
        (r#"["a"]"#, "a pool is an object"),
        (r#"{"candidates": ["a"], "weights": ["x"]}"#, "must hold numbers"),
        (r#"{"candidates": ["a"], "weights": [1], "log_probabilities": [1]}"#, "two ways"),
        (r#"{"candidates": ["a"]"#, "JSON"),
    ] {
        let file = records(&format!("\n{record}\n"));
        refused(&["mbr", "--pools", &file], &["line 2", words]);
    }
    refused(&["mbr", &c, "--pools", &c], &["give no FILE"]);
}

#[test]
fn self_bleu_is_the_mean_over_the_samples() {
    let each = objects(&["self", "--each", "-f", "json"], CANDIDATES);
    assert_eq!(each.len(), 6);
    let folder = Folder::new();
    let all: Vec<&str> = CANDIDATES.lines().collect();
    for (own, scored) in each.iter().enumerate() {
        let h = folder.file("h", all[own]);
        let others = (0..6).filter(|&other| other != own);
        let files: Vec<String> = others.map(|other| folder.file(&format!("r{other}"), all[other])).collect();
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        let arguments = [&["score"], &files[..], &["-i", &h, "-sl", "-f", "json"]].concat();
        let mut alone: Value = parsed(&arguments);
        alone["segment"] = (own + 1).into();
        assert_eq!(scored, &alone);
    }
    let mean: Value = serde_json::from_str(&stdout_of(&["self"], CANDIDATES.as_bytes())).unwrap();
    assert_eq!(
        (&mean["name"], &mean["nrefs"], &mean["mean"]),
        (&"Self-BLEU".into(), &"5".into(), &"segments".into())
    );
    let sum: f64 = each.iter().map(|scored| scored["score"].as_f64().unwrap()).sum();
    assert!((mean["score"].as_f64().unwrap() - sum / 6.0).abs() < 1e-12);
    // Pools of three: nothing in common between them. The number is the mean of sacreBLEU 2.6.0's sentence scores.
    let pools = stdout_of(&["self", "--num-samples", "3", "-f", "text", "-b"], CANDIDATES.as_bytes());
    assert_eq!(pools, "46.7\n");
}

#[test]
fn reference_streams_are_scored_as_systems() {
    let folder = Folder::new();
    let streams =
        ["a cat sat here\nit rained\n", "the cat sat here\nit rained\n", "a cat sat\nit had rained\n"];
    let files: Vec<String> =
        streams.iter().enumerate().map(|(index, text)| folder.file(&format!("r{index}"), text)).collect();
    let f: Vec<&str> = files.iter().map(String::as_str).collect();
    let ceiling: Value = parsed(&["self", f[0], f[1], f[2], "-m", "bleu", "chrf", "wer"]);
    for (own, [one, other]) in [(0, [1, 2]), (1, [0, 2]), (2, [0, 1])] {
        let scored = stdout(&["score", f[one], f[other], "-i", f[own], "-m", "bleu", "chrf", "wer"]);
        let scored: Value = serde_json::from_str(&scored).unwrap();
        assert_eq!(ceiling[own]["scores"], scored);
    }
    refused_of(&["self", "-", "-"], b"a\n", &["twice"]);
    refused(&["self", f[0], f[1], "--each"], &["one file"]);
    let short = folder.file("short", "a\n");
    refused(&["self", f[0], &short], &["2 segments", "1"]);
    refused_of(&["self"], b"alone\n", &["no references"]);
    refused(&["self"], &["no segments"]);
}

#[test]
fn utilities_of_another_program() {
    let folder = Folder::new();
    let pool = json!({"candidates": ["x", "y"], "references": ["p", "q", "r"], "weights": [2, 1, 1],
        "utilities": [[1, 0.5, 0.25], [0.75, 1, 0.5]]});
    let pools = folder.file("pools.jsonl", format!("{pool}\n"));
    let metric = "given:name=comet,scale=0..1";
    let chosen = parsed(&["mbr", "--pools", &pools, "-m", metric, "-f", "json"]);
    assert_eq!((&chosen["name"], &chosen["best"][0]["utility"]), (&json!("comet"), &json!(0.75)));
    assert_eq!(stdout(&["mbr", "--pools", &pools, "-m", "given:name=comet,better=lower"]), "x\n");
    refused(&["mbr", "--pools", &pools, "-m", "chrf"], &["pools.jsonl: line 1", "-m given:name=NAME"]);
    refused(&["mbr", "-m", metric], &["the `utilities` of --pools"]);
    let wrong = folder.file("wrong.jsonl", "{\"candidates\": [\"x\"], \"utilities\": [[1, 2]]}\n");
    refused(&["mbr", "--pools", &wrong, "-m", metric], &["wrong.jsonl: line 1", "1 rows of 1 numbers"]);
    let wrong = folder.file("scale.jsonl", "{\"candidates\": [\"x\"], \"utilities\": [[2]]}\n");
    refused(
        &["mbr", "--pools", &wrong, "-m", metric],
        &["scale.jsonl: line 1", "comet is 2, but must be from 0 to 1"],
    );
}
