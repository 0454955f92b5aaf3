//! The answers of tasks.

use bleuprint::metrics::BleuScore;
use serde_json::{Value, json};

/// The answer of a task; made into JSON outside of the time.
pub(crate) enum Answer {
    Corpus(BleuScore),
    Sentences(Vec<f64>),
    /// The score alone.
    Number(f64),
    /// A score, and the counts it is made of.
    Counted(f64, Vec<u64>),
    /// The tokens of every line, joined by spaces.
    Lines(Vec<String>),
}

impl Answer {
    pub(crate) fn to_json(&self) -> Value {
        match self {
            Answer::Corpus(score) => json!({
                "score": score.score,
                "counts": score.clipped.to_vec(),
                "totals": score.total.to_vec(),
                "sys_len": score.hyp_len,
                "ref_len": score.ref_len,
            }),
            Answer::Number(score) => json!({ "score": score }),
            Answer::Counted(score, counts) => json!({ "score": score, "counts": counts }),
            Answer::Sentences(scores) => json!({ "scores": scores }),
            Answer::Lines(lines) => json!({ "lines": lines }),
        }
    }
}

pub(crate) type Task = Box<dyn FnMut() -> Result<Answer, String>>;
