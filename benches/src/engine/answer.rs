//! Answers of tasks.

use bleuprint::metrics::BleuScore;
use serde_json::{Value, json};

/// Answer of a task. It is converted to JSON after the time is taken.
pub(crate) enum TaskAnswer {
    Corpus(BleuScore),
    Sentences(Vec<f64>),
    /// Score without counts.
    Number(f64),
    /// Score with the counts that it follows from.
    Counted(f64, Vec<u64>),
    /// Tokens of every line, joined by spaces.
    Lines(Vec<String>),
}

impl TaskAnswer {
    pub(crate) fn to_json(&self) -> Value {
        match self {
            TaskAnswer::Corpus(score) => json!({
                "score": score.score,
                "counts": score.clipped.to_vec(),
                "totals": score.total.to_vec(),
                "sys_len": score.hyp_len,
                "ref_len": score.ref_len,
            }),
            TaskAnswer::Number(score) => json!({ "score": score }),
            TaskAnswer::Counted(score, counts) => json!({ "score": score, "counts": counts }),
            TaskAnswer::Sentences(scores) => json!({ "scores": scores }),
            TaskAnswer::Lines(lines) => json!({ "lines": lines }),
        }
    }
}

pub(crate) type Task = Box<dyn FnMut() -> Result<TaskAnswer, String>>;
