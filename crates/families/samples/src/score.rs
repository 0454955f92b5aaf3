//! [`SamplesScore`]: the score of metrics such as pass@k, a mean over prompts for each k.

use std::borrow::Cow;

use bleuprint_core::{PartValue, Score, ScorePart, ShowPart};

/// Score of metrics such as pass@k: the mean over prompts for each `k`, and the numbers of prompts and of
/// their samples.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct SamplesScore {
    /// Values of `k` for which the metric was computed: numbers of samples drawn per prompt, as in pass@k.
    pub ks: Vec<u32>,
    /// Mean of the metric over prompts at each `k`, in the order of `ks`.
    pub values: Vec<f64>,
    /// Number of prompts that are scored.
    pub prompts: u64,
    /// Smallest and largest number of samples of a prompt; `None` if the metric's statistics do not keep
    /// these numbers.
    pub samples: Option<(u32, u32)>,
    /// Number of null answers, which only maj@k counts; 0 for other metrics.
    pub nulls: u64,
}

impl Score for SamplesScore {
    fn value(&self) -> f64 {
        self.values.first().copied().unwrap_or(f64::NAN)
    }
    fn headlines(&self) -> Vec<f64> {
        self.values.clone()
    }
    fn parts(&self) -> Vec<ScorePart> {
        let count = |key: &'static str, count: u32| ScorePart::count(key, u64::from(count));
        let mut parts = vec![ScorePart::count("prompts", self.prompts)];
        match self.samples {
            // One number of samples is the usual case, and reads better as `n` than as a range.
            Some((fewest, most)) if fewest == most => parts.push(count("n", most)),
            Some((fewest, most)) => parts.extend([count("n_min", fewest), count("n_max", most)]),
            None => {}
        }
        if self.nulls > 0 {
            parts.push(ScorePart::count("nulls", self.nulls));
        }
        if self.values.len() > 1 {
            let points = self.ks.iter().map(|k| f64::from(*k)).zip(self.values.iter().copied()).collect();
            parts.push(ScorePart::new(
                "curve",
                ShowPart::Labelled("curve".into(), 4),
                PartValue::Points(points),
            ));
        }
        parts
    }
}

/// Returns the names of the metric's values at each `k`, such as `pass@10`. A single value is named `score`.
pub(crate) fn names(ks: &[u32], heading: impl Fn(u32) -> String) -> Vec<Cow<'static, str>> {
    match ks {
        [_] => vec![Cow::Borrowed("score")],
        ks => ks.iter().map(|k| Cow::Owned(heading(*k))).collect(),
    }
}
