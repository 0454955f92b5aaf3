//! Threads with an oracle each: they take a batch, ask, cut it themselves, and compare.

use std::num::NonZero;
use std::sync::Mutex;
use std::thread;

use bleuprint::text::TokenBuffer;
use serde_json::json;

use super::inputs::{Batch, Inputs};
use super::pairs::Pair;
use crate::parity::outcome::Report;
use crate::parity::python::Oracle;

/// More than so many programs with two dictionaries each would want much memory for little.
const MOST: usize = 8;

/// The number of workers, and so of oracles, that this machine is good for.
pub(super) fn number() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get).min(MOST)
}

/// Compares every pair on all the inputs that are for it.
pub(super) fn run(
    oracles: Vec<Oracle>,
    pairs: &[Pair],
    inputs: Inputs,
    report: &mut Report,
) -> Result<(), String> {
    // A worker that fails takes the inputs away, and the others end with the batch they have.
    let (inputs, report) = (Mutex::new(Some(inputs)), Mutex::new(report));
    thread::scope(|scope| {
        let worker = |mut oracle: Oracle| {
            let (inputs, report) = (&inputs, &report);
            scope.spawn(move || {
                while let Some(batch) = next(inputs) {
                    let done = compare(&mut oracle, pairs, &batch, report);
                    if done.is_err() {
                        inputs.lock().map_err(|_| POISONED)?.take();
                        return done;
                    }
                }
                Ok(())
            })
        };
        let workers: Vec<_> = oracles.into_iter().map(worker).collect();
        workers.into_iter().try_for_each(|worker| worker.join().map_err(|_| POISONED)?)
    })
}

const POISONED: &str = "a worker panicked";

fn next(inputs: &Mutex<Option<Inputs>>) -> Option<Batch> {
    inputs.lock().ok()?.as_mut()?.next()
}

/// One batch through all tokenizers it is for.
fn compare(
    oracle: &mut Oracle,
    pairs: &[Pair],
    batch: &Batch,
    report: &Mutex<&mut Report>,
) -> Result<(), String> {
    let pairs: Vec<&Pair> = pairs.iter().filter(|pair| pair.inputs.contains(&batch.kind)).collect();
    let tokenizers: Vec<_> = pairs.iter().map(|pair| &pair.theirs).collect();
    let mut answers =
        oracle.ask(&json!({ "question": "tokenize", "tokenizers": tokenizers, "texts": batch.texts }))?;
    let answers = answers.as_array_mut().ok_or("the oracle's answer is not a list")?;
    if answers.len() != pairs.len() {
        return Err("the oracle did not answer for every tokenizer".to_owned());
    }
    for (pair, theirs) in pairs.into_iter().zip(answers) {
        let theirs = theirs.as_str().ok_or("the oracle's answer is not a text")?;
        let ours = tokenize(pair, &batch.texts);
        let mut report = report.lock().map_err(|_| POISONED)?;
        let kind = format!("tokens of {}, {}", pair.name, batch.kind.name());
        if ours == theirs {
            report.equal(&kind, batch.texts.len());
        } else {
            note_differences(&mut report, &kind, pair, &batch.texts, theirs, &ours)?;
        }
    }
    Ok(())
}

/// Our tokens in the form of the oracle's answer. A refusal takes the place of the tokens, in a form that no tokens
/// have.
fn tokenize(pair: &Pair, texts: &[String]) -> String {
    let mut buffer = TokenBuffer::default();
    let mut all = String::new();
    for (i, text) in texts.iter().enumerate() {
        if i > 0 {
            all.push('\n');
        }
        if let Err(error) = pair.tokenize(text, &mut buffer, &mut all) {
            all.push_str(&format!(" refused: {error}"));
        }
    }
    all
}

/// Counts a batch in which something is different, text by text.
fn note_differences(
    report: &mut Report,
    kind: &str,
    pair: &Pair,
    texts: &[String],
    theirs: &str,
    ours: &str,
) -> Result<(), String> {
    let (theirs, ours): (Vec<&str>, Vec<&str>) = (theirs.split('\n').collect(), ours.split('\n').collect());
    if theirs.len() != texts.len() || ours.len() != texts.len() {
        return Err(format!("{kind}: not one line of tokens for every text"));
    }
    for ((text, theirs), ours) in texts.iter().zip(theirs).zip(ours) {
        let differences = match ours == theirs {
            true => Vec::new(),
            false => vec![format!("sacreBLEU {theirs:?}"), format!("ours      {ours:?}")],
        };
        report.case(kind, &differences, || format!("{text:?} under {}", pair.theirs));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parity::tokenizers::pairs;

    #[test]
    fn one_other_token_is_one_difference() {
        let pair = pairs::plain().unwrap().swap_remove(0);
        let texts = ["a  b", "", "c"].map(str::to_owned);
        assert_eq!(tokenize(&pair, &texts), "a b\n\nc");
        let mut report = Report::default();
        note_differences(&mut report, "x", &pair, &texts, "a b\n\nd", "a b\n\nc").unwrap();
        assert_eq!(report.totals(), (3, 1));
        assert!(note_differences(&mut report, "x", &pair, &texts, "a b\nc", "a b\n\nc").is_err());
    }
}
