//! Every tokenizer that sacreBLEU has, against sacreBLEU: on all lines of real data, on every Unicode scalar value
//! alone and between letters and digits, and on random strings that tokenizers often get wrong.
//!
//! The dictionaries of `ja-mecab` and `ko-mecab` come from the PyPI packages. sacreBLEU's own SentencePiece models
//! are not on PyPI, so both sides read small ones that SentencePiece trains here from the example data.

mod hostile;
mod inputs;
mod pairs;

use std::rc::Rc;

use serde_json::{Value, json};
use xtask::Result;

use self::inputs::{InputKind, LineBatch};
use self::pairs::TokenizerPair;
use super::ParityRun;
use super::oracle::Oracle;
use super::outcome::ParityReport;
use super::topic::{AnyPart, ParityTopic, PartSize, SinglePart, TopicNeeds, TopicParts, in_order};

pub(super) const CHARACTERS: ParityTopic = topic(|comparison, oracle| {
    let blocks: Vec<Vec<char>> = comparison.turn(inputs::characters()).collect();
    part(comparison, oracle, "characters", blocks.iter().flat_map(|block| inputs::contexts(block)).collect())
});

pub(super) const LINES: ParityTopic = topic(|comparison, oracle| {
    let blocks = comparison.turn(inputs::all_lines(&comparison.given.root)?).collect();
    part(comparison, oracle, "lines", inputs::batches(InputKind::Lines, blocks))
});

pub(super) const RANDOM: ParityTopic = topic(|comparison, oracle| {
    let random = inputs::random(comparison.cases(inputs::RANDOM), &mut comparison.rng(inputs::SEED));
    part(comparison, oracle, "random", random)
});

/// Returns a topic of blocks of texts that all tokenizers cut.
const fn topic(parts: TopicParts) -> ParityTopic {
    ParityTopic { script: include_str!("oracle.py"), needs: TopicNeeds::Nothing, seed: 0, parts }
}

/// Returns the part of these blocks; the models are trained in a folder with this name.
fn part(
    comparison: &ParityRun<'_>,
    oracle: &mut Oracle,
    folder: &str,
    batches: Vec<LineBatch>,
) -> Result<Vec<Box<dyn AnyPart>>> {
    let given = comparison.given;
    check_packages(&oracle.about)?;
    if !given.promised {
        println!("  skipped: tercom in small letters, which follow the Unicode tables of the interpreter");
    }
    println!("  a text counts once for every set of options of tercom that cuts it");
    let models = given.target.join("parity/sacrebleu").join(folder);
    let texts = inputs::example_lines(&given.root)?;
    oracle.ask::<Value>(&json!({ "question": "train", "folder": models, "texts": texts }))?;
    let pairs = pairs::all(&oracle.about["dictionaries"], &models.join("models"), given.promised)?;
    let pairs = Rc::new(pairs);
    let asked = Rc::clone(&pairs);
    Ok(vec![Box::new(SinglePart {
        size: PartSize::given(batches.len(), 1),
        draw: in_order(batches),
        question: Box::new(move |batches| batches.iter().map(|batch| question(&asked, batch)).collect()),
        compare: Box::new(move |report, batch, theirs| compare(report, &pairs, batch, theirs)),
    })])
}

fn pairs_of<'a>(pairs: &'a [TokenizerPair], batch: &LineBatch) -> impl Iterator<Item = &'a TokenizerPair> {
    let kind = batch.kind;
    pairs.iter().filter(move |pair| pair.inputs.contains(&kind))
}

fn question(pairs: &[TokenizerPair], batch: &LineBatch) -> Value {
    let tokenizers: Vec<&Value> = pairs_of(pairs, batch).map(|pair| &pair.theirs).collect();
    json!({ "question": "tokenize", "tokenizers": tokenizers, "texts": batch.texts })
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

fn compare(
    report: &mut ParityReport,
    pairs: &[TokenizerPair],
    batch: &LineBatch,
    theirs: Vec<String>,
) -> Result {
    if theirs.len() != pairs_of(pairs, batch).count() {
        return Err("the oracle did not answer for every tokenizer".into());
    }
    for (pair, theirs) in pairs_of(pairs, batch).zip(&theirs) {
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
