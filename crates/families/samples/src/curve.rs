//! [`CurveStats`]: the exact sum over prompts of a metric such as best@k, for each k.

use core::fmt::Display;

use bleuprint_core::{ExactSum, InputError, Linear, Result, Scale, SegmentCounts};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::SamplesScore;

/// Exact sums over prompts of a metric such as best@k, one sum for each `k`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CurveStats {
    sums: Vec<(u32, ExactSum)>,
}

impl CurveStats {
    pub(crate) fn zero(ks: &[u32]) -> Self {
        CurveStats { sums: ks.iter().map(|k| (*k, ExactSum::default())).collect() }
    }

    /// Creates the sums for a single prompt, from its values of a metric such as best@k: one for each `k`.
    pub(crate) fn from_values(values: impl IntoIterator<Item = (u32, f64)>) -> Result<Self> {
        let one = |(k, value)| Ok((k, ExactSum::from_value(value)?));
        Ok(CurveStats { sums: values.into_iter().map(one).collect::<Result<_>>()? })
    }

    fn prompts(&self) -> u64 {
        self.sums.first().map_or(0, |(_, sum)| sum.count())
    }

    pub(crate) fn score(&self, metric: &str) -> Result<SamplesScore> {
        match self.prompts() {
            0 => Err(InputError::no_score(metric, "there is no prompt")),
            prompts => {
                let values = self.sums.iter().map(|(_, sum)| sum.mean(sum.count())).collect();
                let ks = self.sums.iter().map(|(k, _)| *k).collect();
                Ok(SamplesScore { ks, values, prompts, samples: None, nulls: 0 })
            }
        }
    }

    /// Rejects stored sums for values of `k` other than `ks`, for unequal numbers of prompts, or with a mean
    /// outside the scale.
    pub(crate) fn check_like(&self, ks: &[u32], scale: Scale) -> Result<()> {
        if !self.sums.iter().map(|(k, _)| k).eq(ks) {
            let of: Vec<u32> = self.sums.iter().map(|(k, _)| *k).collect();
            return Err(InputError::malformed_state(format!(
                "sums at k of {of:?}, but sums at {ks:?} are expected"
            )));
        }
        self.sums.iter().try_for_each(|(_, sum)| scale.check_mean(sum, self.prompts()))
    }
}

impl Linear for CurveStats {
    fn columns(&mut self, visit: &mut dyn FnMut(&dyn Display, &mut u64)) {
        // The name of the column has k, so that rows of different k cannot be mistaken for each other.
        for (k, sum) in &mut self.sums {
            Linear::columns(sum, &mut |column, count| visit(&format_args!("at_{k}.{column}"), count));
        }
    }
    fn check_bounds(&self, counts: &SegmentCounts) -> Result<()> {
        InputError::require_at_most("prompts", self.prompts(), "segments", counts.segments)
    }
    fn without_number(&self, counts: &SegmentCounts) -> u64 {
        counts.segments.saturating_sub(self.prompts())
    }
}

impl Serialize for CurveStats {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(&self.sums)
    }
}

impl<'de> Deserialize<'de> for CurveStats {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let sums = Vec::<(u32, ExactSum)>::deserialize(deserializer)?;
        if sums.is_sorted_by(|(one, _), (next, _)| one < next) {
            return Ok(CurveStats { sums });
        }
        Err(D::Error::custom("the sums are not in ascending order of k"))
    }
}
