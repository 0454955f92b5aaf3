//! Normalizers against Whisper's, its fork on PyPI, jiwer's transformations and Python's forms: every character, and random
//! texts of number words, contractions and several scripts. The ratio of processor times is printed.

use bleuprint::text::Normalizers;
use bleuprint_testkit::random::Rng;
use serde_json::json;
use xtask::Result;

use super::ParityRun;
use crate::pieces;

/// Random texts, and number in one question to the oracle.
const TEXTS: usize = 20_000;
const BATCH: usize = 2_000;

/// Characters in one text, if the comparison covers every Unicode character.
const CHARACTERS: usize = 12;

const SEED: u64 = 20_220_921;

pub(super) fn all(comparison: &mut ParityRun<'_>) -> Result {
    let mut oracle = comparison.oracle(include_str!("normalizers.py"))?;
    println!("  normalizers of {}", oracle.about["programs"]);
    let steps: Vec<String> = serde_json::from_value(oracle.about["steps"].take())?;
    let mut rng = comparison.rng(SEED);
    let texts: Vec<String> = (0..comparison.cases(TEXTS)).map(|_| text(&mut rng)).collect();
    let characters: Vec<char> = ('\0'..=char::MAX).collect();
    let characters = characters.chunks(CHARACTERS).map(|some| {
        let about = |c: &char| format!("{c} a{c} {c}1{c}");
        some.iter().map(about).collect::<String>()
    });
    let mut batches: Vec<(&str, Vec<String>)> = Vec::new();
    batches.extend(texts.chunks(BATCH).map(|texts| ("random texts", texts.to_vec())));
    if comparison.given.promised {
        // One in so many of them too: the classes of neighbours are alike.
        let some: Vec<String> = characters.step_by(comparison.given.share.get()).collect();
        batches.extend(some.chunks(BATCH).map(|texts| ("every character", texts.to_vec())));
    } else {
        println!("  skipped: every character, which follows the Unicode tables of the interpreter");
    }
    for step in &steps {
        let chain = Normalizers::default().build(step)?;
        let mut theirs_took = 0.0;
        let mut ours_took = 0.0;
        for (what, batch) in &batches {
            let (theirs, seconds): (Vec<String>, f64) = oracle.ask(&json!({"step": step, "texts": batch}))?;
            theirs_took += seconds;
            let start = processor_seconds();
            let ours: Vec<String> = batch.iter().map(|text| chain.apply(text)).collect();
            ours_took += processor_seconds() - start;
            for ((text, theirs), ours) in batch.iter().zip(&theirs).zip(&ours) {
                comparison
                    .report
                    .same(&format!("normalizers, {what}"), theirs, ours, || format!("{step}: {text:?}"));
            }
        }
        println!("  {step}: {:.0} times as fast as Python", theirs_took / ours_took.max(1e-9));
    }
    Ok(())
}

fn processor_seconds() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// Returns words with and without a space between them, and sometimes a random character.
fn text(rng: &mut Rng) -> String {
    let mut text = String::new();
    for _ in 0..rng.below(24) {
        if rng.chance(20) {
            text.extend(char::from_u32(rng.below(0x3000) as u32));
        } else {
            let word = *rng.pick(pieces::pieces("normalizers"));
            text.push_str(word);
        }
        if !rng.chance(120) {
            text.push(' ');
        }
    }
    if rng.chance(100) { text.to_uppercase() } else { text }
}
