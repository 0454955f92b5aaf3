//! Lower-casing: every character there is, alone and where it decides how a capital sigma ends a word.
//!
//! Python's tables have an age. The promise is CPython 3.11, so another interpreter is not compared.

use serde_json::json;
use xtask::Result;

use super::{ParityRun, ours};

const BATCH: usize = 4_096;

pub(super) fn all(comparison: &mut ParityRun<'_>) -> Result {
    if !comparison.given.promised {
        println!("  skipped: lower case, which follows the Unicode tables of the promised interpreter");
        return Ok(());
    }
    let mut oracle = comparison.sacrebleu()?;
    let characters: Vec<char> = ('\0'..=char::MAX).collect();
    for batch in characters.chunks(BATCH) {
        // Alone, and in every place where it may let a sigma be final or not.
        let texts: Vec<String> = batch.iter().map(|c| format!("{c} {c}Σ aΣ{c} aΣ{c}a a{c}Σ")).collect();
        let theirs: Vec<String> = oracle.ask(&json!({ "question": "lower", "texts": texts }))?;
        for (text, theirs) in texts.iter().zip(&theirs) {
            let case = || format!("{text:?}");
            comparison.report.same("lower case of characters", theirs, &ours::lower(text), case);
        }
    }
    Ok(())
}
