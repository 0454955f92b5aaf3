//! Every tokenizer that sacreBLEU has, against sacreBLEU: on all lines of real data, on every Unicode scalar value
//! alone and between letters and digits, and on random strings that tokenizers often get wrong.
//!
//! The dictionaries of `ja-mecab` and `ko-mecab` come from the PyPI packages. sacreBLEU's own SentencePiece models
//! are not on PyPI, so both sides read small ones that SentencePiece trains here from the example data.

mod hostile;
mod inputs;
mod pairs;

use std::path::Path;

use serde_json::{Value, json};
use xtask::Result;

use self::inputs::{Inputs, LineBatch};
use self::pairs::TokenizerPair;
use super::ParityRun;
use super::oracle::Oracle;
use super::outcome::ParityReport;
use crate::pool;

const DRIVER: &str = include_str!("oracle.py");

pub(super) fn all(comparison: &mut ParityRun<'_>) -> Result {
    let given = comparison.given;
    let oracles = (0..pool::size()).map(|_| comparison.oracle(DRIVER));
    let mut oracles = oracles.collect::<Result<Vec<_>>>()?;
    let about = oracles[0].about.clone();
    check_packages(&about)?;
    if !given.promised {
        println!("  skipped: tercom in small letters, which follow the Unicode tables of the interpreter");
    }
    println!("  a text counts once for every set of options of tercom that cuts it");
    let models = given.target.join("parity/sacrebleu");
    give_models(&mut oracles, &models, &given.root)?;
    let pairs = pairs::all(&about["dictionaries"], &models.join("models"), given.promised)?;
    let lines = comparison.turn(inputs::all_lines(&given.root)?).collect();
    let characters = comparison.turn(inputs::characters()).collect();
    let random = comparison.cases(inputs::RANDOM);
    let inputs = Inputs::new(lines, characters, random, comparison.rng(inputs::SEED));
    let workers = oracles.into_iter().map(|oracle| (oracle, ParityReport::default()));
    let workers =
        pool::run(workers, inputs, |(oracle, report), batch| compare(oracle, &pairs, &batch, report))?;
    workers.into_iter().for_each(|(_, report)| comparison.report.merge(report));
    Ok(())
}

/// Returns an error if a package is missing, because the comparison would then be smaller than it claims.
fn check_packages(about: &Value) -> Result {
    let packages = about["packages"].as_object().ok_or("the oracle did not name its packages")?;
    let missing = packages.iter().filter(|(_, version)| version.is_null());
    let missing: Vec<&str> = missing.map(|(package, _)| package.as_str()).collect();
    if !missing.is_empty() {
        let missing = missing.join(", ");
        return Err(format!("the interpreter has no {missing}; install what requirements.txt pins").into());
    }
    let named = packages
        .iter()
        .map(|(package, version)| format!("{package} {}", version.as_str().unwrap_or_default()));
    println!("  tokenizers of {}", named.collect::<Vec<_>>().join(", "));
    Ok(())
}

/// Trains the models with the first oracle, and gives the others the paths.
fn give_models(oracles: &mut [Oracle], folder: &Path, root: &Path) -> Result {
    let texts = inputs::example_lines(root)?;
    oracles[0].ask::<Value>(&json!({ "question": "train", "folder": folder, "texts": texts }))?;
    for oracle in &mut oracles[1..] {
        oracle.ask::<Value>(&json!({ "question": "use", "folder": folder }))?;
    }
    Ok(())
}

fn compare(
    oracle: &mut Oracle,
    pairs: &[TokenizerPair],
    batch: &LineBatch,
    report: &mut ParityReport,
) -> Result {
    let pairs: Vec<&TokenizerPair> = pairs.iter().filter(|pair| pair.inputs.contains(&batch.kind)).collect();
    let tokenizers: Vec<_> = pairs.iter().map(|pair| &pair.theirs).collect();
    let question = json!({ "question": "tokenize", "tokenizers": tokenizers, "texts": batch.texts });
    let answers: Vec<String> = oracle.ask(&question)?;
    if answers.len() != pairs.len() {
        return Err("the oracle did not answer for every tokenizer".into());
    }
    for (pair, theirs) in pairs.into_iter().zip(&answers) {
        let ours = pair.tokenize_all(&batch.texts);
        let kind = format!("tokens of {}, {}", pair.name, batch.kind.name());
        if ours == *theirs {
            report.equal(&kind, batch.texts.len());
        } else {
            note_differences(report, &kind, pair, &batch.texts, theirs, &ours)?;
        }
    }
    Ok(())
}

fn note_differences(
    report: &mut ParityReport,
    kind: &str,
    pair: &TokenizerPair,
    texts: &[String],
    theirs: &str,
    ours: &str,
) -> Result {
    let (theirs, ours): (Vec<&str>, Vec<&str>) = (theirs.split('\n').collect(), ours.split('\n').collect());
    if theirs.len() != texts.len() || ours.len() != texts.len() {
        return Err(format!("{kind}: not one line of tokens for every text").into());
    }
    for ((text, theirs), ours) in texts.iter().zip(theirs).zip(ours) {
        report.same(kind, &theirs, &ours, || format!("{text:?} under {}", pair.theirs));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_other_token_is_one_difference() {
        let pair = pairs::plain().unwrap().swap_remove(0);
        let texts = ["a  b", "", "c"].map(str::to_owned);
        assert_eq!(pair.tokenize_all(&texts), "a b\n\nc");
        let mut report = ParityReport::default();
        note_differences(&mut report, "x", &pair, &texts, "a b\n\nd", "a b\n\nc").unwrap();
        assert_eq!(report.totals(), (3, 1));
        assert!(note_differences(&mut report, "x", &pair, &texts, "a b\nc", "a b\n\nc").is_err());
    }

    #[test]
    fn a_missing_package_is_named() {
        let about = json!({ "packages": { "regex": "1", "ipadic": null } });
        assert!(check_packages(&about).is_err_and(|error| error.to_string().contains("has no ipadic;")));
        assert!(check_packages(&json!({ "packages": { "regex": "1" } })).is_ok());
    }
}
