//! Lower-casing: every character there is, alone and where it decides how a capital sigma ends a word.
//!
//! Python's tables have an age. The promise is CPython 3.11, so another interpreter is not compared.

use serde_json::json;

use super::Comparison;
use super::ours;

/// Characters per question.
const BATCH: usize = 4_096;

/// Every scalar value.
pub(super) fn all(comparison: &mut Comparison) -> Result<(), String> {
    if !comparison.promised {
        println!("  skipped: lower case, which follows the Unicode tables of the promised interpreter");
        return Ok(());
    }
    let characters: Vec<char> = ('\0'..=char::MAX).collect();
    for batch in characters.chunks(BATCH) {
        // Alone, and in every place where it may let a sigma be final or not.
        let texts: Vec<String> = batch.iter().map(|c| format!("{c} {c}Σ aΣ{c} aΣ{c}a a{c}Σ")).collect();
        let theirs: Vec<String> = comparison.ask(&json!({ "question": "lower", "texts": texts }))?;
        for (text, theirs) in texts.iter().zip(&theirs) {
            let ours = ours::lower(text);
            let differences = match ours == *theirs {
                true => Vec::new(),
                false => vec![format!("Python {theirs:?}, ours {ours:?}")],
            };
            comparison.report.case("lower case of characters", &differences, || format!("{text:?}"));
        }
    }
    Ok(())
}
