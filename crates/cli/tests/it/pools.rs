//! `mbr` and `self` as a user meets them.

use crate::common::{Folder, parsed, stdout_of};
use serde_json::Value;

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
