//! Lower-casing: every character there is, alone and where it decides how a capital sigma ends a word.
//!
//! Python's tables have an age. The promise is CPython 3.11, so another interpreter is not compared.

use serde_json::json;

use super::topic::{ParityTopic, TopicNeeds, given_part};
use super::{DRIVER, ours};

const BATCH: usize = 4_096;

pub(super) const TOPIC: ParityTopic = ParityTopic {
    script: DRIVER,
    needs: TopicNeeds::Nothing,
    seed: 0,
    parts: |comparison, _| {
        if !comparison.given.promised {
            println!("  skipped: lower case, which follows the Unicode tables of the promised interpreter");
            return Ok(Vec::new());
        }
        // Alone, and in every place where it may let a sigma be final or not.
        let texts = ('\0'..=char::MAX).map(|c| format!("{c} {c}Σ aΣ{c} aΣ{c}a a{c}Σ"));
        let question = |texts: &[String]| json!({ "question": "lower", "texts": texts });
        Ok(vec![given_part(texts.collect(), BATCH, question, |report, text, theirs: String| {
            report.same("lower case of characters", &theirs, &ours::lower(text), || format!("{text:?}"));
            Ok(())
        })])
    },
};
