//! Tokenizers on random text, for every name that both sides know.

use bleuprint_testkit::random::Rng;
use serde_json::json;

use super::Comparison;
use super::corpus;
use super::ours;

/// Names of sacreBLEU's tokenizers that need neither a model nor a dictionary.
const THEIRS: &[&str] = &["none", "13a", "char", "intl", "zh"];

/// Texts per tokenizer.
const TEXTS: usize = 20_000;

/// Texts per question, so that a line on the pipe stays of handy length.
const BATCH: usize = 500;

/// Random texts through every shared tokenizer.
pub(super) fn random(comparison: &mut Comparison) -> Result<(), String> {
    let known = ours::tokenizer_names();
    for name in THEIRS {
        if !known.contains(name) {
            println!("  skipped: tokenizer {name}, which we do not have yet");
            continue;
        }
        let mut rng = Rng::new(13);
        for _ in 0..TEXTS / BATCH {
            let texts: Vec<String> = (0..BATCH).map(|_| corpus::text(&mut rng)).collect();
            let theirs: Vec<Vec<String>> =
                comparison.ask(&json!({ "question": "tokenize", "tokenizer": name, "texts": texts }))?;
            let ours = ours::tokenize(name, &texts)?;
            for ((text, theirs), ours) in texts.iter().zip(&theirs).zip(&ours) {
                let differences = match ours == theirs {
                    true => Vec::new(),
                    false => vec![format!("sacreBLEU {theirs:?}"), format!("ours      {ours:?}")],
                };
                comparison.report.case(&format!("tokens of {name}"), &differences, || format!("{text:?}"));
            }
        }
    }
    Ok(())
}
